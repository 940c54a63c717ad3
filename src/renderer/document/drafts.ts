/** Reading of a document while it is being edited. */
import { isDraft, original } from 'mutative';

/**
 * The document as it was before the present edit, for looking things up in it: each element that is read of a
 * draft is copied and compared afterwards, and there may be thousands. A document that is no draft is itself.
 */
export const beforeEdit = <T extends object>(document: T): T =>
  isDraft(document) ? original<T>(document) : document;
