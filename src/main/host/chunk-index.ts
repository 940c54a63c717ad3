/**
 * What lies beside a recording on disk and says which of its chunks are whole: for each chunk its number of
 * rows and a checksum of each column. An entry is written after its chunk, so that after a kill at any
 * instant what has an entry is there, and a bit that has changed since is noticed where it is read.
 */
import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { ChunkLayout } from '@engine/recording/chunks';

/** Rows, one checksum a column, and one of the entry itself. */
const valuesOf = (layout: ChunkLayout): number => layout.columns + 2;
const bytesOf = (layout: ChunkLayout): number => valuesOf(layout) * Uint32Array.BYTES_PER_ELEMENT;

export const indexPath = (recording: string): string => `${recording}.index`;

/** Checksum of one column of a chunk. */
export const columnChecksum = (column: Float64Array): number =>
  crc32(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));

const ownChecksum = (entry: Uint32Array<ArrayBuffer>): number =>
  crc32(new Uint8Array(entry.buffer, 0, entry.byteLength - Uint32Array.BYTES_PER_ELEMENT));

/** Writes the entry of a chunk. @param chunk its values, column-major */
export function writeIndexEntry(
  fd: number,
  layout: ChunkLayout,
  index: number,
  chunk: Float64Array,
  rows: number,
): void {
  const { columns, rowsPerChunk } = layout;
  const entry = new Uint32Array(valuesOf(layout));
  entry[0] = rows;
  for (let c = 0; c < columns; c++)
    entry[1 + c] = columnChecksum(chunk.subarray(c * rowsPerChunk, (c + 1) * rowsPerChunk));
  entry[columns + 1] = ownChecksum(entry);
  const bytes = new Uint8Array(entry.buffer);
  let done = 0;
  while (done < bytes.byteLength)
    done += writeSync(fd, bytes, done, bytes.byteLength - done, index * bytes.byteLength + done);
}

/** Forgets the entries from a chunk on. */
export const cutIndex = (fd: number, layout: ChunkLayout, index: number): void =>
  ftruncateSync(fd, index * bytesOf(layout));

/** The entry of a chunk; null where there is none that is whole. */
export function readIndexEntry(
  fd: number,
  layout: ChunkLayout,
  index: number,
): { rows: number; checksums: Uint32Array } | null {
  const entry = new Uint32Array(valuesOf(layout));
  const bytes = new Uint8Array(entry.buffer);
  let done = 0;
  while (done < bytes.byteLength) {
    const count = readSync(fd, bytes, done, bytes.byteLength - done, index * bytes.byteLength + done);
    if (count === 0) return null;
    done += count;
  }
  if (entry[layout.columns + 1] !== ownChecksum(entry) || entry[0] > layout.rowsPerChunk) return null;
  return { rows: entry[0], checksums: entry.subarray(1, 1 + layout.columns) };
}

/** Chunks and rows that are there whole, by the index and the size of the recording. */
export function wholeChunks(
  fd: number,
  layout: ChunkLayout,
  recordingBytes: number,
): { chunks: number; rows: number } {
  const chunkBytes = layout.columns * layout.rowsPerChunk * Float64Array.BYTES_PER_ELEMENT;
  const entries = Math.floor(fstatSync(fd).size / bytesOf(layout));
  let chunks = Math.min(entries, Math.floor(recordingBytes / chunkBytes));
  for (; chunks > 0; chunks--) {
    const last = readIndexEntry(fd, layout, chunks - 1);
    if (last !== null) return { chunks, rows: (chunks - 1) * layout.rowsPerChunk + last.rows };
  }
  return { chunks: 0, rows: 0 };
}
