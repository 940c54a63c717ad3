/**
 * What an analysis has found as a table: points of sweeps, orbits of a branch, a period of an orbit,
 * exponents as they converge.
 */
import type {
  AnalysisOutcome,
  FoundBranch,
  NamedQuantity,
  PointVerdicts,
  SweepOutcome,
} from '@contract/analyses';
import type { Dispatcher } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import type { Provenance, TableColumn, TableSource } from './table-source';

type Done = Extract<AnalysisOutcome, { status: 'done' }>;

/** A column with its values. */
interface Filled extends TableColumn {
  readonly values: Float64Array;
}

const column = (quantity: NamedQuantity, description: string, values: Float64Array): Filled => ({
  ...quantity,
  description,
  values,
});

/** Every `width`-th number from `first` on. */
const strided = (all: Float64Array, first: number, width: number): Float64Array =>
  Float64Array.from({ length: Math.floor(all.length / width) }, (_, row) => all[row * width + first]);

/** What a column of a verdict says of its numbers. */
const VERDICTS = {
  solved: '1 where the equations of the scheme hold, 0 where they do not, NaN where that is not known',
  complete: '1 where no event was missed, 0 where one was, NaN where that is not known',
  accurate: '1 where it is as accurate as was asked for, 0 where it is not, NaN where that is not known',
  resolution: 'At which conditions were sampled where it is not known whether an event was missed',
} as const;

/**
 * What each row is worth. Of results of older versions nothing is known.
 * @param of values of a verdict by rows
 */
function verdictColumns(
  all: readonly (PointVerdicts | undefined)[],
  of: (value: (verdicts: PointVerdicts) => Float64Array | undefined) => Float64Array,
): Filled[] {
  const isSampled = all.some((one) => one?.resolution.some(Number.isFinite) === true);
  const isMeasured = all.some((one) => one?.accurate !== undefined);
  const ofVerdict = (name: keyof typeof VERDICTS, unit = ''): Filled =>
    column(
      { name, unit },
      VERDICTS[name],
      of((verdicts) => verdicts[name]),
    );
  return [
    ofVerdict('solved'),
    ofVerdict('complete'),
    ...(isSampled ? [ofVerdict('resolution', 's')] : []),
    ...(isMeasured ? [ofVerdict('accurate')] : []),
  ];
}

/** Directions as numbers. */
const DIRECTIONS = { initial: 0, up: 1, down: -1 } as const;

/** One row for each section point; without a section, or of points that have none, one for each point. */
function sweepColumns({ parameters, measures, signals, values, directions }: SweepOutcome): Filled[] {
  const width = parameters.length;
  const rows: { direction: number; index: number; point: number; at: number; d: number }[] = [];
  directions.forEach(({ start, index, counts }, d) => {
    let at = 0;
    index.forEach((point, k) => {
      const count = signals.length === 0 ? 0 : counts[k];
      const row = { direction: DIRECTIONS[start], index: point, point: k, d };
      if (count === 0) rows.push({ ...row, at: -1 });
      for (let i = 0; i < count; i++) rows.push({ ...row, at: at++ });
    });
  });
  const filled = (value: (row: (typeof rows)[number]) => number): Float64Array =>
    Float64Array.from(rows, value);
  const hasDirections = directions.length > 1;
  return [
    ...(hasDirections
      ? [
          column(
            { name: 'direction', unit: '' },
            '1 upwards, −1 downwards',
            filled((row) => row.direction),
          ),
        ]
      : []),
    ...parameters.map((quantity, a) =>
      column(
        quantity,
        'Parameter',
        filled((row) => values[row.index * width + a]),
      ),
    ),
    ...measures.map((quantity, m) =>
      column(
        quantity,
        'Measure',
        filled((row) => directions[row.d].measures[row.point * measures.length + m]),
      ),
    ),
    ...signals.map((quantity, s) =>
      column(
        quantity,
        s === 0 ? 'Time of the section point' : 'Section point',
        filled((row) => (row.at < 0 ? NaN : directions[row.d].section[row.at * signals.length + s])),
      ),
    ),
    ...verdictColumns(
      directions.map(({ verdicts }) => verdicts),
      (value) =>
        filled(({ d, point }) => {
          const { verdicts } = directions[d];
          return verdicts === undefined ? NaN : (value(verdicts)?.[point] ?? NaN);
        }),
    ),
  ];
}

/** What stands for the orbits of a branch. */
function branchState({ section, isAutonomous }: FoundBranch): string {
  if (section !== undefined) return `State on the section ${section.id}`;
  return isAutonomous ? 'Largest value on the orbit' : 'State at the start of the orbit';
}

/** Of an outcome whose rows are its points. */
const pointVerdicts = (verdicts: PointVerdicts | undefined, rows: number): Filled[] =>
  verdictColumns([verdicts], (value) =>
    verdicts === undefined ? new Float64Array(rows).fill(NaN) : (value(verdicts) ?? new Float64Array(rows)),
  );

