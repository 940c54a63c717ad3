/**
 * Controllers and observers that are drawn, in both schemes: against the control blocks of the same laws
 * beside the same plant, and against their recursions.
 */
import { describe, expect, it } from 'vitest';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { sample } from '../../support/prove';
import { model } from '../support/models';
import { type Random, seeded } from '../support/random';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

const NONE = undefined as unknown as string;
const SCHEMES = ['event-driven', 'time-stepping'] as const;
const T = 0.05;
const SAMPLES = 30;

const matrixOf = (random: Random, rows: number, columns: number, size = 1): number[][] =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => random.uniform(-size, size)));

/** A plant of two states with one control, and a disturbance that it does not know of. */
interface Plant {
  readonly A: number[][];
  readonly B: number[][];
  readonly x0: number[];
  readonly disturbance: number;
}

const randomPlant = (random: Random): Plant => ({
  A: matrixOf(random, 2, 2).map((row, i) => row.map((value, j) => value - (i === j ? 1 : 0))),
  B: [[random.uniform(-0.3, 0.3)], [random.uniform(0.5, 1.5)]],
  x0: [random.uniform(-1, 1), random.uniform(-1, 1)],
  disturbance: random.uniform(-0.3, 0.3),
});

const identity = [
  [1, 0],
  [0, 1],
];

/** The plant drawn; its control is the wire `u`. */
const plantOf = ({ A, B, x0, disturbance }: Plant): Part[] => [
  ['D', 'Signal', ['d'], { value: disturbance }],
  [
    'P',
    'MultiStateSpace',
    ['u', 'd', NONE, NONE, 'x1', 'x2'],
    { A, B: B.map(([b], i) => [b, i]), C: identity, x0 },
  ],
];

/** The plant as a system with a control block of the document. */
function withBlock({ A, B, x0, disturbance }: Plant, block: object, h: number) {
  const document = model(
    [
      {
        id: 'P',
        type: 'FirstOrderLinear',
        n: 2,
        A,
        b: [0, disturbance],
        controlSize: 1,
        T: B,
        u: { signals: ['C.u'] },
        x0,
      },
      { id: 'C', every: T, ...block },
    ] as never,
    [],
    { h, tEnd: (SAMPLES - 0.5) * T },
  );
  return run(document, { scheme: 'event-driven', sandbox: createSandbox }).column;
}

interface Law {
  readonly type: string;
  readonly drawn: string;
  readonly pins: readonly string[];
  readonly inputs: object;
  readonly fields: (random: Random, plant: Plant) => object;
}

const inputs = { x: ['P.x[0]', 'P.x[1]'] };
const method = (random: Random): object => ({ method: random.chance(0.7) ? 'implicit' : 'explicit' });
const LAWS: readonly Law[] = [
  {
    ...{ type: 'Twisting', drawn: 'TwistingController', pins: ['x1', 'x2', 'u'], inputs },
    fields: (random, { A }) => ({
      ...{ gain: random.uniform(0.3, 3), beta: random.uniform(0.1, 0.9), ...method(random) },
      ...(random.chance(0.5) && { A }),
    }),
  },
  {
    ...{ type: 'SuperTwisting', drawn: 'SuperTwistingController', pins: ['x2', 'u'] },
    inputs: { sigma: ['P.x[1]'] },
    fields: (random) => ({ k1: random.uniform(0.3, 3), k2: random.uniform(0.3, 3), ...method(random) }),
  },
  {
    ...{
      type: 'SlidingModeControl',
      drawn: 'SlidingMode',
      pins: ['x1', 'x2', NONE, NONE, NONE, NONE, 'u'],
      inputs,
    },
    fields: (random, { A, B }) => ({
      ...{ A, B, C: [[random.uniform(0.5, 1.5), random.uniform(1, 2)]], alpha: random.uniform(0.3, 2) },
      ...{ equivalent: random.chance(0.5) ? 'yes' : 'no', theta: random.uniform(0, 1), ...method(random) },
    }),
  },
];

