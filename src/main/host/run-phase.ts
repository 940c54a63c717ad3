/**
 * The life of a run: its phases, what each of them holds, and the ways from one to the next. Knows no worker:
 * `W` stands for one.
 *
 * | phase       | told as                                | holds, beside what the phase above holds    |
 * | ----------- | -------------------------------------- | ------------------------------------------- |
 * | `queued`    | queued                                 | nothing: it waits for its turn              |
 * | `loading`   | starting                               | a worker, which loads the engine            |
 * | `preparing` | starting                               | recordings that have begun                  |
 * | `prepared`  | starting                               | the model, and how far it is                |
 * | `running`   | running                                |                                             |
 * | `paused`    | paused                                 | the moment at which it stands               |
 * | `ending`    | as before                              | no worker: it is being terminated           |
 * | `over`      | done, failed, cancelled or interrupted | no worker: what is known, and why it failed |
 *
 * | event             | from                      | to                                              |
 * | ----------------- | ------------------------- | ----------------------------------------------- |
 * | `begin`           | queued                    | loading                                         |
 * | `refuseRun`       | queued                    | over: failed, refused                           |
 * | message `began`   | loading                   | preparing                                       |
 * | message `ready`   | preparing                 | running, or prepared where it starts paused     |
 * | message `state`   | prepared, running, paused | running or paused                               |
 * | message `refused` | preparing                 | over: failed, refused                           |
 * | message `ended`   | prepared, running, paused | over: done, failed or cancelled                 |
 * | `askToCancel`     | any with a worker         | the same, in which a crash is no failure        |
 * | `terminate`       | queued                    | over: cancelled or interrupted                  |
 * |                   | any with a worker         | ending                                          |
 * | `crash`           | any with a worker         | over: failed or refused; cancelled if asked for |
 * |                   | ending                    | over: cancelled or interrupted                  |
 *
 * The other messages tell of progress and recordings, and lead nowhere. Nothing leads out of `over`.
 */
import type { RemoteError } from '@contract/errors';
import type { RunState } from '@contract/methods';
import type { ChunkLayout } from '@engine/recording/chunks';
import type { RunStanding } from '@engine/run/compile-run';
import type { InitialState } from '@engine/run/initial-state';
import type { PreparedHostRun, RunProgress, WorkerMessage } from './run';

/** The recordings of a run as its worker told of them. */
export interface Recordings {
  /** null before the recording of the run itself has begun */
  readonly layout: ChunkLayout | null;
  /** counters of the sections, in their order */
  readonly sections: readonly Int32Array<SharedArrayBuffer>[];
}

/** A prepared model, and how far its run has come. */
export interface Model {
  readonly prepared: PreparedHostRun;
  readonly progress: RunProgress;
}

/** What has become known of a run so far: what stays of it when it is over. */
export interface Known {
  readonly recordings: Recordings;
  /** null before it was prepared */
  readonly model: Model | null;
  /** current or final state; null during computation, and if unknown */
  readonly moment: InitialState | null;
  /** the final state for going on from it; null before the end, and if unknown */
  readonly standing: RunStanding | null;
}

interface Queued {
  readonly name: 'queued';
}

interface WithWorker<W> {
  readonly worker: W;
  /** it has been asked to cancel, and gets a short time for it */
  readonly isCancelling: boolean;
}

interface Loading<W> extends WithWorker<W> {
  readonly name: 'loading';
}

interface Preparing<W> extends WithWorker<W> {
  readonly name: 'preparing';
  readonly recordings: Recordings;
}

interface WithModel<W> extends WithWorker<W> {
  readonly recordings: Recordings;
  readonly model: Model;
}

interface Prepared<W> extends WithModel<W> {
  readonly name: 'prepared';
}

interface Running<W> extends WithModel<W> {
  readonly name: 'running';
}

interface Paused<W> extends WithModel<W> {
  readonly name: 'paused';
  readonly moment: InitialState;
}

interface Ending {
  readonly name: 'ending';
  readonly as: Termination;
  readonly shown: RunState;
  readonly known: Known;
}

interface Over {
  readonly name: 'over';
  readonly outcome: Outcome;
  readonly known: Known;
}

/** How a run ends that is ended from outside: by the user, or with the host. */
export type Termination = 'cancelled' | 'interrupted';

type Outcome =
  | { readonly state: 'done' | Termination }
  /** `isRefused`: it never ran */
  | { readonly state: 'failed'; readonly error: RemoteError; readonly isRefused: boolean };

/** A run that has got a worker. */
export type Working<W> = Loading<W> | Preparing<W> | Prepared<W> | Running<W> | Paused<W>;
export type RunPhase<W> = Queued | Working<W> | Ending | Over;

export const QUEUED: Queued = { name: 'queued' };

const NO_RECORDINGS: Recordings = { layout: null, sections: [] };
const NOTHING: Known = { recordings: NO_RECORDINGS, model: null, moment: null, standing: null };

