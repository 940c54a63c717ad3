/** Limits, dry friction and motors of joints against exact solutions. */
import { describe, expect, it } from 'vitest';
import {
  ContactDynamicsCertificate,
  CONTACT_RESIDUALS,
} from '@engine/contact-dynamics/certificate/certificate';
import { JointRowCheck } from '@engine/contact-dynamics/certificate/joint-check';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { EngineError } from '@engine/errors';
import { compileSpatial, type SpatialModel } from '@engine/spatial/compile';
import { frameAlong, type SpatialJointDescription } from '@engine/spatial/joints/joint';
import { certified, G, simulate, weight } from './worlds';

type Joint = SpatialModel['joints'][number];
type Additions = Pick<SpatialJointDescription, 'limits' | 'friction' | 'motors' | 'restitution'>;

const body = (rest: Partial<SpatialModel['bodies'][number]> = {}): SpatialModel['bodies'][number] => ({
  id: 'body',
  mass: 2,
  inertia: [0.1, 0.2, 0.3],
  position: [0, 0, 0],
  ...rest,
});

const along = frameAlong([1, 0, 0]);
const slider = (additions: Additions): Joint => ({
  type: 'prismatic',
  id: 'rail',
  first: { body: 'ground', frame: along },
  second: { body: 'body', frame: along },
  ...additions,
});
/** About the z axis, through the mass centre. */
const wheel = (additions: Additions): Joint => ({
  type: 'revolute',
  id: 'axle',
  first: { body: 'ground' },
  second: { body: 'body' },
  ...additions,
});

describe('dry friction of a slider', () => {
  it('stops it at t = m v/c, after v²m/2c, and then it is at rest to the last bit', () => {
    const dynamics = simulate({
      bodies: [body({ velocity: [1.5, 0, 0] })],
      joints: [slider({ friction: { displacement: 4 } })],
      loads: [weight(0, 0, -G)],
    });
    // m v/c = 0.75 s
    certified(dynamics, 749);
    expect(dynamics.u[0]).toBeCloseTo(2e-3, 12);
    expect(dynamics.reactions.rowImpulses[0]).toBeCloseTo(-4e-3, 14);
    certified(dynamics, 1);
    expect(Math.abs(dynamics.u[0])).toBeLessThan(1e-12);
    certified(dynamics, 1);
    expect(dynamics.u[0]).toBe(0);
    expect(dynamics.q[0]).toBeCloseTo((1.5 * 1.5 * 2) / (2 * 4), 11);
    const place = dynamics.q.slice();
    certified(dynamics, 1000);
    expect(dynamics.q).toEqual(place);
    expect(dynamics.u.every((value) => value === 0)).toBe(true);
  });

  it('holds a load up to its bound, and lets the rest of one above it pull', () => {
    for (const [pull, acceleration] of [
      [3.99, 0],
      [4.2, 0.1],
    ]) {
      const dynamics = simulate({
        bodies: [body()],
        joints: [slider({ friction: { displacement: 4 } })],
        loads: [
          { type: 'wrench', id: 'pull', on: { body: 'body' }, frame: 'world', value: [-pull, 0, 0, 0, 0, 0] },
        ],
      });
      certified(dynamics, 1000);
      expect(dynamics.u[0]).toBeCloseTo(-acceleration, 12);
      if (acceleration === 0) expect(dynamics.q[0]).toBe(0);
      expect(dynamics.reactions.rowImpulses[0] / 1e-3).toBeCloseTo(acceleration === 0 ? pull : 4, 10);
    }
  });
});

