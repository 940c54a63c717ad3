/** What the engine must satisfy and a misprint must break: each check throws when it does not hold. */
import type { Mutation } from './mutations';
import * as forms from '../support/forms';
import { advanceAndMeasure, randomProblem } from '../support/newton-problem';
import { seeded } from '../support/random';

const TOLERANCE = 1e-12;

function demand(value: number, what: string): void {
  if (!(value <= TOLERANCE)) throw new Error(`${what}: ${value}`);
}

/** The fully non-linear step satisfies its equations, θ = θ_r = ½. */
function newtonStep(): void {
  const random = seeded(3);
  for (let k = 0; k < 5; k++) {
    const problem = randomProblem(random, 0.5, 0.5);
    for (let step = 0; step < 3; step++) demand(advanceAndMeasure(problem), 'equations of the step');
  }
}

/** ẋ = −x + λ, 0 ≤ y = x − 1 + λ ⊥ λ ≥ 0 from x = ½: h = 1, θ = 1: 2x = ½ + λ, λ = 1 − x. */
function linearStep(): void {
  const simulation = forms.simulate(
    {
      systems: [forms.system('s', forms.linearFirstOrder([[-1]], [0.5]))],
      interactions: [
        forms.interaction(
          'i',
          [0],
          forms.linearRelation([[1]], [[1]], { D: [[1]], e: [-1] }),
          forms.complementarity(),
        ),
      ],
    },
    { h: 1, integrators: [forms.eulerMoreau([0])], solver: 'Lemke' },
  );
  simulation.advance();
  demand(Math.abs(simulation.state[1] - 0.5), 'state after a step');
  demand(Math.abs(simulation.state[5] - 0.5), 'multiplier after a step');
}

/** A mass on a spring against a wall: (m + h²θ²k) v⁺ = m v − h k q − h²θ k v + p with v⁺ = −e v⁻. */
function lagrangianStep(): void {
  const [m, k, h, theta, e] = [2, 300, 0.1, 0.5, 0.5];
  const [q, v] = [0, -1];
  const simulation = forms.simulate(
    {
      systems: [
        forms.system('mass', forms.linearLagrangian([q], [v], [[m]], { stiffness: [[k]] })),
        forms.system(
          'pair',
          forms.linearLagrangian(
            [0, 0],
            [-1, 0],
            [
              [m, 0.5],
              [0.5, m],
            ],
            {
              stiffness: [
                [k, 1],
                [1, k],
              ],
            },
          ),
        ),
      ],
      interactions: [
        forms.interaction('wall', [0], forms.lagrangianRelation([[1]]), forms.impact(e)),
        forms.interaction('other', [1], forms.lagrangianRelation([[1, 0]]), forms.impact(e)),
      ],
    },
    { h, integrators: [forms.moreauJean([0, 1], theta)], solver: 'Lemke' },
  );
  simulation.advance();
  const after = -e * v;
  const p = (m + h * h * theta * theta * k) * (after - v) + h * k * q + h * h * theta * k * v;
  const { y, ...rest } = { y: simulation.state, ...simulation.context };
  demand(Math.abs(y[rest.v] - after), 'velocity after the impact');
  demand(Math.abs(y[y.length - 4] - p) / p, 'impulse');
  const { dynamics, complementarity } = simulation.certificate.report;
  demand(dynamics, 'certificate of the dynamics');
  demand(complementarity, 'certificate of the law');
}

export const checks: Readonly<Record<Mutation['killedBy'], () => void>> = {
  newtonStep,
  linearStep,
  lagrangianStep,
};
