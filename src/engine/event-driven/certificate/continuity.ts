/**
 * Velocities at events without impulses, part of the certificate: where nothing pushes and nothing is reset,
 * they go on as they were. What is taken for drift of a row may be a speed.
 */
import { relative } from '../../certificate/residual-maxima';
import { larger } from '../../linalg/nan-safe';
import { type NonSmoothDynamicalSystem, offsetsOf } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';

export class Continuity {
  /** first and behind the last velocity of each system of second order */
  readonly #spans: readonly { readonly system: number; readonly from: number; readonly to: number }[];
  /** largest velocity so far, by system */
  readonly fastest: Float64Array;

  constructor(
    model: NonSmoothDynamicalSystem,
    places: Pick<StatePlaces, 'v'>,
    /** absolute tolerance of states, in their units */
    private readonly tolerance: number,
  ) {
    const { systems } = model;
    const { velocities } = offsetsOf(model);
    this.fastest = new Float64Array(systems.length);
    this.#spans = systems.flatMap(({ form }, system) => {
      const from = places.v + velocities[system];
      return form.order === 1 ? [] : [{ system, from, to: from + form.size }];
    });
  }

  /** Takes note of the velocities of a row, so that what is small does not depend on events alone. */
  note(row: Float64Array): void {
    for (const { system, from, to } of this.#spans)
      for (let k = from; k < to; k++) this.fastest[system] = Math.max(this.fastest[system], Math.abs(row[k]));
  }

  /** @param raise called with the change of the velocities of a system relative to the largest so far */
  judge(before: Float64Array, after: Float64Array, raise: (defect: number, system: number) => void): void {
    this.note(before);
    for (const { system, from, to } of this.#spans) {
      let change = 0;
      for (let k = from; k < to; k++) change = larger(change, Math.abs(after[k] - before[k]));
      if (!(change <= this.tolerance)) raise(relative(change, this.fastest[system]), system);
    }
  }
}
