/** The state of a constraint from the values of a row. */
import { type Constraint, MOST_STATES, type StateRule } from './constraint';

/** Part of the width of a box, or of the radius of a friction cone, within which a multiplier is at the border. */
const BORDER = 1e-6;
/** Slower slip of surfaces is the tolerance of a solver, m/s. */
const LEAST_SLIP = 1e-6;

/** Codes of friction. */
const STICK = 1;
const FORWARD = 2;
const BACKWARD = 3;

/** Reads the columns that a rule asks for: `read(column)` is the value in the present row. */
export type ReadValue = (column: number) => number;

function boxState(lambda: number, lower: number | null, upper: number | null): number {
  if (lower !== null && upper !== null) {
    const border = BORDER * (upper - lower);
    if (lambda <= lower + border) return 0;
    return lambda >= upper - border ? 2 : 1;
  }
  if (lower !== null) return lambda > lower ? 1 : 0;
  return upper !== null && lambda < upper ? 1 : 0;
}

/** A contact that pushes slides where its force is on the border of the cone; against the slip. */
function frictionState(normal: number, tangential: number, coefficient: number): number {
  if (!(normal > 0)) return 0;
  if (Math.abs(tangential) < coefficient * normal * (1 - BORDER)) return STICK;
  return tangential < 0 ? FORWARD : BACKWARD;
}

/** Square of the distance of a point from a piece, a ray where `length` is infinite. */
function distance(
  y: number,
  lambda: number,
  [y0, lambda0]: readonly [number, number],
  [dy, dl]: readonly [number, number],
  length: number,
): number {
  const square = dy * dy + dl * dl;
  const along = square > 0 ? ((y - y0) * dy + (lambda - lambda0) * dl) / square : 0;
  const at = Math.min(length, Math.max(0, along));
  return (y - y0 - at * dy) ** 2 + (lambda - lambda0 - at * dl) ** 2;
}

function graphState(y: number, lambda: number, rule: Extract<StateRule<number>, { kind: 'graph' }>): number {
  const { points, start, end } = rule;
  let best = 0;
  let least = distance(y, lambda, points[0], [-start[0], -start[1]], Infinity);
  for (let k = 1; k <= points.length; k++) {
    const from = points[k - 1];
    const isLast = k === points.length;
    const to = isLast ? end : points[k];
    const direction: [number, number] = isLast ? [end[0], end[1]] : [to[0] - from[0], to[1] - from[1]];
    const away = distance(y, lambda, from, direction, isLast ? Infinity : 1);
    if (away >= least) continue;
    best = k;
    least = away;
  }
  return Math.min(best, MOST_STATES - 1);
}

/** Code of the state in a row: its place among the states of the constraint. */
export function stateOf({ rule }: Constraint<number>, read: ReadValue): number {
  switch (rule.kind) {
    case 'box':
      return boxState(read(rule.lambda), rule.lower, rule.upper);
    case 'friction':
      return frictionState(read(rule.normal), read(rule.tangential), rule.coefficient);
    case 'graph':
      return graphState(read(rule.y), read(rule.lambda), rule);
    case 'surface':
      if (!(read(rule.count) > 0)) return 0;
      return rule.slip === null || read(rule.slip) <= LEAST_SLIP ? 1 : 2;
  }
}
