/**
 * Analyses of motions that come to rest: on a contact, after infinitely many bounces, in dry friction, on the
 * limit of a relay.
 */
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import { analysisJob } from '@engine/analysis/jobs/job';
import { lyapunovSpectrum, type LyapunovSpectrum } from '@engine/analysis/stability/lyapunov';
import { MotionModel } from '@engine/analysis/stability/motion-model';
import { findOrbit } from '@engine/analysis/stability/periodic-orbit';
import { computePoint, type PointResult } from '@engine/analysis/sweep/compute-point';
import type { SectionRequest, SweepJob } from '@engine/analysis/sweep/job';
import type { AnalysisDocument, ModelDocument, SchemeName } from '@engine/document/types';
import type { EngineErrorDetails } from '@engine/errors';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { createSandbox } from '@engine/script/sandbox';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import { dryFriction } from '../event-driven/friction-support';
import { table } from '../event-driven/tangent-cases';
import {
  impact,
  interaction,
  lagrangianRelation,
  linearFirstOrder,
  linearLagrangian,
  linearRelation,
  relay,
  system,
} from '../support/forms';
import { example } from '../support/models';

const G = 9.81;

const motionOf = (model: NonSmoothDynamicalSystem, h = 0.1): MotionModel =>
  new MotionModel(model, placeState(model), { h });

function spectrumOf(model: NonSmoothDynamicalSystem, duration: number, count?: number): LyapunovSpectrum {
  const motion = motionOf(model);
  const settings = { t0: 0, transient: 0, duration, interval: 1, ...(count !== undefined && { count }) };
  const found = lyapunovSpectrum(motion, motion.initialState, settings);
  if (found.status !== 'done') throw new Error(found.status);
  return found;
}

const bouncing = system('ball', linearLagrangian([1], [0], [[0.3]], { force: [-0.3 * G] }));
const swinging = system('mass', linearLagrangian([1], [0], [[1]], { damping: [[0.2]], stiffness: [[1]] }));
const floor = (of: number): NonSmoothDynamicalSystem['interactions'][number] =>
  interaction('floor', [of], lagrangianRelation([[1]]), impact(0.5));

/** What is at rest has forgotten where it came from; what else moves has exponents in closed form. */
const CASES: Readonly<Record<string, [NonSmoothDynamicalSystem, readonly number[]]>> = {
  'a ball on the floor, before an oscillator': [
    { systems: [bouncing, swinging], interactions: [floor(0)] },
    [-0.1, -0.1, -Infinity, -Infinity],
  ],
  'a ball on the floor, behind an oscillator': [
    { systems: [swinging, bouncing], interactions: [floor(1)] },
    [-0.1, -0.1, -Infinity, -Infinity],
  ],
  // Both together: c/2(M + m)
  'a ball on a plate that swings': [
    {
      systems: [
        system(
          'plate',
          linearLagrangian([-0.1], [0], [[2]], { stiffness: [[200]], damping: [[0.5]], force: [-20] }),
        ),
        system('ball', linearLagrangian([-0.09], [0], [[1]], { force: [-G] })),
      ],
      interactions: [interaction('contact', [0, 1], lagrangianRelation([[-1, 1]]), impact(0.3))],
    },
    [-1 / 12, -1 / 12, -Infinity, -Infinity],
  ],
  // Where it sticks is not forgotten.
  'a mass that sticks': [
    {
      systems: [system('mass', linearLagrangian([0.5], [0], [[1]], { stiffness: [[60]] }))],
      interactions: [interaction('dry', [0], lagrangianRelation([[1]]), dryFriction(2))],
    },
    [0, -Infinity],
  ],
  // ẋ₁ = x₂ = −x₁
  'a relay that slides': [
    {
      systems: [
        system(
          'plant',
          linearFirstOrder(
            [
              [0, 1],
              [-1, -0.4],
            ],
            [1, 0.3],
          ),
        ),
      ],
      interactions: [interaction('relay', [0], linearRelation([[1, 1]], [[0], [2]]), relay(-1, 1))],
    },
    [-1, -Infinity],
  ],
};

