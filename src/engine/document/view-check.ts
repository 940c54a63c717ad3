/** Checks how plots are to be drawn. Physics never reads it: its defects are warnings, and a model with them runs. */
import type { DocumentIssue, ViewDocument } from './types';
import type { FixedRange } from './views/plot-options';

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
