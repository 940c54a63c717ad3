/** Disturbances carried across conditions of scripts, against differences of whole simulations. */
import { EventDriven } from '@engine/event-driven/event-driven';
import { TangentMotion } from '@engine/event-driven/tangent/tangent-motion';
import { createSandbox } from '@engine/script/sandbox';
import { compileRun } from '@engine/run/compile-run';
import { describe, expect, it } from 'vitest';
import { documentOf, nonlinear } from './support';

const T_END = 2.3;

function simulate(script: string, start: readonly number[]): EventDriven {
  const document = documentOf({
    systems: [nonlinear([...start])],
    script,
    simulation: { tEnd: T_END, h: 0.23 },
  });
  const compiled = compileRun({ document }, undefined, createSandbox);
  if (!compiled.ok) throw new Error(compiled.error.message);
  const { model, layout } = compiled.prepared;
  return new EventDriven(model, layout, { t0: 0, tEnd: T_END, h: 0.23, certify: false });
}

const endOf = (script: string, start: readonly number[]): number[] => {
  const simulation = simulate(script, start);
  simulation.run();
  return [...simulation.x];
};

const rate = (force: string): string =>
  `export const f: Rate = (t, y, out, p) => { const [x, v] = y; out[0] = v; out[1] = ${force}; };`;

/** What jumps, and with what. */
const CASES = {
  'a position': rate('-4 * x + (x > 0.2 ? 1.5 : -0.5)'),
  'a velocity': rate('-4 * x - (v > -0.3 ? 0.7 : 0.1) * v + (v > -0.3 ? 0.2 : 0.5)'),
  'time and position': rate('-4 * x + (x > 0.3 * Math.sin(2 * t) ? 1 : -1)'),
  'time alone': rate('-4 * x + (t % 0.7 < 0.31 ? 2 : -1)'),
  'a square wave': rate('-4 * x + 1.5 * Math.sign(Math.sin(4 * t))'),
  'a table of time': `const TIMES = [0, 0.5, 0.9, 1.6, 2.5];
const VALUES = [0, 1.2, -1, 0.5, 0];
${rate('-4 * x + held(t) * (1 + x)')}
function held(t: number): number {
  let k = 0;
  while (k < 3 && t > TIMES[k + 1]) k++;
  return VALUES[k];
}`,
  'a pulse as wide as the state says': rate('-4 * x + (t % 0.7 < 0.3 + 0.2 * x ? 2 : -1)'),
  'a sawtooth and the position': rate('-4 * x + ((t % 0.9) / 0.9 > x ? 1.2 : -0.4)'),
  'a kink': rate('-4 * x - 3 * Math.max(0, x - 0.1) - Math.abs(v)'),
  'a product': rate('-4 * x + (x * v > 0.1 ? -1 : 0.3)'),
};

describe('a disturbance across a condition of', () => {
  it.each(Object.entries(CASES))('%s is the difference of motions', (_, script) => {
    const start = [0.7, -0.4];
    const simulation = simulate(script, start);
    const tangent = simulation.observe((parts) => new TangentMotion(parts, 2, true));
    simulation.run();
    expect(tangent.broken).toBeNull();
    start.forEach((_value, j) => {
      const delta = 1e-4;
      const at = (k: number): number[] =>
        endOf(
          script,
          start.map((value, i) => (i === j ? value + k * delta : value)),
        );
      const [a, b, c, d] = [at(-2), at(-1), at(1), at(2)];
      a.forEach((_entry, i) => {
        const difference = (a[i] - 8 * b[i] + 8 * c[i] - d[i]) / (12 * delta);
        expect(Math.abs(tangent.frame[2 * j + i] - difference)).toBeLessThan(2e-7);
      });
    });
  });
});
