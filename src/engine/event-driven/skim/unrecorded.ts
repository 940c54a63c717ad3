/**
 * Motion of which no rows of the result are asked for: from impact to impact where it is plain
 * (`skimming.ts`), and from mode to mode otherwise (`strides.ts`).
 */
import type { Assembly } from '../assembly';
import type { StatePlaces } from '../../model/state-places';
import type { PassedSimulation } from './passages';
import { type SkimmedSimulation, type SkimRequest, Skimming } from './skimming';
import { Strides } from './strides';

interface UnrecordedSimulation extends SkimmedSimulation, PassedSimulation {
  /** goes on to the next event that is known, or found */
  readonly step: () => void;
  /** skimming has ended at the present */
  readonly resume: () => void;
}

export class UnrecordedMotion {
  readonly #skimming: Skimming | null;
  readonly #strides: Strides | null;

  constructor(
    private readonly parts: Assembly,
    places: StatePlaces,
  ) {
    this.#skimming = Skimming.of(parts, places);
    this.#strides = Strides.of(parts, places, this.#skimming !== null);
  }

  /** The motion begins once more. */
  rewind(): void {
    this.#skimming?.rewind();
    this.#strides?.rewind();
  }

  /** Judges the stretch that the present ends. @returns whether it is one that is judged here */
  judge(): boolean {
    if (this.#strides?.isOn !== true) return false;
    this.#strides.judge();
    return true;
  }

  /** See `EventDriven.skim`. */
  advance(simulation: UnrecordedSimulation, request: SkimRequest): boolean {
    let hasGone = false;
    for (;;) {
      if (this.#skimming?.advance(simulation, request) === true) {
        hasGone = true;
        simulation.resume();
      }
      if ((hasGone && !request.isWanted()) || !this.#stride(simulation, request)) break;
      hasGone = true;
    }
    if (this.#strides?.isOn === true) {
      // Other arcs go on from here, and know nothing of what has not been seen of these.
      simulation.leave();
      this.#strides.end();
    }
    return hasGone;
  }

  /** One event, or up to the time that is asked for, past the points of the discretisation. */
  #stride(simulation: UnrecordedSimulation, { until, rows }: SkimRequest): boolean {
    const { manager, count } = this.parts;
    if (this.#strides === null || rows?.isAsked() === true) return false;
    const wasOn = this.#strides.isOn;
    if (!this.#strides.begin(until)) return false;
    if (!wasOn) simulation.leave();
    this.#strides.follow(simulation, until);
    const [step] = manager.current;
    this.#strides.step(simulation);
    if (manager.current[0] > step) count.beginStep();
    return true;
  }
}
