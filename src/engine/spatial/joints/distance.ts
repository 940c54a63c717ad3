/** Massless rod between two points. */
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from '../marker';
import { Separation } from '../rows';

export const definition: SpatialJointDefinition = {
  type: 'distance',
  title: 'Rod',
  summary: 'Two points keep their distance.',
  rows: 1,
  takesPoints: true,
  coordinates: [],
  equations: ['\\tfrac{1}{2}\\left(\\frac{|P_2 - P_1|^2}{L} - L\\right) = 0'],
};

export interface DistanceDescription extends SpatialJointDescription {
  type: 'distance';
  /** L, m, positive */
  length: number;
}

export function build(
  { length }: DistanceDescription,
  first: SpatialMarker,
  second: SpatialMarker,
): JointEquations {
  return { rows: [new Separation(first, second, length)], coordinates: [] };
}
