/** Checks what plots show and how they are to be drawn. Physics never reads it: its defects are warnings, and a model with them runs. */
import type { DocumentIssue, ModelDocument, ViewDocument } from './types';
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

/**
 * Defects of views; what an option says is left out in the drawing, and a plot of a section that is not there is empty.
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
    const section = view.type === 'section' || view.type === 'table' ? view.section : undefined;
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
