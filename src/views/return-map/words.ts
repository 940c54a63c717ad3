/** The texts of the view. */
export const returnMapWords = {
  title: 'Return map',
  label:
    'Each value of {signal} at the section {section} against the previous one, with the diagonal. Plus and minus zoom, 0 shows all.',
  signal: 'Signal',
  signalIs: 'Signal: {name}',
  cobweb: 'Cobweb of the latest returns',
  eachPoint: 'Each point is a value at the section against the previous one.',
  tooFew: 'The run has fewer than two points of the section “{section}”.',
  onlyLatest: 'Only the latest {number} points are drawn.',
} as const;
