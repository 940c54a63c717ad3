import fc from 'fast-check';
import type { RunState } from '@contract/methods';
import type { WorkerMessage } from '@main/host/run';
import {
  askToCancel,
  begin,
  crash,
  isWorking,
  knownOf,
  QUEUED,
  receive,
  refuseRun,
  type RunPhase,
  stateOf,
  terminate,
} from '@main/host/run-phase';
import { describe, expect, it } from 'vitest';
import { sample } from '../support/prove';

/** Of a worker's messages only what phases hold of them is of interest here. */
const said = (type: string, content: object = {}): WorkerMessage =>
  ({ type, ...content }) as unknown as WorkerMessage;

const error = { code: 'failed', message: 'It failed.' };
const moment = { time: 1, systems: [], missing: [] };
const progressOf = (steps: number): object => ({ progress: { steps } });

const MESSAGES = {
  began: said('began'),
  console: said('console'),
  recording: said('recording', { layout: { columns: 2, rowsPerChunk: 4 } }),
  section: said('section', { counters: new Int32Array(6) }),
  ready: said('ready', { run: { title: 'A ball' }, ...progressOf(0) }),
  refused: said('refused', { error, isFree: true }),
  progress: said('progress', progressOf(1)),
  events: said('events', { first: 0, events: [] }),
  certificate: said('certificate', { rows: new Float64Array(0) }),
  goesOn: said('state', { state: 'running', ...progressOf(2) }),
  pauses: said('state', { state: 'paused', moment, ...progressOf(3) }),
  done: said('ended', { state: 'done', error: null, moment, isFree: true, ...progressOf(4) }),
  fails: said('ended', { state: 'failed', error, moment, isFree: true, ...progressOf(5) }),
  cancelled: said('ended', { state: 'cancelled', error: null, moment, isFree: false, ...progressOf(6) }),
} as const;
type Said = keyof typeof MESSAGES;
const HOST = ['begin', 'refuse', 'askToCancel', 'cancel', 'interrupt', 'crash'] as const;
type Event = Said | (typeof HOST)[number];
type Place = RunPhase<string>['name'] | RunState | 'refused';

/** The life of a run as a user would tell it, line by line: where it is, what happens, where it is then. */
const TABLE: Readonly<Record<string, Partial<Record<Event, Place>>>> = {
  queued: { begin: 'loading', refuse: 'refused', cancel: 'cancelled', interrupt: 'interrupted' },
  loading: { began: 'preparing', console: 'loading', crash: 'refused' },
  preparing: {
    console: 'preparing',
    recording: 'preparing',
    section: 'preparing',
    ready: 'running',
    refused: 'refused',
    crash: 'refused',
  },
  prepared: { crash: 'refused' },
  running: { crash: 'failed' },
  paused: { crash: 'failed' },
};
const IN_A_RUN: Partial<Record<Event, Place | null>> = {
  console: null,
  recording: null,
  section: null,
  progress: null,
  events: null,
  certificate: null,
  goesOn: 'running',
  pauses: 'paused',
  done: 'done',
  fails: 'failed',
  cancelled: 'cancelled',
};
const WORKS = ['loading', 'preparing', 'prepared', 'running', 'paused'];

interface Told {
  place: Place;
  isAsked: boolean;
  /** how it will end when its worker has gone */
  ending: 'cancelled' | 'interrupted' | null;
}

/** @returns null where such a thing does not happen */
function toldNext(told: Told, event: Event, startsPaused: boolean): Told | null {
  const { place, isAsked, ending } = told;
  if (place === 'ending') return event === 'crash' ? { ...told, place: ending ?? 'failed' } : null;
  if (WORKS.includes(place)) {
    if (event === 'askToCancel') return { ...told, isAsked: true };
    if (event === 'cancel') return { ...told, place: 'ending', ending: 'cancelled' };
    if (event === 'interrupt') return { ...told, place: 'ending', ending: 'interrupted' };
    if (event === 'crash' && isAsked) return { ...told, place: 'cancelled' };
    if (event === 'ready' && place === 'preparing' && startsPaused) return { ...told, place: 'prepared' };
  }
  const own = TABLE[place]?.[event];
  if (own !== undefined) return { ...told, place: own };
  if (!['prepared', 'running', 'paused'].includes(place) || !(event in IN_A_RUN)) return null;
  return { ...told, place: IN_A_RUN[event] ?? place };
}

/** @returns null where the types do not allow it, or the phase does not take it */
function next(phase: RunPhase<string>, event: Event, startsPaused: boolean): RunPhase<string> | null {
  switch (event) {
    case 'begin':
      return phase.name === 'queued' ? begin(phase, 'a worker') : null;
    case 'refuse':
      return phase.name === 'queued' ? refuseRun(phase, error) : null;
    case 'askToCancel':
      return isWorking(phase) ? askToCancel(phase) : null;
    case 'cancel':
    case 'interrupt': {
      const as = event === 'cancel' ? 'cancelled' : 'interrupted';
      return phase.name === 'queued' || isWorking(phase) ? terminate(phase, as) : null;
    }
    case 'crash':
      return phase.name === 'ending' || isWorking(phase) ? crash(phase, error) : null;
    default:
      return isWorking(phase) ? receive(phase, MESSAGES[event], startsPaused) : null;
  }
}

