/** Distances that laws are judged by. */
import { projectOntoCone } from '../../linalg/friction-cone';
import type { JudgedContact } from './contact-law';

const work = new Float64Array(3);

/** The larger of the two, NaN if one is none. */
export const larger = (a: number, b: number): number => (a >= b || Number.isNaN(a) ? a : b);

/** Largest entry of P − P_K(P) with P = R + shift e_N. @param shift N s */
export function coneDistance({ impulse }: JudgedContact, friction: number, shift: number): number {
  for (let a = 0; a < 3; a++) work[a] = impulse[a];
  work[0] += shift;
  return distanceFromProjection(impulse, friction, shift);
}

/**
 * Largest entry of P − P_K(P − ρ Û) with Û that of U⁺ + e U⁻, P = R + shift e_N.
 * @param mass ρ, which turns velocities into impulses, kg
 * @param normal e along the normal @param tangential in the tangent plane
 */
export function impactDistance(
  { impulse, velocity, earlier }: JudgedContact,
  mass: number,
  friction: number,
  normal: number,
  tangential: number,
  shift: number,
): number {
  let slip = 0;
  for (let a = 0; a < 3; a++) {
    const w = velocity[a] + (a === 0 ? normal : tangential) * earlier[a];
    if (a > 0) slip = Math.hypot(slip, w);
    work[a] = impulse[a] - mass * w;
  }
  work[0] += shift - mass * friction * slip;
  return distanceFromProjection(impulse, friction, shift);
}

/** Largest entry of R + shift e_N − P_K(work). */
function distanceFromProjection(impulse: Float64Array, friction: number, shift: number): number {
  projectOntoCone(work, 0, friction);
  let defect = 0;
  for (let a = 0; a < 3; a++) defect = larger(defect, Math.abs(impulse[a] + (a === 0 ? shift : 0) - work[a]));
  return defect;
}
