/**
 * One-step problems on their own: each solver on each problem from a cold start, factorisation included, and
 * Siconos' own Lemke and projected Gauss–Seidel on the same data, in turns with ours, so that a machine that
 * slows down meanwhile slows both. Medians count.
 *
 * What is compared: here, one call of `solve` from z = 0 on an operator of which nothing is known (a new
 * revision), the answer multiplied out and its residual measured included; there, one call of Siconos' LCP
 * driver on the same matrix in its dense storage, with one thread. Pivoting methods are exact on both sides.
 * Both Gauss–Seidel methods sweep without
 * relaxation until max |min(W_ii z_i, w_i)| ≤ 10⁻⁸ max |q|, which for Siconos means the loosest of its own
 * tolerances that gives this accuracy (`siconos/lcp.cpp`).
 *
 * The rows `again` (`lcp-again.ts`) are the inner loop of a small simulation. Siconos has no such call to
 * compare with.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSolver } from '@engine/solvers/registry';
import { createSolverResult, type SolverStatus } from '@engine/solvers/solver';
import { type Benchmark, type BenchmarkOptions, type Measurement, median, whoFailed } from './benchmark';
import { measureAgain } from './lcp-again';
import { type LcpData, randomProblem, readProblems, lcpBytes, toProblem } from './lcp-data';
import { runProgram } from './siconos/run';
import { build, findToolchain } from './siconos/toolchain';

const SIZES = [10, 50, 200, 500];
/** Odd, so that the median is one of them. */
const RUNS = 7;
/** One solve above this is measured once. */
const LONG_SOLVE_S = 1;
/** Shortest time that is measured at once, s: the clock and the call count for nothing then. */
const SHORTEST = 0.02;
/**
 * Relative residual asked of methods that come close step by step, and of those that are exact, where it is
 * checked.
 */
const TOLERANCE = 1e-8;
const EXACT = 1e-10;
/** Sweeps of projected Gauss–Seidel, here and there: chains of contacts would take minutes. */
const SWEEPS = 10_000;
const SOLVERS = [
  'auto',
  'Lemke',
  'PGS',
  'PrincipalPivoting',
  'InteriorPoint',
  'NewtonFischerBurmeister',
  'CPG',
] as const;

type OurSolver = (typeof SOLVERS)[number];
const toleranceOf = (name: OurSolver): number => (name === 'PGS' || name === 'CPG' ? TOLERANCE : EXACT);
type TheirSolver = 'Lemke' | 'PGS';

interface OwnRun {
  ns: number;
  status: SolverStatus;
  /** relative natural residual, measured from the answer */
  residual: number;
}

interface Timed {
  /** ns per solve */
  times: number[];
  /** why it counts for nothing, or null */
  failure: string | null;
  residual?: number | undefined;
}

/**
 * Runs one of our solvers again and again for at least `SHORTEST`.
 * @returns ns per solve and the last status
 */
function runHere(name: OurSolver, data: LcpData): () => OwnRun {
  const problem = toProblem(data);
  const settings: Record<string, number> = name === 'PGS' ? { maxIterations: SWEEPS } : {};
  const solver = createSolver(name, data.n, settings);
  const result = createSolverResult();
  const tolerance = toleranceOf(name);
  return () => {
    let solves = 0;
    const began = performance.now();
    let taken = 0;
    while (taken < SHORTEST * 1e3) {
      // The clock is read once for several solves of a small problem.
      for (let k = 0; k < 16; k++) {
        // A new revision: nothing is known of the operator.
        problem.revision++;
        for (let i = 0; i < data.n; i++) problem.z[i] = 0;
        solver.solve(problem, tolerance, result);
        solves++;
        if (data.n > 20) break;
      }
      taken = performance.now() - began;
    }
    return { ns: (taken * 1e6) / solves, status: result.status, residual: result.residual };
  };
}

