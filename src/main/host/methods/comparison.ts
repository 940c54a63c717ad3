import { MoreauError } from '@contract/errors';
import type { ComparedRun, CompareResult } from '@contract/methods';
import { isCertified } from '@contract/verdict';
import { type ContactName, impactContacts } from '@engine/analysis/comparison/compare-recordings';
import type { Span } from '@engine/analysis/comparison/recorded-rows';
import { stepLengthOrders } from '@engine/analysis/comparison/observed-order';
import type { SignalInfo, SignalKind } from '@engine/document/types';
import type { HostContext, MethodHandlers } from '../context';
import type { ReaderClient } from '../reader-client';
import type { ComparedRunQuery } from '../reader';
import type { HostRun } from '../host-run';
import { columnOf } from './reading';

/**
 * Signals compared where the caller names none: those of the motion, and what the model derives from them.
 */
const COMPARED_KINDS: ReadonlySet<SignalKind> = new Set(['position', 'velocity', 'state', 'observable']);

/** Methods that compare recordings, also of runs that are still computing. */
export const comparisonMethods: MethodHandlers<'run.compare'> = {
  'run.compare': async (context, { reference: referenceId, others: otherIds, signals, from, to }) => {
    const [reference, ...others] = await Promise.all(
      [referenceId, ...otherIds].map((id) => readable(context, id)),
    );
    const all = [reference, ...others];
    const names = signals ?? commonSignals(all);
    const { endedBy, ...span } = await commonSpan(context.reader, all, { from, to });
    const differences: CompareResult['others'] = [];
    let scales: Float64Array = new Float64Array(names.length);
    // One after the other: the reader can answer plots in between.
    for (const other of others) {
      const contacts = commonContacts(reference, other);
      const answer = await context.reader.ask('compare', {
        reference: queryOf(reference, names, contacts),
        other: queryOf(other, names, contacts),
        names,
        contacts,
        ...span,
      });
      scales = answer.scales;
      differences.push({ ...nameOf(other), ...answer.difference });
    }
    const described = signalsOf(reference);
    return {
      reference: nameOf(reference),
      ...span,
      endedBy,
      signals: names.map((name, k) => {
        const { unit, kind } = described[columnOf(reference, name)];
        return { name, unit, kind, scale: scales[k] };
      }),
      others: differences,
      orders: ordersOf(others, differences, scales),
    };
  },
};

const signalsOf = (run: HostRun): readonly SignalInfo[] => run.prepared?.signals ?? [];

/** @throws {MoreauError} `unknown-run`; `nothing-recorded` for a run that has no row yet, or never had one */
async function readable({ runs }: HostContext, runId: string): Promise<HostRun> {
  const run = runs.get(runId);
  if ((await runs.readable(runId)) && run.prepared !== null && run.rows > 0) return run;
  throw new MoreauError({
    code: 'nothing-recorded',
    message: `${run.name} has recorded nothing to compare.`,
    where: runId,
    remedy: 'Wait until it has started, or leave it out.',
  });
}

/** @throws {MoreauError} `no-common-signals` */
function commonSignals(runs: readonly HostRun[]): string[] {
  const [reference, ...others] = runs.map(signalsOf);
  const recorded = others.map((signals) => new Set(signals.map(({ name }) => name)));
  const names = reference
    .filter(({ name, kind }) => COMPARED_KINDS.has(kind) && recorded.every((set) => set.has(name)))
    .map(({ name }) => name);
  if (names.length > 0) return names;
  throw new MoreauError({
    code: 'no-common-signals',
    message: `${runs.map(({ name }) => name).join(', ')} have no position, velocity, state or observable in common.`,
    remedy: 'Compare runs of one model that record the same signals, or name the signals to compare.',
  });
}

/**
 * What all of the runs have recorded and the caller wants.
 * @throws {MoreauError} `no-common-time`
 */
async function commonSpan(
  reader: ReaderClient,
  runs: readonly HostRun[],
  wanted: { from: number | undefined; to: number | undefined },
): Promise<Span & Pick<CompareResult, 'endedBy'>> {
  const at = async ({ runId }: HostRun, firstRow: number): Promise<number> => {
    const { columns } = await reader.ask('rows', { runId, columns: [0], firstRow, count: 1 });
    return columns[0][0];
  };
  const begins = await Promise.all(runs.map((run) => at(run, 0)));
  const ends = await Promise.all(runs.map((run) => at(run, run.rows - 1)));
  const from = Math.max(...begins, wanted.from ?? -Infinity);
  const to = Math.min(...ends, wanted.to ?? Infinity);
  // Steps that do not divide the time end a little beyond it.
  const goesOn = runs.some((run, k) => ends[k] > to + run.info().h);
  if (from <= to) return { from, to, endedBy: goesOn ? (runs[ends.indexOf(to)]?.runId ?? null) : null };
  throw new MoreauError({
    code: 'no-common-time',
    message: `The runs have no common recorded time between ${from} s and ${to} s.`,
    remedy: 'Choose a span that all of these runs have recorded.',
  });
}

/** Contacts with gap and impulse in both recordings. */
function commonContacts(reference: HostRun, other: HostRun): ContactName[] {
  if (!hasEveryImpulse(reference) || !hasEveryImpulse(other)) return [];
  const ofOther = new Set(impactContacts(signalsOf(other)).map(({ signal }) => signal));
  return impactContacts(signalsOf(reference)).filter(({ signal }) => ofOther.has(signal));
}

/** Rows of events are always kept; of steps, one in two at most where not every step is. */
function hasEveryImpulse(run: HostRun): boolean {
  const { scheme, statistics } = run.info();
  const share = 0.75;
  return scheme === 'event-driven' || run.rows > share * statistics.steps;
}

function nameOf(run: HostRun): ComparedRun {
  const { runId, name, scheme, h, statistics } = run.info();
  const { certificate, complete } = statistics;
  return {
    runId,
    name,
    scheme,
    h: scheme === 'event-driven' || hasConstantStep(run) ? h : null,
    solved: isCertified(certificate),
    ...(complete !== undefined && { complete }),
  };
}

const hasConstantStep = (run: HostRun): boolean => run.prepared?.hasConstantStep === true;

function queryOf(run: HostRun, names: readonly string[], contacts: readonly ContactName[]): ComparedRunQuery {
  const { runId, scheme, h, t0, statistics } = run.info();
  const isMean = scheme === 'time-stepping' && !hasConstantStep(run) && statistics.steps > 0;
  return {
    runId,
    scheme,
    h: isMean ? (statistics.simulatedTime - t0) / statistics.steps : h,
    signals: names.map((name) => columnOf(run, name)),
    impulses: contacts.map(({ signal }) => columnOf(run, signal)),
  };
}

/** Orders between the runs of the same parameters that differ by a constant step. */
function ordersOf(
  runs: readonly HostRun[],
  differences: CompareResult['others'],
  scales: Float64Array,
): CompareResult['orders'] {
  const stepped = runs.flatMap((run, place) => {
    const { scheme, h, parameters } = run.info();
    if (scheme === 'event-driven' || !hasConstantStep(run)) return [];
    return [{ place, h, difference: differences[place], parameters: JSON.stringify(parameters) }];
  });
  const groups = new Set(stepped.map(({ parameters }) => parameters));
  return [...groups].flatMap((group) =>
    stepLengthOrders(
      stepped.filter(({ parameters }) => parameters === group),
      scales,
    ),
  );
}
