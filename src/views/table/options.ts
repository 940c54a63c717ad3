import type { TableView } from '@engine/document/types';
import { text } from '@renderer/i18n';
import { useDocumentStore } from '@renderer/stores/document';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';

const FORMATS = ['shortest', 'fixed', 'scientific'] as const satisfies TableView['format'][];
/** Digits that a number of double precision has. */
const MOST_DIGITS = 17;

export const table: FieldsOf<'table'> = () => [
  {
    as: 'choice',
    key: 'section',
    label: text('plotOptions.rowsOf'),
    choices: [
      { value: '', label: text('views.table.trajectory') },
      ...(useDocumentStore().model.simulation.sections ?? []).map(({ id, title }) => ({
        value: id,
        label: title ?? id,
      })),
    ],
    usual: '',
  },
  { as: 'signals', key: 'signals', label: text('plotOptions.columns'), hasTime: true },
  {
    as: 'choice',
    key: 'format',
    label: text('plotOptions.format'),
    choices: FORMATS.map((value) => ({ value, label: text(`plotOptions.formats.${value}`) })),
    usual: 'shortest',
  },
  {
    as: 'number',
    key: 'digits',
    label: text('plotOptions.digits'),
    help: text('plotOptions.digitsHelp'),
    placeholder: '8',
    isWhole: true,
    min: 1,
    max: MOST_DIGITS,
  },
  {
    as: 'switch',
    key: 'hasNoNumbers',
    id: 'numbers',
    label: text('plotOptions.rowNumbers'),
    isInverted: true,
  },
];