describe('a motor', () => {
  it('accelerates a wheel with its limit and then holds the speed', () => {
    const dynamics = simulate({
      bodies: [body()],
      joints: [wheel({ motors: { angle: { speed: 5, limit: 1.2 } } })],
    });
    // c/I = 4 rad/s²
    certified(dynamics, 1000);
    expect(dynamics.u[5]).toBeCloseTo(4, 11);
    expect(dynamics.reactions.rowImpulses[0]).toBeCloseTo(1.2e-3, 14);
    certified(dynamics, 1000);
    expect(dynamics.u[5]).toBeCloseTo(5, 12);
    expect(Math.abs(dynamics.reactions.rowImpulses[0])).toBeLessThan(1e-12);
  });

  it('against friction reaches its speed if it is the stronger one, and gives the difference', () => {
    for (const [limit, speed, moment] of [
      [1.2, 5, 0.7],
      [0.5, 0, 0.5],
    ]) {
      const dynamics = simulate({
        bodies: [body()],
        joints: [wheel({ friction: { angle: 0.7 }, motors: { angle: { speed: 5, limit } } })],
      });
      // (1.2 − 0.7)/0.3 rad/s² takes 3 s to 5 rad/s.
      certified(dynamics, 3100);
      expect(dynamics.u[5]).toBeCloseTo(speed, 11);
      const [friction, motor] = dynamics.reactions.rowImpulses;
      expect(motor / 1e-3).toBeCloseTo(moment, 9);
      expect(friction / 1e-3).toBeCloseTo(-moment, 9);
    }
  });

  it('without a limit has its speed from the first step, whatever hangs on it', () => {
    const dynamics = simulate({
      bodies: [body({ position: [0.5, 0, 0] })],
      joints: [
        {
          ...wheel({ motors: { angle: { speed: 3, limit: Number.POSITIVE_INFINITY } } }),
          second: { body: 'body', point: [-0.5, 0, 0] },
        },
      ],
      loads: [weight(0, -G, 0)],
    });
    certified(dynamics, 1000);
    expect(dynamics.u[5]).toBeCloseTo(3, 12);
    const angle = Math.atan2(dynamics.q[1], dynamics.q[0]);
    // It was at rest when the first step began.
    expect(angle).toBeCloseTo(3 - 1.5e-3, 5);
    // Moment against the weight at the middle of the last step.
    expect(dynamics.jointImpulses[5] / 1e-3).toBeCloseTo(2 * G * 0.5 * Math.cos(3 - 3e-3), 3);
  });

  it('is refused where another one prescribes something else', () => {
    const dynamics = simulate({
      bodies: [body()],
      joints: [
        wheel({ motors: { angle: { speed: 3, limit: Number.POSITIVE_INFINITY } } }),
        { ...wheel({ motors: { angle: { speed: 2, limit: Number.POSITIVE_INFINITY } } }), id: 'second' },
      ],
    });
    expect(dynamics.advance()).toBe('drivesContradict');
  });
});

describe('limits', () => {
  /** A slender bar of 1 m and 1 kg on a hinge at its end, released level, with a stop. */
  const falling = (restitution: number, stop: number): ContactDynamics => {
    const hinge = frameAlong([0, 1, 0]);
    return simulate(
      {
        bodies: [body({ mass: 1, inertia: [1e-3, 1 / 12, 1 / 12], position: [0.5, 0, 0] })],
        joints: [
          {
            type: 'revolute',
            id: 'hinge',
            first: { body: 'ground', frame: hinge },
            second: { body: 'body', point: [-0.5, 0, 0], frame: hinge },
            limits: { angle: [Number.NEGATIVE_INFINITY, stop] },
            restitution,
          },
        ],
        loads: [weight(0, 0, -G)],
      },
      { h: 1e-4 },
    );
  };
  const omega = Math.sqrt(3 * G);

  it('turn a pendulum back with e, and the hinge takes the impulse that goes with it', () => {
    const dynamics = falling(0.5, Math.PI / 2);
    let impulse = 0;
    certified(dynamics, 6000, undefined, () => {
      if (impulse !== 0 || dynamics.reactions.rowImpulses[0] === 0) return;
      impulse = dynamics.reactions.rowImpulses[0];
      expect(dynamics.before[4]).toBeCloseTo(omega, 2);
      expect(dynamics.u[4]).toBeCloseTo(-0.5 * dynamics.before[4], 2);
      // (1 + e) ω (m/3) about the hinge; the mass centre has (1 + e) ω ½ m, all of it from the hinge.
      expect(impulse).toBeCloseTo((1.5 * omega) / 3, 2);
      const out = new Float64Array(6);
      dynamics.appliedOn(0, out);
      expect(out[0] * 1e-4).toBeCloseTo(1.5 * omega * 0.5, 2);
    });
    expect(impulse).not.toBe(0);
  });

  it('without restitution keep it where it is, to the last bit', () => {
    const dynamics = falling(0, 1);
    certified(dynamics, 6000);
    expect(dynamics.u.every((value) => value === 0)).toBe(true);
    const place = dynamics.q.slice();
    certified(dynamics, 100);
    expect(dynamics.q).toEqual(place);
    const angle = new Float64Array(1);
    dynamics.system.coordinates.position(dynamics.q, angle);
    expect(angle[0]).toBeCloseTo(1, 12);
  });

  it('stop a rope that becomes taut: what goes on is the velocity across it', () => {
    const dynamics = simulate({
      bodies: [body({ position: [0.6, 0, 0], velocity: [1, 2, 0] })],
      joints: [
        {
          type: 'rope',
          id: 'rope',
          first: { body: 'ground' },
          second: { body: 'body' },
          limits: { length: [0, 1] },
        },
      ],
    });
    let impact: number | null = null;
    certified(dynamics, 600, undefined, () => {
      if (impact !== null || dynamics.reactions.rowImpulses[1] === 0) return;
      impact = dynamics.time;
      const { middle, u, before } = dynamics;
      const length = Math.hypot(middle[0], middle[1]);
      const [x, y] = [middle[0] / length, middle[1] / length];
      expect(x * u[0] + y * u[1]).toBeCloseTo(0, 13);
      expect(x * u[1] - y * u[0]).toBeCloseTo(x * before[1] - y * before[0], 13);
      // 2 kg, on the bob towards the ground
      expect(dynamics.reactions.rowImpulses[1]).toBeCloseTo(2 * (x * before[0] + y * before[1]), 12);
    });
    // |(0.6, 0) + (1, 2) t| = 1 at the root of 5 t² + 1.2 t − 0.64
    expect(impact).toBeCloseTo((-1.2 + Math.sqrt(1.44 + 12.8)) / 10, 2);
    expect(Math.hypot(dynamics.q[0], dynamics.q[1])).toBeLessThan(1 + 1e-12);
  });

  it('that cannot be kept, because joints hold the coordinate beyond them, end the step', () => {
    const dynamics = simulate(
      {
        bodies: [body()],
        joints: [
          wheel({
            limits: { angle: [-1, 0.1] },
            motors: { angle: { speed: 3, limit: Number.POSITIVE_INFINITY } },
          }),
        ],
      },
      { projects: false },
    );
    let status = 'ok';
    while (status === 'ok' && dynamics.time < 1) status = dynamics.advance();
    expect(status).toBe('unsolved');
    expect(dynamics.time).toBeCloseTo(0.1 / 3, 2);
  });
});

