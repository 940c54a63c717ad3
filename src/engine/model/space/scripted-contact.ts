/**
 * Contact whose geometry a script gives: points on two bodies, or on the world and a body, and the normal, as
 * a function of the poses q = (x, Q), seven numbers for each linked body. Nothing is detected, so that bodies
 * need no shapes, and surfaces may be whatever a formula describes.
 */
import type { CoordinateFunction } from '../../spatial/general-relation';
import { definition as friction } from '../contact-laws/newton-impact-friction';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { NO_TIME, NOTHING } from '../plugin';
import { definition as fixedBody } from './fixed-body';
import { definition as rigidBody } from './rigid-body';
import type { SpaceContact } from './space';

/** Contacts that one interaction may have. */
const MOST_CONTACTS = 100;

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'ScriptedContact',
  title: 'Contact by a script',
  summary:
    'Contact of two bodies, or of a body and the world, whose points and normal are functions of the poses: for surfaces that no shape describes. Time-stepping only.',
  order: 'body',
  links: { types: [rigidBody.type, fixedBody.type], least: 1, most: 2 },
  law: friction.type,
  equations: [
    'g = n \\cdot (P_2 - P_1), \\quad P_1, P_2, n \\text{ functions of } q = (x_1, Q_1, x_2, Q_2)',
    'U = V_2 + \\omega_2 \\times s_2 - V_1 - \\omega_1 \\times s_1, \\quad p = H^{\\mathsf T} R',
  ],
  fields: [
    {
      key: 'contact',
      kind: 'function',
      plugin: 'contactGeometry',
      label: 'Points and normal',
      symbol: 'P_1, P_2, n',
      unit: '',
      required: true,
      help: 'Script function of q, seven numbers for each linked body: x, y, z of its origin and the quaternion w, x, y, z. It fills nine numbers for each contact, in the frame of the world: the point on the first body, the point on the second, and the normal from the first to the second, of any length but zero. The first point is the one nearest to the second. With one body linked, it is of the world. A ball of radius R above the plane z = 0: out.set([q[0], q[1], 0, q[0], q[1], q[2] - p.R, 0, 0, 1]).',
    },
    {
      key: 'contacts',
      kind: 'integer',
      min: 1,
      max: MOST_CONTACTS,
      label: 'Contacts',
      symbol: 'n_c',
      unit: '',
      required: false,
      default: 1,
      help: 'Number of contacts that the function fills. Each is always there; it is closed where the law says so.',
    },
  ],
  source: 'Siconos developer’s notes §9',
};

/** @returns null after a reported defect */
export function build(fields: FieldReader): SpaceContact | null {
  const reported = fields.defectCount;
  const size = fields.number('contacts');
  const contact = fields.function('contact');
  if (contact === null || fields.defectCount > reported) return null;
  const evaluate: CoordinateFunction = (z, out) => {
    contact(NO_TIME, z, NOTHING, out);
  };
  return { kind: 'contact', type: definition.type, geometry: { size, evaluate } };
}
