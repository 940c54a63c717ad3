/**
 * Ellipsoids over planes: what stands on its lowest point, and the rattleback, which turns about its spin. It
 * is compared with the equations of rolling without slip, integrated here by themselves.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { ellipsoid } from '@engine/model/shapes/ellipsoid';
import { plane } from '@engine/model/shapes/plane';
import { rotateBack } from '@engine/spatial/quaternion';
import { isProving, sample } from '../../support/prove';
import { seeded } from '../support/random';
import { refusal, run } from '../support/run';
import { G, floor, rigid, spaceModel, touch, turned } from '../support/space';

type Vector = readonly [number, number, number];
const AXES: Vector = [0.2, 0.03, 0.02];
const cross = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [b * z - c * y, c * x - a * z, a * y - b * x];
const plus = (a: Vector, b: Vector, s = 1): Vector => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (m: readonly Vector[], v: Vector): Vector => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];

/* Kane and Levinson's rattleback: mass centre 1 cm below that of the ellipsoid, axes of inertia turned. */
const MASS = 1;
const LOW = 0.01;
const INERTIA: readonly Vector[] = [
  [2e-4, -2e-5, 0],
  [-2e-5, 1.6e-3, 0],
  [0, 0, 1.7e-3],
];
const TILT = 0.01;
const SPIN = -5;

function rattleback(scheme: 'event-driven' | 'time-stepping', tEnd: number): ModelDocument {
  const orientation = turned(1, TILT);
  // The lowest point of the ellipsoid stands on the floor.
  const reach = Math.hypot(AXES[0] * Math.sin(TILT), AXES[2] * Math.cos(TILT));
  const centre = [-Math.sin(TILT) * LOW, 0, reach - Math.cos(TILT) * LOW];
  const body = rigid('stone', centre, {
    mass: MASS,
    inertia: INERTIA.flat(),
    orientation,
    shapes: [{ type: 'Ellipsoid', semiAxes: [...AXES], position: [0, 0, LOW] }],
  });
  const start = oracle();
  body.spin = [...start.omega];
  body.velocity = [...start.velocity];
  const document = spaceModel([floor(), body], [touch('ground', ['floor', 'stone'], 50, 0)], {
    h: 1e-3,
    tEnd,
  });
  document.simulation.scheme = scheme;
  return document;
}

/** Everything in the frame of the body; up is the normal of the floor there. */
interface Rolling {
  readonly up: Vector;
  readonly omega: Vector;
}

/** From the mass centre to the lowest point, and its rate where up turns by u̇ = −ω×u. */
function lever({ up, omega }: Rolling): { r: Vector; rate: Vector } {
  const square: Vector = [AXES[0] ** 2, AXES[1] ** 2, AXES[2] ** 2];
  const scaled = (v: Vector): Vector => [square[0] * v[0], square[1] * v[1], square[2] * v[2]];
  const s = Math.sqrt(dot(up, scaled(up)));
  const upRate = cross(up, omega);
  const sRate = dot(scaled(up), upRate) / s;
  const p = scaled(up);
  const pRate = scaled(upRate);
  const r: Vector = [-p[0] / s, -p[1] / s, -p[2] / s + LOW];
  const rate = plus([-pRate[0] / s, -pRate[1] / s, -pRate[2] / s], [p[0], p[1], p[2]], sRate / (s * s));
  return { r, rate };
}

/**
 * v = −ω×r = r×ω, so that with a = v̇ + ω×v in the frame of the body and F = m (a + g u)
 *
 *     I ω̇ + ω×I ω = r×F,     a = r×ω̇ + ṙ×ω + ω×(r×ω).
 */
function derivative(state: Rolling): Rolling {
  const { up, omega } = state;
  const { r, rate } = lever(state);
  const known = plus(cross(rate, omega), cross(omega, cross(r, omega)));
  const force = plus(known, up, G);
  const right = plus(
    plus(cross(r, force).map((x) => MASS * x) as unknown as Vector, cross(omega, times(INERTIA, omega)), -1),
    [0, 0, 0],
  );
  // I ω̇ − m r×(r×ω̇)
  const columns = [0, 1, 2].map((k): Vector => {
    const e = [0, 0, 0].map((_, i) => (i === k ? 1 : 0)) as unknown as Vector;
    return plus(times(INERTIA, e), cross(r, cross(r, e)), -MASS);
  });
  const determinant = dot(columns[0], cross(columns[1], columns[2]));
  const omegaRate: Vector = [
    dot(right, cross(columns[1], columns[2])) / determinant,
    dot(columns[0], cross(right, columns[2])) / determinant,
    dot(columns[0], cross(columns[1], right)) / determinant,
  ];
  return { up: cross(up, omega), omega: omegaRate };
}

function oracle(until = 0, h = 1e-4): { omega: Vector; velocity: Vector } {
  // About the vertical, in the frame of the body that is tilted about its y axis.
  const up: Vector = [-Math.sin(TILT), 0, Math.cos(TILT)];
  let state: Rolling = { up, omega: [SPIN * up[0], SPIN * up[1], SPIN * up[2]] };
  const moved = (by: Rolling, s: number): Rolling => ({
    up: plus(state.up, by.up, s),
    omega: plus(state.omega, by.omega, s),
  });
  for (let n = Math.round(until / h); n > 0; n--) {
    const a = derivative(state);
    const b = derivative(moved(a, h / 2));
    const c = derivative(moved(b, h / 2));
    const d = derivative(moved(c, h));
    const sum = (key: keyof Rolling): Vector => plus(plus(plus(a[key], b[key], 2), c[key], 2), d[key]);
    state = moved({ up: sum('up'), omega: sum('omega') }, h / 6);
  }
  const v = cross(lever(state).r, state.omega);
  // At the start, in the world.
  const [cosine, sine] = [Math.cos(TILT), Math.sin(TILT)];
  return { omega: state.omega, velocity: [cosine * v[0] + sine * v[2], v[1], cosine * v[2] - sine * v[0]] };
}

