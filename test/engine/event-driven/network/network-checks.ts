/**
 * Runs of networks from event to event that their certificate accepts, and must not where a slip is: each
 * throws.
 */
import { drawn, type Part } from '../../components/drawn';
import { rectifier } from '../../components/drawn-rectifiers';
import { seeded } from '../../support/random';
import { run } from '../../support/run';
import { sandboxOnce } from '../../support/sandbox-once';

const LIMIT = 1e-8;

function accepted(parts: readonly Part[], times: { h: number; tEnd: number }): void {
  const { session } = run(drawn(parts, times), { sandbox: sandboxOnce, scheme: 'event-driven' });
  const { dynamics, complementarity, coneViolation } = session.certificate;
  const worst = Math.max(dynamics, complementarity, coneViolation);
  if (!(worst <= LIMIT)) throw new Error(`the certificate sees ${worst}`);
}

/** A bridge behind an inductance that feeds a capacitor, from rest. */
const BRIDGE: readonly Part[] = [
  ['V1', 'SineVoltage', ['u', 'n'], { amplitude: 100, frequency: 50 }],
  ['L1', 'Inductor', ['u', 'x'], { inductance: 0.002 }],
  ['R0', 'Resistor', ['n', 'y'], { resistance: 0.1 }],
  ...(['x', 'y'] as const).flatMap((node): Part[] => [
    [`D${node}`, 'Diode', [node, 'p']],
    [`E${node}`, 'Diode', ['0', node]],
  ]),
  ['C1', 'Capacitor', ['p', '0'], { capacitance: 1e-4, v0: 0 }],
  ['R1', 'Resistor', ['p', '0'], { resistance: 100 }],
];

/** A voltage multiplier of diodes with resistance. */
const multiplier = (stages: number, onResistance: number): Part[] => [
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

const ROWS = { h: 5e-5, tEnd: 0.05 };

export const checks = {
  rest: (): void => {
    accepted(BRIDGE, ROWS);
  },
  snubbers: (): void => {
    accepted(rectifier(seeded(571)), ROWS);
  },
  /** An ideal switch that joins two capacitors. */
  charges: (): void => {
    accepted(
      [
        ['C1', 'Capacitor', ['a', '0'], { capacitance: 1e-6, v0: 10 }],
        ['S1', 'Switch', ['a', 'b'], { gate: 't mod 2e-3 > 1e-3' }],
        ['C2', 'Capacitor', ['b', '0'], { capacitance: 2e-6, v0: 0 }],
        ['D1', 'Diode', ['b', 'c']],
        ['C3', 'Capacitor', ['c', '0'], { capacitance: 1e-6, v0: 0 }],
        ['R1', 'Resistor', ['b', '0'], { resistance: 1e3 }],
      ],
      { h: 1e-4, tEnd: 5e-3 },
    );
  },
  creeping: (): void => {
    accepted(multiplier(2, 0.1), { h: 1e-4, tEnd: 0.022 });
  },
};
