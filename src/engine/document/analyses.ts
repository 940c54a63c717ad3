/** From the analyses of a document to what is asked for. */
import type { ElementDefinition } from '../model/definition';
import type { FieldReader } from '../model/field-reader';
import { analysisDefinitions } from '../model/registry';
import { type EvaluationContext, FieldValues } from './field-values';
import type {
  AnalysisDocument,
  DocumentIssue,
  Expression,
  ModelDocument,
  SchemeName,
  SectionDocument,
} from './types';

/** What the check of one analysis has at hand. */
interface Reading {
  readonly document: ModelDocument;
  readonly given: AnalysisDocument;
  readonly fields: FieldReader;
  readonly report: (key: string, code: string, message: string, remedy: string) => void;
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `ball.q`, `ball.v[2]`, `circuit.x[0]` */
const STATE = /^[A-Za-z_]\w*\.[qvx](?:\[\d+\])?$/;

const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };

/** A field as it stands: its value may change with the parameter that is varied. */
const expressionOf = ({ given }: Reading, key: string): Expression => {
  const value = given[key];
  return typeof value === 'number' || typeof value === 'string' ? value : 0;
};

function knownParameter(reading: Reading, name: string, key: string): string {
  const { parameters } = reading.document;
  if (parameters.some((parameter) => parameter.name === name)) return name;
  reading.report(
    key,
    'unknown-parameter',
    name === '' ? 'No parameter is chosen.' : `There is no parameter “${name}”.`,
    parameters.length === 0
      ? 'Add a parameter to the model, and use it where it is to act.'
      : `Choose one of ${parameters.map((parameter) => parameter.name).join(', ')}.`,
  );
  return name;
}

/** What an axis varies. A state is known when the model is built: its builder script may add it. */
function variedBy(
  reading: Reading,
  type: string,
  own: FieldReader,
  i: number,
): { parameter: string } | { initial: string } {
  if (type !== 'initialRange' && type !== 'initialValues')
    return { parameter: knownParameter(reading, own.text('parameter'), `axes/${i}/parameter`) };
  const initial = own.text('state').trim();
  if (!STATE.test(initial))
    reading.report(
      `axes/${i}/state`,
      'unknown-state',
      initial === '' ? 'No state is named.' : `“${initial}” is no name of a state.`,
      'Name a position, velocity or first-order state, such as ball.q, ball.v[2] or circuit.x[0].',
    );
  return { initial };
}

function axesOf(reading: Reading): AxisRequest[] {
  const { fields, report } = reading;
  const axes = fields.elements('axes');
  if (axes.length === 0)
    report('axes', 'no-axes', 'Nothing is varied.', 'Add a parameter or a state with its values.');
  const read = axes.map(({ type, fields: own }, i): AxisRequest => {
    const varied = variedBy(reading, type, own, i);
    if (type === 'values' || type === 'initialValues') {
      const values = own.vector('values', own.vectorLength('values'));
      if (values.length === 0)
        report(`axes/${i}/values`, 'no-values', 'The list has no values.', 'Give at least one.');
      return { ...varied, values: [...values] };
    }
    return { ...varied, from: own.number('from'), to: own.number('to'), count: own.number('count') };
  });
  const keys = read.map((axis) => ('parameter' in axis ? 'parameter' : 'state'));
  const names = read.map((axis) => ('parameter' in axis ? axis.parameter : axis.initial));
  names.forEach((name, i) => {
    if (names.some((other, k) => k < i && other === name && keys[k] === keys[i]))
      report(
        `axes/${i}/${keys[i]}`,
        'duplicate-axis',
        `“${name}” is varied twice.`,
        'Remove one of the two.',
      );
  });
  return read;
}

const namesSection = ({ fields }: Reading): boolean => fields.has('section') && fields.text('section') !== '';

/** The section of the document that is named; reported where there is none. */
function namedSection(reading: Reading): SectionDocument | undefined {
  if (!namesSection(reading)) return undefined;
  const named = reading.fields.text('section');
  const section = reading.document.simulation.sections?.find(({ id }) => id === named);
  if (section === undefined)
    reading.report(
      'section',
      'unknown-section',
      `There is no section “${named}”.`,
      'Choose a section of the simulation settings, or none.',
    );
  return section;
}

