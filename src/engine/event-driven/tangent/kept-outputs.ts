/**
 * Disturbances at a start at which outputs are kept at zero, as of a body that rests on another one: those of other motions of the model leave them there,
 *
 *     C δq = 0,     C δv + ∂(C v)/∂q δq = 0,     C δx = 0  (first order).
 *
 * Any others are brought there by the smallest change in the metric of the mass matrix (`drift.ts` does the same to states). What is across is taken away:
 * there it has the multiplier 0.
 */
import type { ObservedParts } from '../flight-observer';
import { ACTIVE } from '../row-modes';
import type { StateSizes } from './flow-jacobian';

/** @param frame n entries of each disturbance, one after the other; changed @returns whether outputs are kept at all */
export function keepOutputs(parts: ObservedParts, sizes: StateSizes, frame: Float64Array): boolean {
  const { flow, rows, flight, laws } = parts;
  if (flow.activeCount === 0) return false;
  const { clock } = flight;
  const n = flow.size;
  const x = flight.x.slice(0, n);
  const d = new Float64Array(laws.count);
  for (let at = 0; at < frame.length; at += n) {
    const column = frame.subarray(at, at + n);
    rows.update(clock, x);
    keepPositions(parts, column, d);
    flow.solveActive(clock, x, d);
    for (let a = 0; a < flow.activeCount; a++) {
      const row = flow.active[a];
      for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++)
        column[rows.dofs[k]] += d[row] * rows.response[k];
    }
    keepSpeeds(parts, sizes, x, column, d);
    flow.solveActive(clock, x, d);
    for (let a = 0; a < flow.activeCount; a++)
      if (d[flow.active[a]] !== 0) flow.push(flow.active[a], d, column);
  }
  rows.update(clock, x);
  return true;
}

/** −C δq, or −C δx, of rows whose outputs are kept. */
function keepPositions({ flow, rows, laws }: ObservedParts, column: Float64Array, d: Float64Array): void {
  d.fill(0);
  for (let row = 0; row < laws.count; row++) {
    if (flow.modes[row] !== ACTIVE || laws.degree[row] === 0 || laws.followsSpeed[row] === 1) continue;
    for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++)
      d[row] -= rows.C[k] * column[rows.dofs[k]];
  }
}

/** Likewise of speeds, with what the change of position makes of them where C depends on it. */
function keepSpeeds(
  { flow, rows, laws, flight: { clock } }: ObservedParts,
  sizes: StateSizes,
  x: Float64Array,
  column: Float64Array,
  d: Float64Array,
): void {
  const { coordinates, velocity } = flow.places;
  const bent = new Float64Array(laws.count);
  if (!rows.isConstant) {
    let step = Infinity;
    for (let dof = 0; dof < coordinates; dof++)
      if (column[dof] !== 0) step = Math.min(step, sizes.displacement(dof) / Math.abs(column[dof]));
    const [above, below] = [new Float64Array(laws.count), new Float64Array(laws.count)];
    for (const [sign, speeds] of [
      [1, above],
      [-1, below],
    ] as const) {
      const moved = x.slice();
      if (step < Infinity)
        for (let dof = 0; dof < coordinates; dof++)
          if (velocity[dof] !== dof) moved[dof] += sign * step * column[dof];
      rows.update(clock, moved);
      rows.speeds(clock, moved, speeds);
    }
    if (step < Infinity)
      for (let row = 0; row < laws.count; row++) bent[row] = (above[row] - below[row]) / (2 * step);
    rows.update(clock, x);
  }
  d.fill(0);
  for (let row = 0; row < laws.count; row++) {
    if (flow.modes[row] !== ACTIVE || laws.kind[row] === 'output') continue;
    d[row] = -bent[row];
    for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++)
      d[row] -= rows.C[k] * column[velocity[rows.dofs[k]]];
  }
}
