/** The limit on document texts, checked before anything parses them. */
import { MoreauError } from '@contract/errors';
import { MAX_DOCUMENT_BYTES } from '@contract/methods';

/**
 * @param bytes size of the text in UTF-8
 * @param name file or example concerned
 * @throws {MoreauError} `document-too-large`
 */
export function checkDocumentSize(bytes: number, name?: string): void {
  if (bytes <= MAX_DOCUMENT_BYTES) return;
  const mebibytes = (n: number): string => `${(n / 2 ** 20).toFixed(0)} MiB`;
  throw new MoreauError({
    code: 'document-too-large',
    message: `${name ?? 'The document'} has ${mebibytes(bytes)}; at most ${mebibytes(MAX_DOCUMENT_BYTES)} can be opened.`,
    ...(name === undefined ? {} : { where: name }),
    remedy: 'Let a builder script construct the repeated elements instead of listing them.',
  });
}
