/** Control blocks beside 3D bodies: they read joints and bodies, and drive forces and moments. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SimulationDocument, SystemDocument } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun } from '@engine/run/session';
import { createSandbox } from '@engine/script/sandbox';
import { model } from '../support/models';
import { run } from '../support/run';
import { SCHEMES } from './documents';

const [MASS, INERTIA, LENGTH, G] = [2, 0.05, 0.6, 9.81];

/** @param angle, rate what is read */
const blocks = (angle: string, rate: string, every: number): SystemDocument[] => [
  { id: 'drag', type: 'SampleAndHold', x: [`-0.3*${rate}`], every: 0.017, offset: 0.004 },
  {
    id: 'pid',
    type: 'PID',
    measured: [angle],
    reference: ['0.4*sin(t)'],
    kp: 30,
    ki: 10,
    kd: 3,
    lower: -9,
    upper: 9,
    every,
  },
];

const simulation = (document: ModelDocument, of: Partial<SimulationDocument>): SimulationDocument => ({
  ...document.simulation,
  tEnd: 2,
  h: 0.01,
  integrators: [{ type: 'MoreauJean', theta: 0.5 }],
  eventDriven: { flight: { type: 'DormandPrince', relativeTolerance: 1e-13, absoluteTolerance: 1e-14 } },
  ...of,
});

/** A body on a hinge at the origin, hanging at the angle 0. */
const hinged = (of: Partial<SimulationDocument> = {}, every = 0.02): ModelDocument => {
  const document = model([]);
  return {
    ...document,
    systems: [
      {
        id: 'arm',
        type: 'RigidBody',
        mass: MASS,
        inertia: [0.03, 0.04, INERTIA],
        position: [0, -LENGTH, 0],
        gravity: [0, -G, 0],
        moment: { signals: ['0', '0', 'pid.u + drag.y'] },
      },
      ...blocks('hinge.angle', 'hinge.angleRate', every),
    ],
    interactions: [
      {
        id: 'hinge',
        systems: ['arm'],
        relation: { type: 'RevoluteJoint', point: [0, 0, 0], axis: [0, 0, 1] },
        law: { type: 'Equality' },
      },
    ],
    simulation: { ...simulation(document, of), problem: { type: 'auto' }, solver: { type: 'auto' } },
  };
};

/** The same by its angle. */
const byAngle = (of: Partial<SimulationDocument> = {}, every = 0.02): ModelDocument => {
  const document = model([]);
  return {
    ...document,
    systems: [
      {
        id: 'arm',
        type: 'LagrangianNonLinear',
        ndof: 1,
        mass: [[MASS * LENGTH ** 2 + INERTIA]],
        q0: [0],
        v0: [0],
        fInt: { function: 'weight' },
        fExt: { signals: ['pid.u + drag.y'] },
      },
      ...blocks('arm.q', 'arm.v', every),
    ],
    scripts: [
      {
        name: 'arm.ts',
        role: 'functions',
        source: [
          'export const weight: InternalForce = (t, q, v, out) => {',
          `  out[0] = ${MASS * G * LENGTH} * Math.sin(q[0]);`,
          '};',
        ],
      },
    ],
    simulation: simulation(document, of),
  };
};

const apart = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), a.length === b.length ? 0 : Infinity);

describe('a PID on a hinge', () => {
  it('moves the body as it moves the pendulum by its angle, event-driven', () => {
    const body = run(hinged(), { scheme: 'event-driven' });
    const angle = run(byAngle(), { scheme: 'event-driven', sandbox: createSandbox });
    expect(apart(body.column('t'), angle.column('t'))).toBe(0);
    expect(apart(body.column('hinge.angle'), angle.column('arm.q'))).toBeLessThan(1e-10);
    expect(apart(body.column('pid.u'), angle.column('pid.u'))).toBeLessThan(1e-8);
    expect(Math.max(...body.column('pid.u'))).toBeGreaterThan(3);
    expect(body.session.energyDrift).toBeLessThan(1e-9);
  });

  // Rows of Moreau–Jean are those of the predicted position, of order 1 in turns, with blocks or without.
  it.each([
    ['MoreauJean', 2],
    ['MoreauHalfStep', 4],
    ['D1MinusLinear', 4],
  ] as const)('comes to that motion as the steps of %s are halved, by %d times', (type, times) => {
    const end = (scheme: (typeof SCHEMES)[number], h: number): number => {
      const document = hinged({ h, integrators: [{ type }] }, 0.04);
      // Samples on the grid of each of the steps.
      document.systems = document.systems.filter(({ id }) => id !== 'drag');
      document.systems[0].moment = { signals: ['0', '0', 'pid.u'] };
      return run(document, { scheme }).column('hinge.angle').at(-1) ?? Number.NaN;
    };
    const exact = end('event-driven', 0.01);
    const [coarse, fine] = [0.01, 0.005].map((h) => Math.abs(end('time-stepping', h) - exact));
    expect(Math.abs(coarse / fine / times - 1)).toBeLessThan(0.04);
  });

  it('comes to that motion as steps get shorter, which samples divide', () => {
    const exact = run(hinged(), { scheme: 'event-driven' }).column('hinge.angle').at(-1) ?? Number.NaN;
    const errors = [0.01, 0.005].map((h) => {
      const { column } = run(hinged({ h, integrators: [{ type: 'MoreauHalfStep' }] }));
      return Math.abs((column('hinge.angle').at(-1) ?? Number.NaN) - exact);
    });
    expect(errors[0]).toBeLessThan(1e-6);
    expect(errors[1]).toBeLessThan(errors[0] / 2);
  });

  it.each(['MoreauJean', 'MoreauHalfStep', 'D1MinusLinear'])('is sampled at exact times by %s', (type) => {
    const integrators = [{ type }];
    const { column, session } = run(hinged({ integrators, h: 0.013 }));
    const t = column('t');
    const held = column('pid.u');
    // Rows stand at samples as well as on the grid.
    for (let k = 1; k < 90; k++) expect([...t].some((at) => Math.abs(at - k * 0.02) < 1e-14)).toBe(true);
    expect(new Set(held).size).toBeGreaterThan(90);
    const { dynamics, complementarity, coneViolation } = session.certificate;
    expect(Math.max(dynamics, complementarity, coneViolation)).toBeLessThan(1e-9);
  });

  it('is sampled where the step is controlled', () => {
    const { column } = run(hinged({ stepControl: { tolerance: 1e-6, hMin: 1e-5, hMax: 0.05 } }));
    const exact = run(hinged(), { scheme: 'event-driven' }).column('hinge.angle').at(-1) ?? Number.NaN;
    expect(column('hinge.angle').at(-1)).toBeCloseTo(exact, 3);
  });
});

