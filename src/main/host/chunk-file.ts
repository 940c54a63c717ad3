/**
 * A recording on disk with its newest rows in shared memory.
 *
 * The file is a plain sequence of chunks, each `columns · rowsPerChunk` little-endian float64 values,
 * column-major inside the chunk. A chunk is written once, when it is full; the chunk being filled is read
 * from the ring buffer.
 */
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { MoreauError } from '@contract/errors';
import type { ChunkLayout, ChunkSink, ChunkSource } from '@engine/recording/chunks';
import { failureReason, isDiskFull } from '../files/file-errors';
import { columnChecksum, cutIndex, indexPath, readIndexEntry, writeIndexEntry } from './chunk-index';
import { COUNTER, MAX_ROWS, RING_CHUNKS } from './counters';
import { OpenFiles } from './open-files';

/** The ring of a recording: `RING_CHUNKS` buffers of one chunk each. */
export type ChunkRing = SharedArrayBuffer[];

const BYTES = Float64Array.BYTES_PER_ELEMENT;
const chunkValues = (layout: ChunkLayout): number => layout.columns * layout.rowsPerChunk;

function recordingFailed(path: string | null, cause: unknown): MoreauError {
  return new MoreauError({
    code: isDiskFull(cause) ? 'disk-full' : 'recording-failed',
    message: `The recording could not be written to ${path ?? 'memory'}: ${failureReason(cause)}.`,
    ...(path !== null && { where: path }),
    remedy: 'Free space on that disk, record fewer signals, or record only every n-th step.',
  });
}

/** Writes all bytes: `writeSync` may stop short on a nearly full disk. */
function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.byteLength)
    done += writeSync(fd, bytes, done, bytes.byteLength - done, position + done);
}

/** @throws {Error} when the file cannot be opened, or what the action throws */
function whileOpen(path: string, action: (fd: number) => void): void {
  const fd = openSync(path, 'r+');
  try {
    action(fd);
  } finally {
    closeSync(fd);
  }
}

/** @throws {Error} when the file ends before */
function readFully(fd: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.byteLength) {
    const count = readSync(fd, bytes, done, bytes.byteLength - done, position + done);
    if (count === 0) throw new Error('the file has been cut short');
    done += count;
  }
}

/**
 * The recorder's side: hands out the ring's buffers in turn and writes each full chunk to the file. Used in
 * the run worker.
 */
export class FileChunkSink implements ChunkSink {
  readonly #path: string | null;
  readonly #counters: Int32Array<SharedArrayBuffer>;
  readonly #onOpen: (layout: ChunkLayout, ring: ChunkRing) => void;
  #fd = -1;
  #index = -1;
  #layout: ChunkLayout = { columns: 1, rowsPerChunk: 1 };
  #chunkBytes = 0;
  #ring: Float64Array<SharedArrayBuffer>[] = [];
  #failure: MoreauError | null = null;

  /**
   * @param path file to create; it must not exist. Null: nothing is written, and the last rows are those of
   *   the ring
   * @param counters shared with the readers
   * @param onOpen told the layout and the ring once both are known
   */
  constructor(
    path: string | null,
    counters: Int32Array<SharedArrayBuffer>,
    onOpen: (layout: ChunkLayout, ring: ChunkRing) => void,
  ) {
    this.#path = path;
    this.#counters = counters;
    this.#onOpen = onOpen;
  }

  /** Why recording stopped. The caller may have taken the throw for a failure of the model. */
  get failure(): MoreauError | null {
    return this.#failure;
  }

