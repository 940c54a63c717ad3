/** Interactions that come and go by a condition of the model. */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, ModelDocument } from '@engine/document/types';
import { placeConstraint } from '@engine/recording/constraints/constraint';
import { ConstraintReader } from '@engine/recording/constraints/constraint-reader';
import { siconosScript } from '@engine/siconos/script';
import { stepProblem } from '@engine/inspection/step-problem';
import { reportDocument } from '@engine/preparation/report';
import { prepareRun } from '@engine/run/session';
import { MemoryChunks } from '@engine/recording/chunks';
import { refusal, run, runFailure } from '../support/run';

const G = 9.81;
const environment = {
  sandbox: () => {
    throw new Error('there is no script');
  },
  begin: () => true,
};

/** Two carts on a line; the first one catches the second while a condition holds. */
function carts(condition: (string | number)[], more: Partial<InteractionDocument> = {}): ModelDocument {
  const cart = (id: string, mass: number, q0: number, v0: number) => ({
    id,
    type: 'LagrangianLinearTI',
    ndof: 1,
    mass: [[mass]],
    q0: [q0],
    v0: [v0],
  });
  return {
    formatVersion: 3,
    title: 'Carts',
    parameters: [{ name: 'release', value: 1.5 }],
    systems: [cart('a', 2, 0, 3), cart('b', 1, 1, 0)],
    interactions: [
      {
        id: 'latch',
        systems: ['a', 'b'],
        relation: { type: 'LagrangianLinear', H: [[-1, 1]], b: [0] },
        law: { type: 'Equality', level: 'velocity' },
        while: { type: 'Condition', condition },
        ...more,
      },
    ],
    simulation: {
      scheme: 'time-stepping',
      t0: 0,
      tEnd: 2,
      h: 1e-3,
      integrators: [{ type: 'MoreauJean' }],
      problem: { type: 'auto' },
      solver: { type: 'auto' },
    },
    observables: [],
    scripts: [],
    views: [],
    layout: { nodes: {} },
  };
}

/** A mass on a slack rope that is cut. */
function rope(condition: string, tEnd = 2): ModelDocument {
  return {
    ...carts(['1']),
    systems: [
      { id: 'mass', type: 'LagrangianLinearTI', ndof: 1, mass: [[2]], q0: [0], v0: [0], fExt: [-2 * G] },
    ],
    interactions: [
      {
        id: 'rope',
        systems: ['mass'],
        relation: { type: 'LagrangianLinear', H: [[1]], b: [1] },
        law: { type: 'NewtonImpact', e: 0 },
        while: { type: 'Condition', condition: [condition] },
      },
    ],
    simulation: { ...carts(['1']).simulation, tEnd },
  };
}

const at = (column: Float64Array, h: number, time: number): number => column[Math.round(time / h)];

