/**
 * Faults planted in the engine: each makes a verdict of some run of the gallery fail, without a reference
 * solution. A proof plants them all and writes docs/planted-faults.md; an ordinary run plants a few and looks
 * at few runs. MOREAU_FAULTS names those that a proof is to plant, with commas between them.
 */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isProving, sample } from '../../support/prove';
import { FOLDER, sourceOf } from './bundle';
import { faults } from './faults';
import { baseRuns } from './gallery-runs';
import { type Found, plant } from './plant';

const PAGE = fileURLToPath(new URL('../../../docs/planted-faults.md', import.meta.url));
/** Found so far, so that a part is of use. */
const JOURNAL = `${FOLDER}/planted.jsonl`;

/** Faults of an ordinary run, and the examples that it looks at. */
const TRIED: ReadonlySet<string> = new Set(['moment-twice']);
const LOOKED_AT = ['heavy-top'];

/** Faults that a proof plants; all where none is named. */
const names = process.env.MOREAU_FAULTS;
const NAMED = names === undefined ? null : new Set(names.split(','));

/** Faults that no verdict sees yet. */
const MOST_UNSEEN = 0;

const HEAD = `# Planted faults

Faults planted in the engine one at a time, and the verdict of a run of the gallery that sees each, without a reference solution: what is not solved,
not complete or not accurate, or a run that fails or comes to no end. Runs are the first steps of the examples, by both schemes where both
simulate them. Written by \`npm run prove -- planted\`.

`;

function pageOf(found: readonly Found[]): string {
  const caught = found.filter(({ caughtBy }) => caughtBy !== '').length;
  const rows = found.map(
    ({ name, kind, module, caughtBy, run }) =>
      `| ${name} | ${kind} | ${module.replace('@engine/', '')} | ${caughtBy === '' ? '**nothing**' : caughtBy} | ${run} |`,
  );
  const table = ['| fault | kind | module | seen by | in |', '| --- | --- | --- | --- | --- |', ...rows];
  return `${HEAD}**${caught} of ${found.length} are caught.**\n\n${table.join('\n')}\n`;
}

describe('planted faults', () => {
  it('each replace a text that stands in its module exactly once', () => {
    const counts = faults.map(({ name, module, find }) => ({
      name,
      count: readFileSync(sourceOf(module), 'utf8').split(find).length - 1,
    }));
    expect(counts.filter(({ count }) => count !== 1)).toEqual([]);
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  });

  it('are seen by a verdict', async () => {
    sample(TRIED.size, faults.length);
    const wanted = isProving ? NAMED : TRIED;
    const list = faults.filter(({ name }) => wanted?.has(name) ?? true);
    const base = await baseRuns(isProving ? null : LOOKED_AT);
    mkdirSync(FOLDER, { recursive: true });
    rmSync(JOURNAL, { force: true });
    const found: Found[] = [];
    for (const fault of list) {
      const one = await plant(fault, base);
      found.push(one);
      appendFileSync(JOURNAL, `${JSON.stringify(one)}\n`);
    }
    if (list.length === faults.length) writeFileSync(PAGE, pageOf(found));
    const unseen = found.filter(({ caughtBy }) => caughtBy === '').map(({ name }) => name);
    console.log(`planted faults: ${found.length - unseen.length} of ${found.length} caught`, unseen);
    expect(unseen.length).toBeLessThanOrEqual(MOST_UNSEEN);
  });
});
