/** Motion from event to event in steps of generalised-α. */
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { EventDrivenSettings } from '@engine/event-driven/settings';
import type { LagrangianForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { StepCheck } from '@engine/event-driven/certificate/step-check';
import { describe, expect, it } from 'vitest';
import { observedOrder } from '../support/order';
import {
  equality,
  frictionImpact,
  impact,
  interaction,
  lagrangianRelation,
  linearFirstOrder,
  linearLagrangian,
  linearRelation,
  relay,
  system,
} from '../support/forms';
import { ball, G, simulateEvents } from './support';

const inSteps = (
  model: NonSmoothDynamicalSystem,
  spectralRadius: number,
  settings: Partial<EventDrivenSettings> = {},
): EventDriven => simulateEvents(model, { flights: 'integrated', spectralRadius, ...settings });

/** θ̈ = −sin θ, from θ₀ at rest. */
function pendulumForm(theta: number): LagrangianForm {
  return {
    ...linearLagrangian([theta], [0], [[1]]),
    linear: null,
    force: (_clock, q, _v, out) => {
      out[0] = -Math.sin(q[0]);
    },
    forceJacobians: (_clock, q, _v, outQ, outV) => {
      outQ[0] = -Math.cos(q[0]);
      outV[0] = 0;
    },
  };
}

/** It swings against a wall at θ = −½. */
const againstWall: NonSmoothDynamicalSystem = {
  systems: [system('pendulum', pendulumForm(2))],
  interactions: [interaction('wall', [0], lagrangianRelation([[1]], [0.5]), impact(0.8))],
};

function finalState(simulation: EventDriven): Float64Array {
  simulation.run();
  return simulation.x.slice();
}

describe('a ball that bounces', () => {
  it.each([1, 0.5])('moves as exactly as by arcs, because flights are parabolas; ρ = %f', (rho) => {
    const exact = simulateEvents(ball(1, 0.8), { tEnd: 2 });
    const made = inSteps(ball(1, 0.8), rho, { tEnd: 2 });
    expect(finalState(made)[0]).toBeCloseTo(finalState(exact)[0], 12);
    expect(made.events.map(({ time }) => time.toFixed(11))).toEqual(
      exact.events.map(({ time }) => time.toFixed(11)),
    );
    expect(made.certificate.report.dynamics).toBeLessThan(1e-13);
  });

  it('comes to rest after infinitely many bounces', () => {
    const made = inSteps(ball(1, 0.5), 0.8, { tEnd: 2 });
    made.run();
    expect(made.isActive(0)).toBe(true);
    expect(Math.abs(made.x[0])).toBeLessThan(1e-15);
    // √(2/g), then twice that, halved each time
    const { accumulation } = made.events.find((event) => event.accumulation !== null)!;
    expect(accumulation!.time).toBeCloseTo(3 * Math.sqrt(2 / G), 10);
    expect(made.certificate.report.dynamics).toBeLessThan(1e-13);
  });
});

describe('a pendulum that strikes a wall', () => {
  const exact = finalState(simulateEvents(againstWall, { flights: 'integrated', tEnd: 10 }));

  it.each([1, 0.8, 0.5, 0])('is of order 2 in h, impacts included; ρ = %f', (rho) => {
    const steps = [0.02, 0.01, 0.005, 0.0025];
    const errors = steps.map((h) => {
      const made = inSteps(againstWall, rho, { h, tEnd: 10 });
      const x = finalState(made);
      expect(made.certificate.report.dynamics).toBeLessThan(1e-12);
      return Math.hypot(x[0] - exact[0], x[1] - exact[1]);
    });
    expect(Math.abs(observedOrder(steps, errors) - 2)).toBeLessThan(0.05);
  });
});

/** A point of unit mass at distance 1 from the origin, as a pendulum in x and y, from x = 1 at rest. */
const onCircle: NonSmoothDynamicalSystem = {
  systems: [
    system(
      'point',
      linearLagrangian(
        [1, 0],
        [0, 0],
        [
          [1, 0],
          [0, 1],
        ],
        { force: [0, -G] },
      ),
    ),
  ],
  interactions: [
    interaction(
      'rod',
      [0],
      {
        ...lagrangianRelation([[1, 0]]),
        isAffine: false,
        C: null,
        output: (_clock, q, _lambda, out) => {
          out[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1);
        },
        outputJacobians: (_clock, q, _lambda, outC) => {
          outC[0] = q[0];
          outC[1] = q[1];
        },
      },
      equality(),
    ),
  ],
};

describe('outputs that are kept at zero', () => {
  it.each([1, 0.8, 0])('a rod holds to rounding, and the order is 2; ρ = %f', (rho) => {
    const exact = finalState(simulateEvents(onCircle, { flights: 'integrated', tEnd: 2 }));
    const steps = [0.01, 0.005, 0.0025, 0.00125];
    const errors = steps.map((h) => {
      const made = inSteps(onCircle, rho, { h, tEnd: 2 });
      const x = finalState(made);
      expect(Math.abs(Math.hypot(x[0], x[1]) - 1)).toBeLessThan(1e-12);
      expect(made.certificate.report.dynamics).toBeLessThan(1e-12);
      return Math.hypot(...x.map((value, k) => value - exact[k]));
    });
    expect(Math.abs(observedOrder(steps, errors) - 2)).toBeLessThan(0.05);
  });

  it('a block that slides stops by friction where it should', () => {
    // v₀²/(2 μ g), after v₀/(μ g)
    const model: NonSmoothDynamicalSystem = {
      systems: [
        system(
          'block',
          linearLagrangian(
            [0, 0],
            [3, 0],
            [
              [1, 0],
              [0, 1],
            ],
            { force: [0, -G] },
          ),
        ),
      ],
      interactions: [
        interaction(
          'floor',
          [0],
          lagrangianRelation([
            [0, 1],
            [1, 0],
          ]),
          frictionImpact(0.5),
        ),
      ],
    };
    const made = inSteps(model, 0.8, { tEnd: 1 });
    const x = finalState(made);
    expect(x[0]).toBeCloseTo(9 / G, 12);
    expect(x[2]).toBe(0);
    expect(made.certificate.report.dynamics).toBeLessThan(1e-12);
  });
});

describe('a state that is saved', () => {
  it('goes on with the same bits, and with the steps of a motion that was not saved', () => {
    const settings = { h: 0.01, tEnd: 2 };
    const whole = inSteps(againstWall, 0.5, settings);
    const expected = finalState(whole);
    const first = inSteps(againstWall, 0.5, settings);
    while (first.startingTime < 0.995) first.computeOneStep();
    const saved = first.exportState();
    const second = inSteps(againstWall, 0.5, settings);
    second.loadState(structuredClone(saved));
    expect(finalState(second)).toEqual(finalState(first));
    expect(second.certificate.report.dynamics).toBeLessThan(1e-12);
    expect(first.certificate.report.dynamics).toBeLessThan(1e-12);
    // With an algorithmic acceleration that had begun afresh it would be off by 1e-6.
    second.x.forEach((value, k) => {
      expect(Math.abs(value - expected[k])).toBeLessThan(1e-13);
    });
  });
});

describe('a circuit with a switch beside a mass', () => {
  // a damped circuit whose current a relay works against, and q̈ = −4 q
  const model: NonSmoothDynamicalSystem = {
    systems: [
      system(
        'voltage',
        linearFirstOrder(
          [
            [0, 1],
            [-4, -0.1],
          ],
          [1, 0],
        ),
      ),
      system('mass', linearLagrangian([1], [0], [[1]], { stiffness: [[4]] })),
    ],
    interactions: [interaction('switch', [0], linearRelation([[0, 1]], [[0], [1]]), relay(-0.5, 0.5))],
  };

  it.each([1, 0.5])('is of order 2 in both, switching included; ρ = %f', (rho) => {
    const exact = finalState(simulateEvents(model, { tEnd: 3 }));
    const steps = [0.02, 0.01, 0.005, 0.0025];
    const errors = steps.map((h) => {
      const made = inSteps(model, rho, { h, tEnd: 3 });
      const x = finalState(made);
      expect(made.certificate.report.dynamics).toBeLessThan(1e-12);
      return Math.hypot(...x.map((value, k) => value - exact[k]));
    });
    expect(Math.abs(observedOrder(steps, errors) - 2)).toBeLessThan(0.05);
  });
});

describe('the certificate of a step', () => {
  const model: NonSmoothDynamicalSystem = {
    systems: [system('mass', linearLagrangian([1], [0], [[2]], { stiffness: [[8]] }))],
    interactions: [],
  };
  const h = 0.1;

  /** Worst defect of two steps of q̈ = −4 q at ρ = ½, with what is done to their states. */
  function defect(change: (step: number, x: number[]) => void, restarts = false): number {
    // α_m = 0, α_f = 1/3, γ = 5/6, β = 4/9, solved for q₁ by hand
    const states = [[1, 0]];
    let a = -4;
    for (let k = 0; k < 2; k++) {
      const [q, v] = states[k];
      const offset = q + h * v + h * h * ((1 / 18) * a + (4 / 9) * (1 / 3) * -4 * q);
      const q1 = offset / (1 + h * h * (4 / 9) * (2 / 3) * 4);
      const a1 = (2 / 3) * -4 * q1 + (1 / 3) * -4 * q;
      states.push([q1, v + h * ((1 / 6) * a + (5 / 6) * a1)]);
      a = restarts ? -4 * q1 : a1;
    }
    states.forEach((x, k) => {
      change(k, x);
    });
    let worst = 0;
    const places = placeState(model);
    const stretch = new Float64Array(2);
    const check = new StepCheck(
      model,
      places,
      {
        stretch,
        stepLength: h,
        x: new Float64Array(2),
        sample: (place, out) => {
          out.set(states[Math.round((stretch[0] + place[0]) / h)]);
        },
      },
      {
        write: (clock, x, row) => {
          row.set([clock[0], x[0]], 0);
          row[places.v] = x[1];
        },
      },
      { motion: (value) => (worst = Math.max(worst, value)) },
      0.5,
      { t0: 0, h },
    );
    check.begin();
    for (const start of [0, h]) {
      stretch.set([start, h]);
      check.judge();
    }
    return worst;
  }

  it('accepts what the equations of the method give', () => {
    expect(defect(() => undefined)).toBeLessThan(1e-15);
  });

  it('objects to a position or a velocity that is off', () => {
    expect(
      defect((step, x) => {
        if (step === 2) x[0] += 1e-9;
      }),
    ).toBeGreaterThan(1e-10);
    expect(
      defect((step, x) => {
        if (step === 2) x[1] += 1e-9;
      }),
    ).toBeGreaterThan(1e-10);
  });

  it('objects to an algorithmic acceleration that begins afresh without an event', () => {
    expect(defect(() => undefined, true)).toBeGreaterThan(1e-4);
  });
});

describe('a bar that rests pressed against a stop', () => {
  it('is advanced although the force that the stop takes is nothing but rounding in the equations', () => {
    // The bar of the gallery, on the mesh of which the tip stays at the wall while nothing moves any more.
    const n = 40;
    const k = (210e9 * 3.14e-4) / (1 / (n - 1));
    const m = (7800 * 3.14e-4 * 1) / (n - 1);
    const diagonal = (i: number): number => (i === 0 || i === n - 1 ? 1 : 2);
    const matrix = (entry: (i: number, j: number) => number): number[][] =>
      Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => entry(i, j)));
    const bar = linearLagrangian(
      new Array<number>(n).fill(0),
      new Array<number>(n).fill(-0.1),
      matrix((i, j) => (i === j ? 0.5 * m * diagonal(i) : 0)),
      { stiffness: matrix((i, j) => (i === j ? k * diagonal(i) : Math.abs(i - j) === 1 ? -k : 0)) },
    );
    const tip = [Array.from({ length: n }, (_, i) => (i === 0 ? 1 : 0))];
    const model: NonSmoothDynamicalSystem = {
      systems: [system('bar', bar)],
      interactions: [interaction('wall', [0], lagrangianRelation(tip, [5e-5]), impact(0))],
    };
    const made = inSteps(model, 0, { h: 4e-6, tEnd: 1.5e-3 });
    finalState(made);
    expect(made.events.some(({ kind }) => kind === 'takeOff')).toBe(true);
    expect(made.certificate.report.dynamics).toBeLessThan(1e-12);
  });
});

describe('a stiff chain that is pressed together and hardly moves', () => {
  it('is advanced although rounding of its springs is larger than its velocities', () => {
    // Thirty masses of 1 kg on springs of 1e10 N/m, pushed at one end: all that swings dies out.
    const n = 30;
    const K = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (__, j) => 1e10 * (i === j ? 2 : Math.abs(i - j) === 1 ? -1 : 0)),
    );
    const unit = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => (i === j ? 1 : 0)));
    const zero = new Array<number>(n).fill(0);
    const force = [...zero.slice(1), -1e6];
    const chain = system('chain', linearLagrangian(zero, zero, unit, { stiffness: K, force }));
    const made = inSteps({ systems: [chain], interactions: [] }, 0, { h: 0.01, tEnd: 5 });
    const x = finalState(made);
    // K q = F: the springs share the force between the two walls.
    x.slice(0, n).forEach((q, i) => {
      expect(q).toBeCloseTo((-1e6 / 1e10) * ((i + 1) / (n + 1)), 12);
    });
    // In the first step accelerations of 1e6 m/s² over (10 ms)² cancel to a tenth of a millimetre.
    expect(made.certificate.report.dynamics).toBeLessThan(1e-9);
  });
});