  /** @throws {MoreauError} `recording-failed` when the file cannot be created */
  open(layout: ChunkLayout): Float64Array {
    const path = this.#path;
    try {
      if (path !== null) {
        this.#fd = openSync(path, 'wx+', 0o600);
        this.#index = openSync(indexPath(path), 'wx', 0o600);
      }
    } catch (error) {
      throw this.#fail(recordingFailed(path, error));
    }
    this.#layout = layout;
    this.#chunkBytes = chunkValues(layout) * BYTES;
    const ring: ChunkRing = [];
    for (let i = 0; i < RING_CHUNKS; i++) ring.push(new SharedArrayBuffer(this.#chunkBytes));
    this.#ring = ring.map((buffer) => new Float64Array(buffer));
    Atomics.store(this.#counters, COUNTER.chunksBegun, 1);
    this.#onOpen(layout, ring);
    return this.#ring[0];
  }

  /** @throws {MoreauError} `recording-failed` when the disk does not take the chunk */
  next(index: number): Float64Array {
    const full = this.#ring[index % RING_CHUNKS];
    if (this.#path !== null) {
      try {
        writeFully(this.#fd, new Uint8Array(full.buffer), index * this.#chunkBytes);
        writeIndexEntry(this.#index, this.#layout, index, full, this.#layout.rowsPerChunk);
      } catch (error) {
        throw this.#fail(recordingFailed(this.#path, error));
      }
      Atomics.store(this.#counters, COUNTER.chunksOnDisk, index + 1);
    }
    // Announced before the first overwrite: a reader that copied from this buffer looks here afterwards.
    Atomics.store(this.#counters, COUNTER.chunksBegun, index + 2);
    return this.#ring[(index + 1) % RING_CHUNKS];
  }

  publish(rows: number): void {
    if (rows > MAX_ROWS) {
      const error = new MoreauError({
        code: 'recording-too-long',
        message: `The recording has reached ${MAX_ROWS} rows, the most it can hold.`,
        remedy: 'Record only every n-th step (simulation.recording.every), or shorten the run.',
      });
      throw this.#fail(error);
    }
    Atomics.store(this.#counters, COUNTER.rows, rows);
  }

  /** @throws {MoreauError} `recording-failed` when what was written cannot be read back */
  rewind(index: number, rows: number): Float64Array {
    const counters = this.#counters;
    const buffer = this.#ring[index % RING_CHUNKS];
    Atomics.add(counters, COUNTER.rewinds, 1);
    Atomics.store(counters, COUNTER.rows, rows);
    if (Atomics.load(counters, COUNTER.chunksOnDisk) > index) {
      try {
        readFully(this.#fd, new Uint8Array(buffer.buffer), index * this.#chunkBytes);
        // Rows that were taken back are not to be found there after a kill.
        cutIndex(this.#index, this.#layout, index);
        ftruncateSync(this.#fd, index * this.#chunkBytes);
      } catch (error) {
        throw this.#fail(recordingFailed(this.#path, error));
      }
    }
    Atomics.store(
      counters,
      COUNTER.chunksOnDisk,
      Math.min(index, Atomics.load(counters, COUNTER.chunksOnDisk)),
    );
    Atomics.store(counters, COUNTER.chunksBegun, index + 1);
    Atomics.add(counters, COUNTER.rewinds, 1);
    return buffer;
  }

  /** Releases the file. Nothing may be recorded afterwards. */
  close(): void {
    if (this.#fd >= 0) closeSync(this.#fd);
    if (this.#index >= 0) closeSync(this.#index);
    this.#fd = this.#index = -1;
  }

  #fail(error: MoreauError): MoreauError {
    this.#failure = error;
    return error;
  }
}

/** Column blocks kept by a source: enough for the signals of a dashboard at one place of a long run. */
const CACHED_BLOCKS = 32;

/**
 * For all recordings read by this thread: about the number that a dashboard of several runs shows, each with
 * its index.
 */
const files = new OpenFiles(32);

/**
 * The reader's side: full chunks from the file, the newest from shared memory. Never waits for the run worker
 * and does not need it alive.
 */
export class FileChunkSource implements ChunkSource {
  readonly layout: ChunkLayout;
  readonly #counters: Int32Array<SharedArrayBuffer>;
  readonly #path: string | null;
  #ring: Float64Array<SharedArrayBuffer>[];
  readonly #tail: Float64Array<ArrayBuffer>;
  /** least recently used first; only immutable (full) chunks are kept */
  readonly #cache = new Map<number, Float64Array<ArrayBuffer>>();
  #sealed: boolean;
  /** whether it is from an earlier session, whose chunks are checked against its index */
  readonly #isChecked: boolean;

  /**
   * @param path null: there are only the last rows, in the ring
   * @param ring empty for a recording that has been sealed
   * @param checked whether it is from an earlier session; what is damaged in it makes it shorter
   */
  constructor(
    path: string | null,
    layout: ChunkLayout,
    counters: Int32Array<SharedArrayBuffer>,
    ring: ChunkRing,
    checked = false,
  ) {
    this.layout = layout;
    this.#path = path;
    this.#isChecked = checked;
    this.#counters = counters;
    this.#ring = ring.map((buffer) => new Float64Array(buffer));
    this.#tail = new Float64Array(layout.rowsPerChunk);
    this.#sealed = ring.length === 0;
  }

  rows(): number {
    return Atomics.load(this.#counters, COUNTER.rows);
  }

  /** Changes when the recording gets shorter; what was kept of it before is then worth nothing. */
  get rewinds(): number {
    return Atomics.load(this.#counters, COUNTER.rewinds);
  }

  /** Forgets what is kept of the file. */
  forget(): void {
    this.#cache.clear();
  }

  column(chunk: number, column: number): Float64Array {
    const key = chunk * this.layout.columns + column;
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      this.#cache.delete(key);
      this.#cache.set(key, cached);
      return cached;
    }
    const onDisk = this.#sealed || chunk < Atomics.load(this.#counters, COUNTER.chunksOnDisk);
    if (onDisk) return this.#fromFile(chunk, column, key);
    const { rowsPerChunk } = this.layout;
    const shared = this.#ring[chunk % RING_CHUNKS];
    this.#tail.set(shared.subarray(column * rowsPerChunk, (column + 1) * rowsPerChunk));
    // The buffer is reused for chunk + RING_CHUNKS. Had that begun, the copy may be mixed, and the chunk is
    // on disk.
    if (Atomics.load(this.#counters, COUNTER.chunksBegun) <= chunk + RING_CHUNKS) return this.#tail;
    return this.#fromFile(chunk, column, key);
  }

  /**
   * The run has ended: writes the chunk that was being filled to the file and lets the shared memory go.
   * @throws {Error} when the disk does not take the chunk; the shared memory is then kept and stays readable
   */
  seal(): void {
    const path = this.#path;
    if (this.#sealed || path === null) return;
    const onDisk = Atomics.load(this.#counters, COUNTER.chunksOnDisk);
    const chunks = Math.ceil(this.rows() / this.layout.rowsPerChunk);
    if (chunks > onDisk) {
      // At most one: a chunk is on disk before the next is begun.
      const values = this.#ring[onDisk % RING_CHUNKS];
      const bytes = new Uint8Array(values.buffer);
      const rows = this.rows() - onDisk * this.layout.rowsPerChunk;
      whileOpen(path, (fd) => writeFully(fd, bytes, onDisk * bytes.byteLength));
      whileOpen(indexPath(path), (fd) => writeIndexEntry(fd, this.layout, onDisk, values, rows));
    }
    this.#sealed = true;
    this.#ring = [];
  }

  close(): void {
    if (this.#path !== null) {
      files.close(this.#path);
      files.close(indexPath(this.#path));
    }
    this.#cache.clear();
  }

  #fromFile(chunk: number, column: number, key: number): Float64Array {
    const path = this.#path;
    if (path === null) throw notKept(chunk * this.layout.rowsPerChunk);
    const { columns, rowsPerChunk } = this.layout;
    const block = new Float64Array(rowsPerChunk);
    const bytes = new Uint8Array(block.buffer);
    const position = (chunk * columns + column) * rowsPerChunk * BYTES;
    const fd = files.descriptor(path);
    let done = 0;
    while (done < bytes.byteLength) {
      const count = readSync(fd, bytes, done, bytes.byteLength - done, position + done);
      if (count === 0) throw this.#damaged(path, chunk, position + done, 'ends there');
      done += count;
    }
    if (this.#isChecked) {
      const entry = readIndexEntry(files.descriptor(indexPath(path)), this.layout, chunk);
      if (entry?.checksums[column] !== columnChecksum(block))
        throw this.#damaged(path, chunk, position, 'is not what was written');
    }
    if (this.#cache.size >= CACHED_BLOCKS) {
      const oldest = this.#cache.keys().next();
      if (!oldest.done) this.#cache.delete(oldest.value);
    }
    this.#cache.set(key, block);
    return block;
  }

  /**
   * A recording of an earlier session then ends before that chunk, as a run that went back; the file stays as
   * it is.
   */
  #damaged(path: string, chunk: number, position: number, what: string): MoreauError {
    if (this.#isChecked) {
      const rows = Math.min(this.rows(), chunk * this.layout.rowsPerChunk);
      Atomics.store(this.#counters, COUNTER.rows, rows);
      Atomics.add(this.#counters, COUNTER.rewinds, 2);
    }
    return new MoreauError({
      code: 'recording-damaged',
      message: `The recording ${path} ${what}: chunk ${chunk}, byte ${position}.`,
      where: path,
      remedy: 'Run the model again; another program changed the file.',
    });
  }
}

const notKept = (row: number): MoreauError =>
  new MoreauError({
    code: 'not-recorded',
    message: `Row ${row} was not recorded: this run keeps only its last rows.`,
    remedy: 'Run the model again and record all rows.',
  });
