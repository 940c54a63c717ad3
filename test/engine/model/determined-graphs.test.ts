/** Whether a matrix D says λ on graphs, against an enumeration of the points of random ones. */
import { describe, expect, it } from 'vitest';
import type { PiecewiseLinearGraph } from '@engine/model/forms';
import { determination } from '@engine/model/laws/determined-graphs';
import { directions } from '@engine/model/laws/piecewise-linear';
import { seeded } from '../support/random';

/** Points with y = q + D λ, as pairs of places (y, λ) on the graphs, of one or two rows. */
function pointsOf(
  D: readonly number[][],
  q: readonly number[],
  graphs: readonly PiecewiseLinearGraph[],
): string[] {
  const pieces = graphs.map((graph) =>
    directions(graph).map((direction, k, all) => {
      const at = Math.max(0, k - 1);
      const isFirst = k === 0;
      return {
        direction: isFirst ? direction.map((x) => -x) : direction,
        from: [graph.y[at], graph.lambda[at]],
        to: isFirst || k === all.length - 1 ? Infinity : 1,
      };
    }),
  );
  const found = new Set<string>();
  const visit = (chosen: (typeof pieces)[number]): void => {
    const r = chosen.length;
    if (r < graphs.length) {
      for (const piece of pieces[r]) visit([...chosen, piece]);
      return;
    }
    // Σ (dy_s δ_rs − D_rs dλ_s) τ_s = q_r + Σ D_rs λ_s − y_r.
    const M = D.map((row, i) =>
      row.map((d, s) => (i === s ? chosen[s].direction[0] : 0) - d * chosen[s].direction[1]),
    );
    const b = D.map((row, i) =>
      row.reduce((sum, d, s) => sum + d * chosen[s].from[1], q[i] - chosen[i].from[0]),
    );
    const det = r === 1 ? M[0][0] : M[0][0] * M[1][1] - M[0][1] * M[1][0];
    if (Math.abs(det) < 1e-12) return;
    const tau =
      r === 1
        ? [b[0] / det]
        : [(b[0] * M[1][1] - b[1] * M[0][1]) / det, (b[1] * M[0][0] - b[0] * M[1][0]) / det];
    if (tau.some((t, s) => t < -1e-9 || t > chosen[s].to + 1e-9)) return;
    found.add(
      chosen
        .map(({ from, direction }, s) =>
          from.map((x, i) => (x + tau[s] * direction[i] + 1e-9).toFixed(6)).join(),
        )
        .join(' '),
    );
  };
  visit([]);
  return [...found];
}

describe('what is said of D and graphs', () => {
  it('is that every q has one point, or that some has none or several', () => {
    const random = seeded(411);
    const counts = { yes: 0, nearly: 0, no: 0 };
    let unseen = 0;
    for (let k = 0; k < 300; k++) {
      const size = random.integer(1, 2);
      const entry = (): number => (random.chance(0.2) ? 0 : random.uniform(-1, 1));
      const D = Array.from({ length: size }, () => Array.from({ length: size }, entry));
      D.forEach((row, i) => (row[i] = Math.abs(row[i]) + 0.05));
      const direction = (): [number, number] => [random.uniform(-0.2, 1), random.uniform(-1, 0.6)];
      const graphs = D.map((): PiecewiseLinearGraph => {
        const middle = direction();
        return {
          y: Float64Array.of(0, middle[0]),
          lambda: Float64Array.of(0, middle[1]),
          startDirection: direction(),
          endDirection: direction(),
        };
      });
      const found = determination(Float64Array.from(D.flat()), size, graphs);
      counts[found]++;
      const numbers = Array.from({ length: 100 }, () => {
        const q = D.map(() => random.uniform(-3, 3));
        return pointsOf(D, q, graphs).length;
      });
      if (found === 'no' && numbers.every((number) => number === 1)) unseen++;
      if (found === 'yes') expect(numbers.every((number) => number === 1)).toBe(true);
    }
    expect(counts.yes).toBeGreaterThan(40);
    expect(counts.no).toBeGreaterThan(40);
    // Some fold in a corner that no q has met.
    expect(unseen).toBeLessThan(0.15 * counts.no);
  });

  const stop: PiecewiseLinearGraph = {
    y: Float64Array.of(0),
    lambda: Float64Array.of(0),
    startDirection: [0, -1],
    endDirection: [1, 0],
  };
  const rising: PiecewiseLinearGraph = { ...stop, startDirection: [1, 0], endDirection: [1, 1] };

  it.each<[string, number[], PiecewiseLinearGraph, string]>([
    ['D = 1 of a stop', [1], stop, 'yes'],
    ['D = −1 of a stop', [-1], stop, 'no'],
    ['two stops on one spring', [1, 1, 1, 1], stop, 'nearly'],
    ['a gyrator between two stops', [0, -1, 1, 0], stop, 'nearly'],
    ['a row without D', [0, 0, 0, 1], stop, 'yes'],
    ['D as large as a slope lets it', [1], rising, 'nearly'],
    [
      'twelve stops on springs',
      Array.from({ length: 144 }, (_, k) => (k % 13 === 0 ? 1 : 0.1)),
      stop,
      'nearly',
    ],
    [
      'twelve stops pulled by some',
      Array.from({ length: 144 }, (_, k) => (k % 13 === 0 ? 1 : -0.5)),
      stop,
      'no',
    ],
    [
      'twelve graphs that rise',
      Array.from({ length: 144 }, (_, k) => (k % 13 === 0 ? 0.1 : 0)),
      rising,
      'no',
    ],
  ])('of %s', (_what, D, graph, expected) => {
    const size = Math.sqrt(D.length);
    expect(determination(Float64Array.from(D), size, Array<PiecewiseLinearGraph>(size).fill(graph))).toBe(
      expected,
    );
  });
});
