/** Velocities of a body without dynamics that are functions of time: the motion is their integral. */
import { describe, expect, it } from 'vitest';
import type { FieldValue, ModelDocument } from '@engine/document/types';
import { IntegratedMotion } from '@engine/model/space/integrated-motion';
import type { ModelFunction } from '@engine/model/plugin';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { expectComplete } from '../support/issues';
import { run, runFailure } from '../support/run';
import { floor, G, rigid, spaceModel, touch } from '../support/space';

const sandbox = { sandbox: createSandbox };
const last = (values: Float64Array): number => values[values.length - 1];

const of =
  (value: (t: number) => number[]): ModelFunction =>
  ([t], _a, _b, out) =>
    out.set(value(t));

/** State at a time. */
const at = (motion: IntegratedMotion, t: number): Float64Array => {
  const out = new Float64Array(7);
  motion.at(t, out);
  return out;
};

describe('the integral', () => {
  it('of a velocity is right to rounding, before t = 0 too', () => {
    const motion = new IntegratedMotion(
      of((t) => [Math.cos(40 * t), 3 * t * t, Math.exp(-t)]),
      null,
      false,
    );
    for (const t of [0, 0.3, 1.7, 6.25, -0.4, -2.2]) {
      const [x, y, z] = at(motion, t);
      expect(x).toBeCloseTo(Math.sin(40 * t) / 40, 14);
      expect(Math.abs(y - t ** 3)).toBeLessThan(1e-14 * Math.max(1, Math.abs(t) ** 3));
      expect(Math.abs(z - (1 - Math.exp(-t)))).toBeLessThan(2e-14 * Math.exp(Math.abs(t)));
    }
  });

  it('of a velocity that jumps has the kink where it is', () => {
    const motion = new IntegratedMotion(
      of((t) => [t < 0.123456 ? 1 : -2, 0, 0]),
      null,
      false,
    );
    expect(at(motion, 0.1)[0]).toBeCloseTo(0.1, 15);
    expect(at(motion, 1)[0]).toBeCloseTo(0.123456 - 2 * (1 - 0.123456), 12);
  });

  it('asks for nothing beyond the time', () => {
    let latest = 0;
    const motion = new IntegratedMotion(
      of((t) => {
        latest = Math.max(latest, t);
        return [t, 0, 0];
      }),
      null,
      false,
    );
    for (const t of [0.001, 0.5, 1.2345]) {
      at(motion, t);
      expect(latest).toBeCloseTo(t, 15);
    }
  });

  it('depends on the time alone, and not on the order of questions', () => {
    const velocity = of((t) => [Math.sin(t * t), t < 2.1 ? 0 : 1, 0]);
    const spin = of((t) => [Math.cos(3 * t), 2, t]);
    const [one, other] = [1, 2].map(() => new IntegratedMotion(velocity, spin, true));
    const times = [3.3, 0.2, 1.999, 2, 2.0001, 0.7, 3.3, -1.2, 5];
    const first = times.map((t) => at(one, t));
    const second = times.toReversed().map((t) => at(other, t));
    expect(second.toReversed()).toEqual(first);
  });

  /*
   * A precession with ω(t) = Ω_p z + Ω_s b(t), b = Exp(t Ω_p z) x, is Exp(t Ω_p z) ∘ Exp(t Ω_s x), with the
   * angular velocity Ω_s x + Ω_p R(−t Ω_s x) z in the frame of the body.
   */
  it.each(['world', 'body'] as const)('of an angular velocity in the frame of the %s is a turn', (frame) => {
    const [p, s] = [1.3, 4.1];
    const spin =
      frame === 'world'
        ? of((t) => [s * Math.cos(p * t), s * Math.sin(p * t), p])
        : of((t) => [s, p * Math.sin(s * t), p * Math.cos(s * t)]);
    const motion = new IntegratedMotion(null, spin, frame === 'body');
    for (const t of [0.1, 1, 2.7, -1.4]) {
      const [a, b] = [0.5 * p * t, 0.5 * s * t];
      const exact = [
        Math.cos(a) * Math.cos(b),
        Math.cos(a) * Math.sin(b),
        Math.sin(a) * Math.sin(b),
        Math.sin(a) * Math.cos(b),
      ];
      exact.forEach((value, i) => expect(at(motion, t)[3 + i]).toBeCloseTo(value, 13));
    }
  });
});

