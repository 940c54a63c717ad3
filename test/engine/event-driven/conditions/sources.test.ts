/** Sources of time with conditions: no pulse is passed over, whatever the step. */
import { describe, expect, it } from 'vitest';
import { last, runDocument, source, type Settings } from './support';

const driven = (script: string, simulation: Settings): number =>
  last(runDocument({ systems: [source([0], { b: { function: 'f' } })], script, simulation }), 'c.x');

describe('a source of time that a script gives', () => {
  it('shows its narrow pulse at every step', () => {
    const script = 'export const f: TimeVector = (t, out, p) => { out[0] = t > 7 && t < 7.02 ? 5000 : 0; };';
    for (const h of [0.013, 0.5, 3, 20]) {
      expect(driven(script, { tEnd: 20, h })).toBeCloseTo(100, 9);
    }
  });
});
