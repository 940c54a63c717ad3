/** 3D bodies from event to event: against closed forms, quadratures and the balance of energy. */
import { describe, expect, it } from 'vitest';
import type { FieldValue, InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { freeTop } from '../spatial/support/free-top';
import { example } from '../support/example';
import { refusal, run, type Run } from '../support/run';
import { floor, G, joint, rigid, spaceModel, touch, turned } from '../support/space';

const ACCURATE = { relativeTolerance: 1e-13, absoluteTolerance: 1e-14 };

function fromEventToEvent(
  systems: SystemDocument[],
  interactions: InteractionDocument[],
  { tEnd = 1, h = 0.05 }: { tEnd?: number; h?: number } = {},
): ModelDocument {
  const document = spaceModel(systems, interactions, { h, tEnd });
  document.simulation.scheme = 'event-driven';
  document.simulation.eventDriven = { flight: { type: 'DormandPrince', ...ACCURATE } };
  return document;
}

const last = ({ column }: Run, signal: string): number => column(signal).at(-1) ?? Number.NaN;

/** Largest difference of the last values of numbered signals. */
const off = (one: Run, signal: string, exact: ArrayLike<number>, from = 0): number =>
  Math.max(...Array.from(exact, (value, k) => Math.abs(last(one, `${signal}[${k + from}]`) - value)));

/** Whether the run is certified, complete and balanced. */
function expectSound({ session }: Run): void {
  const { complementarity, coneViolation, dynamics } = session.certificate;
  expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-9);
  expect(session.complete).toBe(true);
  expect(session.energyDrift).toBeLessThan(1e-10);
}

describe('free bodies', () => {
  it('turn as a symmetric top does, to 1e-10 after 10 s', () => {
    const spin = [0.7, -0.4, 3];
    const [a, c] = [0.02, 0.03];
    const body = rigid('top', [0, 0, 0], {
      mass: 2,
      inertia: [a, a, c],
      velocity: [1, 2, 3],
      spin,
      shapes: undefined,
    });
    const result = run(fromEventToEvent([body], [], { tEnd: 10 }));
    expectSound(result);
    const exact = freeTop(a, c, spin, 10);
    const sign = Math.sign(exact[0] * last(result, 'top.q[3]'));
    expect(
      off(
        result,
        'top.q',
        exact.map((x) => sign * x),
        3,
      ),
    ).toBeLessThan(1e-10);
    expect(off(result, 'top.q', [10, 20, 30 - (G * 100) / 2])).toBeLessThan(1e-9);
    const norm = [3, 4, 5, 6].reduce((sum, k) => sum + last(result, `top.q[${k}]`) ** 2, 0);
    expect(Math.abs(norm - 1)).toBeLessThan(1e-11);
  });

  it('of three different moments of inertia keep momentum and energy', () => {
    const [inertia, spin] = [
      [0.02, 0.03, 0.045],
      [0.01, 5, 0.02],
    ];
    const body = rigid('wing', [0, 0, 0], { mass: 1, inertia, spin, gravity: [0, 0, 0], shapes: undefined });
    const result = run(fromEventToEvent([body], [], { tEnd: 10 }));
    expectSound(result);
    const omega = [3, 4, 5].map((k) => last(result, `wing.v[${k}]`));
    const squares = (v: readonly number[]): number => v.reduce((sum, x, i) => sum + (inertia[i] * x) ** 2, 0);
    expect(squares(omega) / squares(spin)).toBeCloseTo(1, 10);
  });
});

