/** Massless rod: two points keep their distance, or have it prescribed as a function of time. */
import {
  type Attachment,
  type Constraint,
  type ConstraintDefinition,
  type MarkerFactory,
  type PrescribedCoordinate,
  constantMotion,
} from '../constraint';
import { PlanarSeparation } from '../rows';

export const definition: ConstraintDefinition = {
  type: 'distance',
  title: 'Rod',
  summary: 'Two points keep their distance; a length that is a function of time makes it an actuator.',
  rows: 1,
  equations: ['\\tfrac{1}{2}\\left(\\frac{|P_2 - P_1|^2}{L} - L\\right) = 0'],
};

export interface PlanarDistanceDescription {
  type: 'distance';
  id: string;
  first: Attachment;
  second: Attachment;
  /** L, m, positive */
  length: number | PrescribedCoordinate;
}

export function build(
  { id, first, second, length }: PlanarDistanceDescription,
  marker: MarkerFactory,
): Constraint {
  const [one, two] = [marker(first), marker(second)];
  const motion = typeof length === 'number' ? constantMotion(length) : length;
  return {
    id,
    type: definition.type,
    rows: [new PlanarSeparation(one, two, motion)],
    first: one,
    second: two,
  };
}