describe('Lyapunov exponents of', () => {
  it.each(Object.entries(CASES))('%s', (_, [model, expected]) => {
    const { exponents, errors } = spectrumOf(model, 60);
    expect(exponents).toHaveLength(expected.length);
    expected.forEach((value, k) => {
      if (value === -Infinity) expect([exponents[k], errors[k]]).toEqual([value, 0]);
      else expect(Math.abs(exponents[k] - value)).toBeLessThan(0.02);
    });
  });

  it.each(Object.entries(CASES))('%s, where the largest one is asked for', (_, [model, [expected]]) => {
    const { exponents } = spectrumOf(model, 60, 1);
    expect(exponents).toHaveLength(1);
    expect(Math.abs(exponents[0] - expected)).toBeLessThan(0.02);
  });
});

describe('the orbit of a ball that rests on its table for a part of each period', () => {
  it.each([0, 0.3])('is known, and has the multipliers 0, with e = %d', (e) => {
    const [omega, gamma] = [20, 1.2];
    const amplitude = (gamma * G) / omega ** 2;
    const model: NonSmoothDynamicalSystem = {
      systems: [system('ball', linearLagrangian([0.002], [0], [[1]], { force: [-G] }))],
      interactions: [interaction('table', [0], table(amplitude, omega, true), impact(e))],
    };
    const motion = motionOf(model, 1e-2);
    const period = (2 * Math.PI) / omega;
    const orbit = findOrbit(motion, motion.initialState, { t0: 0, period, isAutonomous: false });
    if (orbit.status !== 'converged') throw new Error(orbit.status);
    // At t = 0 the table passes its mean with its largest speed, and the ball is on it.
    expect(orbit.x[0]).toBeCloseTo(0, 11);
    expect(orbit.x[1]).toBeCloseTo(amplitude * omega, 10);
    expect(Math.max(...orbit.multipliers.real.map(Math.abs))).toBeLessThan(1e-9);
    expect(orbit.events.map(({ kind }) => kind)).toContain('takeOff');
  });
});

describe('a motion that rests throughout', () => {
  const [M, K, C] = [3, 200, 0.5];
  // Both at rest where the spring carries them: they swing together, and what parts them is across their
  // contact.
  const rest = -(20 + G) / K;
  const model: NonSmoothDynamicalSystem = {
    systems: [
      system(
        'plate',
        linearLagrangian([rest], [0], [[2]], { stiffness: [[K]], damping: [[C]], force: [-20] }),
      ),
      system('ball', linearLagrangian([rest], [0], [[1]], { force: [-G] })),
    ],
    interactions: [interaction('contact', [0, 1], lagrangianRelation([[-1, 1]]), impact(0.3))],
  };

  it('has the multipliers of what may move, and 0 across its contact', () => {
    const motion = motionOf(model);
    const period = 0.7;
    const orbit = findOrbit(motion, motion.initialState, { t0: 0, period, isAutonomous: false });
    if (orbit.status !== 'converged') throw new Error(orbit.status);
    const { real, imaginary } = orbit.multipliers;
    const sizes = [...real].map((re, k) => Math.hypot(re, imaginary[k])).sort((a, b) => b - a);
    const decay = Math.exp((-C / (2 * M)) * period);
    [decay, decay, 0, 0].forEach((size, k) => expect(sizes[k]).toBeCloseTo(size, 7));
    const angle = Math.sqrt(K / M - (C / (2 * M)) ** 2) * period;
    expect(Math.max(...real)).toBeCloseTo(Math.max(0, decay * Math.cos(angle)), 7);
  });

  it('has no other exponents either', () => {
    const { exponents } = spectrumOf(model, 60);
    expect(Math.abs(exponents[0] + exponents[1] + C / M)).toBeLessThan(1e-9);
    expect([...exponents.subarray(2)]).toEqual([-Infinity, -Infinity]);
  });
});

function refused(document: ModelDocument, analysis: Record<string, unknown>): EngineErrorDetails {
  const one = { id: 'one', type: 'orbit', ...analysis } as AnalysisDocument;
  const job = analysisJob({ ...document, analyses: [one] }, 'one');
  if (job.kind !== 'orbit') throw new Error(job.kind);
  const found = computeAnalysis(job, { sandbox: createSandbox, progress: () => undefined });
  if (found.status !== 'failed') throw new Error(JSON.stringify(found));
  return found.error;
}

