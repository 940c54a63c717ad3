/**
 * Mechanisms that signals and machines drive, from event to event and in steps: against their equations
 * integrated directly, and against the same mechanism without a sensor, which is a Lagrangian system.
 */
import { describe, expect, it } from 'vitest';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { run } from '../support/run';
import { seeded } from '../support/random';
import { sample } from '../../support/prove';
import { drawn, type Part } from './drawn';

const NONE = undefined as unknown as string;
const SCHEMES = ['event-driven', 'time-stepping'] as const;
type Scheme = (typeof SCHEMES)[number];

function ends(
  parts: readonly Part[],
  names: readonly string[],
  scheme: Scheme,
  h: number,
  tEnd: number,
): number[] {
  const { column, session } = run(drawn(parts, { h, tEnd }), { scheme, sandbox: createSandbox });
  const { dynamics, complementarity } = session.certificate;
  expect(Math.max(dynamics, complementarity)).toBeLessThan(1e-6);
  return names.map((name) => column(name).at(-1) ?? Number.NaN);
}

/** Runge and Kutta's method of order 4. */
function rungeKutta(
  f: (t: number, x: readonly number[]) => number[],
  t: number,
  x: readonly number[],
  h: number,
): number[] {
  const add = (k: readonly number[], by: number): number[] => x.map((value, i) => value + by * k[i]);
  const k1 = f(t, x);
  const k2 = f(t + h / 2, add(k1, h / 2));
  const k3 = f(t + h / 2, add(k2, h / 2));
  const k4 = f(t + h, add(k3, h));
  return x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
}

describe.each(SCHEMES)('%s', (scheme) => {
  const h = scheme === 'event-driven' ? 0.01 : 1e-4;

  it('a DC motor with a PI controller of its speed, behind a gear with a load', () => {
    const [R, L, k, J, J2, r, c] = [0.8, 5e-3, 0.12, 2e-3, 0.05, 4, 1e-3];
    const [Kp, Ki, set, load] = [0.4, 6, 30, 0.3];
    const parts: Part[] = [
      ['M', 'DcMachine', ['a', '0', 'shaft'], { constant: k, resistance: R, inductance: L }],
      ['J', 'Inertia', ['shaft', NONE], { inertia: J }],
      ['G', 'GearPair', ['shaft', 'slow'], { ratio: r }],
      ['K', 'Inertia', ['slow', NONE], { inertia: J2 }],
      ['H', 'Housing', ['wall']],
      ['D', 'RotaryDamper', ['wall', 'shaft'], { damping: c }],
      ['F', 'Torque', ['slow'], { value: -load }],
      ['N', 'RotarySpeedSensor', ['shaft', NONE, 'speed']],
      ['W', 'Signal', ['set'], { value: set }],
      ['S', 'Sum', ['set', 'speed', NONE, 'e']],
      ['C', 'ContinuousPID', ['e', 'u'], { Kp, Ki }],
      ['V', 'VoltageSource', ['a', '0', 'u']],
    ];
    const inertia = J + J2 / r ** 2;
    let x = [0, 0, 0, 0];
    const f = (_t: number, [i, omega, phi, I]: readonly number[]): number[] => {
      void phi;
      const e = set - omega;
      return [(Kp * e + I - R * i - k * omega) / L, (k * i - c * omega - load / r) / inertia, omega, Ki * e];
    };
    for (let n = 0; n < 10_000; n++) x = rungeKutta(f, n * 1e-4, x, 1e-4);
    const found = ends(parts, ['M.i', 'M.omega', 'J.phi', 'K.omega', 'slow.phi'], scheme, h, 1);
    const expected = [x[0], x[1], x[2], x[1] / r, x[2] / r];
    found.forEach((value, n) =>
      expect(Math.abs(value - expected[n]) / (1 + Math.abs(expected[n]))).toBeLessThan(
        scheme === 'event-driven' ? 1e-7 : 2e-3,
      ),
    );
  });

  it('a mass with a PID controller and Coulomb friction, which stops short and creeps on', () => {
    const [m, F, Kp, Ki, Kd, Tf, set] = [2, 3, 60, 40, 25, 1e-2, 1];
    const parts: Part[] = [
      ['B', 'Mass', ['x', NONE], { mass: m }],
      ['G', 'Wall', ['g']],
      ['R', 'Friction', ['g', 'x'], { limit: F }],
      ['P', 'PositionSensor', ['x', NONE, 'measured']],
      ['W', 'Signal', ['set'], { value: set }],
      ['S', 'Sum', ['set', 'measured', NONE, 'e']],
      ['C', 'ContinuousPID', ['e', 'u'], { Kp, Ki, Kd, Tf }],
      ['A', 'Force', ['x', 'u']],
    ];
    // Position, speed, integral, filter of the derivative.
    let x = [0, 0, 0, 0];
    const force = ([position, , I, filtered]: readonly number[]): number => {
      const e = set - position;
      return Kp * e + I + (Kd / Tf) * (e - filtered);
    };
    const rates =
      (direction: number) =>
      (_t: number, state: readonly number[]): number[] => {
        const e = set - state[0];
        const acceleration = direction === 0 ? 0 : (force(state) - direction * F) / m;
        return [direction === 0 ? 0 : state[1], acceleration, Ki * e, (e - state[3]) / Tf];
      };
    let direction = 0;
    const step = 2e-5;
    for (let t = 0; t < 3 - step / 2; t += step) {
      if (direction === 0 && Math.abs(force(x)) > F) direction = Math.sign(force(x));
      const next = rungeKutta(rates(direction), t, x, step);
      if (direction !== 0 && next[1] * direction < 0) {
        next[1] = 0;
        direction = 0;
      }
      x = next;
    }
    const [position, u] = ends(parts, ['B.x', 'u.value'], scheme, h, 3);
    expect(Math.abs(position - x[0])).toBeLessThan(scheme === 'event-driven' ? 1e-5 : 1e-3);
    expect(Math.abs(u - force(x))).toBeLessThan(scheme === 'event-driven' ? 1e-2 : 0.3);
  });

  it('a clutch that a comparison closes', () => {
    const parts: Part[] = [
      ['A', 'Inertia', ['a', NONE], { inertia: 1, omega0: 10 }],
      ['B', 'Inertia', ['b', NONE], { inertia: 3 }],
      ['C', 'Clutch', ['a', 'b', 'closed'], { limit: 6 }],
      ['T', 'RampSignal', ['t'], { rate: 1 }],
      ['K', 'Signal', ['half'], { value: 0.5 }],
      ['Q', 'Comparison', ['t', 'half', 'closed']],
    ];
    // From 0.5 s on 6 N m; they lock where 10 − 6 t = 2 t.
    const middle = ends(parts, ['A.omega', 'B.omega'], scheme, h, 1);
    expect(middle[0]).toBeCloseTo(7, scheme === 'event-driven' ? 7 : 2);
    expect(middle[1]).toBeCloseTo(1, scheme === 'event-driven' ? 7 : 2);
    const end = ends(parts, ['A.omega', 'B.omega'], scheme, h, 2);
    expect(end[0]).toBeCloseTo(2.5, scheme === 'event-driven' ? 7 : 2);
    expect(end[1]).toBeCloseTo(2.5, scheme === 'event-driven' ? 7 : 2);
  });
});

