import type { SpectrumView } from '@engine/document/types';
import { spectrumUnit } from './drawing';
import { text } from '@renderer/i18n';
import type { FieldsOf } from '@renderer/dashboard/options/option-fields';
import { annotationsField, endsFields, sizeField } from '@renderer/dashboard/options/shared-fields';
import { plainUnit, shownOfSignal, shownOfUnit } from '@renderer/dashboard/options/shown-of';

const WINDOWS = ['rectangular', 'hann', 'blackman', 'flatTop'] as const satisfies SpectrumView['window'][];
const QUANTITIES = ['amplitude', 'density'] as const satisfies SpectrumView['quantity'][];

export const spectrum: FieldsOf<'spectrum'> = ({ signals, quantity = 'amplitude' }) => {
  const { unit, factor } = shownOfSignal(signals[0] ?? '');
  const value = {
    unit: spectrumUnit(unit, quantity),
    factor: quantity === 'amplitude' ? factor : factor * factor,
  };
  return [
    { as: 'signals', key: 'signals', label: text('plotOptions.signals') },
    {
      as: 'choice',
      key: 'window',
      label: text('views.spectrum.spectrumWindow'),
      choices: WINDOWS.map((one) => ({ value: one, label: text(`views.spectrum.spectrumWindows.${one}`) })),
      usual: 'hann',
    },
    {
      as: 'choice',
      key: 'quantity',
      label: text('views.spectrum.spectrumQuantity'),
      choices: QUANTITIES.map((one) => ({
        value: one,
        label: text(`views.spectrum.spectrumQuantities.${one}`),
      })),
      usual: 'amplitude',
    },
    {
      as: 'number',
      key: 'from',
      label: text('plotOptions.spanFrom'),
      placeholder: text('plotOptions.start'),
      shown: shownOfUnit('s'),
    },
    {
      as: 'number',
      key: 'to',
      label: text('plotOptions.spanTo'),
      placeholder: text('plotOptions.end'),
      shown: shownOfUnit('s'),
    },
    ...endsFields(plainUnit('Hz'), value),
    { as: 'switch', key: 'isLogFrequency', id: 'log-x', label: text('plotOptions.logHorizontal') },
    { as: 'switch', key: 'isLinear', id: 'log-y', label: text('plotOptions.logVertical'), isInverted: true },
    sizeField(text('plotOptions.lineSize')),
    annotationsField(),
  ];
};
