/** Writes a run's recording to a data file. */
import type { Dispatcher, RunInfo } from '@contract/methods';
import { AtomicFile } from '../files/atomic';
import { formatOf } from './registry';
import { TextBuffer } from './text-buffer';

/** Values fetched at once, whatever the number of signals. */
const BLOCK_VALUES = 2 ** 13;
/** Bytes of the text buffer at first: about a block. */
const TEXT_BYTES = 2 ** 18;

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
 * Writes all recorded rows of all signals, block by block. The file appears complete or not at all.
 * @returns rows written
 * @throws {MoreauError} `unknown-format`, or why it cannot be read or written
 */
export async function exportRun(dispatcher: Dispatcher, run: RunInfo, path: string): Promise<number> {
  const { signals, runId } = run;
  const writer = formatOf(path).create(run, signals);
  const names = signals.map((signal) => signal.name);
  const count = Math.max(1, Math.floor(BLOCK_VALUES / Math.max(1, names.length)));
  const file = await AtomicFile.create(path, { backup: false });
  try {
    const out = new TextBuffer(TEXT_BYTES);
    writer.begin(out);
    await file.write(out.take());
    let firstRow = 0;
    while (firstRow < run.statistics.rows) {
      const block = await dispatcher.dispatch('run.rows', { runId, signals: names, firstRow, count });
      const got = block.columns[0]?.length ?? 0;
      if (got === 0) break;
      writer.rows(block.columns, out);
      await file.write(out.take());
      firstRow += got;
    }
    writer.end(out);
    await file.write(out.take());
    await file.commit();
    return firstRow;
  } catch (error) {
    await file.abort();
    throw error;
  }
}
