/**
 * Motions that turn round just where something else would happen: differences of motions on either side are
 * not the same there, and analyses say so, with the place. A little off that border the derivative is the
 * difference.
 */
import { analysedMotion } from '@engine/analysis/jobs/motion-of';
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import { analysisJob } from '@engine/analysis/jobs/job';
import { flowEnd, followFlow } from '@engine/analysis/stability/flow-map';
import type { AnalysisDocument, ModelDocument } from '@engine/document/types';
import { describe, expect, it } from 'vitest';
import { sample } from '../../support/prove';
import { comparedWithDifferences, environment } from '../components/differences';
import { drawn } from '../components/drawn';
import { type Random, seeded } from '../support/random';

interface Grazing {
  readonly document: ModelDocument;
  readonly period: number;
  readonly isAutonomous: boolean;
  readonly element: string;
  /** when, within the first period, s */
  readonly time: number;
}

const between = (random: Random, low: number, high: number): number =>
  low * (high / low) ** random.uniform(0, 1);

/** @param part of the amplitude at which the border would be touched */
const kinds: Readonly<Record<string, (random: Random, part: number) => Grazing>> = {
  'a mass that is as fast as its belt at most': (random, part) => {
    const [k, m] = [between(random, 10, 1000), between(random, 0.2, 5)];
    const [limit, speed] = [between(random, 0.5, 20), between(random, 0.05, 2)];
    const omega = Math.sqrt(k / m);
    const document = drawn([
      ['W', 'Wall', ['w']],
      ['K', 'Spring', ['w', 'n'], { stiffness: k }],
      ['M', 'Mass', ['n'], { mass: m, x0: limit / k - (part * speed) / omega, v0: 0 }],
      ['B', 'Belt', ['n'], { limit, speed }],
    ]);
    const period = (2 * Math.PI) / omega;
    return { document, period, isAutonomous: true, element: 'B', time: period / 4 };
  },
  'a forced mass that comes to a stop at its turn': (random, part) => {
    const [k, c, omega] = [between(random, 0.5, 2), between(random, 0.02, 0.2), between(random, 0.6, 1.8)];
    const [re, im] = [k - omega * omega, c * omega];
    const size = Math.hypot(re, im);
    const amplitude = between(random, 0.1, 10);
    const [x, phase] = [amplitude / size, Math.atan2(im, re)];
    const document = drawn([
      ['W', 'Wall', ['w']],
      ['M', 'Mass', ['n'], { mass: 1, x0: x * Math.cos(phase), v0: x * omega * Math.sin(phase) }],
      ['K', 'Spring', ['w', 'n'], { stiffness: k }],
      ['C', 'Damper', ['w', 'n'], { damping: c }],
      ['F', 'Force', ['n'], { value: `${amplitude}*cos(${omega}*t)` }],
      ['S', 'Stop', ['n', 'w'], { gap: x / part, restitution: random.uniform(0, 1) }],
    ]);
    return {
      document,
      period: (2 * Math.PI) / omega,
      isAutonomous: false,
      element: 'S',
      time: phase / omega,
    };
  },
  'a rectifier without load, whose diode has no reverse voltage at the peak': (random, part) => {
    const [amplitude, frequency] = [between(random, 1, 300), between(random, 20, 1000)];
    const document = drawn([
      ['V', 'SineVoltage', ['a', '0'], { amplitude, frequency }],
      ['D', 'Diode', ['a', 'b']],
      ['C', 'Capacitor', ['b', '0'], { capacitance: 1e-4, v0: amplitude / part }],
    ]);
    const period = 1 / frequency;
    return { document, period, isAutonomous: false, element: 'D', time: period / 4 };
  },
};

const sized = ({ document, period, ...rest }: Grazing): Grazing => ({
  ...rest,
  period,
  document: { ...document, simulation: { ...document.simulation, h: period / 200, tEnd: 2 * period } },
});

/** Largest difference of one-sided slopes of P along the states, in sizes of states. */
function kink({ document, period }: Grazing): number {
  const { motion, t0 } = analysedMotion(document, {}, environment);
  const x = motion.initialState;
  const end = (start: Float64Array): Float64Array => {
    const found = flowEnd(motion, t0, period, start);
    if (found === null) throw new Error('this motion can be computed');
    return found.x;
  };
  const size = Math.max(...x.map(Math.abs));
  const here = end(x);
  let most = 0;
  for (let j = 0; j < x.length; j++) {
    const slopes = [1e-5, -1e-5].map((part) => {
      const moved = x.map((value, i) => (i === j ? value + part * size : value));
      return end(moved).map((value, i) => (value - here[i]) / (part * size));
    });
    most = Math.max(most, ...slopes[0].map((value, i) => Math.abs(value - slopes[1][i])));
  }
  return most;
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  const count = sample(6, 60);

  it('is seen, with what and when, where slopes of either side differ', () => {
    const random = seeded(5);
    for (let k = 0; k < count; k++) {
      const one = sized(kinds[kind](random, 1));
      expect(kink(one), `${k}`).toBeGreaterThan(0.05);
      const { motion, t0 } = analysedMotion(one.document, {}, environment);
      const image = followFlow(motion, t0, one.period, motion.initialState);
      const graze = image.ok ? (image.graze ?? image.broken) : null;
      expect(graze?.status, `${k}`).toBe('grazing');
      expect(graze?.element.split('.').at(-1), `${k}`).toBe(one.element);
      const late = Math.abs((graze?.time ?? NaN) - one.time) / one.period;
      expect(Math.abs(late - Math.round(late)), `${k}`).toBeLessThan(1e-3);
    }
  });

  it('has the derivative of its side a little off', () => {
    const random = seeded(6);
    for (let k = 0; k < count; k++) {
      const one = sized(kinds[kind](random, 1 - 1e-3 * random.uniform(1, 2)));
      const compared = comparedWithDifferences(one.document, 0, one.period);
      expect(compared?.image.broken, `${k}`).toBeNull();
      expect(compared?.image.graze, `${k}`).toBeNull();
      expect(compared?.deviation, `${k}`).toBeLessThan(1e-6);
    }
  });
});

describe('analyses of a mass that is as fast as its belt at most', () => {
  const one = sized(kinds['a mass that is as fast as its belt at most'](seeded(8), 1));
  const { period } = one;
  it.each([
    ['orbit', { forcing: 'none', period: 1.02 * period, settle: 5 }],
    ['lyapunov', { transient: period, duration: 20 * period, interval: period }],
  ])('are refused: %s', (type, fields) => {
    const analyses = [{ id: 'one', type, ...fields } as AnalysisDocument];
    const job = analysisJob({ ...one.document, analyses }, 'one');
    if (job.kind === 'sweep' || job.kind === 'basins') throw new Error('not asked for here');
    const outcome = computeAnalysis(job, environment);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'not-differentiable', where: 'B' } });
    if (outcome.status !== 'failed') return;
    expect(outcome.error.message).toMatch(/at t = [\d.]+ s, of “B”: a border is only touched there/);
  });
});
