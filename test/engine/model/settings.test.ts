/** Settings of a run: defaults, and which integrator advances which system. */
import { describe, expect, it } from 'vitest';
import type { IntegratorAssignment } from '@engine/document/integrator-assignment';
import type {
  DocumentIssue,
  IntegratorDocument,
  ModelDocument,
  SimulationDocument,
  SystemDocument,
} from '@engine/document/types';
import { solverDefinitions } from '@engine/model/registry';
import { build, buildSound } from '../support/built';
import { expectComplete } from '../support/issues';
import { model, particle } from '../support/models';

const state = (id: string): SystemDocument => ({ id, type: 'FirstOrderLinear', n: 1, x0: [0], A: [[-1]] });
const nonlinear = (id: string): SystemDocument => ({
  id,
  type: 'FirstOrderNonLinear',
  n: 1,
  x0: [0],
  f: { function: 'f' },
});

const SYSTEMS = [particle('m', 0, 0), state('x'), particle('n', 0, 0), state('y')];

function simulated(changes: Partial<SimulationDocument>, systems: SystemDocument[] = SYSTEMS): ModelDocument {
  const document = model(systems);
  return { ...document, simulation: { ...document.simulation, ...changes } };
}

const f = (): void => undefined;

it('an integrator that was chosen and has no system is said to be idle', () => {
  const { issues } = build(simulated({ integrators: [{ type: 'D1MinusLinear' }] }, [state('x')]));
  expect(issues.map(({ code, pointer, severity }) => [severity, code, pointer])).toEqual([
    ['warning', 'integrator-idle', '/simulation/integrators/0'],
  ]);
});

describe('the assignment of integrators', () => {
  const assigned = (integrators: IntegratorDocument[]): [string, readonly number[]][] =>
    buildSound(simulated({ integrators })).settings.integrators.map(({ type, systems }) => [type, systems]);

  it.each<[string, IntegratorDocument[], [string, number[]][]]>([
    [
      'falls back on the default of each order',
      [],
      [
        ['MoreauJean', [0, 2]],
        ['EulerMoreau', [1, 3]],
      ],
    ],
    [
      'gives an integrator without systems all of its order',
      [{ type: 'EulerMoreau' }, { type: 'SchatzmanPaoli' }],
      [
        ['EulerMoreau', [1, 3]],
        ['SchatzmanPaoli', [0, 2]],
      ],
    ],
    [
      'gives it what no other names, whichever comes first',
      [{ type: 'EulerMoreau' }, { type: 'ZeroOrderHold', systems: ['y'] }],
      [
        ['EulerMoreau', [1]],
        ['ZeroOrderHold', [3]],
        ['MoreauJean', [0, 2]],
      ],
    ],
    [
      'lets one type appear with several settings',
      [
        { type: 'MoreauJean', theta: 1, systems: ['n'] },
        { type: 'MoreauJean', theta: 0.5, systems: ['m'] },
      ],
      [
        ['MoreauJean', [2]],
        ['MoreauJean', [0]],
        ['EulerMoreau', [1, 3]],
      ],
    ],
    [
      'orders systems as the model does and leaves out integrators without any',
      [{ type: 'ZeroOrderHold', systems: ['y', 'x'] }, { type: 'EulerMoreau' }],
      [
        ['ZeroOrderHold', [1, 3]],
        ['MoreauJean', [0, 2]],
      ],
    ],
  ])('%s', (_, integrators, expected) => {
    expect(assigned(integrators)).toEqual(expected);
  });

  it('has the values of every field, defaults included', () => {
    const { integrators } = buildSound(
      simulated({ integrators: [{ type: 'MoreauJean', theta: '1/4', massPoint: 'end' }] }),
    ).settings;
    expect(integrators).toEqual<IntegratorAssignment[]>([
      {
        type: 'MoreauJean',
        numbers: {
          theta: 0.25,
          forecast: 0.5,
          projectionTolerance: Number.NaN,
          projectionIterations: 30,
          overlap: Number.NaN,
        },
        choices: {
          activation: 'forecast',
          massPoint: 'end',
          relationPoint: 'predicted',
          gyroscopic: 'implicit',
          // Which default it has depends on the systems.
          projection: '',
          metric: 'mass',
          projectContacts: 'no',
        },
        texts: {},
        given: new Set(['theta', 'massPoint']),
        systems: [0, 2],
      },
      {
        type: 'EulerMoreau',
        numbers: { theta: 1, thetaR: 1, gamma: Number.NaN },
        choices: {},
        texts: {},
        given: new Set(),
        systems: [1, 3],
      },
    ]);
  });

  const at = (i: number, place = ''): string => `/simulation/integrators/${i}${place}`;
  it.each<[string, IntegratorDocument[], SystemDocument[], Partial<DocumentIssue>]>([
    [
      'of a system of the wrong order',
      [{ type: 'EulerMoreau', systems: ['x', 'm'] }],
      SYSTEMS,
      {
        code: 'integrator-order',
        pointer: at(0, '/systems/1'),
        message: 'EulerMoreau advances first-order systems; “m” (LagrangianLinearTI) is Lagrangian.',
        remedy: 'Integrators for “m”: MoreauJean, SchatzmanPaoli, MoreauHalfStep, D1MinusLinear.',
      },
    ],
    [
      'of a system to two integrators',
      [
        { type: 'MoreauJean', systems: ['m', 'n'] },
        { type: 'SchatzmanPaoli', systems: ['n'] },
      ],
      SYSTEMS,
      { code: 'system-twice', pointer: at(1, '/systems/0') },
    ],
    [
      'of a system twice to one integrator',
      [{ type: 'MoreauJean', systems: ['m', 'm'] }],
      SYSTEMS,
      { code: 'system-twice', pointer: at(0, '/systems/1') },
    ],
    [
      'of a system that does not exist',
      [{ type: 'MoreauJean', systems: ['q'] }],
      SYSTEMS,
      { code: 'unknown-system', pointer: at(0, '/systems/0') },
    ],
    [
      'of a named non-linear system to the zero-order hold',
      [{ type: 'ZeroOrderHold', systems: ['z'] }],
      [nonlinear('z')],
      { code: 'integrator-linear', pointer: at(0, '/systems/0') },
    ],
    [
      'of a non-linear system that is left to the zero-order hold',
      [{ type: 'ZeroOrderHold' }],
      [nonlinear('z')],
      { code: 'integrator-linear', pointer: at(0) },
    ],
    [
      'of all systems to two integrators',
      [{ type: 'MoreauJean' }, { type: 'SchatzmanPaoli' }],
      SYSTEMS,
      { code: 'integrator-rivals', pointer: at(1) },
    ],
    [
      'with a weight that is too large',
      [{ type: 'EulerMoreau', thetaR: 2 }],
      SYSTEMS,
      { code: 'out-of-range', pointer: at(0, '/thetaR') },
    ],
  ])('is refused %s', (_, integrators, systems, expected) => {
    const { issues } = build(simulated({ integrators }, systems), { f });
    expectComplete(issues);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject(expected);
  });
});

