/**
 * 3D bodies by steps with contact forces: orders without and with joints and contacts, what comes to rest,
 * the same steps of coordinates, the certificate against planted errors, and refusals.
 */
import { describe, expect, it } from 'vitest';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { InteractionDocument, ModelDocument } from '@engine/document/types';
import { examine } from '@engine/inspection/examine';
import { ContactDynamicsCertificate } from '@engine/contact-dynamics/certificate/certificate';
import type { GalerkinSettings, SpatialGalerkinSteps } from '@engine/contact-dynamics/schemes/galerkin-steps';
import { sphere as round } from '@engine/model/shapes/sphere';
import { MemoryChunks } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import { type RunSession, prepareRun } from '@engine/run/session';
import { createSandbox } from '@engine/script/sandbox';
import { detected, dry, simulate, weight } from '../contact-dynamics/worlds';
import { identity } from '../support/dense';
import type { RelationForm } from '@engine/model/forms';
import * as forms from '../support/forms';
import {
  galerkin,
  joint as equality,
  statesOf,
  worstOf as worstOfCoordinates,
} from '../support/galerkin-steps';
import { settingsFor, start } from '../support/live';
import { observedOrder } from '../support/order';
import { run } from '../support/run';
import { G, floor, joint, rigid, spaceModel, touch } from '../support/space';
import {
  PLACE,
  QUATERNION,
  SPIN,
  STEPS,
  angleOnDome,
  ballOnDome,
  byGalerkin,
  endOf,
  errorsOf,
  freeTop,
  last,
  sphere,
  spinAfter,
  swingingRod,
  thrownBall,
  worstOf,
} from './galerkin-models';

const SETTINGS: GalerkinSettings = {
  ...{
    level: 'velocity',
    closedGap: 1e-8,
    restingRate: 1e-8,
    kept: 0.01,
    direction: 'start',
    besideImpacts: 'kept',
  },
};

describe('orders', () => {
  it('is 2 of a body that spins freely, and so is what it loses of its energy', () => {
    const exact = spinAfter(1);
    expect(
      observedOrder(
        STEPS,
        errorsOf((h) => endOf(run(freeTop(h)), SPIN('top')), exact),
      ),
    ).toBeGreaterThan(1.9);
    const orientation = endOf(run(freeTop(1e-4)), QUATERNION('top'));
    const turns = errorsOf((h) => endOf(run(freeTop(h)), QUATERNION('top')), orientation);
    expect(observedOrder(STEPS, turns)).toBeGreaterThan(1.9);
    const losses = STEPS.map((h) => {
      const energy = run(freeTop(h)).column('energy.kinetic');
      return Math.max(...energy.map((x) => Math.abs(x / energy[0] - 1)));
    });
    expect(observedOrder(STEPS, losses)).toBeGreaterThan(1.9);
    expect(losses[3]).toBeLessThan(1e-4);
  });

  it('is 2 of a body on a joint', () => {
    const exact = endOf(run(swingingRod(5e-5)), PLACE('rod'));
    const errors = errorsOf((h) => {
      const found = run(swingingRod(h));
      expect(worstOf(found)).toBeLessThan(1e-13);
      return endOf(found, PLACE('rod'));
    }, exact);
    expect(observedOrder(STEPS, errors)).toBeGreaterThan(1.9);
  });

  it('is 1 where forces of both halves point as near the end', () => {
    const at = (h: number): number[] => endOf(run(swingingRod(h, { direction: 'predicted' })), PLACE('rod'));
    const exact = endOf(run(swingingRod(5e-5)), PLACE('rod'));
    const order = observedOrder(STEPS, errorsOf(at, exact));
    expect(order).toBeGreaterThan(0.85);
    expect(order).toBeLessThan(1.2);
  });

  it.each([
    ['rolls', 2, true],
    ['slides', 0, false],
  ])('is 2 of a ball that %s along what is curved', (_name, mu, rolls) => {
    const angle = angleOnDome(0.2, rolls, 0.64);
    const errors = errorsOf(
      (h) => {
        const found = run(ballOnDome(h, mu, 0.2, 0.64));
        expect(worstOf(found)).toBeLessThan(1e-8);
        expect(Math.min(...found.column('surface.normalImpulse').subarray(1))).toBeGreaterThan(0);
        return endOf(found, PLACE('ball'));
      },
      [1.1 * Math.sin(angle), 0, 1.1 * Math.cos(angle)],
    );
    expect(observedOrder(STEPS, errors)).toBeGreaterThan(1.9);
  });
});

