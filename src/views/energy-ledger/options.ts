import { text } from '@renderer/i18n';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { interactionsField } from '@renderer/dashboard/options/shared-fields';
import { shownOfUnit } from '@renderer/dashboard/options/shown-of';

export const energyLedger: FieldsOf<'energy-ledger'> = () => [
  interactionsField(),
  {
    as: 'range',
    key: 'yRange',
    id: 'y',
    label: text('plotOptions.vertical'),
    shown: shownOfUnit('J'),
  },
];
