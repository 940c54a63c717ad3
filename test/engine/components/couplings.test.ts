/**
 * Couplings, ropes and stops that come and go: against motions that are known, and random trains of masses
 * against their equations integrated directly, from event to event and in steps.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';
import { type Run, run } from '../support/run';
import { drawn, type Part } from './drawn';

const NONE = undefined as unknown as string;
const SCHEMES = ['event-driven', 'time-stepping'] as const;
type Scheme = (typeof SCHEMES)[number];

const FINEST = 1e-4;

function modelOf(parts: readonly Part[], scheme: Scheme, tEnd: number, h = FINEST): ModelDocument {
  const isStepped = scheme === 'time-stepping';
  const document = drawn(parts, { h: isStepped ? h : 0.01, tEnd });
  const isDriven = document.wires.some(({ ends }) => ends.some((end) => end.endsWith('.gate')));
  document.simulation.scheme = scheme;
  if (isStepped && !isDriven) document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5 }];
  return document;
}

function go(parts: readonly Part[], scheme: Scheme, tEnd: number, h = FINEST): Run {
  const result = run(modelOf(parts, scheme, tEnd, h), { scheme, sandbox: createSandbox });
  const { dynamics, complementarity } = result.session.certificate;
  expect(Math.max(dynamics, complementarity), JSON.stringify(parts)).toBeLessThan(1e-8);
  return result;
}

const lastOf = ({ column }: Run, name: string): number => column(name).at(-1) ?? Number.NaN;

/** A gate as a field, or as the signal of a comparison with a ramp of the time. */
const gated = (
  until: number,
  isWired: boolean,
  pins: string[],
): { pins: string[]; gate: object; more: Part[] } =>
  isWired
    ? {
        pins: [...pins, 'on'],
        gate: {},
        more: [
          ['time', 'RampSignal', ['now'], { rate: 1 }],
          ['until', 'Signal', ['limit'], { value: until }],
          ['is', 'Comparison', ['limit', 'now', 'on']],
        ],
      }
    : { pins, gate: { gate: `${until} - t` }, more: [] };

