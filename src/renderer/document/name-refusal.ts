/** Why something cannot be called so, in words. */
import type { ModelDocument } from '@engine/document/types';
import { text } from '../i18n';
import { type NamedList, nameTrouble } from './names';

/** @returns empty when it can */
export function nameRefusal(document: ModelDocument, list: NamedList, from: string, to: string): string {
  const name = to.trim();
  const trouble = nameTrouble(document, list, from, name);
  if (trouble === null) return '';
  if (trouble === 'taken') return text('inspector.idTaken', { name });
  return text(trouble === 'malformed' ? 'inspector.idMalformed' : 'tree.scriptName');
}
