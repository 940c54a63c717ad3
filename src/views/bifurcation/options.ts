import type { DiagramPartName } from '@engine/document/types';
import { diagramQuantities } from './drawing';
import { diagramUnits } from '../shared/shown-analyses';
import { text } from '@renderer/i18n';
import { useAnalysesStore } from '@renderer/stores/analyses';
import { useDisplayUnitsStore } from '@renderer/stores/display-units';
import { partsOfDiagram } from '@renderer/dashboard/plane/diagram-parts';
import { diagramWords } from '../bifurcation/words';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import {
  annotationsField,
  endsFields,
  firstOr,
  opacityField,
  sizeField,
} from '@renderer/dashboard/options/shared-fields';

const PARTS = ['initial', 'up', 'down', 'stable', 'unstable', 'special'] as const satisfies DiagramPartName[];

export const bifurcation: FieldsOf<'bifurcation'> = (view) => {
  const analyses = useAnalysesStore();
  const parts = partsOfDiagram(view);
  const quantities = diagramQuantities(parts);
  const axes = diagramUnits(parts, view.y, useDisplayUnitsStore());
  const words = diagramWords;
  return [
    {
      as: 'several',
      key: 'analyses',
      id: 'analysis',
      label: text('analysis.title'),
      choices: analyses.list
        .filter(({ type }) => type === 'sweep' || type === 'branch')
        .map(({ id, title }) => ({ value: id, label: title ?? id })),
      none: text('views.bifurcation.noAnalyses'),
    },
    {
      as: 'choice',
      key: 'y',
      id: 'quantity',
      label: text('plotOptions.quantity'),
      choices: firstOr(quantities.map(({ name }) => ({ value: name, label: name }))),
    },
    ...endsFields(axes.x, axes.y),
    sizeField(text('plotOptions.pointSize')),
    opacityField(),
    {
      as: 'several',
      key: 'hides',
      id: 'part',
      label: text('plotOptions.shows'),
      choices: PARTS.map((value) => ({
        value,
        label: value === 'special' ? text('plotOptions.special') : words[value],
      })),
      usual: [],
      isInverted: true,
    },
    annotationsField(),
  ];
};
