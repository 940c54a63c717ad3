/** Checks how plots are to be drawn. Physics never reads it: its defects are warnings, and a model with them runs. */
import type { DocumentIssue, ViewDocument } from './types';
import type { FixedRange } from './views/plot-options';

const isEmpty = ({ min, max }: FixedRange): boolean => min !== undefined && max !== undefined && min >= max;

/** Defects of the options of views; what they say is left out in the drawing. */
export function viewIssues(views: readonly ViewDocument[]): DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  views.forEach((view, index) => {
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
    if ('xRange' in view) range(view.xRange, '/xRange', 'horizontal axis');
    if ('yRange' in view) range(view.yRange, '/yRange', 'vertical axis');
    if (view.type !== 'time-series') return;
    const taken = new Set<string>();
    view.axes?.forEach((axis, k) => {
      const place = `/axes/${k}`;
      range(axis, place, `vertical axis ${k + 1}`);
      if (axis.isLog === true)
        for (const key of ['min', 'max'] as const)
          if ((axis[key] ?? 1) <= 0)
            warn(
              'not-positive',
              `${place}/${key}`,
              `The logarithmic axis ${k + 1} of the plot “${view.title ?? view.id}” cannot reach ${axis[key]}.`,
              'Give a positive number, or leave it out.',
            );
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
