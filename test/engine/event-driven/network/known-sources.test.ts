/** Circuits whose sources are sines: offsets of outputs are carried along by exact arcs. */
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
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

/** A Cockcroft–Walton multiplier of ideal diodes: two capacitors and two diodes a stage. */
const multiplier = (stages: number): Part[] => [
  ['V1', 'SineVoltage', ['u', '0'], { amplitude: 100, frequency: 50 }],
  ['R1', 'Resistor', ['u', 'a0'], { resistance: 1 }],
  ['R2', 'Resistor', [`b${stages}`, '0'], { resistance: 1e7 }],
  ...Array.from({ length: stages }, (_, k): Part[] => [
    [`P${k}`, 'Capacitor', [`a${k}`, `a${k + 1}`], { capacitance: 1e-5 }],
    [`Q${k}`, 'Capacitor', [k === 0 ? '0' : `b${k}`, `b${k + 1}`], { capacitance: 1e-5 }],
    [`D${k}`, 'Diode', [k === 0 ? '0' : `b${k}`, `a${k + 1}`]],
    [`E${k}`, 'Diode', [`a${k + 1}`, `b${k + 1}`]],
  ]).flat(),
];

describe('a network of more than 32 states', () => {
  it('has exact arcs as well: integrated, its ideal diodes would take minutes', () => {
    const document = drawn(multiplier(17), { h: 1e-4, tEnd: 6e-3 });
    const events = run(document, { sandbox: createSandbox, scheme: 'event-driven' });
    const steps = run(document, { sandbox: createSandbox, scheme: 'time-stepping', h: 1e-5 });
    expect(events.session.certificate.complementarity).toBeLessThan(1e-9);
    for (const signal of ['P0.v', 'Q0.v', 'Q16.v']) {
      const [exact, stepped] = [events, steps].map(({ column }) => column(signal).at(-1) ?? NaN);
      expect(Math.abs(exact - stepped), signal).toBeLessThan(0.02);
    }
  });
});
