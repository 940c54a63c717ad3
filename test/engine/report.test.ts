/** The report on a document: what is known of it without running a script. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { needsBuilder } from '@engine/document/builder-scripts';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from './support/issues';
import {
  contact,
  EXAMPLES,
  example,
  linearSystem,
  model,
  particle,
  withBuilder,
  withFunctions,
} from './support/models';
import { rigid } from './support/space';

const ball = particle('ball', 1, 0);

describe('signals', () => {
  it('of a model stand in recording order, with units', () => {
    const document = {
      ...model(
        [
          ball,
          {
            ...linearSystem(
              'arm',
              {
                mass: [
                  [1, 0],
                  [0, 1],
                ],
              },
              [0, 0],
              [0, 0],
            ),
            coordinateUnit: 'rad',
          },
        ],
        [
          contact('floor', ['ball'], [[1]], 0),
          contact(
            'stops',
            ['arm'],
            [
              [1, 0],
              [0, 1],
            ],
            0,
          ),
        ],
      ),
      observables: [{ name: 'height', expression: '100*ball.q', unit: 'cm', description: 'Height' }],
    };
    const { signals, issues } = reportDocument(document);
    expect(issues).toEqual([]);
    expect(signals.map(({ name, unit }) => `${name} [${unit}]`)).toEqual([
      't [s]',
      'ball.q [m]',
      'ball.v [m/s]',
      'arm.q[0] [rad]',
      'arm.q[1] [rad]',
      'arm.v[0] [rad/s]',
      'arm.v[1] [rad/s]',
      'floor.gap [m]',
      'floor.gapVelocity [m/s]',
      'floor.impulse [N s]',
      'stops.gap[0] [rad]',
      'stops.gapVelocity[0] [rad/s]',
      'stops.impulse[0] [N m s]',
      'stops.gap[1] [rad]',
      'stops.gapVelocity[1] [rad/s]',
      'stops.impulse[1] [N m s]',
      'energy.kinetic [J]',
      'energy.potential [J]',
      'height [cm]',
    ]);
    expect(signals.find(({ name }) => name === 'floor.gap')).toMatchObject({ kind: 'gap', element: 'floor' });
    for (const { description } of signals) expect(description.length).toBeGreaterThan(3);
  });

  it('are those the document chooses, time always with them', () => {
    const document = model([ball]);
    document.simulation.recording = { signals: ['ball.v'] };
    expect(reportDocument(document).signals.map(({ name }) => name)).toEqual(['t', 'ball.v']);
  });

  it('are none while there are errors', () => {
    const report = reportDocument(model([particle('ball', 1, 0, { mass: [['m']] })]));
    expect(report.signals).toEqual([]);
    expectComplete(report.issues);
  });
});

describe('values', () => {
  it('of expressions stand at their pointers', () => {
    const document: ModelDocument = {
      ...model(
        [particle('ball', 0, 0, { mass: [['2*m']], q0: ['h0'] })],
        [contact('floor', ['ball'], [[1]], 0)],
        {
          h: 'T/100',
        },
      ),
      parameters: [
        { name: 'm', value: 3 },
        { name: 'h0', value: 'm/10' },
        { name: 'T', value: '2*pi' },
      ],
    };
    document.interactions[0].law.e = '1/m';
    const { values, parameters, issues } = reportDocument(document);
    expect(issues).toEqual([]);
    expect(parameters).toEqual({ m: 3, h0: 0.3, T: 2 * Math.PI });
    expect(values).toEqual({
      '/parameters/1/value': 0.3,
      '/parameters/2/value': 2 * Math.PI,
      '/systems/0/mass/0/0': 6,
      '/systems/0/q0/0': 0.3,
      '/interactions/0/law/e': 1 / 3,
      '/simulation/h': (2 * Math.PI) / 100,
    });
  });
});

describe('scripts', () => {
  it('are read for their exports and never run', () => {
    const document = withFunctions(
      model([particle('ball', 0, 0, { fExt: { function: 'push' } })]),
      'while (true) {}',
      'export const push: ExternalForce = (t, out) => {',
      '  throw new Error("never");',
      '};',
    );
    const { issues, exports } = reportDocument(document);
    expect(issues).toEqual([]);
    expect(exports).toEqual({ 'functions.ts': ['push'] });
  });

  it('that cannot be read are one defect, not one for each use of their functions', () => {
    const document = example('cam-follower-358');
    document.scripts[0].source.push('export const = 3;');
    const { issues, signals } = reportDocument(document);
    expect(issues.map(({ code }) => code)).toEqual(['script-syntax']);
    expectComplete(issues);
    expect(issues[0].script?.line).toBe(document.scripts[0].source.length);
    expect(signals).toEqual([]);
  });

  it('give the editor its declarations', () => {
    const { typings } = reportDocument({
      ...model([ball]),
      parameters: [{ name: 'rpm', value: 1, unit: '1/min', description: 'Speed */ of the cam' }],
    });
    expect(typings).toContain('readonly rpm: number;');
    expect(typings).toContain('/** Speed * / of the cam [1/min] = 1 */');
    expect(typings).toContain('"ball": { q: readonly [q0: number];');
    expect(typings).toContain('(t: number, out: VectorOf<S, "out">, p: Parameters) => void;');
  });
});

