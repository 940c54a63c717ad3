/**
 * Relations at γ: laws of first-order systems that hold at γ x_{k+1} + (1−γ) x_k, with one multiplier a step.
 */
import { describe, expect, it } from 'vitest';
import type { AssignedIntegrator } from '@engine/integrators/registry';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import * as forms from '../support/forms';
import { settingsFor, start } from '../support/live';
import { model } from '../support/models';
import { run } from '../support/run';
import { seeded } from '../support/random';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import type { ModelDocument } from '@engine/document/types';

const within = (theta: number, gamma: number, systems = [0]): AssignedIntegrator => ({
  type: 'EulerMoreau',
  numbers: { theta, thetaR: 1, gamma },
  choices: {},
  systems,
});

const [L, C, R] = [1e-2, 1e-6, 1e3];

/** An LC oscillator whose current a diode in series with R rectifies: x voltage and current. */
function rlcd(resistance = R): NonSmoothDynamicalSystem {
  const system = forms.linearFirstOrder(
    [
      [0, -1 / C],
      [1 / L, 0],
    ],
    [10, 0],
  );
  const relation = forms.linearRelation([[-1, 0]], [[-1 / C], [0]], { D: [[resistance]] });
  return {
    systems: [forms.system('lc', system)],
    interactions: [forms.interaction('diode', [0], relation, forms.complementarity())],
  };
}

/** An ideal diode beside the inductor: λ its voltage, y the current through it. Nothing dissipates. */
function lossless(): NonSmoothDynamicalSystem {
  const system = forms.linearFirstOrder(
    [
      [0, -1],
      [1, 0],
    ],
    [1, 0.3],
  );
  return {
    systems: [forms.system('lc', system)],
    interactions: [
      forms.interaction('diode', [0], forms.linearRelation([[0, 1]], [[0], [1]]), forms.complementarity()),
    ],
  };
}

