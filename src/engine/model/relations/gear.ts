/** Gear: the angles of two bodies are in a constant ratio. Axes and housing are joints of their own. */
import type { Marker } from '../../multibody/marker';
import { RelativeAngle, type ConstraintRows, constantMotion } from '../../multibody/rows';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { angle, bodies, centres, jointRelation, JOINT_LAW } from './bodies';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'Gear',
  title: 'Gear',
  summary:
    'The second body turns by a constant multiple of the angle of the first, negative for external teeth.',
  order: 2,
  links: bodies(2, 2),
  law: JOINT_LAW,
  equations: ['y = \\varphi_2 - \\rho\\, \\varphi_1 - \\alpha', 'p = (\\nabla_q y)^{\\mathsf T} \\lambda'],
  fields: [
    {
      key: 'ratio',
      kind: 'number',
      label: 'Ratio',
      symbol: '\\rho',
      unit: '',
      required: true,
      help: 'Angle of the second body for one of the first; negative where they turn against each other.',
    },
    { ...angle, help: 'Angle of the second body where that of the first is zero.' },
  ],
  source: 'Haug 1989 §3.4',
};

/**
 * @param ratio ρ
 * @param turn α, rad
 */
export const gearRows = (first: Marker, second: Marker, ratio: number, turn: number): ConstraintRows[] => [
  new RelativeAngle(first, second, ratio, constantMotion(turn)),
];

export function build(fields: FieldReader, columns: number): Relation {
  const { first, second } = centres(columns);
  const rows = gearRows(first, second, fields.number('ratio'), fields.number('angle'));
  return jointRelation(definition.type, columns, rows, second, { isLinear: true });
}