/** A section that orbits start on: impacts or a surface. */
function orbitSection(reading: Reading): OrbitSection | undefined {
  const section = namedSection(reading);
  if (section === undefined) return undefined;
  const { id, type } = section;
  const fields = section as Readonly<Record<string, unknown>>;
  switch (type) {
    case 'impact':
      return {
        id,
        kind: 'impact',
        contact: fields['contact'] as string,
        state: fields['state'] === 'before' ? 'before' : 'after',
      };
    case 'surface': {
      const { direction } = fields;
      const known = direction === 'falling' || direction === 'both' ? direction : 'rising';
      return { id, kind: 'surface', g: fields['g'] as string, direction: known };
    }
    default:
      reading.report(
        'section',
        'unsuitable-section',
        `The section “${id}” is stroboscopic: it says when, not where an orbit starts.`,
        'Choose a section on impact or on a surface, or none with the phase of that one.',
      );
      return undefined;
  }
}

function sweepOf(reading: Reading): SweepRequest {
  const { fields, report } = reading;
  const axes = axesOf(reading);
  const sampling = fields.choice('sampling');
  const section = namedSection(reading);
  const measures = listed(fields.text('measures'));
  if (!namesSection(reading) && measures.length === 0)
    report(
      'section',
      'nothing-kept',
      'Nothing is kept of the runs.',
      'Choose a section, or name measures such as “max ball.q”.',
    );
  const signals = listed(fields.text('signals'));
  const scheme = fields.choice('scheme');
  const start = fields.choice('start') as SweepRequest['start'];
  const last = axes.at(-1);
  if (start !== 'initial' && sampling === 'grid' && last !== undefined && 'initial' in last)
    report(
      'start',
      'followed-start',
      `Runs cannot start at values of “${last.initial}” and where their neighbours have ended.`,
      'Start in the initial state, or let the last axis vary a parameter.',
    );
  return {
    kind: 'sweep',
    plan:
      sampling === 'grid'
        ? { kind: 'grid', axes }
        : {
            kind: sampling === 'random' ? 'random' : 'latinHypercube',
            axes,
            count: fields.number('samples'),
            seed: fields.number('seed'),
          },
    ...(section !== undefined && {
      section: {
        section,
        transient: fields.number('transient'),
        count: fields.number('points'),
        ...(signals.length > 0 && { signals }),
      },
    }),
    measures,
    skip: fields.number('skip'),
    start,
    ...optional('scheme', scheme === 'document' ? undefined : (scheme as SchemeName)),
    ...optional('tEnd', fields.has('tEnd') ? fields.number('tEnd') : undefined),
    ...optional('accuracy', fields.choice('accuracy') === 'measured' ? (true as const) : undefined),
  };
}

const wholeOrNull = (fields: FieldReader, key: string): number | null =>
  fields.has(key) ? fields.number(key) : null;

/** What an orbit is looked for by. */
function orbitSearch(reading: Reading): {
  period: Expression;
  multiple: number | null;
  phase: number;
  settle: number;
} {
  const { fields } = reading;
  // Reported where it cannot be evaluated.
  fields.number('period');
  return {
    period: expressionOf(reading, 'period'),
    multiple: wholeOrNull(fields, 'multiple'),
    phase: fields.number('phase'),
    settle: fields.number('settle'),
  };
}

const fromSection = (reading: Reading): Pick<OrbitRequest, 'section' | 'returns'> => ({
  ...optional('section', orbitSection(reading)),
  ...optional('returns', wholeOrNull(reading.fields, 'returns') ?? undefined),
});

