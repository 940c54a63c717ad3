/** Fields that several kinds of views have. */
import type { ShownUnit } from '@figures/shown-units';
import { text } from '../../i18n';
import type { AnnotationsField, NumberField, RangeField } from './option-fields';
import { plainUnit } from './shown-of';

const LEAST_SIZE = 0.2;
const MOST_SIZE = 40;
const LEAST_OPACITY = 0.02;

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
