/**
 * Contacts with Coulomb friction in the plane by enumeration of what each may do: y = W λ + q with the rows
 * (n, t) of each contact in turn. Shares nothing with the engine.
 */
import { eliminate } from '../solvers/support/box-oracle';
import { type Matrix, times } from './dense';

export interface FrictionProblem {
  /** 2k × 2k */
  W: Matrix;
  /** length 2k */
  q: number[];
  /** coefficient of each contact */
  mu: number[];
}

type Mode = 'open' | 'stick' | 'right' | 'left';
const MODES: readonly Mode[] = ['open', 'stick', 'right', 'left'];

export interface FrictionSolution {
  lambda: number[];
  modes: Mode[];
}

/** Rows [coefficients of λ, right side] that hold in a mode. */
function conditions(mode: Mode, k: number, { W, q, mu }: FrictionProblem): number[][] {
  const [n, t] = [2 * k, 2 * k + 1];
  const unit = (entries: Readonly<Record<number, number>>): number[] => [
    ...q.map((_, j) => entries[j] ?? 0),
    0,
  ];
  const still = (row: number): number[] => [...W[row], -q[row]];
  switch (mode) {
    case 'open':
      return [unit({ [n]: 1 }), unit({ [t]: 1 })];
    case 'stick':
      return [still(n), still(t)];
    case 'right':
      return [still(n), unit({ [t]: 1, [n]: mu[k] })];
    case 'left':
      return [still(n), unit({ [t]: 1, [n]: -mu[k] })];
  }
}

/** How far λ is from the law, in units of y relative to the largest |q|. */
export function frictionResidual(problem: FrictionProblem, lambda: readonly number[]): number {
  const { W, q, mu } = problem;
  const y = times(W, lambda).map((value, i) => value + q[i]);
  const worst = mu.map((coefficient, k) => {
    const [n, t] = [2 * k, 2 * k + 1];
    const [dn, dt] = [n, t].map((row) => (W[row][row] > 0 ? W[row][row] : 1));
    const normal = Math.abs(Math.min(y[n], dn * lambda[n]));
    const limit = coefficient * Math.max(0, lambda[n]);
    // What is left of the slip when it may do what the distance to the bound it pushes against allows.
    const room = y[t] > 0 ? lambda[t] + limit : limit - lambda[t];
    const slip = Math.min(Math.abs(y[t]), dt * Math.max(0, room));
    const outside = dt * Math.max(0, Math.abs(lambda[t]) - limit);
    return Math.max(normal, slip, outside);
  });
  return Math.max(...worst) / Math.max(...q.map(Math.abs), 1e-300);
}

/** Solutions in modes whose conditions are regular. */
export function enumerateFriction(problem: FrictionProblem): FrictionSolution[] {
  const { mu } = problem;
  const found: FrictionSolution[] = [];
  for (let code = 0; code < 4 ** mu.length; code++) {
    const modes = mu.map((_, k) => MODES[Math.floor(code / 4 ** k) % 4]);
    const lambda = eliminate(modes.flatMap((mode, k) => conditions(mode, k, problem)));
    if (lambda === null || frictionResidual(problem, lambda) > 1e-9) continue;
    const size = Math.max(...lambda.map(Math.abs), 1e-300);
    const isKnown = found.some((other) =>
      other.lambda.every((x, i) => Math.abs(x - lambda[i]) <= 1e-9 * size),
    );
    if (!isKnown) found.push({ lambda, modes });
  }
  return found;
}
