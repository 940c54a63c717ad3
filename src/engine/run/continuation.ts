/**
 * Going on from where another run stood. All that the next step depends on goes along: multipliers and their
 * history, index sets, warm starts, held outputs of control blocks, what the certificate has seen. A
 * continued run therefore has the bits of one that never stopped.
 *
 * Where a state was not kept whole, as between two of them, from event to event, and of scripts that keep
 * something between their calls, the run is computed again up to there from the last state before, or from
 * its start, without recording.
 */
import type { Expression, ModelDocument } from '../document/types';
import { EngineError, type EngineErrorDetails } from '../errors';
import { exactJson, parseExactJson } from '../exact-json';
import { StateArchive } from '../state-archive';
import type { RunSpecification, RunStanding } from './compile-run';
import type { SimulationMemory } from './schemes/scheme';

/** A run that can be gone on from: what computes it, and where it stands. */
export interface SavedRun {
  readonly specification: RunSpecification;
  readonly state: RunStanding;
  /** step, where its recording begins and where it was to end, s */
  readonly h: number;
  readonly t0: number;
  readonly tEnd: number;
}

/** The memory with its classes, which a copy from a file or another thread has lost. */
export function revive(memory: SimulationMemory): SimulationMemory {
  if (memory.of !== 'space' || memory.state.archive === null) return memory;
  return { of: 'space', state: { ...memory.state, archive: StateArchive.of(memory.state.archive.entries) } };
}

/* From which model a run may go on. */

/** Sections of a document that say nothing of the motion. */
const WITHOUT_MOTION: ReadonlySet<string> = new Set([
  'title',
  'description',
  'references',
  'analyses',
  'views',
  'dashboards',
  'displayUnits',
  'layout',
]);
/** Settings of the simulation that may differ. */
const FREE_SETTINGS: ReadonlySet<string> = new Set(['tEnd', 'accuracy', 'recording']);
/** What a parameter may differ in. */
const FREE_OF_PARAMETERS: ReadonlySet<string> = new Set(['value', 'unit', 'min', 'max', 'description']);

