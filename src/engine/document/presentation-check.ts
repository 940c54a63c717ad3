/**
 * Checks what plots show and how they are to be drawn. Physics never reads it: its defects are warnings, and
 * a model with them runs.
 */
import { closest } from '../closest';
import { withSignalNames } from './signal-names';
import type { DocumentIssue, ModelDocument, ViewDocument } from './types';
import type { FixedRange } from './views/common';
import type { DashboardLayout } from './views/dashboards';

const isEmpty = ({ min, max }: FixedRange): boolean => min !== undefined && max !== undefined && min >= max;

/** Ranges of a view whose axis is logarithmic, and what it is called. */
function logarithmic(view: ViewDocument): [place: string, what: string][] {
  if (view.type === 'certificate') return [['yRange', 'axis of residuals']];
  if (view.type === 'heat-map') return view.isLog === true ? [['colourRange', 'scale of colours']] : [];
  if (view.type !== 'spectrum') return [];
  return [
    ...(view.isLogFrequency === true ? ([['xRange', 'horizontal axis']] as [string, string][]) : []),
    ...(view.isLinear === true ? [] : ([['yRange', 'vertical axis']] as [string, string][])),
  ];
}

/**
 * Defects of views; what an option says is left out in the drawing, and a plot of a section that is not there
 * is empty.
 * @param places of the views in the list of the document
 */
export function viewIssues(
  { views, simulation }: Pick<ModelDocument, 'views' | 'simulation'>,
  places: readonly number[],
): DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  const sections = (simulation.sections ?? []).map(({ id }) => id);
  const ids = new Set<string>();
  views.forEach((view, k) => {
    const index = places[k] ?? k;
    const warn = (code: string, place: string, message: string, remedy: string): void => {
      const pointer = `/views/${index}${place}`;
      issues.push({ severity: 'warning', code, pointer, element: view.id, message, remedy });
    };
    const range = (given: FixedRange | undefined, place: string, what: string): void => {
      if (given !== undefined && isEmpty(given))
        warn(
          'empty-range',
          place,
          `The ${what} of the plot “${view.title ?? view.id}” ends at ${given.max}, where it has not begun yet: it begins at ${given.min}.`,
          'Let “min” be less than “max”, or leave one out.',
        );
    };
    const positive = (given: FixedRange | undefined, place: string, what: string): void => {
      for (const key of ['min', 'max'] as const)
        if ((given?.[key] ?? 1) <= 0)
          warn(
            'not-positive',
            `${place}/${key}`,
            `The logarithmic ${what} of the plot “${view.title ?? view.id}” cannot reach ${given?.[key]}.`,
            'Give a positive number, or leave it out.',
          );
    };
    if (ids.has(view.id))
      warn('duplicate-id', '/id', `The id “${view.id}” of a view is used twice.`, 'Give it another one.');
    ids.add(view.id);
    const section = 'section' in view ? view.section : undefined;
    if (section !== undefined && !(section === '' ? sections.length > 0 : sections.includes(section)))
      warn(
        'unknown-section',
        '/section',
        section === ''
          ? `The plot “${view.title ?? view.id}” shows a Poincaré section, and the model has none.`
          : `The plot “${view.title ?? view.id}” shows the section “${section}”, which the model does not have.`,
        sections.length === 0
          ? 'Add a section to the simulation: the plot has a button for it.'
          : `Choose one of ${sections.join(', ')}, or add a section to the simulation.`,
      );
    if ('xRange' in view) range(view.xRange, '/xRange', 'horizontal axis');
    if ('yRange' in view) range(view.yRange, '/yRange', 'vertical axis');
    if (view.type === 'heat-map') range(view.colourRange, '/colourRange', 'scale of colours');
    for (const [place, what] of logarithmic(view))
      positive(view[place as keyof ViewDocument] as FixedRange | undefined, `/${place}`, what);
    if (view.type !== 'time-series') return;
    const taken = new Set<string>();
    view.axes?.forEach((axis, k) => {
      const place = `/axes/${k}`;
      range(axis, place, `vertical axis ${k + 1}`);
      if (axis.isLog === true) positive(axis, place, `axis ${k + 1}`);
      axis.signals?.forEach((name, i) => {
        if (taken.has(name))
          warn(
            'signal-twice',
            `${place}/signals/${i}`,
            `The signal “${name}” stands on two axes of the plot “${view.title ?? view.id}”.`,
            'Leave it on one of them; the first counts.',
          );
        taken.add(name);
      });
    });
  });
  return issues;
}

