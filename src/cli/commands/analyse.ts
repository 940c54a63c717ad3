import type { FoundAttractor } from '@contract/analyses';
import { MoreauError } from '@contract/errors';
import type { AnalysisInfo, AnalysisOutcome, Dispatcher } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { plural } from '@engine/plural';
import { startFrom } from '@engine/run/initial-state';
import { type ComputedAnalysis, computedAnalysis } from '@main/analysis/computed-analysis';
import { analysisTable } from '@main/export/analysis-table';
import { saveAtomically } from '@main/files/atomic';
import type { EngineHost } from '@main/host/host';
import { checkExportPlace, exportTable } from '@main/export/export-table';
import { tableEndings } from '@main/export/registry';
import { countUncertified } from '@figures/uncertified';
import { type CliCommand, type CommandArguments, type CliContext, EXIT, UsageError } from '../command';
import { computing, printJson } from '../computing';
import { openHost } from '../host';
import type { Interruption } from '../interruption';
import { MODEL, openModel } from '../model';
import { ProgressDisplay } from '../progress';
import { checkComments, COMMENTS_HELP, parameters } from '../run-options';
import { TOLD } from '../sweep-outcome';

type Done = Extract<AnalysisOutcome, { status: 'done' }>;

/** `moreau analyse`: what a model's analyses find: sweeps, periodic orbits, branches, basins, exponents. */
export const analyseCommand: CliCommand = {
  name: 'analyse',
  summary: 'compute analyses of a model: orbits and multipliers, branches, Lyapunov exponents, sweeps',
  positionals: [MODEL],
  flags: {
    analysis: { type: 'string', multiple: true, value: 'ID', help: 'analysis to compute; default: all' },
    set: { type: 'string', multiple: true, value: 'NAME=VALUE', help: 'replace a parameter' },
    out: {
      type: 'string',
      value: 'FILE',
      help: `table of results of one analysis: ${tableEndings}`,
    },
    comments: { type: 'boolean', help: COMMENTS_HELP },
    'save-start': {
      type: 'string',
      value: 'FILE',
      help: 'write the model with one periodic orbit as its initial state',
    },
    json: { type: 'boolean', help: 'print the results as one JSON object' },
  },
  notes: ['Analyses stand in the model, where the window shows and changes them.'],
  run: computing(async (args, context, interruption) => {
    const host = await openHost(context);
    try {
      return await execute(host, args, context, interruption);
    } finally {
      await host.dispose();
    }
  }),
};

async function execute(
  host: EngineHost,
  args: CommandArguments,
  context: CliContext,
  interruption: Interruption,
): Promise<number> {
  const file = args.text('out');
  checkComments(args);
  if (file !== undefined) await checkExportPlace(file);
  const opened = await openModel(host, args.positionals[0], context);
  const document = withValues(opened, args);
  const wanted = args.texts('analysis');
  const ids = wanted.length > 0 ? wanted : (document.analyses ?? []).map(({ id }) => id);
  if (ids.length === 0)
    throw new MoreauError({
      code: 'no-analyses',
      message: 'The model has no analyses.',
      remedy: 'Add one in the window, under Analyses, or under “analyses” in its file.',
    });
  if (file !== undefined && ids.length !== 1)
    throw new UsageError('--out takes what one analysis finds: name it with --analysis ID.');
  const startFile = args.text('save-start');
  if (startFile !== undefined && ids.length !== 1)
    throw new UsageError('--save-start takes one periodic orbit: name it with --analysis ID.');
  const startedAt = new Date().toISOString();
  const found: Record<string, unknown> = {};
  let uncertified = 0;
  for (const id of ids) {
    const { info, outcome } = await compute(host, document, id, context, interruption);
    if (outcome === null) {
      context.note('moreau: cancelled\n');
      if (args.has('json')) printJson(context, { status: 'cancelled', analyses: found });
      return EXIT.cancelled;
    }
    found[id] = plainOf(outcome);
    uncertified += uncertifiedIn(outcome);
    if (!args.has('json')) context.out(`${words(id, info, outcome)}\n`);
    if (startFile !== undefined) context.note(await saveStart(opened, id, outcome, startFile));
    if (file === undefined) continue;
    await exportTable(await analysisTable(host, document, id, outcome, { startedAt }), file, undefined, {
      comments: args.has('comments'),
    });
    context.note(`${file}\n`);
  }
  if (args.has('json')) printJson(context, { status: 'done', title: document.title, analyses: found });
  return uncertified === 0 ? EXIT.done : EXIT.notCertified;
}

