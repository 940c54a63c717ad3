/** The one-step problem at a moment of a run. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import { needsBuilder } from '@engine/document/builder-scripts';
import { type BuiltElements, runBuilder } from '@engine/script/builder';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun } from '@engine/run/session';
import { type StepProblem, stepProblem } from '@engine/inspection/step-problem';
import { example } from './support/models';

/** What the builder script of a model makes. */
function outcome(document: ModelDocument): BuiltElements | undefined {
  if (!needsBuilder(document)) return undefined;
  const made = runBuilder(document, createSandbox(), {}, false);
  if (!made.ok) throw new Error(made.error.message);
  return made.built;
}

const environment = { sandbox: () => createSandbox(), begin: () => true };

/** The problem of the step from a recorded row, and what was recorded after it. */
function at(
  document: ModelDocument,
  row: number,
): { problem: StepProblem; after: (signal: string) => number } {
  const sink = new MemoryChunks();
  const prepared = prepareRun({ document, scheme: 'time-stepping' }, { sandbox: createSandbox, sink });
  if (!prepared.ok) throw new Error(prepared.error.message);
  const { session } = prepared;
  session.advance(row + 1);
  if (session.moves <= row) throw new Error(`the run has only ${session.moves} steps`);
  const places = new Map(session.signals.map(({ name }, k) => [name, k]));
  const value = (signal: string, k: number): number =>
    new TrajectoryReader(sink).rows([places.get(signal) ?? -1], k, 1).columns[0][0];
  const names = [...places.keys()];
  const values = Float64Array.from(names, (name) => value(name, row));
  const built = outcome(document);
  const problem = stepProblem(document, built, { time: value('t', row), names, values }, environment);
  if (problem === null || 'reason' in problem) throw new Error(JSON.stringify(problem));
  return { problem, after: (signal) => value(signal, row + 1) };
}

const entry = ({ rowStart, columns, values }: StepProblem, i: number, j: number): number => {
  for (let k = rowStart[i]; k < rowStart[i + 1]; k++) if (columns[k] === j) return values[k];
  return 0;
};

/** |W z + q − w|, largest. */
function residual(problem: StepProblem): number {
  const { rowStart, columns, values, q, z, w } = problem;
  let worst = 0;
  for (let i = 0; i < q.length; i++) {
    let sum = q[i];
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += values[k] * z[columns[k]];
    worst = Math.max(worst, Math.abs(sum - w[i]));
  }
  return worst;
}

describe('the one-step problem', () => {
  it('of a ball that flies has no rows, of one that lies W = 1/m and the impulse of its weight', () => {
    const flying = at(example('bouncing-ball'), 10).problem;
    expect(flying).toMatchObject({ rows: [], allRows: 1, spectrum: null });
    const { problem, after } = at(example('bouncing-ball'), 9000);
    expect(problem.rows).toEqual([{ name: 'floor', element: 'floor' }]);
    expect(entry(problem, 0, 0)).toBe(1);
    expect(problem.z[0]).toBeCloseTo(9.81e-3, 15);
    expect(problem.z[0]).toBe(after('floor.impulse'));
    expect(problem.bounds).toEqual({ lower: Float64Array.of(0), upper: Float64Array.of(Infinity) });
  });

  it('of a circuit holds what its diodes did in the step', () => {
    const { problem, after } = at(example('diode-bridge'), 700);
    expect(problem.formulation).toBe('affine');
    expect(residual(problem)).toBeLessThan(1e-12);
    problem.rows.forEach(({ name }, i) =>
      expect(problem.z[i]).toBeCloseTo(after(name.replace(/^(\w+)(\[\d+\])?$/, '$1.lambda$2')), 12),
    );
    expect(problem.isSymmetric).toBe(false);
  });

  it('of boxes in space is symmetric, semidefinite, and in the cone of friction', () => {
    const { problem, after } = at(example('brick-on-slope'), 200);
    expect(problem.formulation).toBe('friction');
    expect(problem.rows.length).toBe(problem.rowStart.length - 1);
    expect(residual(problem)).toBeLessThan(1e-12);
    expect(problem.isSymmetric).toBe(true);
    const [least = NaN, most = NaN] = problem.spectrum ?? [];
    expect(least).toBeGreaterThan(-1e-12 * most);
    const elements = [...new Set(problem.rows.map(({ element }) => element))];
    for (const element of elements) {
      const normal = problem.rows.reduce(
        (sum, row, i) => sum + (row.element === element && row.name.endsWith(' n') ? problem.z[i] : 0),
        0,
      );
      expect(normal).toBeCloseTo(after(`${element}.normalImpulse`), 7);
    }
  });

  it('is there for a model of the event-driven scheme, too', () => {
    const { problem } = at(example('rocking-block'), 2900);
    // Friction in the plane is posed with two unknowns beside the force.
    const names = problem.rows.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['left n', 'left t (1)', 'left t (2)', 'right n']));
    expect(new Set(names).size).toBe(names.length);
    expect(residual(problem)).toBeLessThan(1e-10);
  });

  it('of a column that a script builds is tridiagonal', () => {
    const { problem } = at(example('bead-column'), 150);
    expect(problem.rows.length).toBeGreaterThan(50);
    expect(residual(problem)).toBeLessThan(1e-10);
    for (let i = 0; i < problem.rows.length; i++)
      expect(problem.rowStart[i + 1] - problem.rowStart[i]).toBeLessThanOrEqual(3);
    expect(problem.isSymmetric).toBe(true);
  });

  it('says what time-stepping cannot treat of a model of the event-driven scheme', () => {
    const chain = example('ball-chain');
    const row = { time: 0, names: [], values: new Float64Array(0) };
    expect(stepProblem(chain, undefined, row, environment)).toEqual({
      reason: 'noTimeStepping',
      names: [expect.stringMatching(/^Time-stepping/)],
    });
  });

  it('is not there for a model with errors, or a state that is not recorded', () => {
    const ball = example('bouncing-ball');
    const row = { time: 0, names: ['ball.q'], values: Float64Array.of(1) };
    expect(stepProblem({ ...ball, systems: [] }, undefined, row, environment)).toBeNull();
    expect(stepProblem(ball, undefined, row, environment)).toEqual({
      reason: 'notRecorded',
      names: ['ball.v'],
    });
  });
});
