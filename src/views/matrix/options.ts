import type { MatrixStyle } from '@engine/document/types';
import { text } from '@renderer/i18n';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { plainUnit, shownOfUnit } from '@renderer/dashboard/options/shown-of';

const STYLES = ['magnitude', 'sign', 'pattern'] as const satisfies MatrixStyle[];
const MOST_DECADES = 32;

export const matrix: FieldsOf<'matrix'> = () => [
  {
    as: 'number',
    key: 'time',
    label: text('plotOptions.time'),
    placeholder: text('plotOptions.ofCursor'),
    shown: shownOfUnit('s'),
  },
  {
    as: 'choice',
    key: 'style',
    label: text('plotOptions.entries'),
    choices: STYLES.map((value) => ({ value, label: text(`plotOptions.entryStyles.${value}`) })),
    usual: 'magnitude',
  },
  {
    as: 'number',
    key: 'decades',
    label: text('plotOptions.decades'),
    help: text('plotOptions.decadesHelp'),
    placeholder: '6',
    min: 1,
    max: MOST_DECADES,
    shown: plainUnit(''),
  },
  {
    as: 'choice',
    key: 'hasRows',
    label: text('views.matrix.matrixRows'),
    choices: [
      { value: '', label: text('plotOptions.whereRoom') },
      { value: 'true', label: text('plotOptions.always') },
      { value: 'false', label: text('plotOptions.never') },
    ],
    usual: '',
    written: (choice) => choice === 'true',
  },
];
