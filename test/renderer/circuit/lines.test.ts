/** Wires laid by hand: stretches move across themselves, and lines follow the pins at their ends. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Point } from '@figures/circuit/geometry';
import { carriedLines, stretchAt, withShifted } from '@figures/circuit/lines';
import { drawnWire } from '@figures/circuit/wires';

const areRight = (lines: readonly (readonly Point[])[]): boolean =>
  lines.every((line) =>
    line.every((point, i) => i === 0 || line[i - 1]?.x === point.x || line[i - 1]?.y === point.y),
  );

const PINS = new Map([
  ['R1.a', { x: 0, y: 0 }],
  ['R2.a', { x: 100, y: 60 }],
  ['R3.a', { x: 60, y: 100 }],
]);
/** A tree: from the first pin to the second, and a branch down to the third. */
const LINES = [
  [
    { x: 0, y: 0 },
    { x: 60, y: 0 },
    { x: 60, y: 60 },
    { x: 100, y: 60 },
  ],
  [
    { x: 60, y: 100 },
    { x: 60, y: 60 },
  ],
];
const wire = drawnWire('out', LINES, PINS);
const isReached = (lines: readonly (readonly Point[])[], pin: Point | undefined): boolean =>
  lines.some((line) => [line[0], line.at(-1)].some((end) => end?.x === pin?.x && end?.y === pin?.y));

describe('a wire laid by hand', () => {
  it('has a corner more where a stretch at a pin is moved', () => {
    const stretch = stretchAt(wire, 0, { x: 30, y: 2 });
    expect(stretch).toEqual({ branch: 0, at: 0, isLevel: true });
    expect(withShifted(wire, stretch!, 21)[0]).toEqual([
      { x: 0, y: 0 },
      { x: 0, y: 20 },
      { x: 60, y: 20 },
      { x: 60, y: 60 },
    ]);
  });

  const places = fc.record({
    branch: fc.nat(2),
    x: fc.integer({ min: 0, max: 100 }),
    by: fc.integer({ min: -90, max: 90 }),
  });

  it('keeps its pins, its connections and its right angles, however it is moved', () => {
    fc.assert(
      fc.property(fc.array(places, { maxLength: 6 }), (moves) => {
        let now = wire;
        for (const { branch, x, by } of moves) {
          const stretch = stretchAt(now, branch % now.branches.length, { x, y: x });
          if (stretch !== null) now = drawnWire('out', withShifted(now, stretch, by), PINS);
        }
        expect(areRight(now.lines)).toBe(true);
        for (const pin of PINS.values()) expect(isReached(now.lines, pin)).toBe(true);
        // One piece: without a stretch its pins are on two sides, and none is lost.
        for (const { sides } of now.branches) expect(new Set(sides.flat())).toEqual(new Set(PINS.keys()));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('follows its pins', () => {
    const by = fc.record({ x: fc.integer({ min: -5, max: 5 }), y: fc.integer({ min: -5, max: 5 }) });
    fc.assert(
      fc.property(fc.array(by, { minLength: 3, maxLength: 3 }), (offsets) => {
        const moves = [...PINS.values()].map((from, k) => ({
          from,
          by: { x: 20 * (offsets[k]?.x ?? 0), y: 20 * (offsets[k]?.y ?? 0) },
        }));
        const lines = carriedLines(
          wire.branches.map(({ points }) => points),
          moves,
        );
        expect(areRight(lines)).toBe(true);
        for (const { from, by: d } of moves)
          expect(isReached(lines, { x: from.x + d.x, y: from.y + d.y })).toBe(true);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
