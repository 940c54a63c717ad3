/** Steps with contact forces and impacts against D1MinusLinearOSI of Siconos, state by state. */
import { describe, expect, it } from 'vitest';
import { type Level, byGalerkinSteps, fallingBall, fallingBar, sliderInGuide } from './d1-models';
import { type Mechanism, pendulumBetweenStops, pendulumOnString, rockingBlock } from './mechanisms';
import { runRecorded } from './run-engine';
import { MECHANISMS } from './run-mechanisms';
import { runProgram, toolchain } from './run-program';

interface States {
  q: number[][];
  v: number[][];
}

function runHere({ document }: Mechanism, level: Level): States {
  const { signals } = runRecorded(byGalerkinSteps(document, level));
  const [{ id, ndof }] = document.systems;
  const rows = signals.get('t')?.length ?? 0;
  const states = (base: string): number[][] =>
    Array.from({ length: rows - 1 }, (_, k) =>
      Array.from({ length: Number(ndof) }, (__, i) => {
        const name = Number(ndof) === 1 ? base : `${base}[${i}]`;
        return signals.get(name)?.[k + 1] ?? Number.NaN;
      }),
    );
  return { q: states(`${id}.q`), v: states(`${id}.v`) };
}

/** Largest difference of one kind of numbers, relative to the largest of them. */
function difference(a: number[][], b: number[][]): number {
  let worst = 0;
  let scale = 0;
  a.forEach((row, k) => {
    row.forEach((value, i) => {
      worst = Math.max(worst, Math.abs(value - b[k][i]));
      scale = Math.max(scale, Math.abs(value));
      if (Number.isNaN(value) || Number.isNaN(b[k][i])) worst = Number.NaN;
    });
  });
  return worst / scale;
}

const BOTH: readonly Level[] = ['acceleration', 'velocity'];

const stringModel = (steps: number): Mechanism =>
  pendulumOnString({ name: 'pendulum on a string', h: 1e-3, steps, q0: [0.8, 0.2], v0: [0, 0], e: 0 });

const block = (steps: number): Mechanism =>
  rockingBlock({
    ...{ name: 'rocking block', h: 1e-3, steps, halfWidth: 0.1, halfHeight: 0.3, slope: 0 },
    ...{ angle: 0.05, gap: 0.01, v0: [0, 0, 3], eLeft: 0, eRight: 0 },
  });

/*
 * Of accelerations, Siconos leaves out a contact at the end of a step when ẏ of v_* exceeds 1e-8 there, and
 * acts with the force of the start in its place; here it has no force then. Along a curve that happens where
 * the motion is slowed down: up to there both agree.
 */
const models: readonly (readonly [Mechanism, readonly Level[]])[] = [
  [fallingBall({ h: 5e-4, steps: 8000 }, 0.9), BOTH],
  [fallingBall({ h: 1e-3, steps: 2000 }, 0), BOTH],
  [
    pendulumBetweenStops({
      ...{ name: 'pendulum between stops', h: 1e-3, steps: 3000, q0: 0.3, v0: 0, damping: 0.1 },
      ...{ low: -0.2, high: 0.5, eLow: 0.7, eHigh: 0.4 },
    }),
    BOTH,
  ],
  [fallingBar({ h: 1e-4, steps: 4000 }, 12, 0.3), BOTH],
  [stringModel(640), BOTH],
  [stringModel(3000), ['velocity']],
  [block(130), BOTH],
  [block(1500), ['velocity']],
  [sliderInGuide({ h: 1e-5, steps: 1500 }, 0.4), BOTH],
  [sliderInGuide({ h: 1e-5, steps: 4000 }, 0.4), ['velocity']],
];

describe.skipIf(!toolchain.ok)('states after every step', () => {
  for (const [model, levels] of models)
    for (const level of levels)
      it(`of ${model.name}, ${model.steps} steps, forces from the ${level}`, () => {
        if (!toolchain.ok) return;
        const text = runProgram(
          'd1-minus-linear.cpp',
          [level, ...model.input],
          toolchain.toolchain,
          MECHANISMS,
        );
        const there = JSON.parse(text) as States;
        const here = runHere(model, level);
        expect(difference(here.q, there.q)).toBeLessThan(1e-12);
        expect(difference(here.v, there.v)).toBeLessThan(1e-12);
      });
});
