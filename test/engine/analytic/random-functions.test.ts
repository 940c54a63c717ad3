/** Random expressions of time: what is recognised has the values that the sandbox computes. */
import { describe, expect, it } from 'vitest';
import { type Random, seeded } from '../support/random';
import { executed, read, valuesAt } from './support';

const number = (random: Random): string => random.uniform(-2, 2).toFixed(3);

function linear(random: Random): string {
  return random.chance(0.5) ? `(${number(random)} * t)` : `(${number(random)} - ${number(random)} * t)`;
}

function expression(random: Random, depth: number): string {
  const inner = (): string => expression(random, depth - 1);
  switch (depth === 0 ? random.integer(0, 3) : random.integer(2, 8)) {
    case 0:
      return `(${number(random)})`;
    case 1:
      return 't';
    case 2:
      return `Math.${random.chance(0.5) ? 'sin' : 'cos'}(${linear(random)})`;
    case 3:
      return `Math.exp(${linear(random)})`;
    case 4:
      return `(${inner()} + ${inner()})`;
    case 5:
      return `(${inner()} - ${inner()})`;
    case 6:
    case 7:
      return `(${inner()} * ${inner()})`;
    default:
      return random.chance(0.5) ? `(-${inner()})` : `((${inner()}) ** ${random.integer(0, 3)})`;
  }
}

describe('random functions of time', () => {
  it('have the values of their sums', () => {
    const random = seeded(7);
    const times = [0, 0.3, 0.9, 1.7, 2.6];
    let known = 0;
    for (let k = 0; k < 400; k++) {
      const text = expression(random, random.integer(1, 4));
      const source = `export const f = (t, out) => { out[0] = ${text}; };`;
      const found = read(source);
      if (!found.ok) {
        expect(found.reason).toMatch(/more than 32 terms|power of time above/);
        continue;
      }
      known++;
      const call = executed(source, 1, {});
      for (const t of times) {
        const value = call(t)[0];
        // What cancels in the sum is larger than the value.
        const size = found.entries[0].reduce(
          (sum, { power, rate, cosine, sine }) =>
            sum + t ** power * Math.exp(rate * t) * (Math.abs(cosine) + Math.abs(sine)),
          Math.abs(value),
        );
        expect(Math.abs(valuesAt(found.entries, t)[0] - value), text).toBeLessThanOrEqual(1e-13 * size);
      }
    }
    expect(known).toBeGreaterThan(350);
  });
});
