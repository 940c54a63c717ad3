/**
 * How far a force is from a solution of one contact, by the natural map in units that do not matter:
 *
 *     d |r − P_K(r − û/d)| / max(|q|, d |r|),     û = M r + q + μ |u_T| e_N,
 *
 * where d, the largest |entry| of M, turns a force into a velocity. It is 0 at solutions only.
 */
import { projectOntoCone } from '../../linalg/friction-cone';

/**
 * @param size 3, or 2 for a contact in the plane
 * @param M size × size from entry `at`, row-major
 * @param q, r size entries
 */
export function contactResidual(
  size: 2 | 3,
  M: Float64Array,
  at: number,
  q: Float64Array,
  mu: number,
  r: Float64Array,
): number {
  let d = 0;
  for (let k = 0; k < size * size; k++) d = Math.max(d, Math.abs(M[at + k]));
  // Without mobility any unit of force will do.
  if (d === 0) d = 1;
  const point = new Float64Array(3);
  let [ofQ, ofR] = [0, 0];
  for (let i = 0; i < size; i++) {
    let u = q[i];
    for (let j = 0; j < size; j++) u += M[at + size * i + j] * r[j];
    point[i] = u / d;
    ofQ = Math.hypot(ofQ, q[i]);
    ofR = Math.hypot(ofR, r[i]);
  }
  const slip = Math.hypot(point[1], point[2]);
  for (let i = 0; i < size; i++) point[i] = r[i] - point[i];
  point[0] -= mu * slip;
  projectOntoCone(point, 0, mu);
  let defect = 0;
  for (let i = 0; i < size; i++) defect = Math.hypot(defect, r[i] - point[i]);
  const scale = Math.max(ofQ, d * ofR);
  return scale > 0 ? (d * defect) / scale : d * defect;
}
