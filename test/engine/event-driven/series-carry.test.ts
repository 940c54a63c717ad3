/** Disturbances along a part of a motion by power series, against closed forms and against short parts. */
import { GaussCarry, type MatrixAt } from '@engine/event-driven/tangent/gauss-carry';
import { SeriesCarry } from '@engine/event-driven/tangent/series-carry';
import { describe, expect, it } from 'vitest';
import { seeded } from '../support/random';

const identity = (n: number): Float64Array =>
  Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0));

function carried(n: number, matrixAt: MatrixAt, from: number, to: number): Float64Array {
  const frame = identity(n);
  new SeriesCarry(n, frame).carry(matrixAt, Float64Array.of(from, to));
  return frame;
}

describe('disturbances by power series', () => {
  it('of a constant matrix are those of its exponential, in parts of any length', () => {
    for (const length of [0.01, 0.3, 1, 5, 14]) {
      const [c, s] = [Math.cos(length), Math.sin(length)];
      const turned = carried(
        2,
        (_, out) => {
          out.set([0, -1, 1, 0]);
        },
        0,
        length,
      );
      [c, -s, s, c].forEach((value, k) => {
        expect(Math.abs(turned[k] - value)).toBeLessThan(1e-14 * (1 + length));
      });
    }
  });

  it('of random matrices that change are those of many short parts, in order 8', () => {
    for (let seed = 0; seed < 30; seed++) {
      const random = seeded(300 + seed);
      const n = random.integer(1, 5);
      const entries = Array.from({ length: n * n }, () => ({
        mean: random.chance(0.7) ? random.uniform(-1, 1) : 0,
        change: random.chance(0.5) ? random.uniform(-1, 1) : 0,
        rate: random.uniform(0.5, 2),
      }));
      const matrixAt: MatrixAt = ([t], out) => {
        entries.forEach(({ mean, change, rate }, k) => {
          out[k] = mean + change * Math.sin(rate * t);
        });
      };
      const known = identity(n);
      const gauss = new GaussCarry(n);
      for (let k = 0; k < 64; k++)
        gauss.carry(matrixAt, Float64Array.of(0.4 + k / 256, 0.4 + (k + 1) / 256), known);
      const off = (parts: number): number => {
        const frame = identity(n);
        const series = new SeriesCarry(n, frame);
        for (let k = 0; k < parts; k++)
          series.carry(matrixAt, Float64Array.of(0.4 + (0.25 * k) / parts, 0.4 + (0.25 * (k + 1)) / parts));
        return Math.max(...frame.map((value, k) => Math.abs(value - known[k])));
      };
      const [one, two] = [off(1), off(2)];
      expect(one).toBeLessThan(1e-10);
      expect(two).toBeLessThan(one / 100 + 1e-14);
    }
  });

  it('follow a matrix whose entries begin to change later', () => {
    const frame = identity(1);
    const series = new SeriesCarry(1, frame);
    const matrixAt: MatrixAt = ([t], out) => {
      out[0] = t < 1 ? 0 : t - 1;
    };
    for (let k = 0; k < 4; k++) series.carry(matrixAt, Float64Array.of(0.5 * k, 0.5 * (k + 1)));
    expect(frame[0]).toBeCloseTo(Math.exp(0.5), 14);
  });

  it('that are stiff die out', () => {
    const frame = carried(
      2,
      (_, out) => {
        out.set([-300, 0, 0, -1]);
      },
      0,
      1,
    );
    expect(Math.abs(frame[0])).toBeLessThan(1e-3);
    expect(frame[3]).toBeCloseTo(Math.exp(-1), 9);
  });
});
