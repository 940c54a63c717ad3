/**
 * Mutants follow the code: what each replaces stands in its module once, also where a run does not try it.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mutants } from '../../support/mutant-plugin';

it('the text that each mutant replaces stands in its module exactly once', () => {
  const counts = mutants.map(({ name, module, find }) => {
    const source = readFileSync(
      `${module.replace('@engine/', 'src/engine/').replace('@oracles/', 'test/engine/oracles/')}.ts`,
      'utf8',
    );
    return { name, count: source.split(find).length - 1 };
  });
  expect(counts.filter(({ count }) => count !== 1)).toEqual([]);
});
