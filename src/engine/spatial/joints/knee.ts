/**
 * Knee: a common point of two bodies, as in Siconos' KneeJointR, whose three rows are those of the ball
 * joint. Here the third axes of its frames are those of the two limbs, and the angle between them is its
 * coordinate, which limits keep in a range.
 */
import { BendAngle } from '../coordinates';
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from '../marker';
import { Coincidence } from '../rows';

export const definition: SpatialJointDefinition = {
  type: 'knee',
  title: 'Knee',
  summary: 'Two bodies have a point in common; the angle between their limbs can be limited.',
  rows: 3,
  coordinates: ['bend'],
  equations: ["P_2 - P_1 = 0,\\quad \\beta = \\angle(c, c')"],
};

export interface KneeDescription extends SpatialJointDescription {
  type: 'knee';
}

export function build(_: KneeDescription, first: SpatialMarker, second: SpatialMarker): JointEquations {
  return {
    rows: [new Coincidence(first, second)],
    coordinates: [new BendAngle(first, second, 2, 'bend')],
  };
}
