/** Laws of impacts at several contacts at once between 3D bodies. */
import type { FieldValue, ModelDocument, SystemDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { describe, expect, it } from 'vitest';
import { kineticEnergy, momentum } from '../impacts/chains';
import { elasticChain, lossyChain } from '../impacts/spring-chain';
import { expectClose, type Impacts, last, poissonOfThree, worst } from '../support/impacts';
import { expectComplete, expectSentence } from '../support/issues';
import { example } from '../support/models';
import { run, type Run, runFailure } from '../support/run';
import { floor, joint, rigid, spaceModel, touch, turned } from '../support/space';

const RADIUS = 0.1;

/** A sphere of some mass that feels no weight, at the k-th place of a row along x. */
const ball = (k: number, mass: number, speed = 0, shift = 0): SystemDocument =>
  rigid(`ball${k}`, [2 * RADIUS * k + shift, 0, 0], {
    mass,
    inertia: [0.4 * mass * RADIUS ** 2, 0.4 * mass * RADIUS ** 2, 0.4 * mass * RADIUS ** 2],
    gravity: [0, 0, 0],
    velocity: [speed, 0, 0],
    shapes: [{ type: 'Sphere', radius: RADIUS }],
  });

interface Row {
  masses: readonly number[];
  restitution?: readonly number[];
  stiffness?: readonly number[];
  mu?: number;
}

/** Balls that touch, and one that meets them at 1 m/s. */
function row({ masses, restitution, stiffness, mu = 0 }: Row, impacts: Impacts, h = 1e-3): ModelDocument {
  const document = spaceModel(
    masses.map((mass, k) => ball(k, mass, k === 0 ? 1 : 0, k === 0 ? -0.0105 : 0)),
    masses.slice(1).map((_, k) => {
      const made = touch(`contact${k}`, [`ball${k}`, `ball${k + 1}`], mu, restitution?.[k] ?? 1);
      if (stiffness !== undefined) made.law.stiffness = stiffness[k];
      return made;
    }),
    { h, tEnd: 0.03 },
  );
  document.simulation.impacts = impacts;
  return document;
}

const speeds = (result: Run, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, k) => last(result, `ball${k}.v[0]`));

describe('three equal spheres, of which the first meets the other two', () => {
  it.each<[Impacts, number[], number]>([
    [{ type: 'Newton' }, [-1 / 3, 2 / 3, 2 / 3], 1e-7],
    [{ type: 'Poisson' }, [-1 / 3, 2 / 3, 2 / 3], 1e-12],
    [{ type: 'Sequential' }, [0, 0, 1], 1e-12],
    [{ type: 'Energetic' }, [-0.07095, 0.0764, 0.99455], 6e-6],
  ])('by %j', (impacts, expected, tolerance) => {
    const result = run(row({ masses: [1, 1, 1] }, impacts));
    expectClose(speeds(result, 3), expected, tolerance);
    expect(worst(result)).toBeLessThan(1e-7);
  });
});

describe('a row of spheres', () => {
  it('by the energy-based law is left as springs of Hertz leave it, and the ledger has the energy', () => {
    const springs = { masses: [1, 2, 0.7, 1.5], stiffness: [1, 3, 0.5], exponent: 1.5 };
    const { velocities } = elasticChain(springs, Float64Array.of(1, 0, 0, 0), 5e-4);
    const result = run(row(springs, { type: 'Energetic' }));
    expectClose(speeds(result, 4), velocities, 1e-8);
    expect(worst(result)).toBeLessThan(1e-8);
    expect(Math.abs(last(result, 'energy.contactNormal'))).toBeLessThan(1e-10);
    expect(last(result, 'energy.kinetic')).toBeCloseTo(0.5, 10);
  });

  it('loses what compression has taken up and contacts do not give back', () => {
    const springs = { masses: [1, 1.5, 0.8], stiffness: [1, 2], exponent: 1 };
    const restitution = [0.8, 0.6];
    const { velocities, work } = lossyChain(springs, restitution, Float64Array.of(1, 0, 0), 1e-4);
    const result = run(row({ ...springs, restitution }, { type: 'Energetic', exponent: 1 }));
    expectClose(speeds(result, 3), velocities, 1e-6);
    const lost = restitution.reduce((sum, e, k) => sum + (1 - e * e) * work[k], 0);
    expect(Math.abs(last(result, 'energy.contactNormal') + lost)).toBeLessThan(1e-6);
    expect(kineticEnergy(springs.masses, speeds(result, 3))).toBeCloseTo(0.5 - lost, 5);
    expect(Math.abs(momentum(springs.masses, speeds(result, 3)) - 1)).toBeLessThan(1e-12);
  });

  it('by Poisson’s law is left as compression and expansion leave it, each a problem of its own', () => {
    const masses = [1, 3, 2] as const;
    const restitution = [0.9, 0.2] as const;
    const result = run(row({ masses, restitution }, { type: 'Poisson' }));
    expectClose(speeds(result, 3), poissonOfThree(masses, restitution), 1e-11);
    expect(worst(result)).toBeLessThan(1e-9);
  });

  it('does not depend on the step', () => {
    const of = (h: number): Float64Array =>
      speeds(run(row({ masses: [1, 1, 1] }, { type: 'Energetic' }, h)), 3);
    expectClose(of(3e-4), of(1e-3), 1e-9);
  });

  it('is left alike by the θ-method, which repeats a step where loads depend on its outcome', () => {
    const document = row({ masses: [1, 1, 1] }, { type: 'Energetic' });
    document.simulation.integrators = [{ type: 'MoreauJean', theta: 0.5 }];
    document.systems[1].spin = [0, 0, 3];
    document.systems[1].inertia = [0.004, 0.005, 0.006];
    const result = run(document);
    expectClose(speeds(result, 3), [-0.07095, 0.0764, 0.99455], 6e-6);
    expect(worst(result)).toBeLessThan(1e-7);
  });

  it('rubs without a change of momentum', () => {
    const rough = run(row({ masses: [1, 1, 1], mu: 0.4 }, { type: 'Energetic' }));
    expectClose(speeds(rough, 3), [-0.07095, 0.0764, 0.99455], 6e-6);
    expect(worst(rough)).toBeLessThan(1e-7);
  });

  it('on pendulums is one of the masses that they have at their ends', () => {
    const length = 0.5;
    const document = row({ masses: [1, 1, 1] }, { type: 'Energetic' }, 1e-5);
    Object.assign(document.systems[0], { position: [0, 0, 0], spin: [0, -1 / length, 0] });
    document.interactions.push(
      ...[0, 1, 2].map((k) =>
        joint(`pivot${k}`, [`ball${k}`], {
          type: 'RevoluteJoint',
          point: [2 * RADIUS * k, 0, length],
          axis: [0, 1, 0],
        }),
      ),
    );
    document.simulation.tEnd = 1e-4;
    const result = run(document);
    expectClose(speeds(result, 3), [-0.07095, 0.0764, 0.99455], 1e-4);
    expect(worst(result)).toBeLessThan(1e-7);
  });
});

