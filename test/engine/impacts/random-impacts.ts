/** Contacts and masses without structure, for what must hold of every impact. */
import { ImpactRows } from '@engine/impacts/impact-rows';
import type { Random } from '../support/random';

export interface RandomImpact {
  rows: ImpactRows;
  /** M⁻¹, symmetric and positive definite */
  inverseMass: Float64Array;
  velocity: Float64Array;
}

export function randomImpact(random: Random, contacts: number, velocities: number): RandomImpact {
  const rows = new ImpactRows(contacts, velocities);
  for (let i = 0; i < rows.H.length; i++) rows.H[i] = random.uniform(-1, 1);
  const factor = Float64Array.from({ length: velocities ** 2 }, () => random.uniform(-1, 1));
  const inverseMass = new Float64Array(velocities ** 2);
  for (let i = 0; i < velocities; i++) {
    for (let j = 0; j < velocities; j++) {
      let sum = i === j ? 0.3 : 0;
      for (let k = 0; k < velocities; k++) sum += factor[i * velocities + k] * factor[j * velocities + k];
      inverseMass[i * velocities + j] = sum;
    }
  }
  rows.update(inverseMass);
  return {
    rows,
    inverseMass,
    velocity: Float64Array.from({ length: velocities }, () => random.uniform(-1, 1)),
  };
}

/** ẏ = H v */
export function contactVelocities(rows: ImpactRows, velocity: Float64Array): number[] {
  const { count, size, H } = rows;
  return Array.from({ length: count }, (_, i) =>
    velocity.reduce((sum, v, k) => sum + H[i * size + k] * v, 0),
  );
}
