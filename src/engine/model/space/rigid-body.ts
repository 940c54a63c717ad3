/**
 * Rigid 3D body, Siconos developer's notes §9: mass centre x and velocity V in the world's frame, unit
 * quaternion Q from the body's frame to the world's, angular velocity Ω in the body's frame,
 *
 *     m V̇ = m g + F + p_F,   (I Ω)˙ + Ω×I Ω = M + p_M,   ẋ = V,   Q̇ = ½ Q ∘ (0, Ω).
 */
import type { InertiaLaw } from '../../spatial/rigid-body';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { NOTHING } from '../plugin';
import { dynamicsFields } from './body-fields';
import { readBodyMass, UNIT_INERTIA } from './body-mass';
import { poseFields, readPose } from './pose';
import { readRigidLoads, rigidLoadFields } from './rigid-loads';
import { readShapes, shapesField } from '../shapes/registry';
import type { SpaceBody } from './space';

export const definition: ElementDefinition = {
  category: 'system',
  type: 'RigidBody',
  title: 'Rigid 3D body',
  summary: 'A body with mass centre and orientation, for joints in space and for contacts between shapes.',
  order: 'body',
  equations: [
    'm \\dot V = m g + F + p_F, \\quad \\tfrac{\\mathrm d}{\\mathrm dt}(I \\Omega) + \\Omega \\times I \\Omega = M + p_M',
    '\\dot x = V, \\quad \\dot Q = \\tfrac12\\, Q \\circ (0, \\Omega), \\quad |Q| = 1',
  ],
  fields: [
    {
      key: 'mass',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Mass',
      symbol: 'm',
      unit: 'kg',
      required: false,
      help: 'Of the body; left out where a density is given.',
    },
    {
      key: 'density',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Density',
      symbol: '\\rho',
      unit: 'kg/m³',
      required: false,
      help: 'In place of the mass: mass and inertia follow from the shapes. Of discs and polygons it is that of an area, in kg/m².',
    },
    {
      key: 'inertia',
      kind: 'vectorOrFunction',
      length: 'any',
      plugin: 'bodyInertia',
      label: 'Inertia',
      symbol: 'I',
      unit: 'kg m²',
      required: false,
      help: 'About the mass centre in the frame of the body: three principal moments, or nine entries row by row; of discs and polygons the one about z is enough. Or a script function of time, for a body that changes its form. Follows from the shapes when left out.',
    },
    ...poseFields('the mass centre and its frame', 'the world', true),
    ...dynamicsFields(
      'V',
      'F',
      'at the mass centre and in the world’s frame unless point and frame are chosen',
    ),
    ...rigidLoadFields,
    shapesField,
  ],
  source: 'Siconos developer’s notes §9',
};

/** I as a function of time; null where it is constant. */
function readInertiaLaw(fields: FieldReader): InertiaLaw | null {
  const law = fields.function('inertia');
  return law === null ? null : (clock, out) => law(clock, NOTHING, NOTHING, out);
}

export function build(fields: FieldReader): SpaceBody {
  const shapes = readShapes(fields);
  shapes.forEach(({ shape }, k) => {
    if (shape.kind === 'plane' || shape.kind === 'heightField')
      fields.reject(
        `shapes/${k}`,
        'shape-on-body',
        `A ${shape.kind === 'plane' ? 'plane' : 'height field'} has no end and cannot be on a body that moves.`,
        'Put it on a fixed body, or give this one a box.',
      );
  });
  const mass = readBodyMass(fields, shapes);
  const velocity = new Float64Array(6);
  velocity.set(fields.vector('velocity', 3));
  velocity.set(fields.vector('spin', 3), 3);
  const [x, y, z] = fields.vector('gravity', 3);
  return {
    type: definition.type,
    id: fields.element,
    pose: readPose(fields),
    shapes,
    listsShapes: fields.elements(shapesField.key).length > 0,
    dynamics: {
      kind: 'rigid',
      mass: mass?.mass ?? 1,
      inertia: mass?.inertia ?? UNIT_INERTIA,
      inertiaLaw: readInertiaLaw(fields),
      velocity,
      gravity: [x, y, z],
      ...readRigidLoads(fields),
    },
    motion: null,
  };
}
