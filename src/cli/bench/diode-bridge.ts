import type { StepModel } from './step-run';

/** Two states and four diodes: a linear complementarity problem whose matrix is not positive definite. */
export const diodeBridge: StepModel = {
  name: 'diode-bridge',
  summary: 'time per step of a resonant circuit with a diode bridge',
  example: 'diode-bridge',
  parameters: { L: 1e-2, C: 1e-6, R: 1e3, v0: 10 },
  h: 1e-6,
  theta: 1,
  warmUp: 100,
  // The oscillation decays to a hundredth; once nothing flows the problem is trivial.
  steps: 10_000,
  state: [
    'circuit.x[0]',
    'circuit.x[1]',
    'bridge.lambda[0]',
    'bridge.lambda[1]',
    'bridge.lambda[2]',
    'bridge.lambda[3]',
  ],
  scale: 10,
  program: 'diode-bridge',
  twin: 'diode-bridge',
  mostTwins: 12,
  variants: [{ label: 'Lemke', given: {} }],
};
