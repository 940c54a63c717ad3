/** Resistors by pieces and saturating inductors, in both schemes, against closed forms and twins by hand. */
import { describe, expect, it } from 'vitest';
import { exportNetlist } from '@engine/netlist/export';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { run, type Run } from '../support/run';
import { drawn, type Part } from './drawn';

const SCHEMES = ['event-driven', 'time-stepping'] as const;
type Scheme = (typeof SCHEMES)[number];

const ran = (parts: readonly Part[], scheme: Scheme, times: { h: number; tEnd: number }): Run =>
  run(drawn(parts, times), { sandbox: createSandbox, scheme });

const worst = ({ session }: Run): number =>
  Math.max(
    session.certificate.dynamics,
    session.certificate.complementarity,
    session.certificate.coneViolation,
  );

const last = (values: Float64Array): number => values[values.length - 1];

describe('a saturating inductor', () => {
  const [U, R, L0, L1, knee] = [10, 2, 10e-3, 1e-3, 2];
  const core = { inductances: [L0, L1], knees: [knee] };
  const step: readonly Part[] = [
    ['V1', 'VoltageSource', ['in', '0'], { voltage: U }],
    ['R1', 'Resistor', ['in', 'out'], { resistance: R }],
    ['L1', 'SaturatingInductor', ['out', '0'], core],
  ];
  const reached = -(L0 / R) * Math.log(1 - (knee * R) / U);

  it.each(SCHEMES)('rises with one time constant up to the knee, and with another beyond, %s', (scheme) => {
    const [h, tEnd] = [1e-5, 4e-3];
    const result = ran(step, scheme, { h, tEnd });
    const i = last(result.column('L1.i'));
    const expected = U / R + (knee - U / R) * Math.exp((-(tEnd - reached) * R) / L1);
    expect(Math.abs(i - expected)).toBeLessThan(scheme === 'event-driven' ? 1e-9 : 0.02);
    const phi = last(result.column('L1.phi'));
    expect(phi).toBeCloseTo(L0 * knee + L1 * (i - knee), 9);
    expect(worst(result)).toBeLessThan(1e-9);
  });

  it.each(SCHEMES)('is symmetric, with two knees, at an alternating voltage, %s', (scheme) => {
    // Without resistance the flux is the integral of the voltage: φ = (A/ω)(1 − cos ωt).
    const [A, f] = [10, 50];
    const two = { inductances: [10e-3, 4e-3, 1e-3], knees: [1, 2] };
    const result = ran(
      [
        ['V1', 'SineVoltage', ['in', '0'], { amplitude: A, frequency: f, phase: Math.PI / 2 }],
        ['L1', 'SaturatingInductor', ['in', '0'], two],
        ['R1', 'Resistor', ['in', '0'], { resistance: 100 }],
      ],
      scheme,
      { h: 1e-5, tEnd: 0.02 },
    );
    const [t, i] = [result.column('t'), result.column('L1.i')];
    const currentAt = (phi: number): number => {
      const size = Math.abs(phi);
      const current =
        size <= 10e-3 ? size / 10e-3 : size <= 14e-3 ? 1 + (size - 10e-3) / 4e-3 : 2 + (size - 14e-3) / 1e-3;
      return Math.sign(phi) * current;
    };
    const omega = 2 * Math.PI * f;
    const off = t.map((s, k) => Math.abs(i[k] - currentAt((A / omega) * Math.sin(omega * s))));
    expect(Math.max(...off)).toBeLessThan(scheme === 'event-driven' ? 1e-6 : 0.2);
    expect(Math.max(...i)).toBeGreaterThan(10);
    expect(Math.min(...i)).toBeLessThan(-10);
    expect(worst(result)).toBeLessThan(1e-9);
  });

  it('begins with its current, and without a knee is an inductor', () => {
    const twin = step.map((part): Part =>
      part[0] === 'L1' ? ['L1', 'Inductor', ['out', '0'], { inductance: L0, i0: 1 }] : part,
    );
    const plain = step.map((part): Part =>
      part[0] === 'L1'
        ? ['L1', 'SaturatingInductor', ['out', '0'], { inductances: [L0], knees: [], i0: 1 }]
        : part,
    );
    for (const scheme of SCHEMES) {
      const [a, b] = [plain, twin].map((parts) => ran(parts, scheme, { h: 1e-4, tEnd: 5e-3 }).column('L1.i'));
      a.forEach((value, k) => {
        expect(Math.abs(value - b[k])).toBeLessThan(1e-9);
      });
    }
    const started = step.map((part): Part =>
      part[0] === 'L1' ? [part[0], part[1], part[2], { ...core, i0: 3 }] : part,
    );
    expect(ran(started, 'event-driven', { h: 1e-5, tEnd: 1e-4 }).column('L1.i')[0]).toBeCloseTo(3, 12);
  });
});

