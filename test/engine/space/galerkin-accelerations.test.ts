/**
 * Forces of 3D bodies from accelerations, and bodies that move as prescribed: orders, the same steps of
 * coordinates, friction, rows of joints, random models, and the certificate against planted errors.
 */
import { describe, expect, it } from 'vitest';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { ContactDynamicsCertificate } from '@engine/contact-dynamics/certificate/certificate';
import type { GalerkinSettings, SpatialGalerkinSteps } from '@engine/contact-dynamics/schemes/galerkin-steps';
import type { ModelDocument } from '@engine/document/types';
import { sphere as round } from '@engine/model/shapes/sphere';
import { createSandbox } from '@engine/script/sandbox';
import { detected, dry, simulate, weight } from '../contact-dynamics/worlds';
import { contact, model, particle, withFunctions } from '../support/models';
import { observedOrder } from '../support/order';
import { seeded } from '../support/random';
import { type Run, run } from '../support/run';
import { G, floor, joint, rigid, spaceModel, touch } from '../support/space';
import { sample } from '../../support/prove';
import {
  PLACE,
  STEPS,
  angleOnDome,
  ballOnDome,
  byGalerkin,
  endOf,
  errorsOf,
  fromRest,
  last,
  sphere,
  swingingRod,
  thrownBall,
  worstOf,
} from './galerkin-models';

const BY = { level: 'acceleration' } as const;
const LEVELS = ['velocity', 'acceleration'] as const;

describe('the order is 2', () => {
  it('of a body on a joint', () => {
    const exact = endOf(run(swingingRod(5e-5)), PLACE('rod'));
    const errors = errorsOf((h) => {
      const found = run(swingingRod(h, BY));
      expect(worstOf(found)).toBeLessThan(1e-13);
      return endOf(found, PLACE('rod'));
    }, exact);
    expect(observedOrder(STEPS, errors)).toBeGreaterThan(1.9);
  });

  it.each([
    ['rolls', 2, true],
    ['slides', 0, false],
  ])('of a ball that %s along what is curved', (_name, mu, rolls) => {
    const angle = angleOnDome(0.2, rolls, 0.64);
    const errors = errorsOf(
      (h) => {
        const found = run(ballOnDome(h, mu, 0.2, 0.64, BY));
        expect(worstOf(found)).toBeLessThan(1e-11);
        expect(Math.min(...found.column('surface.normalImpulse').subarray(1))).toBeGreaterThan(0);
        return endOf(found, PLACE('ball'));
      },
      [1.1 * Math.sin(angle), 0, 1.1 * Math.cos(angle)],
    );
    expect(observedOrder(STEPS, errors)).toBeGreaterThan(1.9);
  });
});

/* The same mechanism of planar bodies, which are coordinates, and of 3D bodies in the plane z = 0. */

const [R, L, OMEGA] = [0.1, 0.3, 9];
/** Horizontal at the start, with a stop of the slider. */
const BODIES = [
  { id: 'crank', mass: 0.3, inertia: 1e-3, at: R / 2, velocity: [0, (OMEGA * R) / 2], spin: OMEGA },
  {
    id: 'rod',
    mass: 0.2,
    inertia: 2e-3,
    at: R + L / 2,
    velocity: [0, (OMEGA * R) / 2],
    spin: (-OMEGA * R) / L,
  },
  { id: 'slider', mass: 0.5, inertia: 1e-3, at: R + L, velocity: [0, 0], spin: 0 },
] as const;
const STOP = 0.32;

function planarCrank(h: number, tEnd: number, e: number): ModelDocument {
  const systems = BODIES.map(({ id, mass, inertia, at, velocity, spin }) => ({
    ...{ id, type: 'PlanarBody', mass, inertia, gravity: [0, -G] },
    ...{ q0: [at, 0, 0], v0: [...velocity, spin] },
  }));
  const link = (id: string, bodies: string[], relation: object) => ({
    ...{ id, systems: bodies, relation: { type: 'Revolute', ...relation }, law: { type: 'Equality' } },
  });
  const document = model(
    systems,
    [
      link('bearing', ['crank'], { point2: [-R / 2, 0] }),
      link('crankPin', ['crank', 'rod'], { point1: [R / 2, 0], point2: [-L / 2, 0] }),
      link('pin', ['rod', 'slider'], { point1: [L / 2, 0] }),
      link('guide', ['slider'], { type: 'Prismatic' }),
      {
        ...{ id: 'stop', systems: ['slider'], law: { type: 'NewtonImpact', e } },
        relation: { type: 'PointOnPlane', point1: [STOP, 0], axis: -Math.PI / 2 },
      },
    ],
    { h, tEnd },
  );
  document.simulation.problem = { type: 'auto' };
  return byGalerkin(document);
}

