/**
 * Steps with contact forces and impacts at their ends: against the scheme by the book with enumeration of its
 * complementarity problems, orders along straight and curved constraints, friction, the certificate against
 * planted errors, and refusals.
 */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import type { LawForm } from '@engine/model/forms';
import { examine } from '@engine/inspection/examine';
import { createSandbox } from '@engine/script/sandbox';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import { sample } from '../../support/prove';
import { byGalerkinSteps, fallingBall, sliderInGuide } from '../../peer/d1-models';
import { rockingBlock } from '../../peer/mechanisms';
import { identity } from '../support/dense';
import * as forms from '../support/forms';
import {
  BESIDE_IMPACTS,
  LEVELS,
  type Level,
  angleAt,
  bob,
  built,
  galerkin,
  joint,
  randomModel,
  statesOf,
  stepByTheBook,
  worstOf,
} from '../support/galerkin-steps';
import { settingsFor, start } from '../support/live';
import { observedOrder } from '../support/order';
import { refusal, run, runFailure } from '../support/run';

describe('steps with contact forces', () => {
  it.each(LEVELS)('are those of the book (%s)', (level) => {
    const count = sample(40, 10_000);
    for (let seed = 0; seed < count; seed++) {
      const { linear, q, v } = randomModel(seed);
      const h = 2e-3;
      const besideImpacts = BESIDE_IMPACTS[seed % 2];
      const integrator = galerkin([0], level, { besideImpacts }, 0);
      const simulation = start(built(linear, q, v), settingsFor([integrator], h));
      // From the recorded state on, so that one bit of rounding decides about no contact for both.
      for (let k = 0; k < 150; k++) {
        const { q: before, v: speeds } = statesOf(simulation);
        const expected = stepByTheBook(linear, before, speeds, h, level, besideImpacts);
        simulation.advance();
        const { q: after, v: rates } = statesOf(simulation);
        after.forEach((x, i) => {
          expect(Math.abs(x - expected.q[i])).toBeLessThan(1e-11);
        });
        rates.forEach((x, i) => {
          expect(Math.abs(x - expected.v[i])).toBeLessThan(1e-9);
        });
      }
      expect(worstOf(simulation)).toBeLessThan(1e-9);
    }
  });

  it('follow a ball that falls, to rounding, until it meets the floor', () => {
    const h = 0.01;
    const { column: read } = run(fallingBall({ h, steps: 40 }, 0.5).document);
    read('ball.q').forEach((q, k) => {
      expect(Math.abs(q - (1 - (9.81 * (k * h) ** 2) / 2))).toBeLessThan(1e-14);
    });
  });
});

const STEPS = [4e-3, 2e-3, 1e-3, 5e-4];

/** Distance of the bob from where it should be, over half a second in which the string is taut. */
const errors = (law: () => LawForm, level: Level, choices?: Record<string, string>): number[] => {
  const theta = angleAt(0.48);
  return STEPS.map((h) => {
    const simulation = bob(law(), h, level, choices, undefined, -0.3);
    for (let k = 0; k < Math.round(0.48 / h); k++) simulation.advance();
    const [x, y] = statesOf(simulation).q;
    expect(worstOf(simulation)).toBeLessThan(1e-11);
    return Math.hypot(x - Math.cos(theta), y - Math.sin(theta));
  });
};

describe('friction', () => {
  /** A mass on a plane in space, pulled along it. */
  const pulled = (level: Level, velocity: number[], pull: number[]): TimeStepping => {
    const H = [
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ];
    const mass = H.map((_, i) => H.map((__, j) => (i === j ? 2 : 0)));
    const form = forms.linearLagrangian([0, 0, 0], [...velocity, 0], mass, { force: [...pull, -20] });
    return start(
      {
        systems: [forms.system('mass', form)],
        interactions: [
          forms.interaction('plane', [0], forms.lagrangianRelation(H), {
            ...forms.frictionImpact(0.3, 0.4),
            size: 3,
            rows: [...forms.frictionImpact(0.3, 0.4).rows, ...forms.frictionImpact(0.3, 0.4).rows.slice(1)],
          }),
        ],
      },
      settingsFor([galerkin([0], level)], 1e-3),
    );
  };

  it.each(LEVELS)('slows a mass down by μ g, and holds it (%s)', (level) => {
    const simulation = pulled(level, [0.6, 0.8], [0, 0]);
    for (let k = 1; k <= 600; k++) {
      simulation.advance();
      const speed = Math.max(0, 1 - 3 * k * 1e-3);
      const { v } = statesOf(simulation);
      expect(Math.abs(v[0] - 0.6 * speed) + Math.abs(v[1] - 0.8 * speed)).toBeLessThan(1e-9);
    }
    expect(worstOf(simulation)).toBeLessThan(1e-9);
  });

  it.each(LEVELS)('holds a mass below μ m g and no further (%s)', (level) => {
    for (const [pull, acceleration] of [
      [5.9, 0],
      [6.4, 0.2],
    ]) {
      const simulation = pulled(level, [0, 0], [0.6 * pull, -0.8 * pull]);
      for (let k = 0; k < 200; k++) simulation.advance();
      const { v } = statesOf(simulation);
      expect(Math.hypot(v[0], v[1])).toBeCloseTo(0.2 * acceleration, 9);
      expect(worstOf(simulation)).toBeLessThan(1e-9);
    }
  });
});