function on(
  table: Record<string, FieldValue>,
  source: string[],
  body: Parameters<typeof rigid>[2],
  { mu = 0.4, tEnd = 1, h = 1e-3 } = {},
): ModelDocument {
  const document = spaceModel(
    [floor('table', table), rigid('body', [0, 0, 0.1], body)],
    [touch('contact', ['table', 'body'], mu)],
    { h, tEnd },
  );
  document.scripts = [{ name: 'motion.ts', role: 'functions', source }];
  return document;
}

const BOX = { mass: 2, inertia: [0.01, 0.01, 0.01] };

describe('a fixed body with a velocity of time', () => {
  // A belt with v = ½ j t² carries the block until j t = μ g, and lets it slide behind with μ g.
  const JERK = 20;
  it.each([
    ['velocity', 'table.v[0]'],
    ['surfaceVelocity', ''],
  ])('carries a block by its %s while its acceleration is below μ g', (key, signal) => {
    const source = [
      'export const start: PrescribedMotion = (t, out) => {',
      `  out[0] = ${JERK / 2} * t * t;`,
      '};',
    ];
    const { column } = run(on({ [key]: { function: 'start' } }, source, BOX, { tEnd: 0.5 }), sandbox);
    const slips = (0.4 * G) / JERK;
    const [times, v] = [column('t'), column('body.v[0]')];
    times.forEach((t, k) => {
      if (t < slips - 2e-3) expect(v[k]).toBeCloseTo(0.5 * JERK * t * t, 9);
      else if (t > slips + 2e-3)
        expect(Math.abs(v[k] - (0.5 * JERK * slips ** 2 + 0.4 * G * (t - slips)))).toBeLessThan(3e-5);
    });
    expect(last(column('contact.slip'))).toBeGreaterThan(0.1);
    if (signal === '') expect(last(column('table.q[0]'))).toBe(0);
    else expect(last(column('table.q[0]'))).toBeCloseTo((JERK / 6) * 0.5 ** 3, 14);
  });

  it('goes from slip to stick when the block has the speed of the belt, and the work of the belt is known', () => {
    // v(t) = 1 + t/2 from the start: the block has μ g t, and is as fast at t = 1/(μ g − ½).
    const source = ['export const belt: PrescribedMotion = (t, out) => {', '  out[0] = 1 + 0.5 * t;', '};'];
    const { column } = run(on({ velocity: { function: 'belt' } }, source, BOX, { tEnd: 0.6 }), sandbox);
    const sticks = 1 / (0.4 * G - 0.5);
    const [times, v] = [column('t'), column('body.v[0]')];
    times.forEach((t, k) => {
      if (t < sticks - 2e-3) expect(v[k]).toBeCloseTo(0.4 * G * t, 9);
      if (t > sticks + 2e-3) expect(v[k]).toBeCloseTo(1 + 0.5 * t, 9);
    });
    // ∫ μ m g v dt while it slides, ∫ ½ m v dt afterwards
    const way = (from: number, to: number): number => to - from + 0.25 * (to ** 2 - from ** 2);
    const work = 0.4 * 2 * G * way(0, sticks) + 0.5 * 2 * way(sticks, 0.6);
    expect(last(column('energy.motors'))).toBeCloseTo(work, 2);
    expect(last(column('energy.numerical'))).toBeCloseTo(0, 9);
  });

  it.each(['body', 'world'])('turns about an axis of the %s that does not stay', (frame) => {
    const source = [
      'export const tumble: PrescribedMotion = (t, out) => {',
      '  out[0] = 2 * Math.cos(t); out[1] = 2 * Math.sin(t); out[2] = 1;',
      '};',
    ];
    const fields = { spin: { function: 'tumble' }, spinFrame: frame, orientation: [1, 0.1, 0, 0] };
    const { column } = run(on({ ...fields, position: [0, 0, -9] }, source, BOX, { h: 1e-2 }), sandbox);
    const q = (k: number): number[] => [3, 4, 5, 6].map((i) => column(`table.q[${i}]`)[k]);
    const rate = q(51).map((value, i) => (value - q(49)[i]) / 2e-2);
    const [w, x, y, z] = q(50);
    // Signals have Ω = 2 vec(Q* ∘ Q̇), in the frame of the body.
    const spin = [
      w * rate[1] - rate[0] * x - (y * rate[3] - z * rate[2]),
      w * rate[2] - rate[0] * y - (z * rate[1] - x * rate[3]),
      w * rate[3] - rate[0] * z - (x * rate[2] - y * rate[1]),
    ];
    spin.forEach((value, i) => expect(column(`table.v[${3 + i}]`)[50]).toBeCloseTo(2 * value, 3));
    const given = [2 * Math.cos(0.5), 2 * Math.sin(0.5), 1];
    if (frame === 'body')
      given.forEach((value, i) => expect(column(`table.v[${3 + i}]`)[50]).toBeCloseTo(value, 12));
    else {
      // ω = 2 vec(Q̇ ∘ Q*)
      const omega = [
        -rate[0] * x + w * rate[1] - (rate[2] * z - rate[3] * y),
        -rate[0] * y + w * rate[2] - (rate[3] * x - rate[1] * z),
        -rate[0] * z + w * rate[3] - (rate[1] * y - rate[2] * x),
      ];
      given.forEach((value, i) => expect(2 * omega[i]).toBeCloseTo(value, 3));
    }
    expect(Math.hypot(...q(50))).toBeCloseTo(1, 14);
  });

  /*
   * A homogeneous ball that rolls on a turntable keeps v − (2/7) Ω(t) z×r, whatever Ω does: its spin obeys
   * ⅖ m r² ω̇ = −r z×F with m v̇ = F, and v = Ω z×r + r ω×z.
   */
  it('rolls a ball round: v − (2/7) Ω z×r stays', () => {
    const source = [
      'export const table: PrescribedMotion = (t, out) => {',
      '  out[2] = 3 * Math.sin(2 * t) ** 2;',
      '};',
    ];
    const ball = {
      mass: 1,
      inertia: [0.004, 0.004, 0.004],
      shapes: [{ type: 'Sphere', radius: 0.1 }],
      position: [0.5, 0, 0.1],
      velocity: [0.1, 0.2, 0],
      spin: [-2, 1, 0],
    };
    const drift = (h: number): number => {
      const { column } = run(on({ spin: { function: 'table' } }, source, ball, { h, tEnd: 2 }), sandbox);
      const times = column('t');
      let most = 0;
      times.forEach((t, k) => {
        const omega = (2 / 7) * 3 * Math.sin(2 * t) ** 2;
        const x = column('body.v[0]')[k] + omega * column('body.q[1]')[k];
        const y = column('body.v[1]')[k] - omega * column('body.q[0]')[k];
        most = Math.max(most, Math.hypot(x - 0.1, y - 0.2));
      });
      return most;
    };
    expect(drift(2e-3)).toBeLessThan(2e-3);
    expect(drift(2e-3) / drift(1e-3)).toBeGreaterThan(1.8);
  });
});

describe('a velocity of time is refused', () => {
  it.each([
    ['of a function there is not', { velocity: { function: 'spiral' } }, 'unknown-function', 'velocity'],
    ['that follows signals', { spin: { signals: ['pid.u', '0', '0'] } }, 'motion-by-signals', 'spin'],
  ])('%s', (_, fields, code, key) => {
    const document = on(fields, ['export const one: PrescribedMotion = (t, out) => {', '};'], BOX);
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues).toMatchObject([{ severity: 'error', code, pointer: `/systems/0/${key}` }]);
  });

  it('where it is not finite, at the time when it is not', () => {
    const source = [
      'export const bad: PrescribedMotion = (t, out) => {',
      '  out[0] = t < 0.01 ? 0 : Math.log(0.01 - t);',
      '};',
    ];
    const { error } = runFailure(on({ velocity: { function: 'bad' } }, source, BOX), sandbox);
    expect(error).toMatchObject({ code: 'script-not-finite', where: 'table' });
  });
});
