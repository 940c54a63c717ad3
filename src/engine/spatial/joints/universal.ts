/**
 * Universal joint (Cardan, Hooke): a cross whose one arm is the first axis a of the first frame and whose
 * other arm is the second axis b′ of the second. With ᵗR₁ R₂ = R_x(α) R_y(β) the second body turns by α about
 * a, then by β about b′: b′ = (0, cos α, sin α) in the first frame and a = (cos β, 0, sin β) in the second.
 */
import { AxisAngle } from '../coordinates';
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from '../marker';
import { AxisProduct, Coincidence } from '../rows';

export const definition: SpatialJointDefinition = {
  type: 'universal',
  title: 'Universal joint',
  summary:
    'A cross: the bodies have a point in common, and an axis of the one is at right angles to one of the other.',
  rows: 4,
  coordinates: ['alpha', 'beta'],
  equations: ["P_2 - P_1 = 0,\\quad a \\cdot b' = 0"],
};

export interface UniversalDescription extends SpatialJointDescription {
  type: 'universal';
}

export function build(_: UniversalDescription, first: SpatialMarker, second: SpatialMarker): JointEquations {
  return {
    rows: [new Coincidence(first, second), new AxisProduct(first, 0, second, 1, "a·b'")],
    coordinates: [
      new AxisAngle(second, 1, first, 2, 1, 'alpha'),
      new AxisAngle(first, 0, second, 2, 0, 'beta'),
    ],
  };
}
