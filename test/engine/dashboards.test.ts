/** Dashboards of documents: written in one order, read back, and their defects told without keeping a model from running. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { DashboardDocument, ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { reportDocument } from '@engine/simulation/report';
import { expectComplete } from './support/issues';
import { contact, model, particle } from './support/models';

function withDashboards(...dashboards: unknown[]): ModelDocument {
  const document = model([particle('ball', 1, 0)], [contact('floor', ['ball'], [[1]], 0)]);
  return {
    ...document,
    views: ['a', 'b', 'c'].map((id) => ({ type: 'time-series', id, signals: ['ball.q'] })),
    dashboards: dashboards as DashboardDocument[],
  };
}

it('stand in one order of keys, and are the same when they are read back', () => {
  const document = withDashboards(
    {
      layout: {
        children: [{ tabs: ['a'] }, { active: 'c', tabs: ['b', 'c'] }],
        sizes: [0.6, 0.4],
        split: 'horizontal',
      },
      title: 'Motion',
      id: 'motion',
    },
    { id: 'empty' },
  );
  const text = writeDocument(document);
  const part = text.slice(text.indexOf('"dashboards"'), text.indexOf('"layout": {\n    "nodes"'));
  expect([...part.matchAll(/"(\w+)":/g)].map(([, key]) => key)).toEqual([
    ...['dashboards', 'id', 'title', 'layout', 'split', 'sizes', 'children', 'tabs', 'tabs', 'active', 'id'],
  ]);
  const { document: back, issues } = readDocument(text);
  expect(issues).toEqual([]);
  expect(back).toEqual(document);
  expect(reportDocument(document).issues).toEqual([]);
});

describe('defects of dashboards', () => {
  it.each<[string, unknown[], string, string, string]>([
    [
      'a view that does not exist',
      [{ id: 'd', layout: { split: 'vertical', children: [{ tabs: ['a', 'x'] }] } }],
      'unknown-view',
      '/dashboards/0/layout/children/0/tabs/1',
      '“x”, which does not exist',
    ],
    [
      'a view in two dashboards',
      [
        { id: 'd', title: 'One', layout: { tabs: ['a'] } },
        { id: 'e', layout: { tabs: ['a'] } },
      ],
      'view-twice',
      '/dashboards/1/layout/tabs/0',
      'in two dashboards, “One” and “e”',
    ],
    [
      'a view twice in one',
      [{ id: 'd', layout: { tabs: ['a', 'a'] } }],
      'view-twice',
      '/dashboards/0/layout/tabs/1',
      'stands in the dashboard “d” twice',
    ],
    [
      'a front view that is none of the tabs',
      [{ id: 'd', layout: { tabs: ['a'], active: 'b' } }],
      'unknown-view',
      '/dashboards/0/layout/active',
      'none of the tabs',
    ],
    [
      'sizes for other parts',
      [{ id: 'd', layout: { split: 'vertical', children: [{ tabs: ['a'] }, { tabs: ['b'] }], sizes: [1] } }],
      'wrong-sizes',
      '/dashboards/0/layout/sizes',
      '1 sizes for 2 parts',
    ],
    ['one id twice', [{ id: 'd' }, { id: 'd' }], 'duplicate-id', '/dashboards/1/id', 'used twice'],
  ])('%s is a warning', (_, dashboards, code, pointer, says) => {
    const { issues } = reportDocument(withDashboards(...dashboards));
    expectComplete(issues);
    expect(issues).toEqual([expect.objectContaining({ severity: 'warning', code, pointer })]);
    expect(issues[0].message).toContain(says);
  });

  it.each<[string, unknown, string, string]>([
    [
      'a size of nothing',
      { split: 'vertical', children: [{ tabs: [] }], sizes: [0] },
      'wrong-value',
      '/sizes/0',
    ],
    ['a direction that is none', { split: 'diagonal', children: [{ tabs: [] }] }, 'wrong-value', '/split'],
    ['neither split nor tabs', { panels: [] }, 'missing-key', '/tabs'],
  ])('%s is an error, with which the document opens', (_, layout, code, place) => {
    const { document, issues } = readDocument(writeDocument(withDashboards({ id: 'd', layout })));
    expect(document).not.toBeNull();
    expectComplete(issues);
    expect(issues).toContainEqual(
      expect.objectContaining({ severity: 'error', code, pointer: `/dashboards/0/layout${place}` }),
    );
  });

  it('a layout without an end is refused before it is followed', () => {
    let text = '{"tabs":[]}';
    for (let k = 0; k < 3000; k++) text = `{"split":"vertical","children":[${text}]}`;
    const whole = JSON.stringify(withDashboards({ id: 'd', layout: 0 })).replace(
      '"layout":0',
      `"layout":${text}`,
    );
    const { issues } = readDocument(whole);
    expectComplete(issues);
    expect(issues).toEqual([expect.objectContaining({ code: 'too-deep', pointer: '/dashboards/0/layout' })]);
  });

  it('dashboards that are no list do not open', () => {
    const document = { ...withDashboards(), dashboards: {} };
    const { document: none, issues } = readDocument(JSON.stringify(document));
    expect(none).toBeNull();
    expect(issues[0]).toMatchObject({ code: 'wrong-section', pointer: '/dashboards' });
  });
});