function placeOf(phase: RunPhase<string>): Place {
  if (phase.name !== 'over') return phase.name;
  const { outcome } = phase;
  return outcome.state === 'failed' && outcome.isRefused ? 'refused' : outcome.state;
}

const OF_A_WORKER = ['name', 'worker', 'isCancelling'];
const FIELDS: Record<RunPhase<string>['name'], readonly string[]> = {
  queued: ['name'],
  loading: OF_A_WORKER,
  preparing: [...OF_A_WORKER, 'recordings'],
  prepared: [...OF_A_WORKER, 'recordings', 'model'],
  running: [...OF_A_WORKER, 'recordings', 'model'],
  paused: [...OF_A_WORKER, 'recordings', 'model', 'moment'],
  ending: ['name', 'as', 'shown', 'known'],
  over: ['name', 'outcome', 'known'],
};

const STARTING: readonly Place[] = ['loading', 'preparing', 'prepared'];
const anyEvent = fc.constantFrom<Event>(...(Object.keys(MESSAGES) as Said[]), ...HOST);

/** Sequences in which most events have a place: anything at all is over, or goes nowhere, after a few. */
const lives = fc.record({
  startsPaused: fc.boolean(),
  first: fc.constantFrom<readonly Event[]>(
    [],
    ['begin'],
    ['begin', 'began'],
    ['begin', 'began', 'recording'],
    ['begin', 'began', 'recording', 'section', 'ready'],
    ['begin', 'began', 'ready', 'pauses'],
    ['begin', 'began', 'ready', 'goesOn', 'progress', 'askToCancel'],
  ),
  then: fc.array(anyEvent, { maxLength: 12 }),
});

describe('the life of a run', () => {
  it('goes as told, whatever happens in whatever order, and each phase holds what is its own', () => {
    const seen = new Set<Place>();
    fc.assert(
      fc.property(lives, ({ startsPaused, first, then }) => {
        let phase: RunPhase<string> = QUEUED;
        let told: Told = { place: 'queued', isAsked: false, ending: null };
        let shown: RunState = 'queued';
        for (const event of [...first, ...then]) {
          const after = next(phase, event, startsPaused);
          const expected = toldNext(told, event, startsPaused);
          expect(after === null, `${event} in ${placeOf(phase)}`).toBe(expected === null);
          if (after === null || expected === null) continue;
          expect(placeOf(after), `${event} in ${placeOf(phase)}`).toBe(expected.place);
          expect(Object.keys(after).toSorted()).toEqual(FIELDS[after.name].toSorted());
          // One that is being ended is shown as what it was.
          const isEnding = after.name === 'ending';
          expect(stateOf(after)).toBe(
            isEnding
              ? shown
              : STARTING.includes(placeOf(after))
                ? 'starting'
                : expected.place === 'refused'
                  ? 'failed'
                  : expected.place,
          );
          // What has become known stays known.
          const [before, now] = [knownOf(phase), knownOf(after)];
          expect(now.recordings.sections.length).toBeGreaterThanOrEqual(before.recordings.sections.length);
          if (before.recordings.layout !== null) expect(now.recordings.layout).not.toBeNull();
          if (before.model !== null) expect(now.model).not.toBeNull();
          if (after.name === 'over' && isWorking(phase) && event === 'crash') expect(now).toEqual(before);
          shown = stateOf(after);
          phase = after;
          told = expected;
          seen.add(told.place);
        }
      }),
      { numRuns: sample(500, 20_000), seed: 7 },
    );
    // All but the first.
    expect(seen.size).toBe(11);
  });

  it('knows where it stands while it is paused, and when it has ended', () => {
    const events: Event[] = ['begin', 'began', 'recording', 'section', 'ready', 'progress', 'pauses'];
    const go = (phase: RunPhase<string>, event: Event): RunPhase<string> =>
      next(phase, event, false) ?? phase;
    const paused = events.reduce(go, QUEUED);
    expect(knownOf(paused)).toMatchObject({ moment, model: { progress: { steps: 3 } } });
    expect(knownOf(paused).recordings.sections).toHaveLength(1);
    expect(knownOf(go(paused, 'goesOn')).moment).toBeNull();
    expect(knownOf(go(paused, 'interrupt')).moment).toBe(moment);
    expect(knownOf(go(go(paused, 'goesOn'), 'done'))).toMatchObject({
      moment,
      model: { progress: { steps: 4 } },
    });
  });
});