/** Runs one of Siconos' solvers on the same data. */
function runThere(executable: string, file: string, name: TheirSolver, n: number): () => Outcome {
  const iterations = name === 'PGS' ? SWEEPS : 200 + 20 * n;
  const given = { file, solver: name.toLowerCase(), tolerance: TOLERANCE, iterations, seconds: SHORTEST };
  return () => {
    const { nsPerStep, failures, state } = runProgram(executable, given);
    return { ns: nsPerStep, failure: failures === 0 ? null : `not solved in ${state[0]} iterations` };
  };
}

/** All solvers in turns, `RUNS` times. */
function measureProblem(data: LcpData, executable: string | null, folder: string): Measurement[] {
  const file = join(folder, 'problem.bin');
  if (executable !== null) writeFileSync(file, lcpBytes(data));
  const ours = SOLVERS.map((name) => ({ label: name, run: wrap(runHere(name, data)) }));
  const theirs = (['Lemke', 'PGS'] as const).map((name) => ({
    label: `Siconos ${name}`,
    run: executable === null ? null : runThere(executable, file, name, data.n),
  }));
  const results = new Map<string, Timed>();
  for (let round = 0; round < RUNS; round++) {
    for (const { label, run } of [...ours, ...theirs]) {
      const timed = results.get(label) ?? { times: [], failure: null };
      results.set(label, timed);
      if (run === null || timed.failure !== null || timed.times[0] > LONG_SOLVE_S * 1e9) continue;
      const { ns, failure, residual } = run();
      timed.times.push(ns);
      timed.failure = failure;
      timed.residual = residual;
    }
  }
  return toMeasurements(data.name, results, executable !== null);
}

interface Outcome {
  ns: number;
  failure: string | null;
  residual?: number;
}

function wrap(run: () => OwnRun): () => Outcome {
  // Warm-up: the first solves are interpreted.
  run();
  return () => {
    const { ns, status, residual } = run();
    return { ns, residual, failure: status === 'converged' ? null : status };
  };
}

function toMeasurements(
  problem: string,
  results: ReadonlyMap<string, Timed>,
  hasSiconos: boolean,
): Measurement[] {
  const time = (label: string): number | null => {
    const timed = results.get(label);
    return timed === undefined || timed.failure !== null || timed.times.length === 0
      ? null
      : median(timed.times);
  };
  const rows: Measurement[] = [...results]
    .filter(([label]) => hasSiconos || !label.startsWith('Siconos'))
    .map(([label, { failure }]) => ({
      quantity: `${problem}: ${label}`,
      value: scaled(time(label)),
      unit: 'µs',
      ...(failure === null ? {} : { note: failure }),
    }));
  rows.push({
    quantity: `${problem}: residual of auto`,
    value: results.get('auto')?.residual ?? null,
    unit: '',
  });
  if (!hasSiconos) return rows;
  for (const [there, here] of [
    ['Lemke', 'Lemke'],
    ['Lemke', 'auto'],
    ['PGS', 'PGS'],
  ]) {
    const a = time(`Siconos ${there}`);
    const b = time(here);
    const quantity = `${problem}: Siconos ${there} / ${here} here`;
    rows.push(
      a === null || b === null
        ? { quantity, value: null, unit: '', note: whoFailed(a, b) }
        : { quantity, value: a / b, unit: '' },
    );
  }
  return rows;
}

const scaled = (ns: number | null): number | null => (ns === null ? null : ns / 1e3);

function measure(options: BenchmarkOptions): Measurement[] {
  const problems = options.problems === undefined ? SIZES.map(randomProblem) : readProblems(options.problems);
  const search = findToolchain();
  const executable = search.ok ? build('lcp', search.toolchain) : null;
  const folder = mkdtempSync(join(tmpdir(), 'moreau-lcp-'));
  try {
    const again = options.problems === undefined ? measureAgain() : [];
    const rows = [...problems.flatMap((data) => measureProblem(data, executable, folder)), ...again];
    if (search.ok) return rows;
    return [...rows, { quantity: 'Siconos / here', value: null, unit: '', note: search.reason }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const lcp: Benchmark = {
  name: 'lcp',
  summary: 'time per solve of complementarity problems, random or from --problems',
  measure: (_, options) => measure(options),
};
