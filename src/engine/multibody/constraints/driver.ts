/**
 * Driver: an angle or a coordinate of a point follows a prescribed function of time. Its multiplier is the
 * drive's effort.
 */
import {
  type Attachment,
  type Constraint,
  type ConstraintDefinition,
  PLANAR_GROUND,
  type MarkerFactory,
  type PrescribedCoordinate,
} from '../constraint';
import { PointCoordinate, RelativeAngle } from '../rows';

export const definition: ConstraintDefinition = {
  type: 'driver',
  title: 'Driver',
  summary: 'A motor or cam: prescribes an angle, or x or y of a point, as a function of time.',
  rows: 1,
  equations: ['\\varphi_2 - \\varphi_1 - f(t) = 0', 'P_x - f(t) = 0', 'P_y - f(t) = 0'],
};

export interface DriverDescription {
  type: 'driver';
  id: string;
  /** what is driven; the point counts for `x` and `y` only */
  driven: Attachment;
  coordinate: 'x' | 'y' | 'angle';
  /** body that an angle is measured from; the ground when left out */
  relativeTo?: string;
  /** f with its first and second derivative, m or rad */
  motion: PrescribedCoordinate;
}

export function build(
  { id, driven, coordinate, relativeTo = PLANAR_GROUND, motion }: DriverDescription,
  marker: MarkerFactory,
): Constraint {
  const [first, second] = [marker({ body: relativeTo }), marker(driven)];
  const row =
    coordinate === 'angle'
      ? new RelativeAngle(first, second, 1, motion)
      : new PointCoordinate(second, coordinate === 'x' ? 0 : 1, motion);
  return { id, type: definition.type, rows: [row], first, second };
}
