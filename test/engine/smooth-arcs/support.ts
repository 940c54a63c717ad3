/** Linear systems with known solutions, and exact arcs for them. */
import type { EventFunctions } from '@engine/smooth/event-functions';
import { type ArcSettings, ExactArcs } from '@engine/smooth-arcs/exact-arcs';
import type { LinearSystem } from '@engine/smooth-arcs/linear-system';

export const linear = (
  rows: readonly (readonly number[])[],
  constant: readonly number[] = rows.map(() => 0),
): LinearSystem => ({
  size: rows.length,
  matrix: Float64Array.from(rows.flat()),
  constant: Float64Array.from(constant),
});

export const GRAVITY = 9.81;
export const falling = linear(
  [
    [0, 1],
    [0, 0],
  ],
  [0, -GRAVITY],
);

/** ẍ + 2δẋ + ω²x = 0. */
export const damped = (omega: number, delta: number): LinearSystem =>
  linear([
    [0, 1],
    [-omega * omega, -2 * delta],
  ]);

export function arcs(
  system: LinearSystem,
  start: readonly number[],
  events?: EventFunctions,
  settings: Partial<ArcSettings> = {},
): ExactArcs {
  const made = new ExactArcs(system, { maxSteps: 1_000_000, ...settings }, events);
  made.x.set(start);
  return made;
}
