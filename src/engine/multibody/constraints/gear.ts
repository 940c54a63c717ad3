/** Gear: the angles of two bodies are in a constant ratio. Axes and housing are joints of their own. */
import {
  type Constraint,
  type ConstraintDefinition,
  type MarkerFactory,
  constantMotion,
} from '../constraint';
import { RelativeAngle } from '../rows';

export const definition: ConstraintDefinition = {
  type: 'gear',
  title: 'Gear',
  summary:
    'The second body turns by a constant multiple of the angle of the first, negative for external teeth.',
  rows: 1,
  equations: ['\\varphi_2 - \\rho\\,\\varphi_1 - \\alpha = 0'],
};

export interface GearDescription {
  type: 'gear';
  id: string;
  /** ids of the bodies, or `GROUND` */
  first: string;
  second: string;
  /** ρ */
  ratio: number;
  /** α, rad; 0 when left out */
  angle?: number;
}

export function build(
  { id, first, second, ratio, angle = 0 }: GearDescription,
  marker: MarkerFactory,
): Constraint {
  const [one, two] = [marker({ body: first }), marker({ body: second })];
  const rows = [new RelativeAngle(one, two, ratio, constantMotion(angle))];
  return { id, type: definition.type, rows, first: one, second: two };
}
