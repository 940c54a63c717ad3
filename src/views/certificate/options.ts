import { RESIDUAL_KINDS } from './drawing';
import { text } from '@renderer/i18n';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { plainUnit } from '@renderer/dashboard/options/shown-of';

export const certificate: FieldsOf<'certificate'> = () => [
  {
    as: 'several',
    key: 'residuals',
    id: 'residual',
    label: text('plotOptions.residuals'),
    choices: RESIDUAL_KINDS.map((value) => ({ value, label: text(`views.certificate.residuals.${value}`) })),
    usual: RESIDUAL_KINDS,
    least: 1,
  },
  { as: 'switch', key: 'hasNoLimit', id: 'limit', label: text('plotOptions.limit'), isInverted: true },
  {
    as: 'range',
    key: 'yRange',
    id: 'y',
    label: text('plotOptions.vertical'),
    help: text('plotOptions.logHelp'),
    shown: plainUnit(''),
  },
];