/** Place of a sliding ball, by fourth-order steps. @param g along the plane, m/s² @param force μ g_N, m/s² */
function slidOver(g: number, force: number, velocity: readonly number[], time: number): number[] {
  const rate = (u: readonly number[], part: number): number[] => {
    const size = Math.hypot(...u);
    return [g - (part * force * u[0]) / size, (-part * force * u[1]) / size];
  };
  const steps = 20_000;
  const h = time / steps;
  const add = (a: readonly number[], b: readonly number[], s: number): number[] =>
    a.map((x, i) => x + s * b[i]);
  let [x, v, u]: number[][] = [[0, 0], [...velocity], [...velocity]];
  for (let k = 0; k < steps; k++) {
    // What slips is slowed down by 1 + m r²/I = 7/2 of the friction, what moves by 1.
    const u2 = add(u, rate(u, 3.5), 0.5 * h);
    const u3 = add(u, rate(u2, 3.5), 0.5 * h);
    const u4 = add(u, rate(u3, 3.5), h);
    const mean = (part: number): number[] =>
      [0, 1].map(
        (i) => (rate(u, part)[i] + 2 * rate(u2, part)[i] + 2 * rate(u3, part)[i] + rate(u4, part)[i]) / 6,
      );
    const a = [0, 1].map((i) => (rate(u, 1)[i] + rate(u2, 1)[i] + rate(u3, 1)[i]) / 3);
    x = add(add(x, v, h), a, 0.5 * h * h);
    v = add(v, mean(1), h);
    u = add(u, mean(3.5), h);
  }
  return x;
}

it('friction whose direction turns has the order 1, and along a straight line it is exact', () => {
  const errorsFrom = (g: number, velocity: number[]): number[] => {
    const exact = slidOver(g, 0.2 * G, velocity, 0.24);
    return errorsOf((h) => {
      const document = thrownBall(
        { h, tEnd: 0.24 },
        { mu: 0.2, e: 0, height: 0.1, velocity: [...velocity, 0] },
      );
      document.systems[1].gravity = [g, 0, -G];
      const found = run(document);
      expect(worstOf(found)).toBeLessThan(1e-8);
      return endOf(found, PLACE('ball').slice(0, 2));
    }, exact);
  };
  // Across a slope, and straight down it.
  const errors = errorsFrom(4, [0, 2.5]);
  const across = observedOrder(STEPS, errors);
  expect(across).toBeGreaterThan(0.9);
  expect(across).toBeLessThan(1.3);
  for (const error of errorsFrom(4, [2.5, 0])) expect(error).toBeLessThan(1e-8);
});

describe('what they show', () => {
  it('is a ball that bounces and comes to rest, with the weight in its record', () => {
    const found = run(thrownBall({ h: 1e-3, tEnd: 4 }));
    const { column } = found;
    expect(worstOf(found)).toBeLessThan(1e-12);
    expect(Math.abs(last(column('ball.v[2]')))).toBeLessThan(1e-14);
    expect(last(column('ground.normalImpulse'))).toBeCloseTo(2 * G * 1e-3, 12);
    const speeds = column('ball.v[2]');
    const first = speeds.findIndex((speed, k) => k > 0 && speed > 0);
    // Struck by half of what it falls with, up to the fall of a step.
    expect(Math.abs(speeds[first] + 0.5 * speeds[first - 1])).toBeLessThan(G * 1e-3);
    expect(Math.abs(last(column('ball.q[2]')) - 0.1)).toBeLessThan(2e-3);
  });

  it('is a ball that slides, and rolls with 5/7 of its speed', () => {
    const found = run(thrownBall({ h: 1e-3, tEnd: 1 }, { mu: 0.3, e: 0, velocity: [1, 0, 0], height: 0.1 }));
    expect(worstOf(found)).toBeLessThan(1e-8);
    expect(last(found.column('ball.v[0]'))).toBeCloseTo(5 / 7, 6);
    expect(last(found.column('ball.v[4]'))).toBeCloseTo(5 / 0.7, 5);
    expect(found.session.energyDrift).toBeLessThan(1e-12);
  });

  it('is a box that stays where it stands, on four contacts, while another falls beside it', () => {
    const box = rigid('box', [0, 0, 0.1]);
    const hopped = (besideImpacts: string): number => {
      const ball = sphere('ball', [1, 0, 0.3]);
      const ground = touch('ground', ['floor', 'box', 'ball'], 0.5, 0.5);
      const document = spaceModel([floor(), box, ball], [ground], { h: 1e-3, tEnd: 0.5 });
      const found = run(byGalerkin(document, { besideImpacts }));
      expect(worstOf(found)).toBeLessThan(1e-8);
      return Math.max(...found.column('box.v[2]').map((speed) => Math.abs(speed)));
    };
    expect(hopped('kept')).toBeLessThan(1e-9);
    expect(hopped('dropped')).toBeGreaterThan(4e-3);
  });
});

