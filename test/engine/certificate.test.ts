/**
 * The certificate: small for correct runs, and large for every part of a step that is made wrong on purpose.
 */
import { seeded } from './support/random';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import type { AffineVariationalInequality } from '@engine/problems/avi';
import { createSandbox } from '@engine/script/sandbox';
import type { Solver, SolverResult } from '@engine/solvers/solver';
import { timeStepping } from './support/compiled';
import { contact, linearSystem, model, particle, withFunctions } from './support/models';
import { run } from './support/run';

/** What a test does to the solver's answer and to Ŵ⁻¹; nothing unless it says so. */
const sabotage = vi.hoisted(() => ({
  answer: null as ((problem: AffineVariationalInequality) => void) | null,
  inverse: 1,
}));

// The last hand on an answer: of a solver within, the one that changes units would notice itself what is
// planted here.
vi.mock('@engine/solvers/equilibrated', async (original) => {
  const { EquilibratedSolver } = await original<{ EquilibratedSolver: new (solver: Solver) => Solver }>();
  return {
    EquilibratedSolver: class implements Solver {
      readonly #solver: Solver;

      constructor(solver: Solver) {
        this.#solver = new EquilibratedSolver(solver);
      }

      solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
        this.#solver.solve(problem, tolerance, result);
        sabotage.answer?.(problem);
      }
    },
  };
});

vi.mock('@engine/linalg/lu', async (original) => {
  type Solve = (
    a: Float64Array,
    at: number,
    n: number,
    p: Int32Array,
    pAt: number,
    x: Float64Array,
    xAt: number,
  ) => void;
  const lu = await original<{ solveLU: Solve }>();
  const solveLU: Solve = (a, at, n, pivots, pivotsAt, x, xAt) => {
    lu.solveLU(a, at, n, pivots, pivotsAt, x, xAt);
    for (let i = xAt; i < xAt + n; i++) x[i] *= sabotage.inverse;
  };
  return { ...lu, solveLU };
});

afterEach(() => {
  sabotage.answer = null;
  sabotage.inverse = 1;
});

/** A coupled pair on a floor with a bead on top, falling, hitting and resting. */
function mechanism(theta = 0.5): ModelDocument {
  const pair = linearSystem(
    'pair',
    {
      mass: [
        [2, 0.3],
        [0.3, 1],
      ],
      damping: [
        [0.4, -0.1],
        [-0.1, 0.3],
      ],
      stiffness: [
        [50, -20],
        [-20, 40],
      ],
      force: [-30, -12],
    },
    [0.2, 0.5],
    [0, -0.5],
  );
  return model(
    [pair, particle('bead', 0.7, 0, { fExt: [-9.81] })],
    [
      contact(
        'floor',
        ['pair'],
        [
          [1, 0],
          [0, 1],
        ],
        0.4,
      ),
      contact('top', ['pair', 'bead'], [[0, -1, 1]], 0.6, [-0.1]),
    ],
    { h: 1e-3, tEnd: 2, theta },
  );
}

interface Worst {
  complementarity: number;
  coneViolation: number;
  dynamics: number;
}

/** The worst residuals of 2000 steps. */
function worstOf(document: ModelDocument): Worst {
  return run(document).session.certificate;
}

const largest = ({ complementarity, coneViolation, dynamics }: Worst): number =>
  Math.max(complementarity, coneViolation, dynamics);

describe('a correct run', () => {
  it.each([0.5, 0.75, 1])('has residuals of rounding at θ = %f', (theta) => {
    const { session } = run(mechanism(theta));
    expect(session.events).toBeGreaterThan(5);
    expect(largest(session.certificate)).toBeLessThan(1e-12);
    expect(largest(session.certificate)).toBeGreaterThan(0);
    expect(session.certificate.worstTime).toBeGreaterThan(0);
    expect(['pair', 'bead', 'floor', 'top']).toContain(session.certificate.worstElement);
  });

  it('has nothing to report before its first step', () => {
    const { report } = timeStepping(mechanism()).certificate;
    expect(report).toEqual({
      complementarity: 0,
      coneViolation: 0,
      dynamics: 0,
      worstTime: null,
      worstElement: null,
    });
  });
});

