/** Benchmarks of Lyapunov spectra, of the cam-follower and of the Lorenz equations, beside their twins. */
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import type { Measurement } from '../benchmark';
import { type JobRun, processorTime, type SideBySide } from './side-by-side';

/** Intervals between orthonormalisations, and those in which disturbances turn into their directions. */
export interface Intervals {
  readonly intervals: number;
  readonly aligned: number;
}

/** The engine leaves out a twentieth more. */
const aligned = (intervals: number): Intervals => ({ intervals, aligned: Math.ceil(0.05 * intervals) });

interface Spectrum {
  readonly transient: number;
  readonly duration: number;
  readonly interval: number;
}

/** @param parts what the time is divided by @returns exponents */
function spectrumHere(document: ModelDocument, spectrum: Spectrum, parts: number): JobRun {
  let state: number[] = [];
  const taken = processorTime(() => {
    const request = { kind: 'lyapunov', ...spectrum, count: null } as const;
    const outcome = computeAnalysis(
      { kind: 'lyapunov', document, request },
      { sandbox: createSandbox, progress: () => undefined },
    );
    if (outcome.kind !== 'lyapunov' || outcome.status !== 'done') throw new Error('there are no exponents');
    state = [...outcome.exponents];
  });
  return { ns: taken / parts, state };
}

/** Chaotic motions of two programs part: their exponents are means over different stretches. */
function compareExponents(ours: readonly number[], theirs: readonly number[]): Measurement[] {
  return ours.map((exponent, k) => ({
    quantity: `  exponent ${k + 1} less that of C`,
    value: exponent - theirs[k],
    unit: '1/s',
  }));
}

const CAM = { mu: 1.221, kappa: 1430.8, r: 0.8, height0: 0.4, speed0: 0.4 };
/** Revolutions between orthonormalisations. */
const TURNS = 3;

/** @param transient revolutions that are left out */
export const camLyapunov = (rpm: number, transient: number, counts: Intervals): SideBySide => ({
  name: 'cam-lyapunov',
  summary: 'Lyapunov spectrum of the cam-follower beside a program in C',
  unit: 'revolution',
  example: 'cam-follower-event-driven-660',
  twin: 'cam-lyapunov',
  most: 6,
  ready: (document) => {
    const { intervals, aligned: turning } = counts;
    const turn = 60 / rpm;
    const interval = TURNS * turn;
    const spectrum = { transient: transient * turn, duration: intervals * interval, interval };
    const model = {
      ...document,
      parameters: document.parameters.map((one) => (one.name === 'rpm' ? { ...one, value: rpm } : one)),
    };
    const revolutions = transient + TURNS * (intervals + turning);
    return {
      given: { ...CAM, rpm, transient, turns: TURNS, ...counts },
      run: () => spectrumHere(model, spectrum, revolutions),
    };
  },
  compare: compareExponents,
});

/** Chaotic at this speed. */
export const chaoticCam = camLyapunov(660, 100, aligned(1000));

export const lorenzLyapunov = (transient: number, counts: Intervals): SideBySide => ({
  name: 'lorenz-lyapunov',
  summary: 'Lyapunov spectrum of the Lorenz equations beside a program in C',
  unit: 'unit of time',
  example: 'lorenz',
  twin: 'lorenz-lyapunov',
  most: 6,
  ready: (document) => {
    const { intervals, aligned: turning } = counts;
    const interval = 0.5;
    const spectrum = { transient, duration: intervals * interval, interval };
    const time = transient + interval * (intervals + turning);
    return {
      given: { sigma: 10, rho: 28, beta: 8 / 3, x: 1, y: 2, z: 20, transient, interval, ...counts },
      run: () => spectrumHere(document, spectrum, time),
    };
  },
  compare: compareExponents,
});

export const lorenz = lorenzLyapunov(50, aligned(2000));
