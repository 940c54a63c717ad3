import type { DiagramPartName } from '@engine/document/types';
import { diagramQuantities, isDiagramPart } from '@figures/bifurcation';
import { text } from '../../../i18n';
import { useAnalysesStore } from '../../../stores/analyses';
import { diagramWords } from '../../diagram-words';
import type { FieldsOf } from '../option-fields';
import { annotationsField, endsFields, firstOr, opacityField, sizeField } from '../shared-fields';
import { plainUnit } from '../shown-of';

const PARTS = ['initial', 'up', 'down', 'stable', 'unstable', 'special'] as const satisfies DiagramPartName[];

export const bifurcation: FieldsOf<'bifurcation'> = (view) => {
  const analyses = useAnalysesStore();
  const parts = view.analyses.flatMap((id) => {
    const outcome = analyses.list.some((one) => one.id === id) ? analyses.outcomeOf(id) : null;
    return outcome !== null && isDiagramPart(outcome) ? [outcome] : [];
  });
  const quantities = diagramQuantities(parts);
  const y = quantities.find(({ name }) => name === view.y) ?? quantities[0];
  const [first] = parts;
  const parameter = first?.kind === 'sweep' ? first.parameters[0] : first?.parameter;
  const words = diagramWords();
  return [
    {
      as: 'several',
      key: 'analyses',
      id: 'analysis',
      label: text('analysis.title'),
      choices: analyses.list
        .filter(({ type }) => type === 'sweep' || type === 'branch')
        .map(({ id, title }) => ({ value: id, label: title ?? id })),
      none: text('plot.noAnalyses'),
    },
    {
      as: 'choice',
      key: 'y',
      id: 'quantity',
      label: text('plotOptions.quantity'),
      choices: firstOr(quantities.map(({ name }) => ({ value: name, label: name }))),
    },
    ...endsFields(plainUnit(parameter?.unit ?? ''), plainUnit(y?.unit ?? '')),
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