describe.each(LAWS)('$drawn', ({ type, drawn: own, pins, inputs: read, fields }) => {
  it('is the control block of its law, random plants and gains', { timeout: 600_000 }, () => {
    const random = seeded(type.length);
    for (let k = 0; k < sample(6, 500); k++) {
      const plant = randomPlant(random);
      const given = fields(random, plant);
      const what = `${k}: ${JSON.stringify([plant, given])}`;
      const expected = withBlock(plant, { type, ...read, ...given }, T);
      for (const scheme of SCHEMES) {
        const parts: Part[] = [['C', own, pins, { period: T, ...given }], ...plantOf(plant)];
        const document = drawn(parts, {
          h: scheme === 'event-driven' ? T : T / 64,
          tEnd: (SAMPLES - 0.5) * T,
        });
        const { column, session } = run(document, { scheme, sandbox: createSandbox });
        const { dynamics, complementarity } = session.certificate;
        expect(Math.max(dynamics, complementarity), what).toBeLessThan(1e-8);
        if (scheme === 'time-stepping' && given['method' as keyof typeof given] === ('explicit' as never))
          continue;
        // Samples that are a hair early, times gains of 1/T² in loops that need not be stable.
        const size = Math.max(1, ...expected('P.x[0]').map(Math.abs), ...expected('P.x[1]').map(Math.abs));
        for (const [name, other] of [
          ['x1.value', 'P.x[0]'],
          ['x2.value', 'P.x[1]'],
        ])
          expect(
            Math.abs((column(name).at(-1) ?? Number.NaN) - (expected(other).at(-1) ?? 0)) / size,
            `${scheme} ${what}`,
          ).toBeLessThan(scheme === 'event-driven' ? 1e-4 : 0.15);
      }
    }
  });
});

describe.each(['LuenbergerObserver', 'SlidingReducedOrderObserver'])('the observer of %s', (type) => {
  it('is the control block of its law beside a sampled control', { timeout: 600_000 }, () => {
    const random = seeded(type.length);
    for (let k = 0; k < sample(6, 300); k++) {
      const plant = randomPlant(random);
      const { A, B } = plant;
      const fields = {
        ...{ A, B, C: [[1, random.uniform(-0.5, 0.5)]], L: matrixOf(random, 2, 1, 2) },
        x0: [random.uniform(-1, 1), random.uniform(-1, 1)],
      };
      const [c1, c2] = fields.C[0];
      // A control that is held, of the first state.
      const reference = model(
        [
          {
            id: 'P',
            type: 'FirstOrderLinear',
            n: 2,
            A,
            b: [0, plant.disturbance],
            controlSize: 1,
            T: B,
            u: { signals: ['F.u'] },
            x0: plant.x0,
          },
          { id: 'F', type: 'StateFeedback', x: ['P.x[0]'], K: [[0.7]], every: T },
          { id: 'O', type, measured: [`P.x[0] + (${c2})*P.x[1]`], control: ['F.u'], ...fields, every: T },
        ] as never,
        [],
        { h: T, tEnd: (SAMPLES - 0.5) * T },
      );
      const expected = run(reference, { scheme: 'event-driven', sandbox: createSandbox }).column;
      const parts: Part[] = [
        ...plantOf(plant),
        ['F', 'FeedbackOfStates', ['x1', NONE, NONE, NONE, NONE, NONE, NONE, NONE, 'f'], { K: [[0.7]] }],
        ['H', 'Sampler', ['f', 'u'], { period: T }],
        ['C', 'FeedbackOfStates', ['x1', 'x2', NONE, NONE, NONE, NONE, NONE, NONE, 'y'], { K: [[-c1, -c2]] }],
        [
          'O',
          type === 'LuenbergerObserver' ? 'ObserverBlock' : 'SlidingObserver',
          ['y', NONE, NONE, 'u', NONE, NONE, 'e1', 'e2'],
          { ...fields, period: T },
        ],
      ];
      for (const scheme of SCHEMES) {
        const document = drawn(parts, {
          h: scheme === 'event-driven' ? T : T / 64,
          tEnd: (SAMPLES - 0.5) * T,
        });
        const { column, session } = run(document, { scheme, sandbox: createSandbox });
        expect(session.certificate.dynamics).toBeLessThan(1e-8);
        const size = Math.max(
          1,
          ...expected('O.xHat[0]').map(Math.abs),
          ...expected('O.xHat[1]').map(Math.abs),
        );
        for (const i of [0, 1])
          expect(
            Math.abs(
              (column(`e${i + 1}.value`).at(-1) ?? Number.NaN) - (expected(`O.xHat[${i}]`).at(-1) ?? 0),
            ) / size,
            `${scheme}, ${k}: ${JSON.stringify([plant, fields])}`,
          ).toBeLessThan(scheme === 'event-driven' ? 1e-7 : 0.15);
      }
    }
  });
});

