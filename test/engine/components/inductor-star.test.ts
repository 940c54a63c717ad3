/** Inductors in a star: one of their currents follows from the others, whatever the resistances are. */
import { expect, it } from 'vitest';
import { reportDocument } from '@engine/preparation/report';
import fc from 'fast-check';
import { sample } from '../../support/prove';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

const star = (resistances: readonly number[], on: number): readonly Part[] => [
  ['V1', 'VoltageSource', ['p', 'm'], { voltage: 200 }],
  ['V2', 'VoltageSource', ['m', 'n'], { voltage: 200 }],
  ['G', 'Ground', ['m']],
  ...resistances.flatMap((R, k): Part[] => [
    [`Q${k}`, 'Mosfet', ['p', `u${k}`], { gate: `sin(300*t + ${k})`, onResistance: on }],
    [`P${k}`, 'Mosfet', [`v${k}`, 'n'], { gate: `-sin(300*t + ${k})`, onResistance: on }],
    [`W${k}`, 'Resistor', [`u${k}`, `v${k}`], { resistance: 0.3 * on }],
    [`R${k}`, 'Resistor', [`v${k}`, `l${k}`], { resistance: R }],
    [`L${k}`, 'Inductor', [`l${k}`, 'star'], { inductance: 0.01 * (k + 1) }],
  ]),
];

it('compiles at any resistances, and its currents add up to nothing', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.1, max: 1e4, noNaN: true }), { minLength: 3, maxLength: 5 }),
      fc.double({ min: 1e-4, max: 1, noNaN: true }),
      (resistances, on) => {
        const document = drawn(star(resistances, on), { h: 1e-5, tEnd: 1e-4 });
        const errors = reportDocument(document).issues.filter(({ severity }) => severity === 'error');
        expect(errors).toEqual([]);
      },
    ),
    { seed: 1, numRuns: sample(60, 2000) },
  );
  const result = run(drawn(star([10, 10, 10], 0.01), { h: 1e-5, tEnd: 0.01 }));
  const currents = [0, 1, 2].map((k) => result.column(`L${k}.i`));
  const size = Math.max(...currents[0].map(Math.abs));
  expect(size).toBeGreaterThan(1);
  const sums = currents[0].map((value, k) => value + currents[1][k] + currents[2][k]);
  expect(Math.max(...sums.map(Math.abs))).toBeLessThan(1e-12 * size);
});
