import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { interactionsField } from '@renderer/dashboard/options/shared-fields';

export const indexSets: FieldsOf<'index-sets'> = () => [interactionsField()];