describe('the gap of closed contacts', () => {
  it('is the one given, also where detection would look less far', () => {
    const height = (closedGap: number): number => {
      const ball = sphere('ball', [0, 0, 0.4]);
      const document = spaceModel([floor(), ball], [touch('ground', ['floor', 'ball'], 0, 0)], {
        h: 1e-3,
        tEnd: 1,
      });
      const found = run(byGalerkin(document, { closedGap }));
      expect(worstOf(found)).toBeLessThan(1e-10);
      return last(found.column('ball.q[2]')) - 0.1;
    };
    // It is stopped in the step in which its gap comes below.
    for (const gap of [0.01, 0.05, 0.2]) {
      expect(height(gap)).toBeLessThan(gap);
      expect(height(gap)).toBeGreaterThan(gap - 3e-3);
    }
  });
});

describe('steps of coordinates', () => {
  const compare = (here: Float64Array, there: readonly number[]): void => {
    here.subarray(1).forEach((x, k) => {
      expect(Math.abs(x - there[k])).toBeLessThan(1e-10);
    });
  };

  it('are the same of a ball that bounces', () => {
    const [h, steps] = [1e-3, 2000];
    const { column } = run(thrownBall({ h, tEnd: h * steps }, { e: 0.7 }));
    const simulation = start(
      {
        systems: [forms.system('ball', forms.linearLagrangian([0.9], [0], [[2]], { force: [-2 * G] }))],
        interactions: [forms.interaction('floor', [0], forms.lagrangianRelation([[1]]), forms.impact(0.7))],
      },
      settingsFor([galerkin([0], 'velocity')], h),
    );
    const heights = Array.from({ length: steps }, () => {
      simulation.advance();
      return statesOf(simulation).q[0] + 0.1;
    });
    expect(simulation.events).toBeGreaterThan(2);
    compare(column('ball.q[2]'), heights);
  });

  it.each(['velocity', 'acceleration'] as const)(
    'are the same of a ball that slides and rolls (%s)',
    (level) => {
      const [h, steps] = [1e-3, 800];
      const { column } = run(
        thrownBall({ h, tEnd: h * steps }, { mu: 0.3, e: 0.4, velocity: [1, 0, -1], height: 0.3 }, { level }),
      );
      // Place along, height over the floor and angle of a ball in the plane. Bodies touch in the middle of
      // their overlap.
      const mass = [
        [2, 0, 0],
        [0, 2, 0],
        [0, 0, 0.4 * 2 * 0.01],
      ];
      const rows: RelationForm = {
        ...forms.lagrangianRelation([
          [0, 1, 0],
          [1, 0, -0.1],
        ]),
        C: null,
        isAffine: false,
        output: (_clock, q, _lambda, out) => {
          out.set([q[1], 0]);
        },
        outputJacobians: (_clock, q, _lambda, C) => {
          C.set([0, 1, 0, 1, 0, -0.1 - 0.5 * q[1]]);
        },
      };
      const simulation = start(
        {
          systems: [
            forms.system(
              'ball',
              forms.linearLagrangian([0, 0.2, 0], [1, -1, 0], mass, { force: [0, -2 * G, 0] }),
            ),
          ],
          interactions: [forms.interaction('floor', [0], rows, forms.frictionImpact(0.3, 0.4))],
        },
        settingsFor([galerkin([0], level)], h),
      );
      const states = Array.from({ length: steps }, () => {
        simulation.advance();
        return [...statesOf(simulation).q, ...statesOf(simulation).v];
      });
      expect(worstOfCoordinates(simulation)).toBeLessThan(1e-9);
      compare(
        column('ball.q[0]'),
        states.map(([x]) => x),
      );
      compare(
        column('ball.q[2]'),
        states.map(([, z]) => z + 0.1),
      );
      compare(
        column('ball.v[4]'),
        states.map((state) => state[5]),
      );
    },
  );

  it('are the same of a pendulum on a hinge', () => {
    const [h, steps] = [2e-3, 1000];
    const rod = rigid('rod', [0.5, 0, 0], { mass: 2, inertia: [0.1, 0.1, 0.1] });
    const hinge = joint('hinge', ['rod'], { type: 'RevoluteJoint', point: [0, 0, 0], axis: [0, 1, 0] });
    const { column } = run(byGalerkin(spaceModel([rod], [hinge], { h, tEnd: h * steps })));
    const relation: RelationForm = {
      ...forms.lagrangianRelation([
        [1, 0, 0],
        [0, 1, 0],
      ]),
      C: null,
      isAffine: false,
      output: (_clock: Float64Array, q: Float64Array, _lambda: Float64Array, out: Float64Array): void => {
        out[0] = q[0] - 0.5 * Math.cos(q[2]);
        out[1] = q[1] + 0.5 * Math.sin(q[2]);
      },
      outputJacobians: (
        _clock: Float64Array,
        q: Float64Array,
        _lambda: Float64Array,
        C: Float64Array,
      ): void => {
        C.set([1, 0, 0.5 * Math.sin(q[2]), 0, 1, 0.5 * Math.cos(q[2])]);
      },
    };
    const mass = identity(3).map((row, i) => row.map((x) => x * [2, 2, 0.1][i]));
    const simulation = start(
      {
        systems: [
          forms.system(
            'rod',
            forms.linearLagrangian([0.5, 0, 0], [0, 0, 0], mass, { force: [0, -2 * G, 0] }),
          ),
        ],
        interactions: [forms.interaction('hinge', [0], relation, equality())],
      },
      settingsFor([galerkin([0], 'velocity')], h),
    );
    const states = Array.from({ length: steps }, () => {
      simulation.advance();
      return [...statesOf(simulation).q, ...statesOf(simulation).v];
    });
    compare(
      column('rod.q[0]'),
      states.map(([x]) => x),
    );
    compare(
      column('rod.q[2]'),
      states.map(([, z]) => z),
    );
    compare(
      column('rod.v[4]'),
      states.map((state) => state[5]),
    );
  });
});

