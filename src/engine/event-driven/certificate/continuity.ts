/**
 * Motion at events, part of the certificate: where nothing pushes and nothing is reset, velocities go on as
 * they were, and positions do so at every event. What is taken for drift of a row may be a speed, or a step
 * of a surface.
 */
import { relative } from '../../certificate/residual-maxima';
import { larger } from '../../linalg/nan-safe';
import { type NonSmoothDynamicalSystem, offsetsOf } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';

/** Where the numbers of a system stand in a row of the result, the last one not included. */
interface Span {
  readonly system: number;
  readonly from: number;
  readonly to: number;
}

type Raise = (defect: number, system: number) => void;

export class Continuity {
  /** velocities of each system of second order */
  readonly #velocities: readonly Span[];
  /** positions of each */
  readonly #positions: readonly Span[];
  /** largest velocity so far, by system */
  readonly fastest: Float64Array;
  /** largest position so far, by system */
  readonly #farthest: Float64Array;

  constructor(
    model: NonSmoothDynamicalSystem,
    places: Pick<StatePlaces, 'q' | 'v'>,
    /** absolute tolerance of states, in their units */
    private readonly tolerance: number,
    /** whether interactions come and go: one that comes may bring its output to zero at once */
    hasPresence: boolean,
  ) {
    const { systems } = model;
    const { positions, velocities } = offsetsOf(model);
    this.fastest = new Float64Array(systems.length);
    this.#farthest = new Float64Array(systems.length);
    const spans = (first: number, offsets: Int32Array): Span[] =>
      systems.flatMap(({ form }, system) =>
        form.order === 1 ? [] : [{ system, from: first + offsets[system], to: first + offsets[system + 1] }],
      );
    this.#velocities = spans(places.v, velocities);
    this.#positions = hasPresence ? [] : spans(places.q, positions);
  }

  /** Takes note of the motion of a row, so that what is small does not depend on events alone. */
  note(row: Float64Array): void {
    for (const { system, from, to } of this.#velocities)
      for (let k = from; k < to; k++) this.fastest[system] = Math.max(this.fastest[system], Math.abs(row[k]));
    for (const { system, from, to } of this.#positions)
      for (let k = from; k < to; k++)
        this.#farthest[system] = Math.max(this.#farthest[system], Math.abs(row[k]));
  }

  /**
   * @param isImpact whether something pushes, so that velocities may jump
   * @param raise called with the change of a system relative to its largest velocity, or position, so far
   */
  judge(before: Float64Array, after: Float64Array, isImpact: boolean, raise: Raise): void {
    this.note(before);
    this.#compare(this.#positions, this.#farthest, before, after, raise);
    if (!isImpact) this.#compare(this.#velocities, this.fastest, before, after, raise);
  }

  #compare(
    spans: readonly Span[],
    largest: Float64Array,
    before: Float64Array,
    after: Float64Array,
    raise: Raise,
  ): void {
    for (const { system, from, to } of spans) {
      let change = 0;
      for (let k = from; k < to; k++) change = larger(change, Math.abs(after[k] - before[k]));
      if (!(change <= this.tolerance)) raise(relative(change, largest[system]), system);
    }
  }
}
