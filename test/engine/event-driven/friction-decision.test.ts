/** The decision between sticking, sliding and parting, against enumeration of all modes. */
import { EngineError } from '@engine/errors';
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import { solve } from '../support/dense';
import { interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { seeded } from '../support/random';
import { coulomb, forced } from './friction-support';
import { simulateEvents } from './support';
import { atLeast, sample } from '../../support/prove';

interface Body {
  readonly model: NonSmoothDynamicalSystem;
  /** directions: normal and tangent of each contact */
  readonly rows: readonly (readonly number[])[];
  readonly mu: readonly number[];
  readonly inertia: number;
  readonly force: readonly number[];
}

/** A rigid body at rest on contacts in all directions within an angle, with a random force. */
function restingBody(random: ReturnType<typeof seeded>, count: number, spread: number, mostMu: number): Body {
  const inertia = random.uniform(0.1, 1);
  const force = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.5, 0.5)];
  const rows: number[][] = [];
  const mu: number[] = [];
  const interactions = Array.from({ length: count }, (_, k) => {
    const angle = random.uniform(0, spread);
    const [x, y] = [random.uniform(-1, 1), random.uniform(-1, 1)];
    const n = [Math.cos(angle), Math.sin(angle)];
    const t = [-n[1], n[0]];
    const row = (d: number[]): number[] => [d[0], d[1], x * d[1] - y * d[0]];
    rows.push(row(n), row(t));
    mu.push(random.uniform(0, mostMu));
    return interaction(`contact${k}`, [0], lagrangianRelation([row(n), row(t)]), coulomb(mu[k]));
  });
  const mass = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, inertia],
  ];
  const body = system('body', linearLagrangian([0, 0, 0], [0, 0, 0], mass, { force }));
  return { model: { systems: [body], interactions }, rows, mu, inertia, force };
}

type Mode = 'open' | 'stick' | 'forward' | 'backward';
const MODES: readonly Mode[] = ['open', 'stick', 'forward', 'backward'];

/**
 * Whether forces inside the cones balance the applied one: whether it is a combination of three of the edges
 * n ± μ t (Carathéodory's theorem).
 */
function canRest({ rows, mu, force }: Body): { canRest: boolean; isClear: boolean } {
  const edges = mu.flatMap((m, k) =>
    [-m, m].map((f) => rows[2 * k].map((value, i) => value + f * rows[2 * k + 1][i])),
  );
  let best = -Infinity;
  for (let a = 0; a < edges.length; a++)
    for (let b = 0; b < a; b++)
      for (let c = 0; c < b; c++) {
        const parts = solve(
          [0, 1, 2].map((i) => [edges[a][i], edges[b][i], edges[c][i]]),
          force.map((value) => -value),
        );
        if (parts.every(Number.isFinite)) best = Math.max(best, Math.min(...parts));
      }
  return { canRest: best > 0, isClear: Math.abs(best) > 1e-6 };
}

/**
 * All accelerations, each once: those of modes with one or two unknown forces whose inequalities hold, by
 * dense solutions, and rest, which is all that three forces on a body in the plane can leave. `isClear` is
 * false where an inequality holds only just.
 */
function enumerate(body: Body): { found: number[][]; isClear: boolean } {
  const { rows, mu, inertia, force } = body;
  const inverse = [1, 1, 1 / inertia];
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, i) => sum + value * inverse[i] * b[i], 0);
  const found: number[][] = [];
  const rest = canRest(body);
  let { isClear } = rest;
  if (rest.canRest) found.push([0, 0, 0]);
  const count = mu.length;
  for (let code = 0; code < 4 ** count; code++) {
    const modes = mu.map((_, k) => MODES[Math.floor(code / 4 ** k) % 4]);
    // unknowns: direction in which each acts, and row that it controls
    const directions: number[][] = [];
    const controlled: (readonly number[])[] = [];
    modes.forEach((mode, k) => {
      const [n, t] = [rows[2 * k], rows[2 * k + 1]];
      if (mode === 'open') return;
      const f = mode === 'forward' ? -mu[k] : mode === 'backward' ? mu[k] : 0;
      directions.push(n.map((value, i) => value + f * t[i]));
      controlled.push(n);
      if (mode !== 'stick') return;
      directions.push([...t]);
      controlled.push(t);
    });
    if (controlled.length > 2) continue;
    const lambda = solve(
      controlled.map((row) => directions.map((direction) => product(row, direction))),
      controlled.map((row) => -product(row, force)),
    );
    const total = force.map((value, i) => value + lambda.reduce((s, l, j) => s + l * directions[j][i], 0));
    const margins: number[] = [];
    let next = 0;
    modes.forEach((mode, k) => {
      const slip = product(rows[2 * k + 1], total);
      if (mode === 'open') margins.push(product(rows[2 * k], total));
      else margins.push(lambda[next]);
      if (mode === 'forward') margins.push(slip);
      if (mode === 'backward') margins.push(-slip);
      if (mode === 'stick') margins.push(mu[k] * lambda[next] - Math.abs(lambda[next + 1]));
      next += mode === 'open' ? 0 : mode === 'stick' ? 2 : 1;
    });
    const least = Math.min(...margins);
    if (Math.abs(least) < 1e-6) isClear = false;
    if (least > 0) found.push(total.map((value, i) => value * inverse[i]));
  }
  return { found, isClear };
}