const READERS: Readonly<Record<string, (reading: Reading) => AnalysisRequest>> = {
  sweep: sweepOf,
  orbit: (reading) => ({
    kind: 'orbit',
    isAutonomous: reading.fields.choice('forcing') === 'none',
    ...orbitSearch(reading),
    ...fromSection(reading),
  }),
  branch: (reading) => {
    const { document, fields, report } = reading;
    const parameter = knownParameter(reading, fields.text('parameter'), 'parameter');
    const [from, to] = [fields.number('from'), fields.number('to')];
    if (from >= to)
      report('to', 'out-of-range', `The range ends at ${to}, not above ${from}.`, 'Give a larger end.');
    const start = document.parameters.find(({ name }) => name === parameter)?.value ?? 0;
    return {
      kind: 'branch',
      isAutonomous: fields.choice('forcing') === 'none',
      parameter,
      from,
      to,
      at: fields.has('at') ? fields.number('at') : start,
      ...orbitSearch(reading),
      ...fromSection(reading),
      longestStep: fields.number('longestStep'),
      maxPoints: fields.number('maxPoints'),
    };
  },
  basins: (reading) => {
    const { fields, report } = reading;
    const [x, y] = [basinAxis(reading, 'x'), basinAxis(reading, 'y')];
    if ('state' in x && 'state' in y && x.state === y.state)
      report('yState', 'duplicate-axis', `“${x.state}” stands on both axes.`, 'Choose another state.');
    if ('parameter' in x && 'parameter' in y && x.parameter === y.parameter)
      report(
        'yParameter',
        'duplicate-axis',
        `“${x.parameter}” stands on both axes.`,
        'Choose another parameter, or a state.',
      );
    fields.number('period');
    return {
      kind: 'basins',
      x,
      y,
      ...optional('isAutonomous', fields.choice('forcing') === 'none' ? (true as const) : undefined),
      period: expressionOf(reading, 'period'),
      phase: fields.number('phase'),
      maxPeriods: fields.number('maxPeriods'),
      longestCycle: fields.number('longestCycle'),
      tolerance: fields.number('tolerance'),
      confirm: fields.number('confirm'),
      stride: fields.number('stride'),
    };
  },
  lyapunov: ({ fields }) => ({
    kind: 'lyapunov',
    transient: fields.number('transient'),
    duration: fields.number('duration'),
    interval: fields.number('interval'),
    count: wholeOrNull(fields, 'count'),
  }),
};

/** Initial values or parameters along one side of a plane. */
function basinAxis(reading: Reading, axis: 'x' | 'y'): BasinAxis {
  const { fields, report } = reading;
  const [stateKey, parameterKey] = [`${axis}State`, `${axis}Parameter`];
  const named = (key: string): string => (fields.has(key) ? fields.text(key).trim() : '');
  const [state, parameter] = [named(stateKey), named(parameterKey)];
  const side = axis === 'x' ? 'across' : 'upwards';
  if (state !== '' && parameter !== '')
    report(
      parameterKey,
      'two-varied',
      `The plane varies “${state}” and “${parameter}” ${side}; it varies one of them.`,
      'Leave out the state or the parameter.',
    );
  if (state === '' && parameter === '')
    report(
      stateKey,
      'nothing-varied',
      `The plane varies nothing ${side}.`,
      'Name a state, such as ball.q, or choose a parameter.',
    );
  const [from, to] = [fields.number(`${axis}From`), fields.number(`${axis}To`)];
  if (from >= to)
    report(`${axis}To`, 'out-of-range', `The range ends at ${to}, not above ${from}.`, 'Give a larger end.');
  const ends = { from, to, count: fields.number(`${axis}Count`) };
  return parameter !== '' && state === ''
    ? { parameter: knownParameter(reading, parameter, parameterKey), ...ends }
    : { state, ...ends };
}

const definitionOf = (given: AnalysisDocument): ElementDefinition | undefined =>
  analysisDefinitions.find(({ type }) => type === given.type);

/**
 * One analysis of a document whose structure is sound. Defects go to `context.issues`.
 * @param index of it among the analyses
 */
export function readAnalysis(
  document: ModelDocument,
  index: number,
  context: EvaluationContext,
): AnalysisRequest {
  const given = document.analyses?.[index];
  const definition = given === undefined ? undefined : definitionOf(given);
  if (given === undefined || definition === undefined)
    throw new Error(`analysis ${index} passed the schema without a definition`);
  const place = `/analyses/${index}`;
  const fields = new FieldValues(given.id, definition, given, place, context);
  const report: Reading['report'] = (key, code, message, remedy) => {
    const pointer = `${place}/${key}`;
    context.issues.push({ severity: 'error', code, pointer, element: given.id, message, remedy });
  };
  return READERS[given.type]({ document, given, fields, report });
}

/**
 * Reports what is wrong with analyses. They do not keep the model from running: their defects are warnings,
 * but for numbers that are not finite, which no part of a document may hold.
 */
