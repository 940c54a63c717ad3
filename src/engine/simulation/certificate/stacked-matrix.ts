/** Matrices of several systems over the coordinates of the model. */
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
