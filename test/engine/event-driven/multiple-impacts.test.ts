/** Laws of impacts at several contacts at once in models that are simulated from event to event. */
import type { ModelDocument } from '@engine/document/types';
import { EventCertificate } from '@engine/event-driven/certificate/certificate';
import { placeState } from '@engine/model/state-places';
import { reportDocument } from '@engine/preparation/report';
import { describe, expect, it } from 'vitest';
import { kineticEnergy, momentum } from '../impacts/chains';
import { elasticChain, lossyChain } from '../impacts/spring-chain';
import { impact, interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { expectClose, type Impacts, last, poissonOfThree, worst } from '../support/impacts';
import { expectComplete, expectSentence } from '../support/issues';
import { contact, example, model, particle } from '../support/models';
import { refusal, run, type Run, runFailure } from '../support/run';
import { simulateEvents } from './support';

interface Chain {
  masses: readonly number[];
  restitution?: readonly number[];
  stiffness?: readonly number[];
}

/** The gallery's three balls under a law of impacts. */
function threeBalls(impacts: Impacts | undefined, e = 1): ModelDocument {
  const document = example('three-balls');
  if (impacts !== undefined) document.simulation.impacts = impacts;
  for (const parameter of document.parameters) if (parameter.name === 'e') parameter.value = e;
  return document;
}

/** Balls on a line that touch, the first of which moves at 1 m/s. */
function chain({ masses, restitution, stiffness }: Chain, impacts: Impacts): ModelDocument {
  const document = model(
    masses.map((mass, k) => particle(`ball${k}`, 0, k === 0 ? 1 : 0, { mass: [[mass]] })),
    masses.slice(1).map((_, k) => {
      const made = contact(`contact${k}`, [`ball${k}`, `ball${k + 1}`], [[-1, 1]], restitution?.[k] ?? 1);
      if (stiffness !== undefined) made.law.stiffness = stiffness[k];
      return made;
    }),
    { tEnd: 0.1, h: 0.1 },
  );
  document.simulation.scheme = 'event-driven';
  document.simulation.problem = { type: 'auto' };
  document.simulation.impacts = impacts;
  return document;
}

const speeds = (result: Run, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, k) => last(result, `ball${k}.v`));

describe('three equal balls of a document, of which the first meets the other two', () => {
  it.each<[string, Impacts | undefined, number[], number]>([
    ['nothing', undefined, [-1 / 3, 2 / 3, 2 / 3], 1e-14],
    ['Newton', { type: 'Newton' }, [-1 / 3, 2 / 3, 2 / 3], 1e-14],
    ['Poisson', { type: 'Poisson' }, [-1 / 3, 2 / 3, 2 / 3], 1e-14],
    ['Sequential', { type: 'Sequential' }, [0, 0, 1], 1e-14],
    ['Energetic', { type: 'Energetic' }, [-0.07095, 0.0764, 0.99455], 6e-6],
  ])('by %s', (_, impacts, expected, tolerance) => {
    const result = run(threeBalls(impacts));
    expectClose(speeds(result, 3), expected, tolerance);
    expect(worst(result)).toBeLessThan(1e-11);
  });

  it.each(['Newton', 'Poisson', 'Sequential', 'Energetic'])(
    'move as one without restitution, by %s',
    (type) => expectClose(speeds(run(threeBalls({ type }, 0)), 3), [1 / 3, 1 / 3, 1 / 3], 1e-10),
  );
});