function crankInSpace(h: number, tEnd: number, e: number): ModelDocument {
  const systems = BODIES.map(({ id, mass, inertia, at, velocity, spin }) =>
    rigid(id, [at, 0, 0], {
      ...{ mass, inertia: [inertia, inertia, inertia], gravity: [0, -G, 0] },
      ...{ velocity: [...velocity, 0], spin: [0, 0, spin] },
    }),
  );
  const hinge = (point: number) => ({ type: 'RevoluteJoint', point: [point, 0, 0], axis: [0, 0, 1] });
  return byGalerkin(
    spaceModel(
      systems,
      [
        joint('bearing', ['crank'], hinge(0)),
        joint('crankPin', ['crank', 'rod'], hinge(R)),
        joint('pin', ['rod', 'slider'], hinge(R + L)),
        joint('guide', ['slider'], {
          ...{ type: 'PrismaticJoint', point: [R + L, 0, 0], axis: [1, 0, 0] },
          ...{ displacementMin: STOP - R - L, displacementMax: 10, e },
        }),
      ],
      { h, tEnd },
    ),
  );
}

const withLevel = (document: ModelDocument, level: string): ModelDocument => {
  const [integrator] = document.simulation.integrators;
  return { ...document, simulation: { ...document.simulation, integrators: [{ ...integrator, level }] } };
};

const apart = (a: Run, b: Run, pairs: readonly (readonly [string, string])[]): number =>
  Math.max(
    ...pairs.flatMap(([one, other]) => {
      const [x, y] = [a.column(one), b.column(other)];
      return [...x].map((value, k) => Math.abs(value - y[k]));
    }),
  );

describe.each(LEVELS)('steps of coordinates by %s', (level) => {
  it.each([0, 0.5])('are the same of a slider-crank whose slider strikes a stop with e = %f', (e) => {
    const [here, there] = [crankInSpace, planarCrank].map((build) =>
      run(withLevel(build(1e-3, 0.6, e), level)),
    );
    // It comes to the stop, which it passes by no more than the way of a step.
    expect(Math.abs(Math.min(...here.column('slider.q[0]')) - STOP)).toBeLessThan(2e-3);
    expect(worstOf(here)).toBeLessThan(1e-9);
    const pairs = ['crank', 'rod', 'slider'].flatMap((id) =>
      [0, 1].flatMap((i) => [
        [`${id}.q[${i}]`, `${id}.q[${i}]`] as const,
        [`${id}.v[${i}]`, `${id}.v[${i}]`] as const,
      ]),
    );
    expect(apart(here, there, pairs)).toBeLessThan(1e-10);
    expect(apart(here, there, [['crank.v[5]', 'crank.v[2]']])).toBeLessThan(1e-9);
  });

  it.each([0, 0.5])('are the same of a ball that bounces with e = %f', (e) => {
    const there = model(
      [particle('ball', 0.9, 0, { mass: [[2]], fExt: [-2 * G] })],
      [contact('ground', ['ball'], [[1]], e)],
      { h: 1e-3, tEnd: 2 },
    );
    there.simulation.problem = { type: 'auto' };
    const one = run(thrownBall({ h: 1e-3, tEnd: 2 }, { e }, { level }));
    const other = run(withLevel(byGalerkin(there), level));
    expect(worstOf(one)).toBeLessThan(1e-12);
    const heights = one.column('ball.q[2]').map((z) => z - 0.1);
    heights.forEach((z, k) => expect(Math.abs(z - other.column('ball.q')[k])).toBeLessThan(1e-10));
    expect(apart(one, other, [['ball.v[2]', 'ball.v']])).toBeLessThan(1e-10);
  });

  it('are the same of a ball on a table that is moved as prescribed, and thrown off it', () => {
    const [a, omega] = [0.02, 30];
    const motion = `${a} * Math.sin(${omega} * t)`;
    const [h, tEnd] = [1e-3, 0.5];
    const settings = { level, closedGap: 1e-5 };
    const table = floor('floor', { velocity: { function: 'lift' } });
    const ball = sphere('ball', [0, 0, 0.1], { velocity: [0, 0, a * omega] });
    const here = run(
      withFunctions(
        byGalerkin(
          spaceModel([table, ball], [touch('ground', ['floor', 'ball'], 0, 0.4)], { h, tEnd }),
          settings,
        ),
        `export const lift = (t: number, out: Float64Array) => { out[2] = ${a * omega} * Math.cos(${omega} * t); };`,
      ),
      { sandbox: createSandbox },
    );
    const there = run(
      withFunctions(
        byGalerkin(
          model(
            [particle('ball', 0, a * omega, { mass: [[2]], fExt: [-2 * G] })],
            [
              {
                ...{ id: 'ground', systems: ['ball'], law: { type: 'NewtonImpact', e: 0.4 } },
                relation: {
                  type: 'LagrangianRheonomous',
                  ...{ h: { function: 'h' }, hDot: { function: 'hDot' } },
                },
              },
            ],
            { h, tEnd },
          ),
          settings,
        ),
        `export const h = (t: number, q: Float64Array, out: Float64Array) => { out[0] = q[0] - ${motion}; };
         export const hDot = (t: number, q: Float64Array, out: Float64Array) => {
           out[0] = -${a * omega} * Math.cos(${omega} * t);
         };`,
      ),
      { sandbox: createSandbox },
    );
    expect(worstOf(here)).toBeLessThan(1e-11);
    expect(here.session.events).toBeGreaterThan(1);
    const [z, q] = [here.column('ball.q[2]'), there.column('ball.q')];
    // γ of bodies is that of differences.
    const bound = level === 'velocity' ? 1e-10 : 1e-7;
    z.forEach((height, k) => expect(Math.abs(height - 0.1 - q[k])).toBeLessThan(bound));
  });
});

