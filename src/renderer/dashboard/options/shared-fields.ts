/** Fields that several kinds of views have. */
import type { ShownUnit } from '@figures/shown-units';
import { text } from '../../i18n';
import { useDocumentStore } from '../../stores/document';
import type { AnnotationsField, ChoiceField, NumberField, RangeField } from './option-fields';
import { plainUnit, shownOfSignal } from './shown-of';

const LEAST_SIZE = 0.2;
const MOST_SIZE = 40;
const LEAST_OPACITY = 0.02;

interface Choice {
  value: string;
  label: string;
}

/** What there is to choose from, and whatever of it comes first, which is not named. */
export const firstOr = (choices: readonly Choice[]): Choice[] => [
  { value: '', label: text('plotOptions.first') },
  ...choices,
];

/** The analysis whose result is drawn. */
export const analysisField = (
  offered: readonly { readonly id: string; readonly title?: string | undefined }[],
) =>
  ({
    as: 'choice',
    key: 'analysis',
    label: text('plotOptions.analysis'),
    choices: firstOr(offered.map(({ id, title }) => ({ value: id, label: title ?? id }))),
  }) as const satisfies ChoiceField;

/** Ends of both axes. */
export const endsFields = (x: ShownUnit, y: ShownUnit) =>
  [
    { as: 'range', key: 'xRange', id: 'x', label: text('plotOptions.horizontal'), shown: x },
    { as: 'range', key: 'yRange', id: 'y', label: text('plotOptions.vertical'), shown: y },
  ] as const satisfies readonly RangeField[];

/** Width of lines or diameter of points. */
export const sizeField = (label: string) =>
  ({
    as: 'number',
    key: 'size',
    label,
    placeholder: text('plotOptions.automatic'),
    min: LEAST_SIZE,
    max: MOST_SIZE,
    shown: plainUnit('px'),
  }) as const satisfies NumberField;

export const opacityField = () =>
  ({
    as: 'number',
    key: 'opacity',
    label: text('plotOptions.opacity'),
    placeholder: text('plotOptions.automatic'),
    min: LEAST_OPACITY,
    max: 1,
  }) as const satisfies NumberField;

export const annotationsField = (): AnnotationsField => ({
  as: 'annotations',
  key: 'annotations',
  label: text('plotOptions.annotations'),
});

/** The interactions that are shown. */
export const interactionsField = () => {
  const ids = useDocumentStore().model.interactions.map(({ id }) => id);
  return {
    as: 'several',
    key: 'interactions',
    id: 'interaction',
    label: text('plotOptions.interactions'),
    choices: ids.map((value) => ({ value, label: value })),
    usual: ids,
    // None would be an empty plot.
    least: 1,
    none: text('plot.noConstraints'),
  } as const;
};

/** The section of the simulation whose points are shown. */
export const sectionField = () =>
  ({
    as: 'choice',
    key: 'section',
    label: text('plot.section'),
    choices: (useDocumentStore().model.simulation.sections ?? []).map(({ id, title }) => ({
      value: id,
      label: title ?? id,
    })),
  }) as const satisfies ChoiceField;

/** Ends and marks of a plane of two signals. @param sizeLabel of the size of its marks */
export const planeLookFields = (x: string, y: string, sizeLabel: string) =>
  [
    ...endsFields(shownOfSignal(x), shownOfSignal(y)),
    { as: 'switch', key: 'equalAspect', id: 'equal', label: text('plotOptions.equalAspect') },
    sizeField(sizeLabel),
    opacityField(),
  ] as const;

/** Signals, ends and marks of a plane of two signals. @param sizeLabel of the size of its marks */
export const planeFields = (view: { readonly x: string; readonly y: string }, sizeLabel: string) =>
  [
    { as: 'signal', key: 'y', label: text('plot.yAxis'), id: 'signal-y' },
    { as: 'signal', key: 'x', label: text('plot.xAxis'), id: 'signal-x' },
    ...planeLookFields(view.x, view.y, sizeLabel),
    annotationsField(),
  ] as const;
