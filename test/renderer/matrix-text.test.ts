/** Matrices as text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SparseMatrixValue } from '@engine/document/types';
import { parseMatrix, toDense, toSparse, writeMatrix } from '@renderer/document/matrix-text';

const expression = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.constantFrom('k', '2*m', 'max(a, b)', '-k/2'),
);
const dense = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
  .chain(([rows, columns]) =>
    fc.array(fc.array(expression, { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
  );

describe('the text of a matrix', () => {
  it('gives the matrix back in either form', () => {
    fc.assert(
      fc.property(dense, (matrix) => {
        const columns = matrix[0]?.length ?? 0;
        expect(parseMatrix(writeMatrix(matrix, 'rows', columns), 'rows')).toEqual({
          ok: true,
          value: matrix,
        });
        const sparse = toSparse(matrix);
        expect(parseMatrix(writeMatrix(matrix, 'entries', columns), 'entries')).toEqual({
          ok: true,
          value: sparse,
        });
        expect(toDense(sparse, columns)).toEqual(matrix);
      }),
      { seed: 1 },
    );
  });

  it.each([
    ['commas', '1, 2\n3, 4'],
    ['tabs of a spreadsheet', '1\t2\n3\t4\n'],
    ['semicolons', '1; 2\n3; 4'],
    ['blanks', '1 2\n3  4'],
    ['JSON', '[[1, 2], [3, 4]]'],
  ])('is understood with %s', (_, source) => {
    expect(parseMatrix(source, 'rows')).toEqual({
      ok: true,
      value: [
        [1, 2],
        [3, 4],
      ],
    });
  });

  it('takes the sparse form of a document', () => {
    const value: SparseMatrixValue = {
      rows: 5,
      entries: [
        [0, 0, 1],
        [4, 2, 'k'],
      ],
    };
    expect(parseMatrix(JSON.stringify(value), 'rows')).toEqual({ ok: true, value });
  });

  it.each([
    ['[[1, 2', 'json', 1],
    ['1, 2\n\n3', 'lengths', 3],
    ['1, 2\n3, ', 'entry', 2],
    ['', 'empty', 1],
    ['{"entries": [[0, -1, 2]]}', 'entry', 1],
  ] as const)('%j is refused: %s in line %i', (source, reason, line) => {
    expect(parseMatrix(source, 'rows')).toEqual({ ok: false, reason, line });
  });

  it.each([
    ['0, 1', 1],
    ['0, 0, 1\nx, 0, 2', 2],
    ['0, 1.5, 2', 1],
  ])('%j is no list of entries', (source, line) => {
    expect(parseMatrix(source, 'entries')).toEqual({ ok: false, reason: 'entry', line });
  });

  it('adds entries of one place, as the engine does', () => {
    expect(
      toDense({
        entries: [
          [0, 0, 1],
          [0, 0, 2],
          [0, 1, 'k'],
          [0, 1, 3],
        ],
      }),
    ).toEqual([[3, 'k + 3']]);
  });
});
