/** Analyses of motions that come to rest: on a contact, after infinitely many bounces, in dry friction, on the limit of a relay. */
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import { analysisJob } from '@engine/analysis/jobs/job';
import { lyapunovSpectrum, type LyapunovSpectrum } from '@engine/analysis/stability/lyapunov';
import { MotionModel } from '@engine/analysis/stability/motion-model';
import { findOrbit } from '@engine/analysis/stability/periodic-orbit';
import type { AnalysisDocument, ModelDocument } from '@engine/document/types';
import type { EngineErrorDetails } from '@engine/errors';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { createSandbox } from '@engine/script/sandbox';
import { placeState } from '@engine/simulation/layout';
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
