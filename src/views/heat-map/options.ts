import type { ColourScale } from '@engine/document/types';
import { asksForPlane, heatMapOf, heatQuantities, isPlaneSweep } from './drawing';
import { heatUnits } from '../shared/shown-analyses';
import { text } from '@renderer/i18n';
import { useAnalysesStore } from '@renderer/stores/analyses';
import { useDisplayUnitsStore } from '@renderer/stores/display-units';
import { diagramWords } from '../bifurcation/words';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { analysisField, endsFields, firstOr } from '@renderer/dashboard/options/shared-fields';

const SCALES = ['viridis', 'magma', 'grey', 'diverging'] as const satisfies ColourScale[];
const MOST_LEVELS = 64;

export const heatMap: FieldsOf<'heat-map'> = (view) => {
  const analyses = useAnalysesStore();
  const offered = analyses.list.filter(asksForPlane);
  const chosen = offered.find(({ id }) => id === view.analysis) ?? offered[0];
  const outcome = chosen === undefined ? null : analyses.outcomeOf(chosen.id);
  const part = outcome !== null && isPlaneSweep(outcome) ? outcome : null;
  const map = part === null ? null : heatMapOf(part, view.y, view.direction);
  const axes = heatUnits(map, useDisplayUnitsStore());
  const words = diagramWords;
  const directions = part?.directions.map(({ start }) => start) ?? [];
  return [
    analysisField(offered),
    {
      as: 'choice',
      key: 'y',
      id: 'quantity',
      label: text('plotOptions.colourTells'),
      choices: firstOr(
        (part === null ? [] : heatQuantities(part)).map(({ name }) => ({ value: name, label: name })),
      ),
    },
    {
      as: 'choice',
      key: 'direction',
      label: text('views.heatMap.direction'),
      choices: firstOr(directions.map((value) => ({ value, label: words[value] }))),
      usual: '',
    },
    ...endsFields(axes.x, axes.y),
    {
      as: 'choice',
      key: 'colours',
      label: text('plotOptions.colours'),
      choices: SCALES.map((value) => ({ value, label: text(`plotOptions.colourScales.${value}`) })),
      usual: 'viridis',
    },
    {
      as: 'range',
      key: 'colourRange',
      id: 'colour',
      label: text('plotOptions.colourRange'),
      shown: axes.colour,
    },
    {
      as: 'switch',
      key: 'isLog',
      id: 'log',
      label: text('plotOptions.logColours'),
      help: text('plotOptions.logColoursHelp'),
    },
    {
      as: 'number',
      key: 'levels',
      label: text('plotOptions.levels'),
      placeholder: text('plotOptions.noLevels'),
      isWhole: true,
      min: 2,
      max: MOST_LEVELS,
    },
  ];
};
