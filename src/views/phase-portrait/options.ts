import { text } from '@renderer/i18n';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { planeFields } from '@renderer/dashboard/options/shared-fields';

export const phasePortrait: FieldsOf<'phase-portrait'> = (view) =>
  planeFields(view, text('plotOptions.lineSize'));
