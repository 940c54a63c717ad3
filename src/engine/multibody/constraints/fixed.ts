/** Rigid connection of two bodies, or of a body and the ground. */
import {
  type Attachment,
  type Constraint,
  type ConstraintDefinition,
  type MarkerFactory,
  constantMotion,
} from '../constraint';
import { PlanarCoincidence, RelativeAngle } from '../rows';

export const definition: ConstraintDefinition = {
  type: 'fixed',
  title: 'Rigid connection',
  summary: 'Two bodies move as one; its multipliers are the forces and the moment in the section.',
  rows: 3,
  equations: ['P_2 - P_1 = 0', '\\varphi_2 - \\varphi_1 - \\alpha = 0'],
};

export interface PlanarFixedDescription {
  type: 'fixed';
  id: string;
  first: Attachment;
  second: Attachment;
  /** α, constant angle φ₂ − φ₁ between the bodies, rad; 0 when left out */
  angle?: number;
}

export function build(
  { id, first, second, angle = 0 }: PlanarFixedDescription,
  marker: MarkerFactory,
): Constraint {
  const [one, two] = [marker(first), marker(second)];
  const rows = [new PlanarCoincidence(one, two), new RelativeAngle(one, two, 1, constantMotion(angle))];
  return { id, type: definition.type, rows, first: one, second: two };
}
