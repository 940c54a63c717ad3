/**
 * Assembly of the one-step problem over many systems and interactions against dense matrices of the whole
 * model: Siconos developer's notes §2.1.1 and §2.2.
 */
import { describe, expect, it } from 'vitest';
import {
  denseDelassus,
  type DenseModel,
  denseStep,
  iterationMatrix,
  randomModel,
} from './support/dense-model';
import { combine, type Matrix, multiply, solve, solveMany, times, transpose, zeros } from './support/dense';
import { timeStepping } from './support/compiled';
import { enumerateLcp } from './support/lcp-oracle';
import { contact, model, particle } from './support/models';
import { seeded } from './support/random';
import { run } from './support/run';

const TOPOLOGIES = 200;

/** The models of this file: every second one with a stiffness that is not symmetric. */
const models = Array.from({ length: TOPOLOGIES }, (_, k) =>
  randomModel(seeded(100 + k), { skew: k % 2 === 1, maxRows: 8 }),
);

function assembled(dense: DenseModel): Matrix {
  const delassus = timeStepping(dense.document).delassus.operator;
  const W = zeros(delassus.rows, delassus.rows);
  for (let i = 0; i < delassus.rows; i++) {
    for (let k = delassus.rowStart[i]; k < delassus.rowStart[i + 1]; k++)
      W[i][delassus.columns[k]] = delassus.values[k];
  }
  return W;
}

/** Largest difference relative to the largest entry. */
function distance(a: Matrix, b: Matrix): number {
  const largest = Math.max(...b.flat().map(Math.abs), 1e-300);
  return Math.max(...combine([1, a], [-1, b]).flat().map(Math.abs)) / largest;
}

const difference = (a: ArrayLike<number>, b: readonly number[]): number =>
  Math.max(...b.map((x, i) => Math.abs(x - a[i]))) / Math.max(1, ...b.map(Math.abs));

/** Coordinates of one system. */
function dofsOf({ offsets, M }: DenseModel, system: number): number[] {
  const end = offsets[system + 1] ?? M.length;
  return Array.from({ length: end - offsets[system] }, (_, k) => offsets[system] + k);
}

/** W block by block, Σ over the systems that `sharedBy(α, β)` names. (2.14), (2.15) */
function blockwise(dense: DenseModel, sharedBy: (alpha: number, beta: number) => readonly number[]): Matrix {
  const { H, links, rowOffsets } = dense;
  const rowsOf = (interaction: number): number[] => {
    const end = rowOffsets[interaction + 1] ?? H.length;
    return Array.from({ length: end - rowOffsets[interaction] }, (_, k) => rowOffsets[interaction] + k);
  };
  const whole = iterationMatrix(dense);
  const W = zeros(H.length, H.length);
  links.forEach((_, alpha) =>
    links.forEach((_unused, beta) => {
      for (const system of sharedBy(alpha, beta)) {
        const dofs = dofsOf(dense, system);
        const own = dofs.map((i) => dofs.map((j) => whole[i][j]));
        const part = (rows: number[]): Matrix => rows.map((row) => dofs.map((dof) => H[row][dof]));
        const block = multiply(part(rowsOf(alpha)), solveMany(own, transpose(part(rowsOf(beta)))));
        rowsOf(alpha).forEach((row, i) =>
          rowsOf(beta).forEach((column, j) => (W[row][column] += block[i][j])),
        );
      }
    }),
  );
  return W;
}

const common = ({ links }: DenseModel, alpha: number, beta: number): number[] =>
  links[alpha].filter((system) => links[beta].includes(system));

/** (2.14) as corrected: the diagonal over DS_α, the others over DS_α ∩ DS_β. */
const corrected = (dense: DenseModel): Matrix =>
  blockwise(dense, (alpha, beta) => common(dense, alpha, beta));

/**
 * (2.14) as printed: its last row has the index sets exchanged. The block H_β of a system β does not touch is
 * zero.
 */
function printed(dense: DenseModel): Matrix {
  const last = dense.links.length - 1;
  return blockwise(dense, (alpha, beta) => {
    if (alpha !== last) return common(dense, alpha, beta);
    return beta === last ? common(dense, last - 1, last) : dense.links[last];
  });
}

describe('the Delassus operator', () => {
  it(`of ${TOPOLOGIES} random topologies equals the dense H Ŵ⁻¹ ᵗH`, () => {
    for (const dense of models) expect(distance(assembled(dense), denseDelassus(dense))).toBeLessThan(1e-12);
  });

  it('equals the block formula with the corrected index sets', () => {
    for (const dense of models) expect(distance(assembled(dense), corrected(dense))).toBeLessThan(1e-12);
  });

  it('is exactly symmetric where Ŵ is', () => {
    for (const dense of models.filter((_, k) => k % 2 === 0)) {
      const W = assembled(dense);
      expect(W).toEqual(transpose(W));
    }
  });

  it('is not symmetric where the stiffness is not', () => {
    const skewed = models
      .filter((_, k) => k % 2 === 1)
      .filter((dense) => {
        const W = assembled(dense);
        return distance(W, transpose(W)) > 1e-8;
      });
    expect(skewed.length).toBeGreaterThan(20);
  });
});

