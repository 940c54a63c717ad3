/**
 * Dashboards of documents: written in one order, read back, and their defects told without keeping a model
 * from running.
 */
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { DashboardDocument, ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { reportDocument } from '@engine/preparation/report';
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
  ])('%s is a warning, with which the document opens', (_, layout, code, place) => {
    const { document, issues } = readDocument(writeDocument(withDashboards({ id: 'd', layout })));
    expect(document).not.toBeNull();
    expectComplete(issues);
    expect(issues).toContainEqual(
      expect.objectContaining({ severity: 'warning', code, pointer: `/dashboards/0/layout${place}` }),
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

describe('how plots are drawn', () => {
  it('is written in one order, and read back', () => {
    const document = withDashboards({ id: 'd' });
    document.views = [
      {
        annotations: [{ y: 1, t: 0.5, text: 'peak' }],
        styles: [{ hasMarkers: true, width: 2, line: 'dotted', signals: ['ball.q'] }],
        legend: 'inside',
        axes: [{ max: 10, min: 0.1, isLog: true, signals: ['ball.q'] }],
        signals: ['ball.q'],
        id: 'a',
        type: 'time-series',
      },
      {
        type: 'phase-portrait',
        id: 'p',
        x: 'ball.q',
        y: 'ball.v',
        xRange: { max: 2, min: 1 },
        equalAspect: true,
        size: 2,
        opacity: 0.5,
      },
    ];
    const text = writeDocument(document);
    const { document: back, issues } = readDocument(text);
    expect(issues).toEqual([]);
    expect(back).toEqual(document);
    const part = text.slice(text.indexOf('"axes"'), text.indexOf('"phase-portrait"'));
    expect([...part.matchAll(/"(\w+)":/g)].map(([, key]) => key)).toEqual([
      ...[
        'axes',
        'signals',
        'isLog',
        'min',
        'max',
        'legend',
        'styles',
        'signals',
        'line',
        'width',
        'hasMarkers',
      ],
      ...['annotations', 'text', 't', 'y', 'type'],
    ]);
    expect(reportDocument(document).issues).toEqual([]);
  });

  it('warns of axes that cannot be drawn', () => {
    const document = withDashboards({ id: 'd' });
    document.views = [
      {
        type: 'time-series',
        id: 'a',
        signals: ['ball.q'],
        axes: [
          { min: 2, max: 1, signals: ['ball.q'] },
          { isLog: true, min: 0, signals: ['ball.q'] },
        ],
      },
      {
        type: 'phase-portrait',
        id: 'p',
        title: 'State space',
        x: 'ball.q',
        y: 'ball.v',
        yRange: { min: 1, max: 1 },
      },
    ];
    delete document.dashboards;
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues.map(({ severity, code, pointer }) => [severity, code, pointer])).toEqual([
      ['warning', 'empty-range', '/views/0/axes/0'],
      ['warning', 'not-positive', '/views/0/axes/1/min'],
      ['warning', 'signal-twice', '/views/0/axes/1/signals/0'],
      ['warning', 'empty-range', '/views/1/yRange'],
    ]);
    expect(issues[3].message).toContain('“State space”');
  });
});

it('names of signals that the model does not have, with what was meant', () => {
  const { dashboards: _, ...document } = withDashboards();
  document.views = [
    { type: 'time-series', id: 'a', signals: ['ball.q', 'ball.vv'], axes: [{ signals: ['bal.q'] }] },
    { type: 'phase-portrait', id: 'b', x: 'ball.q', y: 'nothing_like_it' },
  ];
  const { issues } = reportDocument(document);
  expect(issues.map(({ severity, code, pointer, remedy }) => [severity, code, pointer, remedy])).toEqual([
    ['warning', 'unknown-signal', '/views/0/signals/1', 'Did you mean ball.v?'],
    ['warning', 'unknown-signal', '/views/0/axes/0/signals/0', 'Did you mean ball.q?'],
    ['warning', 'unknown-signal', '/views/1/y', 'Choose one of its signals, or remove it there.'],
  ]);
});