describe('a wrong solver', () => {
  it.each<[string, (problem: AffineVariationalInequality) => void]>([
    [
      'whose impulses are 1e-6 too large',
      ({ z, size }) => {
        for (let i = 0; i < size; i++) z[i] *= 1 + 1e-6;
      },
    ],
    [
      'whose impulses are 1e-6 too small',
      ({ z, size }) => {
        for (let i = 0; i < size; i++) z[i] *= 1 - 1e-6;
      },
    ],
    [
      'that forgets one contact',
      ({ z }) => {
        z[0] = 0;
      },
    ],
    [
      'that pulls a little on one contact',
      ({ z }) => {
        z[0] = -1e-6;
      },
    ],
    [
      'that pushes an opening contact',
      ({ z, w, size }) => {
        for (let i = 0; i < size; i++) if (w[i] > 1e-3) z[i] = 1e-6;
      },
    ],
  ])('%s is noticed', (_, answer) => {
    sabotage.answer = answer;
    const worst = worstOf(mechanism());
    expect(Math.max(worst.complementarity, worst.coneViolation)).toBeGreaterThan(1e-8);
    // The velocities still follow from the wrong impulses: only the contact law is broken.
    expect(worst.dynamics).toBeLessThan(1e-12);
  });

  it('that pulls violates the cone', () => {
    sabotage.answer = ({ z, size }) => {
      for (let i = 0; i < size; i++) z[i] = -1e-3;
    };
    expect(worstOf(mechanism()).coneViolation).toBeGreaterThan(1e-8);
  });
});

describe('a wrong operator', () => {
  it('Ŵ⁻¹ that is off by 1e-6 breaks the equation of motion', () => {
    sabotage.inverse = 1 + 1e-6;
    const worst = worstOf(mechanism());
    expect(worst.dynamics).toBeGreaterThan(1e-8);
  });

  it('a Delassus operator that is off by 1e-6 breaks the contact law', () => {
    const simulation = timeStepping(mechanism());
    const { values } = simulation.delassus.operator;
    for (let k = 0; k < values.length; k++) values[k] *= 1 + 1e-6;
    for (let k = 0; k < 2000; k++) simulation.advance();
    expect(simulation.certificate.report.complementarity).toBeGreaterThan(1e-8);
  });

  it('a response that is off by 1e-6 breaks the equation of motion', () => {
    const simulation = timeStepping(mechanism());
    const { values } = simulation.delassus.response;
    for (let k = 0; k < values.length; k++) values[k] *= 1 + 1e-6;
    for (let k = 0; k < 2000; k++) simulation.advance();
    expect(simulation.certificate.report.dynamics).toBeGreaterThan(1e-8);
  });

  it('a response in the wrong coordinate breaks the equation of motion of that system', () => {
    const simulation = timeStepping(mechanism());
    const { columns, rowStart } = simulation.delassus.response;
    // The bead's entry of the row “top” is moved to the pair.
    const last = rowStart[3] - 1;
    const { v } = simulation.context;
    expect(columns[last]).toBe(v + 2);
    columns[last] = v;
    for (let k = 0; k < 2000; k++) simulation.advance();
    const { dynamics, worstElement } = simulation.certificate.report;
    expect(dynamics).toBeGreaterThan(1e-3);
    expect(['pair', 'bead']).toContain(worstElement);
  });
});

