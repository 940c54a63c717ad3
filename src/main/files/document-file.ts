/** Reading a model's file. */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { MoreauError } from '@contract/errors';
import { checkDocumentSize } from '../host/document-size';
import { fileError, notAFile } from './file-errors';

/**
 * Text of a document.
 * @throws {MoreauError} `document-too-large` (found without reading it), `not-a-file`, `not-text`, or why it
 *   cannot be read
 */
export async function readDocumentFile(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    const found = await stat(path);
    // A pipe or a device has no size to be checked, and reading it could wait for ever.
    if (!found.isFile()) throw notAFile(path, found.isDirectory());
    checkDocumentSize(found.size, basename(path));
    bytes = await readFile(path);
  } catch (error) {
    throw fileError(path, 'opened', error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MoreauError({
      code: 'not-text',
      message: `${basename(path)} is not a UTF-8 text file, so it is not a model.`,
      where: path,
      remedy: 'Choose a file named NAME.moreau.json.',
    });
  }
}
