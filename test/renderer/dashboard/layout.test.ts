/**
 * Layouts of dashboards: what documents say is shown without losing a view, and every move leaves the others
 * where they were.
 */
import type { DashboardDocument, ViewDocument } from '@engine/document/types';
import {
  leastHeight,
  placementOf,
  type ShownLayout,
  shownDashboards,
  viewsIn,
} from '@figures/dashboard-layout';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  besideView,
  moved,
  resized,
  type PaneSide,
  SIDES,
  tabAt,
  type Target,
  without,
  withView,
} from '@renderer/document/dashboards';

const views = (ids: string): ViewDocument[] =>
  Array.from(ids, (id) => ({ type: 'time-series', id, signals: [] }));

/**
 * `a/b` one below the other, `a|b` beside each other, `(a,b)` tabs with the first in front; sizes are written
 * where they differ.
 */
function words(layout: ShownLayout | null): string {
  if (layout === null) return '';
  if ('tabs' in layout)
    return layout.tabs.length === 1
      ? layout.active
      : `(${layout.tabs.map((id) => (id === layout.active ? `*${id}` : id)).join()})`;
  const inner = layout.children.map((child) => ('split' in child ? `[${words(child)}]` : words(child)));
  return inner.join(layout.split === 'horizontal' ? '|' : '/');
}

const shown = (ids: string, dashboards?: DashboardDocument[]): ReturnType<typeof shownDashboards> =>
  shownDashboards(views(ids), dashboards, () => 1);

const column = shown('abc')[0].layout!;
/** a in front of a column of b and c */
const grid = withView(column, 'a', { kind: 'edge', side: 'left' });

describe('dashboards as documents say', () => {
  it('show all views in one column where there are none', () => {
    const [only] = shownDashboards(views('ab'), undefined, ({ id }) => (id === 'a' ? 3 : 1));
    expect(only).toEqual({
      id: 'dashboard',
      layout: {
        split: 'vertical',
        children: [
          { tabs: ['a'], active: 'a' },
          { tabs: ['b'], active: 'b' },
        ],
        sizes: [0.75, 0.25],
      },
    });
    expect(shown('')[0].layout).toBeNull();
  });

  it('lose no view, show none twice, and take nothing that cannot be meant', () => {
    const odd = [
      { id: 'one', layout: { split: 'horizontal', children: [{ tabs: ['a', 'x', 'a'] }, { tabs: ['y'] }] } },
      { id: 'one', layout: { tabs: ['b'] } },
      {
        id: 'two',
        title: 'Two',
        layout: {
          split: 'sideways',
          sizes: [1],
          children: [{ tabs: ['a', 'c'] }, 7, { tabs: ['d', 'e'], active: 'e' }],
        },
      },
      { layout: null },
    ] as unknown as DashboardDocument[];
    const found = shown('abcdef', odd);
    expect(found.map(({ id, layout }) => `${id}: ${words(layout)}`)).toEqual(['one: a', 'two: c/(d,*e)/b/f']);
    expect(found[1].title).toBe('Two');
  });

  it('are not followed into depths', () => {
    let layout: unknown = { tabs: ['a'] };
    for (let k = 0; k < 50; k++) layout = { split: 'vertical', children: [layout, { tabs: ['b'] }] };
    expect(viewsIn(shown('ab', [{ id: 'deep', layout } as DashboardDocument])[0].layout).sort()).toEqual([
      'a',
      'b',
    ]);
  });
});

