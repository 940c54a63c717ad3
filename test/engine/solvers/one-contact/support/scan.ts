/**
 * All solutions of one contact in space by looking everywhere: sliding in each of many directions, with the
 * law as it is written and without the polynomial of the engine. Between neighbouring directions a change of
 * sign is halved down. Shares nothing with the engine.
 */
import { solveMany, times } from '../../../support/dense';

export interface ScannedContact {
  M: readonly (readonly number[])[];
  q: readonly number[];
  mu: number;
}

const HALVINGS = 60;
/** Nearer to where the push is infinite its sign is rounding. */
const HALVINGS_TO_INFINITY = 30;

/** Push of a sliding contact with friction along θ, and the slip along and across it. */
function sliding(
  { M, q, mu }: ScannedContact,
  theta: number,
): { push: number; along: number; across: number } {
  const n = [Math.cos(theta), Math.sin(theta)];
  const ray = [1, mu * n[0], mu * n[1]];
  const speed = times(
    M.map((row) => [...row]),
    ray,
  );
  const push = -q[0] / speed[0];
  const u = [q[1] + push * speed[1], q[2] + push * speed[2]];
  return { push, along: n[0] * u[0] + n[1] * u[1], across: n[0] * u[1] - n[1] * u[0] };
}

/**
 * Halves [a, b] until its ends are neighbours, keeping the end at which `holds` is as at a.
 * @returns that end
 */
function border(a: number, b: number, holds: (theta: number) => boolean, halvings = HALVINGS): number {
  const atStart = holds(a);
  let [from, to] = [a, b];
  for (let k = 0; k < halvings; k++) {
    const middle = 0.5 * (from + to);
    if (holds(middle) === atStart) from = middle;
    else to = middle;
  }
  return from;
}

/** Forces of all solutions: take-off, stick, slides by θ. */
export function scan(contact: ScannedContact, directions: number): number[][] {
  const { M, q, mu } = contact;
  const found: number[][] = [];
  if (q[0] >= 0) found.push([0, 0, 0]);
  const stick = solveMany(
    M.map((row) => [...row]),
    q.map((entry) => [-entry]),
  ).map(([entry]) => entry);
  if (Math.hypot(stick[1], stick[2]) <= mu * stick[0]) found.push(stick);
  const pushes = (theta: number): boolean => sliding(contact, theta).push > 0;
  const leftward = (theta: number): boolean => sliding(contact, theta).across > 0;
  for (let k = 0; k < directions; k++) {
    let a = (2 * Math.PI * (k + 0.123)) / directions;
    let b = (2 * Math.PI * (k + 1.123)) / directions;
    // The push ends at infinity: only the stretch with a positive one counts.
    if (!pushes(a) && !pushes(b)) continue;
    if (!pushes(b)) b = border(a, b, pushes, HALVINGS_TO_INFINITY);
    else if (!pushes(a)) a = border(b, a, pushes, HALVINGS_TO_INFINITY);
    if (leftward(a) === leftward(b)) continue;
    const theta = border(a, b, leftward);
    const { push, along } = sliding(contact, theta);
    if (along < 0) found.push([push, mu * push * Math.cos(theta), mu * push * Math.sin(theta)]);
  }
  return found;
}
