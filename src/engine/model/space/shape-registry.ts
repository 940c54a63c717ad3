/** Shapes of 3D bodies, one line for each type. */
import * as box from '../shapes/box';
import * as capsule from '../shapes/capsule';
import * as cylinder from '../shapes/cylinder';
import * as disc from '../shapes/disc';
import * as ellipsoid from '../shapes/ellipsoid';
import * as heightField from '../shapes/height-field';
import * as plane from '../shapes/plane';
import * as polygon from '../shapes/polygon';
import * as polyhedron from '../shapes/polyhedron';
import type { ShapeType } from '../shapes/shape-type';
import * as sphere from '../shapes/sphere';

const types: readonly ShapeType[] = [
  sphere,
  box,
  capsule,
  cylinder,
  ellipsoid,
  polyhedron,
  plane,
  heightField,
  disc,
  polygon,
];

export const shapeTypes: ReadonlyMap<string, ShapeType> = new Map(
  types.map((type) => [type.definition.type, type]),
);