describe('friction', () => {
  it('holds a block until what pulls at it is μ m g, and slows it down from there on', () => {
    const [mu, rate] = [0.4, 20];
    const pulled = (level: string): Run => {
      const block = rigid('block', [0, 0, 0.1], {
        ...{ mass: 2, inertia: [0.013, 0.013, 0.013], force: { function: 'pull' } },
      });
      const document = spaceModel([floor(), block], [touch('ground', ['floor', 'block'], mu)], {
        ...{ h: 1e-3, tEnd: 1 },
      });
      return run(
        withFunctions(
          byGalerkin(document, { level }),
          // Below the friction of the corners, so that the block does not tilt.
          `export const pull = (t: number, out: Float64Array) => { out[0] = ${rate} * t; };`,
        ),
        { sandbox: createSandbox },
      );
    };
    for (const level of LEVELS) {
      const found = pulled(level);
      expect(worstOf(found)).toBeLessThan(1e-8);
      const [t, v] = [found.column('t'), found.column('block.v[0]')];
      const begin = (mu * 2 * G) / rate;
      t.forEach((time, k) => {
        const exact = time <= begin ? 0 : 0.5 * (rate / 2) * (time - begin) ** 2;
        expect(Math.abs(v[k] - exact)).toBeLessThan(1e-5);
      });
    }
  });

  it('lets a ball slide until it rolls with 5/7 of its speed', () => {
    const found = run(
      thrownBall({ h: 1e-3, tEnd: 1 }, { mu: 0.3, e: 0, velocity: [1, 0, 0], height: 0.1 }, BY),
    );
    expect(worstOf(found)).toBeLessThan(1e-11);
    expect(last(found.column('ball.v[0]'))).toBeCloseTo(5 / 7, 6);
    expect(found.session.energyDrift).toBeLessThan(1e-12);
  });

  it('on a belt pulls a box with μ g up to its speed', () => {
    for (const level of LEVELS) {
      const belt = floor('belt', { surfaceVelocity: [1, 0, 0] });
      const box = rigid('box', [0, 0, 0.1]);
      const document = spaceModel([belt, box], [touch('ground', ['belt', 'box'], 0.3)], {
        h: 1e-3,
        tEnd: 0.5,
      });
      const found = run(byGalerkin(document, { level }));
      expect(worstOf(found)).toBeLessThan(1e-7);
      const [t, v] = [found.column('t'), found.column('box.v[0]')];
      t.forEach((time, k) => expect(Math.abs(v[k] - Math.min(1, 0.3 * G * time))).toBeLessThan(1e-6));
    }
  });
});

/* Rows of joints. */

const [MASS, ARM, OWN] = [2, 0.5, 0.1];
const INERTIA = OWN + MASS * ARM ** 2;

