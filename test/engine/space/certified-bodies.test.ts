/**
 * Bodies thrown together at random, by all steps and laws of contact: what a certificate asks of them, it
 * asks of no run in vain.
 */
import { describe, expect, it } from 'vitest';
import { isCertified } from '@contract/verdict';
import type { ModelDocument, SystemDocument, TypedElement } from '@engine/document/types';
import { sample } from '../../support/prove';
import { type Random, seeded } from '../support/random';
import { start } from '../support/run';
import { floor, G, rigid, spaceModel, touch, turned } from '../support/space';

const SHAPES: readonly ((random: Random) => TypedElement)[] = [
  (random) => ({ type: 'Sphere', radius: random.uniform(0.05, 0.15) }),
  (random) => ({ type: 'Box', size: [0, 1, 2].map(() => random.uniform(0.1, 0.3)) }),
  (random) => ({ type: 'Capsule', radius: 0.06, length: random.uniform(0.1, 0.3) }),
];
const STEPS: readonly TypedElement[] = [
  { type: 'MoreauHalfStep' },
  { type: 'MoreauJean', theta: 0.5, projection: 'yes', projectContacts: 'yes' },
  { type: 'MoreauJean', theta: 0.5 },
  { type: 'MoreauJean', theta: 1, forecast: 1.5 },
  { type: 'MoreauJean', theta: 0.7, forecast: 0 },
  { type: 'D1MinusLinear' },
  { type: 'D1MinusLinear', besideImpacts: 'dropped' },
];
const RIGID = [{ mu: 0 }, { mu: 0.4 }, { mu: 0.4, e: 0.6 }].map((numbers) => ({
  type: 'NewtonImpactFriction3D',
  e: 0,
  ...numbers,
}));
/** Of steps without contact forces. */
const OTHERS: readonly TypedElement[] = [
  { type: 'CompliantFriction3D', mu: 0.3, k: 2e4, c: 20 },
  { type: 'CohesiveFriction3D', mu: 0.3, e: 0.2, pull: 5 },
  { type: 'FremondImpactFriction3D', mu: 0.3, k: 5 },
];

/** Bodies over a floor that stands, or rises and turns, some of them thrown at each other. */
function thrown(random: Random): ModelDocument {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.uniform(0, list.length))];
  const vector = (size: number): number[] => [0, 1, 2].map(() => random.uniform(-size, size));
  const step = pick(STEPS);
  const hasForces = step.type === 'D1MinusLinear';
  const bodies = Array.from({ length: 1 + Math.floor(random.uniform(0, 4)) }, (_, k): SystemDocument => {
    const place = [random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.3 + 0.45 * k];
    const fields = { velocity: vector(1), spin: vector(4), gravity: [0, 0, -G] };
    return rigid(`b${k}`, place, { ...fields, shapes: [pick(SHAPES)(random)] });
  });
  const moves = !hasForces && random.uniform(0, 1) < 0.3;
  const ground = floor('floor', moves ? { velocity: [0.2, 0, 0.1], spin: [0, 0, 0.5] } : {});
  const law = pick(hasForces ? RIGID : [...RIGID, ...OTHERS]);
  const contact = { ...touch('contact', ['floor', ...bodies.map(({ id }) => id)]), law };
  const document = spaceModel([ground, ...bodies], [contact], { h: random.uniform(5e-4, 3e-3), tEnd: 0.5 });
  document.simulation.integrators = [step];
  return document;
}

describe('the certificate of bodies at random', () => {
  it('holds', () => {
    const random = seeded(41);
    const count = sample(8, 300);
    const found: string[] = [];
    let closings = 0;
    for (let k = 0; k < count; k++) {
      const document = thrown(random);
      const { session } = start(document);
      const state = session.advance(Number.MAX_SAFE_INTEGER);
      const { complementarity, limit, worstElement } = session.certificate;
      closings += session.events;
      // Overlaps and dynamics are judged by tests of their own.
      if (state === 'done' && complementarity <= (limit ?? 0)) continue;
      found.push(`${k}: ${state} ${complementarity} ${worstElement} ${session.error?.message ?? ''}
        ${JSON.stringify([document.simulation.integrators, document.interactions[0].law])}`);
    }
    expect(found).toEqual([]);
    expect(closings).toBeGreaterThan(count);
  });
});

/** Bodies of all sizes that spin and fall on one another by as much as they are thick in a step. */
function harsh(seed: number): ModelDocument {
  const random = seeded(seed);
  const size = (): number => random.uniform(0.05, 0.3);
  const bodies = Array.from({ length: random.integer(2, 5) }, (_, k): SystemDocument => {
    const shape = [
      { type: 'Box', size: [size(), size(), size()] },
      { type: 'Sphere', radius: size() / 2 },
      { type: 'Capsule', radius: size() / 2, length: size() },
      { type: 'Cylinder', radius: size() / 2, height: size() },
    ][random.integer(0, 3)];
    const aside = (): number => random.uniform(-0.1, 0.1);
    return rigid(`b${k}`, [aside(), aside(), 0.3 + 0.4 * k], {
      shapes: [shape],
      orientation: turned(([0, 1, 2] as const)[random.integer(0, 2)], random.uniform(0, 3)),
      velocity: [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-8, 0)],
      spin: [0, 1, 2].map(() => random.uniform(-20, 20)),
    });
  });
  const ids = ['floor', ...bodies.map(({ id }) => id)];
  const contact = touch(
    'contact',
    ids,
    random.uniform(0, 1),
    random.chance(0.5) ? 0 : random.uniform(0, 0.8),
  );
  const h = [2e-3, 5e-3, 1e-2][random.integer(0, 2)];
  return spaceModel([floor(), ...bodies], [contact], { h, tEnd: 0.7 });
}

it('bodies that turn fast come no deeper than their certificate explains', () => {
  const found: number[] = [];
  for (let k = 0; k < sample(13, 300); k++) {
    const { session } = start(harsh(9000 + k));
    const state = session.advance(Number.MAX_SAFE_INTEGER);
    if (state !== 'done' || !isCertified(session.certificate)) found.push(k);
  }
  expect(found).toEqual([]);
});
