/** Fields that several kinds of views have. */
import type { ShownUnit } from '@figures/shown-units';
import { text } from '../../i18n';
import type { AnnotationsField, ChoiceField, NumberField, RangeField } from './option-fields';
import { plainUnit } from './shown-of';

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
