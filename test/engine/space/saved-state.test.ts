/**
 * A run of 3D bodies that goes back to a state it has kept, and on again, has the bits of one that did not:
 * rows, certificate, findings and the memory of contacts.
 */
import { describe, expect, it } from 'vitest';
import { MemoryChunks } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import { createSandbox } from '@engine/script/sandbox';
import { type RunSession, type RunSpecification, prepareRun } from '@engine/run/session';
import { part, sample } from '../../support/prove';
import { galleryRuns } from '../faults/gallery-runs';
import { specificationOf } from '../faults/judge';

/** The first state that a run keeps stands between them. */
const [BEFORE, BACK, END] = [256, 300, sample(420, 2000)];
/** Many bodies, which take a minute. */
const LARGE = ['granular-column', 'rotating-drum'];

const bodies = ['RigidBody', 'PseudoRigidBody'];

const runs = galleryRuns(null)
  .filter(({ name }) => !LARGE.some((large) => name.startsWith(large)))
  .map((run): [string, RunSpecification] => [run.name, specificationOf({ ...run, steps: END })])
  .filter(
    ([, { document, scheme }]) =>
      scheme !== 'event-driven' &&
      // What a script keeps between its calls is not seen: such a run goes back to its start.
      document.scripts.length === 0 &&
      document.systems.some(({ type }) => bodies.includes(type)),
  );

function begin(specification: RunSpecification, keepsHistory: boolean) {
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

function to(session: RunSession, move: number): void {
  while (session.moves < move) if (session.advance(move - session.moves) !== 'running') break;
  expect(session.error).toBeNull();
}

function check(specification: RunSpecification): void {
  const reference = begin(specification, false);
  to(reference.session, END);
  const { session, rows } = begin(specification, true);
  to(session, BACK);
  session.goBack(BACK - 1);
  expect(session.moves).toBe(BEFORE);
  to(session, END);
  expect(rows()).toEqual(reference.rows());
  expect(session.certificate).toEqual(reference.session.certificate);
  expect(session.energyDrift).toBe(reference.session.energyDrift);
  expect(session.events).toBe(reference.session.events);
  expect(session.warnings).toEqual(reference.session.warnings);
}

const controlled = runs
  .filter(([name]) => ['billiards', 'four-bar-clearance', 'painleve-rod'].includes(name))
  .map(([name, { document, ...rest }]): [string, RunSpecification] => {
    const stepControl = { tolerance: 1e-4, hMin: 1e-6, hMax: 0.01 };
    const simulation = { ...document.simulation, stepControl };
    return [`${name} with step control`, { ...rest, document: { ...document, simulation }, tEnd: 1 }];
  });

describe('going back', () => {
  it.each([...part(runs, 12), ...controlled])('%s', (_, specification) => {
    check(specification);
  });
});
