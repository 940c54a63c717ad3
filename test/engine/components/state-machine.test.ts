/** State machines in both schemes: against recursions by hand, closed forms, and each other. */
import { describe, expect, it } from 'vitest';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { sample } from '../../support/prove';
import { type Random, seeded } from '../support/random';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

const NONE = undefined as unknown as string;
const SCHEMES = ['event-driven', 'time-stepping'] as const;
type Scheme = (typeof SCHEMES)[number];

function columns(parts: readonly Part[], names: readonly string[], scheme: Scheme, h: number, tEnd: number) {
  const { column, session } = run(drawn(parts, { h, tEnd }), { scheme, sandbox: createSandbox });
  const { dynamics, complementarity } = session.certificate;
  expect(Math.max(dynamics, complementarity)).toBeLessThan(1e-7);
  return names.map((name) => column(name));
}

/** Heater of a room that loses heat, switched by a thermostat that rests a while after each pause. */
const thermostat: Part[] = [
  [
    'M',
    'StateMachine',
    ['T', NONE, NONE, NONE, 'heat', NONE, 'state'],
    {
      states: 'off, on, lockout',
      output: [0, 1, 0],
      transitions: 'off > on, on > lockout, lockout > off',
      guards: ['u1 < 19', 'u1 > 21', 'since > 0.5'],
    },
  ],
  ['G', 'Gain', ['heat', 'p'], { gain: 30 }],
  ['S', 'Sum', ['p', 'T', NONE, 'r']],
  ['I', 'Integrator', ['r', 'T'], { start: 20 }],
];

