/** A run that goes on from another one has the bits of a run that never stopped. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { EngineError } from '@engine/errors';
import { MemoryChunks } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import {
  changedParameters,
  continuedRun,
  readState,
  type SavedRun,
  writeState,
} from '@engine/run/continuation';
import { prepareRun, type RunSession, type RunSpecification } from '@engine/run/session';
import { createSandbox } from '@engine/script/sandbox';
import { part, sample } from '../../support/prove';
import { galleryRuns } from '../faults/gallery-runs';
import { type GalleryRun, specificationOf } from '../faults/judge';
import { model, particle } from '../support/models';

const VERSION = '1.2.3';
/** Most moves of a run. */
const MOST = 400;

interface Begun {
  readonly session: RunSession;
  readonly rows: () => readonly Float64Array[];
  readonly points: () => readonly (readonly Float64Array[])[];
}

/** @returns the code of the error where it cannot begin */
function begin(specification: RunSpecification): Begun | string {
  const sink = new MemoryChunks();
  const sections: MemoryChunks[] = [];
  const sectionSinks = (k: number): MemoryChunks => (sections[k] = new MemoryChunks());
  const prepared = prepareRun(
    { ...specification, every: 1 },
    { sandbox: () => createSandbox(() => undefined), sink, sectionSinks, recordsTrajectory: true },
  );
  if (!prepared.ok) return prepared.error.code;
  const { session } = prepared;
  const columns = session.signals.map((_, i) => i);
  const all = (recording: MemoryChunks): readonly Float64Array[] =>
    new TrajectoryReader(recording).rows(columns, 0, recording.rows()).columns;
  return { session, rows: () => all(sink), points: () => sections.map(all) };
}

function begun(specification: RunSpecification): Begun {
  const one = begin(specification);
  if (typeof one === 'string') throw new Error(one);
  return one;
}

function move(session: RunSession, moves: number): void {
  const last = session.moves + moves;
  while (session.moves < last && session.advance(last - session.moves) === 'running');
}

/** As it comes back from a file. */
function saved({ session }: Begun, specification: RunSpecification): SavedRun {
  const { state, changes, h, t0, tEnd } = session;
  const run = { specification: { ...specification, changes }, state, h, t0, tEnd };
  return readState(writeState(run, VERSION), VERSION, 'file');
}

/** The last rows of a recording, as many as another one has. */
const tail = (columns: readonly Float64Array[], count: number): Float64Array[] =>
  columns.map((column) => column.slice(column.length - count));

const documentOf = (name: string): ModelDocument => {
  const [run] = galleryRuns([name]);
  return structuredClone(specificationOf(run).document);
};

/**
 * Goes on from the middle of a run, and from the end of a shorter one.
 * @returns what differs from the run that never stopped; null where it cannot run at all
 */
function compare(run: GalleryRun, moves: number): string | null {
  const specification = specificationOf(run);
  const whole = begin(specification);
  if (typeof whole === 'string') return null;
  move(whole.session, moves);
  const { tEnd } = whole.session;
  const middle = begun(specification);
  move(middle.session, Math.floor(whole.session.moves / 2));
  const state = saved(middle, specification);
  const next = begun(continuedRun(state, { tEnd }));
  move(next.session, Math.max(1, whole.session.moves - next.session.moves));
  const failed = whole.session.error?.message;
  if (next.session.moves !== whole.session.moves || next.session.error?.message !== failed)
    return `ends after ${next.session.moves} moves, not ${whole.session.moves}`;
  const rows = next.rows();
  const count = rows[0].length;
  if (rows[0][0] !== state.state.time) return 'begins elsewhere';
  const difference = rows.findIndex((column, c) => !sameBits(column, tail(whole.rows(), count)[c]));
  if (difference >= 0) return `differs in ${next.session.signals[difference].name}`;
  const { certificate } = whole.session;
  if (JSON.stringify(next.session.certificate) !== JSON.stringify(certificate)) return 'is judged otherwise';
  const isSame = next.points().every((points, k) => {
    const all = whole.points()[k];
    return points.every((column, c) => sameBits(column, all[c].slice(all[c].length - column.length)));
  });
  return isSame ? '' : 'takes other points of a section';
}

const sameBits = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((value, i) => Object.is(value, b[i]));