/**
 * The model as it was opened, with the orbit as its initial state.
 * @throws {MoreauError} where that is none, or fields of the model cannot hold it
 */
async function saveStart(document: ModelDocument, id: string, outcome: Done, file: string): Promise<string> {
  if (outcome.kind !== 'orbit')
    throw new MoreauError({
      code: 'no-orbit',
      message: `The analysis “${id}” finds no single periodic orbit.`,
      where: id,
      remedy: 'Name a periodic orbit with --analysis ID.',
    });
  const { start } = outcome;
  if (start.missing.length > 0)
    throw new MoreauError({
      code: 'state-not-held',
      message: `Fields of the model cannot hold the state of ${start.missing.join(', ')}.`,
      where: start.missing[0],
      remedy:
        'Of drawn circuits those can whose states are capacitors and inductors, each by itself, outside of sub-models.',
    });
  await saveAtomically(file, writeDocument(startFrom(document, start)), { backup: false });
  return `${file}: the model with the orbit of ${number(outcome.period)} s as its initial state\n`;
}

/** @throws {MoreauError} for a parameter that the model has not */
function withValues(document: ModelDocument, args: CommandArguments): ModelDocument {
  const set = parameters(args.texts('set'));
  for (const name of set.keys()) {
    if (document.parameters.some((parameter) => parameter.name === name)) continue;
    throw new MoreauError({
      code: 'unknown-parameter',
      message: `There is no parameter “${name}” to set.`,
      where: name,
      remedy: `Parameters of this model: ${document.parameters.map((one) => one.name).join(', ')}.`,
    });
  }
  return {
    ...document,
    parameters: document.parameters.map((one) => ({ ...one, value: set.get(one.name) ?? one.value })),
  };
}

/** Motions of an outcome of which a verdict fails. */
function uncertifiedIn(outcome: Done): number {
  switch (outcome.kind) {
    case 'sweep':
      // A point that fails has a verdict only where its run has begun.
      return outcome.directions.reduce(
        (sum, { verdicts, failures }) => sum + Math.max(countUncertified(verdicts), failures.length),
        0,
      );
    case 'branch':
    case 'basins':
      return countUncertified(outcome.verdicts);
    default: {
      const { verdict } = outcome;
      return Number(verdict !== undefined && (!verdict.solved || verdict.complete === false));
    }
  }
}

/** With a word on how far it has come, and an ear for Ctrl-C. */
async function compute(
  host: Dispatcher,
  document: ModelDocument,
  id: string,
  context: CliContext,
  interruption: Interruption,
): Promise<ComputedAnalysis> {
  const display = new ProgressDisplay(context.note, context.terminal, () => performance.now());
  const progress = ({ of, done = 0, part }: AnalysisInfo): void => {
    if (of === undefined) display.count(Math.round(100 * part), 100, `% of ${id}`);
    else display.count(done, of, `points of ${id}`);
  };
  const begun = (job: string): void =>
    interruption.react(() => void host.dispatch('analysis.cancel', { job }));
  try {
    return await computedAnalysis(host, document, id, progress, begun);
  } finally {
    display.clear();
  }
}

/** Numbers as lists; JSON has no word for those that are not finite. */
function plainOf(value: unknown): unknown {
  if (value instanceof Float64Array || value instanceof Uint8Array) return [...value].map(plainOf);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainOf(member)]));
}

const number = (value: number, digits = 7): string => String(Number(value.toPrecision(digits)));

function attractorLine({ cycle, share, largest, events, limit, period }: FoundAttractor, k: number): string {
  const turn = period === undefined ? '' : ` of period ${number(period, 10)} s`;
  const what =
    limit === undefined ? plural(cycle, 'period') : limit === 'rest' ? 'rest' : `limit cycle${turn}`;
  const part = `${number(100 * share, 4)} %`;
  if (events === undefined)
    return `attractor ${k + 1}: ${what}, largest multiplier ${largest === null ? 'unknown' : number(largest, 5)}, ${part} of the starts`;
  const seen = events === null ? 'accumulating impacts' : plural(events, 'event');
  return `${what}${limit === 'rest' ? '' : `, ${seen}`}: ${part} of the plane`;
}

