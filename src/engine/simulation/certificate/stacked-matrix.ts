/** Matrices of several systems over the coordinates of the model, and the coordinates that are theirs. */
import { type SparseRows, sparseFromPattern } from '../../linalg/csr';
import type { LagrangianForm } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import { CheckedProduct } from './checked-product';
import type { CheckContext } from './relations';

/** Stacks one matrix of several systems over all coordinates of the model. */
export function stack(
  context: CheckContext,
  model: NonSmoothDynamicalSystem,
  systems: readonly number[],
  pick: (form: LagrangianForm) => SparseRows | null,
): CheckedProduct {
  const pattern: number[][] = Array.from({ length: context.size }, () => []);
  const values: number[][] = Array.from({ length: context.size }, () => []);
  for (const s of systems) {
    const matrix = pick(model.systems[s].form as LagrangianForm);
    const dof = context.offsets[s];
    if (matrix === null) continue;
    for (let i = 0; i < matrix.rows; i++) {
      for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++) {
        pattern[dof + i].push(dof + matrix.columns[k]);
        values[dof + i].push(matrix.values[k]);
      }
    }
  }
  const rows = sparseFromPattern(pattern);
  rows.values.set(values.flat());
  return new CheckedProduct(rows);
}

/**
 * First and last coordinate + 1 of each stretch without gaps.
 * @param from first coordinate of each system, ascending
 * @param to last coordinate + 1 of each
 */
export function stretches(from: Int32Array, to: Int32Array): Int32Array {
  const ends: number[] = [];
  for (let m = 0; m < from.length; m++) {
    if (ends.at(-1) === from[m]) ends.pop();
    else ends.push(from[m]);
    ends.push(to[m]);
  }
  return Int32Array.from(ends);
}
