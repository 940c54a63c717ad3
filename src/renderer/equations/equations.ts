/** What a drawing becomes, as blocks of equations with the names of its components. Pure. */
import type { DocumentReport, FieldValue, TypedElement } from '@engine/document/types';

export type Drawn = NonNullable<DocumentReport['drawn']>;

/** A matrix by its rows, or, beyond what one can look at, by its entries. */
export interface LabelledMatrix {
  /** LaTeX */
  readonly symbol: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly entries: readonly (readonly [row: number, column: number, value: number | string])[];
}

interface LawRow {
  readonly name: string;
  /** type of the law */
  readonly law: string;
  /** when it is there; empty: always */
  readonly condition: string;
}

export interface EquationBlock {
  readonly id: string;
  /** LaTeX lines */
  readonly equations: readonly string[];
  readonly matrices: readonly LabelledMatrix[];
  readonly laws: readonly LawRow[];
}

/** Rows and columns up to which a matrix is shown as a table. */
export const MOST_SHOWN = 40;

type Entry = readonly [number, number, number | string];

function entriesOf(value: FieldValue | undefined): Entry[] {
  if (Array.isArray(value))
    return value.flatMap((row, i): Entry[] =>
      Array.isArray(row)
        ? row.flatMap((one, j): Entry[] => (one === 0 ? [] : [[i, j, one]]))
        : row === 0
          ? []
          : [[i, 0, row as number | string]],
    );
  if (typeof value === 'object' && 'entries' in value) return value.entries;
  return [];
}

const dotted = (names: readonly string[]): string[] => names.map((name) => `d/dt ${name}`);

const listed = (value: FieldValue | undefined): readonly unknown[] => (Array.isArray(value) ? value : []);

function systemBlock(system: TypedElement & { id: string }, { labels, interactions }: Drawn): EquationBlock {
  const own = labels[system.id];
  const states = own?.rows ?? [];
  const sources = own?.sources ?? [];
  const matrix = (
    symbol: string,
    key: string,
    rows: readonly string[],
    columns: readonly string[],
  ): LabelledMatrix[] =>
    system[key] === undefined ? [] : [{ symbol, rows, columns, entries: entriesOf(system[key]) }];
  if (system.type === 'FirstOrderLinear') {
    const relation = interactions.find(({ systems }) => systems.includes(system.id));
    const laws = relation === undefined ? [] : (labels[relation.id]?.rows ?? []);
    const rest = states.length === 0 ? ['rest'] : states;
    const inputs = sources.map((name, k) => name || `u${k}`);
    return {
      id: system.id,
      equations: [
        `\\dot x = A x${system['b'] === undefined ? '' : ' + b'}${system['T'] === undefined ? '' : ' + T u(t)'}${laws.length === 0 ? '' : ' + B \\lambda'}`,
      ],
      matrices: [
        ...matrix('A', 'A', dotted(rest), rest),
        ...matrix('b', 'b', dotted(rest), ['1']),
        ...matrix('T', 'T', dotted(rest), inputs),
        ...matrix('u(t)', 'u', inputs, ['']),
        ...(relation === undefined
          ? []
          : [
              {
                symbol: 'B',
                rows: dotted(rest),
                columns: laws.map((name) => `λ ${name}`),
                entries: entriesOf(relation.relation['B']),
              },
            ]),
        ...matrix('x(t_0)', 'x0', rest, ['']),
      ],
      laws: [],
    };
  }
  // Blocks that are sampled and memories are what their types say.
  if (system.type !== 'LagrangianLinearTI') return { id: system.id, equations: [], matrices: [], laws: [] };
  const has = (key: string): boolean => system[key] !== undefined;
  return {
    id: system.id,
    equations: [
      `M \\ddot q${has('damping') ? ' + C \\dot q' : ''}${has('stiffness') ? ' + K q' : ''} = ${has('fExt') ? 'F(t) + ' : ''}H^\\top \\lambda`,
    ],
    matrices: [
      ...matrix('M', 'mass', states, states),
      ...matrix('C', 'damping', states, states),
      ...matrix('K', 'stiffness', states, states),
      ...matrix('F(t)', 'fExt', states, ['']),
      ...matrix('q(t_0)', 'q0', states, ['']),
      ...matrix('\\dot q(t_0)', 'v0', states, ['']),
    ],
    laws: [],
  };
}

