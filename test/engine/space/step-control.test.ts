/** Step control of 3D bodies: the step follows the motion, and impacts and stops are located. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { part } from '../../support/prove';
import { run } from '../support/run';
import { G, floor, joint, rigid, spaceModel, touch } from '../support/space';
import { galleryRuns } from '../faults/gallery-runs';
import { specificationOf } from '../faults/judge';

const H_MIN = 1e-7;
const control = (tolerance: number) => ({ tolerance, hMin: H_MIN, hMax: 0.05 });
const E = 0.7;

function dropped(integrator: string, tolerance: number): ModelDocument {
  const ball = rigid('ball', [0, 0, 1.1], { mass: 2, shapes: [{ type: 'Sphere', radius: 0.1 }] });
  const document = spaceModel([floor(), ball], [touch('ground', ['floor', 'ball'], 0, E)], {
    h: 1e-3,
    tEnd: 1.6,
  });
  document.simulation.integrators = [{ type: integrator }];
  document.simulation.stepControl = control(tolerance);
  return document;
}

describe.each(['MoreauHalfStep', 'MoreauJean'])('a bouncing ball by %s', (type) => {
  const { column, session } = run(dropped(type, 1e-4));
  const t = column('t');
  const v = column('ball.v[2]');

  it('meets the floor when it does, to a few of the smallest steps', () => {
    const found = [...t.keys()].slice(1).filter((k) => v[k] > 0 && v[k - 1] < 0);
    const fall = Math.sqrt(2 / G);
    const times = [fall, fall * (1 + 2 * E), fall * (1 + 2 * E + 2 * E * E)];
    expect(found).toHaveLength(times.length);
    found.forEach((k, n) => {
      expect(Math.abs(t[k] - times[n])).toBeLessThan(10 * (n + 1) * H_MIN);
    });
  });

  it('flies by the largest steps, and is certified', () => {
    const longest = t.slice(1).reduce((most, time, k) => Math.max(most, time - t[k]), 0);
    // Lengths are the first one, doubled.
    expect(longest).toBeCloseTo(0.032, 12);
    expect(session.moves).toBeLessThan(400);
    const { complementarity, coneViolation, dynamics, limit } = session.certificate;
    expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(limit ?? 0);
    expect(session.energyDrift).toBeLessThan(1e-6);
  });
});

it('locates the stop of a joint, and its bounces', () => {
  const document = spaceModel(
    [rigid('block', [0, 0, 0], { mass: 2, gravity: [0, 0, -G] })],
    [joint('rail', ['block'], { type: 'PrismaticJoint', axis: [0, 0, 1], displacementMin: -0.02, e: 0.5 })],
    { h: 1e-3, tEnd: 0.15 },
  );
  document.simulation.stepControl = control(1e-4);
  const { column } = run(document);
  const [t, v] = [column('t'), column('block.v[2]')];
  const found = [...t.keys()].slice(1).filter((k) => v[k] > 0 && v[k - 1] < 0);
  const fall = Math.sqrt(0.04 / G);
  expect(found).toHaveLength(2);
  expect(Math.abs(t[found[0]] - fall)).toBeLessThan(10 * H_MIN);
  expect(Math.abs(t[found[1]] - 2 * fall)).toBeLessThan(20 * H_MIN);
});

describe('examples with step control', () => {
  const bodies = ['RigidBody'];
  const runs = galleryRuns(null)
    .filter(({ settings }) => settings === undefined)
    .map((example) => ({ name: example.name, ...specificationOf({ ...example, steps: 300 }) }))
    .filter(
      ({ document, scheme, name }) =>
        scheme !== 'event-driven' &&
        !/granular|drum|tower|soft/.test(name) &&
        document.systems.some(({ type }) => bodies.includes(type)),
    );

  it.each(part(runs, 6))('$name is certified', ({ document, tEnd }) => {
    document.simulation.stepControl = { tolerance: 1e-4, hMin: 1e-6, hMax: 0.01 };
    const { session } = run(document, { tEnd, sandbox: createSandbox });
    const { complementarity, coneViolation, dynamics, limit } = session.certificate;
    expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(limit ?? 0);
  });
});
