/**
 * Joints that are pressed onto their stops come to rest there, whatever keeps positions on the joints and
 * however the stops spring back.
 */
import { describe, expect, it } from 'vitest';
import type { FieldValue, InteractionDocument, ModelDocument, TypedElement } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { sample } from '../../support/prove';
import { withFunctions } from '../support/models';
import { seeded } from '../support/random';
import { refusal, run } from '../support/run';
import { G, joint, rigid, spaceModel } from '../support/space';

/** s */
const STEP = 2e-3;
const ROD = { mass: 1.5, inertia: [0.01, 0.12, 0.12], gravity: [0, 0, 0] };

/** A rod on a hinge about z that a moment presses onto a stop; limits in rad. */
const hinged = (moment: number, limits: readonly [number, number], e = 0, tEnd = 1): ModelDocument =>
  spaceModel(
    [rigid('rod', [0.4, 0, 0], { ...ROD, moment: [0, 0, moment], momentFrame: 'world' })],
    [
      joint('pin', ['rod'], {
        type: 'RevoluteJoint',
        point: [0, 0, 0],
        axis: [0, 0, 1],
        angleMin: limits[0],
        angleMax: limits[1],
        e,
      }),
    ],
    { h: STEP, tEnd },
  );

/** A weight on the lower stop of a vertical slider. */
const sliding = (mass: number, e: number, tEnd = 1): ModelDocument =>
  spaceModel(
    [rigid('block', [0, 0, 0], { mass, gravity: [0, 0, -G] })],
    [joint('rail', ['block'], { type: 'PrismaticJoint', axis: [0, 0, 1], displacementMin: -0.02, e })],
    { h: STEP, tEnd },
  );

const SETTINGS = ['yes', 'no', 'combined'].flatMap((projection) =>
  [{ type: 'MoreauHalfStep' }, { type: 'MoreauJean', theta: 0.5 }, { type: 'MoreauJean', theta: 1 }].map(
    (integrator) => ({ ...integrator, projection }),
  ),
);
const CASES = SETTINGS.flatMap((integrator) =>
  [0, 0.3, 0.5].flatMap((e) =>
    [2, 20, 200].flatMap((load) => ['hinge', 'slider'].map((kind) => ({ integrator, e, load, kind }))),
  ),
);

/**
 * Some of them, each kind of integrator and projection at least once, and one that bounces for longer than
 * the others.
 */
function chosen(): typeof CASES {
  const count = sample(9, CASES.length);
  if (count >= CASES.length) return CASES;
  const random = seeded(8);
  const step = CASES.length / count;
  const longest = CASES.filter(({ e, load, kind }) => e === 0.5 && load === 2 && kind === 'hinge').slice(
    0,
    1,
  );
  return [
    ...Array.from({ length: count }, (_, k) => CASES[Math.floor((k + random.uniform(0, 1)) * step)]),
    ...longest,
  ];
}

/**
 * When the last bounce is over, s: the stop is reached after √(2 s/a), and flights between bounces last 2 e,
 * 2 e², … times that.
 * @param way s to the stop @param acceleration a
 */
const restAt = (way: number, acceleration: number, e: number): number =>
  Math.sqrt((2 * way) / acceleration) * ((1 + e) / (1 - e));
/** About the pin, kg m². */
const INERTIA = 0.12 + 1.5 * 0.4 ** 2;

describe('a joint that is pressed onto a stop', () => {
  it('rests there, with the reaction of the load', () => {
    for (const { integrator, e, load, kind } of chosen()) {
      const end = kind === 'hinge' ? restAt(0.4, load / INERTIA, e) : restAt(0.02, G, e);
      // Steps let the last bounces take longer.
      const settled = 1.1 * end + 0.1;
      const tEnd = settled + 0.1;
      const document = kind === 'hinge' ? hinged(load, [-0.5, 0.4], e, tEnd) : sliding(load, e, tEnd);
      document.simulation.integrators = [integrator];
      const { column } = run(document);
      const [rate, reaction, asked] =
        kind === 'hinge'
          ? [column('pin.angleRate'), column('pin.momentZ'), -load]
          : [column('rail.displacementRate'), column('rail.forceZ'), load * G];
      const what = JSON.stringify({ integrator, e, load, kind });
      const first = Math.round(settled / STEP);
      expect(rate.length - first, what).toBeGreaterThan(40);
      for (let k = first; k < rate.length; k++) {
        expect(Math.abs(rate[k]), what).toBeLessThan(1e-9);
        expect(Math.abs(reaction[k] / asked - 1), what).toBeLessThan(1e-6);
      }
    }
  });

  it('with e = 1 springs back for ever, with the speed it came with', () => {
    for (const projection of ['yes', 'combined']) {
      const document = sliding(2, 1);
      document.simulation.integrators = [{ type: 'MoreauHalfStep', projection }];
      const { column } = run(document);
      const speed = column('rail.displacementRate');
      const last = Math.max(...speed.subarray(Math.floor(speed.length / 2)));
      expect(Math.abs(last / Math.sqrt(2 * G * 0.02) - 1)).toBeLessThan(0.05);
    }
  });
});

