/** Spectra of signals of a run. */
import type { RunInfo, SpectrumLines } from '@contract/methods';
import type { SpectrumView } from '@engine/document/types';
import type { Range } from '@figures/ranges';
import { type Chart, type ChartLook, shownOf } from '../shared/chart';
import {
  shownFrequencies,
  shownSpectrum,
  spectrumFactor,
  type SpectrumInput,
  SPECTRUM_MARGINS,
  spectrumOption,
} from './drawing';

/** Lines of a spectrum that are drawn. */
const BUCKETS = 2000;

export interface FoundSpectrum {
  readonly name: string;
  readonly lines: SpectrumLines;
}

/** Signals of the view that a run has. */
export const spectrumSignals = ({ signals }: SpectrumView, run: RunInfo | null): string[] =>
  signals.filter((name) => run?.signals.some((signal) => signal.name === name) === true);

/** What is drawn, in the units that are shown. */
export function spectrumInput(
  view: SpectrumView,
  found: readonly FoundSpectrum[],
  look: Pick<ChartLook, 'signals' | 'units' | 'theme' | 'width' | 'height' | 'x' | 'y'>,
): SpectrumInput {
  const { quantity = 'amplitude' } = view;
  const curves = found.map(({ name, lines }) => shownSpectrum(name, lines, shownOf(name, look), quantity));
  return {
    curves,
    quantity,
    isLinear: view.isLinear === true,
    isLogFrequency: view.isLogFrequency === true,
    xRange: view.xRange,
    yRange: view.yRange,
    size: view.size,
    annotations: view.annotations,
    // The first curve tells the unit of the vertical axis.
    factor: spectrumFactor(shownOf(curves[0]?.name ?? '', look), quantity),
    x: look.x,
    y: look.y,
    theme: look.theme,
    width: look.width,
    height: look.height,
  };
}

export const spectrum: Chart<SpectrumView, readonly FoundSpectrum[]> = {
  margins: () => SPECTRUM_MARGINS,
  ask: async (view, { run, frequencies }, dispatcher) => {
    const { window = 'hann', quantity = 'amplitude', from, to } = view;
    const found: FoundSpectrum[] = [];
    for (const name of spectrumSignals(view, run)) {
      const query = { runId: run.runId, signal: name, window, quantity, from, to, buckets: BUCKETS };
      const read = async (range?: Range): Promise<SpectrumLines | null> =>
        (await dispatcher.dispatch('run.spectrum', { ...query, ...(range === undefined ? {} : { range }) }))
          .spectrum;
      if (frequencies !== undefined) {
        const lines = await read(frequencies);
        if (lines !== null) found.push({ name, lines });
        continue;
      }
      // The first look has everything, from which follows what is worth looking at.
      const all = await read();
      if (all === null) continue;
      const lines = await read(shownFrequencies([{ name, unit: '', lines: all }], view));
      if (lines !== null) found.push({ name, lines });
    }
    return found;
  },
  draw: (view, { current }, look) => {
    const input = spectrumInput(view, current ?? [], look);
    return spectrumOption({ ...input, legend: look.isFile && input.curves.length > 1 });
  },
};
