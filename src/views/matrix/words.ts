/** The texts of the view. */
export const matrixWords = {
  title: 'One-step problem',
  label: 'Matrix of the one-step problem. {facts}. Arrow keys pan, plus and minus zoom, 0 shows all.',
  matrixRows: 'Rows and their solution',
  matrixRow: 'Row',
  matrixColumn: 'Column',
  matrixEquation: 'w = W z + q of the active rows',
  matrixMarket: 'Export W as Matrix Market…',
  positive: 'positive',
  negative: 'negative',
  nonZero: '{part} % non-zero',
  symmetric: 'symmetric',
  notSymmetric: 'not symmetric',
  condition: 'κ {value}',
  leastEigenvalue: 'least eigenvalue {value}',
  pinTime: 'Stay at this time',
  unpinTime: 'Follow the cursor again',
  noActiveRows:
    'In the step from t = {time}, the {number} row of the model is inactive. | In the step from t = {time}, all {number} rows of the model are inactive.',
  noProblem: {
    noRows: 'Nothing has been recorded yet.',
    notRecorded: 'The state at this time is unknown: {names} are not recorded.',
    noInitialState: 'The state of {names} cannot serve as an initial state.',
    noTimeStepping: 'This model does not support time-stepping: {names}',
    failed: 'The step at this time could not be repeated.',
  },
} as const;
