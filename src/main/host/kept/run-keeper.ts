/** Writes what lasts of one run that is computed here, one thing after the other. */
import type { EventRecord } from '@engine/event-driven/event-record';
import type { ChunkLayout } from '@engine/recording/chunks';
import type { RunHandle } from '../run-handle';
import type { Manifest } from './manifest';
import type { RunStore } from './run-store';

export class RunKeeper {
  readonly #run: RunHandle;
  readonly #store: RunStore;
  #layout: ChunkLayout | null = null;
  #endedAt: string | null = null;
  /** whether the first manifest has been asked for */
  #begun = false;
  #writing: Promise<void> = Promise.resolve();
  /** the run has been removed; nothing is to come into being again */
  #removed = false;
  #changes = 0;
  #isManifestDue = false;
  #unwritten = 0;

  constructor(run: RunHandle, store: RunStore) {
    this.#run = run;
    this.#store = store;
  }

  /** Whether something is to be written that is not on the disk yet. */
  get isWriting(): boolean {
    return this.#unwritten > 0;
  }

  onLayout(layout: ChunkLayout): void {
    this.#layout = layout;
  }

  /** Something has changed that a list shows. The manifest begins with the prepared model. */
  onChange(): void {
    const { prepared, specification, runId } = this.#run;
    if (prepared === null) return;
    if (!this.#begun) {
      this.#begun = true;
      this.#next(() => this.#store.write(runId, 'model.json', specification));
      this.#next(() => this.#store.write(runId, 'prepared.json', prepared));
    }
    const { changes = [] } = this.#run.repetition;
    if (changes.length !== this.#changes) {
      this.#changes = changes.length;
      this.#next(() => this.#store.write(runId, 'moment.json', { moment: null, changes }));
    }
    // One that waits will say this too: steps taken in quick succession need no manifest each.
    if (this.#isManifestDue) return;
    this.#isManifestDue = true;
    this.#next(() => {
      this.#isManifestDue = false;
      return this.#store.writeManifest(this.#manifest());
    });
  }

  onEvents(first: number, events: readonly EventRecord[]): void {
    this.#next(() => this.#store.appendEvents(this.#run.runId, { first, events }));
  }

  /** Its recording is complete and on the disk. */
  onEnd(): void {
    this.#endedAt = new Date().toISOString();
    const { runId, lastMoment, lastStanding, repetition, certificateOverTime } = this.#run;
    if (certificateOverTime.length > 0)
      this.#next(() => this.#store.write(runId, 'certificate.json', { rows: certificateOverTime }));
    if (lastStanding !== null) this.#next(() => this.#store.write(runId, 'standing.json', lastStanding));
    if (lastMoment !== null) {
      const content = { moment: lastMoment, changes: repetition.changes ?? [] };
      this.#next(() => this.#store.write(runId, 'moment.json', content));
      this.#changes = content.changes.length;
    }
    this.onChange();
  }

  /** Nothing is written any more; resolves when what was begun is done. */
  async stop(): Promise<void> {
    this.#removed = true;
    await this.#writing;
  }

  /** Resolves when everything has been written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #next(write: () => Promise<void>): void {
    this.#unwritten++;
    this.#writing = this.#writing.then(async () => {
      try {
        if (!this.#removed) await write();
        this.#run.keepingProblem = null;
      } catch (error) {
        this.#run.keepingProblem = error instanceof Error ? error.message : String(error);
      }
      this.#unwritten--;
    });
  }

  #manifest(): Manifest {
    const info = this.#run.info();
    const { title, scheme, parameters, changes, startedAt, h, t0, tEnd, statistics, warnings, error } = info;
    return {
      ...this.#store.signature,
      ...this.#run.record,
      runId: info.runId,
      title,
      state: info.state,
      scheme,
      parameters,
      changes: changes.map((change) => ({ ...change })),
      startedAt,
      endedAt: this.#endedAt,
      h,
      t0,
      tEnd,
      statistics: { ...statistics, certificate: { ...statistics.certificate } },
      warnings,
      error: error ?? null,
      layout: this.#layout,
    };
  }
}
