/** Comments keep to the width of code, which prettier does not look after. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { textsBelow, wideComments, WIDTH } from '../../support/writing';

const ROOT = join(import.meta.dirname, '../../..');

it('finds a line that is too wide, and only in comments', () => {
  const wide = 'x'.repeat(WIDTH - 3);
  const texts = new Map([
    ['a.ts', `// ${wide}\n/**\n * ${wide}x\n */\n`],
    ['b.ts', `const text = '${wide}xxxx';\n`],
  ]);
  expect(wideComments(texts)).toEqual(['a.ts:3']);
});

it(`no comment is wider than ${WIDTH} columns`, () => {
  const texts = textsBelow(ROOT, ['src', 'test'], /\.(?:ts|vue)$/);
  expect(texts.size).toBeGreaterThan(1000);
  expect(wideComments(texts)).toEqual([]);
});
