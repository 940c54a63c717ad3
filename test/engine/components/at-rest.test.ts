/**
 * What is held at rest carries nothing but rounding, and so does what has play: steps are certified before
 * anything moves, while it does, and when it has come to rest again.
 */
import { expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

const NONE = undefined as unknown as string;

/** A shaft of inertias, springs, brakes and springs with play, with a torque that begins late. */
function shaft(seed: number): Part[] {
  const { uniform, chance } = seeded(seed);
  const between = (low: number, high: number): number => low * (high / low) ** uniform(0, 1);
  const parts: Part[] = [
    ['REF', 'StepSignal', ['torque'], { after: between(0.3, 30), time: 0.02 }],
    ['TQ', 'Torque', ['s0', 'torque'], { value: 0 }],
  ];
  const count = 2 + Math.floor(uniform(0, 3));
  for (let k = 0; k < count; k++) {
    parts.push([`J${k}`, 'Inertia', [`s${k}`, NONE], { inertia: between(0.005, 0.5) }]);
    if (chance(0.6)) parts.push([`BR${k}`, 'Brake', [`s${k}`], { limit: between(0.1, 100) }]);
    if (k === 0) continue;
    const ends = [`s${k - 1}`, `s${k}`];
    if (chance(0.5)) parts.push([`SP${k}`, 'TorsionSpring', ends, { stiffness: between(10, 1000) }]);
    else {
      const rods = ends.map((end) => `${end}rod${k}`);
      parts.push(
        [`RA${k}`, 'Rack', [ends[0], rods[0]], { radius: 1 }],
        [`RB${k}`, 'Rack', [ends[1], rods[1]], { radius: 1 }],
        [
          `BL${k}`,
          'PiecewiseSpring',
          rods,
          {
            inner: chance(0.5) ? 0 : between(1, 100),
            outer: between(100, 5000),
            width: between(1e-3, 0.1),
          },
        ],
      );
    }
    parts.push([`DP${k}`, 'RotaryDamper', ends, { damping: between(0.01, 0.1) }]);
  }
  return parts;
}

it('shafts that rest before they are driven are certified', () => {
  for (let seed = 0; seed < sample(12, 400); seed++) {
    const h = seed % 2 === 0 ? 1e-4 : 1e-3;
    const document = drawn(shaft(seed), { h, tEnd: 0.06 });
    const { session } = run(document, { scheme: 'time-stepping', sandbox: createSandbox });
    const { dynamics, complementarity, coneViolation } = session.certificate;
    expect(Math.max(dynamics, complementarity, coneViolation), `shaft ${seed}`).toBeLessThan(1e-8);
  }
});
