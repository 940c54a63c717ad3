/** Points of sweeps, and what a point comes to. */
import { computePoint, type PointResult, sweepColumns } from '@engine/analysis/sweep/compute-point';
import {
  type SweepJob,
  axisValues,
  countPoints,
  countResults,
  resultPoints,
  sweepChains,
  sweepPoints,
} from '@engine/analysis/sweep/job';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';

function example(name: string): ModelDocument {
  const path = new URL(`../../../resources/examples/${name}.moreau.json`, import.meta.url);
  const { document } = readDocument(readFileSync(path, 'utf8'));
  if (document === null) throw new Error(`${name} cannot be opened`);
  return document;
}

/** m/s², of the example of the bouncing ball */
const G = 9.81;

const environment = { sandbox: createSandbox };

function compute(job: SweepJob, values: readonly number[], start: Float64Array | null = null): PointResult {
  const result = computePoint(job, Float64Array.from(values), start, environment);
  if (result === null) throw new Error('it was given up');
  return result;
}

describe('points of a sweep', () => {
  it('of a grid are all combinations, with exact ends, the last axis changing first', () => {
    const axes = [
      { parameter: 'a', from: 0.1, to: 0.7, count: 3 },
      { parameter: 'b', values: [5, 6] },
    ];
    expect(axisValues(axes[0])).toEqual([0.1, 0.4, 0.7]);
    expect(countPoints({ kind: 'grid', axes })).toBe(6);
    expect(sweepPoints({ kind: 'grid', axes }).map((point) => [...point])).toEqual([
      [0.1, 5],
      [0.1, 6],
      [0.4, 5],
      [0.4, 6],
      [0.7, 5],
      [0.7, 6],
    ]);
  });

  it('of a Latin hypercube are one in each stratum of each axis, the same for a seed', () => {
    const plan = {
      kind: 'latinHypercube',
      axes: [
        { parameter: 'a', from: 0, to: 1, count: 2 },
        { parameter: 'b', from: 10, to: 30, count: 2 },
      ],
      count: 50,
      seed: 3,
    } as const;
    const points = sweepPoints(plan);
    for (const [axis, low, width] of [
      [0, 0, 1],
      [1, 10, 20],
    ]) {
      const strata = points.map((point) => Math.floor((50 * (point[axis] - low)) / width));
      expect([...strata].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, k) => k));
    }
    expect(sweepPoints(plan)).toEqual(points);
    expect(sweepPoints({ ...plan, seed: 4 })).not.toEqual(points);
    const random = sweepPoints({ ...plan, kind: 'random' });
    expect(random.every(([a, b]) => a >= 0 && a < 1 && b >= 10 && b < 30)).toBe(true);
  });

  it('that follow each other make a chain along the last axis, upwards or downwards', () => {
    const plan = {
      kind: 'grid',
      axes: [
        { parameter: 'a', values: [1, 2] },
        { parameter: 'b', values: [1, 2, 3] },
      ],
    } as const;
    const job = { document: example('bouncing-ball'), plan, measures: [] };
    expect(sweepChains(job).map(({ points }) => points)).toEqual([[0], [1], [2], [3], [4], [5]]);
    expect(sweepChains({ ...job, start: 'up' }).map(({ points }) => points)).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(sweepChains({ ...job, start: 'down' }).map(({ points }) => points)).toEqual([
      [2, 1, 0],
      [5, 4, 3],
    ]);
    const both = { ...job, start: 'both' } as const;
    expect(sweepChains(both).map(({ points }) => points)).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [8, 7, 6],
      [11, 10, 9],
    ]);
    expect(countResults(both)).toBe(12);
    expect(resultPoints(both).slice(6)).toEqual(sweepPoints(plan));
    expect(countResults(job)).toBe(6);
  });
});

