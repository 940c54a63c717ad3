/** Random linear systems with random resets. */
import type { SystemDocument } from '@engine/document/types';
import type { Random } from '../support/random';
import { linear, reset } from './documents';

/** A x + b, guard c·x + d·x₀² − e, map R x + s. */
export interface Case {
  readonly n: number;
  readonly A: number[][];
  readonly b: number[];
  readonly x0: number[];
  readonly guards: readonly {
    readonly c: number[];
    readonly d: number;
    readonly e: number;
    readonly direction: -1 | 1;
    readonly R: number[][];
    readonly s: number[];
  }[];
}

export function draw(random: Random): Case {
  const n = random.integer(1, 3);
  const vector = (size: number): number[] => Array.from({ length: n }, () => random.uniform(-size, size));
  const matrix = (size: number): number[][] => Array.from({ length: n }, () => vector(size));
  const A = matrix(2);
  for (let i = 0; i < n; i++) A[i][i] -= 0.5;
  // Turning, so that guards are passed more than once.
  for (let i = 1; i < n; i++) {
    A[i][i - 1] += 4;
    A[i - 1][i] -= 4;
  }
  return {
    n,
    A,
    b: vector(4),
    x0: vector(1),
    guards: Array.from({ length: random.integer(1, 2) }, () => ({
      c: vector(1),
      d: random.chance(0.5) ? random.uniform(-1, 1) : 0,
      e: random.uniform(-0.5, 0.5),
      direction: random.chance(0.5) ? 1 : -1,
      R: matrix(0.7),
      s: vector(1),
    })),
  };
}

export const written = ({ n, A, b, x0, guards }: Case): SystemDocument[] => [
  linear('s', A, b, x0),
  ...guards.map(({ c, d, e, direction, R, s }, k) => {
    const name = (i: number): string => (n === 1 ? 's.x' : `s.x[${i}]`);
    const combination = (row: readonly number[]): string =>
      row.map((value, i) => `(${value}) * ${name(i)}`).join(' + ');
    return reset(
      `r${k}`,
      's',
      `${combination(c)}${d === 0 ? '' : ` + (${d}) * ${name(0)}^2`} - (${e})`,
      R.map((row, i) => `${combination(row)} + (${s[i]})`),
      direction > 0 ? 'rising' : 'falling',
    );
  }),
];