describe.each(SCHEMES)('%s', (scheme) => {
  const isExact = scheme === 'event-driven';
  const digits = isExact ? 9 : 2;

  it('a cart that catches a mass on a spring, and lets it go', () => {
    // 2 kg with 3 m/s reach 0.02 m before 1 kg, which is at rest at 1 m on a spring of 50 N/m.
    const parts: Part[] = [
      ['cart', 'Mass', ['a', NONE], { mass: 2, v0: 3 }],
      ['mass', 'Mass', ['b', NONE], { mass: 1, x0: 1 }],
      ['K', 'Spring', ['g', 'b'], { stiffness: 50 }],
      ['W', 'Wall', ['g'], { position: 1 }],
      ['C', 'RigidCoupling', ['a', 'b'], { gate: 'min(0.02 - C.s, 1.2 - t)', hysteresis: 1e-6 }],
    ];
    const caught = (1 - 0.02) / 3;
    const [fast, slow] = [Math.sqrt(50), Math.sqrt(50 / 3)];
    const [x, v] = [(2 / slow) * Math.sin(slow * (1.2 - caught)), 2 * Math.cos(slow * (1.2 - caught))];
    const result = go(parts, scheme, 1.5, 1e-5);
    const later = 1.5 - 1.2;
    expect(lastOf(result, 'cart.x')).toBeCloseTo(0.98 + x + v * later, isExact ? 5 : 2);
    expect(lastOf(result, 'mass.x')).toBeCloseTo(
      1 + x * Math.cos(fast * later) + (v / fast) * Math.sin(fast * later),
      isExact ? 5 : 2,
    );
    const [t, slip, s] = ['t', 'C.slip', 'C.s'].map((name) => result.column(name));
    t.forEach((time, k) => {
      if (time < caught + 0.01 || time > 1.19) return;
      expect(Math.abs(slip[k])).toBeLessThan(1e-12);
      expect(Math.abs(s[k] - 0.02)).toBeLessThan(isExact ? 2e-6 : 1e-4);
    });
  });

  it.each([false, true])('a coupling that is there from the start, its gate a signal: %s', (isWired) => {
    // Together until 0.5 s; a force of 6 N on the first alone afterwards.
    const { pins, gate, more } = gated(0.5, isWired, ['a', 'b']);
    const result = go(
      [
        ['A', 'Mass', ['a', NONE], { mass: 2, x0: -1 }],
        ['B', 'Mass', ['b', NONE], { mass: 4, x0: 1 }],
        ['F', 'Force', ['a'], { value: 6 }],
        ['C', 'RigidCoupling', pins, gate],
        ...more,
      ],
      scheme,
      1,
    );
    expect(lastOf(result, 'B.v')).toBeCloseTo(0.5, isExact ? 9 : 3);
    expect(lastOf(result, 'B.x')).toBeCloseTo(1 + 0.125 + 0.25, isExact ? 9 : 3);
    expect(lastOf(result, 'A.v')).toBeCloseTo(0.5 + 1.5, isExact ? 9 : 3);
    expect(lastOf(result, 'A.x')).toBeCloseTo(-1 + 0.125 + 0.25 + 0.375, isExact ? 9 : 3);
  });

  it('a dog clutch that engages a shaft in motion, and a gear behind it', () => {
    // 3 kg m² with 10 rad/s and 2² · 1 kg m² behind a gear: 30/7 rad/s.
    const result = go(
      [
        ['J', 'Inertia', ['a', NONE], { inertia: 3, omega0: 10 }],
        ['C', 'DogClutch', ['a', 'b'], { gate: 't > 0.4' }],
        ['G', 'GearPair', ['b', 'c'], { ratio: 0.5 }],
        ['K', 'Inertia', ['c', NONE], { inertia: 1 }],
      ],
      scheme,
      1,
    );
    expect(lastOf(result, 'J.omega')).toBeCloseTo(30 / 7, 9);
    expect(lastOf(result, 'K.omega')).toBeCloseTo(60 / 7, 9);
    expect(lastOf(result, 'K.phi')).toBeCloseTo((60 / 7) * 0.6, isExact ? 9 : 2);
    expect(lastOf(result, 'C.s')).toBeCloseTo(-4, isExact ? 9 : 2);
  });

  it.each([false, true])('a rope that is cut under load, its gate a signal: %s', (isWired) => {
    const { pins, gate, more } = gated(1, isWired, ['g', 'x']);
    const result = go(
      [
        ['B', 'Mass', ['x', NONE], { mass: 2, x0: 0.5, gravity: 10 }],
        ['R', 'Rope', pins, { length: 1, ...gate }],
        ['G', 'Wall', ['g']],
        ...more,
      ],
      scheme,
      1.2,
    );
    const [t, s] = [result.column('t'), result.column('R.s')];
    t.forEach((time, k) => {
      if (time > Math.sqrt(0.1) + 1e-3 && time < 0.999)
        expect(Math.abs(s[k])).toBeLessThan(isExact ? 1e-12 : 1e-3);
    });
    expect(lastOf(result, 'B.x')).toBeCloseTo(1 + 5 * 0.04, isExact ? 9 : 2);
  });

  it.each(['RotaryStop', 'RotaryPlay'])('a %s that is taken away', (type) => {
    const gap = type === 'RotaryPlay' ? 1 : -1;
    const result = go(
      [
        ['J', 'Inertia', ['x', NONE], { inertia: 1, phi0: type === 'RotaryPlay' ? 0 : 2 }],
        ['T', 'Torque', ['x'], { value: type === 'RotaryPlay' ? 2 : -2 }],
        ['Z', type, ['g', 'x'], { gap, gate: 't < 2' }],
        ['H', 'Housing', ['g']],
      ],
      scheme,
      3,
    );
    // From rest to the stop in 1 s, then from 2 s on.
    expect(lastOf(result, 'J.phi')).toBeCloseTo(type === 'RotaryPlay' ? 2 : 0, digits);
  });

  it('a stop with a restitution that comes for a while, also where its flanges are beyond it already', () => {
    // A ball falls from 1 m through the floor until there is one, at −0.25 m; it comes up by half its speed.
    const parts = (gate: string): Part[] => [
      ['B', 'Mass', ['x', NONE], { mass: 2, x0: 1, gravity: -10 }],
      ['S', 'Stop', ['g', 'x'], { restitution: 0.5, gate }],
      ['G', 'Wall', ['g']],
    ];
    const [first, second] = [go(parts('t > 0.5'), scheme, 0.6), go(parts('t < 0.5'), scheme, 0.75)];
    expect(lastOf(first, 'B.v')).toBeCloseTo(2.5 - 1, digits);
    expect(lastOf(first, 'B.x')).toBeCloseTo(-0.25 + 0.25 - 0.05, digits);
    // Up from the floor at √5 m/s from √0.2 s on, and through it when it has come back.
    const flight = 0.75 - Math.sqrt(0.2);
    expect(lastOf(second, 'B.x')).toBeCloseTo(Math.sqrt(5) * flight - 5 * flight ** 2, digits);
    // On its way up a floor that comes does not turn it round.
    const up = go(
      [
        ['B', 'Mass', ['x', NONE], { mass: 2, x0: -1, v0: 6, gravity: -10 }],
        ['S', 'Stop', ['g', 'x'], { restitution: 0.5, gate: 't > 0.1' }],
        ['G', 'Wall', ['g']],
      ],
      scheme,
      0.5,
    );
    expect(lastOf(up, 'B.x')).toBeCloseTo(-1 + 3 - 1.25, digits);
  });
});