describe('builders', () => {
  const column = withBuilder(model([]), 'export default (model: ModelBuilder) => {};');

  it('are waited for: a model without systems of its own is no defect yet', () => {
    expect(reportDocument(column).issues).toEqual([]);
  });

  it('are waited for by settings, observables and signals that are for what they build', () => {
    const { simulation } = column;
    const waiting: ModelDocument = {
      ...column,
      simulation: {
        ...simulation,
        integrators: [],
        problem: { type: 'auto' },
        solver: { type: 'NSGS' },
        impacts: { type: 'Poisson' },
        recording: { signals: ['body.q[2]', 'height'] },
      },
      observables: [
        { name: 'height', expression: 'body.q[2]/2' },
        { name: 'broken', expression: 'body.q[2]/' },
      ],
    };
    expect(reportDocument(waiting).issues.map(({ pointer }) => pointer)).toEqual([
      '/observables/1/expression',
    ]);
    waiting.observables.pop();
    expect(reportDocument(waiting).issues).toEqual([]);
    expect(reportDocument(waiting, { systems: [rigid('body', [0, 0, 1])], interactions: [] }).issues).toEqual(
      [],
    );
    const { issues } = reportDocument(waiting, { systems: [ball], interactions: [] });
    expectComplete(issues);
    expect(issues.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['expression', '/observables/0/expression'],
      ['solver-of-space', '/simulation/solver/type'],
      ['impacts-of-stepping', '/simulation/impacts/type'],
      ['unknown-signal', '/simulation/recording/signals/0'],
    ]);
  });

  it('count with what they built', () => {
    const built = { systems: [ball], interactions: [contact('floor', ['ball'], [[1]], 0)] };
    const report = reportDocument(column, built);
    expect(report.issues).toEqual([]);
    expect(report.built).toBe(built);
    expect(report.signals.map(({ name }) => name)).toContain('floor.impulse');
  });

  it('are judged by the same rules', () => {
    const report = reportDocument(column, { systems: [{ ...ball, ndof: 0 }], interactions: [] });
    expect(report.issues[0]).toMatchObject({ code: 'wrong-value', element: 'ball' });
    expect(reportDocument(column, { systems: [], interactions: [] }).issues[0].code).toBe('no-systems');
  });
});

describe('a document of which a section is missing', () => {
  it.each(['scripts', 'simulation', 'systems', 'interactions', 'parameters', 'observables', 'views'])(
    'lacks %s, and is reported',
    (section) => {
      const document = { ...example('bouncing-ball') } as Record<string, unknown>;
      Reflect.deleteProperty(document, section);
      const { issues } = reportDocument(document as unknown as ModelDocument);
      expect(issues.map(({ pointer }) => pointer)).toContain(`/${section}`);
    },
  );
});

/** What is said of examples that are sound: a loss that tuning avoids, a start that is one of several. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  'class-e': ['state-jumps'],
  'schmitt-astable': ['several-starts'],
  'switched-capacitors-drawn': ['state-jumps'],
};

describe('examples', () => {
  it.each(EXAMPLES)('%s has no defect', (name) => {
    const { issues } = reportDocument(example(name));
    expect(
      issues.filter(({ code, severity }) => severity === 'error' || !SAID[name]?.includes(code)),
    ).toEqual([]);
  });

  it.each(EXAMPLES.filter((name) => !needsBuilder(example(name))))(
    'the views of %s show signals it records',
    (name) => {
      const document = example(name);
      const known = new Set(reportDocument(document).signals.map((signal) => signal.name));
      for (const view of document.views) {
        if (view.type === 'bifurcation') continue;
        const shown =
          'signals' in view ? view.signals : 'x' in view ? [view.x, ...('y' in view ? [view.y] : [])] : [];
        for (const signal of shown) expect(known).toContain(signal);
      }
    },
  );
});
