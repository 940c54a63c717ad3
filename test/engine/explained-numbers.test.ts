/**
 * What pages say is what their models do: explanations of examples, and pages of the help that have models in
 * them. Figures come from checked blocks.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isProving } from '../support/prove';
import {
  checkedGroups,
  checkedText,
  computeGroup,
  refutation,
  withoutBlocks,
} from './support/checked-blocks';
import { readDocument } from '@engine/document/read';
import { example, EXAMPLES } from './support/models';

const page = (name: string): string =>
  readFileSync(new URL(`../../resources/examples/${name}.md`, import.meta.url), 'utf8');

/** What is under the headings that claim something of the run. */
const claiming = (text: string): string =>
  withoutBlocks(text)
    .split(/^(?=## )/m)
    .filter((part) => /^## What to (?:see|try)/.test(part))
    .join('\n');

/** A block may compute for a second or two, and all others beside it. */
const TIMEOUT_MS = isProving ? 600_000 : 120_000;

const decimals = (text: string): string[] => text.match(/\d*\.\d+/g) ?? [];

describe.each(EXAMPLES.map((name) => ({ name, text: page(name) })))(
  'the explanation of $name',
  ({ name, text }) => {
    const document = example(name);

    it('has each figure in a checked block, or from the model', () => {
      const model = JSON.stringify([document.parameters, document.simulation]);
      const known = new Set(decimals(`${checkedText(text)} ${model}`).map(Number));
      expect(checkedGroups(text)).not.toEqual([]);
      expect(decimals(claiming(text)).filter((figure) => !known.has(Number(figure)))).toEqual([]);
    });

    it.each(checkedGroups(text).filter(({ isLong }) => isProving || !isLong))(
      'holds: $line',
      (group) => {
        const computed = computeGroup(document, group);
        const refuted = group.claims.map((claim) => refutation(claim, computed));
        expect(refuted.filter((one) => one !== null)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  },
);

const HELP = new URL('../../docs/', import.meta.url);

/** Models of a page, each with the blocks up to the next one. */
const parts = (text: string): string[] => text.split(/^(?=```json model$)/m).slice(1);

const written = ['tutorials', 'how-to'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, HELP)).map((file) => ({
    path: `${folder}/${file}`,
    text: readFileSync(new URL(`${folder}/${file}`, HELP), 'utf8'),
  })),
);

describe.each(written.filter(({ text }) => parts(text).length > 0))('the page $path', ({ text }) => {
  it.each(parts(text).map((part) => ({ part, title: /"title": "(.*)"/.exec(part)?.[1] })))(
    'has a model that does what it says: $title',
    ({ part }) => {
      const { document, issues } = readDocument(/^```json model\n([\s\S]*?)^```$/m.exec(part)?.[1] ?? '');
      expect(issues).toEqual([]);
      const groups = checkedGroups(part);
      expect(groups).not.toEqual([]);
      for (const group of groups) {
        const computed = computeGroup(document!, group);
        const refuted = group.claims.map((claim) => refutation(claim, computed));
        expect(refuted.filter((one) => one !== null)).toEqual([]);
      }
    },
  );
});
