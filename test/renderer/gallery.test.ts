import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import katex from 'katex';
import { describe, expect, it } from 'vitest';
import { examplePage, examplePicture, hasPage } from '@renderer/gallery/example-pages';
import { matching } from '@renderer/gallery/example-search';
import { markdownTitle, parseMarkdown } from '@renderer/markdown/parse';

const FOLDER = resolve('resources/examples');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.moreau.json'))
  .map((file) => file.slice(0, -'.moreau.json'.length));

/** Formulas of a text. */
function formulas(source: string): string[] {
  return parseMarkdown(source)
    .flatMap((token) => [token, ...(token.children ?? [])])
    .filter(({ type }) => type.startsWith('math_'))
    .map(({ content }) => content);
}

describe('explanations of examples', () => {
  it.each(names)('%s has one, with its title, sound formulas and something to try', async (name) => {
    expect(hasPage(name)).toBe(true);
    expect(examplePicture(name)).not.toBeNull();
    const page = (await examplePage(name)) ?? '';
    const { title } = JSON.parse(readFileSync(`${FOLDER}/${name}.moreau.json`, 'utf8')) as { title: string };
    expect(markdownTitle(page)).toBe(title);
    expect(page).toContain('## What to see');
    expect(page).toContain('## What to try\n\n- ');
    for (const latex of formulas(page))
      expect(() => katex.renderToString(latex, { strict: 'error' })).not.toThrow();
  });

  it('are found by all words of a query, whatever their accents', () => {
    const examples = [
      { name: 'painleve-rod', title: 'Painlevé’s rod', description: 'slides', references: [] },
      { name: 'ball', title: 'Bouncing ball', description: 'falls', references: ['J. J. Moreau'] },
    ];
    expect(matching(examples, "painleve's").map(({ name }) => name)).toEqual(['painleve-rod']);
    expect(matching(examples, 'moreau falls').map(({ name }) => name)).toEqual(['ball']);
    expect(matching(examples, 'moreau slides')).toEqual([]);
    expect(matching(examples, ' ')).toHaveLength(2);
  });
});