describe('a run that is interrupted', () => {
  it('goes back to a state it has kept, and on with the same bits', () => {
    const document = thrownBall(
      { h: 2e-3, tEnd: 1.2 },
      { mu: 0.3, e: 0.6, velocity: [1, 0.5, 0], height: 0.4 },
    );
    const begin = (keepsHistory: boolean): { session: RunSession; rows: () => Float64Array[] } => {
      const sink = new MemoryChunks();
      const prepared = prepareRun({ document }, { sandbox: createSandbox, sink, keepsHistory });
      if (!prepared.ok) throw new Error(prepared.error.message);
      const { session } = prepared;
      const columns = session.signals.map((_, i) => i);
      return { session, rows: () => new TrajectoryReader(sink).rows(columns, 0, session.rows).columns };
    };
    const straight = begin(false);
    straight.session.advance(500);
    const other = begin(true);
    other.session.advance(300);
    other.session.goBack(290);
    other.session.advance(500 - other.session.moves);
    expect(other.rows()).toEqual(straight.rows());
    expect(other.session.certificate).toEqual(straight.session.certificate);
    expect(straight.session.events).toBeGreaterThan(2);
  });

  it('meets an impact by step control', () => {
    const document = thrownBall({ h: 1e-2, tEnd: 0.8 }, { e: 0.6 });
    document.simulation.stepControl = { tolerance: 1e-4, hMin: 1e-6, hMax: 2e-2 };
    const found = run(document);
    const [t, v] = [found.column('t'), found.column('ball.v[2]')];
    const first = v.findIndex((speed, k) => k > 0 && speed > 0);
    expect(Math.abs(t[first] - Math.sqrt(1.8 / G))).toBeLessThan(1e-4);
    expect(worstOf(found)).toBeLessThan(1e-12);
  });
});