describe('stops of an angle', () => {
  it('are reached after whole turns, and the recorded angle has no jump', () => {
    const { column } = run(hinged(20, [-9, 9]));
    const angle = column('pin.angle');
    for (let k = 1; k < angle.length; k++) expect(Math.abs(angle[k] - angle[k - 1])).toBeLessThan(0.1);
    expect(angle[angle.length - 1]).toBeCloseTo(9, 9);
    expect(column('pin.momentZ').at(-1)).toBeCloseTo(-20, 6);
  });

  it('that are passed at the start are refused, with the place and what to do', () => {
    const { code, message, remedy } = refusal(hinged(2, [0.2, 1]));
    expect(code).toBe('invalid-document');
    expect(message).toBe('“pin” starts with angle 0.000 rad, below its lower stop 0.2 rad.');
    expect(remedy).toMatch(/Move the bodies/);
  });
});

describe('a heavy load on light links without projection', () => {
  const LENGTH = 0.1;
  /** @param mass of the load, kg; links have 20 g */
  const chain = (h: number, links: number, mass: number): ModelDocument => {
    const tilt = 0.25;
    const at = (s: number): number[] => [s * Math.sin(tilt), 0, -s * Math.cos(tilt)];
    const orientation = [Math.cos(-tilt / 2), 0, Math.sin(-tilt / 2), 0];
    const fields = { orientation, mass: 0.02, inertia: [2e-5, 2e-5, 2e-6] };
    const ids = Array.from({ length: links }, (_, k) => `link${k}`);
    const document = spaceModel(
      [
        ...ids.map((id, k) => rigid(id, at((k + 0.5) * LENGTH), fields)),
        rigid('load', at((links + 0.5) * LENGTH), { ...fields, mass, inertia: [1, 1, 1] }),
      ],
      [
        joint('hook', ['link0'], { type: 'BallJoint', point: [0, 0, 0] }),
        ...[...ids.keys()].map((k) =>
          joint(`knee${k}`, [ids[k], ids[k + 1] ?? 'load'], {
            type: 'BallJoint',
            point: at((k + 1) * LENGTH),
          }),
        ),
      ],
      { h, tEnd: 0.2 },
    );
    document.simulation.integrators = [{ type: 'MoreauHalfStep', projection: 'no' }];
    return document;
  };

  it.each([
    [5, 800],
    [10, 1000],
  ])(
    'comes apart in steps beyond 2/ω: the certificate says so, and the run says why (%i links, %i kg)',
    (links, mass) => {
      const { session } = run(chain(1e-3, links, mass));
      const { dynamics, limit, worstElement } = session.certificate;
      expect(dynamics).toBeGreaterThan(limit ?? Infinity);
      expect(worstElement).toMatch(/^(knee|hook)/);
      const warning = session.warnings.find((text) => text.includes('2/ω'));
      // ω² = 2 F s/I, and F is the weight of the load along the chain.
      const omega = Math.sqrt((2 * mass * G * Math.cos(0.25) * 0.5 * LENGTH) / 2e-5);
      const named = Number(/2\/ω = ([\d.e+-]+) s/.exec(warning ?? '')?.[1]);
      expect(Math.abs((named * omega) / 2 - 1)).toBeLessThan(0.1);
    },
  );

  it('holds together below it, certified and without a warning', () => {
    const { session } = run(chain(1e-4, 5, 800));
    expect(session.certificate.dynamics).toBeLessThan(session.certificate.limit ?? 0);
    expect(session.warnings).toEqual([]);
  });
});

