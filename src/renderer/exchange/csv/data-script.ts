/** The script of a table: its numbers as arrays, a search, and the functions of a plug-in kind. */
import type { ScriptDocument } from '@engine/document/types';
import type { CsvSeries } from '@figures/data/series';
import { monotoneSlopes } from './slopes';

export const INTERPOLATIONS = ['linear', 'cubic', 'constant'] as const;
export type Interpolation = (typeof INTERPOLATIONS)[number];
export const EXTRAPOLATIONS = ['hold', 'zero', 'periodic', 'error'] as const;
export type Extrapolation = (typeof EXTRAPOLATIONS)[number];
/** What the data are in the model; a motion and a constraint come with their rates. */
const SCRIPT_ROLES = ['externalForce', 'timeVector', 'prescribedMotion', 'constraint'] as const;
type ScriptRole = (typeof SCRIPT_ROLES)[number];
/** A table of the document, or functions of a script. */
export const DATA_ROLES = ['table', ...SCRIPT_ROLES] as const;
export type DataRole = (typeof DATA_ROLES)[number];

export interface DataScriptPlan {
  readonly fileName: string;
  /** name of the function */
  readonly name: string;
  readonly role: ScriptRole;
  readonly interpolation: Interpolation;
  readonly extrapolation: Extrapolation;
  /** name and unit of each column of values */
  readonly columns: readonly { readonly name: string; readonly unit: string }[];
  readonly series: CsvSeries;
}

/** Whether a role needs the rate of its data. */
const needsRate = (role: DataRole): boolean => role === 'prescribedMotion' || role === 'constraint';

/** A motion that jumps has no velocity. */
export const isPossible = (role: DataRole, interpolation: Interpolation): boolean =>
  !needsRate(role) || interpolation !== 'constant';

const PER_LINE = 8;

function numbers(name: string, values: Float64Array): string[] {
  const lines: string[] = [];
  for (let i = 0; i < values.length; i += PER_LINE)
    lines.push(`  ${Array.from(values.subarray(i, i + PER_LINE), String).join(', ')},`);
  return [`const ${name} = [`, ...lines, '];'];
}

/** Numbers of the columns side by side: the names of columns stand in the comment above. */
const valuesName = (k: number): string => `values${k}`;
const slopesName = (k: number): string => `slopes${k}`;

const SEARCH = [
  '/** Row at whose time the interval begins that holds s. */',
  'function rowAt(s: number): number {',
  '  let low = 0;',
  '  let high = times.length - 2;',
  '  while (low < high) {',
  '    const middle = Math.ceil((low + high) / 2);',
  '    if (times[middle] <= s) low = middle;',
  '    else high = middle - 1;',
  '  }',
  '  return low;',
  '}',
];

/** Lines that turn t into a time s of the table, or return what holds outside. */
function within(extrapolation: Extrapolation, isRate: boolean, name: string): string[] {
  switch (extrapolation) {
    case 'hold':
      if (isRate) return ['  if (t < first || t > last) return 0;', '  const s = t;'];
      return ['  const s = Math.min(Math.max(t, first), last);'];
    case 'zero':
      return ['  if (t < first || t > last) return 0;', '  const s = t;'];
    case 'periodic':
      return [
        '  const turns = (t - first) / (last - first);',
        '  const s = first + (last - first) * (turns - Math.floor(turns));',
      ];
    case 'error':
      return [
        `  if (t < first || t > last) throw new Error(\`${name}: the data have no value at t = \${t} s.\`);`,
        '  const s = t;',
      ];
  }
}

const VALUE: Readonly<Record<Interpolation, readonly string[]>> = {
  constant: ['  return s >= last ? values[values.length - 1] : values[i];'],
  linear: [
    '  const x = (s - times[i]) / (times[i + 1] - times[i]);',
    '  return values[i] + x * (values[i + 1] - values[i]);',
  ],
  cubic: [
    '  const h = times[i + 1] - times[i];',
    '  const x = (s - times[i]) / h;',
    '  const y = 1 - x;',
    '  const ends = y * y * (1 + 2 * x) * values[i] + x * x * (1 + 2 * y) * values[i + 1];',
    '  return ends + h * x * y * (y * slopes[i] - x * slopes[i + 1]);',
  ],
};

const RATE: Readonly<Record<Interpolation, readonly string[]>> = {
  constant: ['  return 0 * values[i];'],
  linear: ['  return (values[i + 1] - values[i]) / (times[i + 1] - times[i]);'],
  cubic: [
    '  const h = times[i + 1] - times[i];',
    '  const x = (s - times[i]) / h;',
    '  const y = 1 - x;',
    '  const ends = (6 * x * y * (values[i + 1] - values[i])) / h;',
    '  return ends + y * (1 - 3 * x) * slopes[i] + x * (1 - 3 * y) * slopes[i + 1];',
  ],
};