describe('a step with relations at γ', () => {
  it.each([
    [0.5, 0.5],
    [1, 0.5],
    [0.7, 0.3],
    [0.75, 1],
  ])('is the one that its equations say, θ = %d, γ = %d', (theta, gamma) => {
    const h = 5e-6;
    const simulation = forms.simulate(rlcd(), { h, integrators: [within(theta, gamma)] });
    // W x⁺ = (I + h(1−θ)A) x + h B λ by Cramer's rule, and the law in one dimension.
    const [a, b] = [-1 / C, 1 / L];
    const [e, f] = [-h * theta * a, -h * theta * b];
    const determinant = 1 - e * f;
    const solve = (p: number, q: number): [number, number] => [
      (p - e * q) / determinant,
      (q - f * p) / determinant,
    ];
    let x: [number, number] = [10, 0];
    let conducted = 0;
    for (let k = 0; k < 400; k++) {
      simulation.advance();
      const free = solve(x[0] + h * (1 - theta) * a * x[1], x[1] + h * (1 - theta) * b * x[0]);
      const response = solve(-h / C, 0);
      const output = -(gamma * free[0] + (1 - gamma) * x[0]);
      const lambda = Math.max(0, -output / (R - gamma * response[0]));
      const next: [number, number] = [free[0] + response[0] * lambda, free[1] + response[1] * lambda];
      const y = R * lambda - (gamma * next[0] + (1 - gamma) * x[0]);
      x = next;
      if (lambda > 0) conducted++;
      const { state } = simulation;
      expect(Math.abs(state[1] - x[0])).toBeLessThan(1e-11);
      expect(Math.abs(state[2] - x[1])).toBeLessThan(1e-13);
      // Recorded are y and λ of where the law holds.
      const [recorded, , multiplier] = state.slice(5, 8);
      expect(Math.abs(recorded - y)).toBeLessThan(1e-10);
      expect(Math.abs(multiplier - lambda)).toBeLessThan(1e-13);
    }
    expect(conducted).toBeGreaterThan(50);
    expect(simulation.certificate.report.dynamics).toBeLessThan(1e-12);
    expect(simulation.certificate.report.complementarity).toBeLessThan(1e-12);
  });

  it('is that of θr = 1 to the last bit with γ = 1', () => {
    const one = forms.simulate(rlcd(), { h: 1e-6, integrators: [within(0.5, 1)] });
    const other = forms.simulate(rlcd(), { h: 1e-6, integrators: [forms.eulerMoreau([0], 0.5, 1)] });
    for (let k = 0; k < 2000; k++) {
      one.advance();
      other.advance();
    }
    expect(one.state).toEqual(other.state);
  });

  it('keeps the energy of a circuit without losses at θ = γ = ½, which laws at the end lose', () => {
    const energy = (integrator: AssignedIntegrator): number => {
      const simulation = forms.simulate(lossless(), { h: 0.01, integrators: [integrator] });
      for (let k = 0; k < 5000; k++) simulation.advance();
      return simulation.state[1] ** 2 + simulation.state[2] ** 2;
    };
    const first = 1 + 0.3 ** 2;
    expect(Math.abs(energy(within(0.5, 0.5)) - first)).toBeLessThan(1e-12);
    expect(Math.abs(energy(forms.eulerMoreau([0], 0.5, 1)) - first)).toBeGreaterThan(1e-6);
  });

  it('is of order 2 at θ = γ = ½, over diodes that open and close too', () => {
    // An equality keeps x₂ = cos t, for which λ = −sin t − x₁; x₁ follows x₁' = −x₁ + x₂.
    const held = (h: number, gamma: number): number => {
      const system = forms.linearFirstOrder(
        [
          [-1, 1],
          [1, 0],
        ],
        [1, 1],
      );
      const relation = {
        ...forms.linearRelation([[0, 1]], [[0], [1]]),
        isTimeDependent: true,
        output: (clock: Float64Array, x: Float64Array, _: Float64Array, y: Float64Array): void => {
          y[0] = x[1] - Math.cos(clock[0]);
        },
      };
      const simulation = forms.simulate(
        {
          systems: [forms.system('body', system)],
          interactions: [forms.interaction('hold', [0], relation, forms.equality())],
        },
        { h, integrators: [within(0.5, gamma)] },
      );
      while (simulation.time < 2 - h / 2) simulation.advance();
      // x₁ = ½ (cos t + sin t) + ½ e^{−t}
      return Math.abs(simulation.state[1] - 0.5 * (Math.cos(2) + Math.sin(2) + Math.exp(-2)));
    };
    expect(Math.log2(held(0.02, 0.5) / held(0.01, 0.5))).toBeGreaterThan(1.9);
    // The current of the diode is continuous, with a corner where it begins and ends.
    const orderOf = (integrator: AssignedIntegrator): number => {
      const load = (h: number): number => {
        const simulation = forms.simulate(rlcd(), { h, integrators: [integrator] });
        while (simulation.time < 1e-3 - h / 2) simulation.advance();
        return simulation.state[1];
      };
      const reference = load(2e-8);
      return Math.log2(Math.abs(load(4e-6) - reference) / Math.abs(load(5e-7) - reference)) / 3;
    };
    expect(orderOf(within(0.5, 0.5))).toBeGreaterThan(1.8);
    expect(orderOf(forms.eulerMoreau([0], 0.5, 1))).toBeLessThan(1.2);
  });

  it('goes on with the same bits where it is interrupted, with control of the step too', () => {
    for (const stepControl of [null, { tolerance: 1e-4, hMin: 1e-8, hMax: 2e-5 }]) {
      const settings = settingsFor([within(0.5, 0.5)], 2e-6, { stepControl, tEnd: 1e-3 });
      const straight = start(rlcd(), settings);
      let interrupted = start(rlcd(), settings);
      const random = seeded(5);
      for (let k = 0; k < 150; k++) {
        straight.advance();
        interrupted.advance();
        if (random.chance(0.3))
          interrupted = start(rlcd(), settings, structuredClone(interrupted.exportState()));
        expect(interrupted.state).toEqual(straight.state);
        expect(interrupted.certificate.report).toEqual(straight.certificate.report);
      }
      expect(straight.certificate.report.complementarity).toBeLessThan(1e-11);
      if (stepControl !== null) expect(straight.rejectedSteps).toBeGreaterThan(0);
    }
  });

  it('is judged: a law that holds at the end instead is no solution', () => {
    const simulation = forms.simulate(rlcd(), { h: 5e-6, integrators: [within(0.5, 0.5)] });
    const other = forms.simulate(rlcd(), { h: 5e-6, integrators: [forms.eulerMoreau([0], 0.5, 1)] });
    for (let k = 0; k < 100; k++) {
      other.advance();
      simulation.state.set(other.state);
      simulation.certificate.check(simulation.oneStep.active);
    }
    expect(simulation.certificate.report.complementarity).toBeGreaterThan(1e-3);
  });
});

