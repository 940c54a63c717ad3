/**
 * The half-space n·x ≤ d with the outward normal n: a floor or a wall. In the plane a half-plane. It has no
 * mass and belongs to the ground.
 */
import { type PlaneShape, refuseShape, requireFinite } from '../../collision/shapes/shape';
import type { FieldReader } from '../field-reader';
import { buildShape, shapeDefinition, type ShapeParts } from './shape-type';

/**
 * @param normal outward, of any length but zero; in the plane its last component is 0
 * @param offset distance of the surface from the origin of its frame, along the normal, m
 * @throws {EngineError} `shape-not-finite`, `plane-without-normal`
 */
export function plane(normal: readonly [number, number, number], offset = 0): PlaneShape {
  requireFinite('plane', 'normal', normal);
  requireFinite('plane', 'offset', [offset]);
  const length = Math.hypot(normal[0], normal[1], normal[2]);
  if (length === 0)
    refuseShape(
      'plane-without-normal',
      'The normal of the plane is zero.',
      'Give the direction that points out of the ground.',
    );
  return {
    kind: 'plane',
    dimensions: normal[2] === 0 ? [2, 3] : [3],
    normal: Float64Array.from(normal, (value) => value / length),
    offset,
    bounds(_frame, _at, out, outAt) {
      out.fill(-Infinity, outAt, outAt + 3);
      out.fill(Infinity, outAt + 3, outAt + 6);
    },
    massProperties: () => null,
  };
}

export const definition = shapeDefinition(
  'Plane',
  'Plane',
  'A floor, wall or slope: solid on the one side without end. On bodies that do not move.',
  'n \\cdot x \\le d',
  [
    {
      key: 'normal',
      kind: 'vector',
      length: 3,
      label: 'Normal',
      symbol: 'n',
      unit: '',
      required: false,
      help: 'Out of the solid, of any length; upwards, (0, 0, 1), when left out.',
    },
    {
      key: 'offset',
      kind: 'number',
      label: 'Offset',
      symbol: 'd',
      unit: 'm',
      required: false,
      default: 0,
      help: 'Distance of the surface from the origin of its frame, along the normal.',
    },
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.defectCount;
  const [x, y, z] = fields.has('normal') ? fields.vector('normal', 3) : [0, 0, 1];
  const offset = fields.number('offset');
  if (fields.defectCount > reported) return null;
  return buildShape(fields, 'normal', () => {
    const shape = plane([x, y, z], offset);
    const [nx, ny, nz] = shape.normal;
    return { shape, geometry: { kind: 'plane', normal: [nx, ny, nz], offset } };
  });
}