describe('a view', () => {
  it.each<[string, Target, string]>([
    ['a', { kind: 'edge', side: 'left' }, 'a|[b/c]'],
    ['a', { kind: 'edge', side: 'right' }, '[b/c]|a'],
    ['a', { kind: 'edge', side: 'down' }, 'b/c/a'],
    ['c', { kind: 'edge', side: 'up' }, 'c/a/b'],
    ['a', { kind: 'beside', view: 'c', side: 'right' }, 'b/[c|a]'],
    ['c', { kind: 'beside', view: 'a', side: 'down' }, 'a/c/b'],
    ['a', { kind: 'tab', view: 'c' }, 'b/(c,*a)'],
    ['a', { kind: 'beside', view: 'a', side: 'left' }, 'a/b/c'],
    ['a', { kind: 'tab', view: 'a' }, 'a/b/c'],
  ])('%s is put at %j: %s', (view, target, result) => {
    expect(words(withView(column, view, target))).toBe(result);
  });

  it('takes the place of another tab', () => {
    const tabs = ['a', 'b'].reduce((layout, id) => withView(layout, id, { kind: 'tab', view: 'c' }), column);
    expect(words(tabs)).toBe('(c,a,*b)');
    expect(words(withView(tabs, 'b', tabAt(['c', 'a', 'b'], 'b', 'c')))).toBe('(*b,c,a)');
    expect(words(withView(tabs, 'c', tabAt(['c', 'a', 'b'], 'c', 'b')))).toBe('(a,b,*c)');
    expect(words(withView(tabs, 'c', tabAt(['c', 'a', 'b'], 'c', 'a')))).toBe('(a,*c,b)');
    expect(words(withView(column, 'a', tabAt(['c'], 'a', 'c')))).toBe('b/(*a,c)');
  });

  it('leaves its tabs at a side of its own place', () => {
    const tabs = withView(column, 'a', { kind: 'tab', view: 'c' });
    expect(words(withView(tabs, 'a', { kind: 'beside', view: 'a', side: 'left' }))).toBe('b/[a|c]');
    expect(words(moved(tabs, 'c', 'right'))).toBe('b/[a|c]');
    expect(words(without(tabs, 'a'))).toBe('b/c');
  });

  it.each<[ShownLayout, string, PaneSide, string]>([
    [column, 'a', 'down', 'b/a/c'],
    [column, 'b', 'up', 'b/a/c'],
    [column, 'b', 'left', 'b|[a/c]'],
    [grid, 'c', 'left', 'a|c|b'],
    [grid, 'a', 'right', 'a/b/c'],
    [grid, 'b', 'right', 'a|c|b'],
    [grid, 'a', 'down', 'b/c/a'],
    [grid, 'b', 'up', 'b/[a|c]'],
  ])('is moved by one step, case %#', (layout, view, side, result) => {
    expect(words(moved(layout, view, side))).toBe(result);
  });

  it('knows what stands at its sides', () => {
    expect(besideView(grid, 'a', 'right')?.active).toBe('b');
    expect(besideView(grid, 'c', 'left')?.active).toBe('a');
    expect(besideView(grid, 'c', 'down')).toBeNull();
  });

  it('that stands at the side is not moved further', () => {
    expect(moved(column, 'a', 'up')).toBeNull();
    expect(moved(shown('a')[0].layout, 'a', 'left')).toBeNull();
    expect(moved(column, 'absent', 'left')).toBeNull();
  });

  it('is never lost, and never leaves a gap, whatever is done', () => {
    const step = fc.record({
      view: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      other: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      side: fc.constantFrom(...SIDES),
      kind: fc.constantFrom('beside', 'tab', 'edge', 'move', 'resize'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        let layout = shown('abcde')[0].layout!;
        for (const { view, other, side, kind } of steps) {
          if (kind === 'move') layout = moved(layout, view, side) ?? layout;
          else if (kind === 'resize') {
            const [border] = placementOf(layout).borders;
            if (border !== undefined) layout = resized(layout, border.path, border.index, 0.1, 0.05);
          } else layout = withView(layout, view, { kind, view: other, side });
        }
        expect(viewsIn(layout).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
        const { places } = placementOf(layout);
        const area = places.reduce((sum, { width, height }) => sum + width * height, 0);
        expect(area).toBeCloseTo(1, 9);
        expect(places.every(({ tabs, active }) => tabs.includes(active))).toBe(true);
        // Splits alternate: what stands in a row is one row.
        const alternate = (node: ShownLayout): boolean =>
          !('split' in node) ||
          node.children.every(
            (child) => (!('split' in child) || child.split !== node.split) && alternate(child),
          );
        expect(alternate(layout)).toBe(true);
      }),
    );
  });
});

it('borders divide two neighbours only, and leave room to both', () => {
  const border = placementOf(grid).borders.find(({ split }) => split === 'vertical')!;
  expect(border).toMatchObject({ path: [1], index: 0, extent: 1 });
  const wider = resized(grid, [], 0, 0.2, 0.1);
  expect(wider).toMatchObject({ sizes: [expect.closeTo(0.7, 9), expect.closeTo(0.3, 9)] });
  expect(resized(grid, [], 0, 5, 0.1)).toMatchObject({
    sizes: [expect.closeTo(0.9, 9), expect.closeTo(0.1, 9)],
  });
  expect(leastHeight(grid, () => 210)).toBe(420);
});
