/** Ball joint: a point of one body and a point of the other stay together. */
import type { SpatialMarker } from '../marker';
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import { Coincidence } from '../rows';

export const definition: SpatialJointDefinition = {
  type: 'ball',
  title: 'Ball joint',
  summary: 'A point of one body and a point of the other stay together; the bodies turn freely about it.',
  rows: 3,
  takesPoints: true,
  coordinates: [],
  equations: ['P_2 - P_1 = 0'],
};

export interface BallDescription extends SpatialJointDescription {
  type: 'ball';
}

export function build(_: BallDescription, first: SpatialMarker, second: SpatialMarker): JointEquations {
  return { rows: [new Coincidence(first, second)], coordinates: [] };
}