describe('a run that goes on from another one', () => {
  const runs = galleryRuns(null);

  it('has the bits of one that never stopped, in all of the gallery', () => {
    const moves = sample(60, MOST);
    const ordinary = runs.filter(({ name }) => !/granular|drum|tower|column|wall|arch/.test(name));
    const found = part(process.env.MOREAU_PROVE === undefined ? ordinary : runs, 60).map((run) => ({
      name: run.name,
      what: compare(run, moves),
    }));
    expect(found.filter(({ what }) => what !== null && what !== '')).toEqual([]);
    expect(found.filter(({ what }) => what === '').length).toBeGreaterThan(40);
  });

  it.each(['pendulum-three-rates', 'sliding-mode-control'])('holds what control blocks hold: %s', (name) => {
    for (const run of galleryRuns([name, `${name}, event-driven`, `${name}, time-stepping`]))
      expect(compare(run, sample(200, MOST))).toBe('');
  });

  it.each(['time-stepping', 'event-driven'] as const)(
    'goes beyond the end of a shorter run: %s',
    (scheme) => {
      for (const name of ['bouncing-ball', 'cam-follower-660', 'diode-bridge', 'three-balls']) {
        const document = documentOf(name);
        const [h, t0] = [Number(document.simulation.h), Number(document.simulation.t0)];
        const long = { document, scheme, tEnd: t0 + 400 * h };
        const whole = begun(long);
        move(whole.session, Infinity);
        const short = { ...long, tEnd: t0 + 250 * h };
        const before = begun(short);
        move(before.session, Infinity);
        const next = begun(continuedRun(saved(before, short), { tEnd: long.tEnd }));
        move(next.session, Infinity);
        expect(next.session.t0).toBe(before.session.time);
        const rows = next.rows();
        expect(rows).toEqual(tail(whole.rows(), rows[0].length));
        expect(next.session.steps + before.session.steps).toBe(whole.session.steps);
        expect(next.session.events + before.session.events).toBe(whole.session.events);
        expect([...before.session.eventRecords, ...next.session.eventRecords]).toEqual(
          whole.session.eventRecords,
        );
      }
    },
  );

  it('begins at any time in between, computed again from the state before', () => {
    const specification = { document: documentOf('cam-follower-660'), tEnd: 0.1 };
    const whole = begun(specification);
    move(whole.session, Infinity);
    const [times] = whole.rows();
    const time = times[Math.floor(times.length / 3)];
    const state = saved(whole, specification);
    const next = begun(continuedRun(state, { time, tEnd: 0.1 }));
    expect(next.session.time).toBe(time);
    move(next.session, Infinity);
    expect(next.rows()).toEqual(tail(whole.rows(), next.rows()[0].length));
    // And a run that goes on from that one.
    const later = times[Math.floor(times.length / 2)];
    const again = begun(
      continuedRun(saved(next, continuedRun(state, { time, tEnd: 0.1 })), { time: later, tEnd: 0.1 }),
    );
    move(again.session, Infinity);
    expect(again.rows()).toEqual(tail(whole.rows(), again.rows()[0].length));
  });

  it.each(['time-stepping', 'event-driven'] as const)(
    'takes other values, as one that changes on its way: %s',
    (scheme) => {
      const specification = { document: documentOf('cam-follower-660'), scheme, tEnd: 0.1 };
      const whole = begun(specification);
      move(whole.session, 300);
      const state = saved(whole, specification);
      const set = { rpm: 500 };
      expect(whole.session.change(set)).toBeNull();
      move(whole.session, Infinity);
      const next = begun(continuedRun(state, { tEnd: 0.1, set }));
      move(next.session, Infinity);
      expect(next.session.parameters.rpm).toBe(500);
      const rows = next.rows().map((column) => column.slice(1));
      expect(rows).toEqual(tail(whole.rows(), rows[0].length));
      // It is repeated with the same bits, and goes back to where it began.
      const { changes } = next.session;
      const again = begun({ ...continuedRun(state, { tEnd: 0.1, set }), changes });
      move(again.session, Infinity);
      expect(again.rows()).toEqual(next.rows());
      expect(again.session.changes).toEqual(changes);
      again.session.goBack(0);
      expect(again.session.time).toBe(state.state.time);
      move(again.session, Infinity);
      expect(again.rows()).toEqual(next.rows());
    },
  );

  it('warns of what new values move: a contact that overlaps, an equation that is off', () => {
    const interaction = (id: string, H: number[][], law: TypedElement) => ({
      id,
      systems: ['ball'],
      relation: { type: 'LagrangianLinear', H, b: ['-height'] },
      law,
    });
    const ball = particle('ball', 1, 0, { ndof: 2, q0: [0, 0], v0: [0, 0], fExt: [0, -9.81] });
    const document: ModelDocument = {
      ...model(
        [
          {
            ...ball,
            mass: [
              [1, 0],
              [0, 1],
            ],
          },
        ],
        [
          interaction('floor', [[0, 1]], { type: 'NewtonImpact', e: 0 }),
          interaction('guide', [[1, 0]], { type: 'Equality' }),
        ],
        { h: 0.01 },
      ),
      parameters: [{ name: 'height', value: 0 }],
    };
    document.simulation.problem = { type: 'auto' };
    const specification = { document, tEnd: 0.5 };
    const before = begun(specification);
    move(before.session, Infinity);
    const state = saved(before, specification);
    const warningsOf = (set: Record<string, number>): string[] => {
      const { session } = begun(continuedRun(state, { tEnd: 1, set }));
      move(session, 2);
      return session.warnings;
    };
    expect(warningsOf({})).toEqual([]);
    expect(warningsOf({ height: 0.1 })).toEqual([
      expect.stringMatching(/^“floor” goes on with an output of -0\.1.*, where it was /),
      expect.stringMatching(/^“guide” goes on with an output of -0\.1/),
    ]);
    expect(warningsOf({ height: -0.1 })).toEqual([expect.stringContaining('“guide”')]);
  });

  it('keeps what a step control knows', () => {
    const document = documentOf('bouncing-ball');
    document.simulation.stepControl = { tolerance: 1e-4, hMin: 1e-6, hMax: 0.01 };
    const specification = { document, tEnd: 0.5 };
    const whole = begun(specification);
    move(whole.session, Infinity);
    const middle = begun(specification);
    move(middle.session, Math.floor(whole.session.moves / 2));
    const next = begun(continuedRun(saved(middle, specification), { tEnd: 0.5 }));
    move(next.session, Infinity);
    expect(next.rows()).toEqual(tail(whole.rows(), next.rows()[0].length));
  });
});

