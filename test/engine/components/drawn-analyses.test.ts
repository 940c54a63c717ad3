/** Sensitivities, verdicts and sweeps of drawn models, against differences and runs. */
import { analysedMotion } from '@engine/analysis/jobs/motion-of';
import { findOrbit } from '@engine/analysis/stability/periodic-orbit';
import { flowEnd } from '@engine/analysis/stability/flow-map';
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import { analysisJob } from '@engine/analysis/jobs/job';
import { computePoint } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { run } from '../support/run';
import { environment } from './differences';

const T = 4e-4;

function buck(): ModelDocument {
  const path = new URL('../../../resources/examples/buck-voltage-mode.moreau.json', import.meta.url);
  const { document } = readDocument(readFileSync(path, 'utf8'));
  if (document === null) throw new Error('the example cannot be opened');
  return document;
}

const settled = (E: number): ReturnType<typeof findOrbit> => {
  const { motion, t0 } = analysedMotion(buck(), { E }, environment);
  const x = flowEnd(motion, t0, 100 * T, motion.initialState)?.x ?? motion.initialState;
  return findOrbit(motion, x, { t0, period: T, isAutonomous: false });
};

describe('analyses of drawn models', () => {
  it('sensitivities to a parameter: orbits move as the multipliers and the difference of the flow say', () => {
    const [E, delta] = [20, 1e-3];
    const orbit = settled(E);
    const [below, above] = [settled(E - delta), settled(E + delta)];
    if (orbit.status !== 'converged' || below.status !== 'converged' || above.status !== 'converged')
      throw new Error('no orbit');
    const moved = (by: number): Float64Array => {
      const { motion, t0 } = analysedMotion(buck(), { E: E + by }, environment);
      return flowEnd(motion, t0, T, orbit.x)?.x ?? new Float64Array(2);
    };
    const [left, right] = [moved(-delta), moved(delta)];
    const M = orbit.monodromy;
    for (let i = 0; i < 2; i++) {
      // dx/dp = M dx/dp + ∂P/∂p
      const slopes = [0, 1].map((j) => (above.x[j] - below.x[j]) / (2 * delta));
      const flow = (right[i] - left[i]) / (2 * delta);
      expect(M[i] * slopes[0] + M[i + 2] * slopes[1] + flow).toBeCloseTo(slopes[i], 6);
    }
  });

  it('verdicts: orbits, branches and exponents say that their motions are solved and complete', () => {
    const analyses = [
      { id: 'orbit', type: 'orbit', period: 'T', settle: 100 },
      { id: 'branch', type: 'branch', parameter: 'E', from: 20, to: 20.5, period: 'T', settle: 100 },
      {
        id: 'exponents',
        type: 'lyapunov',
        ...{ transient: '20*T', duration: '20*T', interval: 'T' },
      },
    ];
    for (const { id } of analyses) {
      const job = analysisJob({ ...buck(), analyses }, id);
      if (job.kind === 'sweep' || job.kind === 'basins') throw new Error('not asked for');
      const outcome = computeAnalysis(job, environment);
      if (outcome.status === 'failed') throw new Error(outcome.error.message);
      if (outcome.kind === 'branch') {
        expect(outcome.verdicts?.solved.every((one) => one === 1)).toBe(true);
        expect(outcome.verdicts?.complete.every((one) => one === 1)).toBe(true);
        expect(outcome.p.length).toBeGreaterThan(2);
      } else expect(outcome.verdict).toEqual({ solved: true, complete: true });
    }
  });

  it('sweeps: points of the section, measures and exponents are those of runs and orbits', () => {
    const document = buck();
    const job = (count: number): SweepJob => ({
      document,
      plan: { kind: 'grid', axes: [{ parameter: 'E', from: 20, to: 22, count: 2 }] },
      section: { section: { kind: 'stroboscopic', period: 'T', phase: 0 }, transient: 200, count },
      measures: ['max out.v', 'lyapunov'],
    });
    const delta = 1e-3;
    const at = (E: number, count = 4): { v: number; lyapunov: number } => {
      const point = computePoint(job(count), Float64Array.of(E), null, environment);
      if (point?.status !== 'done') throw new Error(point?.error?.message);
      expect(point.verdict).toEqual({ solved: true, complete: true });
      return { v: point.section[2], lyapunov: point.measures[1] };
    };
    const simulation = { ...document.simulation, tEnd: 200 * T };
    const { column } = run({ ...document, simulation }, environment);
    expect(at(20).v).toBeCloseTo(column('circuit.x[1]').at(-1) ?? NaN, 9);
    const orbit = settled(20);
    if (orbit.status !== 'converged') throw new Error('no orbit');
    const { real, imaginary } = orbit.multipliers;
    const rate = Math.log(Math.hypot(real[0], imaginary[0])) / T;
    expect(Math.abs(at(20, 400).lyapunov / rate - 1)).toBeLessThan(0.05);
    // Points move as orbits do.
    const [below, above] = [settled(20 - delta), settled(20 + delta)];
    if (below.status !== 'converged' || above.status !== 'converged') throw new Error('no orbit');
    const slope = (at(20 + delta).v - at(20 - delta).v) / (2 * delta);
    expect(slope).toBeCloseTo((above.x[1] - below.x[1]) / (2 * delta), 6);
  });
});