describe.each(SCHEMES)('%s', (scheme) => {
  it('a thermostat with lockout', () => {
    // Ṫ = 30 y − T: exact arcs between the switchings.
    let [t, T, state] = [0, 20, 0];
    const times: number[] = [];
    while (t < 5) {
      const y = state === 1 ? 30 : 0;
      let dt = state === 0 ? (T <= 19 ? 0 : Math.log(T / 19)) : state === 1 ? Math.log((30 - T) / 9) : 0.5;
      const ends = t + dt > 5;
      if (ends) dt = 5 - t;
      T = y + (T - y) * Math.exp(-dt);
      t += dt;
      if (ends) break;
      times.push(t);
      state = (state + 1) % 3;
    }
    const [temperature, q] = columns(
      thermostat,
      ['T.value', 'state.value'],
      scheme,
      scheme === 'event-driven' ? 0.05 : 1e-4,
      5,
    );
    expect(q.at(-1)).toBe(state);
    expect(Math.abs((temperature.at(-1) ?? 0) - T)).toBeLessThan(scheme === 'event-driven' ? 1e-9 : 2e-2);
  });

  it('the first of two transitions that come at one instant, in either order of their guards', () => {
    for (const [guards, end] of [
      [['t > 0.7', 'u1 > 1.4'], 1],
      [['u1 > 1.4', 't > 0.7'], 1],
      [['u1 > 1.4 and t > 0.2', 'u1 > 1.4'], 1],
      [['u1 > 1.5', 'u1 > 1.4'], scheme === 'event-driven' ? 2 : 2],
    ] as const) {
      const parts: Part[] = [
        ['R', 'RampSignal', ['u'], { rate: 2 }],
        [
          'M',
          'StateMachine',
          ['u', NONE, NONE, NONE, 'y', NONE, 'q'],
          {
            ...{ states: 'a, b, c', output: [0, 1, 2], transitions: 'a > b, a > c', guards },
          },
        ],
      ];
      const [q] = columns(parts, ['q.value'], scheme, 0.01, 1);
      expect(q.at(-1), guards.join()).toBe(end);
    }
  });

  it('guards of steps, pulses, and of what is on or off', () => {
    const parts: Part[] = [
      [
        'P',
        'PulseSignal',
        ['p'],
        { low: 0, high: 1, period: 0.4, width: 0.1, delay: 0.15, rise: 0, fall: 0 },
      ],
      ['W', 'RampSignal', ['w'], { rate: 1 }],
      ['C', 'Signal', ['c'], { value: 0.8 }],
      ['K', 'Comparison', ['w', 'c', 'on']],
      [
        'M',
        'StateMachine',
        ['p', 'on', NONE, NONE, 'y', NONE, 'q'],
        {
          states: 'a, b, c, d',
          output: [0, 1, 0, 0.5],
          transitions: 'a > b, b > a, a > c, c > d',
          guards: ['u1 > 0.5', 'u1 < 0.5', 'u2 and not (u1 > 0.5)', 'since > 0.25 and u2'],
        },
      ],
      ['I', 'Integrator', ['y', 'x']],
    ];
    const [x, q] = columns(parts, ['x.value', 'q.value'], scheme, 0.01, 1.25);
    // On in 0.15 to 0.25 and 0.55 to 0.65; at 0.8 to c, at 1.05 to d.
    expect(q.at(-1)).toBe(3);
    expect(Math.abs((x.at(-1) ?? 0) - 0.3)).toBeLessThan(scheme === 'event-driven' ? 1e-9 : 0.06);
  });

  it('what holds at the start acts there', () => {
    const parts: Part[] = [
      ['W', 'Signal', ['w'], { value: 3 }],
      [
        'M',
        'StateMachine',
        ['w', NONE, NONE, NONE, 'y', NONE, 'q'],
        {
          states: 'a, b, c, d',
          output: [1, 2, 3, 4],
          transitions: 'a > b, b > c, c > d',
          guards: ['u1 > 2', 'u1 > 2.5', 'since > 0.5'],
        },
      ],
    ];
    const [y] = columns(parts, ['y.value'], scheme, 0.01, 1);
    expect(y[0]).toBe(3);
    expect(y.at(-1)).toBe(4);
  });

  it('a circle of guards that hold at one instant is refused where it is, at the start and later', () => {
    const machine = (guards: readonly string[]): Part[] => [
      ['W', 'RampSignal', ['w'], { rate: 1 }],
      [
        'M',
        'StateMachine',
        ['w', NONE, NONE, NONE, 'y', NONE, 'q'],
        {
          ...{ states: 'a, b', output: [1, 2], transitions: 'a > b, b > a', guards },
        },
      ],
    ];
    const { issues } = reportDocument(drawn(machine(['u1 < 1', 'u1 < 2']), { h: 0.01, tEnd: 1 }));
    expect(issues.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'endless-transitions', pointer: '/components/1' },
    ]);
    expect(() => columns(machine(['u1 > 0.5', 'u1 > 0.2']), ['q.value'], scheme, 0.01, 1)).toThrow(
      scheme === 'event-driven' ? /“M” had 1001 events/ : /without end, “M” among them/,
    );
  });

  it('chattering between two states', () => {
    const parts: Part[] = [
      [
        'M',
        'StateMachine',
        ['x', NONE, NONE, NONE, 'y', NONE, 'q'],
        {
          states: 'up, down',
          output: [1, -1],
          transitions: 'up > down, down > up',
          guards: ['u1 > 0.5', 'u1 < 0.5'],
        },
      ],
      ['I', 'Integrator', ['y', 'x']],
    ];
    // In steps it slides, within a step of its surface.
    if (scheme === 'event-driven')
      expect(() => columns(parts, ['x.value'], scheme, 0.01, 1)).toThrow(/“M” had 1001 events/);
    else {
      const [x] = columns(parts, ['x.value'], scheme, 0.01, 1);
      expect(Math.abs((x.at(-1) ?? 0) - 0.5)).toBeLessThan(0.0201);
    }
  });
});

