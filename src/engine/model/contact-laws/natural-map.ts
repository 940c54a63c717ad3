/** Distances that laws are judged by. */
import { larger } from '../../linalg/nan-safe';
import { projectOntoCone } from '../../linalg/friction-cone';
import { CheckedContact } from './contact-law';

const work = new Float64Array(3);

/** Largest entry of P − P_K(P) with P = R + shift e_N. @param shift N s */
export function coneDistance({ impulse }: CheckedContact, friction: number, shift: number): number {
  for (let a = 0; a < 3; a++) work[a] = impulse[a];
  work[0] += shift;
  return distanceFromProjection(impulse, friction, shift);
}

/** Largest entry of R_T − P_D(R_T − d), D being the disc of a radius. @param first, second d, N s */
export function discMapDistance(
  impulse: Float64Array,
  first: number,
  second: number,
  radius: number,
): number {
  const x = impulse[1] - first;
  const y = impulse[2] - second;
  const size = Math.sqrt(x * x + y * y);
  const part = size > radius ? radius / size : 1;
  return larger(Math.abs(impulse[1] - part * x), Math.abs(impulse[2] - part * y));
}

/**
 * Of a contact that an impact has pushed with s, a part of R_N: the distance of P_N − s from max(0,
 * P_N − s − ρ U_N), and of R_T from the nearest impulse to R_T − ρ U_T in the disc of the radius μ P_N, with
 * P = R + shift e_N.
 */
function pushedDistance(
  { impulse, velocity, numbers }: CheckedContact,
  mass: number,
  friction: number,
  shift: number,
): number {
  const rest = impulse[0] + shift - numbers[CheckedContact.PUSHED];
  const defect = Math.abs(rest - Math.max(0, rest - mass * velocity[0]));
  const bound = friction * Math.max(0, impulse[0] + shift);
  return larger(defect, discMapDistance(impulse, mass * velocity[1], mass * velocity[2], bound));
}

/**
 * Largest entry of P − P_K(P − ρ Û) with Û that of U⁺ + e U⁻, P = R + shift e_N.
 * @param mass ρ, which turns velocities into impulses, kg
 * @param normal e along the normal @param tangential in the tangent plane
 */
export function impactDistance(
  contact: CheckedContact,
  mass: number,
  friction: number,
  normal: number,
  tangential: number,
  shift: number,
): number {
  const { impulse, velocity, earlier, numbers } = contact;
  if (numbers[CheckedContact.PUSHED] > 0) return pushedDistance(contact, mass, friction, shift);
  let slip = 0;
  for (let a = 0; a < 3; a++) {
    const w = velocity[a] + (a === 0 ? normal : tangential) * earlier[a];
    if (a > 0) slip += w * w;
    work[a] = impulse[a] - mass * w;
  }
  work[0] += shift - mass * friction * Math.sqrt(slip);
  return distanceFromProjection(impulse, friction, shift);
}

/** Largest entry of R + shift e_N − P_K(work). */
function distanceFromProjection(impulse: Float64Array, friction: number, shift: number): number {
  projectOntoCone(work, 0, friction);
  let defect = 0;
  for (let a = 0; a < 3; a++) defect = larger(defect, Math.abs(impulse[a] + (a === 0 ? shift : 0) - work[a]));
  return defect;
}
