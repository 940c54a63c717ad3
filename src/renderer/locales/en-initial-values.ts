/** Texts of runs for several initial values side by side. */
export const enInitialValues = {
  initialValues: {
    command: 'Run for several initial values…',
    title: 'Run for several initial values',
    help: 'The model stays as it is. At most {most} runs: each is drawn in every plot, and more curves cannot be distinguished.',
    nothing:
      'No system of the model has initial values as numbers here. Initial values of systems made by a builder script are in the script: vary a parameter instead.',
    component: 'Initial value',
    table: 'Several, as a table',
    values: 'Values',
    listHelp: 'A list such as 0.2, 0.5, 0.8, or from:to:number such as 0.2:0.8:4.',
    tableHelp:
      'The first line names initial values, such as ball.q0[0] ball.v0[0]; each further line is a run. Rows can be pasted from a spreadsheet.',
    bad: 'Enter up to {most} numbers, such as 0.2, 0.5 or 0.2:0.8:4.',
    problem: {
      empty: 'Name the initial values in the first line, and give a line of numbers for each run.',
      many: 'There are more than {most} lines of numbers. Start them in several groups.',
      unknown: 'No system has an initial value named {name}. Names are like ball.q0[0].',
      columns: 'Line {line} and the first line do not match: one number per name is required.',
      number: 'Line {line} contains something that is not a number.',
    },
    group: 'Name of the group',
    groupOf: 'Initial values of {what}',
    groupOfTable: 'Initial values from a table',
    overlay: 'Show all of them in the plots',
    notStarted: '{number} run of “{group}” was not started. | {number} runs of “{group}” were not started.',
  },
} as const;
