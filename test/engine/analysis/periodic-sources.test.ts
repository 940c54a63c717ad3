/**
 * Orbits of models whose sources jump, and of motions that keep their energy: the voltage-mode buck
 * converter, whose orbit, multipliers and period doubling are known from closed flights, and a free
 * oscillator.
 */
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import { analysisJob } from '@engine/analysis/jobs/job';
import type { FoundOrbit } from '@engine/analysis/jobs/outcome';
import type { AnalysisDocument, ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { isProving } from '../../support/prove';
import { run } from '../support/run';

const T = 4e-4;

const settings = (h: number, tEnd: number): ModelDocument['simulation'] => ({
  scheme: 'event-driven',
  t0: 0,
  tEnd,
  h,
  integrators: [{ type: 'EulerMoreau', theta: 1, thetaR: 1 }],
  problem: { type: 'auto' },
  solver: { type: 'auto' },
});

const PARAMETERS = { L: 0.02, C: 4.7e-5, R: 22 };

/**
 * Inductor current and output voltage; the switch conducts while the error is below a sawtooth of 3.8 to 8.2
 * V.
 */
const buck = (h: number, E = 20): ModelDocument => ({
  formatVersion: 3,
  title: 'Buck converter',
  description: '',
  references: [],
  parameters: [
    { name: 'E', value: E },
    ...Object.entries(PARAMETERS).map(([name, value]) => ({ name, value })),
  ],
  systems: [
    {
      id: 'filter',
      type: 'FirstOrderLinear',
      n: 2,
      x0: [0.55, 12],
      A: [
        [0, '-1/L'],
        ['1/C', '-1/(R*C)'],
      ],
    },
  ],
  interactions: [
    {
      id: 'switch',
      systems: ['filter'],
      relation: {
        type: 'FirstOrderLinearTI',
        C: [[0, 8.4]],
        B: [['E/L'], [0]],
        e: { function: 'ramp' },
      },
      law: { type: 'Relay', lower: [0], upper: [1] },
    },
    {
      id: 'diode',
      systems: ['filter'],
      relation: { type: 'FirstOrderLinearTI', C: [[1, 0]], B: [['1/L'], [0]] },
      law: { type: 'Complementarity' },
    },
  ],
  simulation: settings(h, 500 * T),
  observables: [],
  scripts: [
    {
      name: 'sources.ts',
      role: 'functions',
      source: [
        'export const ramp: TimeVector = (t, out) => {',
        `  const phase = t / ${T} - Math.floor(t / ${T});`,
        '  out[0] = -8.4 * 11.3 - (3.8 + 4.4 * phase);',
        '};',
      ],
    },
  ],
  views: [],
  layout: { nodes: {} },
});

function analysed(
  document: ModelDocument,
  analysis: Record<string, unknown>,
): ReturnType<typeof computeAnalysis> {
  const one = { id: 'one', ...analysis } as AnalysisDocument;
  const job = analysisJob({ ...document, analyses: [one] }, 'one');
  if (job.kind !== 'orbit' && job.kind !== 'branch') throw new Error(job.kind);
  return computeAnalysis(job, { sandbox: createSandbox, progress: () => undefined });
}

function orbitOf(document: ModelDocument, analysis: Record<string, unknown>): FoundOrbit {
  const found = analysed(document, { type: 'orbit', ...analysis });
  if (found.status !== 'done' || found.kind !== 'orbit') throw new Error(JSON.stringify(found));
  return found;
}

/** Relative to the figures of closed flights. */
const CLOSE = 1e-8;

const expectClose = (found: number, known: number): void =>
  expect(Math.abs(found / known - 1), `${found}, not ${known}`).toBeLessThan(CLOSE);

/** Recording steps, s: results must not depend on them. */
const STEPS = isProving ? [1e-6, 2e-6, 4e-6, 1e-5, 2e-5, 3.3e-5, 5e-5, 1e-4] : [4e-6, 1e-4];

describe.each(STEPS)('the voltage-mode buck converter, recorded every %d s', (h) => {
  it('has the output at the jumps of the sawtooth, its mean and the multipliers of its orbit', () => {
    const orbit = orbitOf(buck(h), { period: T, settle: 300 });
    expectClose(orbit.x[1], 11.96951154);
    // The pair has seven digits, and eight by the determinant of a period: between switchings nothing but the
    // load takes area away.
    for (const k of [0, 1]) {
      expect(orbit.real[k]).toBeCloseTo(-0.6918942, 7);
      expect(Math.abs(orbit.imaginary[k])).toBeCloseTo(0.447747, 7);
    }
    const { R, C } = PARAMETERS;
    expectClose(orbit.real[0] ** 2 + orbit.imaginary[0] ** 2, Math.exp(-T / (R * C)));
    // Over a period the inductor takes no flux: the mean of the output is that of the supply while the switch
    // conducts.
    const off = orbit.events.find(({ element }) => element === 'switch')?.time ?? NaN;
    expectClose(20 * (1 - off / T), 11.95299339);
  });

  it('comes to the orbit', () => {
    const { column, session } = run(buck(h), { sandbox: createSandbox });
    // Not every step ends the run with a jump of the sawtooth.
    const atJump = column('t').findLastIndex((t) => Math.abs(t / T - Math.round(t / T)) < 1e-9);
    expectClose(column('filter.x[1]')[atJump], 11.96951154);
    expect(session.certificate.complementarity).toBeLessThan(1e-10);
  });

  it('doubles its period at 24.51657283 V', () => {
    const branch = analysed(buck(h, 24), {
      type: 'branch',
      parameter: 'E',
      from: 24,
      to: 25,
      period: T,
      settle: 300,
    });
    if (branch.status !== 'done' || branch.kind !== 'branch') throw new Error(JSON.stringify(branch));
    const doubling = branch.special.filter(({ kind }) => kind === 'periodDoubling');
    expect(doubling).toHaveLength(1);
    expectClose(doubling[0].p, 24.51657283);
  });
});

describe('a free oscillator that keeps its energy', () => {
  it('has the orbit through its start, found without a section', () => {
    const document: ModelDocument = {
      ...buck(0.01),
      title: 'Free oscillator',
      parameters: [],
      systems: [{ id: 'mass', type: 'FirstOrderNonLinear', n: 2, x0: [1, 0], f: { function: 'rate' } }],
      interactions: [],
      simulation: settings(0.01, 20),
      scripts: [
        {
          name: 'rates.ts',
          role: 'functions',
          source: [
            'export const rate: Rate = (t, x, out) => { out[0] = x[1]; out[1] = -x[0] - x[0] ** 3; };',
          ],
        },
      ],
    };
    const orbit = orbitOf(document, { forcing: 'none', period: 5, settle: 0 });
    // 4 ∫ dx / √((1 − x²) (1 + (1 + x²)/2)) from 0 to 1, by x = sin φ and the rectangle rule, which is exact
    // for periodic functions.
    const places = 200;
    let exact = 0;
    for (let k = 0; k < places; k++)
      exact += 1 / Math.sqrt(1.5 + 0.5 * Math.sin((2 * Math.PI * k) / places) ** 2);
    exact *= (2 * Math.PI) / places;
    expect(orbit.period).toBeCloseTo(exact, 9);
    expect(exact).toBeCloseTo(4.768022029, 8);
    expect(orbit.x[0]).toBeCloseTo(1, 9);
  });
});
