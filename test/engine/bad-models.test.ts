/**
 * Models that cannot be computed: each failure names the element, the time and the remedy, and keeps what was
 * run.
 */
import { describe, expect, it } from 'vitest';
import type {
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { model, particle, withFunctions } from './support/models';
import { refusal, runFailure } from './support/run';

const sandbox = createSandbox;

const first = (id: string, fields: Partial<SystemDocument>): SystemDocument => ({
  id,
  type: 'FirstOrderLinear',
  n: 1,
  x0: [1],
  ...fields,
});

const between = (
  id: string,
  systems: string[],
  relation: TypedElement,
  law: TypedElement,
): InteractionDocument => ({
  id,
  systems,
  relation,
  law,
});

const circuit = (
  systems: SystemDocument[],
  interactions: InteractionDocument[] = [],
  simulation: Partial<ModelDocument['simulation']> = {},
): ModelDocument => {
  const document = model(systems, interactions, { h: 0.1, tEnd: 2 });
  return {
    ...document,
    simulation: { ...document.simulation, integrators: [], problem: { type: 'auto' }, ...simulation },
  };
};

/** A relation whose D, and with it the operator, is not symmetric. */
const TRIANGULAR: TypedElement = {
  type: 'FirstOrderLinearTI',
  C: [
    [1, 0],
    [0, 1],
  ],
  D: [
    [1, 1],
    [0, 1],
  ],
  B: [
    [1, 0],
    [0, 1],
  ],
};

describe('refused before the run, by name and with a remedy', () => {
  it.each<[string, ModelDocument, string, RegExp]>([
    [
      'a singular mass matrix of first order',
      circuit([
        first('tank', {
          n: 2,
          x0: [1, 1],
          mass: [
            [1, 1],
            [1, 1],
          ],
          A: [
            [0, 0],
            [0, 0],
          ],
        }),
      ]),
      'tank',
      /^The matrix M is singular/,
    ],
    [
      'an iteration matrix that is singular at this step',
      circuit([first('tank', { A: [[10]] })]),
      'tank',
      /iteration matrix .* singular at h = 0\.1 s/,
    ],
    [
      'a matrix whose expression has no value',
      circuit([first('tank', { A: [['0/0']] })]),
      'tank',
      /evaluates to NaN/,
    ],
    [
      'a relation of the wrong width',
      circuit(
        [first('tank', { A: [[-1]] })],
        [
          between(
            'valve',
            ['tank'],
            { type: 'FirstOrderLinearTI', C: [[1, 1]], B: [[1]] },
            { type: 'Complementarity' },
          ),
        ],
      ),
      'valve',
      /is 1 × 2; it must be 1 × 1/,
    ],
    [
      'a law of another size than the relation',
      circuit(
        [first('tank', { A: [[-1]] })],
        [
          between(
            'valve',
            ['tank'],
            { type: 'FirstOrderLinearTI', C: [[1]], B: [[1]] },
            { type: 'MixedComplementarity', equalities: 1, inequalities: 1 },
          ),
        ],
      ),
      'valve',
      /takes 2 rows at once; the relation FirstOrderLinearTI has 1/,
    ],
    [
      'a quadratic programme for an operator that is not symmetric',
      circuit(
        [
          first('tank', {
            n: 2,
            x0: [1, 1],
            A: [
              [-1, 0],
              [0, -1],
            ],
          }),
        ],
        [between('valve', ['tank'], TRIANGULAR, { type: 'Complementarity' })],
        { problem: { type: 'QP' } },
      ),
      '',
      /needs a symmetric operator/,
    ],
  ])('%s', (_, document, element, words) => {
    const error = refusal(document);
    expect(error.message).toMatch(words);
    if (element !== '') expect(`${error.where ?? ''} ${error.message}`).toContain(element);
    expect(error.remedy?.length ?? 0).toBeGreaterThan(10);
  });
});

describe('found while running, with the rows up to there', () => {
  it('a matrix A(t) that becomes NaN', () => {
    const document = withFunctions(
      circuit([first('tank', { A: { function: 'rates' } })]),
      'export const rates: TimeMatrix = (t, out) => {',
      '  out[0] = -Math.sqrt(1 - t);',
      '};',
    );
    const { error, session } = runFailure(document, { sandbox });
    expect(error).toMatchObject({ code: 'script-not-finite', where: 'tank' });
    expect(error.time).toBeGreaterThan(1);
    expect(error.remedy).toBeTruthy();
    expect(session.rows).toBe(11);
  });

  it('a step that is too large for Newton', () => {
    const document = withFunctions(
      circuit([
        {
          id: 'flame',
          type: 'FirstOrderNonLinear',
          n: 1,
          x0: [1],
          f: { function: 'grow' },
        },
      ]),
      'export const grow: Rate = (t, x, out) => {',
      '  out[0] = x[0] * x[0];',
      '};',
    );
    const { error, session } = runFailure(document, { sandbox });
    expect(error.code).toBe('newton-not-converged');
    expect(error.where).toBe('flame');
    expect(error.message).toMatch(/residual/);
    expect(error.remedy).toMatch(/step/);
    expect(session.rows).toBeGreaterThan(2);
    expect(session.rows).toBe(session.steps + 1);
    expect(error.time).toBeCloseTo(session.time + 0.1, 12);
  });

  it('a one-step problem without a solution', () => {
    // y = −λ − 1 ≥ 0 with λ ≥ 0 has none.
    const document = circuit(
      [first('tank', { A: [[-1]] })],
      [
        between(
          'valve',
          ['tank'],
          { type: 'FirstOrderLinearTI', C: [[0.001]], D: [[-1]], B: [[0]], e: [-1] },
          { type: 'Complementarity' },
        ),
      ],
    );
    const { error } = runFailure(document, { sandbox });
    expect(error.code).toMatch(/^solver-(infeasible|noSolution|ray)$/);
    expect(error.where).toContain('valve');
    expect(error.time).toBeCloseTo(0.1, 12);
    expect(error.remedy).toBeTruthy();
  });

  it('a solver that needs a symmetric operator', () => {
    const document = circuit(
      [
        first('tank', {
          n: 2,
          x0: [-1, -1],
          A: [
            [-1, 0],
            [0, -1],
          ],
        }),
      ],
      [between('valve', ['tank'], TRIANGULAR, { type: 'Complementarity' })],
      { solver: { type: 'ConvexQP' } },
    );
    const { error } = runFailure(document, { sandbox });
    expect(error.code).toBe('solver-unsuitable');
    expect(error.where).toContain('valve');
    expect(error.remedy).toBeTruthy();
  });

  it('a Schatzman–Paoli system with a base motion', () => {
    const document = withFunctions(
      model([particle('mass', 0, 0, { basePosition: { function: 'c' }, baseVelocity: { function: 'c' } })]),
      'export const c: PrescribedMotion = (t, out) => {',
      '  out[0] = 0;',
      '};',
    );
    document.simulation.integrators = [{ type: 'SchatzmanPaoli' }];
    expect(refusal(document, { sandbox })).toMatchObject({ code: 'integrator-unsuitable', where: 'mass' });
  });
});