describe('a ball that has come to rest', () => {
  const ball = example('bouncing-ball');

  it('has no orbit with a period of its own, and says so', () => {
    expect(refused(ball, { forcing: 'none', period: 0.5, settle: 20 }).code).toBe('at-rest');
  });

  it('does not come to a section on its impacts any more, and says so', () => {
    const simulation = {
      ...ball.simulation,
      sections: [{ id: 'hits', title: 'Impacts', type: 'impact', contact: 'floor' }],
    } as ModelDocument['simulation'];
    const asked = { forcing: 'none', period: 0.5, settle: 20, section: 'hits' };
    expect(refused({ ...ball, simulation }, asked).code).toBe('section-not-met');
  });
});

describe('points and measures of a ball that comes to rest', () => {
  const FALL = Math.sqrt((2 * 0.9) / G);
  const E = 0.5;
  const hits = Array.from({ length: 60 }, (_, k) => FALL * (1 + (2 * E * (1 - E ** k)) / (1 - E)));
  const accumulated = FALL * (1 + (2 * E) / (1 - E));
  const job = (more: Partial<SweepJob>): SweepJob => ({
    document: example('bouncing-ball'),
    set: { e: E },
    plan: { kind: 'grid', axes: [{ initial: 'ball.q', values: [0.9] }] },
    scheme: 'event-driven',
    h: 1e-3,
    tEnd: 6,
    measures: [],
    ...more,
  });
  const compute = (more: Partial<SweepJob>): PointResult => {
    const result = computePoint(job(more), Float64Array.of(0.9), null, { sandbox: createSandbox });
    if (result?.status !== 'done') throw new Error(result?.error?.message);
    expect(result.verdict).toMatchObject({ solved: true, complete: true });
    return result;
  };
  const sectionOf = (section: SectionRequest, scheme: SchemeName): number[][] => {
    const { section: points } = compute({ scheme, section: { section, transient: 0, count: 1e6 } });
    return Array.from({ length: points.length / 3 }, (_, k) => [...points.subarray(3 * k, 3 * k + 3)]);
  };

  it('are those of its impacts, and none when it rests', () => {
    const exact = sectionOf({ kind: 'impact', contact: 'floor' }, 'event-driven');
    exact.forEach(([t, , v], k) => {
      expect(t).toBeCloseTo(hits[k], 9);
      // The last bounce is below the resolution.
      if (k + 1 < exact.length) expect(v / (Math.sqrt(2 * G * 0.9) * E ** (k + 1))).toBeCloseTo(1, 6);
    });
    // Bounces become four times as low each time, down to 1e-12 of the first height.
    expect(exact.length).toBe(Math.ceil(12 / Math.log10(4)));
    const stepped = sectionOf({ kind: 'impact', contact: 'floor' }, 'time-stepping');
    expect(stepped.length).toBeGreaterThan(4);
    for (const [t] of stepped) expect(t).toBeLessThan(accumulated + 0.01);
  });

  it.each(['event-driven', 'time-stepping'] as const)(
    'are none on surfaces that it rests on, and the same stroboscopic one again and again: %s',
    (scheme) => {
      for (const g of ['ball.v', 'ball.q', 'floor.gap']) {
        const crossings = sectionOf({ kind: 'surface', g, direction: 'both' }, scheme);
        for (const [t] of crossings) expect(t).toBeLessThan(accumulated + 0.01);
      }
      const strobed = sectionOf({ kind: 'stroboscopic', period: 0.5 }, scheme).slice(4);
      expect(strobed).toHaveLength(9);
      for (const [, q, v] of strobed) {
        expect(Math.abs(q)).toBeLessThan(scheme === 'event-driven' ? 1e-12 : 1e-3);
        expect(Math.abs(v)).toBeLessThan(1e-12);
      }
    },
  );

  it('say that it repeats, and that it has forgotten where it came from', () => {
    const measures = ['period', 'impacts floor', 'lyapunov', 'std ball.v'];
    const section = { kind: 'stroboscopic', period: 0.5 } as const;
    const { measures: found } = compute({ measures, section: { section, transient: 4, count: 8 } });
    expect([...found]).toEqual([1, 0, -Infinity, 0]);
  });
});
