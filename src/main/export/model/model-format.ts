/** What a format of models is: text made of a document whose report has no errors. */
import type { ModelFormatName } from '@contract/methods';
import type { DocumentReport, ModelDocument } from '@engine/document/types';

/** A model with values of parameters put in place. */
interface ExportedModel {
  readonly document: ModelDocument;
  /** the same with the elements of its builder scripts and without those */
  readonly expanded: ModelDocument;
  /** whether the caller wants what builder scripts make spelt out */
  readonly expand: boolean;
  readonly report: DocumentReport;
}

export interface ModelFormat {
  readonly name: ModelFormatName;
  /** ending of the file's name, with the dot */
  readonly extension: string;
  readonly title: string;
  /** @throws {MoreauError} for a model that the format has no words for */
  write(model: ExportedModel): { text: string; warnings: readonly string[] };
}