/** Pulses that are short beside the rows, and what is on or off by carriers. */
it.each([
  [
    'pulses',
    ['P', 'PulseSignal', ['p'], { low: 0, high: 1, period: 0.01, width: 1e-4, delay: 1.5e-3 }],
    0.01,
  ],
  [
    'ramps',
    [
      'P',
      'PulseSignal',
      ['p'],
      { ...{ low: 0, high: 1, period: 0.01, width: 1e-4, delay: 1.5e-3 }, rise: 1e-5, fall: 1e-5 },
    ],
    0.011,
  ],
  [
    'a sine',
    ['P', 'SineSignal', ['p'], { amplitude: 0.5 / 0.99, frequency: 100 }],
    Math.acos(0.99) / Math.PI,
  ],
] as const)('every one of them is seen from event to event: %s', (_, source, share) => {
  const parts: Part[] = [
    source,
    [
      'M',
      'StateMachine',
      ['p', NONE, NONE, NONE, 'y'],
      {
        ...{ states: 'a, b', output: [0, 1], transitions: 'a > b, b > a', guards: ['u1 > 0.5', 'u1 < 0.5'] },
      },
    ],
    ['I', 'Integrator', ['y', 'x']],
  ];
  const [x] = columns(parts, ['x.value'], 'event-driven', 0.05, 1);
  expect(Math.abs((x.at(-1) ?? 0) - share)).toBeLessThan(1e-10);
});

it('pulses as long as their period but for a hair', () => {
  for (const h of [0.05, 1e-3])
    for (const width of [5e-6, 9.9e-3, 9.9995e-3]) {
      const parts: Part[] = [
        ['P', 'PulseSignal', ['p'], { low: 0, high: 1, period: 0.01, width }],
        [
          'M',
          'StateMachine',
          ['p', NONE, NONE, NONE, 'y'],
          {
            ...{ states: 'a, b', output: [0, 1], transitions: 'a > b, b > a' },
            guards: ['u1 > 0.5', 'u1 < 0.5'],
          },
        ],
        ['I', 'Integrator', ['y', 'x']],
      ];
      const [x] = columns(parts, ['x.value'], 'event-driven', h, 0.5);
      expect(Math.abs((x.at(-1) ?? 0) - 50 * width)).toBeLessThan(1e-10);
    }
});

it.each([
  [
    'a machine',
    [
      'M',
      'StateMachine',
      ['p', 'n', NONE, NONE, 'y'],
      { ...{ states: 'a, b', output: [0, 1], transitions: 'a > b, b > a', guards: ['u1', 'u2'] } },
    ],
  ],
  ['a latch', ['M', 'Latch', ['p', 'n', 'y']]],
] as const)('a modulator before %s is refused there: its pulses could be missed', (_, memory) => {
  const parts: Part[] = [
    ['W', 'Signal', ['w'], { value: 0.02 }],
    ['K', 'PWM', ['w', 'p', 'n'], { period: 0.01, low: 0, high: 1 }],
    memory,
  ];
  const { issues } = reportDocument(drawn(parts, { h: 0.01, tEnd: 1 }));
  expect(issues.filter(({ severity }) => severity === 'error')).toContainEqual(
    expect.objectContaining({ code: 'guard-jumps', pointer: '/components/2', element: 'M' }),
  );
});

const FAULTS: readonly (readonly [what: string, fields: object, code: string, key: string])[] = [
  ['no state', { states: ' , ' }, 'no-states', 'states'],
  ['one state twice', { states: 'a, b, a' }, 'state-twice', 'states'],
  ['a state that is not there', { transitions: 'a > c, b > a' }, 'unknown-state', 'transitions'],
  ['no transition', { transitions: 'a > b > a, b > a' }, 'transition', 'transitions'],
  ['a way to itself', { transitions: 'a > a, b > a' }, 'transition-to-itself', 'transitions'],
  ['a guard too few', { guards: ['u1 > 1'] }, 'signal-count', 'guards'],
  ['an output too few', { output: [1] }, 'wrong-length', 'output'],
  ['a second output too many', { second: [1, 2, 3] }, 'wrong-length', 'second'],
  ['an input without a wire', { guards: ['u4 > 1', 'u1 < 1'] }, 'no-source', 'guards'],
  ['a guard that is none', { guards: ['u1 > ', 'u1 < 1'] }, 'expression', 'guards/0'],
  ['a guard that jumps', { guards: ['u1 > 1', '(t mod 2) < 1'] }, 'expression', 'guards/1'],
  ['what is on or off as a number', { guards: ['u2 > 0.5', 'u1 < 1'] }, 'expression', 'guards/0'],
  ['an unknown name', { guards: ['u1 > level', 'u1 < 1'] }, 'reset-expression', ''],
];

