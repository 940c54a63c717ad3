import { describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { stepModels } from '@cli/bench/registry';
import { runProgram } from '@cli/bench/siconos/run';
import { build, findToolchain } from '@cli/bench/siconos/toolchain';
import { difference, documentOf, programArguments, runHere } from '@cli/bench/step-run';
import type { Installation } from '@main/installation';

const place = {
  host: { examplesDirectory: fileURLToPath(new URL('../../resources/examples', import.meta.url)) },
} as Installation;

const search = findToolchain();

/** Long enough for contact in all of them; the benchmarks themselves take longer. */
const STEPS = 600;

/** Where Siconos needs 10 ms a step, and a third of a second. */
const FEWER = 50;
const FEWEST = 5;

/** The iterative solvers of Siconos stop at 1e-10. */
const TOLERANCE = 1e-9;

describe('programs of the benchmarks compute what we compute', () => {
  for (const original of stepModels) {
    const { N = 1 } = original.parameters;
    const most = N < 1000 ? STEPS : N < 10_000 ? FEWER : FEWEST;
    const steps = Math.min(original.steps, most);
    const model = { ...original, warmUp: Math.min(original.warmUp, 20, most), steps };
    for (const { label, given } of model.variants) {
      it(`${model.name}, ${label}`, (context) => {
        if (!search.ok) return context.skip(search.reason);
        const executable = build(model.program, search.toolchain);
        const { state, failures } = runProgram(executable, { ...programArguments(model), ...given });
        const ours = runHere(model, documentOf(model, place));
        expect(failures).toBe(0);
        expect(difference(ours.state, state) / model.scale).toBeLessThan(TOLERANCE);
      });
    }
  }
});

describe('the toolchain', () => {
  it('names a compiler that is not there', () => {
    const found = findToolchain({ CXX: '/nowhere/g++' });
    expect(found.ok).toBe(false);
    if (!found.ok)
      expect(found.reason).toMatch(/no C\+\+ compiler \(\/nowhere\/g\+\+\)|Siconos not installed/);
  });
});
