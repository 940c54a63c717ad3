/**
 * Masses that rest on walls, bounce and slide, where walls and belts move by scripts with corners: velocities
 * that jump, several times within as little as 1e-13 s, at the start and the end, and at the very time at
 * which a contact opens or begins to slide of itself. Each corner is an impact, a take-off or a slip, as in
 * the motion that the oracle computes; nothing is taken for drift.
 */
import type { Simulation } from '@engine/run/schemes/scheme';
import { compileRun } from '@engine/run/compile-run';
import { schemes } from '@engine/run/schemes/registry';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import { sample } from '../../../support/prove';
import { seeded } from '../../support/random';
import { type Drawn, drawn, G } from './drawn';
import { Oracle } from './oracle';

/** Positions after two seconds of impacts: what rounding and low bounces that are left out come to. */
const OFF = 1e-7;
/** What counts as certified is 1e-8. */
const RESIDUAL = 1e-9;

const simulationOf = ({ document }: Pick<Drawn, 'document'>): Simulation => {
  const compiled = compileRun({ document }, undefined, () => createSandbox());
  if (!compiled.ok) throw new Error(compiled.error.message);
  const { prepared } = compiled;
  return schemes[prepared.settings.scheme].create(prepared, { loop: undefined });
};

/** Largest distance from the motion of the oracle, m. */
function distance(model: Drawn, simulation: Simulation): number {
  const oracle = new Oracle(model);
  let most = 0;
  for (;;) {
    const row = simulation.rows[simulation.rows.length - 1];
    oracle.advance(row[0]);
    const positions = model.belt === null ? oracle.y : [...oracle.y, oracle.x];
    positions.forEach((y, i) => (most = Math.max(most, Math.abs(y - row[1 + i]))));
    if (simulation.isAtEnd) return most;
    simulation.advance();
  }
}

describe('masses on walls with corners', () => {
  it('move as the oracle says, and are certified', { timeout: 200_000 }, () => {
    const cases = sample(10, 1200);
    let events = 0;
    for (let seed = 0; seed < cases; seed++) {
      const model = drawn(seeded(seed));
      const simulation = simulationOf(model);
      expect(distance(model, simulation), `seed ${seed}`).toBeLessThan(OFF);
      const { dynamics, complementarity, coneViolation } = simulation.certificate;
      expect(Math.max(dynamics, complementarity, coneViolation), `seed ${seed}`).toBeLessThan(RESIDUAL);
      expect(simulation.complete).toBe(true);
      events += simulation.eventCount;
    }
    expect(events).toBeGreaterThan(10 * cases);
  });
});

/** A mass of 1 kg in a plane or on a line, over a ground by a script. */
function overGround(
  gap: readonly string[],
  { q0, v0 }: { readonly q0: number[]; readonly v0: number[] },
): Simulation {
  const n = q0.length;
  const { document, issues } = readDocument(
    JSON.stringify({
      formatVersion: 3,
      title: 'mass over a ground',
      systems: [
        {
          id: 'mass',
          type: 'LagrangianLinearTI',
          ndof: n,
          mass:
            n === 1
              ? [[1]]
              : [
                  [1, 0],
                  [0, 1],
                ],
          fExt: n === 1 ? [-G] : [0, -G],
          q0,
          v0,
        },
      ],
      interactions: [
        {
          id: 'ground',
          systems: ['mass'],
          relation: {
            type: n === 1 ? 'LagrangianRheonomous' : 'LagrangianScleronomous',
            h: { function: 'gap' },
          },
          law: { type: 'NewtonImpact', e: 0 },
        },
      ],
      simulation: {
        scheme: 'event-driven',
        t0: 0,
        tEnd: 0.6,
        h: 0.01,
        integrators: [{ type: 'MoreauJean' }],
        problem: { type: 'auto' },
        solver: { type: 'auto' },
      },
      scripts: [{ name: 'ground.ts', role: 'functions', source: gap }],
    }),
  );
  if (document === null) throw new Error(issues.map(({ message }) => message).join(' '));
  const simulation = simulationOf({ document });
  while (!simulation.isAtEnd) simulation.advance();
  return simulation;
}

const residual = ({ certificate: { dynamics, complementarity, coneViolation } }: Simulation): number =>
  Math.max(dynamics, complementarity, coneViolation);

describe('a mass that slides over the edge between two slopes', () => {
  const overEdge = (before: number, behind: number): Simulation =>
    overGround(
      [
        'export const gap: PositionConstraint = (q, out) => {',
        `  out[0] = q[1] - (q[0] < 0 ? ${before} * q[0] : ${behind} * q[0]);`,
        '};',
      ],
      { q0: [-0.2, -0.2 * before], v0: [2, 2 * before] },
    );

  it('is hit where the ground rises', () => {
    const simulation = overEdge(0, 0.5);
    const { events } = simulation;
    expect(events[0]).toMatchObject({ kind: 'impact', element: 'ground' });
    expect(events[0].time).toBeCloseTo(0.1, 12);
    // ẏ⁻ = −½ · 2, and P = −ẏ⁻/(1 + ¼)
    expect(events[0].impulse).toBeCloseTo(0.8, 12);
    expect(residual(simulation)).toBeLessThan(RESIDUAL);
  });

  it('flies where it falls away', () => {
    const simulation = overEdge(0.1, -0.4);
    expect(simulation.events.map(({ kind }) => kind)).toEqual(['takeOff', 'impact', 'closing']);
    const [start, end] = simulation.events;
    // From (0, 0) with the speed that is left of the way up, along the first slope, to the second one.
    const speed = Math.sqrt(4 * 1.01 - 2 * G * 0.02) / Math.sqrt(1.01);
    expect(end.time - start.time).toBeCloseTo((2 * speed * 0.5) / G, 11);
    expect(residual(simulation)).toBeLessThan(RESIDUAL);
  });
});

describe('a mass on a wall that is elsewhere all at once', () => {
  const onStep = (step: number): Simulation =>
    overGround(
      [
        'export const gap: Constraint = (t, q, out) => {',
        `  out[0] = t < 0.203 ? q[0] : q[0] - ${step};`,
        '};',
      ],
      { q0: [0], v0: [0] },
    );

  it('falls onto it where it is lower', () => {
    const simulation = onStep(-0.1);
    const [, hit] = simulation.events;
    expect(hit.time).toBeCloseTo(0.203 + Math.sqrt(0.2 / G), 12);
    expect(hit.before).toBeCloseTo(-Math.sqrt(0.2 * G), 11);
    expect(residual(simulation)).toBeLessThan(RESIDUAL);
  });

  it('is not certified where it is higher', () => {
    expect(residual(onStep(0.1))).toBeGreaterThan(0.1);
  });
});
