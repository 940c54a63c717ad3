/**
 * Friction-contact problems on their own: our solvers from a cold start, factors included, and solvers of
 * Siconos on the same blocks, in turns with ours, so that a machine that slows down meanwhile slows both.
 * Medians count.
 *
 * What is compared: here, one call of `solve` from r = 0 with the residual of the answer measured; there, one
 * call of the driver on
 * the same matrix in Siconos' own block storage, with one thread. Both end when the natural map is below 10⁻⁸
 * of the largest of |q|, |r|, |u|; Siconos is given the loosest of its own tolerances with which its answer
 * meets that (`siconos/friction.cpp`).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { copyPattern } from '@engine/linalg/block-rows';
import { FrictionContactProblem } from '@engine/problems/friction-contact';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { createSolverResult, type SolverStatus } from '@engine/solvers/solver';
import { type Benchmark, type BenchmarkOptions, type Measurement, median, whoFailed } from './benchmark';
import { sweepGrowth, type SweepCost, triedIn } from './friction-growth';
import { type FrictionData, generatedPiles, readFrictionProblems, frictionBytes } from './friction-data';
import { runProgram } from './siconos/run';
import { build, findToolchain } from './siconos/toolchain';

const SIZES = [10, 100, 1000, 5000];
const SIZES_OF_SPHERES = [10, 25, 100, 300, 1000];
/** Odd, so that the median is one of them. */
const RUNS = 5;
/** One solve above this, s, is measured once. */
const LONG_SOLVE_S = 1;
/** Shortest time that is measured at once, s. */
const SHORTEST = 0.02;
const TOLERANCE = 1e-8;
/**
 * Iteration limit of Siconos, which would need minutes for hard problems; reduced above `FACTORED` contacts.
 */
const ITERATIONS = 20_000;
const OURS = ['auto', 'NSGS', 'FrictionInteriorPoint', 'ADMM', 'SemiSmoothNewton'] as const;
/** Those that factorise, and whether they can do it by bodies. */
const WITH_FACTORS: Readonly<Partial<Record<string, 'bodies' | 'contacts'>>> = {
  FrictionInteriorPoint: 'bodies',
  ADMM: 'contacts',
  SemiSmoothNewton: 'contacts',
};
/** Of its other solvers those that solve most of these problems in seconds and in little memory. */
const THEIRS = ['nsgs', 'nsgs-light', 'admm'] as const;
const THEIRS_IN_PLANE = ['nsgs', 'cpg'] as const;
/** Contacts above which Siconos' global methods, and our factors, would take minutes. */
const FACTORED = 1000;

export interface SolveOutcome {
  ns: number;
  failure: string | null;
  iterations: number;
  residual: number;
  solver: string;
  /** of the automatic choice: what it tried, and what came of it */
  reason?: string;
}

export interface Timed {
  /** ns */
  times: number[];
  last: SolveOutcome;
}

/** Runs one of our solvers again and again for at least `SHORTEST`. */
function runHere(name: string, { problem }: FrictionData): () => SolveOutcome {
  const solver = createFrictionSolver(name);
  const result = createSolverResult();
  const run = (): SolveOutcome => {
    let solves = 0;
    const began = performance.now();
    let taken = 0;
    while (taken < SHORTEST * 1e3) {
      // The clock is read once for several solves of a small problem.
      for (let k = 0; k < 16; k++) {
        problem.r.fill(0);
        solver.solve(problem, TOLERANCE, result);
        solves++;
        if (problem.count > 20) break;
      }
      taken = performance.now() - began;
    }
    const status: SolverStatus = result.status;
    return {
      ns: (taken * 1e6) / solves,
      failure: status === 'converged' ? null : status,
      iterations: result.iterations,
      residual: result.residual,
      solver: result.solver,
      ...(solver.reason === undefined ? {} : { reason: solver.reason }),
    };
  };
  return run;
}

