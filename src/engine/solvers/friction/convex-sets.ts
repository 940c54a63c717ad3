/** The convex problems in which fixed-point methods hold what makes the law non-convex: their sets, and the shift of the velocity. */
import { projectOntoCone } from '../../linalg/friction-cone';

/** What is held at each contact while a convex problem is solved. */
export interface ConvexStage {
  readonly name: string;
  /** @returns what is held at a contact with friction coefficient μ, reaction r_N and slip |u_T| */
  hold(mu: number, normal: number, slip: number): number;
  /** added to u_N by what is held */
  shift(held: number): number;
  /** x ← its projection onto the set: three entries, in the plane the last is zero */
  project(x: Float64Array, mu: number, held: number): void;
}

/** G. de Saxcé: s = μ |u_T| is held, and û = u + s e_N is complementary to r in the cone of Coulomb. */
export const deSaxce: ConvexStage = {
  name: 'DeSaxce',
  hold: (mu, _, slip) => mu * slip,
  shift: (held) => held,
  project: (x, mu) => {
    projectOntoCone(x, 0, mu);
  },
};

/** H. Tresca: the bound g = μ r_N of friction is held, r is in the half-cylinder r_N ≥ 0, |r_T| ≤ g. */
export const tresca: ConvexStage = {
  name: 'Tresca',
  hold: (mu, normal) => mu * Math.max(0, normal),
  shift: () => 0,
  project: (x, _, held) => {
    x[0] = Math.max(0, x[0]);
    const length = Math.sqrt(x[1] * x[1] + x[2] * x[2]);
    if (length <= held) return;
    x[1] *= held / length;
    x[2] *= held / length;
  },
};
