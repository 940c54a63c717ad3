/** Writes a table to a data file. */
import { AtomicFile } from '../files/atomic';
import { formatOf } from './registry';
import type { FormatOptions } from './table-format';
import type { TableSource } from './table-source';

/**
 * Finds out whether a file can be written there, before a computation is spent on it. Nothing stays behind.
 * @throws {MoreauError} `unknown-format`, `folder-missing`, `file-is-folder`, or why it cannot be written
 */
export async function checkExportPlace(path: string): Promise<void> {
  formatOf(path);
  const file = await AtomicFile.create(path, { backup: false });
  await file.abort();
}

/**
 * The file appears complete or not at all.
 * @param onProgress part that has been written, from 0 to 1; what it throws ends the export
 * @throws {MoreauError} `unknown-format`, or why it cannot be read or written
 */
export async function exportTable(
  source: TableSource,
  path: string,
  onProgress: (part: number) => void = () => undefined,
  options: FormatOptions = {},
): Promise<void> {
  const format = formatOf(path);
  const file = await AtomicFile.create(path, { backup: false });
  const total = Math.max(1, source.rows * source.columns.length);
  let done = 0;
  try {
    const advance = (values: number): void => {
      done += values;
      onProgress(done / total);
    };
    await format.write(source, file, advance, options);
  } catch (error) {
    await file.abort();
    throw error;
  }
  await file.commit();
}