describe('a sphere that meets the floor at an angle', () => {
  const thrown = (impacts: Impacts, mu: number, e = 0.8): ModelDocument => {
    const document = spaceModel(
      [{ ...ball(0, 1), position: [0, 0, RADIUS + 0.0105], velocity: [1, 0, -1] }, floor()],
      [touch('ground', ['ball0', 'floor'], mu, e)],
      { tEnd: 0.03 },
    );
    document.simulation.impacts = impacts;
    return document;
  };

  describe.each(['Newton', 'Poisson', 'Sequential', 'Energetic'])('by %s', (type) => {
    it.each([
      // Sliding takes μ (1 + e) of the speed along the floor, rolling 2/7 of it.
      [0.1, 1 - 0.1 * 1.8],
      [0.3, 5 / 7],
    ])('with μ = %s', (mu, along) => {
      const result = run(thrown({ type }, mu));
      expect(last(result, 'ball0.v[0]')).toBeCloseTo(along, 6);
      expect(last(result, 'ball0.v[2]')).toBeCloseTo(0.8, 6);
      expect(last(result, 'ball0.v[4]')).toBeCloseTo((1 - along) / 0.4 / RADIUS, 5);
      expect(worst(result)).toBeLessThan(1e-7);
      const work = last(result, 'energy.contactNormal') + last(result, 'energy.contactTangent');
      expect(last(result, 'energy.kinetic')).toBeCloseTo(1 + work, 12);
    });
  });
});

it('rolling friction is bounded by what the impact presses together', () => {
  const bounce = (type: string): Run => {
    const thrown = { position: [0, 0, RADIUS + 0.0105], velocity: [0, 0, -1], spin: [0, 20, 0] };
    const document = spaceModel(
      [{ ...ball(0, 1), ...thrown }, floor()],
      [touch('ground', ['ball0', 'floor'], 0, 0.5)],
      { tEnd: 0.03 },
    );
    document.interactions[0].law.rollingFriction = 0.01;
    document.simulation.impacts = { type };
    return run(document);
  };
  const result = bounce('Energetic');
  // μ_r (1 + e) v m is the moment of the impact, I = 0.004 kg m².
  expect(last(result, 'ball0.v[4]')).toBeCloseTo(20 - (0.01 * 1.5) / 0.004, 6);
  expect(last(result, 'ball0.v[4]')).toBeCloseTo(last(bounce('Newton'), 'ball0.v[4]'), 6);
  expect(worst(result)).toBeLessThan(1e-7);
});

