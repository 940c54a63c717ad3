/** Options of phase portraits and of sections. */
import type { PhasePortraitView, SectionView } from '@engine/document/types';
import { text } from '../../../i18n';
import { useDocumentStore } from '../../../stores/document';
import type { FieldsOf } from '../option-fields';
import { annotationsField, endsFields, opacityField, sizeField } from '../shared-fields';
import { shownOfSignal } from '../shown-of';

const inPlane = (view: PhasePortraitView | SectionView) =>
  [
    { as: 'signal', key: 'y', label: text('plot.yAxis'), id: 'signal-y' },
    { as: 'signal', key: 'x', label: text('plot.xAxis'), id: 'signal-x' },
    ...endsFields(shownOfSignal(view.x), shownOfSignal(view.y)),
    { as: 'switch', key: 'equalAspect', id: 'equal', label: text('plotOptions.equalAspect') },
    sizeField(text(view.type === 'section' ? 'plotOptions.pointSize' : 'plotOptions.lineSize')),
    opacityField(),
    annotationsField(),
  ] as const;

export const phasePortrait: FieldsOf<'phase-portrait'> = inPlane;

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
  ...inPlane(view),
];
