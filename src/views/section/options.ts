import { planeFields, sectionField } from '@renderer/dashboard/options/shared-fields';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { text } from '@renderer/i18n';

export const section: FieldsOf<'section'> = (view) => [
  sectionField(),
  ...planeFields(view, text('plotOptions.pointSize')),
];
