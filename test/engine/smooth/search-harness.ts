/** Searches for roots on one step with a given dense output, without an integrator. */
import { DenseOutput, END, LENGTH, START, StepData } from '@engine/smooth/step-method';
import type { EventFunctions } from '@engine/smooth/event-functions';
import { EventSearch } from '@engine/smooth/event-search';
import { SmoothCounters } from '@engine/smooth/ode-system';
import { events, form } from './support';

export interface Found {
  place: number;
  kind: number;
  index: number;
}

/** All roots in (0, 1], one search going on after the other. */
export function searchAll(functions: EventFunctions, coefficients: readonly number[]): Found[] {
  const data = new StepData(
    { size: 1, rate: () => undefined },
    { relative: 1e-10, absolute: Float64Array.of(1e-10) },
    new SmoothCounters(),
  );
  data.span[START] = 0;
  data.span[LENGTH] = 1;
  data.span[END] = 1;
  const dense = new DenseOutput(1);
  dense.degree = coefficients.length - 1;
  dense.coefficients.set(coefficients);
  const search = new EventSearch(functions, data, dense);
  search.memory.begin();
  const place = new Float64Array(1);
  const found: Found[] = [];
  for (let guard = 0; guard < 100 && place[0] < 1; guard++) {
    const outcome = search.search(place, false);
    if (outcome === 'notFinite') throw new Error(`not finite at ${search.found[0]}`);
    if (outcome === 'none') return found;
    place[0] = search.found[0];
    search.deliver();
    for (let k = 0; k < search.memory.report.count; k++) {
      found.push({
        place: place[0],
        kind: search.memory.report.kinds[k],
        index: search.memory.report.indices[k],
      });
    }
  }
  return found;
}

/** The state itself as event function. */
export const STATE = events([form([1])]);