/** A rod on a hinge about y that begins horizontal. */
const hinged = (fields: object, h: number, tEnd = 1, gravity = G): ModelDocument => {
  const rod = rigid('rod', [ARM, 0, 0], {
    ...{ mass: MASS, inertia: [OWN, OWN, OWN], gravity: [0, 0, -gravity] },
  });
  const relation = { type: 'RevoluteJoint', point: [0, 0, 0], axis: [0, 1, 0], ...fields };
  return byGalerkin(spaceModel([rod], [joint('pin', ['rod'], relation)], { h, tEnd }), BY);
};

describe('a joint', () => {
  it('with a stop carries a rod at rest with the moment of its weight', () => {
    const found = run(hinged({ angleMin: -1, angleMax: 0, e: 0.5 }, 1e-3, 0.2));
    expect(worstOf(found)).toBeLessThan(1e-12);
    for (const moment of found.column('pin.momentY').subarray(1))
      expect(Math.abs(moment)).toBeCloseTo(MASS * G * ARM, 9);
  });

  it.each([
    ['dry friction slows down', { angleFriction: 0.8 }, -0.8],
    ['a motor drives', { angleSpeed: 50, angleLimit: 1.2 }, 1.2],
  ])('whose rod %s as it swings has the order 2', (_name, fields, moment) => {
    const angle = fromRest(0, (x) => (MASS * G * ARM * Math.cos(x) + moment) / INERTIA, 0.48);
    const errors = errorsOf(
      (h) => {
        const found = run(hinged(fields, h, 0.48));
        expect(worstOf(found)).toBeLessThan(1e-8);
        return endOf(found, PLACE('rod'));
      },
      [ARM * Math.cos(angle), 0, -ARM * Math.sin(angle)],
    );
    expect(observedOrder(STEPS, errors)).toBeGreaterThan(1.9);
  });

  it('with dry friction holds a rod, and lets it go where the moment of its weight is larger', () => {
    const held = run(hinged({ angleFriction: 1.01 * MASS * G * ARM }, 1e-3));
    expect(Math.abs(last(held.column('pin.angle')))).toBeLessThan(1e-12);
    const free = run(hinged({ angleFriction: 0.9 * MASS * G * ARM }, 1e-3));
    expect(last(free.column('pin.angle'))).toBeGreaterThan(0.1);
    for (const found of [held, free]) expect(worstOf(found)).toBeLessThan(1e-8);
  });

  it('with a motor reaches its speed and keeps it, and a prescribed one has it from the start', () => {
    const driven = run(hinged({ angleSpeed: 2, angleLimit: 3 }, 1e-3, 1, 0));
    expect(last(driven.column('pin.angle'))).toBeCloseTo(2 - (2 * INERTIA) / 3, 3);
    expect(last(driven.column('pin.angleRate'))).toBeCloseTo(2, 9);
    const document = hinged({ angleSpeed: 2 }, 1e-3);
    Object.assign(document.systems[0], { spin: [0, 2, 0], velocity: [0, 0, -1] });
    const prescribed = run(document);
    expect(worstOf(prescribed)).toBeLessThan(1e-12);
    expect(last(prescribed.column('pin.angle'))).toBeCloseTo(2, 5);
  });

  it('of a script holds a body inside a pipe with the order 2', () => {
    const [radius, speed] = [0.8, 1.5];
    const at = (h: number): number[] => {
      const body = rigid('b', [radius, 0, 0], {
        ...{ mass: MASS, inertia: [OWN, OWN, OWN], gravity: [0, 0, 0], velocity: [0, speed, 0] },
      });
      const stop = {
        ...{ id: 'stop', systems: ['b'], law: { type: 'NewtonImpact3D', e: 0.4 } },
        relation: { type: 'NewtonEulerRelation', h: { function: 'h' } },
      };
      const found = run(
        withFunctions(
          byGalerkin(spaceModel([body], [stop], { h, tEnd: 0.48 }), { ...BY, closedGap: 1e-4, kept: 0.1 }),
          `export const h = (q: Float64Array, out: Float64Array) => {
             out[0] = ${radius} - Math.sqrt(q[0] * q[0] + q[1] * q[1]);
           };`,
        ),
        { sandbox: createSandbox },
      );
      expect(worstOf(found)).toBeLessThan(1e-9);
      return endOf(found, PLACE('b'));
    };
    const angle = (0.48 * speed) / radius;
    const errors = errorsOf(at, [radius * Math.cos(angle), radius * Math.sin(angle), 0]);
    expect(observedOrder(STEPS, errors)).toBeGreaterThan(1.9);
  });
});

