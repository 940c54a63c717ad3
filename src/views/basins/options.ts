import { basinUnits } from '../shared/shown-analyses';
import { text } from '@renderer/i18n';
import { useAnalysesStore } from '@renderer/stores/analyses';
import { useDisplayUnitsStore } from '@renderer/stores/display-units';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { analysisField, endsFields } from '@renderer/dashboard/options/shared-fields';

export const basins: FieldsOf<'basins'> = ({ analysis }) => {
  const analyses = useAnalysesStore();
  const offered = analyses.list.filter(({ type }) => type === 'basins');
  const chosen = offered.find(({ id }) => id === analysis) ?? offered[0];
  const outcome = chosen === undefined ? null : analyses.outcomeOf(chosen.id);
  const found = outcome?.kind === 'basins' ? outcome : null;
  const axes = basinUnits(found, useDisplayUnitsStore());
  return [
    analysisField(offered),
    ...endsFields(axes.x, axes.y),
    {
      as: 'switch',
      key: 'hasNoAttractors',
      id: 'attractors',
      label: text('plotOptions.attractors'),
      isInverted: true,
    },
  ];
};