describe('the energy-based law in a document', () => {
  it('gives a chain the velocities of springs that are integrated in time', () => {
    const springs = { masses: [1, 2, 0.7, 1.5], stiffness: [1, 3, 0.5], exponent: 1.5 };
    const { velocities, hasRecontact } = elasticChain(springs, Float64Array.of(1, 0, 0, 0), 5e-4);
    expect(hasRecontact).toBe(false);
    const result = run(chain(springs, { type: 'Energetic' }));
    expectClose(speeds(result, 4), velocities, 1e-8);
    expect(worst(result)).toBeLessThan(1e-10);
  });

  it('with losses and linear springs, too, and loses what they lose', () => {
    const springs = { masses: [1, 1.5, 0.8], stiffness: [1, 2], exponent: 1 };
    const restitution = [0.8, 0.6];
    const { velocities, work } = lossyChain(springs, restitution, Float64Array.of(1, 0, 0), 1e-4);
    const result = run(chain({ ...springs, restitution }, { type: 'Energetic', exponent: 1 }));
    const v = speeds(result, 3);
    expectClose(v, velocities, 1e-6);
    expect(Math.abs(momentum(springs.masses, v) - 1)).toBeLessThan(1e-14);
    const lost = restitution.reduce((sum, e, k) => sum + (1 - e * e) * work[k], 0);
    expect(Math.abs(0.5 - kineticEnergy(springs.masses, v) - lost)).toBeLessThan(1e-6);
    // The certificate asks the same of the law's own work.
    expect(worst(result)).toBeLessThan(1e-10);
  });

  it('depends on ratios of stiffness only', () => {
    const of = (stiffness: number[]): Float64Array =>
      speeds(run(chain({ masses: [1, 1, 1], stiffness }, { type: 'Energetic' })), 3);
    expectClose(of([1e7, 3e7]), of([1, 3]), 1e-13);
    expect(Math.abs(of([1, 3])[0] - of([1, 1])[0])).toBeGreaterThan(1e-3);
  });

  it.each(['Energetic', 'Sequential'])('%s sees two balls that are joined as one', (type) => {
    const masses = [1, 0.5, 1.5, 1];
    const joined = chain({ masses }, { type });
    joined.interactions[1].law = { type: 'Equality' };
    const result = run(joined);
    const single = run(chain({ masses: [1, 2, 1] }, { type }));
    expectClose(
      speeds(result, 4).filter((_, k) => k !== 2),
      speeds(single, 3),
      1e-10,
    );
    expect(last(result, 'ball2.v')).toBeCloseTo(last(result, 'ball1.v'), 14);
    expect(worst(result)).toBeLessThan(1e-10);
  });

  it.each(['Energetic', 'Sequential'])('%s stops a joint that moves at the start', (type) => {
    const balls = chain({ masses: [1, 1, 1] }, { type });
    balls.interactions[0].law = { type: 'Equality' };
    // Ball 0 and 1 become one of 2 kg at 0.5 m/s, which meets ball 2.
    const result = run(balls);
    expectClose(speeds(result, 3), [1 / 6, 1 / 6, 2 / 3], 1e-10);
    // The energy that the joint takes is none that the law would have to keep.
    expect(worst(result)).toBeLessThan(1e-10);
  });

  it.each(['Energetic', 'Sequential'])('%s stops a joint where no contact is closed', (type) => {
    const balls = chain({ masses: [1, 3] }, { type });
    balls.interactions[0].law = { type: 'Equality' };
    const result = run(balls);
    expectClose(speeds(result, 2), [1 / 4, 1 / 4], 1e-15);
    expect(worst(result)).toBeLessThan(1e-14);
  });

  it('repeats its bits', () => {
    const document = chain({ masses: [1, 2, 3], restitution: [0.7, 0.9] }, { type: 'Energetic' });
    expect(speeds(run(document), 3)).toEqual(speeds(run(document), 3));
  });
});

it.each(['Newton', 'Poisson'])('balls that push and never move have no defect by %s', (type) => {
  const against = chain({ masses: [1, 0.7, 1.3] }, { type });
  against.systems.forEach((ball, k) => (ball.q0 = [k]));
  for (const { relation } of against.interactions) relation.b = [-1];
  against.interactions.push(contact('wall', ['ball2'], [[-1]], 1, [2]));
  const result = run(against);
  // What rests against the wall stands like one, and what rounding leaves of its speeds is no measure of
  // anything.
  expectClose(speeds(result, 3), [-1, 0, 0], 1e-14);
  expect(worst(result)).toBeLessThan(1e-14);
});

it('Poisson’s law is compression and expansion over all contacts, each a problem of its own', () => {
  const masses = [1, 3, 2] as const;
  const restitution = [0.9, 0.2] as const;
  const result = run(chain({ masses, restitution }, { type: 'Poisson' }));
  expectClose(speeds(result, 3), poissonOfThree(masses, restitution), 1e-13);
  expect(worst(result)).toBeLessThan(1e-13);
});

describe('balls that fall onto a row at rest', () => {
  /** Ball 2 lies on the ground, ball 1 on it, and ball 0 falls on both. */
  const column = (e: number, type: 'Energetic' | 'Sequential') => {
    const ball = (k: number): ReturnType<typeof system> =>
      system(`ball${k}`, linearLagrangian([k === 0 ? 0.3 : 0], [0], [[1]], { force: [-9.81] }));
    const between = (k: number): ReturnType<typeof interaction> =>
      interaction(`contact${k}`, [k, k + 1], lagrangianRelation([[1, -1]]), impact(e));
    const ground = interaction('ground', [2], lagrangianRelation([[1]]), impact(e));
    const impacts =
      type === 'Energetic'
        ? ({ type, exponent: 1.5, tolerance: 1e-11, maxSteps: 1e6 } as const)
        : ({ type, maxImpacts: 1e5 } as const);
    return simulateEvents(
      { systems: [0, 1, 2].map(ball), interactions: [between(0), between(1), ground] },
      { tEnd: 3, impacts },
    );
  };

  it.each(['Energetic', 'Sequential'] as const)(
    'come to rest by %s, where bounces become negligible',
    (type) => {
      const simulation = column(0.5, type);
      simulation.run();
      const { q, v } = placeState(simulation.model);
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(simulation.state[v + k])).toBeLessThan(1e-9);
        expect(Math.abs(simulation.state[q + k])).toBeLessThan(1e-9);
      }
      expect(simulation.events.some(({ kind }) => kind === 'zeno')).toBe(true);
      const { law, energy, impact: momentumDefect } = simulation.certificate.worst;
      expect(Math.max(law, energy)).toBeLessThan(1e-9);
      // Speeds that resting contacts keep of an impact count as drift below 1e-7 of the largest, and are
      // taken out without an impulse.
      expect(momentumDefect).toBeLessThan(1e-6);
    },
  );
});