function reader(plan: DataScriptPlan, isRate: boolean): string[] {
  const { interpolation, extrapolation, name } = plan;
  const slopes = interpolation === 'cubic' ? ', slopes: number[]' : '';
  const words = isRate ? 'Rate of a column at a time' : 'A column at a time';
  return [
    `/** ${words}. */`,
    `function ${isRate ? 'rate' : 'value'}(t: number, values: number[]${slopes}): number {`,
    ...within(extrapolation, isRate, name),
    '  const i = rowAt(s);',
    ...(isRate ? RATE : VALUE)[interpolation],
    '}',
  ];
}

function calls(plan: DataScriptPlan, isRate: boolean): string[] {
  return plan.columns.map((_, k) => {
    const slopes = plan.interpolation === 'cubic' ? `, ${slopesName(k)}` : '';
    return `${isRate ? 'rate' : 'value'}(t, ${valuesName(k)}${slopes})`;
  });
}

/** Names of the functions that a plan makes, that of the data first. */
export const functionNames = ({
  name,
  role,
}: {
  readonly name: string;
  readonly role: DataRole;
}): string[] => (needsRate(role) ? [name, `${name}Rate`] : [name]);

function functions(plan: DataScriptPlan): string[] {
  const [name, rateName] = functionNames(plan);
  const filled = (isRate: boolean, before = ''): string[] =>
    calls(plan, isRate).map((call, k) => `  out[${k}] = ${before.replace('#', String(k))}${call};`);
  switch (plan.role) {
    case 'externalForce':
      return [`export const ${name}: ExternalForce = (t, out) => {`, ...filled(false), '};'];
    case 'timeVector':
      return [`export const ${name}: TimeVector = (t, out) => {`, ...filled(false), '};'];
    case 'prescribedMotion':
      return [
        `export const ${name}: PrescribedMotion = (t, out) => {`,
        ...filled(false),
        '};',
        '',
        `export const ${rateName}: PrescribedMotion = (t, out) => {`,
        ...filled(true),
        '};',
      ];
    case 'constraint':
      return [
        '/** Distance of each coordinate from the data. */',
        `export const ${name}: Constraint = (t, q, out) => {`,
        ...filled(false, 'q[#] - '),
        '};',
        '',
        `export const ${rateName}: ConstraintTimeDerivative = (t, q, out) => {`,
        ...filled(true, '-'),
        '};',
      ];
  }
}

const WORDS: Readonly<Record<Interpolation, string>> = {
  constant: 'constant from each row to the next',
  linear: 'straight between the rows',
  cubic: 'monotone cubics between the rows',
};
const OUTSIDE: Readonly<Record<Extrapolation, string>> = {
  hold: 'the first and the last value hold outside',
  zero: 'zero outside',
  periodic: 'repeated outside',
  error: 'outside of the data the run stops',
};

/** What stands in a comment must not end it, nor be what scripts may not hold. */
const said = (text: string): string =>
  text
    .replaceAll('*/', '* /')
    .replaceAll('<!--', '')
    .replaceAll('-->', '')
    .replace(/import\s*\(/g, 'import ');

/** The script. @param scriptName a name that no script of the model has */
export function dataScript(plan: DataScriptPlan, scriptName: string): ScriptDocument {
  const { series, columns, interpolation, extrapolation } = plan;
  const { t, values } = series;
  const named = columns
    .map(({ name, unit }, k) => `${valuesName(k)} is ${name}${unit === '' ? '' : ` in ${unit}`}`)
    .join(', ');
  const source = [
    '/**',
    ` * Data of ${said(plan.fileName)}: ${t.length} rows from ${t[0]} to ${t[t.length - 1]} s; ${WORDS[interpolation]},`,
    ` * ${OUTSIDE[extrapolation]}. ${said(named)}.`,
    ' */',
    ...numbers('times', t),
    ...values.flatMap((column, k) => numbers(valuesName(k), column)),
    ...(interpolation === 'cubic'
      ? values.flatMap((column, k) => numbers(slopesName(k), monotoneSlopes(t, column)))
      : []),
    'const first = times[0];',
    'const last = times[times.length - 1];',
    '',
    ...SEARCH,
    '',
    ...reader(plan, false),
    ...(needsRate(plan.role) ? ['', ...reader(plan, true)] : []),
    '',
    ...functions(plan),
  ];
  return { name: scriptName, role: 'functions', source };
}
