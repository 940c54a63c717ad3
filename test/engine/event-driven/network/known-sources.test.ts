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