describe('the certificate', () => {
  function judgedParts() {
    const systems = [0, 1, 2].map((k) => system(`ball${k}`, linearLagrangian([0], [k === 0 ? 1 : 0], [[1]])));
    const interactions = [0, 1].map((k) =>
      interaction(`contact${k}`, [k, k + 1], lagrangianRelation([[-1, 1]]), impact(1)),
    );
    const choice = { type: 'Energetic', exponent: 1.5, tolerance: 1e-11, maxSteps: 1e6 } as const;
    const simulation = simulateEvents({ systems, interactions }, { impacts: choice });
    const facts = {
      impactCount: 1,
      isTimed: false,
      isPlastic: new Uint8Array(2),
      energyChange: 0,
      phases: [],
      phaseCount: 0,
    };
    const judge = (
      change: (after: Float64Array, impulses: Float64Array) => void,
      energyChange = 0,
    ): number => {
      const certificate = new EventCertificate(simulation.model, placeState(simulation.model), 'Energetic');
      const after = simulation.state.slice();
      const impulses = simulation.impulses.slice();
      change(after, impulses);
      certificate.impact(simulation.before, after, impulses, { ...facts, energyChange });
      return certificate.worst.law;
    };
    return judge;
  }

  it('objects to an energy that the law does not ask for, and to contacts that still approach', () => {
    const judge = judgedParts();
    expect(judge(() => undefined)).toBeLessThan(1e-10);
    expect(judge(() => undefined, -0.01)).toBeCloseTo(0.02, 8);
    expect(judge((_, impulses) => (impulses[0] *= -1))).toBeGreaterThan(0.5);
    expect(judge((_, impulses) => (impulses[0] *= 1.01))).toBeGreaterThan(1e-3);
  });
});

describe('what is refused', () => {
  const rough = (): ModelDocument => {
    const document = chain({ masses: [1, 1] }, { type: 'Energetic' });
    document.interactions[0] = {
      id: 'rough',
      systems: ['ball0', 'ball1'],
      relation: {
        type: 'LagrangianLinear',
        H: [
          [-1, 1],
          [1, 1],
        ],
      },
      law: { type: 'NewtonImpactFriction', mu: 0.1, e: 1 },
    };
    return document;
  };

  it.each(['Energetic', 'Sequential'])('%s with friction, with the contact and what to do', (type) => {
    const document = rough();
    document.simulation.impacts = { type };
    const { code, where, message, remedy } = refusal(document);
    expect({ code, where }).toEqual({ code: 'impacts-with-friction', where: 'rough' });
    expectSentence(message);
    expectSentence(remedy ?? '');
    document.interactions[0].law.mu = 0;
    expectClose(speeds(run(document), 2), [0, 1], 1e-10);
  });

  it('Poisson’s law with tangential restitution', () => {
    const document = rough();
    document.simulation.impacts = { type: 'Poisson' };
    document.interactions[0].law.et = 0.5;
    expect(refusal(document)).toMatchObject({ code: 'event-driven-unsupported', where: 'rough' });
  });

  it('another law than Newton’s in steps', () => {
    const document = chain({ masses: [1, 1] }, { type: 'Sequential' });
    document.simulation.scheme = 'time-stepping';
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues).toMatchObject([{ code: 'impacts-of-stepping', pointer: '/simulation/impacts/type' }]);
    document.simulation.impacts = { type: 'Newton' };
    expect(reportDocument(document).issues).toEqual([]);
  });

  it.each<[Impacts, string]>([
    [{ type: 'Energetic', exponent: 0.5 }, '/simulation/impacts/exponent'],
    [{ type: 'Energetic', tolerance: 0 }, '/simulation/impacts/tolerance'],
  ])('%j', (impacts, pointer) => {
    const { issues } = reportDocument(chain({ masses: [1, 1] }, impacts));
    expectComplete(issues);
    expect(issues).toMatchObject([{ code: 'out-of-range', pointer }]);
  });

  it('a stiffness of zero', () => {
    const { issues } = reportDocument(chain({ masses: [1, 1], stiffness: [0] }, { type: 'Energetic' }));
    expectComplete(issues);
    expect(issues).toMatchObject([{ code: 'out-of-range', pointer: '/interactions/0/law/stiffness' }]);
  });
});

it.each<[Impacts, string]>([
  [{ type: 'Sequential', maxIterations: 2 }, 'impact-impactLimit'],
  [{ type: 'Energetic', maxIterations: 3 }, 'impact-stepLimit'],
])('%j that does not come to an end ends the run, with its contacts and what to do', (impacts, code) => {
  const { error } = runFailure(threeBalls(impacts, 0.5));
  expect(error).toMatchObject({ code, where: 'contact0, contact1', time: 0.5 });
  expectSentence(error.message);
  expectSentence(error.remedy ?? '');
});
