/** Checks the dashboards against the views. Physics never reads them: their defects are warnings, and a model with them runs. */
import type { DashboardLayout } from './dashboards';
import type { DocumentIssue, ModelDocument } from './types';

/** Defects of the dashboards of a document; each view that is named wrongly is shown where it was named first, or under the last dashboard. */
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
