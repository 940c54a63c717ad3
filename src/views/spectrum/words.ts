/** The texts of the view. */
export const spectrumWords = {
  title: 'Spectrum',
  label: 'Spectrum of {signals}. Arrow keys pan, plus and minus zoom, 0 shows all.',
  spectrumWindow: 'Window',
  spectrumWindows: {
    rectangular: 'Rectangular',
    hann: 'Hann',
    blackman: 'Blackman',
    flatTop: 'Flat top',
  },
  spectrumQuantity: 'Quantity',
  spectrumQuantities: { amplitude: 'Amplitude', density: 'Power density' },
  logarithmic: 'Logarithmic axis',
  visibleSpan: 'Take the visible span of the time series',
  wholeSpan: 'Take the whole run',
  frequency: 'f',
  resolution: '{samples} samples · Δf {resolution} Hz',
  resolutionHelp: 'Spacing of the spectral lines: the longer the time span, the finer.',
  resampledHelp:
    'The rows are not equally spaced, so they were interpolated. The value is the spacing of the spectral lines.',
  averagedHelp: 'Each sample is the mean of {mean} rows.',
  tooShort: 'Too few samples for a spectrum, or values that are not finite.',
  selectionSpectrum: 'Take the selected span',
} as const;