export const isWorking = <W>(phase: RunPhase<W>): phase is Working<W> =>
  phase.name !== 'queued' && phase.name !== 'ending' && phase.name !== 'over';

/** As the host tells it. */
export function stateOf(phase: RunPhase<unknown>): RunState {
  switch (phase.name) {
    case 'loading':
    case 'preparing':
    case 'prepared':
      return 'starting';
    case 'ending':
      return phase.shown;
    case 'over':
      return phase.outcome.state;
    default:
      return phase.name;
  }
}

export function knownOf(phase: RunPhase<unknown>): Known {
  switch (phase.name) {
    case 'queued':
    case 'loading':
      return NOTHING;
    case 'preparing':
      return { ...NOTHING, recordings: phase.recordings };
    case 'prepared':
    case 'running':
      return { recordings: phase.recordings, model: phase.model, moment: null, standing: null };
    case 'paused':
      return { recordings: phase.recordings, model: phase.model, moment: phase.moment, standing: null };
    default:
      return phase.known;
  }
}

const over = (outcome: Outcome, known: Known): Over => ({ name: 'over', outcome, known });

/** Its turn has come, and a worker has got its task. */
export const begin = <W>(_: Queued, worker: W): Loading<W> => ({
  name: 'loading',
  worker,
  isCancelling: false,
});

/** Its turn has come, and no worker could get its task. */
export const refuseRun = (_: Queued, error: RemoteError): Over =>
  over({ state: 'failed', error, isRefused: true }, NOTHING);

/**
 * The worker has said something.
 * @param startsPaused whether it is to wait at its start
 * @returns the next phase, the same one where nothing has changed in it; null for a message that has no place
 *   in this phase
 */
export function receive<W>(
  phase: Working<W>,
  message: WorkerMessage,
  startsPaused: boolean,
): RunPhase<W> | null {
  if (message.type === 'console') return phase;
  if (phase.name === 'loading') {
    if (message.type !== 'began') return null;
    const { worker, isCancelling } = phase;
    return { name: 'preparing', worker, isCancelling, recordings: NO_RECORDINGS };
  }
  const { recordings } = phase;
  if (message.type === 'recording')
    return { ...phase, recordings: { ...recordings, layout: message.layout } };
  if (message.type === 'section')
    return { ...phase, recordings: { ...recordings, sections: [...recordings.sections, message.counters] } };
  return phase.name === 'preparing' ? prepared(phase, message, startsPaused) : advanced(phase, message);
}

function prepared<W>(
  phase: Preparing<W>,
  message: WorkerMessage,
  startsPaused: boolean,
): Prepared<W> | Running<W> | Over | null {
  if (message.type === 'refused')
    return over({ state: 'failed', error: message.error, isRefused: true }, knownOf(phase));
  if (message.type !== 'ready') return null;
  const model = { prepared: message.run, progress: message.progress };
  return { ...phase, name: startsPaused ? 'prepared' : 'running', model };
}

function advanced<W>(
  phase: Prepared<W> | Running<W> | Paused<W>,
  message: WorkerMessage,
): RunPhase<W> | null {
  const { worker, isCancelling, recordings } = phase;
  switch (message.type) {
    case 'events':
    case 'certificate':
      return phase;
    case 'progress':
      return { ...phase, model: { ...phase.model, progress: message.progress } };
    case 'state': {
      const model = { ...phase.model, progress: message.progress };
      const next = { worker, isCancelling, recordings, model };
      return message.state === 'running'
        ? { name: 'running', ...next }
        : { name: 'paused', ...next, moment: message.moment };
    }
    case 'ended': {
      const { state, error, progress, moment, standing } = message;
      const outcome: Outcome = state === 'failed' ? { state, error, isRefused: false } : { state };
      return over(outcome, { recordings, model: { ...phase.model, progress }, moment, standing });
    }
    default:
      return null;
  }
}

/** The worker is asked to cancel. */
export const askToCancel = <W>(phase: Working<W>): Working<W> => ({ ...phase, isCancelling: true });

/**
 * The run is ended whatever its script does; where it has a worker, it is over when that has gone, see
 * `crash`.
 */
export function terminate(phase: Queued | Working<unknown>, as: Termination): Ending | Over {
  if (phase.name === 'queued') return over({ state: as }, NOTHING);
  return { name: 'ending', as, shown: stateOf(phase), known: knownOf(phase) };
}

/** The worker has gone, or cannot go on. */
export function crash(phase: Working<unknown> | Ending, error: RemoteError): Over {
  const known = knownOf(phase);
  if (phase.name === 'ending') return over({ state: phase.as }, known);
  if (phase.isCancelling) return over({ state: 'cancelled' }, known);
  return over({ state: 'failed', error, isRefused: stateOf(phase) === 'starting' }, known);
}