/** A ball that a PID rolls to and fro on the ground, pushed aside by a force. */
const rolled = (type: string, h: number): ModelDocument => {
  const document = model([]);
  return {
    ...document,
    systems: [
      {
        id: 'ball',
        type: 'RigidBody',
        mass: MASS,
        inertia: [0.008, 0.008, 0.008],
        position: [0.1, 0, 0.3],
        gravity: [0, 0, -G],
        force: { signals: ['pid.u', '0.2', '0'] },
        shapes: [{ type: 'Sphere', radius: 0.1 }],
      },
      { id: 'ground', type: 'FixedBody', shapes: [{ type: 'Plane' }] },
      ...blocks('ball.q[0]', 'ball.v[0]', 0.017),
    ],
    interactions: [
      {
        id: 'contact',
        systems: ['ball', 'ground'],
        relation: { type: 'ShapeContact' },
        law: { type: 'NewtonImpactFriction3D', e: 0.5, mu: 0.4 },
      },
    ],
    simulation: {
      ...simulation(document, { integrators: [{ type }], h }),
      problem: { type: 'auto' },
      solver: { type: 'auto' },
    },
  };
};

describe('a ball that a PID rolls, with impacts and friction', () => {
  it.each(['MoreauJean', 'MoreauHalfStep', 'D1MinusLinear'])('is certified by %s', (type) => {
    const { column, session: done } = run(rolled(type, 0.01));
    const { dynamics, complementarity, coneViolation } = done.certificate;
    expect(Math.max(dynamics, complementarity, coneViolation)).toBeLessThan(1e-8);
    expect(column('ball.q[2]').at(-1)).toBeCloseTo(0.1, 2);
    expect(Math.max(...column('ball.v[0]'))).toBeGreaterThan(0.1);
  });
});

const session = (document: ModelDocument, scheme: (typeof SCHEMES)[number]) => {
  const options = { sandbox: createSandbox, sink: new MemoryChunks(), keepsHistory: true };
  const prepared = prepareRun({ document, scheme }, options);
  if (!prepared.ok) throw new Error(prepared.error.message);
  return prepared.session;
};

describe.each(SCHEMES)('%s', (scheme) => {
  it.each([0.01, 0.02])('goes back and on again with equal bits, period %s', (every) => {
    const end = (one: ReturnType<typeof session>): string =>
      JSON.stringify([one.time, one.rows, one.initialState, one.certificate]);
    const straight = session(hinged({ tEnd: 4 }, every), scheme);
    expect(straight.advance(1e9)).toBe('done');
    const other = session(hinged({ tEnd: 4 }, every), scheme);
    // A kept state of steps stands between these; from event to event a run goes back to its start.
    other.advance(300);
    other.goBack(299);
    expect(other.moves > 0).toBe(scheme === 'time-stepping');
    expect(other.advance(1e9)).toBe('done');
    expect(end(other)).toBe(end(straight));
  });

  it('goes on with changed numbers, with the same samples', () => {
    const document = hinged();
    document.parameters.push({ name: 'unused', value: 1 });
    document.observables.push({ name: 'o', expression: 'unused' });
    const [straight, changed] = [session(document, scheme), session(document, scheme)];
    straight.advance(1e9);
    changed.advance(77);
    expect(changed.change({ unused: 2 })).toBeNull();
    expect(changed.advance(1e9)).toBe('done');
    expect(changed.time).toBe(straight.time);
    const [a, b] = [straight, changed].map((one) => one.initialState.systems[0].fields);
    const numbers = (of: object): number[] =>
      ['position', 'orientation', 'velocity', 'spin'].flatMap((key) =>
        Object.entries(of).flatMap(([name, value]) => (name === key ? Array.from(value as number[]) : [])),
      );
    numbers(b).forEach((x, k) => {
      expect(x).toBeCloseTo(numbers(a)[k], 10);
    });
    expect(numbers(a).filter(Number.isFinite).length).toBeGreaterThan(8);
  });
});