const spin = (document: ModelDocument): Vector => {
  const { column } = run(document);
  return [3, 4, 5].map((k) => column(`stone.v[${k}]`).at(-1) ?? Number.NaN) as unknown as Vector;
};

describe('the rattleback', () => {
  it('rolls from event to event as the equations of rolling say', () => {
    const T = sample(0.3, 1);
    const found = spin(rattleback('event-driven', T));
    const exact = oracle(T).omega;
    found.forEach((value, k) => {
      expect(Math.abs(value - exact[k])).toBeLessThan(1e-7);
    });
  });

  // It takes three seconds to turn back, which are ten to compute.
  it.runIf(isProving)('turns back in the end', () => {
    const until = 4;
    const exact = oracle(until).omega;
    expect(oracle(0).omega[2]).toBeLessThan(-4.9);
    expect(exact[2]).toBeGreaterThan(0.5);
    expect(spin(rattleback('event-driven', until))[2]).toBeCloseTo(exact[2], 3);
  });

  it('by steps comes nearer to it with shorter ones', () => {
    const exact = oracle(0.2).omega;
    const errors = [1e-3, 2.5e-4].map((h) => {
      const document = rattleback('time-stepping', 0.2);
      document.simulation.h = h;
      return Math.hypot(...plus(spin(document), exact, -1));
    });
    // At first order: a step sticks where the contact is, which rolls on meanwhile.
    expect(errors[1]).toBeLessThan(errors[0] / 3);
    expect(errors[1]).toBeLessThan(0.2);
  });

  // 50 000 steps: what long steps leave shows where steps of a thirtieth of them follow.
  it('by steps that vary with its rocking is certified', () => {
    const document = rattleback('time-stepping', 1.4);
    document.interactions = [touch('ground', ['floor', 'stone'], 0.4, 0.4)];
    document.systems[1].velocity = [0, 0, 0];
    document.systems[1].spin = [0, 0, SPIN];
    document.simulation.stepControl = { tolerance: 1e-4, hMin: 1e-6, hMax: 1e-3 };
    const { complementarity, coneViolation, dynamics, limit } = run(document).session.certificate;
    expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(limit ?? 0);
  });
});

describe('an ellipsoid', () => {
  it('touches a plane at its lowest point, whatever its pose', () => {
    const random = seeded(5);
    for (let n = 0; n < sample(50, 5000); n++) {
      const axes = [0, 1, 2].map(() => random.uniform(0.1, 1));
      const q = [0, 1, 2, 3].map(() => random.uniform(-1, 1));
      const length = Math.hypot(...q);
      const detection = new ContactDetection({ dimension: 3, margin: 10 });
      detection.add(GROUND, plane([0, 0, 1], 0.25));
      detection.add(0, ellipsoid(axes));
      detection.step(Float64Array.from([0.3, -0.2, 2, ...q.map((x) => x / length)]));
      const { count, values } = detection.manifolds;
      expect(count).toBe(1);
      // The point is on the surface, whose normal there is that of the plane, downwards.
      const pose = Float64Array.from([0, 0, 0, ...q.map((value) => value / length)]);
      const own = new Float64Array(3);
      const up = new Float64Array(3);
      rotateBack(pose, 3, Float64Array.of(values[7] - 0.3, values[8] + 0.2, values[9] - 2), 0, own, 0);
      rotateBack(pose, 3, Float64Array.of(0, 0, 1), 0, up, 0);
      const gradient = axes.map((axis, k) => own[k] / axis ** 2);
      expect(own.reduce((sum, x, k) => sum + (x / axes[k]) ** 2, 0)).toBeCloseTo(1, 12);
      const slope = Math.hypot(...gradient);
      gradient.forEach((part, k) => {
        expect(part / slope).toBeCloseTo(-up[k], 12);
      });
      expect(values[0]).toBeCloseTo(values[9] - 0.25, 12);
    }
  });

  it('falls on its side and rocks to rest, certified in both schemes', () => {
    const egg = rigid('egg', [0, 0, 0.5], {
      shapes: [{ type: 'Ellipsoid', semiAxes: [0.2, 0.1, 0.1] }],
      orientation: turned(1, 0.5),
    });
    for (const scheme of ['time-stepping', 'event-driven'] as const) {
      const document = spaceModel([floor(), egg], [touch('ground', ['floor', 'egg'], 0.3, 0.2)], { tEnd: 1 });
      document.simulation.scheme = scheme;
      const { session } = run(document);
      const { complementarity, coneViolation, dynamics } = session.certificate;
      expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-6);
    }
  });

  it('is refused where it could meet anything but a plane, with what to do', () => {
    const bodies = [
      rigid('egg', [0, 0, 1], { shapes: [{ type: 'Ellipsoid', semiAxes: [0.2, 0.1, 0.1] }] }),
      rigid('ball', [0, 0, 2], { shapes: [{ type: 'Sphere', radius: 0.1 }] }),
    ];
    const { message, remedy } = refusal(spaceModel(bodies, [touch('pair', ['egg', 'ball'])]));
    expect(message).toContain('The ellipsoid of “egg” may meet the sphere of “ball”');
    expect(remedy).toContain('polyhedron');
  });
});
