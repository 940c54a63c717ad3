/** Options of timelines of index sets and of energy ledgers. */
import { text } from '../../../i18n';
import { useDocumentStore } from '../../../stores/document';
import type { FieldsOf } from '../option-fields';
import { shownOfUnit } from '../shown-of';

const interactions = () => {
  const ids = useDocumentStore().model.interactions.map(({ id }) => id);
  return {
    as: 'several',
    key: 'interactions',
    id: 'interaction',
    label: text('plotOptions.interactions'),
    choices: ids.map((value) => ({ value, label: value })),
    usual: ids,
    // None would be an empty plot.
    least: 1,
    none: text('plot.noConstraints'),
  } as const;
};

export const indexSets: FieldsOf<'index-sets'> = () => [interactions()];

export const energyLedger: FieldsOf<'energy-ledger'> = () => [
  interactions(),
  {
    as: 'range',
    key: 'yRange',
    id: 'y',
    label: text('plotOptions.vertical'),
    shown: shownOfUnit('J'),
  },
];
