import { text } from '@renderer/i18n';
import { useDocumentStore } from '@renderer/stores/document';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { planeFields } from '@renderer/dashboard/options/shared-fields';

export const section: FieldsOf<'section'> = (view) => [
  {
    as: 'choice',
    key: 'section',
    label: text('plot.section'),
    choices: (useDocumentStore().model.simulation.sections ?? []).map(({ id, title }) => ({
      value: id,
      label: title ?? id,
    })),
  },
  ...planeFields(view, text('plotOptions.pointSize')),
];
