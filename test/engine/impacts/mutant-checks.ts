/** What the laws must satisfy and a slip must break: each check throws when it does not hold. */
import { EnergeticImpacts } from '@engine/impacts/energetic';
import { ImpactResult, type ImpactLaw } from '@engine/impacts/status';
import { SequentialImpacts } from '@engine/impacts/sequential';
import { SimultaneousImpacts } from '@engine/impacts/simultaneous';
import { boxCorners, chain, equalBalls, firstMoves } from './chains';
import { lossyChain } from './spring-chain';

function demand(v: Float64Array, expected: ArrayLike<number>, tolerance: number): void {
  v.forEach((value, i) => {
    if (!(Math.abs(value - expected[i]) <= tolerance))
      throw new Error(`velocity ${i}: ${value} for ${expected[i]}`);
  });
}

function after(law: ImpactLaw, start: Float64Array): Float64Array {
  const result = new ImpactResult();
  const v = start.slice();
  law.solve(v, result);
  if (result.status !== 'separated') throw new Error(result.status);
  return v;
}

const energetic = (
  masses: readonly number[],
  stiffness: readonly number[],
  restitution: readonly number[],
): EnergeticImpacts =>
  new EnergeticImpacts(chain(masses), {
    stiffness: Float64Array.from(stiffness),
    restitution: Float64Array.from(restitution),
    exponent: 1.5,
    tolerance: 1e-10,
    maxSteps: 5000,
  });

const MASSES = [1, 2, 0.5, 1, 1];
const STIFFNESS = [1, 0.2, 3, 1];
const START = Float64Array.of(1, 0, 0, 0, -0.5);

export const checks = {
  sequential(): void {
    demand(
      after(new SequentialImpacts(equalBalls(3), Float64Array.of(1, 1), 9), firstMoves(3)),
      [0, 0, 1],
      1e-14,
    );
    // Ball 0 and 1 first, ½ each, then 1 and 2, and on: the first two impacts decide.
    demand(
      after(new SequentialImpacts(equalBalls(3), Float64Array.of(1, 1), 9), Float64Array.of(2, 1, 0)),
      [0, 1, 2],
      1e-14,
    );
    demand(
      after(new SequentialImpacts(equalBalls(3), Float64Array.of(0.5, 0), 99), Float64Array.of(1, 0, -1)),
      sequentialByHand(),
      1e-10,
    );
  },
  newton(): void {
    const law = new SimultaneousImpacts('Newton', equalBalls(3), Float64Array.of(1, 1), 9);
    demand(after(law, firstMoves(3)), [-1 / 3, 2 / 3, 2 / 3], 1e-14);
    demand(after(law, Float64Array.of(2, 0, 0.5)), [0, 0.5, 2], 1e-14);
  },
  poisson(): void {
    const law = new SimultaneousImpacts('Poisson', equalBalls(3), Float64Array.of(0.5, 0.5), 9);
    demand(after(law, firstMoves(3)), [0, 0.5, 0.5], 1e-14);
  },
  elastic(): void {
    const springs = { masses: MASSES, stiffness: STIFFNESS, exponent: 1.5 };
    const { velocities } = lossyChain(springs, [1, 1, 1, 1], START, 5e-4);
    demand(after(energetic(MASSES, STIFFNESS, [1, 1, 1, 1]), START), velocities, 1e-6);
  },
  lossy(): void {
    const restitution = [0.9, 0.4, 0.7, 0.5];
    const springs = { masses: MASSES, stiffness: STIFFNESS, exponent: 1.5 };
    const { velocities, work } = lossyChain(springs, restitution, START, 1e-3);
    const law = energetic(MASSES, STIFFNESS, restitution);
    demand(after(law, START), velocities, 1e-6);
    demand(law.work, work, 1e-6);
  },
  plastic(): void {
    const law = energetic(MASSES, STIFFNESS, [0, 0, 0, 0]);
    const total = MASSES.reduce((sum, mass) => sum + mass, 0);
    demand(after(law, START), new Array<number>(5).fill(0.5 / total), 1e-8);
  },
  /** The corners of a box that falls flat are compressed and released together. */
  together(): void {
    const v = after(
      new EnergeticImpacts(boxCorners(), {
        stiffness: new Float64Array(4).fill(1),
        restitution: new Float64Array(4).fill(0.5),
        exponent: 1.5,
        tolerance: 1e-10,
        maxSteps: 5000,
      }),
      Float64Array.of(-1, 0, 0),
    );
    demand(v, [0.5, 0, 0], 1e-9);
  },
  /**
   * Two outer balls meet the middle one: with stiffnesses 1 and 100 the second contact is over almost at
   * once.
   */
  start(): void {
    const start = Float64Array.of(1, 0, -1);
    const springs = { masses: [1, 1, 1], stiffness: [1, 100], exponent: 1.5 };
    const { velocities } = lossyChain(springs, [1, 1], start, 5e-5);
    demand(after(energetic([1, 1, 1], [1, 100], [1, 1]), start), velocities, 1e-6);
  },
};

/** e = ½ between balls 0 and 1, 0 between 1 and 2, in ascending order from 1, 0, −1. */
function sequentialByHand(): number[] {
  let [a, b, c] = [1, 0, -1];
  for (let k = 0; k < 60; k++) {
    const p = a > b ? 0.75 * (a - b) : 0;
    [a, b] = [a - p, b + p];
    const middle = b > c ? 0.5 * (b - c) : 0;
    [b, c] = [b - middle, c + middle];
  }
  return [a, b, c];
}