describe('a heavy top', () => {
  const [m, l, A, C, s, tilt] = [0.5, 0.05, 5e-4, 8e-4, 60, 0.5];

  /**
   * cos θ of a top whose axis starts at rest, by Jacobi's function: with u = cos θ, a = C s/(A + m l²), b = 2
   * m g l/(A + m l²), u̇² = b (u₀ − u)(u − u₁)(u₂ − u), so that u = u₁ + (u₀ − u₁) cd²(½ √(b (u₂ − u₁)) t,
   * k), k² = (u₀ − u₁)/(u₂ − u₁).
   */
  function cosine(t: number): number {
    const about = A + m * l * l;
    const [a, b] = [(C * s) / about, (2 * m * G * l) / about];
    const u0 = Math.cos(tilt);
    const root = Math.sqrt(a ** 4 - 4 * b * (a * a * u0 - b));
    const u2 = (a * a + root) / (2 * b);
    const u1 = (2 * (a * a * u0 - b)) / (a * a + root);
    const square = (u0 - u1) / (u2 - u1);
    const sine = jacobiSine(0.5 * Math.sqrt(b * (u2 - u1)) * t, Math.sqrt(square)) ** 2;
    return u1 + ((u0 - u1) * (1 - sine)) / (1 - square * sine);
  }

  /** sn(x, k) by descending Landen transformations (Abramowitz and Stegun 1964, 16.4). */
  function jacobiSine(x: number, k: number): number {
    const [as, cs] = [[1], [k]];
    let [a, b] = [1, Math.sqrt(1 - k * k)];
    while (as.length < 8) {
      const c = (a - b) / 2;
      [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
      as.push(a);
      cs.push(c);
    }
    let angle = 2 ** (as.length - 1) * a * x;
    for (let n = as.length - 1; n > 0; n--)
      angle = (angle + Math.asin((cs[n] / as[n]) * Math.sin(angle))) / 2;
    return Math.sin(angle);
  }

  it('nods as the elliptic function says, to 1e-10 after 10 s', () => {
    const top = rigid('top', [0, -l * Math.sin(tilt), l * Math.cos(tilt)], {
      mass: m,
      inertia: [A, A, C],
      orientation: turned(0, tilt),
      spin: [0, 0, s],
      shapes: undefined,
    });
    const tip = joint('tip', ['top'], { type: 'BallJoint', point: [0, 0, 0] });
    const result = run(fromEventToEvent([top], [tip], { tEnd: 10, h: 0.01 }));
    expectSound(result);
    expect(Math.abs(last(result, 'top.q[2]') / l - cosine(10))).toBeLessThan(1e-10);
  });
});

describe('contacts without friction', () => {
  const ball = (height: number, fields = {}): SystemDocument =>
    rigid('ball', [0, 0, height], {
      density: 1000,
      shapes: [{ type: 'Sphere', radius: 0.1 }],
      ...fields,
    });
  const bounce = (e: number): InteractionDocument => touch('ground', ['ball', 'floor'], 0, e);

  it('bounce at the times of the closed form, to 1e-10, until they rest', () => {
    const [height, e] = [0.5, 0.7];
    const result = run(
      fromEventToEvent([ball(0.1 + height, { spin: [3, 2, 1] }), floor()], [bounce(e)], { tEnd: 4 }),
    );
    expectSound(result);
    const first = Math.sqrt((2 * height) / G);
    const impacts = result.session.eventRecords.filter(({ kind }) => kind === 'impact');
    let [time, speed] = [first, G * first];
    for (const { time: found } of impacts.slice(0, 12)) {
      expect(Math.abs(found - time)).toBeLessThan(1e-10);
      speed *= e;
      time += (2 * speed) / G;
    }
    const [zeno] = result.session.eventRecords.filter(({ kind }) => kind === 'zeno');
    expect(zeno.accumulation?.time).toBeCloseTo((first * (1 + e)) / (1 - e), 6);
    expect(last(result, 'ball.q[2]')).toBeCloseTo(0.1, 12);
    expect(last(result, 'ground.normalForce')).toBeCloseTo(1000 * (4 / 3) * Math.PI * 1e-3 * G, 8);
    // What rests without friction goes on turning.
    expect([3, 4, 5].map((k) => last(result, `ball.v[${k}]`))).toEqual([3, 2, 1]);
  });

  it('exchange velocities between equal balls that meet head on', () => {
    const one = rigid('one', [0, 0, 0], {
      shapes: [{ type: 'Sphere', radius: 0.1 }],
      velocity: [2, 0, 0],
      gravity: [0, 0, 0],
    });
    const other = rigid('other', [0.7, 0, 0], {
      shapes: [{ type: 'Sphere', radius: 0.1 }],
      gravity: [0, 0, 0],
    });
    const result = run(fromEventToEvent([one, other], [touch('meet', ['one', 'other'], 0, 1)]));
    expectSound(result);
    const [{ time }] = result.session.eventRecords;
    expect(Math.abs(time - 0.25)).toBeLessThan(1e-12);
    expect(off(result, 'one.v', [0, 0, 0])).toBeLessThan(1e-12);
    expect(off(result, 'other.v', [2, 0, 0])).toBeLessThan(1e-12);
    expect(last(result, 'energy.numerical')).toBeCloseTo(0, 10);
  });

  it('of a box that lands on an edge lose no energy where e = 1', () => {
    const box = rigid('box', [0, 0, 1], { orientation: turned(0, 0.5), spin: [1, 0.3, -0.4] });
    const result = run(
      fromEventToEvent([box, floor()], [touch('ground', ['box', 'floor'], 0, 1)], { tEnd: 2 }),
    );
    expect(result.session.eventRecords.length).toBeGreaterThan(3);
    expectSound(result);
    expect(last(result, 'energy.contactNormal')).toBeCloseTo(0, 8);
  });

  it('of shapes without a gap in closed form are refused by name', () => {
    const boxes = fromEventToEvent(
      [rigid('one', [0, 0, 0]), rigid('other', [1, 0, 0])],
      [touch('meet', ['one', 'other'], 0)],
    );
    expect(refusal(boxes)).toMatchObject({ code: 'event-driven-contact', where: 'meet' });
    expect(refusal(boxes).message).toContain('the box of “one” and the box of “other”');
  });
});

describe('too many bodies', () => {
  it('are refused before anything is built', () => {
    const balls = Array.from({ length: 60 }, (_, k) =>
      rigid(`ball${k}`, [k, 0, 1], { shapes: [{ type: 'Sphere', radius: 0.1 }] }),
    );
    const document = fromEventToEvent(balls, [
      touch(
        'meet',
        balls.map(({ id }) => id),
        0,
      ),
    ]);
    expect(refusal(document)).toMatchObject({ code: 'event-driven-size', where: 'meet' });
  });
});

describe('joints', () => {
  const rod = { mass: 1.5, inertia: [0.01, 0.12, 0.12], shapes: undefined };
  const hinge = (fields: Record<string, FieldValue>): InteractionDocument =>
    joint('pin', ['rod'], { type: 'RevoluteJoint', point: [0, 0, 0], axis: [0, 1, 0], ...fields });

  it('with a stop bounce with Newton’s law and rest on it', () => {
    const document = fromEventToEvent([rigid('rod', [0.4, 0, 0], rod)], [hinge({ angleMax: 0.5, e: 0.5 })], {
      tEnd: 5,
    });
    const result = run(document);
    expectSound(result);
    expect(last(result, 'pin.angle')).toBeCloseTo(0.5, 10);
    // ω² = 2 m g l sin(½)/(I + m l²) at the first impact
    const impact = result.session.eventRecords.find(({ before }) => Math.abs(before) > 1);
    const [before, after] = [impact?.before ?? 0, impact?.after ?? 0];
    expect(Math.abs(before)).toBeCloseTo(
      Math.sqrt((2 * 1.5 * G * 0.4 * Math.sin(0.5)) / (0.12 + 1.5 * 0.16)),
      10,
    );
    expect(after).toBeCloseTo(-0.5 * before, 10);
    expect(last(result, 'energy.numerical')).toBeCloseTo(0, 9);
  });

  it('with dry friction stop and stick', () => {
    const bound = 1.5;
    const free = { ...rod, gravity: [0, 0, 0], spin: [0, 4, 0], velocity: [0, 0, -1.6] };
    const result = run(
      fromEventToEvent([rigid('rod', [0.4, 0, 0], free)], [hinge({ angleFriction: bound })], { tEnd: 2 }),
    );
    expectSound(result);
    const inertia = 0.12 + 1.5 * 0.16;
    expect(last(result, 'pin.angle')).toBeCloseTo((inertia * 16) / (2 * bound), 10);
    expect(last(result, 'energy.jointFriction')).toBeCloseTo(-0.5 * inertia * 16, 9);
    const [stop] = result.session.eventRecords;
    expect(Math.abs(stop.time - (4 * inertia) / bound)).toBeLessThan(1e-10);
  });

  it('with a motor that has no limit turn at its speed, and count whole turns', () => {
    const still = { ...rod, gravity: [0, 0, 0], spin: [0, 9, 0], velocity: [0, 0, -3.6] };
    const result = run(
      fromEventToEvent([rigid('rod', [0.4, 0, 0], still)], [hinge({ angleSpeed: 9 })], { tEnd: 3 }),
    );
    expect(last(result, 'pin.angle')).toBeCloseTo(27, 9);
    expect(result.session.certificate.dynamics).toBeLessThan(1e-9);
  });

  it('cannot be partitioned', () => {
    const document = fromEventToEvent([rigid('rod', [0.4, 0, 0], rod)], [hinge({})]);
    document.simulation.eventDriven = {
      ...document.simulation.eventDriven,
      constraints: { type: 'FullPartitioning' },
    };
    expect(refusal(document)).toMatchObject({ code: 'partitioning-in-space', where: 'rod' });
  });
});

describe('a tippe top', () => {
  it('is sound where it lifts off as its stem hits: an impulse of rounding is none', () => {
    const result = run(example('tippe-top'), { scheme: 'event-driven', tEnd: 1.45 });
    const { complementarity, coneViolation, dynamics } = result.session.certificate;
    expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-9);
    const [hit] = result.session.eventRecords.filter(({ kind }) => kind === 'impact');
    expect(hit?.time).toBeCloseTo(1.42762, 4);
    expect(last(result, 'table.contacts')).toBe(1);
  });
});

describe('whatever the scheme does not know of bodies', () => {
  it('is refused by name: an inertia that is a function of time', () => {
    const document = example('diver');
    document.simulation.scheme = 'event-driven';
    expect(() => run(document)).toThrow(/no sandbox|inertia/);
  });

  it('agrees with steps, whose error shrinks with the square of their length', () => {
    const errors = [1e-3, 5e-4].map((h) => {
      const document = example('heavy-top');
      const steps = run(document, { h, tEnd: 0.4 });
      const events = run(document, { scheme: 'event-driven', h: 1e-3, tEnd: 0.4 });
      return Math.abs(last(steps, 'top.q[2]') - last(events, 'top.q[2]'));
    });
    expect(errors[0] / errors[1]).toBeGreaterThan(3);
  });
});