/** JSON pointer of the first place at which two values differ; null where there is none. */
function difference(a: unknown, b: unknown, pointer: string): string | null {
  if (Object.is(a, b)) return null;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return pointer;
  if (Array.isArray(a) !== Array.isArray(b)) return pointer;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = difference(
      left[key],
      right[key],
      `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    );
    if (found !== null) return found;
  }
  return null;
}

const without = (value: object, left: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !left.has(key)));

/** What of a document has to be the same. */
const fixedPart = (document: ModelDocument): Record<string, unknown> => ({
  ...without(document, WITHOUT_MOTION),
  parameters: document.parameters.map((one) => without(one, FREE_OF_PARAMETERS)),
  simulation: without(document.simulation, FREE_SETTINGS),
});

/**
 * Values of parameters in which a model differs from the one of a saved run.
 * @throws {EngineError} `state-of-other-model` where it differs in anything else that moves it
 */
export function changedParameters(saved: ModelDocument, now: ModelDocument): Record<string, Expression> {
  const pointer = difference(fixedPart(saved), fixedPart(now), '');
  if (pointer !== null)
    throw new EngineError({
      code: 'state-of-other-model',
      message: `The state is one of another model: they differ at ${pointer}.`,
      where: pointer,
      remedy:
        'Go on with the model that the state was saved of. Only values of parameters, the end time and what is recorded may differ; for anything else, start a run from these positions and velocities.',
    });
  const before = new Map(saved.parameters.map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    now.parameters
      .filter(({ name, value }) => before.get(name) !== value)
      .map(({ name, value }) => [name, value]),
  );
}

/* What computes the continued run. */

export interface ContinuationChoice {
  /** s; absent: where the saved run stands */
  readonly time?: number | undefined;
  /** s; absent: where the saved run was to end, or as long again where it has come to its end */
  readonly tEnd?: number | undefined;
  readonly set?: Readonly<Record<string, Expression>> | undefined;
}

/** Part of a step by which a time may be past the state it names: rounding of a typed number. */
export const SAME_STEP = 2e-6;

/** @throws {EngineError} `state-time-outside` */
export function continuedRun(saved: SavedRun, { time, tEnd, set }: ContinuationChoice): RunSpecification {
  const { specification, state, h, t0 } = saved;
  const rounding = SAME_STEP * h;
  const begin = time ?? state.time;
  if (!(begin >= t0 - rounding && begin <= state.time + rounding)) throw outside(begin, t0, state.time);
  const end = tEnd ?? (saved.tEnd > begin + h / 2 ? saved.tEnd : begin + (saved.tEnd - t0));
  if (!(end > begin + rounding))
    throw new EngineError({
      code: 'state-time-outside',
      message: `The run would end at ${end} s, which is not after the state at ${begin} s that it goes on from.`,
      where: '/simulation/tEnd',
      remedy: 'Give a later end time.',
    });
  const isLast = begin >= state.time - rounding;
  const former = specification.from?.state ?? null;
  // The state that the saved run itself went on from is the next one before.
  const known = isLast && state.memory !== null ? state : former;
  const changes = (specification.changes ?? []).filter((change) => change.time <= begin);
  const hasValues = set !== undefined && Object.keys(set).length > 0;
  return {
    ...specification,
    tEnd: end,
    changes,
    from: {
      state: known,
      ...(isLast ? { time: state.time, move: state.move } : { time: begin }),
      ...(hasValues ? { set } : {}),
    },
  };
}

const outside = (time: number, first: number, last: number): EngineError =>
  new EngineError({
    code: 'state-time-outside',
    message: `There is no state at ${time} s: the run goes from ${first} s to ${last} s.`,
    time,
    remedy: `Choose a time from ${first} s to ${last} s.`,
  });

/* A saved run as a text. */

const FORMAT = 'moreau-state';
/** Of what a memory holds: another number where its arrays have become others. */
const STATE_VERSION = 2;

/** FNV-1a with 32 bits: finds what a disk or an editor has changed. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

interface StateFile {
  readonly format: string;
  readonly version: number;
  /** program that wrote it */
  readonly engine: string;
  /** of `run` */
  readonly check: string;
  /** a `SavedRun` */
  readonly run: string;
}

/** @param engine version of the program */
export function writeState(saved: SavedRun, engine: string): string {
  const run = exactJson(saved);
  const file: StateFile = { format: FORMAT, version: STATE_VERSION, engine, check: checksum(run), run };
  return `${JSON.stringify(file)}\n`;
}

const refused = (code: string, message: string, where: string, remedy: string): EngineError =>
  new EngineError({ code, message, where, remedy } satisfies EngineErrorDetails);

/**
 * @param engine version of the program that reads it
 * @param where name of the file, for messages
 * @throws {EngineError} `no-state-file`, `state-version`, `state-damaged`
 */
export function readState(text: string, engine: string, where: string): SavedRun {
  const again = 'Compute the run and save its state again.';
  let file: Partial<StateFile> | null = null;
  try {
    file = JSON.parse(text) as Partial<StateFile> | null;
  } catch {
    // Told below: a text that was cut off still begins as such a file does.
    if (text.startsWith(`{"format":"${FORMAT}"`))
      throw refused('state-damaged', 'The file of the state is cut off or changed.', where, again);
  }
  if (file?.format !== FORMAT)
    throw refused('no-state-file', 'This is not a saved state of a run.', where, again);
  if (file.version !== STATE_VERSION || file.engine !== engine)
    throw refused(
      'state-version',
      `The state was saved by Moreau ${file.engine ?? '(unknown)'} in version ${file.version ?? '(unknown)'} of the format, and this is Moreau ${engine} with version ${STATE_VERSION}: what a simulation remembers differs between them.`,
      where,
      'Go on with the Moreau that saved it, or compute the run again with this one.',
    );
  const { run, check } = file;
  if (typeof run !== 'string' || checksum(run) !== check)
    throw refused('state-damaged', 'The file of the state is cut off or changed.', where, again);
  return parseExactJson(run) as SavedRun;
}

/** Why a run cannot go on from a time, s, behind its end. */
export const neverReached = (wanted: number, time: number): EngineError =>
  new EngineError({
    code: 'state-time-outside',
    message: `The run ends at ${time} s, before the time ${wanted} s that it is to go on from.`,
    time,
    remedy: 'Choose an earlier time.',
  });
