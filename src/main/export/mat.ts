/**
 * MAT, version 5 (The MathWorks, MAT-File Format): one column of double for each signal under a name that
 * MATLAB allows; the cell arrays `signal_variables`, `signal_names` and `signal_units`, and `provenance`,
 * JSON as text. Sizes of the format are 32-bit: what is longer is refused.
 */
import { MoreauError } from '@contract/errors';
import { blocksOf, type TableSource } from './table-source';
import type { TableFormat } from './table-format';

const [INT8, INT32, UINT32, DOUBLE, MATRIX, UTF16] = [1, 5, 6, 9, 14, 17];
const [CLASS_CELL, CLASS_CHAR, CLASS_DOUBLE] = [1, 4, 6];
/** Most bytes of an element, as its readers take sizes for signed numbers. */
const MOST_BYTES = 2 ** 31 - 1;
/** Longest name of a variable. */
const MOST_CHARACTERS = 63;
const HEADER = 116;

const padding = (length: number): number => (8 - (length % 8)) % 8;

function tag(type: number, length: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(length, 4);
  return head;
}

function element(type: number, body: Buffer): Buffer {
  return Buffer.concat([tag(type, body.length), body, Buffer.alloc(padding(body.length))]);
}

function numbers(type: number, ...values: number[]): Buffer {
  const body = Buffer.alloc(4 * values.length);
  values.forEach((value, k) => body.writeUInt32LE(value, 4 * k));
  return element(type, body);
}

/** Flags, dimensions and name of a matrix. */
const matrixHead = (kind: number, rows: number, columns: number, name: string): Buffer =>
  Buffer.concat([
    numbers(UINT32, kind, 0),
    numbers(INT32, rows, columns),
    element(INT8, Buffer.from(name, 'latin1')),
  ]);

function textMatrix(name: string, text: string): Buffer {
  const body = Buffer.alloc(2 * text.length);
  for (let i = 0; i < text.length; i++) body.writeUInt16LE(text.charCodeAt(i), 2 * i);
  return element(
    MATRIX,
    Buffer.concat([
      matrixHead(CLASS_CHAR, text.length === 0 ? 0 : 1, text.length, name),
      element(UTF16, body),
    ]),
  );
}

const cells = (name: string, texts: readonly string[]): Buffer =>
  element(
    MATRIX,
    Buffer.concat([
      matrixHead(CLASS_CELL, texts.length, 1, name),
      ...texts.map((text) => textMatrix('', text)),
    ]),
  );

/** Names that MATLAB allows, each once: `ball.q[0]` becomes `ball_q_0`. */
export function matlabNames(names: readonly string[]): string[] {
  const taken = new Set<string>(['signal_variables', 'signal_names', 'signal_units', 'provenance']);
  return names.map((name) => {
    const plain = name.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '');
    const base = (/^[A-Za-z]/.test(plain) ? plain : `s_${plain}`).slice(0, MOST_CHARACTERS);
    let unique = base;
    for (let k = 2; taken.has(unique); k++) unique = `${base.slice(0, MOST_CHARACTERS - 8)}_${k}`;
    taken.add(unique);
    return unique;
  });
}

function fileHeader(): Buffer {
  const head = Buffer.alloc(128, ' ');
  head.write('MATLAB 5.0 MAT-file, written by Moreau'.padEnd(HEADER), 0, 'latin1');
  head.fill(0, HEADER, 124);
  head.writeUInt16LE(0x0100, 124);
  head.write('IM', 126, 'latin1');
  return head;
}

function tooLong({ rows }: TableSource): MoreauError {
  return new MoreauError({
    code: 'table-too-long',
    message: `A MAT file holds at most ${Math.floor(MOST_BYTES / 8)} values of a signal; there are ${rows} rows.`,
    remedy: 'Export to HDF5 (.h5), which MATLAB reads with h5read, or only every n-th row.',
  });
}

export const matFormat: TableFormat = {
  extension: '.mat',
  title: 'MATLAB, version 5',
  help: 'One column per signal, plus names and units. For MATLAB, Octave, scipy.io.loadmat.',
  async write(source, file, advance) {
    const { columns, rows, provenance } = source;
    const length = rows * Float64Array.BYTES_PER_ELEMENT;
    if (length > MOST_BYTES - 2 ** 10) throw tooLong(source);
    const variables = matlabNames(columns.map(({ name }) => name));
    await file.write(fileHeader());
    await file.write(cells('signal_variables', variables));
    await file.write(
      cells(
        'signal_names',
        columns.map(({ name }) => name),
      ),
    );
    await file.write(
      cells(
        'signal_units',
        columns.map(({ unit }) => unit),
      ),
    );
    await file.write(textMatrix('provenance', JSON.stringify(provenance)));
    for (const [k, name] of variables.entries()) {
      const head = matrixHead(CLASS_DOUBLE, rows, 1, name);
      // Doubles need no padding.
      await file.write(Buffer.concat([tag(MATRIX, head.length + 8 + length), head, tag(DOUBLE, length)]));
      for await (const [values] of blocksOf(source, [k])) {
        await file.write(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
        advance(values.length);
      }
    }
  },
};
