/** A shape of another type and the same size, as far as the two types allow. */
import type { FieldValue, TypedElement } from '@engine/document/types';
import type { ElementDefinition } from '@engine/model/definition';
import { newElement } from './factory';
import { changeType } from './fields';

/** Lengths along x, y and z, m. */
type Extent = readonly [number, number, number];

const numberOr = (value: FieldValue | undefined): number =>
  typeof value === 'number' && value > 0 ? value : Number.NaN;

/** The extent of a shape whose sizes are numbers; null of others. */
function extentOf(shape: TypedElement): Extent | null {
  const { size, semiAxes } = shape;
  const three = (value: FieldValue | undefined): number[] =>
    Array.isArray(value) && value.length === 3 ? (value as FieldValue[]).map(numberOr) : [];
  const radius = numberOr(shape['radius']);
  const extents: Readonly<Record<string, () => number[]>> = {
    Box: () => three(size),
    Ellipsoid: () => three(semiAxes).map((length) => 2 * length),
    Sphere: () => [2 * radius, 2 * radius, 2 * radius],
    Disc: () => [2 * radius, 2 * radius, 2 * radius],
    Cylinder: () => [2 * radius, 2 * radius, numberOr(shape['height'])],
    Capsule: () => [2 * radius, 2 * radius, numberOr(shape['length']) + 2 * radius],
  };
  const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = extents[shape.type]?.() ?? [];
  return Number.isNaN(x + y + z) ? null : [x, y, z];
}

/** Without the noise of rounding. */
const round = (length: number): number => Number(length.toPrecision(12));

/** Sizes of a type that fill an extent; none of types that are not told by one. */
function sizesOf(type: string, [x, y, z]: Extent): Record<string, FieldValue> {
  const width = 0.5 * Math.min(x, y);
  switch (type) {
    case 'Box':
      return { size: [x, y, z].map(round) };
    case 'Ellipsoid':
      return { semiAxes: [x, y, z].map((length) => round(0.5 * length)) };
    case 'Sphere':
      return { radius: round(Math.min(width, 0.5 * z)) };
    case 'Disc':
      return { radius: round(width) };
    case 'Polygon': {
      const [a, b] = [round(0.5 * x), round(0.5 * y)];
      return {
        points: [
          [-a, -b],
          [a, -b],
          [a, b],
          [-a, b],
        ],
      };
    }
    case 'Cylinder':
      return { radius: round(width), height: round(z) };
    case 'Capsule': {
      // A rod needs a length between its round ends.
      const radius = Math.min(width, 0.25 * z);
      return { radius: round(radius), length: round(z - 2 * radius) };
    }
    default:
      return {};
  }
}

/**
 * The shape with another type: where it is and how it is turned stays, and its size where that can be said.
 */
export function reshaped(
  shape: TypedElement,
  next: ElementDefinition,
  previous: ElementDefinition | undefined,
): TypedElement {
  const changed = changeType(shape, newElement(next), next, previous);
  const extent = extentOf(shape);
  return extent === null ? changed : { ...changed, ...sizesOf(next.type, extent) };
}
