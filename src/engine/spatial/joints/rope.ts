/** Rope: nothing is demanded but that the distance of two points stays within its limits. */
import { PointDistance } from '../coordinates';
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from '../marker';

export const definition: SpatialJointDefinition = {
  type: 'rope',
  title: 'Rope',
  summary: 'The distance of two points is measured, and kept within the limits it is given.',
  rows: 0,
  takesPoints: true,
  coordinates: ['length'],
  equations: ['\\rho = |P_2 - P_1|'],
};

export interface RopeDescription extends SpatialJointDescription {
  type: 'rope';
}

export function build(_: RopeDescription, first: SpatialMarker, second: SpatialMarker): JointEquations {
  return { rows: [], coordinates: [new PointDistance(first, second, 'length')] };
}
