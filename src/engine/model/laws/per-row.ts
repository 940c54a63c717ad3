/**
 * Laws of different types on the rows of one relation, in their order: what the rows of a circuit are, which
 * D couples, with its diodes, switches, Zener diodes and amplifiers. The rows of the law are those of its
 * parts, one part after the other, so that all computations see one list of rows. A part may come and go by
 * a condition, as an interaction does.
 *
 * Its parts are laws of single rows: the graph of each row is its own, and no row depends on another but
 * through the relation.
 */
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { LawRow } from '../forms';
import type { LawPart, NonSmoothLaw } from '../nsds';
import { type PresenceCondition, readPresence } from '../settings/presences';
import type { LawTarget } from './common';
import * as complementarity from './complementarity';
import * as equality from './equality';
import * as mixedComplementarity from './mixed-complementarity';
import * as normalConeBox from './normal-cone-box';
import * as piecewiseLinear from './piecewise-linear';
import * as relay from './relay';

/** A law of single rows. */
interface RowLaw {
  readonly definition: ElementDefinition;
  build(fields: FieldReader, target: LawTarget): NonSmoothLaw;
}

const rowLaws: readonly RowLaw[] = [
  complementarity,
  equality,
  relay,
  piecewiseLinear,
  normalConeBox,
  mixedComplementarity,
];

/** Most rows of a part. */
const MOST_ROWS = 4000;

/** What every part has besides the fields of its law. */
const partFields: readonly FieldDefinition[] = [
  {
    key: 'name',
    kind: 'text',
    maxLength: 400,
    label: 'Name',
    symbol: '',
    unit: '',
    required: false,
    help: 'What messages, signals and views call this part, such as D1; law0, law1, … by its place where it is left out.',
  },
  {
    key: 'rows',
    kind: 'integer',
    min: 1,
    max: MOST_ROWS,
    label: 'Rows',
    symbol: '',
    unit: '',
    required: false,
    help: 'Rows of the relation that it covers, the next ones in order; as many as the law takes at once where this is left out.',
  },
  {
    key: 'while',
    kind: 'element',
    of: 'presences',
    label: 'Presence',
    symbol: '',
    unit: '',
    required: false,
    help: 'When its rows are there: an ideal switch is an equality that comes and goes. As long as the interaction is where this is left out.',
  },
];

/** Definitions of the parts. A first-order relation has no level to choose. */
export const rowLawDefinitions: readonly ElementDefinition[] = rowLaws.map(({ definition: own }) => ({
  ...own,
  fields: [...partFields, ...own.fields.filter(({ key }) => key !== 'level')],
}));

export const definition: ElementDefinition = {
  category: 'law',
  type: 'PerRow',
  title: 'Row by row',
  summary:
    'A list of laws, each on the next rows of the relation: diodes, ideal switches, Zener diodes and relays of one circuit, coupled by its D. Each may have a name and a condition by which its rows come and go.',
  order: 1,
  equations: ['(y_i, \\lambda_i) \\in \\mathcal G_i, \\quad i = 1, \\dots, m'],
  fields: [
    {
      key: 'laws',
      kind: 'elements',
      of: 'rowLaws',
      one: 'law',
      many: 'laws',
      label: 'Laws',
      symbol: '',
      unit: '',
      required: true,
      help: 'In the order of the rows; together they cover all rows of the relation.',
    },
  ],
  source: 'Acary and Brogliato 2008, §1.1 and §2.5',
};

/** A name, or a way to it, as `leg1.Q1` or `cells[3].D1`. */
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*(?:(?:\[\d+\])?\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/** The name of a part: given, or by its place. */
function nameOf(fields: FieldReader, k: number, taken: ReadonlySet<string>): string {
  const name = fields.has('name') ? fields.text('name') : `law${k}`;
  if (!IDENTIFIER.test(name))
    fields.reject(
      'name',
      'bad-name',
      `The name “${name}” cannot be used.`,
      'Use letters, digits and _, starting with a letter, and points between: it stands in the name of a signal.',
    );
  else if (taken.has(name))
    fields.reject(
      fields.has('name') ? 'name' : 'type',
      'duplicate-name',
      `Two laws of “${fields.element}” have the name “${name}”.`,
      'Rename one of the two: signals go by name.',
    );
  return name;
}

/** Rows of a part. @param size rows that its law takes at once */
function rowsOf(fields: FieldReader, size: number): number {
  if (!fields.has('rows')) return size;
  const rows = fields.number('rows');
  if (size > 0 && rows % size !== 0)
    fields.reject(
      'rows',
      'law-size',
      `The law takes ${size} rows at once; ${rows} is no multiple of that.`,
      `Give ${size} rows or a multiple, or leave the number out.`,
    );
  return rows;
}

/** A latch is one row with λ ≥ 0, and the opposite of a part is one of those before it. */
function checkPart(
  fields: FieldReader,
  presence: PresenceCondition,
  rows: readonly LawRow[],
  parts: readonly LawPart[],
): void {
  if ('unless' in presence) {
    const other = parts.find(({ name }) => name === presence.unless)?.presence;
    if (other !== undefined && !('unless' in other)) return;
    const names = parts.flatMap(({ name, presence: own }) =>
      own === undefined || 'unless' in own ? [] : [name],
    );
    fields.reject(
      'while',
      'unknown-part',
      `There is no part “${presence.unless}” that comes and goes before this one.`,
      names.length === 0 ? 'Put one before it.' : `Name one of ${names.join(', ')}.`,
    );
  } else if (presence.carries !== null) {
    const [row] = rows;
    if (rows.length === 1 && row.kind === 'box' && row.lower === 0 && row.upper === Infinity) return;
    fields.reject(
      'while',
      'latch-law',
      'A latch is for one row of complementarity, which carries something one way.',
      'Choose the law Complementarity with one row, or a Condition.',
    );
  }
}

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  const rows: LawRow[] = [];
  const parts: LawPart[] = [];
  const taken = new Set<string>();
  fields.elements('laws').forEach(({ type, fields: own }, k) => {
    const law = rowLaws.find((one) => one.definition.type === type);
    if (law === undefined) throw new Error(`type ${type} passed the schema without a definition`);
    const built = law.build(own, target);
    const name = nameOf(own, k, taken);
    taken.add(name);
    const size = rowsOf(own, built.size);
    const condition = own.typed('while');
    const presence = condition === null ? null : readPresence(condition);
    if (presence !== null)
      checkPart(own, presence, size === built.size ? built.rows : new Array<LawRow>(size), parts);
    parts.push({ name, first: rows.length, size, ...(presence === null ? {} : { presence }) });
    for (let r = 0; r < size; r++) rows.push(built.rows[r % built.size]);
  });
  if (parts.length === 0)
    fields.reject('laws', 'empty-law', 'The list of laws is empty.', 'Give a law for each row.');
  return {
    type: definition.type,
    size: rows.length,
    rows,
    level: 'position',
    multiplier: 'force',
    restitution: null,
    parts,
  };
}