describe('the certificate', () => {
  /** A ball that falls onto a plane, slides and rolls, with every later step spoiled before it is judged. */
  const planted = (spoil: (dynamics: ContactDynamics, stages: SpatialGalerkinSteps) => void): number => {
    const dynamics = simulate(
      {
        bodies: [
          { id: 'ball', mass: 2, inertia: [8e-3, 8e-3, 8e-3], position: [0, 0, 0.12], velocity: [1, 0.2, 0] },
        ],
        loads: [weight(0, 0, -G)],
      },
      { h: 2e-3, motion: SETTINGS, projects: false },
      detected([round(0.1)]),
      dry(0.3, 0.4),
    );
    const certificate = new ContactDynamicsCertificate(dynamics, [dry(0.3, 0.4)]);
    for (let k = 0; k < 150; k++) {
      expect(dynamics.advance()).toBe('ok');
      const { stages } = dynamics;
      if (stages === null) throw new Error('no stages');
      if (k > 120) spoil(dynamics, stages);
      certificate.judge();
    }
    expect(dynamics.events).toBeGreaterThan(0);
    return Math.max(...certificate.worst);
  };

  it('is that of rounding', () => {
    expect(planted(() => undefined)).toBeLessThan(1e-11);
  });

  it.each<[string, (dynamics: ContactDynamics, stages: SpatialGalerkinSteps) => void]>([
    ['positions', ({ uncorrected }) => (uncorrected[0] += 1e-7)],
    ['velocities reached', (_, { reached }) => (reached[0] += 1e-6)],
    ['velocities before the impact', (_, { leftLimit }) => (leftLimit[3] += 1e-5)],
    ['impulses of the start', (_, { left }) => (left.impulses[0] *= 1.001)],
    ['their directions', (_, { left }) => (left.frames.axes[4] += 1e-4)],
    ['impulses of the end', (_, { right }) => (right.impulses[0] *= 1.001)],
    ['contacts with forces', (_, { left }) => (left.active.contactCount = 0)],
    ['the place of the first problem', (_, { predicted }) => (predicted[2] += 1e-7)],
  ])('finds other %s', (_name, spoil) => {
    expect(planted(spoil)).toBeGreaterThan(1e-8);
  });
});

describe('what these steps cannot treat of bodies is refused by its name', () => {
  const issueOf = (document: ModelDocument): unknown => {
    expect(() => run(document)).toThrow();
    return examine(document, undefined).report.issues.find(({ severity }) => severity === 'error');
  };

  const beside = (law: InteractionDocument['law'], more: Partial<ModelDocument['simulation']> = {}) => {
    const document = thrownBall({ h: 1e-3, tEnd: 0.1 });
    document.interactions[0].law = law;
    Object.assign(document.simulation, more);
    return document;
  };

  it.each<[string, InteractionDocument['law']]>([
    ['contacts that yield', { type: 'CompliantFriction3D', mu: 0.2, k: 1e5 }],
    ['contacts that stick together', { type: 'CohesiveFriction3D', mu: 0.2, pull: 2, e: 0 }],
    ['rolling friction', { type: 'NewtonImpactFriction3D', mu: 0.2, e: 0, rollingFriction: 1e-3 }],
  ])('%s', (_name, law) => {
    expect(issueOf(beside(law))).toMatchObject({
      code: 'law-without-forces',
      pointer: '/interactions/0/law',
      element: 'ground',
    });
  });

  it('laws of impact other than Newton’s', () => {
    const law = { type: 'NewtonImpactFriction3D', mu: 0, e: 0.5 };
    expect(issueOf(beside(law, { impacts: { type: 'Poisson' } }))).toMatchObject({
      code: 'impacts-without-forces',
      pointer: '/simulation/impacts/type',
    });
  });

  it('but a speed that a motor prescribes is none of it', () => {
    const rod = rigid('rod', [0.5, 0, 0], { mass: 2, inertia: [0.1, 0.1, 0.1] });
    const relation = { type: 'RevoluteJoint', point: [0, 0, 0], axis: [0, 1, 0], angleSpeed: 2 };
    rod.spin = [0, 2, 0];
    rod.velocity = [0, 0, -1];
    const found = run(byGalerkin(spaceModel([rod], [joint('hinge', ['rod'], relation)])));
    expect(worstOf(found)).toBeLessThan(1e-12);
    expect(last(found.column('hinge.angle'))).toBeCloseTo(2, 10);
  });
});
