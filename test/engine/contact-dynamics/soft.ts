/** Pseudo-rigid boxes, alone and with rigid ones, on a floor. */
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { box } from '@engine/model/shapes/box';
import { plane } from '@engine/model/shapes/plane';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { lameConstants } from '@engine/spatial/bodies/pseudo-rigid';
import type { BodyDescription, PseudoRigidBodyDescription } from '@engine/spatial/compile';

export interface SoftBox {
  readonly sides: readonly [number, number, number];
  /** kg/m³ */
  readonly density: number;
  /** Pa */
  readonly young: number;
  readonly poisson: number;
  /** s */
  readonly relaxation?: number;
}

/** E = m/12 diag(a², b², c²) */
export const softBox = (
  id: string,
  { sides, density, young, poisson, relaxation = 0 }: SoftBox,
  state: Pick<PseudoRigidBodyDescription, 'position' | 'velocity' | 'deformation' | 'rate'>,
): PseudoRigidBodyDescription => {
  const volume = sides[0] * sides[1] * sides[2];
  const mass = density * volume;
  const [a, b, c] = sides.map((side) => (mass * side * side) / 12);
  const euler = [a, 0, 0, 0, b, 0, 0, 0, c];
  return {
    kind: 'pseudoRigid',
    id,
    mass,
    euler,
    volume,
    relaxation,
    ...lameConstants(young, poisson),
    ...state,
  };
};

/** The rigid box of the same sides and density. */
export const hardBox = (
  id: string,
  { sides, density }: Pick<SoftBox, 'sides' | 'density'>,
  state: { position: readonly number[]; velocity?: readonly number[]; spin?: readonly number[] },
): BodyDescription => {
  const mass = density * sides[0] * sides[1] * sides[2];
  const [a, b, c] = sides.map((side) => (mass * side * side) / 12);
  return { id, mass, inertia: [b + c, a + c, a + b], ...state };
};

/** Contacts of one box for each body with one another and with a floor. */
export function boxContacts(
  bodies: readonly BodyDescription[],
  sides: readonly (readonly [number, number, number])[],
  floor: readonly [number, number, number] = [0, 0, 1],
): DetectedContacts {
  const isSoft = (body: number): boolean => 'kind' in bodies[body];
  const positionsAt: number[] = [];
  bodies.reduce((at, _, k) => {
    positionsAt.push(at);
    return at + (isSoft(k) ? 12 : 7);
  }, 0);
  const detection = new ContactDetection({
    dimension: 3,
    margin: 0.005,
    bodies: { positionsAt, deforms: isSoft },
  });
  detection.add(GROUND, plane(floor));
  sides.forEach(([a, b, c], k) => detection.add(k, box(a / 2, b / 2, c / 2)));
  return new DetectedContacts(detection, { materialOf: () => 0 });
}