/**
 * Names of signals that a view of runs gives, with the keys they stand under; an empty one is none yet. Those
 * of analyses show measures, too.
 */
function namedBy(view: ViewDocument): [place: string, name: string][] {
  if ('analysis' in view || 'analyses' in view) return [];
  const own: ViewDocument & Partial<Record<'x' | 'y' | 'z' | 'signals', unknown>> = view;
  const names: [string, string][] = [];
  const add = (place: string, name: unknown): void => {
    if (typeof name === 'string' && name !== '') names.push([place, name]);
  };
  for (const key of ['x', 'y', 'z'] as const) add(`/${key}`, own[key]);
  const list = (place: string, given: unknown): void => {
    if (Array.isArray(given)) given.forEach((name, k) => add(`${place}/${k}`, name));
  };
  list('/signals', own.signals);
  if (view.type === 'time-series')
    view.axes?.forEach(({ signals }, k) => list(`/axes/${k}/signals`, signals));
  return names;
}

/**
 * Signals of views that the model does not have: their curves stay away.
 * @param known names of signals @param elsewhere of those of the other scheme
 * @param places of the views in the list of the document
 */
export function viewSignalIssues(
  { views }: Pick<ModelDocument, 'views'>,
  known: ReadonlySet<string>,
  elsewhere: () => ReadonlySet<string>,
  places: readonly number[],
): DocumentIssue[] {
  return views.flatMap((view, k) =>
    namedBy(view).flatMap(([place, name]): DocumentIssue[] => {
      if (known.has(withSignalNames(name))) return [];
      const isElsewhere = elsewhere().has(withSignalNames(name));
      const near = closest(name, [...known]);
      const why = isElsewhere ? 'which runs of this scheme do not record' : 'which the model does not have';
      return [
        {
          severity: 'warning',
          code: 'unknown-signal',
          pointer: `/views/${places[k] ?? k}${place}`,
          element: view.id,
          message: `The plot “${view.title ?? view.id}” shows the signal “${name}”, ${why}.`,
          remedy:
            near === null || isElsewhere
              ? 'Choose one of its signals, or remove it there.'
              : `Did you mean ${near}?`,
        },
      ];
    }),
  );
}

/*
 * Checks the dashboards against the views. Physics never reads them: their defects are warnings, and a model
 * with them runs.
 */

/**
 * Defects of the dashboards of a document; each view that is named wrongly is shown where it was named first,
 * or under the last dashboard.
 */
