/** The sections that a run takes, and the recordings of their points. */
import type { SectionSettings } from '../../document/settings';
import type { ChunkSink } from '../../recording/chunks';
import { Recorder } from '../../recording/recorder';
import type { PreparedModel } from '../../preparation/prepare';
import type { Simulation } from '../schemes/scheme';
import {
  type Section,
  type SectionInfo,
  compileSection,
  sectionChoice,
  sectionInfo,
} from '../../preparation/section';

/** Where the points of the section with an index are recorded. */
export type SectionSinks = (index: number) => ChunkSink;

/** Points of one section. */
class TakenSection {
  readonly #recorder: Recorder;
  /** points so far, those that are left out at first included */
  taken = 0;
  /** points before the run began, where it goes on from another one */
  #before = 0;
  #isPassing = false;

  constructor(
    private readonly transient: number,
    sink: ChunkSink,
    slots: Int32Array,
  ) {
    this.#recorder = new Recorder(sink, slots);
  }

  take(row: Float64Array): void {
    this.taken++;
    if (!this.#isPassing && this.taken > this.transient) this.#recorder.record(row);
  }

  /** Counts points without recording them. @param taken so far */
  pass(taken: number): void {
    this.taken = taken;
    this.#isPassing = true;
  }

  begin(): void {
    this.#before = this.taken;
    this.#isPassing = false;
  }

  goBack(taken: number): void {
    this.taken = taken;
    this.#recorder.rewind(Math.max(0, taken - Math.max(this.transient, this.#before)));
  }

  publish(): void {
    this.#recorder.publish();
  }
}

export class RunSections {
  readonly info: readonly SectionInfo[];
  readonly #taken: readonly TakenSection[];
  #sections: readonly Section[] = [];

  /** @param slots of the recorded signals, the time first */
  constructor(settings: readonly SectionSettings[], sinks: SectionSinks, slots: Int32Array) {
    this.info = settings.map(sectionInfo);
    this.#taken = settings.map(
      (one, k) => new TakenSection(one.settings.numbers.transient, sinks(k), slots.slice()),
    );
  }

  /**
   * Points of each section so far, as the run keeps them for going back; those left out at first are counted.
   */
  get counts(): readonly number[] {
    return this.#taken.map(({ taken }) => taken);
  }

  /**
   * Takes the sections of a simulation from its present state on.
   * @param complete writes observables into a row
   * @param createRow a row with parameters in place
   * @param from present time where the simulation goes on from another one, s; null at the start of a run
   * @throws {EngineError} when the scheme takes none
   */
  watch(
    prepared: PreparedModel,
    simulation: Simulation,
    complete: (row: Float64Array) => void,
    createRow: () => Float64Array,
    from: number | null,
  ): void {
    const { settings, model, layout } = prepared;
    this.#sections = settings.sections.map((section, k) => {
      const trigger = compileSection(sectionChoice(section.settings), model, layout);
      const taken = this.#taken[k];
      const plan = { trigger, t0: settings.t0, from, complete, take: (row: Float64Array) => taken.take(row) };
      return simulation.takeSection(plan, createRow);
    });
  }

  /** From here on points are counted and not recorded, until `begin`. @param counts of points so far */
  pass(counts: readonly number[] | null): void {
    this.#taken.forEach((section, k) => section.pass(counts?.[k] ?? 0));
  }

  /** The run begins here: from now on points are recorded. */
  begin(): void {
    for (const section of this.#taken) section.begin();
  }

  goBack(counts: readonly number[] | null): void {
    this.#taken.forEach((section, k) => section.goBack(counts?.[k] ?? 0));
  }

  /** The simulation has come to its end: what lies at the very end is taken. */
  finish(): void {
    for (const section of this.#sections) section.finish();
    this.#sections = [];
  }

  /** Makes all points so far readable. */
  publish(): void {
    for (const section of this.#taken) section.publish();
  }
}