describe('an interaction with a condition', () => {
  it('latches two carts, which then have their common momentum, and lets them go', () => {
    const { session, column } = run(carts(['min(0.2 - latch.y, release - t)']));
    const [v1, v2, present, impulse] = ['a.v', 'b.v', 'latch.present', 'latch.impulse'].map(column);
    const h = 1e-3;
    // 3 m/s over 0.8 m to the latch.
    const caught = present.indexOf(1);
    expect(caught * h).toBeCloseTo(0.8 / 3, 2);
    const common = (2 * 3) / 3;
    for (let k = caught; k < v1.length; k++) {
      expect(v1[k]).toBeCloseTo(common, 12);
      expect(v2[k]).toBeCloseTo(common, 12);
    }
    expect(impulse[caught]).toBeCloseTo((2 * 1 * 3) / 3, 12);
    // From the release on there is no row.
    const released = present.indexOf(0, caught);
    expect((released - 1) * h).toBeCloseTo(1.5, 2);
    expect([...impulse.slice(released)].every((value) => value === 0)).toBe(true);
    // Inelastic: what the impact takes is in the balance.
    expect(column('energy.kinetic')[0] - column('energy.kinetic')[caught]).toBeCloseTo(9 - 6, 12);
    expect(session.energyDrift).toBeLessThan(1e-13);
    const { dynamics, complementarity, coneViolation } = session.certificate;
    expect(Math.max(dynamics, complementarity, coneViolation)).toBeLessThan(1e-12);
  });

  it('cuts a rope: from there on the mass falls freely', () => {
    const { session, column } = run(rope('1 - t'));
    const [q, v, gap] = ['mass.q', 'mass.v', 'rope.gap'].map(column);
    const h = 1e-3;
    expect(at(q, h, 0.9)).toBeCloseTo(-1, 2);
    expect(at(v, h, 0.9)).toBeCloseTo(0, 12);
    const cut = column('rope.present').indexOf(0);
    expect((cut - 1) * h).toBeCloseTo(1, 2);
    for (const time of [1.2, 1.6, 2]) {
      const since = time - (cut - 1) * h;
      expect(at(v, h, time)).toBeCloseTo(-G * since, 9);
      expect(at(q, h, time)).toBeCloseTo(at(q, h, (cut - 1) * h) - (G * since ** 2) / 2, 9);
    }
    expect(at(gap, h, 2)).toBeLessThan(-4);
    expect(session.energyDrift).toBeLessThan(1e-12);
    expect(session.certificate.complementarity).toBeLessThan(1e-12);
  });

  it('has the bits of the model without it while it is absent, and of the one with it while it is there', () => {
    const without = { ...rope('1'), interactions: [] };
    const { while: _, ...always } = rope('1').interactions[0];
    expect(run(rope('-1')).column('mass.q')).toEqual(run(without).column('mass.q'));
    expect(run(rope('1')).column('mass.q')).toEqual(
      run({ ...without, interactions: [always] }, { loop: 'general' }).column('mass.q'),
    );
  });

  it('comes back only above its hysteresis', () => {
    const document = carts(['sin(2 * pi * t)']);
    Object.assign(document.interactions[0].while ?? {}, { hysteresis: 0.5 });
    const present = run(document).column('latch.present');
    const there = (time: number): number => at(present, 1e-3, time);
    // It goes with the sign, and comes at sin = ½.
    expect([0.2, 0.49, 0.52, 0.99, 1.05, 1.08, 1.09, 1.49, 1.52].map(there)).toEqual([
      1, 1, 0, 0, 0, 0, 1, 1, 0,
    ]);
  });

  it('holds in steps that are controlled', () => {
    const document = carts(['min(0.2 - latch.y, release - t)']);
    document.simulation.stepControl = { tolerance: 1e-6, hMin: 1e-6, hMax: 1e-2 };
    const { session, column } = run(document);
    const v = column('b.v');
    expect(v[v.length - 1]).toBeCloseTo(2, 12);
    expect(session.certificate.complementarity).toBeLessThan(1e-10);
  });

  it('takes r of the step before away where it has gone, with θ_r = ½', () => {
    const document = carts(['1']);
    document.systems = [
      {
        id: 'x',
        type: 'FirstOrderLinear',
        n: 1,
        A: [[-1]],
        b: [2],
        x0: [0],
      },
    ];
    document.interactions = [
      {
        id: 'relay',
        systems: ['x'],
        relation: { type: 'FirstOrderLinearTI', C: [[1]], B: [[-1]] },
        law: { type: 'Relay', lower: [-1], upper: [1] },
        while: { type: 'Condition', condition: ['abs(t - 1) - 0.4'] },
      },
    ];
    document.simulation.integrators = [{ type: 'EulerMoreau', theta: 0.5, thetaR: 0.5 }];
    const { session, column } = run(document);
    const [x, lambda] = ['x.x', 'relay.lambda'].map(column);
    expect(session.certificate.dynamics).toBeLessThan(1e-12);
    expect(at(lambda, 1e-3, 1)).toBe(0);
    // ẋ = 2 − x without the relay.
    const [from, to] = [0.7, 1.3];
    const exact = 2 - (2 - at(x, 1e-3, from)) * Math.exp(-(to - from));
    expect(at(x, 1e-3, to)).toBeCloseTo(exact, 6);
  });
});

