/** English texts of the verdicts on a run. */
export const enVerdict = {
  verdict: {
    title: 'Quality of the run',
    label: 'Verdict: {words}',
    holds: 'holds',
    fails: 'fails',
    unknown: 'not known',
    solved: 'solved {residual}',
    solvedHelp: 'The equations of the scheme hold in every step, up to rounding.',
    notSolved: 'not solved, {residual}',
    notSolvedHelp:
      'The equations do not hold to the tolerance, so the results are not those of the model. Use a shorter step, the automatic solver or the other scheme.',
    complete: 'complete',
    completeHelp: 'Every event was located; none was missed.',
    completeSteps:
      'No function of time switches twice within a step. Other events are taken at the end of the step in which they occur.',
    completeUnknown: 'events not known',
    missed: 'events missed',
    missedHelp:
      'An event was missed. Enter the times of jumps in the settings, or choose a finer resolution.',
    passedHelp:
      'A function of time switches twice within a step, so the step may miss it; a warning of the run says where. Use shorter steps, or run event-driven.',
    sampled: 'sampled at {resolution} s',
    sampledHelp:
      'A script has conditions that cannot be derived from its source. They were sampled every {resolution} s; shorter events can be missed.',
    accurate: 'accurate to {error}',
    accurateHelp: 'Measured by two finer runs: the largest error is {error}, in {name}; {limit} is allowed.',
    exact: 'accurate to the last digit',
    exactHelp: 'Measured by two finer runs: they have the same values, to the last digit, at the same times.',
    inaccurate: 'off by {error}',
    inaccurateHelp:
      'Measured by two finer runs: the error of {name} is {error}, above the {limit} that the model allows (Simulation, Accuracy).',
    noOrderHelp:
      'Measured by two finer runs, which do not come nearer to each other: the error of {name} is {error}, above the {limit} that the model allows. The order of impacts, or another decision, differs between steps. The event-driven scheme may find it, or far shorter steps.',
    gains: 'gains {share} energy',
    gainsHelp:
      'The steps themselves have added {share} of the largest energy of the run, as energy.numerical; {limit} is what an accurate run may gain. Bodies that spring back are lifted by each projection: project positions combined, joints only or not at all, or use shorter steps.',
    order: ', order {order}',
    parts: 'no digits after {time} s',
    partsHelp:
      'After t = {time} s the motion departs from that of finer runs, and any error, however small, grows to more than is allowed, as in chaotic motions. Trust its statistics, not single values.',
    notMeasured: 'accuracy not measured',
    notMeasuredHelp: 'Two finer runs measure the error of this one.',
    measuring: 'measuring accuracy …',
    measuringHelp: 'Two finer runs are being computed to measure the error of this one.',
    noSignal: 'nothing to compare',
    noSignalHelp:
      'No signal of the state could be compared with finer runs: impacts are only a few steps apart, or there is no state. Use a shorter step.',
    measure: 'Measure accuracy',
    halveStep: 'Halve the step and run',
    halveStepEdit: 'Halve the step',
    tighten: 'Lower the tolerances and run',
    tightenEdit: 'Lower the tolerances',
    errors: 'Errors of signals',
    errorsUntil: 'Errors of signals up to t = {time}',
    signal: 'Signal',
    error: 'Error',
    limit: 'Allowed',
    impacts: 'Times of impacts',
    impactError: '{element}: {error}',
    more: '… and {count} more',
  },
} as const;
