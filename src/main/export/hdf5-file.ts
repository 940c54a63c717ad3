/**
 * Files that the HDF5 library writes. It writes to the disk itself, so that only a block of a table at a time
 * is in memory.
 */
import type { Dataset, File, FileOptions } from 'h5wasm/node';
import { MoreauError } from '@contract/errors';
import type { TableFile } from './table-format';
import { allColumns, blocksOf, type TableSource } from './table-source';

/** Rows of a chunk of a dataset. */
const CHUNK = 16_384;
/** Blocks between two flushes: what the library holds back is bounded. */
const FLUSH_EVERY = 16;

/** Bytes that a disk with space takes. */
const PROBE = 65_536;

/** A slash would begin a group. */
export const datasetName = (name: string): string => name.replaceAll('/', '∕');

/**
 * Opens the file, has it filled, and closes it.
 * @param title of the format, for messages
 * @throws {MoreauError} what `fill` throws of this kind; else `export-failed`, or what the disk says
 */
export async function writeHdf5(
  file: TableFile,
  title: string,
  options: FileOptions,
  fill: (out: File) => Promise<void>,
): Promise<void> {
  // Loaded when it is wanted: it is a library of several mebibytes.
  const { default: hdf5 } = await import('h5wasm/node');
  await hdf5.ready;
  const out = new hdf5.File(file.temporary, 'w', options);
  let isOpen = true;
  try {
    await fill(out);
    out.flush();
    isOpen = false;
    // Closing is where a full disk shows.
    if (out.close() < 0) throw new Error('it could not be completed');
  } catch (error) {
    if (isOpen) out.close();
    if (error instanceof MoreauError) throw error;
    // The library does not say why the disk has refused: the disk does.
    await file.write(new Uint8Array(PROBE));
    throw new MoreauError({
      code: 'export-failed',
      message: `The ${title} file could not be written: ${error instanceof Error ? error.message : String(error)}.`,
      remedy: 'Free space on that disk, or choose another folder.',
    });
  }
}

/** A dataset of float64 in chunks, `rows` long, still without values. */
export function createColumn(out: File, name: string, rows: number): Dataset {
  const dataset = out.create_dataset({
    name,
    data: new Float64Array(0),
    shape: [0],
    maxshape: [null],
    chunks: [Math.max(1, Math.min(CHUNK, rows))],
    dtype: '<d',
  });
  dataset.resize([rows]);
  return dataset;
}

/** Writes the rows of the table block by block. @param datasets of its columns, in their order */
export async function fillColumns(
  out: File,
  datasets: readonly Dataset[],
  source: TableSource,
  advance: (values: number) => void,
): Promise<void> {
  let firstRow = 0;
  let blocks = 0;
  for await (const block of blocksOf(source, allColumns(source))) {
    const count = block[0]?.length ?? 0;
    block.forEach((values, k) => datasets[k].write_slice([[firstRow, firstRow + count]], values));
    firstRow += count;
    if (++blocks % FLUSH_EVERY === 0) out.flush();
    advance(count * block.length);
  }
}
