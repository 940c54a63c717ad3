import { planeLookFields, sectionField } from '@renderer/dashboard/options/shared-fields';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { text } from '@renderer/i18n';

export const returnMap: FieldsOf<'return-map'> = ({ x }) => [
  sectionField(),
  { as: 'signal', key: 'x', label: text('views.returnMap.signal'), id: 'signal-x' },
  { as: 'switch', key: 'cobweb', id: 'cobweb', label: text('views.returnMap.cobweb') },
  ...planeLookFields(x, x, text('plotOptions.pointSize')),
];