/** @param known ids of all views of the document, those with defects of their own included */
export function dashboardIssues(
  { dashboards = [] }: Pick<ModelDocument, 'dashboards'>,
  known: ReadonlySet<string>,
): DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  /** name of the dashboard that each view stands in */
  const placed = new Map<string, string>();
  const taken = new Set<string>();
  dashboards.forEach(({ id, title = id, layout }, index) => {
    const warn = (code: string, pointer: string, message: string, remedy: string): void => {
      issues.push({
        severity: 'warning',
        code,
        pointer: `/dashboards/${index}${pointer}`,
        element: id,
        message,
        remedy,
      });
    };
    if (taken.has(id))
      warn('duplicate-id', '/id', `The id “${id}” of a dashboard is used twice.`, 'Give it another one.');
    taken.add(id);

    const check = (node: DashboardLayout, place: string): void => {
      if ('split' in node) {
        const { children, sizes } = node;
        if (sizes !== undefined && sizes.length !== children.length)
          warn(
            'wrong-sizes',
            `${place}/sizes`,
            `The dashboard “${title}” gives ${sizes.length} sizes for ${children.length} parts.`,
            'Give one for each part, or leave them out; the parts are equally large meanwhile.',
          );
        children.forEach((child, k) => check(child, `${place}/children/${k}`));
        return;
      }
      node.tabs.forEach((view, k) => {
        const at = `${place}/tabs/${k}`;
        const other = placed.get(view);
        if (!known.has(view))
          warn(
            'unknown-view',
            at,
            `The dashboard “${title}” shows the view “${view}”, which does not exist.`,
            known.size === 0
              ? 'Remove it there.'
              : `Name one of ${[...known].join(', ')}, or remove it there.`,
          );
        else if (other !== undefined)
          warn(
            'view-twice',
            at,
            other === title
              ? `The view “${view}” stands in the dashboard “${title}” twice.`
              : `The view “${view}” stands in two dashboards, “${other}” and “${title}”.`,
            'Leave it in one place; the first counts.',
          );
        else placed.set(view, title);
      });
      if (node.active !== undefined && !node.tabs.includes(node.active))
        warn(
          'unknown-view',
          `${place}/active`,
          `The view “${node.active}” is to be seen first, but is none of the tabs.`,
          'Name one of the tabs, or leave it out.',
        );
    };
    if (layout !== undefined) check(layout, '/layout');
  });
  return issues;
}

/*
 * Checks groups and notes of the graph. Physics never reads them: their defects are warnings, and a model
 * with them runs.
 */

/**
 * Defects of the groups and notes of a document that has all its elements, those that its builder script adds
 * included.
 */
export function layoutIssues({
  systems,
  interactions,
  layout: { groups = [], notes = [] },
}: Pick<ModelDocument, 'systems' | 'interactions' | 'layout'>): DocumentIssue[] {
  if (groups.length + notes.length === 0) return [];
  const issues: DocumentIssue[] = [];
  const warn = (code: string, pointer: string, element: string, message: string, remedy: string): void => {
    issues.push({ severity: 'warning', code, pointer, element, message, remedy });
  };
  const members = new Set([...systems, ...interactions, ...notes].map(({ id }) => id));
  const taken = new Set([...systems, ...interactions].map(({ id }) => id));
  const checkId = (id: string, place: string, what: string): void => {
    if (taken.has(id))
      warn(
        'duplicate-id',
        `${place}/id`,
        id,
        `The id “${id}” of a ${what} is used twice.`,
        'Give it another one.',
      );
    taken.add(id);
  };
  notes.forEach(({ id }, i) => checkId(id, `/layout/notes/${i}`, 'note'));
  const groupOf = new Map<string, string>();
  groups.forEach(({ id, name, members: list }, i) => {
    const place = `/layout/groups/${i}`;
    checkId(id, place, 'group');
    if (list.length === 0)
      warn(
        'empty-group',
        `${place}/members`,
        id,
        `The group “${name}” has no members, and is not drawn.`,
        'Name some, or remove it.',
      );
    list.forEach((member, k) => {
      const at = `${place}/members/${k}`;
      if (!members.has(member))
        warn(
          'unknown-member',
          at,
          id,
          `The group “${name}” has the member “${member}”, which does not exist.`,
          'Remove it there, or add an element of that name. A group cannot be a member.',
        );
      const other = groupOf.get(member);
      if (other !== undefined)
        warn(
          'two-groups',
          at,
          id,
          other === name
            ? `“${member}” is a member of the group “${name}” twice.`
            : `“${member}” is a member of two groups, “${other}” and “${name}”.`,
          'Leave it in one of them; the first counts.',
        );
      else groupOf.set(member, name);
    });
  });
  return issues;
}
