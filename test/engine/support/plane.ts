/** Documents of discs and polygons, which move in the plane z = `HEIGHT`. */
import type { FieldValue, SystemDocument, TypedElement } from '@engine/document/types';
import { G } from './space';

/** m: not zero, so that nothing rests on that. */
export const HEIGHT = 0.25;

/** A body in the plane under gravity along −y. @param fields further or other fields */
export const plate = (
  id: string,
  x: number,
  y: number,
  fields: Record<string, FieldValue | undefined> = {},
): SystemDocument => ({
  id,
  type: 'RigidBody',
  ...(fields['mass'] === undefined ? { density: 100 } : {}),
  position: [x, y, HEIGHT],
  gravity: [0, -G, 0],
  shapes: [rectangle(0.2)],
  ...fields,
});

export const disc = (radius: number): TypedElement => ({ type: 'Disc', radius });

/** With its middle at the origin. */
export const rectangle = (a: number, b = a): TypedElement => ({
  type: 'Polygon',
  points: [
    [-a / 2, -b / 2],
    [a / 2, -b / 2],
    [a / 2, b / 2],
    [-a / 2, b / 2],
  ],
});

/** A half-plane whose surface goes through the origin and falls to the right by an angle. */
export const slope = (alpha: number): SystemDocument => ({
  id: 'slope',
  type: 'FixedBody',
  position: [0, 0, HEIGHT],
  shapes: [{ type: 'Plane', normal: [Math.sin(alpha), Math.cos(alpha), 0] }],
});
