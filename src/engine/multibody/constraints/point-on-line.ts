/** Pin in a slot: a point of one body stays on a line of another, and the bodies turn freely. */
import type { Attachment, Constraint, ConstraintDefinition, MarkerFactory } from '../constraint';
import { PointOnLine } from '../rows';

export const definition: ConstraintDefinition = {
  type: 'pointOnLine',
  title: 'Pin in a slot',
  summary: 'A point of the second body stays on a line of the first.',
  rows: 1,
  equations: ['n_1 \\cdot (P_2 - P_1) = 0'],
};

export interface PointOnLineDescription {
  type: 'pointOnLine';
  id: string;
  /** body of the line, and a point of the line */
  first: Attachment;
  second: Attachment;
  /** direction of the line in the frame of the first body, rad; 0 when left out */
  axis?: number;
}

export function build(
  { id, first, second, axis = 0 }: PointOnLineDescription,
  marker: MarkerFactory,
): Constraint {
  const [one, two] = [marker(first), marker(second)];
  return { id, type: definition.type, rows: [new PointOnLine(one, two, axis)], first: one, second: two };
}
