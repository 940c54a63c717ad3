/** The order of elimination of a problem whose rows come and go. */
import { describe, expect, it } from 'vitest';
import { type SparseRows, sparseFromPattern } from '@engine/linalg/sparse';
import { reverseCuthillMcKee } from '@engine/linalg/ordering';
import { extendOrder } from '@engine/time-stepping/delassus';
import { type Random, seeded } from '../support/random';

/** Symmetric pattern with a full diagonal. */
function symmetric(size: number, links: readonly (readonly [number, number])[]): SparseRows {
  const rows = Array.from({ length: size }, (_, i) => new Set([i]));
  for (const [a, b] of links) {
    rows[a].add(b);
    rows[b].add(a);
  }
  return sparseFromPattern(rows.map((row) => [...row].sort((a, b) => a - b)));
}

const chain = (size: number): SparseRows =>
  symmetric(
    size,
    Array.from({ length: size - 1 }, (_, k) => [k, k + 1] as const),
  );

const randomPattern = (random: Random, size: number): SparseRows =>
  symmetric(
    size,
    Array.from(
      { length: 2 * size },
      () => [random.integer(0, size - 1), random.integer(0, size - 1)] as const,
    ),
  );

/** Entries from the first of each row to its diagonal: what a factor in this order holds. */
function envelope({ rowStart, columns }: SparseRows, order: Int32Array): number {
  const place = new Map([...order].map((row, k) => [row, k]));
  return [...order].reduce((sum, row, k) => {
    const neighbours = [...columns.slice(rowStart[row], rowStart[row + 1])];
    return sum + k + 1 - Math.min(...neighbours.map((other) => place.get(other) ?? k));
  }, 0);
}

describe('the order of elimination', () => {
  it('puts a new row behind the last of its neighbours', () => {
    // Rows 0 … 3 form a chain; row 4 is new and touches 1 and 2, row 5 touches only row 4, row 6 nothing.
    const pattern = symmetric(7, [
      [0, 1],
      [1, 2],
      [2, 3],
      [1, 4],
      [2, 4],
      [4, 5],
    ]);
    expect([...extendOrder(pattern, Int32Array.of(3, 2, 1, 0))]).toEqual([6, 3, 2, 1, 4, 5, 0]);
  });

  it('is the present one when nothing is new', () => {
    const kept = Int32Array.of(0, 1, 2, 3);
    expect([...extendOrder(chain(4), kept)]).toEqual([0, 1, 2, 3]);
  });

  it('starts over when the factor has become much larger than it needs to be', () => {
    const random = seeded(5);
    const shuffled = Int32Array.from(random.sample(200, 200));
    const pattern = chain(200);
    expect([...extendOrder(pattern, shuffled)]).toEqual([...reverseCuthillMcKee(pattern)]);
  });

  it('holds every row once, and a factor at most twice that of a new order, in random problems', () => {
    let kept = 0;
    for (let seed = 0; seed < 200; seed++) {
      const random = seeded(seed);
      const size = random.integer(1, 40);
      const pattern = randomPattern(random, size);
      const fresh = reverseCuthillMcKee(pattern);
      // As if the other rows were new.
      const before = fresh.filter(() => random.chance(0.8));
      const order = extendOrder(pattern, before);
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, i) => i));
      expect(envelope(pattern, order)).toBeLessThanOrEqual(2 * envelope(pattern, fresh));
      const isKept = new Set(before);
      if ([...order].filter((row) => isKept.has(row)).join() === before.join()) kept++;
    }
    // Starting over is the exception.
    expect(kept).toBeGreaterThan(190);
  });
});