it('a state space of several signals is one of each: random matrices', () => {
  const random = seeded(11);
  for (let k = 0; k < sample(5, 100); k++) {
    const [n, m, p] = [random.integer(1, 4), random.integer(1, 4), random.integer(1, 4)];
    const [A, B, C, D] = [
      matrixOf(random, n, n),
      matrixOf(random, n, m),
      matrixOf(random, p, n),
      matrixOf(random, p, m),
    ];
    const pins = (letter: string, count: number): string[] =>
      Array.from({ length: 4 }, (_, i) => (i < count ? `${letter}${i}` : NONE));
    const sources = Array.from({ length: m }, (_, i): Part => [
      `W${i}`,
      'SineSignal',
      [`u${i}`],
      { amplitude: 1, frequency: 0.2 * (i + 1) },
    ]);
    const parts: Part[] = [
      ...sources,
      ['S', 'MultiStateSpace', [...pins('u', m), ...pins('y', p)], { A, B, C, D }],
      // Row i of the outputs by blocks of one input and one output.
      ...Array.from({ length: m }, (_, j): Part => [
        `S${j}`,
        'StateSpace',
        [`u${j}`, `z${j}`],
        { A, B: B.map((row) => row[j]), C: C[0], D: D[0][j] },
      ]),
    ];
    const { column } = run(drawn(parts, { h: 0.1, tEnd: 2 }), {
      scheme: 'event-driven',
      sandbox: createSandbox,
    });
    const y = column('y0.value').at(-1) ?? Number.NaN;
    const sum = Array.from({ length: m }, (_, j) => column(`z${j}.value`).at(-1) ?? Number.NaN);
    expect(Math.abs(y - sum.reduce((a, b) => a + b, 0))).toBeLessThan(1e-11);
  }
});

const SOURCE: Part = ['W', 'Signal', ['w'], { value: 1 }];

it.each<readonly [string, Part, string, string]>([
  [
    'an input too few',
    ['M', 'MultiStateSpace', ['w', NONE, NONE, NONE, 'y'], { A: [[-1]], B: [[1, 1]], C: [[1]] }],
    'signal-count',
    'B',
  ],
  [
    'an output too many',
    ['M', 'MultiStateSpace', ['w', NONE, NONE, NONE, 'y', 'z'], { A: [[-1]], B: [[1]], C: [[1]] }],
    'signal-count',
    'C',
  ],
  [
    'a state too few',
    ['M', 'FeedbackOfStates', ['w', NONE, NONE, NONE, NONE, NONE, NONE, NONE, 'y'], { K: [[1, 2]] }],
    'signal-count',
    'K',
  ],
  [
    'a surface that is not moved',
    [
      'M',
      'SlidingMode',
      ['w', NONE, NONE, NONE, NONE, NONE, 'y'],
      { A: [[0]], B: [[1]], C: [[-1]], period: 0.1 },
    ],
    'surface-not-controlled',
    'C',
  ],
  [
    'a ratio of twisting',
    ['M', 'TwistingController', ['w', 'w', 'y'], { gain: 1, beta: 1, period: 0.1 }],
    'twisting-ratio',
    'beta',
  ],
  [
    'nothing measured',
    [
      'M',
      'ObserverBlock',
      [NONE, NONE, NONE, NONE, NONE, NONE, 'y'],
      { A: [[-1]], C: [[1]], L: [[1]], period: 0.1 },
    ],
    'signal-count',
    'C',
  ],
])('%s is said at its field', (_, part, code, key) => {
  const { issues } = reportDocument(drawn([SOURCE, part], { h: 0.01, tEnd: 1 }));
  const errors = issues.filter(({ severity }) => severity === 'error');
  expect(errors).toMatchObject([{ code, pointer: `/components/1/${key}`, element: 'M' }]);
});