describe('a point of the cam-follower', () => {
  const job: SweepJob = {
    document: example('cam-follower-event-driven-660'),
    plan: { kind: 'grid', axes: [{ parameter: 'rpm', from: 300, to: 800, count: 3 }] },
    section: { section: { kind: 'stroboscopic', period: '60/rpm', phase: 0.5 }, transient: 150, count: 6 },
    measures: ['max follower.q', 'min cam.gap', 'events'],
  };

  it('at 700 rpm has one point of the section again and again, at 358 rpm three', () => {
    const at700 = compute(job, [700]);
    expect(at700.status).toBe('done');
    const q = Array.from({ length: 6 }, (_, k) => at700.section[3 * k + 1]);
    for (const value of q) expect(Math.abs(value - q[0])).toBeLessThan(1e-9);
    expect(at700.section[0]).toBeCloseTo(150.5 * (60 / 700), 9);
    const at358 = compute(job, [358]);
    const points = Array.from({ length: 6 }, (_, k) => at358.section[3 * k + 1]);
    for (let k = 0; k < 3; k++) expect(Math.abs(points[k + 3] - points[k])).toBeLessThan(1e-9);
    expect(Math.abs(points[1] - points[0])).toBeGreaterThan(1e-3);
  });

  it('has measures of the part that the section keeps', () => {
    const { measures } = compute(job, [700]);
    // The peak of the orbit at 700 rpm, on rows of the discretisation; one impact in each of five
    // revolutions.
    expect(measures[0]).toBeCloseTo(2.40407, 3);
    expect(Math.abs(measures[1])).toBeLessThan(1e-12);
    expect([5, 6]).toContain(measures[2]);
    expect(sweepColumns(job, Float64Array.of(700), environment)).toEqual({
      axes: [{ name: 'rpm', unit: '1/min' }],
      measures: [
        { name: 'max follower.q', unit: 'm' },
        { name: 'min cam.gap', unit: 'm' },
        { name: 'events', unit: '' },
      ],
      section: [
        { name: 't', unit: 's' },
        { name: 'follower.q', unit: 'm' },
        { name: 'follower.v', unit: 'm/s' },
      ],
    });
  });

  it('has the same bits each time, and starts where its neighbour has ended where that is asked for', () => {
    const first = compute(job, [660]);
    expect(compute(job, [660])).toEqual(first);
    const short: SweepJob = { ...job, section: { ...job.section!, transient: 0, count: 2 } };
    const next = compute(short, [660], first.end);
    expect(next.section[1]).not.toBe(compute(short, [660]).section[1]);
    expect(first.end.length).toBe(2);
  });

  it.each([
    [
      'a parameter that does not exist',
      { plan: { kind: 'grid', axes: [{ parameter: 'rpn', values: [1] }] } },
      'invalid-document',
    ],
    ['a signal that does not exist', { measures: ['max follower.w'] }, 'unknown-signal'],
    ['a measure that does not exist', { measures: ['mode follower.q'] }, 'unknown-measure'],
    ['impacts of a contact that does not exist', { measures: ['impacts follower'] }, 'unknown-contact'],
    ['a period without a section', { measures: ['period'], section: undefined }, 'not-measured'],
    ['an exponent by time-stepping', { measures: ['lyapunov'], scheme: 'time-stepping' }, 'not-measured'],
    [
      'a period that is no number',
      { section: { section: { kind: 'stroboscopic', period: '60/rpn' }, transient: 0, count: 1 } },
      'invalid-section',
    ],
    [
      'a contact that does not exist',
      { section: { section: { kind: 'impact', contact: 'ramp' }, transient: 0, count: 1 } },
      'invalid-section',
    ],
  ] as const)('with %s is refused before anything is computed', (_name, change, code) => {
    const wrong = { ...job, ...change } as SweepJob;
    const attempt = (): unknown => sweepColumns(wrong, Float64Array.of(700), environment);
    expect(attempt).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ code }) as unknown }),
    );
  });

  it('whose values leave a parameter without a value is refused by those values', () => {
    const { document } = job;
    const dependent = {
      ...job,
      document: {
        ...document,
        parameters: [...document.parameters, { name: 'share', value: '1/(rpm-300)' }],
      },
    };
    const said = 'At rpm = 300: Parameter “share” evaluates to Infinity.';
    expect(() => sweepColumns(dependent, Float64Array.of(300), environment)).toThrow(said);
    expect(compute(dependent, [300]).error?.message).toBe(said);
    const unknown: SweepJob = {
      ...job,
      plan: { kind: 'grid', axes: [{ parameter: 'rpn', values: [300] }] },
    };
    expect(compute(unknown, [300]).error?.message).toBe('There is no parameter “rpn” to set.');
    // A defect of the model is none of the point.
    const broken = { ...job, set: { mu: '1/0' } };
    expect(() => sweepColumns(broken, Float64Array.of(300), environment)).toThrow(
      /^Parameter “mu” evaluates to Infinity\.$/,
    );
  });

  it.each([340.0801603206413, 340.81632653061223, 354.10821643286573, 472.3446893787575, 562.5250501002004])(
    'at %d rpm goes on behind bounces so low that rounding of the time hides them',
    (rpm) => {
      const section = {
        ...job.section!,
        section: { kind: 'stroboscopic', period: '60/rpm' },
        transient: 400,
        count: 400,
      } as const;
      const { status, verdict, section: points } = compute({ ...job, section, measures: [] }, [rpm]);
      expect(status).toBe('done');
      expect(points.length / 3).toBe(400);
      expect(verdict?.solved).toBe(true);
    },
  );

  it('that fails keeps its points up to there, and says why', () => {
    const document = example('cam-follower-event-driven-660');
    const broken: ModelDocument = {
      ...document,
      scripts: document.scripts.map((script) => ({
        ...script,
        source: script.source.map((line) =>
          line.includes('const turns =') ? `  if (t > 1) throw new Error('no cam');\n${line}` : line,
        ),
      })),
    };
    const failing: SweepJob = {
      ...job,
      document: broken,
      section: { ...job.section!, transient: 0, count: 100 },
    };
    const result = compute(failing, [600]);
    expect(result.status).toBe('failed');
    expect(result.error?.message).toContain('no cam');
    expect(result.section.length / 3).toBe(10);
    expect([...result.measures]).toEqual([NaN, NaN, NaN]);
    expect(result.end.length).toBe(0);
  });
});

