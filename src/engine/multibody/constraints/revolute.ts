/** Revolute joint: a point of one body and a point of another stay together. */
import type { Attachment, Constraint, ConstraintDefinition, MarkerFactory } from '../constraint';
import { PlanarCoincidence } from '../rows';

export const definition: ConstraintDefinition = {
  type: 'revolute',
  title: 'Revolute joint',
  summary: 'A pin: two points stay together, the bodies turn freely about it.',
  rows: 2,
  equations: ['P_2 - P_1 = 0'],
};

export interface PlanarRevoluteDescription {
  type: 'revolute';
  id: string;
  first: Attachment;
  second: Attachment;
}

export function build({ id, first, second }: PlanarRevoluteDescription, marker: MarkerFactory): Constraint {
  const [one, two] = [marker(first), marker(second)];
  return { id, type: definition.type, rows: [new PlanarCoincidence(one, two)], first: one, second: two };
}
