/** Equal bodies that fall on the ground, with one law for all contacts: what benchmarks of piles advance. */
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import type { Shape } from '@engine/collision/shapes/shape';
import { plane } from '@engine/model/shapes/plane';
import { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { NaturalUnits } from '@engine/solvers/friction/equilibrated';
import { compileSpatial } from '@engine/spatial/compile';

/** Step of all of them, s. */
export const STEP = 5e-3;
/** kg/m³, m/s², m */
const DENSITY = 1000;
const G = 9.81;
const MARGIN = 0.02;
const FRICTION = 0.5;
const TOLERANCE = 1e-8;

/**
 * @param positions of the mass centres, m
 * @param rolling length of rolling friction, m; none when left out
 */
export function fallingBodies(
  shape: Shape,
  positions: readonly (readonly [number, number, number])[],
  rolling?: number,
): ContactDynamics {
  const properties = shape.massProperties(DENSITY);
  if (properties === null) throw new Error('the shape has no mass');
  const { mass, inertia } = properties;
  const system = compileSpatial({
    bodies: positions.map((position, k) => ({
      id: `body${k}`,
      mass,
      inertia: [...inertia],
      position: [...position],
    })),
    joints: [],
    loads: [{ type: 'gravity', id: 'weight', acceleration: [0, 0, -G] }],
  });
  const detection = new ContactDetection({ dimension: 3, margin: MARGIN });
  detection.add(GROUND, plane([0, 0, 1]));
  positions.forEach((_, k) => detection.add(k, shape));
  const source = new DetectedContacts(detection, { materialOf: () => 0 });
  const material = {
    kind: 'impact',
    friction: FRICTION,
    restitution: 0,
    tangentialRestitution: 0,
    ...(rolling === undefined ? {} : { rolling }),
  } as const;
  return new ContactDynamics(system, source, [material], new NaturalUnits(new AutomaticFriction()), {
    t0: 0,
    h: STEP,
    motion: { gyroscopic: 'conserving' },
    tolerance: TOLERANCE,
    projects: false,
  });
}