describe('a sweep over initial values', () => {
  /** A ball that falls freely from the heights and speeds that are asked for, until it lands. */
  const job: SweepJob = {
    document: example('bouncing-ball'),
    plan: {
      kind: 'grid',
      axes: [
        { initial: 'ball.q', from: 1, to: 3, count: 3 },
        { initial: 'ball.v', values: [-1, 2] },
      ],
    },
    scheme: 'event-driven',
    section: { section: { kind: 'impact', contact: 'floor' }, transient: 0, count: 1 },
    measures: ['max ball.q'],
  };

  it('starts each run at its own values, whatever the model says', () => {
    for (const [height, speed] of [
      [1, -1],
      [3, 2],
    ]) {
      const { section } = compute(job, [height, speed]);
      // h + v t − g t²/2 = 0
      expect(section[0]).toBeCloseTo((speed + Math.sqrt(speed ** 2 + 2 * G * height)) / G, 9);
    }
    expect(sweepColumns(job, Float64Array.of(1, -1), environment).axes).toEqual([
      { name: 'initial ball.q', unit: 'm' },
      { name: 'initial ball.v', unit: 'm/s' },
    ]);
  });

  it('takes the only component by its number too', () => {
    const numbered: SweepJob = {
      ...job,
      plan: { kind: 'grid', axes: [{ initial: 'ball.q[0]', values: [2] }] },
    };
    expect(compute(numbered, [2])).toEqual(
      compute({ ...numbered, plan: { kind: 'grid', axes: [{ initial: 'ball.q', values: [2] }] } }, [2]),
    );
  });

  it('starts where a neighbour has ended when there is one, and at its values when there is none', () => {
    const axes = [
      { initial: 'ball.q', values: [1, 2] },
      { parameter: 'g', values: [9, 10] },
    ];
    const followed: SweepJob = { ...job, plan: { kind: 'grid', axes }, start: 'up' };
    expect(sweepChains(followed).map(({ points }) => points)).toEqual([
      [0, 1],
      [2, 3],
    ]);
    const time = (start: Float64Array | null): number => compute(followed, [2, 10], start).section[0];
    expect(time(null)).toBeCloseTo(Math.sqrt((2 * 2) / 10), 9);
    expect(time(Float64Array.of(0.5, 0))).toBeCloseTo(Math.sqrt((2 * 0.5) / 10), 9);
  });

  it.each([
    ['ball.w', 'unknown-state', 'States of this model start with ball.q, ball.v.'],
    ['floor.gap', 'unknown-state', 'States of this model start with'],
    ['ball.q[1]', 'unknown-state', 'States of this model start with'],
    ['', 'unknown-state', 'States of this model start with'],
  ])('of “%s” is refused with what there is', (initial, code, remedy) => {
    const wrong: SweepJob = { ...job, plan: { kind: 'grid', axes: [{ initial, values: [1] }] } };
    expect(() => sweepColumns(wrong, Float64Array.of(1), environment)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({
          code,
          where: initial,
          remedy: expect.stringContaining(remedy) as unknown,
        }) as unknown,
      }),
    );
  });

  it('is refused where neighbours along it would have to start in two states', () => {
    expect(() => sweepColumns({ ...job, start: 'down' }, Float64Array.of(1, 1), environment)).toThrow(
      'Runs cannot start at values of “ball.v”',
    );
  });
});