it('a mechanism moves as the same one without sensors', { timeout: 300_000 }, () => {
  const random = seeded(8);
  const count = sample(12, 400);
  for (let n = 0; n < count; n++) {
    const masses = random.integer(1, 3);
    const flange = (k: number): string => (k < 0 ? 'wall' : `x${k}`);
    const parts: Part[] = [['G', 'Wall', ['wall'], { position: random.uniform(-1, 0) }]];
    if (random.chance(0.3)) parts[0] = ['G', 'Motion', ['wall'], { value: '0.2*sin(3*t)' }];
    for (let k = 0; k < masses; k++) {
      parts.push([
        `M${k}`,
        'Mass',
        [flange(k), NONE],
        { mass: random.uniform(0.5, 2), x0: random.uniform(-1, 1), v0: random.uniform(-1, 1) },
      ]);
      const other = flange(random.integer(-1, k - 1));
      const pair = [other, flange(k)];
      parts.push([
        `K${k}`,
        'Spring',
        pair,
        { stiffness: random.uniform(1, 20), length: random.uniform(0, 1), preload: random.uniform(-1, 1) },
      ]);
      if (random.chance(0.5)) parts.push([`D${k}`, 'Damper', pair, { damping: random.uniform(0.1, 1) }]);
      if (random.chance(0.5)) parts.push([`R${k}`, 'Friction', pair, { limit: random.uniform(0.1, 2) }]);
      if (random.chance(0.3))
        parts.push([
          `P${k}`,
          'PiecewiseSpring',
          pair,
          { inner: random.uniform(0, 2), outer: random.uniform(3, 20), width: random.uniform(0.1, 0.5) },
        ]);
      if (random.chance(0.3)) parts.push([`F${k}`, 'Force', [flange(k)], { value: '2*cos(t)' }]);
    }
    const sensed: Part[] = [
      ...parts,
      ['S', 'PositionSensor', ['x0', NONE, 'p']],
      ['T', 'Gain', ['p', 'q'], { gain: 1 }],
    ];
    const names = Array.from({ length: masses }, (_, k) => [`M${k}.x`, `M${k}.v`]).flat();
    const of = (drawing: readonly Part[], isPlain: boolean): number[] => {
      const document = drawn(drawing, { h: 0.01, tEnd: 2 });
      if (isPlain) document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5 }];
      const { column } = run(document, { scheme: 'event-driven', sandbox: createSandbox });
      return names.map((name) => column(name).at(-1) ?? Number.NaN);
    };
    const expected = of(parts, true);
    of(sensed, false).forEach((value, k) =>
      expect(Math.abs(value - expected[k]), `${n} ${names[k]} ${JSON.stringify(parts)}`).toBeLessThan(1e-6),
    );
  }
});

