/** What coordinates weigh, for scales. */
import type { NonSmoothDynamicalSystem } from './nsds';

/**
 * Diagonal of the mass matrices by coordinate, of those that change the initial one; 1 where it is not
 * positive.
 */
export function diagonalInertia({ systems }: NonSmoothDynamicalSystem, ndof: number): Float64Array {
  const inertia = new Float64Array(ndof).fill(1);
  let dof = 0;
  for (const { form } of systems) {
    const changing = new Float64Array(form.order === 2 && form.constantMass === null ? form.size ** 2 : 0);
    if (form.order === 2 && changing.length > 0) form.mass(form.q0.slice(), changing);
    for (let i = 0; i < form.size; i++) {
      let value = 0;
      if (form.order === 2 && form.constantMass !== null) {
        const { rowStart, columns, values } = form.constantMass;
        for (let k = rowStart[i]; k < rowStart[i + 1]; k++) if (columns[k] === i) value += values[k];
      } else if (form.order === 2) {
        value = changing[i * form.size + i];
      } else if (form.order === 1 && form.mass !== null) {
        value = Math.abs(form.mass[i * form.size + i]);
      }
      if (value > 0) inertia[dof + i] = value;
    }
    dof += form.size;
  }
  return inertia;
}
