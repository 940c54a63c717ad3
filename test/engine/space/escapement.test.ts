/** The watch of the gallery ticks: a tooth for each swing, and a swing that the impulses hold. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { run } from '../support/run';

const document = JSON.parse(
  readFileSync('resources/examples/watch-escapement.moreau.json', 'utf8'),
) as ModelDocument;
/** Of the wheel, and of its pitch. */
const TEETH = 15;
const PITCH = (2 * Math.PI) / TEETH;
const degrees = (x: number): number => (180 / Math.PI) * x;

interface Watch {
  /**
   * times at which the balance passes the middle upwards, s, interpolated, and the turn of the wheel then,
   * rad
   */
  readonly beats: readonly number[];
  readonly wheel: readonly number[];
  /** largest turns of the balance by half swing, degrees */
  readonly swings: readonly number[];
  readonly end: { readonly wheel: number; readonly rate: number };
  readonly dynamics: number;
}

function watch(tEnd: number, set: Record<string, number | string>): Watch {
  const { column, session } = run(document, { sandbox: createSandbox, tEnd, set });
  const [t, angle, rate, wheel] = ['t', 'balanceAngle', 'balanceRate', 'wheelAngle'].map(column);
  const [beats, turns, swings]: number[][] = [[], [], []];
  for (let k = 1; k < t.length; k++) {
    if (rate[k - 1] * rate[k] < 0) swings.push(degrees(Math.max(Math.abs(angle[k - 1]), Math.abs(angle[k]))));
    if (!(angle[k - 1] < 0 && angle[k] >= 0)) continue;
    beats.push(t[k] - ((t[k] - t[k - 1]) * angle[k]) / (angle[k] - angle[k - 1]));
    turns.push(wheel[k]);
  }
  const last = t.length - 1;
  const end = { wheel: wheel[last], rate: rate[last] };
  return { beats, wheel: turns, swings, end, dynamics: session.certificate.dynamics };
}

describe('the watch', () => {
  it('passes one tooth for each swing, at regular beats, with a swing that neither grows nor shrinks', () => {
    const { beats, wheel, swings, dynamics } = watch(3, { start: '15.1*pi/180' });
    expect(beats.length).toBe(6);
    for (let k = 1; k < beats.length; k++) {
      // Where it is caught depends on the step of the drop: within a fiftieth of a pitch.
      expect(Math.abs(wheel[k] - wheel[k - 1] - PITCH)).toBeLessThan(0.02 * PITCH);
      // The balance alone has 0.5 s.
      expect(Math.abs(beats[k] - beats[k - 1] - 0.496)).toBeLessThan(1e-3);
    }
    const settled = swings.slice(4);
    expect(settled.length).toBeGreaterThan(6);
    expect(Math.max(...settled) - Math.min(...settled)).toBeLessThan(0.4);
    expect(Math.min(...settled)).toBeGreaterThan(14.5);
    expect(dynamics).toBeLessThan(1e-9);
  });

  it('grows to that swing from below, and shrinks to it from above', () => {
    const growing = watch(1.5, { start: '8*pi/180' }).swings;
    expect(growing.length).toBeGreaterThanOrEqual(5);
    for (let k = 1; k < growing.length; k++) expect(growing[k]).toBeGreaterThan(growing[k - 1]);
    const shrinking = watch(1.5, { start: '17*pi/180' }).swings;
    expect(shrinking.length).toBeGreaterThanOrEqual(5);
    expect(shrinking.at(-1)).toBeLessThan(shrinking[0] - 0.5);
    expect(shrinking.at(-1)).toBeGreaterThan(growing.at(-1) ?? NaN);
  });

  it('stops with a tooth on a pallet when the moment does not make up for the drag', () => {
    const { swings, end } = watch(4, { torque: 1e-4, quality: 5, start: '10*pi/180' });
    // Less than the turn at which a tooth is let go.
    expect(swings.at(-1)).toBeLessThan(5.5);
    expect(Math.abs(end.rate)).toBeLessThan(0.1);
    expect(end.wheel).toBeLessThan(4 * PITCH);
  });
});
