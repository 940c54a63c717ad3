/** Texts of runs that are kept from one session to the next. */
export const enKeptRuns = {
  keptRuns: {
    damaged: 'A kept run could not be read: {reason}',
    setAside: 'It has been set aside: {place}',
  },
} as const;
