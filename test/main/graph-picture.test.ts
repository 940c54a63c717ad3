/** The graph as a picture, with its groups and notes. */
import { expect, it } from 'vitest';
import type { LayoutDocument } from '@engine/document/types';
import { svgModel } from '@main/export/model/svg';
import { contact, model, particle } from '../engine/support/models';

function picture(layout: Partial<LayoutDocument>): string {
  const document = model(
    [particle('ball', 1, 0), particle('bat', 1, 0)],
    [contact('hit', ['ball', 'bat'], [[1, -1]], 0)],
  );
  const nodes = { ball: { x: 0, y: 0 }, hit: { x: 300, y: 0 }, bat: { x: 600, y: 0 } };
  const expanded = { ...document, layout: { nodes, ...layout } };
  return svgModel.write({ document: expanded, expanded } as Parameters<typeof svgModel.write>[0]).text;
}

const count = (text: string, what: string): number => text.split(what).length - 1;

it('has frames around groups, and notes with their words', () => {
  const text = picture({
    groups: [{ id: 'g', name: 'Flight <1>', members: ['ball', 'hit'] }],
    notes: [{ id: 'n', text: 'Hit & run', x: 0, y: 200, width: 200, height: 60 }],
  });
  expect(text).toContain('Flight &lt;1&gt;');
  expect(text).toContain('Hit &amp; run');
  expect(count(text, '<path')).toBe(2);
  expect(text).toContain('<title>ball: ');
});

it('shows a collapsed group as one card with its outer links', () => {
  const text = picture({ groups: [{ id: 'g', name: 'Flight', members: ['ball', 'hit'], collapsed: true }] });
  expect(text).not.toContain('<title>ball: ');
  expect(text).toContain('2 nodes');
  expect(count(text, '<path')).toBe(1);
});