describe('the balance of energy', () => {
  it('closes to rounding at θ = ½ with damping, springs, constant forces and impacts', () => {
    expect(run(mechanism()).session.energyDrift).toBeLessThan(1e-12);
  });

  it('shows what the scheme dissipates at θ = 1', () => {
    expect(run(mechanism(1)).session.energyDrift).toBeGreaterThan(1e-3);
  });

  it('has what projection gives to bodies that spring back, on springs and under loads', () => {
    const { uniform } = seeded(41);
    let gains = 0;
    for (let k = 0; k < 20; k++) {
      const [mass, stiffness, load] = [uniform(0.5, 2), k % 2 === 0 ? 0 : uniform(1, 20), -uniform(5, 15)];
      const ball = particle('ball', uniform(0.2, 1), 0, {
        mass: [[mass]],
        stiffness: [[stiffness]],
        fExt: [load],
      });
      const { simulation, ...rest } = model([ball], [contact('floor', ['ball'], [[1]], 1)], {
        h: 1e-3,
        tEnd: 3,
      });
      const integrators = [{ type: 'MoreauJean', theta: 0.5, projection: 'yes' }];
      const { session, column } = run({ ...rest, simulation: { ...simulation, integrators } });
      const [q, v] = [column('ball.q'), column('ball.v')];
      // An impact that gives back all costs nothing.
      const kinetic = v.map((x) => 0.5 * mass * x * x);
      const stored = q.map((x, i) => kinetic[i] + 0.5 * stiffness * x * x);
      const worked = q.map((x) => load * (x - q[0]));
      const exchanged = column('floor.impulse').map((p) => (0.5 * p * p) / mass);
      const largest = Math.max(...stored, ...worked.map(Math.abs), ...exchanged);
      const made = (stored.at(-1) ?? 0) - stored[0] - (worked.at(-1) ?? 0);
      expect(session.energyGain?.share, `case ${k}`).toBeCloseTo(made / largest, 9);
      if (made > 1e-6 * largest) gains++;
    }
    expect(gains).toBeGreaterThan(5);
  });

  it('closes with forcing by a script', () => {
    const forced = withFunctions(
      model(
        [particle('mass', 0.1, 0, { damping: [[0.2]], stiffness: [[30]], fExt: { function: 'push' } })],
        [contact('wall', ['mass'], [[-1]], 0.7, [0.2])],
        { h: 1e-3, tEnd: 5 },
      ),
      'export const push: ExternalForce = (t, out) => {',
      '  out[0] = 8 * Math.cos(5 * t);',
      '};',
    );
    const { session } = run(forced, { sandbox: createSandbox });
    expect(session.events).toBeGreaterThan(3);
    expect(session.energyDrift).toBeLessThan(1e-12);
  });

  it('does not exist for a stiffness that is not symmetric', () => {
    const circulatory = linearSystem(
      's',
      {
        mass: [
          [1, 0],
          [0, 1],
        ],
        stiffness: [
          [1, 2],
          [0, 1],
        ],
      },
      [1, 0],
      [0, 0],
    );
    expect(run(model([circulatory], [], { tEnd: 0.1 })).session.energyDrift).toBeNull();
  });
});

describe('independence', () => {
  const source = ['certificate', 'time-stepping/certificate']
    .map((room) => fileURLToPath(new URL(`../../src/engine/${room}/`, import.meta.url)))
    .flatMap((folder) => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')))
    .join('\n');

  // The projection onto a polytope is no solver's: they pivot.
  it('imports no solver, no problem and no factorisation', () => {
    const imported = [...source.matchAll(/from '([^']+)'/g)].map((match) => match[1]);
    expect(imported.length).toBeGreaterThan(20);
    for (const path of imported)
      expect(path).not.toMatch(
        /solvers|problems|linalg\/(?!sparse|nan-safe|polytope-projection)|rows|delassus|one-step/,
      );
  });

  it('takes nothing but types from the integrators', () => {
    const statements = [...source.matchAll(/import (type )?[^;]*from '(?:\.\.\/)+integrators\/[^']*'/g)];
    expect(statements.length).toBeGreaterThan(0);
    for (const [, isType] of statements) expect(isType).toBe('type ');
  });

  it('reads neither the Delassus operator nor the responses nor Ŵ', () => {
    const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(code).not.toMatch(/delassus|response|applyInverse|freeVelocity/i);
  });
});
