/** Runs with thyristors that their certificates accept, and must not where one forgets: each throws then. */
import { run } from '../support/run';
import { sandboxOnce } from '../support/sandbox-once';
import { drawn, type Part } from './drawn';

const LIMIT = 1e-9;

/** Fired by short pulses: one alone in front of an inductor, and one beside a resistor. */
const RECTIFIERS: readonly Part[] = [
  ['V1', 'SineVoltage', ['in', '0'], { amplitude: 325, frequency: 50 }],
  ['T1', 'Thyristor', ['in', 'x'], { gate: 'square(t - 3e-3, 0.02, 0.02)' }],
  ['R1', 'Resistor', ['x', 'y'], { resistance: 10 }],
  ['L1', 'Inductor', ['y', '0'], { inductance: 0.04 }],
  ['T2', 'Thyristor', ['in', 'z'], { gate: 'square(t - 4e-3, 0.02, 0.02)' }],
  ['R2', 'Resistor', ['z', '0'], { resistance: 10 }],
];

function accepted(scheme: 'time-stepping' | 'event-driven'): void {
  const { session } = run(drawn(RECTIFIERS, { h: 1e-4, tEnd: 0.05 }), { sandbox: sandboxOnce, scheme });
  const { dynamics, complementarity, coneViolation } = session.certificate;
  const worst = Math.max(dynamics, complementarity, coneViolation);
  if (!(worst <= LIMIT)) throw new Error(`the certificate sees ${worst}`);
}

export const checks = {
  steps: (): void => {
    accepted('time-stepping');
  },
  events: (): void => {
    accepted('event-driven');
  },
};
