/** A mistyped name in any field of the examples is mended by each of its buttons. */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { mendDocument } from '@renderer/document/mends';
import { example } from './support/example';

/** Expressions of the document that name one of its parameters, by their pointers. */
function* expressions(
  value: unknown,
  names: readonly string[],
  pointer = '',
): Generator<[string, string, string]> {
  if (typeof value === 'string') {
    const used = names.find((name) => new RegExp(`(?<![\\w.])${name}(?![\\w.])`).test(value));
    if (used !== undefined) yield [pointer, value, used];
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) yield* expressions(part, names, `${pointer}/${key}`);
}

function withText(document: ModelDocument, pointer: string, text: string): ModelDocument {
  const next = structuredClone(document);
  mendDocument(next, [{ do: 'set', pointer, value: text }], () => []);
  return next;
}

const unknownAt = (document: ModelDocument, pointer: string): DocumentIssue | undefined =>
  reportDocument(document).issues.find(
    (issue) => issue.pointer === pointer && issue.message.includes('is not a parameter'),
  );

describe.each(['bouncing-ball', 'woodpecker', 'buck-converter-drawn', 'cam-follower-358'])(
  'in %s',
  (name) => {
    const document = example(name);
    const { systems, interactions, components, parameters, simulation } = document;
    const names = parameters.map((parameter) => parameter.name);
    const found = [
      ...expressions({ systems, interactions, components, simulation }, names),
      ...expressions({ parameters: parameters.map(({ value }) => ({ value })) }, names),
    ];

    it('each name', () => {
      let mended = 0;
      for (const [pointer, text, used] of found) {
        const typed = text.replaceAll(new RegExp(`(?<![\\w.])${used}(?![\\w.])`, 'g'), `${used}x`);
        const wrong = withText(document, pointer, typed);
        const issue = unknownAt(wrong, pointer);
        if (issue === undefined) continue;
        const [meant, added] = [/^Write /, /^Add the parameter /].map((label) =>
          issue.mends?.find((one) => label.test(one.label)),
        );
        expect(added, pointer).toBeDefined();
        for (const way of [meant, added]) {
          if (way === undefined) continue;
          const next = structuredClone(wrong);
          mendDocument(next, way.steps, () => []);
          expect(unknownAt(next, pointer), `${pointer}: ${way.label}`).toBeUndefined();
          mended++;
        }
        // The nearest name may be another one than that which was mistyped; then it is only an offer.
        if (meant?.label === `Write ${used}`) expect(text).toContain(used);
      }
      expect(mended).toBeGreaterThan(0);
    });
  },
);

it('a name alone has the unit of its field, and names of the time are not offered', () => {
  const document = example('bouncing-ball');
  const wrong = structuredClone(document);
  wrong.systems[0]['mass'] = [['zork']];
  const [issue] = reportDocument(wrong).issues.filter(({ message }) => message.includes('zork'));
  expect(issue?.mends?.at(-1)).toEqual({
    label: 'Add the parameter zork',
    steps: [{ do: 'parameter', list: '/parameters', parameter: { name: 'zork', value: 1, unit: 'kg' } }],
  });
  wrong.systems[0]['mass'] = [['1 + t']];
  const [timed] = reportDocument(wrong).issues.filter(({ message }) => message.includes('“t”'));
  expect(timed?.mends?.some(({ label }) => label.startsWith('Add'))).not.toBe(true);
});
