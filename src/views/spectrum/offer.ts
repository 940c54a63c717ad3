import type { SpectrumView } from '@engine/document/types';
import { AudioWaveform } from '@lucide/vue';
import { positionNames, signalNames } from '../shared/signal-choice';
import type { ViewKind } from '../shared/offer';

/** More spectra than this lie over each other. */
const MOST_SIGNALS = 2;

export const spectrum: ViewKind<SpectrumView> = {
  type: 'spectrum',
  title: 'views.spectrum.title',
  icon: AudioWaveform,
  share: 1,
  needs: { signals: 'texts' },
  create: (id, { signals }) => ({
    type: 'spectrum',
    id,
    signals: [...positionNames(signals), ...signalNames(signals, 'state')].slice(0, MOST_SIGNALS),
  }),
};