describe.each(['Poisson', 'Sequential', 'Energetic'])('boxes by %s', (type) => {
  const box = (id: string, z: number, fields: Record<string, FieldValue> = {}): SystemDocument =>
    rigid(id, [0, 0, z], fields);

  it('tumble between two plates, and never gain energy, whatever friction and coefficients', () => {
    for (const [seed, mu] of [0.1, 0.5, 0.9].entries()) {
      const turn = { velocity: [0.5 * seed, -0.3, -2], spin: [3, 2 - 4 * seed, 1], gravity: [0, 0, 0] };
      const other = { spin: [1, 4, -2], gravity: [0, 0, 0] };
      const document = spaceModel(
        [
          box('box', 0.25, turn),
          box('other', 0.6, other),
          floor(),
          floor('ceiling', { position: [0, 0, 1], orientation: turned(0, Math.PI) }),
        ],
        [
          touch('plates', ['box', 'other', 'floor', 'ceiling'], mu, 1),
          touch('pair', ['box', 'other'], mu, 0.6),
        ],
        { tEnd: 3, h: 2e-3 },
      );
      document.simulation.impacts = { type };
      const result = run(document);
      const normal = result.column('energy.contactNormal');
      const tangent = result.column('energy.contactTangent');
      let impacts = 0;
      for (let k = 1; k < normal.length; k++) {
        const work = normal[k] + tangent[k] - normal[k - 1] - tangent[k - 1];
        if (work < -1e-3) impacts++;
        expect(work).toBeLessThan(1e-6);
      }
      expect(impacts).toBeGreaterThan(2);
      expect(worst(result)).toBeLessThan(1e-6);
    }
  });

  it('fall on one another and come to rest, exactly', () => {
    const document = spaceModel(
      [box('lower', 0.12), box('upper', 0.35), floor()],
      [touch('all', ['lower', 'upper', 'floor'], 0.5, 0.4)],
      { tEnd: 1.5, h: 2e-3 },
    );
    document.simulation.impacts = { type };
    const result = run(document);
    for (const id of ['lower', 'upper'])
      for (let k = 0; k < 6; k++) expect(last(result, `${id}.v[${k}]`)).toBe(0);
    expect(last(result, 'all.contacts')).toBeGreaterThanOrEqual(6);
    expect(last(result, 'upper.q[2]')).toBeCloseTo(0.3, 2);
    expect(worst(result)).toBeLessThan(1e-6);
  });
});

it('surfaces that hold together have impacts as well', () => {
  const document = row({ masses: [1, 1] }, { type: 'Poisson' });
  document.interactions[0].law = { type: 'CohesiveFriction3D', mu: 0.3, e: 0.5, pull: 0.1, range: 1e-3 };
  const result = run(document);
  // The pull takes the work of its range, at most, from what the impact has left.
  const relative = last(result, 'ball1.v[0]') - last(result, 'ball0.v[0]');
  expect(relative).toBeLessThan(0.5);
  expect(0.25 * (0.25 - relative ** 2)).toBeLessThan(0.1 * 1.6e-3);
  expect(worst(result)).toBeLessThan(1e-7);
});

it('the cradle of the gallery parts as springs of Hertz do, at the first impact', () => {
  const { column } = run(example('ball-cradle'), { set: { e: 1 }, tEnd: 0.25 });
  const masses = [1, 1, 1, 1, 1];
  const springs = { masses, stiffness: masses.slice(1), exponent: 1.5 };
  const { velocities } = elasticChain(springs, Float64Array.of(1, 0, 0, 0, 0), 5e-4);
  const hit = column('ball4.v[0]').findIndex((v) => v > 0.1);
  const speed = column('ball0.v[0]')[hit - 1];
  // Rows are a millisecond apart, in which the balls swing on.
  for (const k of masses.keys())
    expect(Math.abs(column(`ball${k}.v[0]`)[hit] / speed - velocities[k])).toBeLessThan(5e-3);
  const total = column('total');
  expect(Math.abs(total[total.length - 1] / total[0] - 1)).toBeLessThan(1e-3);
});

describe('what is refused', () => {
  it('tangential restitution, at its place', () => {
    const document = row({ masses: [1, 1], mu: 0.3 }, { type: 'Energetic' });
    document.interactions[0].law.et = 0.5;
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues).toMatchObject([
      { code: 'tangential-restitution', pointer: '/interactions/0/law/et', element: 'contact0' },
    ]);
    document.simulation.impacts = { type: 'Newton' };
    expect(reportDocument(document).issues).toEqual([]);
  });

  it('Frémond’s percussions, at their place', () => {
    const document = row({ masses: [1, 1] }, { type: 'Poisson' });
    document.interactions[0].law = { type: 'FremondImpactFriction3D', mu: 0.2, k: 1 };
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues).toMatchObject([
      { code: 'impacts-with-percussion', pointer: '/interactions/0/law/type', element: 'contact0' },
    ]);
  });

  it.each<[Impacts, string]>([
    [{ type: 'Sequential', maxIterations: 2 }, 'impact-impactLimit'],
    [{ type: 'Energetic', maxIterations: 3 }, 'impact-stepLimit'],
  ])('%j that does not come to an end ends the run, with its contacts and what to do', (impacts, code) => {
    const { error } = runFailure(row({ masses: [1, 1, 1], restitution: [0.5, 0.5] }, impacts));
    expect(error).toMatchObject({ code });
    expect(error.where?.split(', ').sort()).toEqual(['contact0', 'contact1']);
    expect(error.time).toBeCloseTo(0.011, 12);
    expectSentence(error.message);
    expectSentence(error.remedy ?? '');
  });
});