/** The same problem, of which only W is known. */
function withoutFactors({ dimension, W, q, mu, count }: FrictionContactProblem): FrictionContactProblem {
  const problem = new FrictionContactProblem(dimension, count, W.rowStart[count]);
  problem.count = count;
  problem.revision = 1;
  copyPattern(W, problem.W);
  problem.W.values.set(W.values.subarray(0, problem.W.values.length));
  problem.q.set(q.subarray(0, problem.q.length));
  problem.mu.set(mu.subarray(0, count));
  return problem;
}

/** Runs one of Siconos' solvers on the same data. */
function runThere(executable: string, file: string, name: string, contacts: number): () => SolveOutcome {
  const iterations = Math.round(ITERATIONS * Math.min(1, FACTORED / contacts));
  const given = { file, solver: name, tolerance: TOLERANCE, iterations, seconds: SHORTEST };
  return () => {
    const { nsPerStep, failures, state } = runProgram(executable, given);
    const failure = failures === 0 ? null : `not solved in ${state[0]} iterations`;
    return { ns: nsPerStep, failure, iterations: state[0], residual: state[1], solver: name };
  };
}

/**
 * All solvers in turns, `RUNS` times.
 * @returns by name of the solver; null where it was ended before all were measured once
 */
async function measureProblem(
  data: FrictionData,
  executable: string | null,
  folder: string,
  isEnded: () => boolean,
): Promise<ReadonlyMap<string, Timed> | null> {
  const { problem, name } = data;
  const file = join(folder, 'problem.bin');
  const runs: { label: string; run: () => SolveOutcome }[] = OURS.filter(
    (solver) =>
      !(solver in WITH_FACTORS) ||
      problem.count <= FACTORED ||
      (WITH_FACTORS[solver] === 'bodies' && problem.factors !== null),
  ).map((solver) => ({ label: solver, run: runHere(solver, data) }));
  // What it gains by factorising by bodies.
  if (problem.factors !== null && problem.count <= FACTORED)
    runs.push({
      label: 'FrictionInteriorPoint by contacts',
      run: runHere('FrictionInteriorPoint', { name, problem: withoutFactors(problem) }),
    });
  // Warm-up: the first solves are interpreted.
  for (const { run } of runs) {
    run();
    await setImmediate();
    if (isEnded()) return null;
  }
  if (executable !== null) {
    writeFileSync(file, frictionBytes(problem));
    const solvers = problem.dimension === 2 ? THEIRS_IN_PLANE : THEIRS;
    for (const solver of solvers) {
      if (problem.count > FACTORED && !solver.startsWith('nsgs')) continue;
      runs.push({ label: `Siconos ${solver}`, run: runThere(executable, file, solver, problem.count) });
    }
  }
  const results = new Map<string, Timed>();
  const whole = (): ReadonlyMap<string, Timed> | null => (results.size === runs.length ? results : null);
  for (let round = 0; round < RUNS; round++) {
    for (const { label, run } of runs) {
      const before = results.get(label);
      if (before !== undefined && (before.last.failure !== null || before.times[0] > LONG_SOLVE_S * 1e9))
        continue;
      let last: SolveOutcome;
      try {
        last = run();
      } catch (error) {
        // Ctrl+C ends the comparison program before it is heard here.
        await setImmediate();
        if (isEnded()) return whole();
        throw error;
      }
      results.set(label, { times: [...(before?.times ?? []), last.ns], last });
      await setImmediate();
      if (isEnded()) return whole();
    }
  }
  return results;
}

