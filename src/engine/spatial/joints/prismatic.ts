/** Prismatic joint: the bodies slide along the third axes of its frames without turning. */
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from '../marker';
import { AxisOffset, AxisProduct } from '../rows';

export const definition: SpatialJointDefinition = {
  type: 'prismatic',
  title: 'Prismatic joint',
  summary: 'A slider: the bodies move along a common axis and do not turn against each other.',
  rows: 5,
  coordinates: ['displacement'],
  equations: [
    "a \\cdot (P_2 - P_1) = b \\cdot (P_2 - P_1) = 0,\\quad c \\cdot a' = c \\cdot b' = a \\cdot b' = 0",
  ],
};

export interface PrismaticDescription extends SpatialJointDescription {
  type: 'prismatic';
}

export function build(_: PrismaticDescription, first: SpatialMarker, second: SpatialMarker): JointEquations {
  return {
    rows: [
      new AxisOffset(first, second, 0, 'a'),
      new AxisOffset(first, second, 1, 'b'),
      new AxisProduct(first, 2, second, 0, "c·a'"),
      new AxisProduct(first, 2, second, 1, "c·b'"),
      new AxisProduct(first, 0, second, 1, "a·b'"),
    ],
    coordinates: [new AxisOffset(first, second, 2, 'displacement')],
  };
}
