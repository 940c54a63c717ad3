/**
 * Control blocks against the control toolbox of Siconos, where the algorithms coincide: every sample to
 * 1e-10. The implicit twisting controller of Debian's package is not built (it needs lp_solve).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../engine/support/run';
import { CASES, controlDocument } from './control-models';
import { missingSiconos, runPeer } from './run-siconos';

const reason = missingSiconos();

interface Answer {
  /** t, x, u at each sample */
  rows: number[][];
  estimate: number[] | null;
}

describe.skipIf(reason !== null)('control blocks', () => {
  let answers: Answer[] = [];
  beforeAll(async () => {
    const cases = CASES.map(({ name: _, block: __, ...given }) => given);
    answers = ((await runPeer('control.py', { cases })) as { answers: Answer[] }).answers;
  });

  it.each(CASES.map((one, k) => [one.name, k] as const))('%s', (_name, k) => {
    const { x0, block, observer } = CASES[k];
    const { column } = run(controlDocument(CASES[k]));
    const { rows, estimate } = answers[k];
    const n = x0.length;
    const signals = x0.map((_, i) => column(n === 1 ? 'plant.x' : `plant.x[${i}]`));
    const u = column('block.u');
    expect(rows.length).toBe(u.length);
    let worst = 0;
    for (let i = 0; i < rows.length; i++) {
      signals.forEach((x, j) => (worst = Math.max(worst, Math.abs(x[i] - rows[i][1 + j]))));
      // Theirs is λ, of which the control is G (λ₁ + β λ₂).
      const theirs =
        block.type === 'Twisting' ? 10 * (rows[i][1 + n] + 0.4 * rows[i][2 + n]) : rows[i][1 + n];
      // At the end they have not sampled any more.
      if (i < rows.length - 1) worst = Math.max(worst, Math.abs(u[i] - theirs));
    }
    if (observer !== undefined)
      ['observer.xHat[0]', 'observer.xHat[1]'].forEach((name, j) => {
        worst = Math.max(worst, Math.abs((column(name).at(-1) ?? 0) - (estimate?.[j] ?? Number.NaN)));
      });
    expect(worst).toBeLessThan(1e-10);
  });
});
