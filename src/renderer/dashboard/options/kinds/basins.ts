import { text } from '../../../i18n';
import { useAnalysesStore } from '../../../stores/analyses';
import type { FieldsOf } from '../option-fields';
import { analysisField, endsFields } from '../shared-fields';
import { plainUnit } from '../shown-of';

export const basins: FieldsOf<'basins'> = ({ analysis }) => {
  const analyses = useAnalysesStore();
  const offered = analyses.list.filter(({ type }) => type === 'basins');
  const chosen = offered.find(({ id }) => id === analysis) ?? offered[0];
  const outcome = chosen === undefined ? null : analyses.outcomeOf(chosen.id);
  const found = outcome?.kind === 'basins' ? outcome : null;
  return [
    analysisField(offered),
    ...endsFields(plainUnit(found?.x.unit ?? ''), plainUnit(found?.y.unit ?? '')),
    {
      as: 'switch',
      key: 'hasNoAttractors',
      id: 'attractors',
      label: text('plotOptions.attractors'),
      isInverted: true,
    },
  ];
};
