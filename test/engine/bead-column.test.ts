/** Columns of beads from the builder script of the example: many contacts, all closed or closing in turn. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { example } from './support/models';
import { maximum } from './support/order';
import { run } from './support/run';

const G = 9.81;

describe('a column at rest', () => {
  it.each([2, 100, 1000])('of %i beads carries at each contact the weight above it', (N) => {
    const h = 0.005;
    const { column, session } = run(example('bead-column'), {
      sandbox: createSandbox,
      set: { N },
      tEnd: 0.1,
    });
    expect(session.totalSteps).toBe(20);
    let worstImpulse = 0;
    let smallestGap = Number.POSITIVE_INFINITY;
    for (let i = 0; i < N; i++) {
      const weight = (N - i) * G * h;
      const impulse = column(`contact${i}.impulse`).subarray(1);
      worstImpulse = Math.max(worstImpulse, maximum(impulse.map((p) => p / weight - 1)));
      smallestGap = Math.min(smallestGap, ...column(`contact${i}.gap`));
    }
    expect(worstImpulse).toBeLessThan(1e-10);
    expect(smallestGap).toBeGreaterThan(-1e-12);
    expect(session.certificate.complementarity).toBeLessThan(1e-10);
    expect(session.certificate.dynamics).toBeLessThan(1e-10);
  });
});

describe('a falling column', () => {
  const N = 10;

  /**
   * Lower bound of the gaps. A step is active when y + h ẏ/2 ≤ 0. An inactive step ends at y + h
   * (ẏ + ẏ⁺)/2 > h ẏ⁺/2 ≥ −(h/2) max|ẏ|. In active steps ẏ⁺ ≥ −e ẏ, so the first of them lowers the gap by at
   * most (h/2)(1−e) max|ẏ|; a later one lowers it only after one that raised it by 1/e times as much.
   * Together the gap stays above −(h/2)(2−e) max|ẏ| ≥ −h max|ẏ|.
   */
  it.each([0, 0.5, 0.9])('keeps its gaps above −h max|ẏ|, e = %f', (e) => {
    const h = 1e-3;
    const set = { N, spacing: 0.01, e };
    const { column, session } = run(example('bead-column'), { sandbox: createSandbox, set, h, tEnd: 1 });
    expect(session.events).toBeGreaterThan(N - 1);
    for (let i = 0; i < N; i++) {
      const speed = maximum(column(`contact${i}.gapVelocity`));
      expect(Math.min(...column(`contact${i}.gap`))).toBeGreaterThan(-h * speed);
    }
  });

  it('comes to rest with the weight on its contacts', () => {
    const h = 1e-3;
    const set = { N, spacing: 0.01, e: 0.5 };
    const { column } = run(example('bead-column'), { sandbox: createSandbox, set, h, tEnd: 2 });
    for (let i = 0; i < N; i++) {
      const last = column(`contact${i}.impulse`).at(-1);
      expect(last).toBeCloseTo((N - i) * G * h, 8);
    }
  });
});
