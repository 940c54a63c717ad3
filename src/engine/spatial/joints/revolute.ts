/** Revolute joint: a hinge along the third axes of its frames. */
import { AxisAngle } from '../coordinates';
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from '../marker';
import { AxisProduct, Coincidence } from '../rows';

export const definition: SpatialJointDefinition = {
  type: 'revolute',
  title: 'Revolute joint',
  summary: 'A hinge: the bodies have a point and an axis in common and turn about it.',
  rows: 5,
  coordinates: ['angle'],
  equations: ["P_2 - P_1 = 0,\\quad c \\cdot a' = c \\cdot b' = 0"],
};

export interface RevoluteDescription extends SpatialJointDescription {
  type: 'revolute';
}

export function build(_: RevoluteDescription, first: SpatialMarker, second: SpatialMarker): JointEquations {
  return {
    rows: [
      new Coincidence(first, second),
      new AxisProduct(first, 2, second, 0, "c·a'"),
      new AxisProduct(first, 2, second, 1, "c·b'"),
    ],
    // The direction of a′ in the plane of a and b.
    coordinates: [new AxisAngle(second, 0, first, 1, 0, 'angle')],
  };
}
