/** The texts of the view. */
export const tableWords = {
  title: 'Table',
  tableHelp: 'Values in display units. Export data for all digits of all rows.',
  row: 'row',
  rows: '{number} row | {number} rows',
  firstRow: 'First row',
  lastRow: 'Last row',
  trajectory: 'Trajectory',
  copyRows: 'Copy the visible rows',
  copiedRows: '{number} row has been copied. | {number} rows have been copied.',
} as const;