function columnsOf(outcome: Done): Filled[] {
  switch (outcome.kind) {
    case 'sweep':
      return sweepColumns(outcome);
    case 'branch':
      return [
        column(outcome.parameter, 'Parameter', outcome.p),
        column(
          { name: 'stable', unit: '' },
          '1 where the orbit is stable',
          Float64Array.from(outcome.isStable),
        ),
        ...(outcome.isAutonomous ? [column({ name: 'period', unit: 's' }, 'Period', outcome.period)] : []),
        column({ name: 'largest', unit: '' }, 'Modulus of the largest multiplier', outcome.largest),
        column({ name: 'events', unit: '' }, 'Events in one period', outcome.events),
        ...outcome.states.map((state, k) =>
          column(state, branchState(outcome), strided(outcome.x, k, outcome.states.length)),
        ),
        ...pointVerdicts(outcome.verdicts, outcome.p.length),
      ];
    case 'basins': {
      const { x, y, xValues, yValues, codes, periods, undecided, notSimulated, attractors, places } = outcome;
      const varied = (axis: number): string => (places[axis] < 0 ? 'Parameter' : 'Initial value');
      const ofKind = (k: number, what: 'cycle' | 'events'): number => {
        const value = attractors.at(codes[k])?.[what];
        return value === null ? Infinity : (value ?? NaN);
      };
      const isAutonomous = attractors.some(({ limit }) => limit !== undefined);
      const limits = attractors.map(({ limit }) => Number(limit === 'cycle'));
      const width = xValues.length;
      const all = (value: (k: number) => number): Float64Array =>
        Float64Array.from(codes, (_, k) => value(k));
      return [
        column(
          x,
          varied(0),
          all((k) => xValues[k % width]),
        ),
        column(
          y,
          varied(1),
          all((k) => yValues[Math.floor(k / width)]),
        ),
        column(
          { name: 'attractor', unit: '' },
          'Number of the attractor from 1; 0 undecided, -1 not simulated',
          all((k) => (codes[k] === undecided ? 0 : codes[k] === notSimulated ? -1 : codes[k] + 1)),
        ),
        ...(isAutonomous
          ? [
              column(
                { name: 'limitCycle', unit: '' },
                '1 where it is a limit cycle, 0 where it is a point of rest',
                all((k) => limits.at(codes[k]) ?? NaN),
              ),
            ]
          : []),
        ...(places.includes(-1) && !isAutonomous
          ? [
              column(
                { name: 'cycle', unit: '' },
                'Periods after which it repeats',
                all((k) => ofKind(k, 'cycle')),
              ),
            ]
          : []),
        ...(places.includes(-1)
          ? [
              column(
                { name: 'events', unit: '' },
                'Events while it repeats once; Infinity where impacts accumulate',
                all((k) => ofKind(k, 'events')),
              ),
            ]
          : []),
        column({ name: 'periods', unit: '' }, 'Periods until it was there', Float64Array.from(periods)),
        ...pointVerdicts(outcome.verdicts, codes.length),
      ];
    }
    case 'orbit': {
      const width = outcome.states.length + 1;
      return [
        column({ name: 't', unit: 's' }, 'Time since the orbit began', strided(outcome.curve, 0, width)),
        ...outcome.states.map((state, k) => column(state, 'State', strided(outcome.curve, k + 1, width))),
      ];
    }
    case 'lyapunov':
      return [
        column({ name: 't', unit: 's' }, 'Time since disturbances are counted', outcome.times),
        ...Array.from(outcome.exponents, (_, k) =>
          column(
            { name: `lambda${k + 1}`, unit: '1/s' },
            'Lyapunov exponent up to this time',
            strided(outcome.history, k, outcome.exponents.length),
          ),
        ),
      ];
  }
}

/** The number of a setting of the simulation, which may be an expression. */
function settingOf(
  { simulation }: ModelDocument,
  key: 'h' | 't0' | 'tEnd',
  values: Readonly<Record<string, number>>,
): number {
  const given = simulation[key];
  return typeof given === 'number' ? given : (values[`/simulation/${key}`] ?? NaN);
}

/**
 * @param name of the analysis
 * @param document with the values that it was computed with
 * @param more of its provenance: `startedAt`, of one that was known already, when it was found
 */
export async function analysisTable(
  dispatcher: Dispatcher,
  document: ModelDocument,
  name: string,
  outcome: Done,
  more: Pick<Provenance, 'startedAt' | 'sweep'>,
): Promise<TableSource> {
  const columns = columnsOf(outcome);
  const { parameters, values } = await dispatcher.dispatch('document.report', { document });
  const { version } = await dispatcher.dispatch('app.info', {});
  const provenance: Provenance = {
    title: document.title,
    run: name,
    status: outcome.status,
    engineVersion: version,
    scheme: outcome.kind === 'sweep' ? document.simulation.scheme : 'event-driven',
    h: settingOf(document, 'h', values),
    t0: settingOf(document, 't0', values),
    tEnd: settingOf(document, 'tEnd', values),
    ...more,
    parameters,
    certificate: outcome.kind === 'orbit' ? { residual: outcome.residual } : {},
    ...('verdict' in outcome && { verdict: outcome.verdict }),
    model: document,
  };
  return {
    columns: columns.map(({ values: _, ...described }) => described),
    rows: columns[0]?.values.length ?? 0,
    provenance,
    read: (wanted, firstRow, count) =>
      Promise.resolve(wanted.map((k) => columns[k].values.slice(firstRow, firstRow + count))),
  };
}