export function checkAnalyses(document: ModelDocument, context: EvaluationContext): void {
  const ids = new Set<string>();
  (document.analyses ?? []).forEach(({ id }, i) => {
    const issues: DocumentIssue[] = [];
    if (ids.has(id))
      issues.push({
        severity: 'error',
        code: 'duplicate-id',
        pointer: `/analyses/${i}/id`,
        element: id,
        message: `There are two analyses “${id}”.`,
        remedy: 'Give one another id.',
      });
    ids.add(id);
    readAnalysis(document, i, { ...context, issues });
    context.issues.push(
      ...issues.map((issue) =>
        issue.code === 'not-finite' ? issue : { ...issue, severity: 'warning' as const },
      ),
    );
  });
}

/*
 * What analyses of a document ask for, evaluated; expressions are left where they follow the parameter that
 * is varied.
 */

/** What an axis varies: a parameter, or the initial value of a state by the name of its signal. */
type Varied = { readonly parameter: string } | { readonly initial: string };

/** Values of one parameter or initial value. */
export type AxisRequest = Varied &
  (
    | /** @property count values from `from` to `to`, both included */
      { readonly from: number; readonly to: number; readonly count: number }
    | { readonly values: readonly number[] }
  );

export interface SweepRequest {
  readonly kind: 'sweep';
  readonly plan:
    | { readonly kind: 'grid'; readonly axes: readonly AxisRequest[] }
    | {
        readonly kind: 'random' | 'latinHypercube';
        readonly axes: readonly AxisRequest[];
        readonly count: number;
        readonly seed: number;
      };
  readonly section?: {
    readonly section: SectionDocument;
    readonly signals?: readonly string[];
    readonly transient: number;
    readonly count: number;
  };
  readonly measures: readonly string[];
  readonly skip: number;
  readonly start: 'initial' | 'up' | 'down' | 'both';
  readonly scheme?: SchemeName;
  /** s */
  readonly tEnd?: number;
  /** whether the accuracy of each run is measured */
  readonly accuracy?: true;
}

interface OrbitSearch {
  /** of the forcing, s; of an autonomous model a guess */
  readonly period: Expression;
  /** periods of the forcing that make one of the orbit; null: to be found */
  readonly multiple: number | null;
  /** part of the period, counted from t = 0 */
  readonly phase: number;
  /** periods */
  readonly settle: number;
}

interface FromSection {
  /** where orbits start and are shot from; absent: at the phase */
  readonly section?: OrbitSection;
  /** returns to the section that make one orbit; absent: to be found */
  readonly returns?: number;
}

/** A section of the document that an orbit starts on. */
export type OrbitSection = { readonly id: string } & (
  | { readonly kind: 'impact'; readonly contact: string; readonly state: 'before' | 'after' }
  | { readonly kind: 'surface'; readonly g: string; readonly direction: 'rising' | 'falling' | 'both' }
);

export interface OrbitRequest extends OrbitSearch, FromSection {
  readonly kind: 'orbit';
  readonly isAutonomous: boolean;
}

export interface BranchRequest extends OrbitSearch, FromSection {
  readonly kind: 'branch';
  readonly isAutonomous: boolean;
  readonly parameter: string;
  readonly from: number;
  readonly to: number;
  readonly at: Expression;
  readonly longestStep: number;
  readonly maxPoints: number;
}

export interface LyapunovRequest {
  readonly kind: 'lyapunov';
  /** s */
  readonly transient: number;
  readonly duration: number;
  readonly interval: number;
  /** null: all exponents */
  readonly count: number | null;
}

/** Values of one component of the initial state, or of a parameter, along one side of a plane. */
export type BasinAxis = (
  | {
      /** name of the signal */
      readonly state: string;
    }
  | { readonly parameter: string }
) & {
  readonly from: number;
  readonly to: number;
  readonly count: number;
};

export interface BasinsRequest {
  readonly kind: 'basins';
  readonly x: BasinAxis;
  readonly y: BasinAxis;
  /** absent of a forced model */
  readonly isAutonomous?: true;
  /** of the forcing, s; of an autonomous model a guess of its cycles’ */
  readonly period: Expression;
  readonly phase: number;
  readonly maxPeriods: number;
  readonly longestCycle: number;
  readonly tolerance: number;
  readonly confirm: number;
  /** every n-th start is looked at for attractors */
  readonly stride: number;
}

export type AnalysisRequest = SweepRequest | OrbitRequest | BranchRequest | LyapunovRequest | BasinsRequest;