describe('measures of an oscillator with a stop', () => {
  const measures = ['period', 'impacts stop', 'lyapunov'];
  /** Its attractors: one that never touches the stop, and one that touches it every second period. */
  const job = (transient: number): SweepJob => ({
    document: example('impact-oscillator-basins'),
    plan: { kind: 'grid', axes: [{ initial: 'oscillator.q', values: [-2, 0] }] },
    section: { section: { kind: 'stroboscopic', period: '2*pi/omega' }, transient, count: 101 },
    measures,
  });
  const [ZETA, RESTITUTION, PERIOD] = [0.02, 0.7, (2 * Math.PI) / 2.8];

  it('tell how often it touches, when it repeats and how disturbances die out', () => {
    const [period, impacts, exponent] = compute(job(300), [-2]).measures;
    expect(period).toBe(2);
    expect(impacts).toBe(50);
    // Areas of disturbances shrink by damping and by the square of the restitution at each impact, equally in
    // all directions.
    expect(Math.abs(exponent - (Math.log(RESTITUTION) / (2 * PERIOD) - ZETA))).toBeLessThan(1e-6);
  });

  it('of the motion without impacts are those of the linear oscillator', () => {
    const [period, impacts, exponent] = compute(job(500), [0]).measures;
    expect([period, impacts]).toEqual([1, 0]);
    expect(Math.abs(exponent + ZETA)).toBeLessThan(1e-6);
  });

  it('know the exponent by a few points, as by many, where the motion repeats itself', () => {
    const random = seeded(3);
    const measures = ['lyapunov', 'lyapunov-error'];
    for (let k = 0; k < sample(3, 30); k++) {
      const zeta = random.uniform(0.015, 0.03);
      const section = { ...job(0).section!, transient: 500, count: 3 + 2 * random.integer(0, 2) };
      const [value, error] = compute({ ...job(500), section, measures, set: { zeta } }, [0]).measures;
      expect(Math.abs(value + zeta)).toBeLessThan(1e-6);
      expect(error).toBe(0);
    }
  });

  it('give no exponent of a motion that has not settled which is off by more than its error lets expect', () => {
    const measures = ['lyapunov', 'lyapunov-error'];
    for (let transient = 0; transient < sample(4, 40); transient++) {
      const section = { ...job(0).section!, transient, count: 3 };
      const [value, error] = compute({ ...job(0), section, measures }, [0]).measures;
      expect(error).toBeGreaterThan(0);
      expect(Number.isNaN(value) || Math.abs(value + ZETA) < 5 * error).toBe(true);
    }
  });

  it('leave the end of a run as it was, where a neighbour starts', () => {
    const short = { ...job(2), section: { ...job(2).section!, count: 3 } };
    expect(compute(short, [-2]).end).toEqual(compute({ ...short, measures: [] }, [-2]).end);
  });

  it('count no period of a motion that has not settled yet', () => {
    expect(compute(job(0), [-2]).measures[0]).toBeNaN();
  });

  it('count impacts by time-stepping too, where the contact begins to push', () => {
    const stepped: SweepJob = {
      ...job(300),
      scheme: 'time-stepping',
      h: 2e-3,
      measures: ['impacts stop'],
    };
    expect(Math.abs(compute(stepped, [-2]).measures[0] - 50)).toBeLessThanOrEqual(1);
  });

  it('have as ripple what lies between the largest value and the smallest', () => {
    const measures = ['ripple t', 'max t', 'min t'];
    const found = compute({ ...job(0), measures }, [-2]).measures;
    expect(found[0]).toBe(found[1] - found[2]);
    expect(found[0]).toBeGreaterThan(0);
  });

  it('have the standard deviation of a uniform distribution for the time, which is that of rms and mean', () => {
    const document = example('impact-oscillator-basins');
    const of = (measure: string): SweepJob => ({
      document,
      plan: job(0).plan,
      tEnd: 12,
      measures: [measure, `rms ${measure.slice(4)}`, `mean ${measure.slice(4)}`],
    });
    const [deviation, rms, mean] = compute(of('std t'), [0]).measures;
    expect(deviation).toBeCloseTo(12 / Math.sqrt(12), 3);
    expect(deviation).toBeCloseTo(Math.sqrt(rms ** 2 - mean ** 2), 9);
  });
});
