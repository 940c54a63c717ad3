/** Settings of the finer runs that the error of a run is measured by. */
import type { ElementSettings } from './element-settings';
import type { SimulationSettings } from './settings';

/** Each time, tolerances of the integration between events shrink by this. */
const TIGHTER = 10;
/** Relative tolerances of what stands for an exact motion between events, at the first refinement. */
const OF_EXACT = 1e-12;
/** Closer to rounding an integrator only takes more steps. */
const TIGHTEST = 1e-13;
/** Local errors of steps whose length is controlled are at least of second order: halved steps have a quarter of them. */
const STEP_ERROR = 4;

/**
 * The same run, more finely. In steps, they are halved k times, and so are the bounds of a step control, whose tolerance goes with the error
 * of a step. From event to event tolerances shrink; arcs that are exact have none, and are integrated: by another code, so that a wrong arc
 * shows.
 * @param k 0 for the run itself
 */
export function refined(settings: SimulationSettings, k: number): SimulationSettings {
  if (k === 0) return settings;
  const { eventDriven, stepControl } = settings;
  if (settings.scheme === 'event-driven')
    return { ...settings, eventDriven: { ...eventDriven, flight: tighter(eventDriven.flight, k) } };
  const parts = 2 ** k;
  return {
    ...settings,
    h: settings.h / parts,
    stepControl:
      stepControl === null
        ? null
        : {
            tolerance: stepControl.tolerance / STEP_ERROR ** k,
            hMin: stepControl.hMin / parts,
            hMax: stepControl.hMax / parts,
          },
  };
}

function tighter(flight: ElementSettings, k: number): ElementSettings {
  const { relativeTolerance = OF_EXACT * TIGHTER, absoluteTolerance = relativeTolerance } = flight.numbers;
  const by = TIGHTER ** k;
  return {
    ...flight,
    type: flight.type === 'auto' || flight.type === 'ExactArcs' ? 'SwitchingRungeKutta' : flight.type,
    numbers: {
      ...flight.numbers,
      relativeTolerance: Math.max(relativeTolerance / by, TIGHTEST),
      absoluteTolerance: absoluteTolerance / by,
    },
  };
}
