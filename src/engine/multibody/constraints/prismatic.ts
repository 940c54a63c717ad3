/** Prismatic joint: one body slides along a line of another and does not turn against it. */
import {
  type Attachment,
  type Constraint,
  type ConstraintDefinition,
  type MarkerFactory,
  constantMotion,
} from '../constraint';
import { PointOnLine, RelativeAngle } from '../rows';

export const definition: ConstraintDefinition = {
  type: 'prismatic',
  title: 'Prismatic joint',
  summary:
    'A slide: a point of the second body stays on a line of the first, and the bodies do not turn against each other.',
  rows: 2,
  equations: ['n_1 \\cdot (P_2 - P_1) = 0', '\\varphi_2 - \\varphi_1 - \\alpha = 0'],
};

export interface PlanarPrismaticDescription {
  type: 'prismatic';
  id: string;
  /** body of the line, and a point of the line */
  first: Attachment;
  second: Attachment;
  /** direction of the line in the frame of the first body, rad; 0 when left out */
  axis?: number;
  /** α, constant angle φ₂ − φ₁ between the bodies, rad; 0 when left out */
  angle?: number;
}

export function build(
  { id, first, second, axis = 0, angle = 0 }: PlanarPrismaticDescription,
  marker: MarkerFactory,
): Constraint {
  const [one, two] = [marker(first), marker(second)];
  const rows = [new PointOnLine(one, two, axis), new RelativeAngle(one, two, 1, constantMotion(angle))];
  return { id, type: definition.type, rows, first: one, second: two };
}
