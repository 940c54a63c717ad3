/** What the explanations of the examples say is what their models do: figures come from checked blocks, which are computed here. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isProving } from '../support/prove';
import {
  checkedGroups,
  checkedText,
  computeGroup,
  refutation,
  withoutBlocks,
} from './support/checked-blocks';
import { example, EXAMPLES } from './support/models';

const page = (name: string): string =>
  readFileSync(new URL(`../../resources/examples/${name}.md`, import.meta.url), 'utf8');

/** What is under the headings that claim something of the run. */
const claiming = (text: string): string =>
  withoutBlocks(text)
    .split(/^(?=## )/m)
    .filter((part) => /^## What to (?:see|try)/.test(part))
    .join('\n');

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

    it.each(checkedGroups(text).filter(({ isLong }) => isProving || !isLong))('holds: $line', (group) => {
      const computed = computeGroup(document, group);
      const refuted = group.claims.map((claim) => refutation(claim, computed));
      expect(refuted.filter((one) => one !== null)).toEqual([]);
    });
  },
);
