/**
 * Capsule: all points within r of the segment from (0, 0, −h) to (0, 0, h), a cylinder between two
 * hemispheres. With m_c the mass of the cylinder and m_s that of both hemispheres together,
 *
 *     I_z = m_c r²/2 + (2/5) m_s r²,
 *     I_x = I_y = m_c (r²/4 + h²/3) + m_s ((2/5) r² + h² + (3/4) h r);
 *
 * a hemisphere's own centre is 3r/8 from its disc, hence the term with h r.
 */
import { polytopeBounds, segmentPolytope } from '../../collision/shapes/polytope';
import {
  type RoundedShape,
  principalProperties,
  requireDensity,
  requirePositive,
} from '../../collision/shapes/shape';
import type { FieldReader } from '../field-reader';
import { buildShape, length, shapeDefinition, type ShapeParts } from './shape-type';

/**
 * @param radius m
 * @param halfLength of the segment, m
 * @throws {EngineError} `shape-size`
 */
export function capsule(radius: number, halfLength: number): RoundedShape {
  requirePositive('capsule', 'radius', radius);
  requirePositive('capsule', 'half length', halfLength);
  const core = segmentPolytope(halfLength);
  return {
    kind: 'capsule',
    dimensions: [3],
    core,
    radius,
    bounds: (frame, at, out, outAt) => polytopeBounds(core, radius, frame, at, out, outAt),
    massProperties(density) {
      requireDensity(density);
      const h = halfLength;
      const square = radius * radius;
      const tube = density * Math.PI * square * 2 * h;
      const ends = density * (4 / 3) * Math.PI * square * radius;
      const across = tube * (square / 4 + (h * h) / 3) + ends * (0.4 * square + h * h + 0.75 * h * radius);
      return principalProperties(tube + ends, across, across, tube * 0.5 * square + ends * 0.4 * square);
    },
  };
}

export const definition = shapeDefinition(
  'Capsule',
  'Capsule',
  'A rod with round ends, along z of its frame.',
  '\\operatorname{dist}(x, [-\\tfrac12 l\\, e_z, \\tfrac12 l\\, e_z]) \\le r',
  [
    length('radius', 'Radius', 'r', 'Of the rod and of its ends.'),
    length('length', 'Length', 'l', 'Between the centres of its ends.'),
  ],
);

export function build(fields: FieldReader): ShapeParts | null {
  const reported = fields.defectCount;
  const radius = fields.number('radius');
  const halfLength = 0.5 * fields.number('length');
  if (fields.defectCount > reported) return null;
  return buildShape(fields, 'radius', () => ({
    shape: capsule(radius, halfLength),
    geometry: { kind: 'capsule', radius, halfLength },
  }));
}
