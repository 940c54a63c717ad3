/**
 * Relation between 3D bodies that a script gives: y = h(q) of the coordinates q = (x, Q) of all linked
 * bodies, seven each. With the law of equality it is a joint, y = 0; with an impact law a stop, y ≥ 0.
 */
import type { CoordinateFunction } from '../../spatial/general-relation';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { definition as equality } from '../laws/equality';
import { NO_TIME, NOTHING } from '../plugin';
import { POSE } from './pose';
import { definition as rigidBody } from './rigid-body';
import type { SpaceGeneral } from './space';

/** Bodies that one relation may link, and its rows: its Jacobian is dense. */
const MOST_BODIES = 100;
const MOST_ROWS = 100;

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'NewtonEulerRelation',
  title: 'Relation of 3D bodies',
  summary:
    'A function of the positions and quaternions of one, two or many bodies: a joint with the law of equality, a stop with an impact law.',
  order: 'body',
  links: { types: [rigidBody.type], least: 1, most: MOST_BODIES },
  law: equality.type,
  equations: [
    'y = h(q), \\quad q = (x_1, Q_1, x_2, Q_2, \\dots)',
    'p = (\\nabla_q h\\, T(q))^{\\mathsf T} \\lambda',
  ],
  fields: [
    {
      key: 'size',
      kind: 'integer',
      min: 1,
      max: MOST_ROWS,
      label: 'Outputs',
      symbol: 'm',
      unit: '',
      required: false,
      default: 1,
      help: 'Number of rows of h.',
    },
    {
      key: 'h',
      kind: 'function',
      plugin: 'positionConstraint',
      label: 'Output function',
      symbol: 'h',
      unit: 'm',
      required: true,
      help: 'Script function of q, seven numbers for each linked body: x, y, z of the mass centre and the quaternion w, x, y, z. The recorded λ of a row is a force, N for a row in m, and N m for one in rad.',
    },
    {
      key: 'jacobian',
      kind: 'function',
      plugin: 'positionConstraintJacobian',
      label: 'Jacobian',
      symbol: '\\nabla_q h',
      unit: '',
      required: false,
      derivation: { of: 'h', by: 'q' },
      help: 'By q, a row for each output and seven columns for each body; derived from h when left out.',
    },
  ],
  source: 'Siconos developer’s notes §9',
};

/** @param bodies how many are linked @returns null after a reported defect */
export function build(fields: FieldReader, bodies: number): SpaceGeneral | null {
  const reported = fields.defectCount;
  const size = fields.number('size');
  const h = fields.function('h');
  const gradient = fields.jacobian('jacobian', size, POSE * bodies);
  if (h === null || fields.defectCount > reported) return null;
  const evaluate: CoordinateFunction = (z, out) => {
    h(NO_TIME, z, NOTHING, out);
  };
  const jacobian: CoordinateFunction = (z, out) => {
    gradient.evaluate(NO_TIME, z, NOTHING, out);
  };
  return { kind: 'general', type: definition.type, size, h: evaluate, jacobian };
}
