import type { StepModel } from './step-run';

/** One degree of freedom and one contact: what is left is the cost of the loop itself. */
export const bouncingBall: StepModel = {
  name: 'bouncing-ball',
  summary: 'time per step of one body on a floor',
  example: 'bouncing-ball',
  parameters: { m: 1, g: 9.81, height: 0.9, e: 0.9 },
  h: 1e-4,
  theta: 0.5,
  warmUp: 1000,
  // Ten seconds: flight, ever more frequent impacts, rest.
  steps: 100_000,
  state: ['ball.q', 'ball.v'],
  scale: 1,
  program: 'bouncing-ball',
  twin: 'bouncing-ball',
  mostTwins: 10,
  variants: [{ label: 'Lemke', given: {} }],
};