/** ẋ of a pendulum with a source, y = h(t, x, λ) and r = g(t, x, λ), in scripts. */
function general(integrator: Record<string, number>): ModelDocument {
  const document = model(
    [{ id: 'system', type: 'FirstOrderNonLinear', n: 2, x0: [1, 0.5], f: { function: 'swing' } }],
    [
      {
        id: 'law',
        systems: ['system'],
        relation: {
          type: 'FirstOrderNonLinearR',
          size: 1,
          h: { function: 'output' },
          g: { function: 'input' },
        },
        law: { type: 'Complementarity' },
      },
    ],
    { h: 0.02, tEnd: 4 },
  );
  document.scripts = [
    {
      name: 'functions.ts',
      role: 'functions',
      source: [
        'export const swing: Rate = (t, x, out) => {',
        '  out[0] = x[1];',
        '  out[1] = -4 * Math.sin(x[0]) + Math.cos(3 * t);',
        '};',
        'export const output: Output = (t, x, lambda, out) => {',
        '  out[0] = x[1] + 0.1 * x[0] * x[0] + 0.3 * lambda[0] + 0.2 * Math.sin(t);',
        '};',
        'export const input: Input = (t, x, lambda, out) => {',
        '  out[0] = 0;',
        '  out[1] = lambda[0] * (1 + 0.2 * x[0] * x[0] + 0.1 * Math.cos(t));',
        '};',
      ],
    },
  ];
  document.simulation.integrators = [{ type: 'EulerMoreau', ...integrator }];
  document.simulation.problem = { type: 'auto' };
  return document;
}

describe('relations at γ that are not linear', () => {
  it.each([
    [0.5, 0.5],
    [1, 0.25],
  ])('hold within the step, with the input that they give there, θ = %d, γ = %d', (theta, gamma) => {
    const { column, session } = run(general({ theta, gamma }), {
      sandbox: () => createSandbox(() => undefined),
    });
    const [t, x0, x1] = [column('t'), column('system.x[0]'), column('system.x[1]')];
    const [y, lambda] = [column('law.y'), column('law.lambda')];
    const rate = (time: number, a: number): number => -4 * Math.sin(a) + Math.cos(3 * time);
    let pushed = 0;
    for (let k = 1; k < t.length; k++) {
      const h = t[k] - t[k - 1];
      const time = t[k - 1] + gamma * h;
      const mean = (values: Float64Array): number => gamma * values[k] + (1 - gamma) * values[k - 1];
      const [a, b] = [mean(x0), mean(x1)];
      const output = b + 0.1 * a * a + 0.3 * lambda[k] + 0.2 * Math.sin(time);
      expect(Math.abs(y[k] - output)).toBeLessThan(1e-9);
      expect(Math.abs(Math.min(y[k], lambda[k]))).toBeLessThan(1e-9);
      const input = lambda[k] * (1 + 0.2 * a * a + 0.1 * Math.cos(time));
      const change = h * (theta * rate(t[k], x0[k]) + (1 - theta) * rate(t[k - 1], x0[k - 1])) + h * input;
      expect(Math.abs(x1[k] - x1[k - 1] - change)).toBeLessThan(1e-9);
      if (lambda[k] > 0) pushed++;
    }
    expect(pushed).toBeGreaterThan(20);
    expect(pushed).toBeLessThan(180);
    expect(session.certificate.dynamics).toBeLessThan(1e-8);
    expect(session.certificate.complementarity).toBeLessThan(1e-8);
    const signal = session.signals.find(({ name }) => name === 'law.y');
    expect(signal?.description).toBe(`Output at t_{k+γ}, γ = ${gamma}, of law`);
  });
});

describe('settings that contradict γ', () => {
  it('names θr beside it', () => {
    const { issues } = reportDocument(general({ theta: 0.5, thetaR: 0.5, gamma: 0.5 }));
    const expected = { code: 'weights-contradict', pointer: '/simulation/integrators/0/thetaR' };
    expect(issues).toContainEqual(expect.objectContaining(expected));
    expect(issues.find(({ code }) => code === 'weights-contradict')?.remedy).toContain(
      'Leave out one of both',
    );
    const { issues: others } = reportDocument(general({ theta: 0.5, thetaR: 1, gamma: 0.5 }));
    expect(others).not.toContainEqual(expect.objectContaining({ code: 'weights-contradict' }));
  });

  it('names an interaction between systems of different γ', () => {
    const system = (id: string) => forms.system(id, forms.linearFirstOrder([[0]], [1]));
    const linked = {
      systems: [system('a'), system('b')],
      interactions: [
        forms.interaction(
          'link',
          [0, 1],
          forms.linearRelation([[1, 1]], [[1], [1]]),
          forms.complementarity(),
        ),
      ],
    };
    expect(() =>
      forms.simulate(linked, { h: 0.1, integrators: [within(0.5, 0.5, [0]), within(0.5, 0.6, [1])] }),
    ).toThrow(/different γ/);
  });
});
