import type { StepModel } from './step-run';

/**
 * A relay and a complementarity law in one problem: charging, discontinuous conduction and sliding in one
 * run.
 */
export const buckConverter: StepModel = {
  name: 'buck-converter',
  summary: 'time per step of a buck converter under sliding-mode control',
  example: 'buck-converter',
  parameters: { L: 10e-6, C: 22e-6, R: 10, E: 3, vref: 1.8, k: 0.1 },
  h: 1e-7,
  theta: 1,
  warmUp: 100,
  steps: 50_000,
  state: ['converter.x[0]', 'converter.x[1]', 'transistor.lambda', 'diode.lambda'],
  scale: 3,
  program: 'buck-converter',
  variants: [
    { label: 'Lemke', given: { solver: 'lemke' } },
    { label: 'Cao–Ferris', given: { solver: 'avi' } },
    { label: 'PGS', given: { solver: 'pgs' } },
  ],
};