describe('random models', () => {
  it.each(Array.from({ length: sample(4, 120) }, (_, k) => k))(
    '%i: bodies that fall, roll and hang are what their certificate says',
    (seed) => {
      const random = seeded(1000 + seed);
      const shapes = [
        { type: 'Sphere', radius: 0.1 },
        { type: 'Capsule', radius: 0.07, length: 0.15 },
        { type: 'Box', size: [0.2, 0.15, 0.12] },
      ];
      const hasKnee = random.chance(0.5);
      const bodies = Array.from({ length: random.integer(2, 4) }, (_, k) => {
        const vector = (size: number): number[] =>
          Array.from({ length: 3 }, () => random.uniform(-size, size));
        // Velocities that a joint contradicts would break it in the first step.
        const isLinked = hasKnee && k < 2;
        return rigid(`b${k}`, [0.25 * k, random.uniform(-0.02, 0.02), random.uniform(0.16, 0.3)], {
          ...{
            shapes: [shapes[random.integer(0, 2)]],
            velocity: vector(isLinked ? 0 : 0.7),
            spin: vector(isLinked ? 0 : 3),
          },
        });
      });
      const [mu, e] = [random.chance(0.3) ? 0 : random.uniform(0.1, 0.8), random.chance(0.5) ? 0 : 0.4];
      const ground = random.chance(0.5)
        ? floor()
        : floor('floor', { velocity: [random.uniform(-0.2, 0.2), 0, random.uniform(0, 0.3)] });
      const knee = { type: 'KneeJoint', point: [0.12, 0, 0.2] };
      const level = random.chance(0.7) ? 'acceleration' : 'velocity';
      const document = spaceModel(
        [ground, ...bodies],
        [
          touch('ground', ['floor', ...bodies.map(({ id }) => id)], mu, e),
          ...(hasKnee ? [joint('knee', ['b0', 'b1'], knee)] : []),
        ],
        { h: 1e-3, tEnd: 0.3 },
      );
      const choices = { level, besideImpacts: random.chance(0.3) ? 'dropped' : 'kept' };
      const found = run(byGalerkin(document, choices));
      expect(worstOf(found)).toBeLessThan(found.session.certificate.limit ?? 0);
    },
  );
});

const SETTINGS: GalerkinSettings = {
  ...{ level: 'acceleration', closedGap: 1e-8, restingRate: 1e-8, kept: 0.01 },
  ...{ direction: 'start', besideImpacts: 'kept' },
};

describe('the certificate', () => {
  /** A ball that falls onto a plane, slides and rolls, with every later step spoiled before it is judged. */
  const planted = (spoil: (dynamics: ContactDynamics, stages: SpatialGalerkinSteps) => void): number => {
    const inertia = [8e-3, 8e-3, 8e-3];
    const dynamics = simulate(
      {
        bodies: [{ id: 'ball', mass: 2, inertia, position: [0, 0, 0.12], velocity: [1, 0.2, 0] }],
        loads: [weight(0, 0, -G)],
      },
      { h: 2e-3, motion: SETTINGS, projects: false },
      detected([round(0.1)]),
      dry(0.3),
    );
    const certificate = new ContactDynamicsCertificate(dynamics, [dry(0.3)]);
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
    expect(planted(() => undefined)).toBeLessThan(1e-10);
  });

  it.each<[string, (dynamics: ContactDynamics, stages: SpatialGalerkinSteps) => void]>([
    ['positions', ({ uncorrected }) => (uncorrected[0] += 1e-7)],
    ['velocities reached', (_, { reached }) => (reached[0] += 1e-6)],
    ['velocities before the impact', (_, { leftLimit }) => (leftLimit[3] += 1e-5)],
    ['impulses of the start', (_, { left }) => (left.impulses[0] *= 1.001)],
    ['their directions', (_, { left }) => (left.frames.axes[4] += 1e-4)],
    ['impulses of the end', (_, { right }) => (right.impulses[0] *= 1.001)],
    ['contacts with forces', (_, { left }) => (left.active.contactCount = 0)],
    ['contacts beside the start', (_, { drifts }) => spoilBeside(drifts, 0)],
    ['contacts beside the end', (_, { drifts }) => spoilBeside(drifts, 1)],
  ])('finds other %s', (_name, spoil) => {
    expect(planted(spoil)).toBeGreaterThan(1e-8);
  });
});

function spoilBeside(drifts: SpatialGalerkinSteps['drifts'], end: 0 | 1): void {
  const list = drifts?.[end].lists[0];
  if (list !== undefined) list.geometry[0] += 1e-4;
}
