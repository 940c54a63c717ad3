/**
 * Groups and notes of the graph: written in one order, read back, and their defects told without keeping a
 * model from running.
 */
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { LayoutDocument, ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from './support/issues';
import { contact, model, particle, withBuilder } from './support/models';

const note = { id: 'hint', text: '# Hint\n\n$q$', x: 1, y: 2, width: 200, height: 80 } as const;

function withLayout(layout: Partial<LayoutDocument>): ModelDocument {
  const document = model([particle('ball', 1, 0)], [contact('floor', ['ball'], [[1]], 0)]);
  return { ...document, layout: { ...document.layout, ...layout } };
}

it('stand in one order of keys, whatever order they were given in', () => {
  const document = withLayout({
    notes: [{ height: 80, width: 200, y: 2, x: 1, colour: 'blue', text: 'Hint', id: 'hint' }],
    groups: [{ collapsed: true, members: ['ball', 'hint'], colour: 'red', name: 'Drop', id: 'drop' }],
  });
  const text = writeDocument(document);
  const keys = [...text.slice(text.indexOf('"layout"')).matchAll(/"(\w+)":/g)].map(([, key]) => key);
  expect(keys).toEqual([
    ...['layout', 'nodes', 'groups', 'id', 'name', 'colour', 'members', 'collapsed'],
    ...['notes', 'id', 'text', 'colour', 'x', 'y', 'width', 'height'],
  ]);
  const { document: back, issues } = readDocument(text);
  expect(issues).toEqual([]);
  expect(back).toEqual(document);
  expect(reportDocument(document).issues).toEqual([]);
});

describe('defects of groups and notes', () => {
  it.each<[string, Partial<LayoutDocument>, string, string, string]>([
    [
      'a member that does not exist',
      { groups: [{ id: 'g', name: 'Drop', members: ['ball', 'bat'] }] },
      'unknown-member',
      '/layout/groups/0/members/1',
      '“bat”, which does not exist',
    ],
    [
      'no members',
      { groups: [{ id: 'g', name: 'Drop', members: [] }] },
      'empty-group',
      '/layout/groups/0/members',
      'no members',
    ],
    [
      'a member of two',
      {
        groups: [
          { id: 'g', name: 'Drop', members: ['ball'] },
          { id: 'h', name: 'Rest', members: ['floor', 'ball'] },
        ],
      },
      'two-groups',
      '/layout/groups/1/members/1',
      'two groups, “Drop” and “Rest”',
    ],
    [
      'the id of a system',
      { groups: [{ id: 'ball', name: 'Drop', members: ['ball'] }] },
      'duplicate-id',
      '/layout/groups/0/id',
      'group is used twice',
    ],
    [
      'two notes of one id',
      { notes: [note, note] },
      'duplicate-id',
      '/layout/notes/1/id',
      'note is used twice',
    ],
  ])('%s is reported as a warning', (_name, layout, code, place, says) => {
    const { issues, signals } = reportDocument(withLayout(layout));
    expect(issues.map((issue) => [issue.code, issue.pointer, issue.severity])).toEqual([
      [code, place, 'warning'],
    ]);
    expectComplete(issues);
    expect(issues[0]?.message).toContain(says);
    // Physics never reads them.
    expect(signals.length).toBeGreaterThan(0);
  });

  it('members that a builder script adds are known once it has run', () => {
    const document = {
      ...withBuilder(withLayout({}), 'export default () => undefined;'),
      layout: { nodes: {}, groups: [{ id: 'g', name: 'Column', members: ['bead1'] }] },
    };
    expect(reportDocument(document).issues.map(({ code }) => code)).not.toContain('unknown-member');
    const built = { systems: [particle('bead1', 1, 0)], interactions: [] };
    expect(reportDocument(document, built).issues.map(({ code }) => code)).not.toContain('unknown-member');
    expect(
      reportDocument(document, { systems: [], interactions: [] }).issues.map(({ code }) => code),
    ).toContain('unknown-member');
  });

  it('a colour that is none, and a name that is none, are reported with what may stand there', () => {
    const document = withLayout({
      groups: [{ id: 'g h', name: 'Drop', members: ['ball'], colour: 'pink' as 'red' }],
    });
    const { issues } = reportDocument(document);
    expect(issues.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['bad-name', '/layout/groups/0/id'],
      ['wrong-value', '/layout/groups/0/colour'],
    ]);
    expectComplete(issues);
  });

  it.each([{ groups: { g: [] } }, { groups: [{ id: 'g' }] }, { notes: [{ ...note, text: 5 }] }])(
    'what no view could show is refused: %o',
    (layout) => {
      const { document, issues } = readDocument(
        JSON.stringify({ ...withLayout({}), layout: { nodes: {}, ...layout } }),
      );
      expect(document).toBeNull();
      expect(issues.map(({ pointer }) => pointer)).toEqual([`/layout/${Object.keys(layout)[0]}`]);
      expectComplete(issues);
    },
  );
});