/** Accelerations just after the start, from a step that is short. */
function accelerations(simulation: EventDriven): number[] {
  simulation.computeOneStep();
  return [...simulation.state.subarray(4, 7)].map((v) => v / simulation.state[0]);
}

describe('a body at rest under a random force', () => {
  it('starts with the acceleration that enumeration of all modes finds, with up to three contacts', () => {
    const random = seeded(21);
    let count = 0;
    const cases = sample(200, 1000);
    for (let trial = 0; trial < cases; trial++) {
      const body = restingBody(random, 1 + (trial % 3), 2, 0.8);
      const { found, isClear } = enumerate(body);
      if (!isClear || found.length !== 1) continue;
      const simulation = simulateEvents(body.model, { h: 1e-4, tEnd: 1e-4 });
      accelerations(simulation).forEach((a, i) => {
        expect(Math.abs(a - found[0][i])).toBeLessThan(1e-9);
      });
      count++;
    }
    expect(count).toBeGreaterThan(0.7 * cases);
  });

  it('that is wedged may have several: rest is taken where it is one, and otherwise none is', () => {
    const random = seeded(22);
    let [several, resting, refused] = [0, 0, 0];
    const cases = sample(500, 1500);
    for (let trial = 0; trial < cases; trial++) {
      const body = restingBody(random, 2, 2 * Math.PI, 3);
      const { found, isClear } = enumerate(body);
      if (!isClear || found.length < 2) continue;
      several++;
      const rests = canRest(body).canRest;
      try {
        const found0 = accelerations(simulateEvents(body.model, { h: 1e-4, tEnd: 1e-4 }));
        expect(rests).toBe(true);
        expect(Math.max(...found0.map(Math.abs))).toBeLessThan(1e-9);
        resting++;
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        expect(rests).toBe(false);
        expect(error.details.code).toBe('friction-several-solutions');
        expect(error.message).toContain('μ = ');
        refused++;
      }
    }
    expect(several).toBeGreaterThan(atLeast(10, cases, 1500));
    expect(resting).toBeGreaterThan(0);
    expect(refused + resting).toBe(several);
  });
});

describe('a body that four contacts hold against a force that turns', () => {
  it('is held, slides, or ends in a failure that says which forces are a matter of choice', () => {
    const random = seeded(77);
    const codes = new Map<string, number>();
    for (let trial = 0; trial < 33; trial++) {
      const count = 2 + (trial % 3);
      const inertia = random.uniform(0.1, 1);
      const force = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.5, 0.5)];
      const change = [random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-1, 1)];
      const interactions = Array.from({ length: count }, (_, k) => {
        const angle = random.uniform(0, 6.28);
        const [x, y] = [random.uniform(-1, 1), random.uniform(-1, 1)];
        const n = [Math.cos(angle), Math.sin(angle)];
        const t = [-n[1], n[0]];
        const row = (d: number[]): number[] => [d[0], d[1], x * d[1] - y * d[0]];
        return interaction(
          `contact${k}`,
          [0],
          lagrangianRelation([row(n), row(t)]),
          coulomb(random.uniform(0, 1)),
        );
      });
      if (count < 4) continue;
      const mass = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, inertia],
      ];
      const body = system(
        'body',
        forced([0, 0, 0], [0, 0, 0], mass, (t, _q, v, out) => {
          for (let i = 0; i < 3; i++) out[i] = force[i] + Math.sin(3 * t) * change[i] - v[i] / 2;
        }),
      );
      let code = 'done';
      try {
        simulateEvents({ systems: [body], interactions }, { tEnd: 0.2, h: 0.05 }).run();
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        code = error.details.code;
        if (code === 'friction-redundant')
          expect(error.message).toContain('more contacts are closed than determine the forces');
      }
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(codes.get('done')).toBeGreaterThan(3);
    expect(codes.get('friction-redundant')).toBeGreaterThan(0);
    for (const code of codes.keys())
      expect(['done', 'friction-redundant', 'friction-several-solutions', 'friction-no-solution']).toContain(
        code,
      );
  });
});
