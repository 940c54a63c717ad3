/** Circuits whose sources are sines: offsets of outputs are carried along by exact arcs. */
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { drawn, type Part } from '../../components/drawn';
import { run } from '../../support/run';

const END = 0.05;

/** A bridge behind an inductance that feeds a capacitor; with snubbers it is stiff while it blocks. */
const bridge = (snubber: number | null): Part[] => [
  ['V1', 'SineVoltage', ['u', 'n'], { amplitude: 100, frequency: 50 }],
  ['L1', 'Inductor', ['u', 'x'], { inductance: 0.002 }],
  ['R0', 'Resistor', ['n', 'y'], { resistance: 0.1 }],
  ...(['x', 'y'] as const).flatMap((node): Part[] => [
    [`D${node}`, 'Diode', [node, 'p']],
    [`E${node}`, 'Diode', ['0', node]],
    ...(snubber === null
      ? []
      : ([
          [`S${node}`, 'Resistor', [node, 'p'], { resistance: snubber }],
          [`T${node}`, 'Resistor', ['0', node], { resistance: snubber }],
        ] as Part[])),
  ]),
  ['C1', 'Capacitor', ['p', '0'], { capacitance: 1e-4, v0: 0 }],
  ['R1', 'Resistor', ['p', '0'], { resistance: 100 }],
];

interface Flown {
  /** voltage of the capacitor at the end, V */
  readonly v: number;
  /** worst residual of the certificate */
  readonly defect: number;
}

function fly(parts: readonly Part[], scheme: 'event-driven' | 'time-stepping', h: number): Flown {
  const { session, column } = run(drawn(parts, { h, tEnd: END }), { sandbox: createSandbox, scheme });
  const { complementarity, dynamics } = session.certificate;
  return { v: column('C1.v').at(-1) ?? Number.NaN, defect: Math.max(complementarity, dynamics) };
}

describe('sources that are sines', () => {
  it.each([null, 1e4])('are exact, as steps become small (snubbers of %s Ω)', (snubber) => {
    const parts = bridge(snubber);
    const exact = fly(parts, 'event-driven', 5e-5);
    expect(exact.defect).toBeLessThan(1e-11);
    const coarse = fly(parts, 'time-stepping', 1e-5);
    const fine = fly(parts, 'time-stepping', 5e-6);
    expect(Math.abs(exact.v - (2 * fine.v - coarse.v))).toBeLessThan(0.02);
  });
});

describe('a bridge from rest', () => {
  // Where everything begins at zero, nothing but the tolerance says what is small.
  it.each(['RadauIIA', 'DormandPrince', 'SwitchingRungeKutta'])('is integrated by %s', (type) => {
    const document = drawn(bridge(null), { h: 5e-5, tEnd: END });
    const simulation = { ...document.simulation, eventDriven: { flight: { type } } };
    const { session, column } = run(
      { ...document, simulation },
      {
        sandbox: createSandbox,
        scheme: 'event-driven',
      },
    );
    expect(session.certificate.complementarity).toBeLessThan(1e-9);
    const exact = fly(bridge(null), 'event-driven', 5e-5);
    expect(Math.abs((column('C1.v').at(-1) ?? Number.NaN) - exact.v)).toBeLessThan(1e-4);
  });
});

/** A Cockcroft–Walton multiplier: two capacitors and two diodes a stage. */
const multiplier = (stages: number, onResistance = 0): Part[] => [
  ['V1', 'SineVoltage', ['u', '0'], { amplitude: 100, frequency: 50 }],
  ['R1', 'Resistor', ['u', 'a0'], { resistance: 1 }],
  ['R2', 'Resistor', [`b${stages}`, '0'], { resistance: 1e7 }],
  ...Array.from({ length: stages }, (_, k): Part[] => [
    [`P${k}`, 'Capacitor', [`a${k}`, `a${k + 1}`], { capacitance: 1e-5 }],
    [`Q${k}`, 'Capacitor', [k === 0 ? '0' : `b${k}`, `b${k + 1}`], { capacitance: 1e-5 }],
    [`D${k}`, 'Diode', [k === 0 ? '0' : `b${k}`, `a${k + 1}`], { onResistance }],
    [`E${k}`, 'Diode', [`a${k + 1}`, `b${k + 1}`], { onResistance }],
  ]).flat(),
];

/** The run and that of steps of 10 µs. */
function compared(document: ModelDocument, signals: readonly string[], most: number): void {
  const events = run(document, { sandbox: createSandbox, scheme: 'event-driven' });
  const steps = run(document, { sandbox: createSandbox, scheme: 'time-stepping', h: 1e-5 });
  expect(events.session.certificate.complementarity).toBeLessThan(1e-9);
  for (const signal of signals) {
    const [exact, stepped] = [events, steps].map(({ column }) => column(signal).at(-1) ?? NaN);
    expect(Math.abs(exact - stepped), signal).toBeLessThan(most);
  }
}

describe('a multiplier', () => {
  // Of the outputs that ideal diodes keep at zero each combination is of its neighbours only.
  it('of 40 ideal diodes has exact arcs, and diodes that stop one after the other', () => {
    const document = drawn(multiplier(20), { h: 1e-4, tEnd: 0.0255 });
    compared(document, ['P0.v', 'Q0.v', 'Q16.v'], 0.02);
  });

  // Currents die out at rates that fall into no two groups, and creep past zero.
  it('of diodes with resistance is exact as well', () => {
    compared(drawn(multiplier(2, 0.1), { h: 1e-4, tEnd: 0.03 }), ['P0.v', 'Q0.v', 'P1.v', 'Q1.v'], 0.05);
  });
});

/** A charge pump that a square wave clocks: its states are driven, its outputs are not. */
const pump = (onResistance: number): Part[] => {
  const diode = { forwardVoltage: 0.5, onResistance };
  const clock = ['5*square(t, 1e-5, 0.5, 0)', '5*(1 - square(t, 1e-5, 0.5, 0))'];
  return [
    ['V1', 'VoltageSource', ['n0', '0'], { voltage: 5 }],
    ...clock.map((voltage, k): Part => [`K${k}`, 'VoltageSource', [`k${k}`, '0'], { voltage }]),
    ...Array.from({ length: 5 }, (_, k): Part[] => [
      [`D${k}`, 'Diode', [`n${k}`, `n${k + 1}`], diode],
      k < 4
        ? [`C${k}`, 'Capacitor', [`n${k + 1}`, `k${k % 2}`], { capacitance: 1e-7, v0: 4.5 * (k + 1) }]
        : ['CO', 'Capacitor', ['n5', '0'], { capacitance: 1e-7, v0: 22.5 }],
    ]).flat(),
    ['R1', 'Resistor', ['n5', '0'], { resistance: 20_000 }],
  ];
};

describe('a charge pump', () => {
  it.each([0.5, 2, 5])('of diodes with %s Ω goes from event to event', (onResistance) => {
    const document = drawn(pump(onResistance), { h: 5e-7, tEnd: 2e-4 });
    const { session } = run(document, { sandbox: createSandbox, scheme: 'event-driven' });
    expect(session.certificate.complementarity).toBeLessThan(1e-8);
    expect(session.certificate.dynamics).toBeLessThan(1e-8);
  });
});
