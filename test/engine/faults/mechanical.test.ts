/**
 * Mechanical mutants of schemes, solvers and certificates: what moves a result of the gallery by more than
 * ten times its estimated error is seen by a verdict. A proof looks at a thousand of them, or as many as
 * MOREAU_MUTANTS says, and writes docs/mutants.md; it goes on where an earlier one of the same engine has
 * ended. An ordinary run only makes texts of them.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isProving, sample } from '../../support/prove';
import { FOLDER } from './bundle';
import { baseRuns } from './gallery-runs';
import { lookAtMutants, type MutantFound } from './mechanical';
import { counting, placesIn, switched } from './mutate';

const PAGE = fileURLToPath(new URL('../../../docs/mutants.md', import.meta.url));
const ALL = Number(process.env.MOREAU_MUTANTS ?? 1000);

/** Of a thousand that are not seen yet. */
const MOST_UNSEEN = 0;

const FATES = ['caught', 'no change', 'little', 'survives'] as const;

function pageOf(found: readonly MutantFound[], places: number, executed: number): string {
  const of = (fate: MutantFound['fate']): MutantFound[] => found.filter((one) => one.fate === fate);
  const left = of('survives').map(
    ({ place, change, by, run }) => `| ${place} | \`${change.replaceAll('|', '\\|')}\` | ${by} | ${run} |`,
  );
  return `# Mechanical mutants

Operators, constants and conditions of schemes, solvers and certificates changed one at a time, and runs of the gallery judged with each, without a
reference solution. A result counts as moved where a signal differs from the run without the mutant by more than ten times what the runs say themselves: their
estimated errors, and what is left of their equations. Written by \`npm run prove -- mechanical\`, by MOREAU_MUTANTS for fewer than a thousand.

Of ${places} places, runs of the gallery execute ${executed}; ${found.length} of these, by lot:

| fate | mutants |
| --- | ---: |
| caught by a verdict, a failure, or a run without end | ${of('caught').length} |
| no bit of a result changes | ${of('no change').length} |
| results move by less than ten times their estimate | ${of('little').length} |
| moved, and no verdict sees it | ${of('survives').length} |

${left.length === 0 ? '' : ['| place | change | moved by | in |', '| --- | --- | --- | --- |', ...left].join('\n')}
`;
}

it('a place is an operator, a constant or a condition, and stands behind a switch', () => {
  const source =
    'const k = 2;\nfunction f(x: number): number {\n  if (x < 1 && x > 0) return -x;\n  return k * x;\n}\n';
  const places = placesIn('@engine/f', source).map((place, number) => ({ ...place, number }));
  expect(places.map(({ line, text, mutant }) => `${line}: ${text} → ${mutant}`)).toEqual([
    '3: x < 1 && x > 0 → !(x < 1 && x > 0)',
    '3: x < 1 && x > 0 → (x < 1) || (x > 0)',
    '3: x < 1 → (x) <= (1)',
    '3: 1 → (1 * 1.5)',
    '3: x > 0 → (x) >= (0)',
    '3: 0 → 1',
    '3: -x → (x)',
    '4: k * x → (k) / (x)',
  ]);
  const last = places.slice(-1);
  expect(switched('@engine/f', last).change(source)).toContain(
    'return (__fault.number === 7 ? (k) / (x) : k * x);',
  );
  expect(counting('@engine/f', places).change(source)).toContain('return (__fault.hits[7] = 1, k * x);');
});

it.runIf(isProving)('mutants that move a result are seen by a verdict', async () => {
  const count = sample(0, ALL);
  const base = await baseRuns(null);
  mkdirSync(FOLDER, { recursive: true });
  const journal = `${FOLDER}/mutants-${base.key}.jsonl`;
  const before = existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : [];
  const known = new Map(
    before.map((line) => JSON.parse(line) as MutantFound).map((one) => [one.id, one] as const),
  );
  const found: MutantFound[] = [];
  const { places, executed } = await lookAtMutants(base, count, known, (one) => {
    found.push(one);
    if (!known.has(one.id)) appendFileSync(journal, `${JSON.stringify(one)}\n`);
  });
  writeFileSync(PAGE, pageOf(found, places, executed));
  const counts = FATES.map((fate) => `${fate} ${found.filter((one) => one.fate === fate).length}`);
  const unseen = found.filter(({ fate }) => fate === 'survives');
  console.log(`mechanical mutants: ${counts.join(', ')}`, unseen);
  expect(unseen.length).toBeLessThanOrEqual(MOST_UNSEEN);
});