describe('descriptions that break a rule', () => {
  const code = (joint: Joint): string => {
    try {
      compileSpatial({ bodies: [body()], joints: [joint], loads: [] });
    } catch (error) {
      return (error as EngineError).details.code;
    }
    return 'none';
  };
  const motor = (speed: number, limit: number): Additions => ({ motors: { angle: { speed, limit } } });
  const cases: readonly (readonly [string, Additions])[] = [
    ['none', { friction: { angle: 0 }, ...motor(1, 0), restitution: 1 }],
    ['joint-friction-bound', { friction: { angle: -1 } }],
    ['joint-friction-bound', { friction: { angle: NaN } }],
    ['joint-friction-bound', { friction: { angle: Number.POSITIVE_INFINITY } }],
    ['joint-motor-limit', motor(1, -1)],
    ['joint-motor-limit', motor(1, NaN)],
    ['joint-motor-speed', motor(NaN, 1)],
    ['joint-motor-speed', motor(Number.POSITIVE_INFINITY, 1)],
    ['joint-restitution-range', { restitution: 1.1 }],
    ['joint-restitution-range', { restitution: NaN }],
    ['joint-coordinate-unknown', { friction: { displacement: 1 } }],
    ['joint-coordinate-unknown', { motors: { displacement: { speed: 1, limit: 1 } } }],
    ['joint-limits-crossed', { limits: { angle: [1, NaN] } }],
  ];
  it.each(cases)('are refused with %s: %o', (expected, additions) => {
    expect(code(wheel(additions))).toBe(expected);
  });
});

describe('the certificate of rows of joints', () => {
  const found = (additions: Additions, deed: (dynamics: ContactDynamics) => void): string[] => {
    const dynamics = simulate({
      bodies: [body({ velocity: [1, 0, 0] })],
      joints: [slider(additions)],
    });
    certified(dynamics, 20);
    deed(dynamics);
    const certificate = new ContactDynamicsCertificate(dynamics, [
      { kind: 'impact', friction: 0, restitution: 0, tangentialRestitution: 0 },
    ]);
    certificate.judge();
    return CONTACT_RESIDUALS.filter((_, k) => !(certificate.worst[k] < 1e-9));
  };
  const rubbing = { friction: { displacement: 4 } };
  const stopped = { limits: { displacement: [0, 0.01] as const } };

  it('objects to friction beyond its bound, in the wrong direction, and to none', () => {
    for (const factor of [1.01, -1, 0])
      expect(found(rubbing, ({ reactions }) => (reactions.rowImpulses[0] *= factor))).toEqual(
        expect.arrayContaining(['drives', 'momentum']),
      );
  });

  it('objects to a limit that pulls or that is passed', () => {
    expect(found(stopped, () => undefined)).toEqual([]);
    expect(found(stopped, ({ reactions }) => (reactions.rowImpulses[1] = -1))).toContain('limits');
    expect(found(stopped, ({ u }) => (u[0] = 1e-3))).toContain('limits');
    // the lower limit is open
    expect(found(stopped, ({ reactions }) => (reactions.rowImpulses[0] = 1e-3))).toContain('limits');
  });

  it('says at which joint', () => {
    const second = { ...slider(stopped), id: 'siding', second: { body: 'other', frame: along } };
    const dynamics = simulate({
      bodies: [body(), body({ id: 'other' })],
      joints: [slider(stopped), second],
    });
    certified(dynamics, 20);
    const check = new JointRowCheck(dynamics);
    // Of each joint the lower limit and the upper one.
    dynamics.reactions.rowImpulses[3] = -1;
    check.judge(new Float64Array(dynamics.u.length));
    expect([...check.defects]).toEqual([1, 0]);
    expect(check.joints[0]).toBe(1);
  });

  it('objects to what is no number', () => {
    expect(found(rubbing, ({ reactions }) => (reactions.rowImpulses[0] = NaN))).toContain('drives');
  });
});
