/** Reading netlists and data of other programs, in the encodings that these write. */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { checkDocumentSize } from '../host/document-size';
import { fileError, notAFile } from './file-errors';

/**
 * Text of a file: UTF-8 or UTF-16, else one byte a character.
 * @param checkSize throws where it is too large
 * @throws {MoreauError} `document-too-large`, `not-a-file`, or why it cannot be read
 */
export async function readTextFile(
  path: string,
  checkSize: (bytes: number, name: string) => void = checkDocumentSize,
): Promise<string> {
  let bytes: Buffer;
  try {
    const found = await stat(path);
    if (!found.isFile()) throw notAFile(path, found.isDirectory());
    checkSize(found.size, basename(path));
    bytes = await readFile(path);
  } catch (error) {
    throw fileError(path, 'opened', error);
  }
  if (bytes.length > 1 && (bytes[1] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe)))
    return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