describe('contacts', () => {
  const balls = (q: number[], v: number[], level: Level, besideImpacts: string): TimeStepping =>
    start(
      {
        systems: q.map((height, i) =>
          forms.system(`b${i}`, forms.linearLagrangian([height], [v[i]], [[1]], { force: [-10] })),
        ),
        interactions: q.map((_, i) =>
          forms.interaction(`f${i}`, [i], forms.lagrangianRelation([[1]]), forms.impact(0.5)),
        ),
      },
      settingsFor([galerkin([0, 1], level, { besideImpacts })], 1e-3),
    );

  it.each(LEVELS)('that approach at the start strike (%s)', (level) => {
    for (const besideImpacts of ['kept', 'dropped']) {
      const simulation = balls([0, 0], [-1, 0], level, besideImpacts);
      simulation.advance();
      // A force on accelerations holds the weight until the impact at the end of the step.
      const weight = level === 'velocity' ? 10 * 1e-3 : 0;
      expect(Math.abs(statesOf(simulation).v[0] - 0.5 * (1 + weight))).toBeLessThan(1e-14);
      expect(worstOf(simulation)).toBeLessThan(1e-12);
    }
  });

  it.each(LEVELS)('that rest go on resting while others strike (%s)', (level) => {
    const fastest = (besideImpacts: string): number => {
      const simulation = balls([0, 0.1], [0, 0], level, besideImpacts);
      let most = 0;
      for (let k = 0; k < 1000; k++) {
        simulation.advance();
        most = Math.max(most, statesOf(simulation).v[0]);
      }
      expect(simulation.events).toBeGreaterThan(4);
      expect(worstOf(simulation)).toBeLessThan(1e-12);
      return most;
    };
    expect(fastest('kept')).toBeLessThan(1e-15);
    expect(fastest('dropped')).toBeGreaterThan(4e-3);
  });
});

describe('orders', () => {
  it.each(LEVELS)('are 2 along a joint that is curved (%s)', (level) => {
    expect(observedOrder(STEPS, errors(joint, level))).toBeGreaterThan(1.9);
  });

  it.each(LEVELS)('are 2 along a contact that is curved (%s)', (level) => {
    expect(
      observedOrder(
        STEPS,
        errors(() => forms.impact(0), level),
      ),
    ).toBeGreaterThan(1.9);
  });

  it('is 1 where forces of both halves point as at the end', () => {
    const order = observedOrder(STEPS, errors(joint, 'velocity', { direction: 'predicted' }));
    expect(order).toBeGreaterThan(0.9);
    expect(order).toBeLessThan(1.2);
  });

  it.each(LEVELS)('are 2 with a mass that depends on positions (%s)', (level) => {
    const at = (steps: number): number => {
      const { column: read } = run(
        byGalerkinSteps(sliderInGuide({ h: 2.4e-3 / steps, steps }, 0.4).document, level),
        { sandbox: createSandbox },
      );
      expect(Math.min(...read('leftBelow.gap'))).toBeGreaterThan(0);
      return read('crank.q[1]')[steps];
    };
    const exact = at(6400);
    const counts = [50, 100, 200, 400];
    const order = observedOrder(
      counts.map((steps) => 1 / steps),
      counts.map((steps) => Math.abs(at(steps) - exact)),
    );
    expect(order).toBeGreaterThan(1.9);
  });
});

