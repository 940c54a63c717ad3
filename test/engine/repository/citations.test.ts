/** Sources: what is cited stands in `docs/theory/references.md`, and what stands there is cited. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { citationsOf, readReferences, referenceOf, textsBelow } from '../../support/writing';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = 'docs/theory/references.md';
const references = readReferences(readFileSync(join(ROOT, PAGE), 'utf8'));

const programs = textsBelow(ROOT, ['src', 'test', 'docs', 'resources', 'README.md'], /\.(?:ts|vue|md)$/);
programs.delete(PAGE);
// It shows a document of the gallery, whose sources are in full.
programs.delete('docs/reference/document.md');
programs.delete('test/support/writing.ts');
programs.delete('test/engine/repository/citations.test.ts');
const examples = textsBelow(ROOT, ['resources/examples', 'test/fixtures'], /\.moreau\.json$/);
const inFull = [...examples].flatMap(([file, text]) => {
  const { references: sources = [] } = JSON.parse(text) as { references?: string[] };
  return sources.map((source) => ({ file, source }));
});

it('each source has a name of its own, and says where it can be had', () => {
  expect(references.length).toBeGreaterThan(150);
  expect(new Set(references.map(({ name }) => name)).size).toBe(references.length);
  for (const { name, source } of references) {
    const [, year] = / (\d{4})$/.exec(name) ?? [];
    if (year !== undefined) expect(source).toContain(year);
  }
});

it('finds what does not resolve', () => {
  const text = [
    '/** As Nemo 1999, and J. Doe, Title, 2001, doi:10.1000/1; Haug 1989 §3 has it. */',
    "const source = 'S0 §7; Smith et al.';",
  ].join('\n');
  const { cited, unresolved } = citationsOf(new Map([['a.ts', text]]), references);
  expect([...cited]).toEqual(['Haug 1989']);
  expect(unresolved).toEqual([
    'a.ts: Nemo 1999',
    'a.ts: doi:',
    'a.ts: 10.1000/',
    'a.ts: J. Doe',
    'a.ts: et al.',
    'a.ts: S0 §',
  ]);
  expect(referenceOf('J. Doe: A title, 1999', references)).toBeUndefined();
});

it('every citation resolves', () => {
  expect(citationsOf(programs, references).unresolved).toEqual([]);
  const unknown = inFull.filter(({ source }) => referenceOf(source, references) === undefined);
  expect(unknown).toEqual([]);
});

it('every source is cited', () => {
  const { cited } = citationsOf(programs, references);
  const all = new Set([...cited, ...inFull.map(({ source }) => referenceOf(source, references)?.name)]);
  expect(references.map(({ name }) => name).filter((name) => !all.has(name))).toEqual([]);
});