describe('mutants that the comparison must catch', () => {
  it('the printed (2.14), index sets of its last row exchanged', () => {
    // Where every system of the last interaction is also one of the last but one, the exchange changes
    // nothing.
    const concerned = models.filter(
      ({ links }) =>
        links.length > 1 && links.at(-1)?.some((system) => !links[links.length - 2].includes(system)),
    );
    expect(concerned.length).toBeGreaterThan(50);
    for (const dense of concerned) expect(distance(printed(dense), assembled(dense))).toBeGreaterThan(1e-4);
  });

  it('a factor h before W with impulses as unknowns', () => {
    for (const dense of models) {
      const mutant = combine([dense.h, denseDelassus(dense)]);
      expect(distance(mutant, assembled(dense))).toBeGreaterThan(0.9);
    }
  });

  it('either of them in the step itself', () => {
    let noticed = 0;
    for (const dense of models) {
      const exact = denseStep(dense);
      const wrong = denseStep(dense, combine([dense.h, denseDelassus(dense)]));
      if (exact === null || wrong === null || exact.p.every((p) => p === 0)) continue;
      expect(difference(wrong.v, exact.v)).toBeGreaterThan(1e-3);
      noticed++;
    }
    expect(noticed).toBeGreaterThan(50);
  });
});

describe('one step', () => {
  it('has the velocity of the dense mixed problem, by enumeration of the active sets', () => {
    const seen = { impacts: 0, free: 0, unsolvable: 0 };
    for (const dense of models) {
      const simulation = timeStepping(dense.document);
      const exact = denseStep(dense);
      if (exact === null) {
        // Opposed rows without room: the simulation must say so.
        seen.unsolvable++;
        expect(() => simulation.advance()).toThrow('not solved');
        continue;
      }
      simulation.advance();
      const n = dense.v.length;
      expect(difference(simulation.state.subarray(1 + n, 1 + 2 * n), exact.v)).toBeLessThan(1e-9);
      const vTheta = exact.v.map((x, i) => dense.theta * x + (1 - dense.theta) * dense.v[i]);
      const position = dense.q.map((x, i) => x + dense.h * vTheta[i]);
      expect(difference(simulation.state.subarray(1, 1 + n), position)).toBeLessThan(1e-9);
      if (exact.p.some((p) => p > 0)) seen.impacts++;
      else seen.free++;
    }
    expect(seen.impacts).toBeGreaterThan(80);
    expect(seen.free).toBeGreaterThan(10);
  });

  it('is the same with λ as a force and with λ as an impulse', () => {
    // If λ is a force there is exactly one h before Ŵ⁻¹, in the operator and in the response; as an impulse,
    // none.
    let compared = 0;
    for (const dense of models) {
      const impulse = denseStep(dense);
      if (impulse === null || impulse.p.every((p) => p === 0)) continue;
      const { h, H, gap, gamma, v, e } = dense;
      const speed = times(H, v);
      const active = gap.flatMap((y, i) => (y + gamma * h * speed[i] <= 1e-13 ? [i] : []));
      const free = denseStep({ ...dense, gap: gap.map(() => 1e6) })?.v ?? [];
      const freeSpeed = times(H, free);
      const W = combine([h, denseDelassus(dense)]);
      const [force] = enumerateLcp(
        active.map((i) => active.map((j) => W[i][j])),
        active.map((i) => freeSpeed[i] + e[i] * speed[i]),
        1,
      );
      const lambda = gap.map((_, row) => (active.includes(row) ? force[active.indexOf(row)] : 0));
      const response = solve(iterationMatrix(dense), times(transpose(H), lambda));
      const velocity = free.map((x, i) => x + h * response[i]);
      expect(difference(velocity, impulse.v)).toBeLessThan(1e-10);
      const simulation = timeStepping(dense.document);
      simulation.advance();
      expect(difference(simulation.state.subarray(1 + v.length, 1 + 2 * v.length), velocity)).toBeLessThan(
        1e-9,
      );
      compared++;
    }
    expect(compared).toBeGreaterThan(80);
  });
});

describe('two beads and a floor', () => {
  it('fall onto each other with the impulses of the hand computation', () => {
    // Lower bead on the floor, upper one on it; both fall with 1 m/s; e = 0. The floor takes 2 kg m/s, the
    // contact 1.
    const document = model(
      [particle('low', 0, -1), particle('high', 0, -1)],
      [contact('floor', ['low'], [[1]], 0), contact('between', ['low', 'high'], [[-1, 1]], 0)],
      { h: 1e-3, tEnd: 1e-3 },
    );
    const { column } = run(document);
    expect(column('floor.impulse')[1]).toBeCloseTo(2, 14);
    expect(column('between.impulse')[1]).toBeCloseTo(1, 14);
    expect(column('low.v')[1]).toBeCloseTo(0, 14);
    expect(column('high.v')[1]).toBeCloseTo(0, 14);
  });
});
