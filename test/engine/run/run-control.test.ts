/**
 * Going back and on again gives the same rows, bit for bit; parameters change on the way and a run can be
 * repeated exactly.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import { createSandbox } from '@engine/script/sandbox';
import { startFrom } from '@engine/run/initial-state';
import { prepareRun, type RunSession, type RunSpecification } from '@engine/run/session';

function example(name: string): ModelDocument {
  const file = join(import.meta.dirname, '../../../resources/examples', `${name}.moreau.json`);
  const { document } = readDocument(readFileSync(file, 'utf8'));
  if (document === null) throw new Error(`no example ${name}`);
  return document;
}

function begin(specification: RunSpecification, keepsHistory = true) {
  const sink = new MemoryChunks();
  const prepared = prepareRun(specification, { sandbox: createSandbox, sink, keepsHistory });
  if (!prepared.ok) throw new Error(prepared.error.message);
  const { session } = prepared;
  const rows = (): Float64Array[] => {
    const columns = session.signals.map((_, i) => i);
    return new TrajectoryReader(sink).rows(columns, 0, session.rows).columns;
  };
  return { session, rows };
}

/** Advances to a move; a failure is one of the test. */
function to(session: RunSession, move: number): void {
  while (session.moves < move) {
    if (session.advance(move - session.moves) !== 'running') break;
  }
  expect(session.error).toBeNull();
}

const CASES: [string, RunSpecification, number][] = [
  ['time-stepping', { document: example('bouncing-ball') }, 3000],
  ['time-stepping in straight lines', { document: example('bouncing-ball'), loop: 'straight-line' }, 1500],
  ['scripts', { document: example('cam-follower-358'), tEnd: 0.2 }, 1500],
  ['event-driven', { document: example('bouncing-ball'), scheme: 'event-driven' }, 400],
];

describe('going back', () => {
  it.each(CASES)('and on again gives the bits of an uninterrupted run: %s', (_, specification, moves) => {
    const reference = begin(specification, false);
    to(reference.session, moves);
    const { session, rows } = begin(specification);
    to(session, moves);
    for (const target of [moves - 1, moves - 2, Math.floor(moves / 2), 300, 0]) {
      session.goBack(target);
      to(session, target);
      expect(session.moves).toBe(target);
      const [times] = rows();
      expect(times[times.length - 1]).toBe(session.time);
    }
    to(session, moves);
    expect(rows()).toEqual(reference.rows());
    expect(session.certificate).toEqual(reference.session.certificate);
    expect(session.events).toBe(reference.session.events);
  });

  it('gives the same bits of 3D bodies', () => {
    const specification = { document: example('bouncing-box'), tEnd: 0.4 };
    const reference = begin(specification, false);
    to(reference.session, 150);
    const { session, rows } = begin(specification);
    to(session, 150);
    session.goBack(100);
    to(session, 150);
    expect(rows()).toEqual(reference.rows());
  });
});

describe('parameters that change on the way', () => {
  it.each(['time-stepping', 'event-driven'] as const)('are repeated exactly: %s', (scheme) => {
    const specification: RunSpecification = { document: example('bouncing-ball'), scheme };
    const { session, rows } = begin(specification);
    to(session, 120);
    expect(session.change({ e: 0.5 })).toBeNull();
    const time = session.time;
    expect(session.changedParameters).toEqual([expect.objectContaining({ time, name: 'e', to: 0.5 })]);
    to(session, 900);
    const again = begin({ ...specification, changes: session.changes });
    to(again.session, 900);
    expect(again.rows()).toEqual(rows());
    expect(again.session.changedParameters).toEqual(session.changedParameters);
    // Back over the change, which is taken back.
    session.goBack(100);
    to(session, 900);
    expect(session.changes).toEqual([]);
    const unchanged = begin(specification);
    to(unchanged.session, 900);
    expect(rows()).toEqual(unchanged.rows());
  });

  it('stay where the run goes back to a moment after them', () => {
    const { session, rows } = begin({ document: example('bouncing-ball') });
    to(session, 256);
    session.change({ e: 0.5 });
    to(session, 1000);
    const before = rows();
    session.goBack(500);
    expect(session.changes).toHaveLength(session.moves > 256 ? 1 : 0);
    to(session, 1000);
    expect(session.changes).toHaveLength(1);
    expect(session.changedParameters).toHaveLength(1);
    expect(rows()).toEqual(before);
  });

  it('are refused where they alter the step, and the run goes on as it was', () => {
    const document = example('bouncing-ball');
    const parameters = [...document.parameters, { name: 'stepLength', value: 1e-3 }];
    const simulation = { ...document.simulation, h: 'stepLength' };
    const specification = { document: { ...document, parameters, simulation } };
    const { session, rows } = begin(specification);
    to(session, 50);
    expect(session.change({ stepLength: 2e-3 })?.code).toBe('change-alters-grid');
    expect(session.change({ nonsense: 1 })?.code).toBe('invalid-document');
    to(session, 200);
    const plain = begin(specification);
    to(plain.session, 200);
    expect(rows()).toEqual(plain.rows());
  });
});

describe('the state of a moment', () => {
  it('is a start for the same model', () => {
    const document = example('bouncing-ball');
    const { session } = begin({ document });
    to(session, 300);
    const state = session.initialState;
    expect(state.missing).toEqual([]);
    const on = begin({ document: startFrom(document, state) });
    expect(on.session.t0).toBe(session.time);
    expect(on.session.initialState.systems).toEqual(state.systems);
  });
});