/** A condition of presence in words: expressions that are positive while it holds. */
function conditionOf(presence: FieldValue | undefined): string {
  if (typeof presence !== 'object' || Array.isArray(presence) || !('condition' in presence)) return '';
  const { condition } = presence as { condition?: FieldValue };
  return listed(condition)
    .map((one) => `${String(one)} > 0`)
    .join(', ');
}

function interactionBlock(
  { id, systems, relation, law, while: presence }: Drawn['interactions'][number],
  { labels }: Drawn,
): EquationBlock {
  const rows = labels[id]?.rows ?? [];
  const states = systems.flatMap((system) => labels[system]?.rows ?? []);
  const sources = systems
    .flatMap((system) => labels[system]?.sources ?? [])
    .map((name, k) => name || `u${k}`);
  const rest = states.length === 0 ? ['rest'] : states;
  const multipliers = rows.map((name) => `λ ${name}`);
  const matrix = (symbol: string, key: string, columns: readonly string[]): LabelledMatrix[] =>
    relation[key] === undefined
      ? []
      : [{ symbol, rows: rows.map((name) => `y ${name}`), columns, entries: entriesOf(relation[key]) }];
  const parts = listed(law['laws']) as TypedElement[];
  const laws =
    parts.length === 0
      ? rows.map((name) => ({ name, law: law.type, condition: conditionOf(presence) }))
      : parts.map((part, k) => ({
          name: typeof part['name'] === 'string' ? part['name'] : (rows[k] ?? ''),
          law: part.type,
          condition: conditionOf(part['while']),
        }));
  if (relation.type === 'FirstOrderLinearTI')
    return {
      id,
      equations: [
        `y = C x + D \\lambda${relation['F'] === undefined ? '' : ' + F u(t)'}${relation['e'] === undefined ? '' : ' + e'}`,
      ],
      matrices: [
        ...matrix('C', 'C', rest),
        ...matrix('D', 'D', multipliers),
        ...matrix('F', 'F', sources),
        ...matrix('e', 'e', ['1']),
      ],
      laws,
    };
  const isMoving = relation.type === 'LagrangianRheonomous';
  return {
    id,
    equations: [isMoving ? 'y = h(q, t)' : `y = H q${relation['b'] === undefined ? '' : ' + b'}`],
    matrices: [...matrix('H', isMoving ? 'jacobian' : 'H', rest), ...matrix('b', 'b', ['1'])],
    laws,
  };
}

export const equationBlocks = (drawn: Drawn): EquationBlock[] => [
  ...drawn.systems.map((system) => systemBlock(system, drawn)),
  ...drawn.interactions.map((interaction) => interactionBlock(interaction, drawn)),
];

/** The entries of a matrix by rows; zeros are where nothing is. */
export function denseRows({ rows, columns, entries }: LabelledMatrix): (number | string)[][] {
  const all = rows.map(() => columns.map((): number | string => 0));
  for (const [i, j, value] of entries) {
    const row = all[i];
    if (row !== undefined) row[j] = value;
  }
  return all;
}

/** Texts in LaTeX, where `_`, `^` and `#` have meanings. */
const escaped = (value: string): string =>
  `\\text{${value
    .replace(/[\\{}]/g, '')
    .replace(/[_#%&$]/g, '\\$&')
    .replaceAll('^', '\\^{}')}}`;

const latexNumber = (value: number | string): string => {
  if (typeof value === 'string') return escaped(value);
  const [mantissa = '0', power] = String(value).split('e');
  return power === undefined ? mantissa : `${mantissa}\\cdot 10^{${Number(power)}}`;
};

/** All of it for a paper. */
export function equationsLatex(blocks: readonly EquationBlock[]): string {
  const matrixText = (matrix: LabelledMatrix): string => {
    const lines = denseRows(matrix).map((row) => row.map(latexNumber).join(' & '));
    const names = matrix.rows.map(escaped).join(',\\ ');
    return `% rows: ${names}\n${matrix.symbol} = \\begin{bmatrix}\n${lines.join(' \\\\\n')}\n\\end{bmatrix}`;
  };
  return blocks
    .map(({ id, equations, matrices, laws }) =>
      [
        `% ${id}`,
        ...[...equations, ...matrices.map(matrixText)].map((line) => `\\[\n${line}\n\\]`),
        ...laws.map(
          ({ name, law, condition }) => `% ${name}: ${law}${condition === '' ? '' : ` while ${condition}`}`,
        ),
      ].join('\n'),
    )
    .join('\n\n');
}