describe('a stop that Moreau–Jean holds while the body goes along it', () => {
  const [mass, h] = [2, 5e-3];
  type Vector = readonly number[];
  const product = (a: Vector, b: Vector): number => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const normalised = (a: Vector): number[] => a.map((x) => x / Math.hypot(...a));
  const cross = (a: Vector, b: Vector): number[] => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  /** A body with a stop that a function of its place gives. */
  const stopped = (
    body: Record<string, FieldValue>,
    value: string,
    integrator: TypedElement,
    joints: InteractionDocument[] = [],
  ): ModelDocument => {
    const stop = {
      ...{ id: 'stop', systems: ['b'], law: { type: 'NewtonImpact3D', e: 0.3 } },
      relation: { type: 'NewtonEulerRelation', h: { function: 'h' } },
    };
    const bodies = [rigid('b', [0, 0, 0], { mass, inertia: [0.05, 0.05, 0.05], ...body })];
    const document = spaceModel(bodies, [...joints, stop], { h, tEnd: 0.5 });
    document.simulation.integrators = [integrator];
    return withFunctions(
      document,
      `export const h = (q: Float64Array, out: Float64Array) => { out[0] = ${value}; };`,
    );
  };
  const settings = [0.5, 0.8, 1].flatMap((theta) =>
    ['yes', 'no'].flatMap((projection) =>
      [0.5, 1].map((forecast) => ({ type: 'MoreauJean', theta, projection, forecast })),
    ),
  );
  const directions = (count: number): { axis: number[]; side: number[]; speed: number; radius: number }[] => {
    const { uniform } = seeded(21);
    return Array.from({ length: count }, () => {
      const axis = normalised([uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)]);
      const side = normalised(cross(axis, [uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)]));
      return { axis, side, speed: uniform(0.5, 2), radius: uniform(0.3, 2) };
    });
  };

  it('pushes as the way is curved, in every step', () => {
    for (const { axis, side, speed, radius } of directions(sample(2, 40))) {
      const along = product(axis, [1, 0, 0]) === 0 ? axis : cross(axis, side);
      // Inside of a pipe along the axis.
      const far = `(${axis.map((x, i) => `${x} * q[${i}]`).join(' + ')})`;
      const value = `${radius} - Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - ${far} * ${far})`;
      const body = {
        position: side.map((x) => radius * x),
        velocity: along.map((x) => speed * x),
        gravity: [0, 0, 0],
      };
      for (const integrator of settings) {
        const { column, session } = run(stopped(body, value, integrator), { sandbox: createSandbox });
        const what = JSON.stringify({ integrator, axis, side, speed, radius });
        const [lambda, gap] = [column('stop.lambda'), column('stop.gap')];
        const v = [0, 1, 2].map((i) => column(`b.v[${i}]`));
        for (let k = 10; k < lambda.length; k++) {
          const squared = v.reduce((sum, x) => sum + x[k] ** 2, 0);
          const turn = (h * speed) / radius;
          expect(Math.abs((lambda[k] * radius) / (mass * squared) - 1), what).toBeLessThan(0.01 + 2 * turn);
          expect(Math.abs(lambda[k] / lambda[k - 1] - 1), what).toBeLessThan(0.01);
          expect(Math.abs(gap[k]), what).toBeLessThan(1.1 * turn * turn * radius);
        }
        const { dynamics, complementarity, coneViolation } = session.certificate;
        expect(Math.max(dynamics, complementarity, coneViolation), what).toBeLessThan(1e-9);
      }
    }
  });

  it('carries a hinged body at rest, however it is inclined', () => {
    for (const { side } of directions(sample(6, 60))) {
      const angle = 0.3 + Math.abs(side[0]);
      const arm = [0.5 * Math.sin(angle), 0, -0.5 * Math.cos(angle)];
      // The direction of the stop, which lifts the arm.
      const lift = [Math.cos(angle), 0, Math.sin(angle)];
      const normal = normalised(product(side, lift) < 0 ? side.map((x) => -x) : side);
      const lever = product(normal, lift);
      if (lever < 0.1) continue;
      const value = normal.map((x, i) => `${x} * (q[${i}] - (${arm[i]}))`).join(' + ');
      const pin = joint('pin', ['b'], { type: 'RevoluteJoint', point: [0, 0, 0], axis: [0, 1, 0] });
      for (const integrator of settings) {
        const { column } = run(stopped({ position: arm }, value, integrator, [pin]), {
          sandbox: createSandbox,
        });
        // To what the solver is asked for: a stop that hardly lifts the arm pushes with ten times its weight.
        const expected = (mass * G * Math.sin(angle)) / lever;
        for (const force of column('stop.lambda').subarray(1))
          expect(Math.abs(force / expected - 1)).toBeLessThan(1e-10);
      }
    }
  });
});