/** A mass that a signal drives, above a stop; or the same driven by the expression of that signal. */
const ball = (e: number, isDriven: boolean, release = 2.5): Part[] => {
  const value = `-20 + 30*(t > ${release} ? 1 : 0)`;
  return [
    ['B', 'Mass', ['x', NONE], { mass: 2, x0: 1 }],
    ['G', 'Wall', ['g']],
    ['S', 'Stop', ['g', 'x'], { restitution: e }],
    ['F', 'Force', isDriven ? ['x', 'f'] : ['x'], isDriven ? {} : { value }],
    ...(isDriven ? [['W', 'Signal', ['f'], { value }] as Part] : []),
  ];
};

describe.each(SCHEMES)('a mass that falls onto a stop: %s', (scheme) => {
  it.each([0, 0.5, 0.8])('restitution %d: it bounces, comes to rest, and is lifted', (e) => {
    // Bounces of falls of 10 m/s², the last of infinitely many at (1 + e)/(1 − e) times the first.
    const first = Math.sqrt(0.2);
    const rest = (first * (1 + e)) / (1 - e);
    const release = rest + 0.25;
    const document = drawn(ball(e, true, release), { h: 1e-3, tEnd: release + 0.5 });
    const { column, session } = run(document, { scheme, sandbox: createSandbox });
    const { dynamics, complementarity } = session.certificate;
    expect(Math.max(dynamics, complementarity)).toBeLessThan(1e-8);
    const [t, x] = [column('t'), column('B.x')];
    let [height, from] = [1, -first];
    const expected = (time: number): number => {
      if (time >= release) return 2.5 * (time - release) ** 2;
      if (time >= rest - 1e-9) return 0;
      [height, from] = [1, -first];
      while (time > from + 2 * Math.sqrt(height / 5)) {
        from += 2 * Math.sqrt(height / 5);
        height *= e ** 2;
      }
      const phase = time - from - Math.sqrt(height / 5);
      return height - 5 * phase ** 2;
    };
    t.forEach((time, i) =>
      expect(Math.abs(x[i] - expected(time)), `t = ${time}`).toBeLessThan(
        scheme === 'event-driven' ? 1e-9 : 0.05,
      ),
    );
  });
});

it('mechanisms with stops move as the same ones without sensors', { timeout: 300_000 }, () => {
  const random = seeded(88);
  const count = sample(12, 400);
  for (let n = 0; n < count; n++) {
    const masses = random.integer(1, 3);
    const flange = (k: number): string => (k < 0 ? 'wall' : `x${k}`);
    const isMoving = random.chance(0.3);
    const parts: Part[] = [
      isMoving ? ['G', 'Motion', ['wall'], { value: '0.2*sin(3*t)' }] : ['G', 'Wall', ['wall']],
    ];
    const places = Array.from({ length: masses }, (_, k) => 0.5 * (k + 1) + random.uniform(-0.1, 0.1));
    places.forEach((x0, k) => {
      const pair = [flange(k - 1), flange(k)];
      const length = random.uniform(0, 0.6);
      parts.push(
        [`M${k}`, 'Mass', [flange(k), NONE], { mass: random.uniform(0.5, 2), x0, v0: random.uniform(-2, 2) }],
        [`K${k}`, 'Spring', pair, { stiffness: random.uniform(1, 20), length }],
      );
      if (random.chance(0.5)) parts.push([`D${k}`, 'Damper', pair, { damping: random.uniform(0.1, 1) }]);
      if (random.chance(0.3)) parts.push([`F${k}`, 'Force', [flange(k)], { value: '2*cos(t)' }]);
    });
    // One stop with a restitution, or any without one.
    const hit = random.chance(0.5) ? random.integer(0, masses - 1) : -1;
    for (let k = 0; k < masses; k++) {
      if (hit >= 0 && k !== hit) continue;
      const restitution = hit < 0 ? 0 : random.uniform(0.1, 0.7);
      const gap = -random.uniform(0.05, 0.3);
      parts.push([`Z${k}`, 'Stop', [flange(k - 1), flange(k)], { gap, restitution }]);
    }
    const sensed: Part[] = [
      ...parts,
      ['S', 'PositionSensor', ['x0', NONE, 'p']],
      ['T', 'Gain', ['p', 'q'], { gain: 1 }],
    ];
    const names = places.flatMap((_, k) => [`M${k}.x`, `M${k}.v`]);
    const what = `${n} ${JSON.stringify(parts)}`;
    const of = (drawing: readonly Part[], isPlain: boolean): number[] => {
      const document = drawn(drawing, { h: 0.01, tEnd: 2 });
      if (isPlain) document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5 }];
      const { column, session } = run(document, { scheme: 'event-driven', sandbox: createSandbox });
      const { dynamics, complementarity } = session.certificate;
      expect(Math.max(dynamics, complementarity), what).toBeLessThan(1e-6);
      return names.map((name) => column(name).at(-1) ?? Number.NaN);
    };
    const expected = of(parts, true);
    // Where a contact opens by 1e-10 before another one closes, one of the two counts it as closed.
    of(sensed, false).forEach((value, k) =>
      expect(Math.abs(value - expected[k]), `${names[k]} ${what}`).toBeLessThan(1e-4),
    );
  }
});