describe('a state that cannot be gone on from', () => {
  const document = documentOf('bouncing-ball');
  const specification = { document, tEnd: 0.1 };
  const before = begun(specification);
  move(before.session, Infinity);
  const run = saved(before, specification);
  const text = writeState(run, VERSION);
  const codeOf = (act: () => unknown): string => {
    try {
      act();
    } catch (error) {
      if (error instanceof EngineError) return `${error.details.code} ${error.details.where ?? ''}`;
      throw error;
    }
    return 'nothing';
  };

  it.each([
    ['is no state', '{"a": 1}', VERSION, 'no-state-file file'],
    ['is no JSON', 'hello', VERSION, 'no-state-file file'],
    ['is cut off', text.slice(0, 300), VERSION, 'state-damaged file'],
    ['has a digit changed', text.replace('"move\\":', '"move\\":1'), VERSION, 'state-damaged file'],
    ['is of another program', text, '9.9.9', 'state-version file'],
    ['is of another format', text.replace('"version":2', '"version":7'), VERSION, 'state-version file'],
  ])('because it %s', (_, given, version, code) => {
    expect(codeOf(() => readState(given, version, 'file'))).toBe(code);
  });

  it.each([
    ['system', (one: ModelDocument) => (one.systems[0].mass = 7), 'state-of-other-model /systems/0/mass'],
    ['step', (one: ModelDocument) => (one.simulation.h = 1e-5), 'state-of-other-model /simulation/h'],
    [
      'observable',
      (one: ModelDocument) => one.observables.push({ name: 'x/y', expression: '1' }),
      /\/observables\/\d/,
    ],
    [
      'parameter more',
      (one: ModelDocument) => one.parameters.push({ name: 'more', value: 1 }),
      /\/parameters\/\d/,
    ],
  ])('because it is one of a model with another %s', (_, change, code) => {
    const other = structuredClone(document);
    change(other);
    expect(codeOf(() => changedParameters(document, other))).toMatch(code);
  });

  it('unless only values of parameters, the end and what is looked at differ', () => {
    const other = structuredClone(document);
    const [{ name }] = other.parameters;
    Object.assign(other.parameters[0], { value: 17, description: 'other' });
    Object.assign(other, { title: 'Other', views: [] });
    Object.assign(other.simulation, { tEnd: 99, recording: { every: 3 } });
    expect(changedParameters(document, other)).toEqual({ [name]: 17 });
  });

  it.each([
    ['before its start', -1, 1],
    ['behind its end', 0.2, 1],
    ['behind the new end', 0.05, 0.04],
  ])('at a time %s', (_, time, tEnd) => {
    expect(codeOf(() => continuedRun(run, { time, tEnd }))).toMatch('state-time-outside');
  });
});
