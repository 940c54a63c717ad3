/** The energy-based law of several impacts at once in both programs: a row of balls through one impact. */
import type { Toolchain } from '@cli/bench/siconos/toolchain';
import { describe, expect, it } from 'vitest';
import { contact, model, particle } from '../engine/support/models';
import { runRecorded } from './run-engine';
import { runProgram, toolchain } from './run-program';

interface Row {
  name: string;
  masses: readonly number[];
  restitution: readonly number[];
  stiffness: readonly number[];
  exponent: number;
}

/** @param step of Siconos, growth of the impulse of the primary contact, which its scheme of order 1 keeps */
function runInSiconos(row: Row, step: number, toolchain: Toolchain): number[] {
  const { masses, restitution, stiffness, exponent } = row;
  const numbers = [masses.length, step, exponent, ...masses, ...restitution, ...stiffness];
  const printed = runProgram('multiple-impact.cpp', numbers, toolchain);
  const line = printed.trimEnd().split('\n').at(-1) ?? '';
  return line.trim().split(' ').map(Number);
}

function runHere({ masses, restitution, stiffness, exponent }: Row): number[] {
  const document = model(
    masses.map((mass, k) => particle(`ball${k}`, k === 0 ? -0.5 : 0, k === 0 ? 1 : 0, { mass: [[mass]] })),
    restitution.map((e, k) => {
      const made = contact(`contact${k}`, [`ball${k}`, `ball${k + 1}`], [[-1, 1]], e);
      made.law.stiffness = stiffness[k];
      return made;
    }),
    { tEnd: 0.7, h: 0.1 },
  );
  document.simulation.scheme = 'event-driven';
  document.simulation.problem = { type: 'auto' };
  document.simulation.impacts = { type: 'Energetic', exponent };
  const { signals } = runRecorded(document);
  return masses.map((_, k) => signals.get(`ball${k}.v`)?.at(-1) ?? Number.NaN);
}

/** Stiffnesses are those of steel, N/m^η: Siconos takes what is small for zero in absolute terms. */
const K = 1e9;
const ROWS: Row[] = [
  { name: 'three equal balls', masses: [1, 1, 1], restitution: [1, 1], stiffness: [K, K], exponent: 1.5 },
  {
    name: 'masses and stiffnesses that differ',
    masses: [1, 2, 0.7, 1.5],
    restitution: [1, 1, 1],
    stiffness: [K, 3 * K, 0.5 * K],
    exponent: 1.5,
  },
  {
    name: 'losses, linear springs',
    masses: [1, 1.5, 0.8],
    restitution: [0.8, 0.6],
    stiffness: [K, 2 * K],
    exponent: 1,
  },
];

describe('a row of balls by the energy-based law', () => {
  for (const row of ROWS) {
    // A compiler may take its time.
    it(row.name, { timeout: 120_000 }, (context) => {
      if (!toolchain.ok) return context.skip(toolchain.reason);
      const ours = runHere(row);
      // Their scheme is of order 1, and ends of phases fall on its steps: differences are some of these.
      for (const step of [1e-4, 1e-5]) {
        const theirs = runInSiconos(row, step, toolchain.toolchain);
        const difference = Math.max(...ours.map((v, k) => Math.abs(v - theirs[k])));
        console.log(`${row.name}, step ${step}: ${difference.toExponential(1)}`);
        expect(theirs).toHaveLength(ours.length);
        expect(difference).toBeLessThan(5 * step);
      }
    });
  }
});
