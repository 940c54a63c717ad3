/** Runs of large networks that their certificate accepts, and must not where a step is wrong: each throws. */
import { run } from '../support/run';
import { sandboxOnce } from '../support/sandbox-once';
import { drawn, type Part } from './drawn';

const LIMIT = 1e-9;
/** More than steps with dense matrices take. */
const SECTIONS = 270;

function accepted(section: (k: number) => readonly Part[], theta = 1): void {
  const parts: readonly Part[] = [
    ['V1', 'VoltageSource', ['n0', '0'], { voltage: '10*sin(2000*pi*t)' }],
    ...Array.from({ length: SECTIONS }, (_, k): readonly Part[] => [
      [`R${k}`, 'Resistor', [`n${k}`, `n${k + 1}`], { resistance: 10 }],
      [`C${k}`, 'Capacitor', [`n${k + 1}`, '0'], { capacitance: 1e-6 }],
      ...section(k),
    ]).flat(),
  ];
  const document = drawn(parts, { h: 5e-5, tEnd: 1e-3 });
  const integrators = [{ type: 'EulerMoreau', theta, thetaR: 1 }];
  const { session } = run(
    { ...document, simulation: { ...document.simulation, integrators } },
    { sandbox: sandboxOnce },
  );
  const { dynamics, complementarity, coneViolation } = session.certificate;
  const worst = Math.max(dynamics, complementarity, coneViolation);
  if (!(worst <= LIMIT)) throw new Error(`the certificate sees ${worst}`);
}

export const checks = {
  diodes: (): void => {
    accepted((k) => [[`D${k}`, 'Diode', ['0', `n${k + 1}`], { forwardVoltage: 0.1 }]]);
  },
  switches: (): void => {
    accepted((k) => [
      [`S${k}`, 'Switch', [`n${k + 1}`, '0'], { gate: 't mod 4e-4 < 2e-4', onResistance: 1 }],
    ]);
  },
  sources: (): void => {
    accepted(
      (k) => [
        [`I${k}`, 'CurrentSource', [`n${k + 1}`, '0'], { current: '1e-3*sin(3000*t)' }],
        [`D${k}`, 'Diode', ['0', `n${k + 1}`]],
      ],
      0.7,
    );
  },
};
