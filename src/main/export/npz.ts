/**
 * NPZ: a zip archive, not compressed, with one array of float64 for each signal under its name; `_names`,
 * `_units` and `_provenance` (JSON) are arrays of text. `numpy.load` reads it without pickling. Archives
 * beyond 4 GiB are zip64.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { blocksOf, type TableSource } from './table-source';
import type { TableFormat } from './table-format';

/** Total of magic, version, length and header is a multiple of it. */
const ALIGNMENT = 64;
const PREAMBLE = 10;
/** Same table, same bytes: an archive has no time of its own. */
const MTIME = new Date(1980, 0, 1);

/** Header of an array, version 1.0 of the format. */
function npyHeader(type: string, shape: readonly number[]): Buffer {
  const sides = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const words = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sides}), }`;
  const room = Math.ceil((PREAMBLE + words.length + 1) / ALIGNMENT) * ALIGNMENT - PREAMBLE;
  const head = Buffer.alloc(PREAMBLE);
  head.write('\x93NUMPY', 0, 'latin1');
  head[6] = 1;
  head.writeUInt16LE(room, 8);
  return Buffer.concat([head, Buffer.from(`${words.padEnd(room - 1)}\n`, 'latin1')]);
}

/** Texts as numpy keeps them: four bytes a character, all as long as the longest. */
function npyTexts(texts: readonly string[]): Buffer {
  const characters = texts.map((text) => Array.from(text));
  const length = Math.max(1, ...characters.map((one) => one.length));
  const body = Buffer.alloc(4 * length * texts.length);
  characters.forEach((one, k) =>
    one.forEach((character, i) => body.writeUInt32LE(character.codePointAt(0) ?? 0, 4 * (k * length + i))),
  );
  return Buffer.concat([npyHeader(`<U${length}`, [texts.length]), body]);
}

async function* columnBytes(
  source: TableSource,
  column: number,
  advance: (values: number) => void,
): AsyncGenerator<Uint8Array> {
  yield npyHeader('<f8', [source.rows]);
  for await (const [values] of blocksOf(source, [column])) {
    advance(values.length);
    yield new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  }
}

export const npzFormat: TableFormat = {
  extension: '.npz',
  title: 'NumPy arrays',
  help: 'One array per signal, plus _names, _units and _provenance. For numpy.load.',
  async write(source, file, advance) {
    const { columns, rows, provenance } = source;
    const zip = new ZipFile();
    const options = { compress: false, mtime: MTIME, mode: 0o100644 };
    const texts: [string, readonly string[]][] = [
      ['_names', columns.map(({ name }) => name)],
      ['_units', columns.map(({ unit }) => unit)],
      ['_provenance', [JSON.stringify(provenance)]],
    ];
    for (const [name, content] of texts) zip.addBuffer(npyTexts(content), `${name}.npy`, options);
    const ended = new AbortController();
    let failure: unknown = null;
    // A column that cannot be read ends the archive.
    const fail = (error: unknown): void => {
      failure ??= error;
      ended.abort();
    };
    zip.on('error', fail);
    columns.forEach(({ name }, k) => {
      const size = npyHeader('<f8', [rows]).length + rows * Float64Array.BYTES_PER_ELEMENT;
      // Read when its turn comes, one after the other. A colon or a slash means something to those who
      // unpack.
      zip.addReadStreamLazy(`${name.replaceAll(/[/\\:]/g, '_')}.npy`, { ...options, size }, (give) => {
        const stream = Readable.from(columnBytes(source, k, advance), { objectMode: false });
        stream.on('error', fail);
        give(null, stream);
      });
    });
    zip.end();
    const write = async (pieces: AsyncIterable<string | Buffer>): Promise<void> => {
      for await (const piece of pieces) await file.write(piece);
    };
    try {
      await pipeline(zip.outputStream, write, { signal: ended.signal });
    } catch (error) {
      throw failure ?? error;
    }
  },
};