it.each(FAULTS)('%s is said at its field', (_, fields, code, key) => {
  const parts: Part[] = [
    ['W', 'RampSignal', ['w'], { rate: 1 }],
    ['C', 'Signal', ['c'], { value: 0.8 }],
    ['K', 'Comparison', ['w', 'c', 'on']],
    [
      'M',
      'StateMachine',
      ['w', 'on', NONE, NONE, 'y'],
      {
        ...{ states: 'a, b', output: [0, 1], transitions: 'a > b, b > a', guards: ['u1 > 1', 'u1 < 1'] },
        ...fields,
      },
    ],
  ];
  const { issues } = reportDocument(drawn(parts, { h: 0.01, tEnd: 1 }));
  const errors = issues.filter(({ severity }) => severity === 'error');
  expect(errors).toMatchObject([
    { code, pointer: `/components/3${key === '' ? '' : `/${key}`}`, element: 'M' },
  ]);
  expect(errors[0].remedy).not.toBe('');
});

/** A machine whose output drives two lags, and whose guards wait for these and for the time in the state. */
interface Chart {
  readonly rates: readonly (readonly number[])[];
  readonly outputs: readonly number[];
  readonly transitions: readonly {
    readonly from: number;
    readonly to: number;
    readonly since: number;
    readonly of: number;
    readonly above: boolean;
    readonly level: number;
  }[];
}

function randomChart(random: Random): Chart {
  const states = random.integer(2, 4);
  const durations = [random.uniform(0.05, 0.2), random.uniform(0.1, 0.4)];
  return {
    rates: [0, 1].map((i) => [
      ...[0, 1].map((j) => (i === j ? random.uniform(-3, -0.5) : random.uniform(-2, 2))),
      random.uniform(1, 4),
      random.uniform(0, 2),
    ]),
    outputs: Array.from({ length: states }, () => random.uniform(-2, 2)),
    transitions: Array.from({ length: states * 2 }, (_, k) => ({
      from: k % states,
      to: (k + random.integer(1, states - 1)) % states,
      since: durations[random.integer(0, 1)],
      of: random.integer(0, 1),
      above: random.chance(0.5),
      level: random.uniform(-0.5, 0.5),
    })),
  };
}

const OMEGA = 5;
const T_END = 3;

const drawingOf = ({ rates, outputs, transitions }: Chart): Part[] => [
  ['W', 'SineSignal', ['w'], { amplitude: 1, frequency: OMEGA / (2 * Math.PI) }],
  [
    'M',
    'StateMachine',
    ['x0', 'x1', NONE, NONE, 'y', NONE, 'q'],
    {
      states: outputs.map((_, k) => `s${k}`).join(', '),
      output: outputs,
      transitions: transitions.map(({ from, to }) => `s${from} > s${to}`).join(', '),
      guards: transitions.map(
        ({ since, of, above, level }) => `since > ${since} and u${of + 1} ${above ? '>' : '<'} ${level}`,
      ),
    },
  ],
  ...rates.flatMap(([a, b, c, d], i): Part[] => [
    [`A${i}`, 'Gain', ['x0', `a${i}`], { gain: a }],
    [`B${i}`, 'Gain', ['x1', `b${i}`], { gain: b }],
    [`C${i}`, 'Gain', ['y', `c${i}`], { gain: c }],
    [`D${i}`, 'Gain', ['w', `d${i}`], { gain: d }],
    [`S${i}`, 'Sum', [`a${i}`, NONE, `b${i}`, `s${i}`]],
    [`T${i}`, 'Sum', [`s${i}`, NONE, `c${i}`, `t${i}`]],
    [`U${i}`, 'Sum', [`t${i}`, NONE, `d${i}`, `r${i}`]],
    [`I${i}`, 'Integrator', [`r${i}`, `x${i}`], { start: 0.1 }],
  ]),
];