/** What is said of a problem once it is measured. @param results by name of the solver */
export function toMeasurements(name: string, results: ReadonlyMap<string, Timed>): Measurement[] {
  const time = (label: string): number | null => {
    const timed = results.get(label);
    return timed === undefined || timed.last.failure !== null ? null : median(timed.times);
  };
  const rows: Measurement[] = [];
  for (const [label, { last }] of results) {
    const value = time(label);
    rows.push({
      quantity: `${name}: ${label}${label === 'auto' ? ` (${last.solver})` : ''}`,
      value: value === null ? null : value / 1e6,
      // Without a time there is no unit.
      unit: value === null ? '' : 'ms',
      note: `${last.failure ?? ''} residual ${last.residual.toExponential(1)}`.trim(),
    });
    rows.push({ quantity: `${name}: iterations of ${label}`, value: last.iterations, unit: '' });
  }
  const automatic = results.get('auto')?.last;
  rows.push({ quantity: `${name}: residual of auto`, value: automatic?.residual ?? null, unit: '' });
  if (automatic?.reason !== undefined)
    rows.push({
      quantity: `${name}: auto tried`,
      value: null,
      unit: '',
      note: triedIn(automatic.reason),
      reason: automatic.reason,
    });
  const best = (labels: readonly string[]): number | null => {
    const times = labels.map(time).filter((value) => value !== null);
    return times.length === 0 ? null : Math.min(...times);
  };
  const chosen = time('auto');
  const parts = best(OURS.filter((label) => label !== 'auto'));
  const share = `${name}: auto / best of its parts here`;
  if (chosen !== null && parts !== null) rows.push({ quantity: share, value: chosen / parts, unit: '' });
  else rows.push({ quantity: share, value: null, unit: '', note: whichFailed(chosen, parts) });
  const theirs = [...results.keys()].filter((label) => label.startsWith('Siconos'));
  if (theirs.length === 0) return rows;
  const ratio = (quantity: string, there: number | null, here: number | null): void => {
    rows.push(
      there === null || here === null
        ? { quantity, value: null, unit: '', note: whoFailed(there, here) }
        : { quantity, value: there / here, unit: '' },
    );
  };
  const sweeps = theirs.filter((label) => label.includes('nsgs'));
  ratio(`${name}: Siconos NSGS / NSGS here`, best(sweeps), time('NSGS'));
  ratio(`${name}: best of Siconos / auto here`, best(theirs), time('auto'));
  return rows;
}

function whichFailed(chosen: number | null, parts: number | null): string {
  if (chosen !== null) return 'solved by none of its parts alone';
  return parts === null ? 'solved by none' : 'not solved by auto';
}

/**
 * Each problem's name and size before it is measured, and its rows when it is; with `isEnded` those of the
 * problems before.
 */
export async function* measureFriction(options: BenchmarkOptions): AsyncGenerator<Measurement> {
  const isEnded = options.isEnded ?? (() => false);
  const problems =
    options.problems === undefined
      ? generatedPiles(SIZES, SIZES_OF_SPHERES)
      : readFrictionProblems(options.problems);
  const search = findToolchain();
  const executable = search.ok ? build('friction', search.toolchain) : null;
  const folder = mkdtempSync(join(tmpdir(), 'moreau-friction-'));
  try {
    const costs: SweepCost[] = [];
    for (const data of problems) {
      const { count: contacts } = data.problem;
      yield { quantity: `${data.name}: contacts`, value: contacts, unit: '' };
      const results = await measureProblem(data, executable, folder, isEnded);
      if (results === null) break;
      const sweeps = results.get('NSGS');
      if (sweeps !== undefined && sweeps.last.iterations > 0)
        costs.push({ name: data.name, contacts, time: median(sweeps.times) / sweeps.last.iterations });
      yield* toMeasurements(data.name, results);
      if (isEnded()) break;
    }
    // Problems of a folder are no families.
    if (options.problems === undefined) yield* sweepGrowth(costs);
    if (!search.ok) yield { quantity: 'Siconos / here', value: null, unit: '', note: search.reason };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const friction: Benchmark = {
  name: 'friction',
  summary:
    'time per solve of friction-contact problems, piles of bodies or from --problems, and what the automatic choice took',
  measure: (_, options) => measureFriction(options),
};
