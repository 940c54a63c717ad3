/** Impacts in the velocities of the contacts themselves, at another number of them each time. */
import { ContactImpacts } from '@engine/impacts/contact-impacts';
import { describe, expect, it } from 'vitest';
import { expectClose } from '../support/impacts';
import { chain, firstMoves } from './chains';

const POISSON = { type: 'Poisson' } as const;
const SEQUENTIAL = { type: 'Sequential', maxImpacts: 1000 } as const;

describe('impacts at contacts of a row of balls', () => {
  const MASSES = [1, 2, 0.5];
  const solved = (impacts: ContactImpacts) => {
    const rows = chain(MASSES);
    const impact = impacts.of(rows.count);
    impact.W.set(rows.W);
    rows.contactVelocities(firstMoves(MASSES.length), impact.velocity);
    impact.restitution.fill(0.5);
    expect(impact.solve()).toBe(true);
    return impact;
  };

  it('one after the other have the impulses and the energy of single impacts', () => {
    const { impulse, velocity, energyChange, compression } = solved(new ContactImpacts(SEQUENTIAL));
    // P = (1 + e) v m m′/(m + m′): ball 0 at 1 m/s stops, ball 1 goes on at 0.5 m/s to ball 2. Then 0, 0.35,
    // 0.6 m/s: none catches up.
    expectClose(impulse, [1, 0.3], 1e-15);
    expectClose(velocity, [0.35, 0.25], 1e-15);
    // ½ 2 0.35² + ½ 0.5 0.6² − ½
    expect(Math.abs(energyChange + 0.2875)).toBeLessThan(1e-15);
    expect(compression).toBeNull();
  });

  it('by Poisson’s law have a compression and no energy of it', () => {
    const { impulse, energyChange, compression } = solved(new ContactImpacts(POISSON));
    expect(energyChange).toBeNaN();
    impulse.forEach((p, k) => expect(p).toBeGreaterThanOrEqual(1.5 * (compression?.[k] ?? NaN) - 1e-15));
  });
});

describe('what is kept', () => {
  it('is one for each number of contacts', () => {
    const impacts = new ContactImpacts(SEQUENTIAL);
    const three = impacts.of(3);
    expect(impacts.of(4)).not.toBe(three);
    expect(impacts.of(3)).toBe(three);
  });

  it('does not grow with the numbers that occur: what was not asked for lately is forgotten', () => {
    const impacts = new ContactImpacts(SEQUENTIAL, 3 * 3 + 4 * 4);
    const three = impacts.of(3);
    const four = impacts.of(4);
    expect(impacts.of(3)).toBe(three);
    const two = impacts.of(2);
    expect(impacts.of(3)).toBe(three);
    expect(impacts.of(2)).toBe(two);
    expect(impacts.of(4)).not.toBe(four);
    const many = impacts.of(100);
    expect(impacts.of(100)).toBe(many);
  });
});