/**
 * Runge and Kutta's steps, halved to where the first guard holds.
 * @param late what each transition is late by, s @returns states at the end, and the ways that were taken
 */
function integrated(
  { rates, outputs, transitions }: Chart,
  late = 0,
): { x: readonly number[]; q: number; ways: string } {
  let [t, entered, q, ways] = [0, 0, 0, ''];
  let x = [0.1, 0.1];
  const f = (time: number, [x0, x1]: readonly number[]): number[] =>
    rates.map(([a, b, c, d]) => a * x0 + b * x1 + c * outputs[q] + d * Math.sin(OMEGA * time));
  const stepped = (h: number): number[] => {
    const add = (k: readonly number[], by: number): number[] => x.map((value, i) => value + by * k[i]);
    const k1 = f(t, x);
    const k2 = f(t + h / 2, add(k1, h / 2));
    const k3 = f(t + h / 2, add(k2, h / 2));
    const k4 = f(t + h, add(k3, h));
    return x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  };
  const taken = (time: number, at: readonly number[]): number =>
    transitions.findIndex(
      ({ from, since, of, above, level }) =>
        from === q && time - entered > since && (above ? at[of] > level : at[of] < level),
    );
  while (t < T_END - 1e-12) {
    // A step ends where the time of a guard has come: another part of it may hold for an instant only.
    const waits = transitions.flatMap(({ from, since }) => {
      const rest = entered + since + 1e-9 - t;
      return from === q && rest > 1e-9 ? [rest] : [];
    });
    let h = Math.min(1e-3, T_END - t, ...waits);
    const isTaken = (length: number): boolean => taken(t + length, stepped(length)) >= 0;
    if (isTaken(h)) {
      let from = 0;
      for (let k = 0; k < 50; k++) {
        const middle = (from + h) / 2;
        if (isTaken(middle)) h = middle;
        else from = middle;
      }
      h += late;
    }
    const next = stepped(h);
    const way = taken(t + h, next);
    [t, x] = [t + h, next];
    if (way < 0) continue;
    [q, entered] = [transitions[way].to, t];
    ways += String(way);
  }
  return { x, q, ways };
}

it('random machines move as their equations, from event to event and in steps', { timeout: 600_000 }, () => {
  const random = seeded(2026);
  const h = 1e-3;
  let all = 0;
  for (let k = 0; k < sample(10, 1000); k++) {
    const chart = randomChart(random);
    const { x, q, ways } = integrated(chart);
    all += ways.length;
    const what = `chart ${k}: ${JSON.stringify(chart)}`;
    const errorOf = (scheme: Scheme, rows: number): number => {
      const { column, session } = run(drawn(drawingOf(chart), { h: rows, tEnd: T_END }), {
        ...{ scheme, sandbox: createSandbox },
      });
      const { dynamics, complementarity } = session.certificate;
      expect(Math.max(dynamics, complementarity), `${scheme}, ${what}`).toBeLessThan(1e-7);
      const found = ['x0.value', 'x1.value', 'q.value'].map((name) => column(name).at(-1) ?? Number.NaN);
      return Math.max(...[...x, q].map((value, i) => Math.abs(found[i] - value)));
    };
    expect(errorOf('event-driven', 0.05), what).toBeLessThan(1e-7);
    // In steps a transition is late by up to one of them: where that leads another way, it may be taken.
    if (integrated(chart, h).ways !== ways) continue;
    expect(errorOf('time-stepping', h / 8), what).toBeLessThan(0.05);
  }
  expect(all).toBeGreaterThan(30);
});
