/** Documents of 3D bodies. */
import type {
  Expression,
  FieldValue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import { model } from './models';

export const G = 9.81;

/**
 * A rigid body under gravity, a box of density 1000 unless said otherwise.
 * @param fields further or other fields
 */
export function rigid(
  id: string,
  position: Expression[],
  fields: Record<string, FieldValue | undefined> = {},
): SystemDocument {
  const isPlain = fields.mass === undefined;
  return {
    id,
    type: 'RigidBody',
    ...(isPlain ? { density: 1000 } : {}),
    position,
    gravity: [0, 0, -G],
    shapes: [{ type: 'Box', size: [0.2, 0.2, 0.2] }],
    ...fields,
  };
}

/** A floor at height 0, or another plane. */
export const floor = (id = 'floor', fields: Record<string, FieldValue> = {}): SystemDocument => ({
  id,
  type: 'FixedBody',
  shapes: [{ type: 'Plane' }],
  ...fields,
});

export const touch = (id: string, systems: string[], mu = 0.5, e = 0): InteractionDocument => ({
  id,
  systems,
  relation: { type: 'ShapeContact' },
  law: { type: 'NewtonImpactFriction3D', mu, e },
});

export const joint = (id: string, systems: string[], relation: TypedElement): InteractionDocument => ({
  id,
  systems,
  relation,
  law: { type: 'Equality' },
});

export function spaceModel(
  systems: SystemDocument[],
  interactions: InteractionDocument[],
  { h = 1e-3, tEnd = 1 }: { h?: number; tEnd?: number } = {},
): ModelDocument {
  const document = model(systems, interactions, { h, tEnd });
  document.simulation.integrators = [];
  document.simulation.problem = { type: 'auto' };
  return document;
}

/** Quaternion of a turn by an angle about x, y or z. */
export const turned = (axis: 0 | 1 | 2, angle: number): number[] => {
  const q = [Math.cos(angle / 2), 0, 0, 0];
  q[axis + 1] = Math.sin(angle / 2);
  return q;
};

/** 3D bodies that stand apart, and what they are linked by. */
export const SPACE: readonly SystemDocument[] = [
  {
    id: 'body',
    type: 'RigidBody',
    mass: 1,
    position: [0, 0, 5],
    shapes: [{ type: 'Sphere', radius: 0.5 }],
  },
  { id: 'other', type: 'RigidBody', mass: 1, position: [0, 3, 5], shapes: [{ type: 'Sphere', radius: 0.5 }] },
];
export const TOUCH: InteractionDocument = {
  id: 'link',
  systems: ['body', 'other'],
  relation: { type: 'ShapeContact' },
  law: { type: 'NewtonImpactFriction3D', mu: 0.5, e: 0 },
};
