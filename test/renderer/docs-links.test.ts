/** Links of the documentation lead somewhere on the disk as well, where no window resolves them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseMarkdown } from '@renderer/markdown/parse';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].map((name) => join(ROOT, name));

interface Page {
  readonly links: string[];
  readonly anchors: ReadonlySet<string>;
}

/**
 * The name of a heading as forges make it: words in lower case, joined by hyphens, without what is no letter
 * or digit.
 */
const anchorOf = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const known = new Map<string, Page>();
function pageOf(path: string): Page {
  const found = known.get(path);
  if (found !== undefined) return found;
  const links: string[] = [];
  const anchors = new Set<string>();
  const tokens = parseMarkdown(readFileSync(path, 'utf8'));
  tokens.forEach((token, place) => {
    if (token.type === 'heading_open') {
      const words = (tokens[place + 1].children ?? []).map(({ content }) => content).join('');
      const anchor = anchorOf(words);
      let name = anchor;
      for (let k = 1; anchors.has(name); k++) name = `${anchor}-${k}`;
      anchors.add(name);
    }
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') links.push(child.attrGet('href') ?? '');
      if (child.type === 'image') links.push(child.attrGet('src') ?? '');
    }
  });
  const page = { links, anchors };
  known.set(path, page);
  return page;
}

it('every link of README and docs leads to a file, and to a heading in it where it names one', () => {
  expect(PAGES.length).toBeGreaterThan(70);
  const broken: string[] = [];
  let checked = 0;
  for (const path of PAGES)
    for (const link of pageOf(path).links) {
      // Those of the help into the window are checked with the help.
      if (/^(https?|mailto|command|example):/.test(link)) continue;
      checked++;
      const [file = '', anchor = ''] = decodeURI(link).split('#');
      const target = file === '' ? path : resolve(dirname(path), file);
      if (!existsSync(target)) broken.push(`${relative(ROOT, path)}: ${link}`);
      else if (anchor !== '' && target.endsWith('.md') && !pageOf(target).anchors.has(anchor))
        broken.push(`${relative(ROOT, path)}: ${link} (heading)`);
    }
  expect(checked).toBeGreaterThan(200);
  expect(broken).toEqual([]);
});