describe('friction', () => {
  const slide = (h: number): TimeStepping =>
    start(
      {
        systems: [
          forms.system('block', forms.linearLagrangian([0, 0], [3, 0], identity(2), { force: [0, -10] })),
        ],
        interactions: [
          forms.interaction(
            'floor',
            [0],
            forms.lagrangianRelation([
              [0, 1],
              [1, 0],
            ]),
            forms.frictionImpact(0.5),
          ),
        ],
      },
      settingsFor([galerkin([0], 'velocity')], h),
    );

  it('brakes a block by μ g and holds it', () => {
    const simulation = slide(0.01);
    for (let k = 0; k < 50; k++) simulation.advance();
    const [x] = statesOf(simulation).q;
    // 3 t − ½ μ g t², exact for a force that is constant.
    expect(Math.abs(x - (1.5 - 0.5 * 5 * 0.25))).toBeLessThan(1e-13);
    for (let k = 0; k < 50; k++) simulation.advance();
    expect(Math.abs(statesOf(simulation).v[0])).toBeLessThan(1e-13);
    expect(Math.abs(statesOf(simulation).q[0] - 0.9)).toBeLessThan(1e-3);
    expect(worstOf(simulation)).toBeLessThan(1e-12);
  });
});

describe('the balance of energy', () => {
  it('has the work of friction', () => {
    const document: ModelDocument = {
      ...fallingBall({ h: 1e-3, steps: 400 }, 0).document,
      systems: [
        {
          id: 'ball',
          type: 'LagrangianLinearTI',
          ndof: 2,
          mass: [
            [1, 0],
            [0, 1],
          ],
          fExt: [0, -10],
          q0: [0, 0],
          v0: [3, 0],
        },
      ],
      interactions: [
        {
          id: 'floor',
          systems: ['ball'],
          relation: {
            type: 'LagrangianLinear',
            H: [
              [0, 1],
              [1, 0],
            ],
          },
          law: { type: 'NewtonImpactFriction', e: 0, mu: 0.5 },
        },
      ],
    };
    const { session } = run(byGalerkinSteps(document, 'velocity'));
    expect(session.energyDrift).toBeLessThan(1e-13);
  });
});

describe('a run that is interrupted', () => {
  it.each(LEVELS)('goes on with the same bits (%s)', (level) => {
    const law = (): LawForm => forms.impact(0.4);
    const straight = bob(law(), 5e-3, level);
    let other = bob(law(), 5e-3, level);
    for (let k = 0; k < 400; k++) {
      straight.advance();
      other.advance();
      if (k % 37 !== 5) continue;
      other = bob(law(), 5e-3, level, {}, structuredClone(other.exportState()));
      expect(Array.from(other.state)).toEqual(Array.from(straight.state));
    }
    expect(straight.events).toBeGreaterThan(2);
    expect(other.certificate.report).toEqual(straight.certificate.report);
  });

  it('keeps its order where step control changes its steps', () => {
    const { document } = fallingBall({ h: 1e-2, steps: 200 }, 0.6);
    const controlled: ModelDocument = {
      ...document,
      simulation: { ...document.simulation, stepControl: { tolerance: 1e-4, hMin: 1e-6, hMax: 2e-2 } },
    };
    const { session, column: read } = run(controlled);
    // The first impact at √(2/g), located to within the smallest step; v there is 4.43 m/s.
    const [t, v] = [read('t'), read('ball.v')];
    const first = v.findIndex((speed, k) => k > 0 && speed > 0);
    expect(Math.abs(t[first] - Math.sqrt(2 / 9.81))).toBeLessThan(1e-4);
    expect(Math.abs(v[first] - 0.6 * Math.sqrt(2 * 9.81))).toBeLessThan(1e-2);
    expect(session.certificate.dynamics).toBeLessThan(1e-12);
  });
});

