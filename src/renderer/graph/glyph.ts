/** Which sign a node of the graph carries: what an element is can be seen before its name is read. */

export type Glyph =
  | 'body'
  | 'system'
  | 'contact'
  | 'friction'
  | 'pin'
  | 'clearance'
  | 'slot'
  | 'slider'
  | 'weld'
  | 'distance'
  | 'spring'
  | 'motor'
  | 'gear'
  | 'relation';

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
};

export const systemGlyph = (type: string): Glyph => (type === 'PlanarBody' ? 'body' : 'system');

/** Joints by their relation; everything else by its law, which says what happens there. */
export function interactionGlyph(relation: string, law: string): Glyph {
  const joint = OF_RELATION[relation];
  if (joint !== undefined) return joint;
  if (law === 'NewtonImpactFriction') return 'friction';
  return law === 'NewtonImpact' ? 'contact' : 'relation';
}
