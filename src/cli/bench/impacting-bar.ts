import type { StepModel } from './step-run';

/**
 * A large linear body with one contact: the cost of solving with its iteration matrix.
 * @param gap m, crossed at 0.1 m/s: steps before the contact closes for the 385 that the wave takes to and
 *   fro
 */
function bar(nodes: number, gap: number, steps: number): StepModel {
  return {
    name: `impacting-bar-${nodes}`,
    summary: `time per step of an elastic bar of ${nodes} nodes against a wall`,
    example: 'impacting-bar',
    parameters: { N: nodes, length: 1, E: 210e9, A: 3.14e-4, rho: 7800, v0: -0.1, gap, e: 0 },
    h: 1e-6,
    theta: 0.5,
    warmUp: 100,
    steps,
    state: ['bar.q[0]', `bar.q[${nodes - 1}]`, 'bar.v[0]', `bar.v[${nodes - 1}]`, 'wall.impulse'],
    scale: 0.1,
    program: 'impacting-bar',
    twin: 'impacting-bar',
    mostTwins: 5,
    variants: [
      { label: 'dense', given: { storage: 'dense' } },
      { label: 'sparse', given: { storage: 'sparse' } },
    ],
  };
}

export const impactingBars: readonly StepModel[] = [bar(100, 5e-5, 5000), bar(1000, 5e-6, 100)];