/** Ends of a train whose couplings hold between times, by Runge and Kutta’s method between those. */
function trainAt(
  train: {
    readonly masses: readonly number[];
    readonly start: readonly (readonly [x: number, v: number])[];
    readonly springs: readonly { readonly k: number; readonly c: number; readonly length: number }[];
    readonly couplings: readonly (readonly [from: number, until: number])[];
  },
  tEnd: number,
): number[] {
  const { masses, start, springs, couplings } = train;
  const n = masses.length;
  let state = [...start.map(([x]) => x), ...start.map(([, v]) => v)];
  const times = [...new Set([0, ...couplings.flat(), tEnd])]
    .filter((t) => t >= 0 && t <= tEnd)
    .sort((a, b) => a - b);
  const groupsAt = (t: number): number[][] => {
    const groups: number[][] = [[0]];
    for (let k = 1; k < n; k++) {
      const [from, until] = couplings[k - 1];
      if (t >= from && t < until) groups[groups.length - 1].push(k);
      else groups.push([k]);
    }
    return groups;
  };
  const mean = (values: readonly number[], group: readonly number[]): number =>
    group.reduce((sum, k) => sum + masses[k] * values[k], 0) / group.reduce((sum, k) => sum + masses[k], 0);
  const rates = (own: readonly number[], groups: readonly number[][]): number[] => {
    const [x, v] = [own.slice(0, n), own.slice(n)];
    const force = new Array<number>(n).fill(0);
    springs.forEach(({ k, c, length }, i) => {
      const pull = k * (x[i] - (i === 0 ? 0 : x[i - 1]) - length) + c * (v[i] - (i === 0 ? 0 : v[i - 1]));
      force[i] -= pull;
      if (i > 0) force[i - 1] += pull;
    });
    const acceleration = new Array<number>(n).fill(0);
    for (const group of groups) {
      const a = mean(
        force.map((f, k) => f / masses[k]),
        group,
      );
      for (const k of group) acceleration[k] = a;
    }
    return [...v, ...acceleration];
  };
  const add = (a: readonly number[], b: readonly number[], by: number): number[] =>
    a.map((value, k) => value + by * b[k]);
  times.slice(0, -1).forEach((from, i) => {
    const until = times[i + 1];
    const groups = groupsAt(from);
    for (const group of groups) {
      const v = mean(state.slice(n), group);
      for (const k of group) state[n + k] = v;
    }
    const count = Math.ceil((until - from) / 1e-3);
    const h = (until - from) / count;
    for (let step = 0; step < count; step++) {
      const k1 = rates(state, groups);
      const k2 = rates(add(state, k1, h / 2), groups);
      const k3 = rates(add(state, k2, h / 2), groups);
      const k4 = rates(add(state, k3, h), groups);
      state = state.map((value, k) => value + (h / 6) * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]));
    }
  });
  return state;
}

it('random trains whose couplings come and go move as their equations', { timeout: 300_000 }, () => {
  const random = seeded(46);
  const count = sample(10, 300);
  for (let n = 0; n < count; n++) {
    const size = random.integer(2, 4);
    const list = <T>(length: number, of: (k: number) => T): T[] => Array.from({ length }, (_, k) => of(k));
    const train = {
      masses: list(size, () => random.uniform(0.5, 3)),
      start: list(size, (k) => [k + 1 + random.uniform(-0.3, 0.3), random.uniform(-2, 2)] as const),
      springs: list(size, () => ({
        k: random.uniform(1, 30),
        c: random.chance(0.5) ? random.uniform(0.1, 1) : 0,
        length: random.uniform(0.5, 1.2),
      })),
      couplings: list(size - 1, () => {
        const from = random.uniform(-0.2, 1);
        return [from, from + random.uniform(0.1, 1)] as const;
      }),
    };
    const parts: Part[] = [['W', 'Wall', ['xw']]];
    const node = (k: number): string => (k < 0 ? 'xw' : `x${k}`);
    train.masses.forEach((mass, k) => {
      const [x0, v0] = train.start[k];
      const { k: stiffness, c, length } = train.springs[k];
      parts.push(
        [`M${k}`, 'Mass', [node(k), NONE], { mass, x0, v0 }],
        [`K${k}`, 'Spring', [node(k - 1), node(k)], { stiffness, length }],
      );
      if (c > 0) parts.push([`D${k}`, 'Damper', [node(k - 1), node(k)], { damping: c }]);
    });
    train.couplings.forEach(([from, until], k) =>
      parts.push([
        `C${k}`,
        'RigidCoupling',
        [node(k), node(k + 1)],
        { gate: `min(t - (${from}), ${until} - t)` },
      ]),
    );
    const expected = trainAt(train, 2);
    for (const scheme of SCHEMES) {
      const result = go(parts, scheme, 2, 5e-4);
      expected.forEach((value, k) => {
        const found = lastOf(result, k < size ? `M${k}.x` : `M${k - size}.v`);
        expect(Math.abs(found - value), `${scheme} ${k} ${JSON.stringify(parts)}`).toBeLessThan(
          scheme === 'event-driven' ? 1e-8 : 0.05,
        );
      });
    }
  }
});

