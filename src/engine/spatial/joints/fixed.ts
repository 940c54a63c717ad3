/** Fixed joint: two bodies as one. */
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from '../marker';
import { AxisProduct, Coincidence } from '../rows';

export const definition: SpatialJointDefinition = {
  type: 'fixed',
  title: 'Fixed joint',
  summary: 'The frames of both bodies stay together: they move as one body.',
  rows: 6,
  coordinates: [],
  equations: ["P_2 - P_1 = 0,\\quad c \\cdot a' = c \\cdot b' = a \\cdot b' = 0"],
};

export interface FixedDescription extends SpatialJointDescription {
  type: 'fixed';
}

export function build(_: FixedDescription, first: SpatialMarker, second: SpatialMarker): JointEquations {
  return {
    rows: [
      new Coincidence(first, second),
      new AxisProduct(first, 2, second, 0, "c·a'"),
      new AxisProduct(first, 2, second, 1, "c·b'"),
      new AxisProduct(first, 0, second, 1, "a·b'"),
    ],
    coordinates: [],
  };
}
