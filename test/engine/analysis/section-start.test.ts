/**
 * Sections and measures of motions that begin with an impact, at rest, or on the section: both schemes say
 * the same, up to the step.
 */
import { computePoint, type PointResult } from '@engine/analysis/sweep/compute-point';
import type { SectionRequest } from '@engine/analysis/sweep/job';
import type { SchemeName } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { example } from '../support/models';

const H = 1e-4;
const G = 9.81;
const document = example('bouncing-ball');

/**
 * A ball with e = 1/2 from a height and a speed: t, q, v of each point, row by row, and the impacts that are
 * counted.
 */
function compute(
  [q0, v0]: readonly [number, number],
  scheme: SchemeName,
  section: SectionRequest | null,
): PointResult {
  const result = computePoint(
    {
      document,
      set: { e: 0.5 },
      plan: {
        kind: 'grid',
        axes: [
          { initial: 'ball.q', values: [q0] },
          { initial: 'ball.v', values: [v0] },
        ],
      },
      scheme,
      h: H,
      tEnd: 0.17,
      ...(section !== null && { section: { section, transient: 0, count: 1000 } }),
      measures: section === null ? ['impacts floor'] : [],
    },
    Float64Array.of(q0, v0),
    null,
    { sandbox: createSandbox },
  );
  if (result?.status !== 'done') throw new Error(result?.error?.message ?? 'given up');
  return result;
}

/** Thrown down at 1 m/s from the floor itself. */
const STRUCK = [0, -1] as const;
const flight = (speed: number): number => (2 * speed) / G;
const HITS = [0, flight(0.5), flight(0.5) + flight(0.25)];
const RISE = 0.5 / G;

const impact = (state: 'before' | 'after'): SectionRequest => ({ kind: 'impact', contact: 'floor', state });
const surface = (g: string, direction: 'rising' | 'falling' | 'both'): SectionRequest => ({
  kind: 'surface',
  g,
  direction,
});

const strobed = [0, 0.05, 0.1].map((t) => [t, 0.5 * t - (G / 2) * t ** 2, 0.5 - G * t]);
const TOPS = HITS.map((t, k) => t + RISE / 2 ** k);

const CASES: readonly (readonly [
  string,
  readonly [number, number],
  SectionRequest,
  readonly (readonly number[])[],
])[] = [
  ['an impact at the start, after it', STRUCK, impact('after'), HITS.map((t, k) => [t, 0, 0.5 ** (k + 1)])],
  ['an impact at the start, before it', STRUCK, impact('before'), HITS.map((t, k) => [t, 0, -(0.5 ** k)])],
  [
    'a stroboscopic point at an impact at the start',
    STRUCK,
    { kind: 'stroboscopic', period: 0.05 },
    [...strobed, [0.15, ((t) => 0.25 * t - (G / 2) * t ** 2)(0.15 - HITS[1]), 0.25 - G * (0.15 - HITS[1])]],
  ],
  [
    'a surface that an impact at the start jumps across',
    STRUCK,
    surface('ball.v', 'rising'),
    HITS.map((t, k) => [t, 0, 0.5 ** (k + 1)]),
  ],
  [
    'the same in both directions',
    STRUCK,
    surface('ball.v', 'both'),
    [
      ...HITS.flatMap((t, k) => [
        [t, 0, 0.5 ** (k + 1)],
        [TOPS[k], (G / 2) * (RISE / 2 ** k) ** 2, 0],
      ]),
    ],
  ],
  ['a surface that is touched at the start', STRUCK, surface('ball.q', 'both'), []],
  [
    'a start on the surface but for rounding',
    [0.3, 0.5],
    surface('ball.q - 0.1*3', 'both'),
    [[flight(0.5), 0.3, -0.5]],
  ],
  [
    'a start on the surface but for rounding, away from it for good',
    [0.3, -0.5],
    surface('0.1*3 - ball.q', 'both'),
    [],
  ],
  ['a start on the surface, to the side it leaves to', [0.3, 0], surface('ball.v', 'both'), []],
  ['rest from the start', [0, 0], impact('after'), []],
  ['rest from the start on a surface', [0, 0], surface('ball.v', 'both'), []],
];

describe.each(['event-driven', 'time-stepping'] as const)('by the scheme %s', (scheme) => {
  it.each(CASES)('a section has its points: %s', (_, start, section, expected) => {
    const { section: points } = compute(start, scheme, section);
    expect(points.length / 3).toBe(expected.length);
    const exact = scheme === 'event-driven';
    expected.forEach((point, k) => {
      point.forEach((value, c) => {
        expect(Math.abs(points[3 * k + c] - value)).toBeLessThan(exact ? 1e-12 : 40 * H);
      });
    });
  });

  it('the impact at the start counts, and rest is none', () => {
    expect([...compute(STRUCK, scheme, null).measures]).toEqual([3]);
    expect([...compute([0, 0], scheme, null).measures]).toEqual([0]);
    expect([...compute([0.3, 0], scheme, null).measures]).toEqual([0]);
  });
});