describe('what cannot come and go is refused where it stands', () => {
  const body: Part[] = [
    ['B', 'Inertia', ['x', NONE], { inertia: 1 }],
    ['D', 'Inertia', ['y', NONE], { inertia: 1 }],
    ['H', 'Housing', ['g']],
  ];
  const errorsOf = (
    parts: readonly Part[],
    scheme: Scheme,
    change?: (document: ModelDocument) => void,
  ): object[] => {
    const document = modelOf(parts, scheme, 1, 0.01);
    change?.(document);
    return reportDocument(document).issues.filter(({ severity }) => severity === 'error');
  };

  it.each<readonly [string, Part[], string, string]>([
    ['a coupling without a gate', [['C', 'DogClutch', ['x', 'y']]], 'missing', '/components/3/gate'],
    [
      'a gate that names what is not there',
      [['C', 'DogClutch', ['x', 'y'], { gate: 'C.phi > 1' }]],
      'expression',
      '/components/3/gate',
    ],
    [
      'a gate of a stop that names what is not there',
      [['C', 'RotaryStop', ['x', 'y'], { gate: 'C.phi > 1' }]],
      'expression',
      '/components/3/gate',
    ],
    [
      'a gate of a stop that names nothing',
      [['C', 'RotaryStop', ['x', 'y'], { gate: 'open - t' }]],
      'presence-condition',
      '/components/3/gate',
    ],
    [
      'a coupling of what is fixed',
      [
        ['C', 'DogClutch', ['g', 'h'], { gate: 't > 1' }],
        ['I', 'Housing', ['h']],
      ],
      'nothing-moves',
      '/components/3',
    ],
  ])('%s', (_, more, code, pointer) => {
    for (const scheme of SCHEMES)
      expect(errorsOf([...body, ...more], scheme), scheme).toMatchObject([{ code, pointer }]);
  });

  it('impacts of a restitution at a mass that a coupling may hold, from event to event', () => {
    const parts: Part[] = [
      ...body,
      ['C', 'DogClutch', ['x', 'y'], { gate: 't > 1' }],
      ['S', 'RotaryStop', ['g', 'x'], { gap: 1, restitution: 0.5 }],
    ];
    expect(errorsOf(parts, 'time-stepping')).toEqual([]);
    expect(errorsOf(parts, 'event-driven')).toMatchObject([
      { code: 'impacts-driven', pointer: '/components/4' },
    ]);
  });

  it('a gear with backlash beside a coupling, from event to event', () => {
    const parts: Part[] = [
      ...body,
      ['C', 'DogClutch', ['g', 'y'], { gate: 't > 1' }],
      ['Z', 'BacklashGear', ['x', 'y'], { ratio: 2, backlash: 0.1 }],
    ];
    expect(errorsOf(parts, 'time-stepping')).toEqual([]);
    expect(errorsOf(parts, 'event-driven')).toMatchObject([
      { code: 'impact-driven', pointer: '/components/4' },
    ]);
  });

  it('half steps', () => {
    const parts: Part[] = [...body, ['C', 'DogClutch', ['x', 'y'], { gate: 't > 1' }]];
    const found = errorsOf(parts, 'time-stepping', (document) => {
      document.simulation.integrators = [{ type: 'MoreauHalfStep' }];
    });
    expect(found).toMatchObject([
      { code: 'presence-unsuitable', pointer: '/components/3/gate', element: 'C' },
    ]);
  });
});
