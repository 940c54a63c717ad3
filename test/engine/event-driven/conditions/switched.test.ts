/**
 * Forces that switch with the state: every switch is located, and the motion goes on behind it as the script
 * says.
 */
import { describe, expect, it } from 'vitest';
import { sample } from '../../../support/prove';
import { seeded } from '../../support/random';
import { growth, randomSwitched, reference } from './random-switched';
import { last, nonlinear, runDocument, startDocument } from './support';

const cases = (): number => sample(10, 1000);
/** Relative tolerance of the integration. */
const TOLERANCE = 1e-11;

describe('a force that switches with the state', () => {
  it('moves random oscillators as a reference does that knows of each switch', () => {
    const random = seeded(41);
    for (let k = 0; k < cases(); k++) {
      const model = randomSwitched(() => random.uniform(0, 1));
      const { system, script, h, signals } = model;
      const run = runDocument({ systems: [system], script, simulation: { tEnd: 5, h } });
      const exact = reference(model, run.session.time);
      const errors = signals.map(
        (signal, i) => Math.abs(last(run, signal) - exact[i]) / (1 + Math.abs(exact[i])),
      );
      const error = Math.max(...errors);
      if (error >= 1e-8) expect(error, script).toBeLessThan(TOLERANCE * growth(model, run.session.time));
      expect(run.session.complete, script).toBe(true);
    }
  });

  it('reaches zero in finite time beside a branch that has no values behind it', () => {
    // Torricelli: √h falls linearly, and the branch behind h = 0 takes over.
    const script =
      'export const f: Rate = (t, x, out, p) => { out[0] = x[0] > 0 ? -Math.sqrt(x[0]) : 1; out[1] = x[0] > 0 ? 0 : 1; };';
    const { session } = startDocument({
      systems: [nonlinear([1, 0])],
      script,
      simulation: { tEnd: 1.9, h: 0.1 },
    });
    expect(session.advance(1e9)).toBe('done');
  });

  it('is refused with its line where both of its outcomes drive the motion back', () => {
    const script = `export const f: Rate = (t, x, out, p) => {
  const pull = x[0] > 0.5 ? -1 : 1;
  out[0] = pull;
};`;
    const { session } = startDocument({ systems: [nonlinear([0])], script, simulation: { tEnd: 2, h: 0.1 } });
    expect(session.advance(1e9)).toBe('failed');
    expect(session.error?.code).toBe('condition-chatters');
    expect(session.error?.script).toMatchObject({ name: 'functions.ts', line: 2 });
    expect(session.error?.time).toBeCloseTo(0.5, 9);
    expect(session.error?.remedy).toContain('relay');
  });

  // The first of n states whose rates are each other, the last one's 2 or 1: at rest at the limit for n − 1
  // derivatives.
  it.each([
    ['x > 0', 2],
    ['x >= 0', 2],
    ['x < 0', 1],
    ['x <= 0', 1],
    ['!(x > 0)', 1],
    ['Math.sign(x) > -0.5 && x !== 0', 2],
  ])('decides %s by where a motion goes that starts at rest at the limit', (condition, value) => {
    for (const n of [1, 2, 3]) {
      const chain = Array.from({ length: n - 1 }, (_, i) => `out[${i}] = y[${i + 1}];`).join(' ');
      const script = `export const f: Rate = (t, y, out) => { const x = y[0]; ${chain} out[${n - 1}] = ${condition} ? 2 : 1; };`;
      const x0 = new Array<number>(n).fill(0);
      const run = runDocument({ systems: [nonlinear(x0)], script, simulation: { tEnd: 1, h: 0.1 } });
      const factorial = [1, 2, 6][n - 1];
      expect(last(run, n === 1 ? 'c.x' : 'c.x[0]')).toBeCloseTo(value / factorial, 10);
    }
  });

  it('stays at rest where nothing moves it off the limit of its condition', () => {
    const script =
      'export const f: Rate = (t, x, out, p) => { out[0] = -3 * Math.sign(x[0]) * Math.abs(x[0]); };';
    const run = runDocument({ systems: [nonlinear([0])], script, simulation: { tEnd: 2, h: 0.1 } });
    expect(last(run, 'c.x')).toBe(0);
  });

  it('solves an equation by iteration without being held up by the rounding of what is left', () => {
    const kepler = (end: string): string => `function kepler(M: number): number {
  let E = M;
  for (let k = 0; k < 12; k++) {
    const d = (E - 0.5 * Math.sin(E) - M) / (1 - 0.5 * Math.cos(E));
    E -= d;
    ${end}
  }
  return E;
}
export const f: Rate = (t, x, out, p) => { out[0] = Math.cos(kepler(x[0] + t)) - 0.2 * x[0]; };`;
    const [tested, fixed] = ['if (Math.abs(d) < 1e-13) break;', ''].map((end) =>
      last(
        runDocument({
          systems: [nonlinear([0.3])],
          script: kepler(end),
          simulation: { tEnd: 5, h: 0.5, eventDriven: { maxEventsPerStep: 200 } },
        }),
        'c.x',
      ),
    );
    expect(Math.abs(tested - fixed)).toBeLessThan(1e-9);
  });
});
