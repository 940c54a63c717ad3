/** Bodies that fall on the ground, with one law for all contacts: what benchmarks of piles advance. */
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import type { Shape } from '@engine/collision/shapes/shape';
import { plane } from '@engine/model/shapes/plane';
import { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import type { ContactMaterial } from '@engine/model/contact-laws/registry';
import { NaturalUnits } from '@engine/solvers/friction/equilibrated';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { SameAgain } from '@engine/solvers/friction/same-again';
import { compileSpatial } from '@engine/spatial/compile';

/** Step of all of them, s. */
export const STEP = 5e-3;
/** kg/m³, m/s², m */
const DENSITY = 1000;
const G = 9.81;
const MARGIN = 0.02;
const FRICTION = 0.5;
const TOLERANCE = 1e-8;

interface WorldSettings {
  /** m/s² */
  gravity?: readonly [number, number, number];
  /** of a step, s */
  h?: number;
  /** length of rolling friction, m; none when left out */
  rolling?: number;
  /** of contacts that may stay, m; overlaps stay as they are when left out */
  overlap?: number;
}

interface World {
  dynamics: ContactDynamics;
  /** of all contacts */
  material: ContactMaterial;
}

/**
 * Bodies over the plane z = 0.
 * @param bodies with the places of their mass centres, m
 */
export function worldOf(
  bodies: readonly { shape: Shape; position: readonly [number, number, number] }[],
  { gravity = [0, 0, -G], h = STEP, rolling, overlap }: WorldSettings = {},
): World {
  const system = compileSpatial({
    bodies: bodies.map(({ shape, position }, k) => {
      const properties = shape.massProperties(DENSITY);
      if (properties === null) throw new Error('the shape has no mass');
      const { mass, inertia } = properties;
      return { id: `body${k}`, mass, inertia: [...inertia], position: [...position] };
    }),
    joints: [],
    loads: [{ type: 'gravity', id: 'weight', acceleration: [...gravity] }],
  });
  const detection = new ContactDetection({ dimension: 3, margin: MARGIN });
  detection.add(GROUND, plane([0, 0, 1]));
  bodies.forEach(({ shape }, k) => detection.add(k, shape));
  const source = new DetectedContacts(detection, { materialOf: () => 0 });
  const material = {
    kind: 'impact',
    friction: FRICTION,
    restitution: 0,
    tangentialRestitution: 0,
    ...(rolling === undefined ? {} : { rolling }),
  } as const;
  const solver = new SameAgain(new NaturalUnits(createFrictionSolver('auto')));
  const dynamics = new ContactDynamics(system, source, [material], solver, {
    t0: 0,
    h,
    motion: { gyroscopic: 'conserving' },
    tolerance: TOLERANCE,
    projects: false,
    ...(overlap === undefined ? {} : { overlap }),
  });
  return { dynamics, material };
}

/** Equal bodies. @param rolling as of `worldOf` */
export function fallingBodies(
  shape: Shape,
  positions: readonly (readonly [number, number, number])[],
  rolling?: number,
): ContactDynamics {
  const settings = rolling === undefined ? {} : { rolling };
  return worldOf(
    positions.map((position) => ({ shape, position })),
    settings,
  ).dynamics;
}