describe('what is recorded', () => {
  it('says when it was there, also of a contact that overlaps while it is absent', () => {
    const lanes = (document: ModelDocument): (readonly [number, string])[] => {
      const sink = new MemoryChunks();
      const prepared = prepareRun({ document }, { ...environment, sink });
      if (!prepared.ok) throw new Error(prepared.error.message);
      const { session } = prepared;
      session.advance(Infinity);
      const columns = new Map(session.signals.map(({ name }, k) => [name, k]));
      const [constraint] = session.constraints.all;
      const placed = placeConstraint(constraint, (name) => columns.get(name));
      if (placed === null) throw new Error('nothing is known of it');
      const { lanes: found } = new ConstraintReader(sink).lanes({
        constraints: [placed],
        holds: session.constraints.holds,
        from: undefined,
        to: undefined,
        buckets: 4000,
      });
      const [{ t, states }] = found;
      return Array.from(t, (time, k) => [
        Math.round(100 * time) / 100,
        constraint.states[Math.log2(states[k] & 127)],
      ]);
    };
    expect(lanes(rope('1 - t'))).toEqual([
      [0, 'open'],
      [0.45, 'closed'],
      [1, 'absent'],
    ]);
    expect(lanes(carts(['min(0.2 - latch.y, release - t)']))).toEqual([
      [0, 'absent'],
      [0.27, 'present'],
      [1.5, 'absent'],
    ]);
  });

  it('is refused by the export to Siconos, with a way out', () => {
    const script = siconosScript(rope('1 - t'));
    expect(script).toMatchObject({
      ok: false,
      issues: [
        {
          code: 'no-counterpart',
          pointer: '/interactions/0/while',
          remedy: expect.stringContaining('removeInteraction') as string,
        },
      ],
    });
  });
});

describe('the problem of a step', () => {
  it('has the rows of what is there', () => {
    const document = carts(['sin(2 * pi * t)']);
    Object.assign(document.interactions[0].while ?? {}, { hysteresis: 0.5 });
    const { session, column } = run(document);
    const names = session.signals.map(({ name }) => name);
    const rowsAt = (time: number): number | string => {
      const k = Math.round(time / 1e-3);
      const values = Float64Array.from(names, (name) => column(name)[k]);
      const found = stepProblem(document, undefined, { time: column('t')[k], names, values }, environment);
      return found === null || 'reason' in found ? 'none' : found.rows.length;
    };
    // At 1.05 s it is still absent, as its condition has not reached the hysteresis.
    expect([0.2, 0.7, 1.05, 1.2].map(rowsAt)).toEqual([1, 0, 0, 1]);
  });
});

describe('a condition that cannot be', () => {
  it.each([
    ['an unknown name', ['nothing.q'], {}, 'presence-condition', '/interactions/0/while/condition/0'],
    ['an observable', ['seen'], {}, 'presence-condition', '/interactions/0/while/condition/0'],
    ['no expression', ['1 +'], {}, 'presence-condition', '/interactions/0/while/condition/0'],
    ['a comparison', ['t < 1'], {}, 'presence-comparison', '/interactions/0/while/condition/0'],
    ['two expressions', ['1', '2'], {}, 'signal-count', '/interactions/0/while/condition'],
    ['another scheme', ['1'], { scheme: 'event-driven' }, 'presence-unsuitable', '/interactions/0/while'],
    [
      'half steps',
      ['1'],
      { integrators: [{ type: 'MoreauHalfStep' }] },
      'presence-unsuitable',
      '/interactions/0/while',
    ],
    [
      'projection',
      ['1'],
      { integrators: [{ type: 'MoreauJean', projection: 'yes' }] },
      'presence-unsuitable',
      '/interactions/0/while',
    ],
  ])('is refused with its place and a remedy: %s', (_, condition, simulation, code, pointer) => {
    const document = carts(condition);
    document.observables.push({ name: 'seen', expression: '2' });
    Object.assign(document.simulation, simulation);
    const issue = reportDocument(document).issues.find(({ severity }) => severity === 'error');
    expect(issue).toMatchObject({ code, pointer, element: 'latch' });
    expect(issue?.remedy).not.toBe('');
    expect(refusal(document).code).toBe('invalid-document');
  });

  it('stops a run where it has no value', () => {
    const { error } = runFailure(carts(['log(1 - t)']));
    expect(error).toMatchObject({ code: 'presence-without-value', where: 'latch' });
    expect(error.time).toBeCloseTo(1, 2);
  });

  it('is no key of another kind', () => {
    const document = carts(['1']);
    Object.assign(document.interactions[0], { while: { type: 'Never', condition: ['1'] } });
    const prepared = prepareRun(
      { document },
      {
        sandbox: () => {
          throw new Error('there is no script');
        },
        sink: new MemoryChunks(),
      },
    );
    expect(prepared.ok ? null : prepared.issues[0].pointer).toBe('/interactions/0/while/type');
  });
});
