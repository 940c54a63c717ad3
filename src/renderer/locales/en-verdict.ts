/** English texts of the verdicts on a run. */
export const enVerdict = {
  verdict: {
    title: 'What the run is worth',
    label: 'Verdict: {words}',
    holds: 'holds',
    fails: 'fails',
    unknown: 'not known',
    solved: 'solved {residual}',
    solvedHelp: 'The equations of the scheme hold in every step: the largest residual is rounding.',
    notSolved: 'not solved, {residual}',
    notSolvedHelp:
      'The equations do not hold to the tolerance, so that the numbers are not those of the model. Use a shorter step, the automatic solver or the other scheme.',
    complete: 'complete',
    completeHelp: 'Every event was located and stepped to; none was passed over.',
    completeSteps:
      'Nothing that depends on time alone changes to and fro within a step. Other events are taken at the end of the step in which they happen.',
    completeUnknown: 'events not known',
    missed: 'events missed',
    missedHelp:
      'An event was passed over. Name the times of jumps in the settings, or give a smaller resolution.',
    passedHelp:
      'A function of time changes to and fro within a step, which may pass it over; a warning of the run says where. Take steps that are shorter than that, or run it event-driven.',
    sampled: 'sampled at {resolution} s',
    sampledHelp:
      'A script has conditions that cannot be read from its source. They were looked for every {resolution} s: what is shorter can be missed.',
    accurate: 'accurate to {error}',
    accurateHelp: 'Two finer runs say so: {name} is off by {error} at most, where {limit} are allowed.',
    inaccurate: 'off by {error}',
    inaccurateHelp:
      'Two finer runs say so: {name} is off by {error}, more than the {limit} that the model allows (Simulation, Accuracy).',
    order: ', order {order}',
    parts: 'no digits after {time} s',
    partsHelp:
      'From t = {time} s on the motion parts from that of any finer run, as chaotic motions do. What it is like can be trusted, single values cannot.',
    notMeasured: 'accuracy not measured',
    notMeasuredHelp: 'Two finer runs tell how far this one is off.',
    measuring: 'measuring accuracy …',
    measuringHelp: 'Two finer runs are computed, to see how far this one is off.',
    noSignal: 'nothing to compare',
    noSignalHelp:
      'A signal of the state could not be compared with finer runs at any time: impacts follow each other within a few steps, or there is no state. Use a shorter step.',
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
