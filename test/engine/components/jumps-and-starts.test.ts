/** Said before a run, since no residual sees it: starts with several motions, switches that lose energy. */
import { expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { contact, model } from '../support/models';
import { linear } from '../resets/documents';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

const of = (document: ModelDocument, code: string): DocumentIssue[] =>
  reportDocument(document).issues.filter((issue) => issue.code === code);

const relay = (start: number, gain: number, drift = 0): Part[] => [
  ['R', 'SignRelay', ['x', 'u'], { lower: -1, upper: 1 }],
  ['G', 'Gain', ['u', 'g'], { gain }],
  ['D', 'Signal', ['d'], { value: drift }],
  ['S', 'Sum', ['g', undefined as unknown as string, 'd', 'rate']],
  ['I', 'Integrator', ['rate', 'x'], { start }],
];

it('a relay that drives its input away from its jump has several motions', () => {
  const [issue, ...others] = of(drawn(relay(0, 2)), 'several-starts');
  expect(others).toEqual([]);
  expect(issue).toMatchObject({ severity: 'warning', pointer: '/components/0', element: 'R' });
  expect(issue.message).toContain('to either side. This run stays');
  const { column } = run(drawn(relay(0, 2)), { scheme: 'time-stepping' });
  expect(column('x.value').at(-1)).toBe(0);
  for (const parts of [relay(0.1, 2), relay(0, -2), relay(0, 2, 3)])
    expect(of(drawn(parts), 'several-starts')).toEqual([]);
  expect(of(drawn(relay(0, 2, 1)), 'several-starts')).toHaveLength(1);
});

it('the same of a relay that is written by hand, also one that feeds itself', () => {
  const document = (B: number, D: number): ModelDocument =>
    model(
      [linear('x', [[0]], [0], [0])],
      [
        {
          ...contact('relay', ['x'], [[1]], 0),
          relation: { type: 'FirstOrderLinearTI', C: [[1]], D: [[D]], B: [[B]] },
          law: { type: 'Relay' },
        },
      ],
    );
  expect(of(document(-1, 0), 'several-starts')).toMatchObject([{ pointer: '/interactions/0' }]);
  expect(of(document(1, 0), 'several-starts')).toEqual([]);
  expect(of(document(0, -1), 'several-starts')).toHaveLength(1);
  expect(of(document(0, 1), 'several-starts')).toEqual([]);
});

it('each of two rows by its own matrices', () => {
  const document = model(
    [
      linear(
        'x',
        [
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 0],
        ],
        [0, 0, 0],
        [0, 0, 5],
      ),
    ],
    [
      {
        ...contact('relays', ['x'], [[1]], 0),
        relation: {
          type: 'FirstOrderLinearTI',
          C: [
            [1, 0, 0],
            [0, 1, 0],
          ],
          D: [
            [0, 0],
            [0, 0],
          ],
          B: [
            [1, 0],
            [0, -1],
            [3, 3],
          ],
        },
        law: { type: 'Relay', lower: [-1, -1], upper: [1, 1] },
      },
    ],
  );
  const issues = of(document, 'several-starts');
  expect(issues).toHaveLength(1);
  expect(issues[0].message).toContain('“relays, row 1”');
});

const GATE = { gate: 't > 0.5m' };
const SOURCE: Part = ['V', 'VoltageSource', ['s', '0'], { voltage: 10 }];
const COIL: Part = ['L', 'Inductor', ['s', 'a'], { inductance: 1e-3 }];

it.each<[string, Part[], string]>([
  [
    'capacitors that a switch joins',
    [
      ['S', 'Switch', ['a', 'b'], GATE],
      ['C1', 'Capacitor', ['a', '0'], { capacitance: 2e-6, v0: 10 }],
      ['C2', 'Capacitor', ['b', '0'], { capacitance: 2e-6 }],
    ],
    '½ · 0.000001 F · v²',
  ],
  [
    'a capacitor that is switched to a source',
    [['S', 'Switch', ['s', 'b'], GATE], SOURCE, ['C2', 'Capacitor', ['b', '0'], { capacitance: 2e-6 }]],
    '½ · 0.000002 F · v²',
  ],
  ['an inductor whose current is cut', [['S', 'Switch', ['a', '0'], GATE], SOURCE, COIL], '½ · 0.001 H · i²'],
])('%s', (_, parts, loss) => {
  const [issue, ...others] = of(drawn(parts), 'state-jumps');
  expect(others).toEqual([]);
  expect(issue).toMatchObject({ severity: 'warning', pointer: '/components/0', element: 'S' });
  expect(issue.message).toContain(loss);
});

it('the energy that is lost is the one that is said', () => {
  const parts: Part[] = [
    ['S', 'Switch', ['a', 'b'], GATE],
    ['C1', 'Capacitor', ['a', '0'], { capacitance: 2e-6, v0: 10 }],
    ['C2', 'Capacitor', ['b', '0'], { capacitance: 3e-6, v0: 1 }],
  ];
  const { column } = run(drawn(parts, { h: 1e-4 }), { scheme: 'event-driven' });
  const energy = (at: number): number =>
    1e-6 * (column('C1.v').at(at) ?? 0) ** 2 + 1.5e-6 * (column('C2.v').at(at) ?? 0) ** 2;
  expect(energy(0) - energy(-1)).toBeCloseTo(0.5 * 1.2e-6 * 9 ** 2, 12);
  expect(of(drawn(parts), 'state-jumps')[0].message).toContain('½ · 0.0000012 F');
});

it.each<[string, Part[]]>([
  [
    'with a resistance between',
    [
      ['S', 'Switch', ['a', 'b'], { ...GATE, onResistance: 1 }],
      ['C1', 'Capacitor', ['a', '0'], { capacitance: 2e-6, v0: 10 }],
      ['C2', 'Capacitor', ['b', '0'], { capacitance: 2e-6 }],
    ],
  ],
  [
    'with a diode for the current',
    [['S', 'Switch', ['a', '0'], GATE], SOURCE, COIL, ['D', 'Diode', ['a', 's']]],
  ],
])('nothing jumps %s', (_, parts) => {
  expect(of(drawn(parts), 'state-jumps')).toEqual([]);
});

it.each(['event-driven', 'time-stepping'] as const)(
  '%s says where a run ends that h does not divide',
  (scheme) => {
    const { session } = run(
      drawn([
        ['V1', 'VoltageSource', ['in', '0'], { voltage: 1 }],
        ['R1', 'Resistor', ['in', 'out'], { resistance: 1 }],
        ['C1', 'Capacitor', ['out', '0'], { capacitance: 1 }],
      ]),
      { scheme, h: 3e-3, tEnd: 0.1 },
    );
    expect(session.warnings).toContain(
      'The end time is not a multiple of the step: the run ends at 0.102 s instead of 0.1 s.',
    );
  },
);
