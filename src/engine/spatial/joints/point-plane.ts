/**
 * A point of the second body and the plane through the first frame across its third axis: measures the gap,
 * demands nothing.
 */
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from '../marker';
import { AxisOffset } from '../rows';

export const definition: SpatialJointDefinition = {
  type: 'pointPlane',
  title: 'Point and plane',
  summary: 'The height of a point over a plane is measured, and kept within the limits it is given.',
  rows: 0,
  coordinates: ['gap'],
  equations: ['c \\cdot (P_2 - P_1)'],
};

export interface PointPlaneDescription extends SpatialJointDescription {
  type: 'pointPlane';
}

export function build(_: PointPlaneDescription, first: SpatialMarker, second: SpatialMarker): JointEquations {
  return { rows: [], coordinates: [new AxisOffset(first, second, 2, 'gap')] };
}