it.each<readonly [string, readonly Part[], string, number]>([
  [
    'a stop with a restitution beside another one',
    [
      ['C', 'Mass', ['y', NONE], { mass: 1, x0: 2 }],
      ['Z', 'Stop', ['g', 'x'], { restitution: 0.5 }],
      ['Y', 'Stop', ['x', 'y']],
    ],
    'impacts-driven',
    6,
  ],
  ['a gap below zero', [['Z', 'Stop', ['g', 'x'], { gap: -2 }]], 'starts-within', 5],
])('%s is refused where it stands', (_, more, code, place) => {
  const parts: Part[] = [
    ['B', 'Mass', ['x', NONE], { mass: 1, x0: 1 }],
    ['G', 'Wall', ['g']],
    ['P', 'PositionSensor', ['x', NONE, 'p']],
    ['T', 'Gain', ['p', 'q'], { gain: 1 }],
    ['U', 'Gain', ['q', 'r'], { gain: 1 }],
    ...more,
  ];
  expect(reportDocument(drawn(parts)).issues.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code, pointer: `/components/${place}` },
  ]);
});

it('a gear with backlash is refused where it stands', () => {
  const parts: Part[] = [
    ['B', 'Inertia', ['x', NONE], { inertia: 1 }],
    ['C', 'Inertia', ['y', NONE], { inertia: 1 }],
    ['Z', 'BacklashGear', ['x', 'y'], { ratio: 2, backlash: 0.1 }],
    ['P', 'AngleSensor', ['x', NONE, 'p']],
    ['T', 'Gain', ['p', 'q'], { gain: 1 }],
  ];
  expect(reportDocument(drawn(parts)).issues).toContainEqual(
    expect.objectContaining({ code: 'impact-driven', pointer: '/components/2', severity: 'error' }),
  );
});

it.each<readonly [string, Part]>([
  ['play', ['Z', 'Play', ['wall', 'x'], { gap: 0.3, restitution: 0.6 }]],
  ['rope', ['Z', 'Rope', ['wall', 'x'], { length: 0.4, restitution: 0.4 }]],
])('a %s hits as in the same mechanism without a sensor', (_, part) => {
  const parts: Part[] = [
    ['G', 'Wall', ['wall']],
    ['M', 'Mass', ['x', NONE], { mass: 1.2, x0: 0.1, v0: 1 }],
    ['K', 'Spring', ['wall', 'x'], { stiffness: 3 }],
    ['F', 'Force', ['x'], { value: '4*cos(2*t)' }],
    part,
  ];
  const sensed: Part[] = [
    ...parts,
    ['S', 'PositionSensor', ['x', NONE, 'p']],
    ['T', 'Gain', ['p', 'q'], { gain: 1 }],
  ];
  const [plain, driven] = [parts, sensed].map((own, k) => {
    const document = drawn(own, { h: 0.01, tEnd: 3 });
    if (k === 0) document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5 }];
    const { column } = run(document, { scheme: 'event-driven', sandbox: createSandbox });
    return ['M.x', 'M.v'].map((name) => column(name).at(-1) ?? Number.NaN);
  });
  driven.forEach((value, k) => expect(Math.abs(value - plain[k])).toBeLessThan(1e-7));
});
