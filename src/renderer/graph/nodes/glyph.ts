/** Which sign a node of the graph carries: what an element is can be seen before its name is read. */

export type Glyph =
  | 'body'
  | 'rigidBody'
  | 'softBody'
  | 'fixedBody'
  | 'system'
  | 'contact'
  | 'friction'
  | 'shapes'
  | 'ball'
  | 'pin'
  | 'hinge'
  | 'bush'
  | 'cross'
  | 'knee'
  | 'planar'
  | 'clearance'
  | 'slot'
  | 'slider'
  | 'weld'
  | 'distance'
  | 'rope'
  | 'stop'
  | 'spring'
  | 'motor'
  | 'gear'
  | 'relation';

const OF_SYSTEM: Readonly<Record<string, Glyph>> = {
  PlanarBody: 'body',
  RigidBody: 'rigidBody',
  PseudoRigidBody: 'softBody',
  FixedBody: 'fixedBody',
};

const OF_RELATION: Readonly<Record<string, Glyph>> = {
  Revolute: 'pin',
  PinInHole: 'clearance',
  PinInSlot: 'slot',
  Prismatic: 'slider',
  Rigid: 'weld',
  Distance: 'distance',
  Spring: 'spring',
  Driver: 'motor',
  Gear: 'gear',
  ShapeContact: 'shapes',
  ScriptedContact: 'contact',
  BallJoint: 'ball',
  RevoluteJoint: 'hinge',
  PrismaticJoint: 'slider',
  CylindricalJoint: 'bush',
  UniversalJoint: 'cross',
  KneeJoint: 'knee',
  PlanarJoint: 'planar',
  FixedJoint: 'weld',
  DistanceJoint: 'distance',
  Rope: 'rope',
  PointPlaneStop: 'stop',
  NewtonEulerRelation: 'relation',
};

export const systemGlyph = (type: string): Glyph => OF_SYSTEM[type] ?? 'system';

/** Joints by their relation; everything else by its law, which says what happens there. */
export function interactionGlyph(relation: string, law: string): Glyph {
  const joint = OF_RELATION[relation];
  if (joint !== undefined) return joint;
  if (law === 'NewtonImpactFriction') return 'friction';
  return law === 'NewtonImpact' ? 'contact' : 'relation';
}
