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

const fly = (parts: readonly Part[], flight: 'auto' | 'RadauIIA'): { v: number; defect: number } => {
  const document = drawn(parts, { h: 5e-5, tEnd: END });
  const simulation = { ...document.simulation, eventDriven: { flight: { type: flight } } };
  const { session, column } = run(
    { ...document, simulation },
    { sandbox: createSandbox, scheme: 'event-driven' },
  );
  const { complementarity, dynamics } = session.certificate;
  return { v: column('C1.v').at(-1) ?? Number.NaN, defect: Math.max(complementarity, dynamics) };
};

describe('sources that are sines', () => {
  it.each([null, 1e4])('are exact, as the integration is to its tolerance (snubbers of %s Ω)', (snubber) => {
    const exact = fly(bridge(snubber), 'auto');
    expect(exact.defect).toBeLessThan(1e-11);
    const integrated = fly(bridge(snubber), 'RadauIIA');
    expect(Math.abs(exact.v - integrated.v)).toBeLessThan(1e-5);
  });
});