describe('a resistor by pieces', () => {
  // A lamp: 1 A for each volt up to 1 V, then 0.2 A for each; backwards likewise.
  const lamp = { voltages: [-2, -1, 1, 2], currents: [-1.2, -1, 1, 1.2] };
  it.each(SCHEMES)('discharges a capacitor piece by piece, %s', (scheme) => {
    const [C, v0, tEnd] = [1e-3, 3, 4e-3];
    const result = ran(
      [
        ['C1', 'Capacitor', ['out', '0'], { capacitance: C, v0 }],
        ['X1', 'PiecewiseResistor', ['out', '0'], lamp],
      ],
      scheme,
      { h: 1e-5, tEnd },
    );
    // i = 0.8 + 0.2 v above 1 V, v below.
    const knee = (C / 0.2) * Math.log((0.8 + 0.2 * v0) / 1);
    const expected = Math.exp(-(tEnd - knee) / C);
    const v = last(result.column('X1.v'));
    expect(Math.abs(v - expected)).toBeLessThan(scheme === 'event-driven' ? 1e-9 : 0.01);
    expect(last(result.column('X1.i'))).toBeCloseTo(v, 9);
    expect(worst(result)).toBeLessThan(1e-9);
  });

  it.each(SCHEMES)('of two points is a battery: a voltage behind a resistance, %s', (scheme) => {
    const parts = (type: string, nodes: string[], fields: object): readonly Part[] => [
      ['X1', type, nodes, fields],
      ['R1', 'Resistor', ['a', 'b'], { resistance: 3 }],
      ['L1', 'Inductor', ['b', '0'], { inductance: 1e-2 }],
    ];
    const times = { h: 1e-4, tEnd: 5e-3 };
    const drawnOne = ran(
      parts('PiecewiseResistor', ['a', '0'], { voltages: [11, 12], currents: [-1, 0] }),
      scheme,
      times,
    );
    const twin = ran(
      [
        ['X1', 'VoltageSource', ['c', '0'], { voltage: 12 }],
        ['RX', 'Resistor', ['c', 'a'], { resistance: 1 }],
        ...parts('', [], {}).slice(1),
      ],
      scheme,
      times,
    );
    const [i, other] = [drawnOne.column('L1.i'), twin.column('L1.i')];
    i.forEach((value, k) => {
      expect(Math.abs(value - other[k])).toBeLessThan(1e-9);
    });
  });
});

it('are written as formulas of a netlist', () => {
  const parts: readonly Part[] = [
    ['V1', 'VoltageSource', ['in', '0'], { voltage: 1 }],
    ['X1', 'PiecewiseResistor', ['in', '0'], { voltages: [-1, 0, 1], currents: [-3, 0, 1] }],
    ['L1', 'SaturatingInductor', ['in', '0'], { inductances: [2, 1], knees: [3], i0: 4 }],
  ];
  const exported = exportNetlist(drawn(parts));
  if (!exported.ok) throw new Error(exported.message);
  expect(exported.text).toContain('I=-3 + (3)*(v(in,0) - (-1)) + (-2)*max(v(in,0) - (0), 0)');
  // 2·3 up to the knee, and 1·1 beyond it.
  expect(exported.text).toMatch(/IC=7\n/);
  expect(exported.text).toContain('I=-4 + (1)*(v(L1_phi) - (-7))');
});

describe('what is no such characteristic', () => {
  const issuesOf = (type: string, fields: object): { code: string; pointer: string; remedy: string }[] =>
    reportDocument(
      drawn([
        ['V1', 'VoltageSource', ['in', '0'], { voltage: 1 }],
        ['R1', 'Resistor', ['in', 'x'], { resistance: 1 }],
        ['X1', type, ['x', '0'], fields],
      ]),
    ).issues.filter(({ severity }) => severity === 'error');
  it.each([
    ['PiecewiseResistor', { voltages: [0, 1, 1], currents: [0, 2, 1] }, 'falling-characteristic', 'currents'],
    [
      'PiecewiseResistor',
      { voltages: [0, 1, 0.5], currents: [0, 1, 2] },
      'falling-characteristic',
      'voltages',
    ],
    ['PiecewiseResistor', { voltages: [0, 1], currents: [0, 1, 2] }, 'wrong-length', 'currents'],
    ['PiecewiseResistor', { voltages: [0], currents: [0] }, 'wrong-length', 'voltages'],
    ['PiecewiseResistor', { voltages: [0, 0], currents: [1, 1] }, 'repeated-point', 'voltages'],
    ['SaturatingInductor', { inductances: [1], knees: [1] }, 'wrong-length', 'inductances'],
    ['SaturatingInductor', { inductances: [1, 0], knees: [1] }, 'not-positive', 'inductances'],
    ['SaturatingInductor', { inductances: [3, 2, 1], knees: [2, 1] }, 'not-rising', 'knees'],
  ])('%s %o', (type, fields, code, key) => {
    const issues = issuesOf(type, fields);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ code, pointer: `/components/2/${key}` });
    expect(issues[0].remedy.length).toBeGreaterThan(10);
  });
});