describe('other settings', () => {
  it('have defaults', () => {
    expect(buildSound(simulated({ problem: { type: 'auto' } })).settings).toMatchObject({
      t0: 0,
      recordEvery: 1,
      accuracy: 0.01,
      newton: { tolerance: 1e-12, maxIterations: 20 },
      stepControl: null,
      derivatives: 'automatic',
      problem: { type: 'auto', numbers: {}, choices: { assembly: 'blocks' } },
    });
  });

  it('are read, expressions included', () => {
    const document: ModelDocument = {
      ...simulated({
        h: 'step',
        newton: { tolerance: 'step/100', maxIterations: 7 },
        stepControl: { tolerance: 1e-4, hMin: 'step/10', hMax: '10*step' },
        derivatives: 'finite-differences',
        problem: { type: 'AVI', assembly: 'product' },
        recording: { every: 3 },
      }),
      parameters: [{ name: 'step', value: 0.01 }],
    };
    expect(buildSound(document).settings).toMatchObject({
      h: 0.01,
      recordEvery: 3,
      accuracy: 0.01,
      newton: { tolerance: 1e-4, maxIterations: 7 },
      stepControl: { tolerance: 1e-4, hMin: 1e-3, hMax: 0.1 },
      derivatives: 'finite-differences',
      problem: { type: 'AVI', choices: { assembly: 'product' } },
    });
  });

  it.each(solverDefinitions.map(({ type }) => type))('of the solver %s are all there', (type) => {
    const { solver } = buildSound(simulated({ solver: { type } })).settings;
    const { fields } = solverDefinitions.find((definition) => definition.type === type) ?? { fields: [] };
    expect(solver.type).toBe(type);
    for (const { key, kind } of fields)
      expect(kind === 'choice' ? solver.choices[key] : Number.isFinite(solver.numbers[key])).toBeTruthy();
  });

  const control = { tolerance: 1e-3, hMin: 1e-6, hMax: 1 };
  it.each<[string, Partial<SimulationDocument>, string]>([
    ['a step that is not positive', { h: 0 }, 'h'],
    ['an end before the start', { t0: 2, tEnd: 1 }, 'tEnd'],
    ['a tolerance of zero', { newton: { tolerance: 0 } }, 'newton/tolerance'],
    [
      'a step control without tolerance',
      { stepControl: { ...control, tolerance: 0 } },
      'stepControl/tolerance',
    ],
    ['a smallest step of zero', { stepControl: { ...control, hMin: 0 } }, 'stepControl/hMin'],
    ['a largest step below the smallest', { stepControl: { ...control, hMax: 1e-7 } }, 'stepControl/hMax'],
    ['a first step outside its range', { stepControl: { ...control, hMin: 0.1 } }, 'h'],
    ['an expression of nothing', { stepControl: { ...control, hMax: 'nothing' } }, 'stepControl/hMax'],
  ])('refuse %s', (_, changes, place) => {
    const { issues } = build(simulated(changes));
    expectComplete(issues);
    expect(issues.map(({ pointer }) => pointer)).toEqual([`/simulation/${place}`]);
  });
});