const complex = (re: number, im: number): string =>
  im === 0 ? number(re) : `${number(re)} ${im < 0 ? '-' : '+'} ${number(Math.abs(im))}i`;

function words(id: string, { seconds }: AnalysisInfo, outcome: Done): string {
  const took = seconds === undefined ? '' : ` (${number(seconds, 3)} s)`;
  return [`${id}${took}`, ...[...linesOf(outcome), ...verdictLines(outcome)].map((line) => `  ${line}`)].join(
    '\n',
  );
}

function verdictLines(outcome: Done): string[] {
  const count = uncertifiedIn(outcome);
  if (count === 0) return [];
  if ('verdict' in outcome)
    return ['NOT CERTIFIED: the motion is not solved, or missed an event (exit code 5)'];
  return [
    `NOT CERTIFIED: ${plural(count, 'point')}; the columns “solved” and “complete” of --out say which (exit code 5)`,
  ];
}

function linesOf(outcome: Done): string[] {
  switch (outcome.kind) {
    case 'orbit':
      return [
        `${outcome.isStable ? 'stable' : 'unstable'} orbit, period ${number(outcome.period, 10)} s` +
          (outcome.multiple > 1 ? `, ${outcome.multiple} periods of the forcing` : ''),
        ...(outcome.section === null
          ? []
          : [
              `starts on the section ${outcome.section.id} at t = ${number(outcome.t0, 12)} s, closes after ${plural(outcome.section.returns, 'return')}`,
            ]),
        `multipliers ${Array.from(outcome.real, (re, k) => complex(re, outcome.imaginary[k])).join(', ')}`,
        `${plural(outcome.events.length, 'event')} in a period, ${plural(outcome.impacts, 'impact')} among them; residual ${number(outcome.residual, 2)}`,
        ...outcome.states.map(({ name, unit }, k) => `${name} = ${number(outcome.x[k], 12)} ${unit}`),
      ];
    case 'lyapunov':
      return [
        ...Array.from(
          outcome.exponents,
          (value, k) => `lambda${k + 1} = ${number(value)} ± ${number(outcome.errors[k], 2)} 1/s`,
        ),
        ...(outcome.dimension === null ? [] : [`dimension ${number(outcome.dimension, 4)}`]),
      ];
    case 'branch':
      return [
        `${plural(outcome.p.length, 'orbit')}, ${outcome.isStable.reduce((sum, one) => sum + one, 0)} of them stable`,
        ...(outcome.isAutonomous
          ? [
              `periods from ${number(Math.min(...outcome.period), 10)} to ${number(Math.max(...outcome.period), 10)} s`,
            ]
          : []),
        ...(outcome.section === undefined
          ? []
          : [`points on the section ${outcome.section.id}: ${plural(outcome.section.curves, 'curve')}`]),
        ...outcome.special.map(({ kind, p }) => `${kind} at ${outcome.parameter.name} = ${number(p, 10)}`),
        `ends: ${outcome.ends.join(', ')}`,
      ];
    case 'basins':
      return [
        ...outcome.attractors.map(attractorLine),
        `undecided: ${outcome.codes.filter((code) => code === outcome.undecided).length} of ${plural(outcome.codes.length, 'start')}`,
        ...(outcome.failure === '' ? [] : [`not simulated: ${outcome.failure}`]),
      ];
    case 'sweep':
      return outcome.directions.flatMap(({ start, index, counts, failures }) => {
        const points = counts.reduce((sum, count) => sum + count, 0);
        const failed = failures.length === 0 ? '' : `, ${failures.length} failed`;
        const failing = new Set(failures.map(({ index: point }) => point));
        const without = index.filter((point, k) => counts[k] === 0 && !failing.has(point)).length;
        const unmet =
          outcome.signals.length === 0 || without === 0
            ? ''
            : `, ${plural(without, 'run')} without one: they do not meet the section, or end within its transient; give a later tEnd, or fewer points left out at first (transient)`;
        return [
          `${start}: ${plural(index.length, 'point')}, ${plural(points, 'section point')}${failed}${unmet}`,
          ...failures.slice(0, TOLD).map(({ index: point, message }) => `point ${point + 1}: ${message}`),
        ];
      });
  }
}