describe('the certificate', () => {
  const models: readonly [string, () => ModelDocument][] = [
    [
      'a rocking block',
      () =>
        rockingBlock({
          ...{ name: 'block', h: 1e-3, steps: 600, halfWidth: 0.1, halfHeight: 0.3, slope: 0, angle: 0.05 },
          ...{ gap: 0.01, v0: [0, 0, 0], eLeft: 0.3, eRight: 0 },
        }).document,
    ],
    ['a slider in its guide', () => sliderInGuide({ h: 2e-5, steps: 2000 }, 0.4).document],
  ];

  it.each(models.flatMap(([name, of]) => LEVELS.map((level) => [name, level, of] as const)))(
    'of %s is that of rounding (%s)',
    (_name, level, of) => {
      const { session } = run(byGalerkinSteps(of(), level), { sandbox: createSandbox });
      const { dynamics, complementarity, coneViolation } = session.certificate;
      expect(dynamics).toBeLessThan(1e-13);
      expect(complementarity).toBeLessThan(1e-10);
      expect(coneViolation).toBeLessThan(1e-10);
      expect(session.events).toBeGreaterThan(2);
    },
  );

  const planted = (
    level: Level,
    spoil: (simulation: TimeStepping) => void,
    law = forms.impact(0.2),
  ): number => {
    const simulation = bob(law, 5e-3, level);
    const check = simulation.certificate.check.bind(simulation.certificate);
    simulation.certificate.check = (word) => {
      if (simulation.step > 60) spoil(simulation);
      return check(word);
    };
    for (let k = 0; k < 200; k++) simulation.advance();
    return worstOf(simulation);
  };

  it.each<[string, (simulation: TimeStepping) => void]>([
    ['moves positions', ({ state, context: { q } }) => (state[q] += 1e-7)],
    ['changes velocities', ({ state, context: { v } }) => (state[v + 1] += 1e-6)],
    [
      'records another impulse',
      ({ state, context, rows }) => {
        state[context.v + context.size + 2 * rows.count] *= 1.001;
      },
    ],
  ])('finds a step that %s', (_name, spoil) => {
    for (const level of LEVELS) {
      expect(planted(level, () => undefined)).toBeLessThan(1e-12);
      expect(planted(level, spoil)).toBeGreaterThan(1e-8);
    }
  });
});

describe('what these steps cannot treat is refused by its name', () => {
  const base = fallingBall({ h: 1e-3, steps: 10 }, 0.5).document;
  const beside = (
    integrators: ModelDocument['simulation']['integrators'],
    interactions: ModelDocument['interactions'],
    more: ModelDocument['systems'] = [],
  ): ModelDocument => ({
    ...base,
    systems: [...base.systems, ...more],
    interactions,
    simulation: { ...base.simulation, integrators },
  });
  const floor = (law: ModelDocument['interactions'][number]['law']): ModelDocument['interactions'] => [
    { id: 'floor', systems: ['ball'], relation: { type: 'LagrangianLinear', H: [[1]] }, law },
  ];

  const issueOf = (document: ModelDocument): DocumentIssue | undefined => {
    expect(() => run(document)).toThrow();
    return examine(document, undefined).report.issues.find(({ severity }) => severity === 'error');
  };

  it.each<[string, ModelDocument['interactions'][number]['law']]>([
    ['a relay', { type: 'Relay', lower: [-1], upper: [1], level: 'velocity' }],
    ['a stop on positions', { type: 'Complementarity' }],
    ['a joint on positions', { type: 'Equality', level: 'position' }],
  ])('%s', (_name, law) => {
    const document = beside([{ type: 'D1MinusLinear' }], floor(law));
    expect(issueOf(document)).toMatchObject({ code: 'law-without-forces', pointer: '/interactions/0/law' });
  });

  it('systems of which some are advanced otherwise', () => {
    const other = { ...base.systems[0], id: 'other' };
    const document = beside(
      [{ type: 'D1MinusLinear', systems: ['ball'] }, { type: 'MoreauJean' }],
      base.interactions,
      [other],
    );
    expect(issueOf(document)).toMatchObject({
      code: 'integrators-apart',
      pointer: '/simulation/integrators',
      element: 'other',
    });
  });

  it('interactions that come and go', () => {
    const [one] = base.interactions;
    const document = beside(
      [{ type: 'D1MinusLinear' }],
      [{ ...one, while: { type: 'Condition', condition: ['1 - t'] } }],
    );
    expect(refusal(document).message).toMatch(/“floor” comes and goes by its condition; half-explicit/);
  });

  it('a mass that becomes singular, with the time', () => {
    const { error } = runFailure(
      {
        ...base,
        systems: [
          {
            id: 'ball',
            type: 'LagrangianNonLinear',
            ndof: 1,
            mass: { function: 'mass' },
            fExt: [-9.81],
            q0: [1],
            v0: [0],
          },
        ],
        simulation: { ...base.simulation, tEnd: 1 },
        scripts: [
          {
            name: 'functions.ts',
            role: 'functions',
            source: ['export const mass: MassMatrix = (q, out) => {', '  out[0] = q[0] < 0.5 ? 0 : 1;', '};'],
          },
        ],
      },
      { sandbox: createSandbox },
    );
    expect(error).toMatchObject({ code: 'iteration-matrix-singular', where: 'ball' });
    expect(error.message).toMatch(/t = 0\.3/);
  });
});
