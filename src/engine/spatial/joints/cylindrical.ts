/** Cylindrical joint: the bodies slide along the third axes of its frames and turn about them. */
import { AxisAngle } from '../coordinates';
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from '../marker';
import { AxisOffset, AxisProduct } from '../rows';

export const definition: SpatialJointDefinition = {
  type: 'cylindrical',
  title: 'Cylindrical joint',
  summary: 'A rod in a bush: the bodies have an axis in common, slide along it and turn about it.',
  rows: 4,
  coordinates: ['displacement', 'angle'],
  equations: ["a \\cdot (P_2 - P_1) = b \\cdot (P_2 - P_1) = 0,\\quad c \\cdot a' = c \\cdot b' = 0"],
};

export interface CylindricalDescription extends SpatialJointDescription {
  type: 'cylindrical';
}

export function build(
  _: CylindricalDescription,
  first: SpatialMarker,
  second: SpatialMarker,
): JointEquations {
  return {
    rows: [
      new AxisOffset(first, second, 0, 'a'),
      new AxisOffset(first, second, 1, 'b'),
      new AxisProduct(first, 2, second, 0, "c·a'"),
      new AxisProduct(first, 2, second, 1, "c·b'"),
    ],
    coordinates: [
      new AxisOffset(first, second, 2, 'displacement'),
      new AxisAngle(second, 0, first, 1, 0, 'angle'),
    ],
  };
}
