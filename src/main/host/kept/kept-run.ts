/** A run of an earlier session: read from disk, never computed again. */
import { createReadStream, openSync, closeSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { MoreauError } from '@contract/errors';
import type { RunInfo, RunState } from '@contract/methods';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { ChunkLayout } from '@engine/recording/chunks';
import type { InitialState } from '@engine/run/initial-state';
import type { RunStanding } from '@engine/run/compile-run';
import type { SavedRun } from '@engine/run/continuation';
import type { RunSpecification } from '@engine/run/session';
import { isUnsealed, openLine } from '../../files/journal-lines';
import { indexPath, wholeChunks } from '../chunk-index';
import { COUNTER, createCounters } from '../counters';
import { type HostRun, savedRun } from '../host-run';
import { sectionFile, sectionKey } from '../section-files';
import type { RecordingPlace } from '../reader';
import type { PreparedHostRun } from '../run';
import { runOver } from '../run-errors';
import { parseExactJson } from '@engine/exact-json';
import { type Manifest, recordOf, type RunRecord } from './manifest';
import type { RunStore } from './run-store';

interface Content {
  specification: RunSpecification;
  moment: InitialState | null;
  changes: RunSpecification['changes'];
  certificate: Float64Array;
}

export class KeptRun implements HostRun {
  readonly runId: string;
  readonly startedAt: string;
  readonly record: RunRecord;
  readonly prepared: PreparedHostRun;
  readonly manifest: Manifest;
  readonly #store: RunStore;
  readonly #counters: Int32Array<SharedArrayBuffer>;
  readonly #bytes: number;
  /** of the recordings of sections, in their order */
  readonly #sections: readonly Measured[];
  /** rows when that was last looked at */
  #seenRows: number;
  readonly #state: RunState;
  #content: Content | null = null;
  #events: EventRecord[] | null = null;

  private constructor(
    manifest: Manifest,
    prepared: PreparedHostRun,
    store: RunStore,
    recording: Measured,
    sections: readonly Measured[],
  ) {
    const { runId, startedAt, state } = manifest;
    this.runId = runId;
    this.startedAt = startedAt;
    this.record = recordOf(manifest);
    this.prepared = prepared;
    this.#state = state === 'starting' || state === 'running' || state === 'paused' ? 'interrupted' : state;
    this.manifest =
      this.#state === 'interrupted'
        ? foundAsLeft(manifest, recording.counters, recording.lastTime)
        : manifest;
    this.#store = store;
    this.#counters = recording.counters;
    this.#bytes = sections.reduce((sum, { bytes }) => sum + bytes, recording.bytes);
    this.#sections = sections;
    this.#seenRows = this.rows;
  }

  /** @throws {Error} when something of it cannot be read */
  static async open(manifest: Manifest, store: RunStore): Promise<KeptRun> {
    const prepared = (await store.read(manifest.runId, 'prepared.json')) as PreparedHostRun;
    if (!Array.isArray(prepared.signals)) throw new Error('prepared.json has no signals');
    const file = store.recording(manifest.runId);
    const sections = await Promise.all(
      (prepared.sections ?? []).map((_, k) => measure(sectionFile(file, k), manifest.layout)),
    );
    return new KeptRun(manifest, prepared, store, await measure(file, manifest.layout), sections);
  }

  /** Whether it has become shorter since that was asked last. */
  hasLost(): boolean {
    const before = this.#seenRows;
    this.#seenRows = this.rows;
    return this.rows < before;
  }

  /** What was recorded: the run itself, then its sections; those without a row are left out. */
  get recordings(): RecordingPlace[] {
    const { layout } = this.manifest;
    if (layout === null) return [];
    const file = this.#store.recording(this.runId);
    const all = [
      { runId: this.runId, file, counters: this.#counters },
      ...this.#sections.map(({ counters }, k) => ({
        runId: sectionKey(this.runId, k),
        file: sectionFile(file, k),
        counters,
      })),
    ];
    return all
      .filter(({ counters }) => Atomics.load(counters, COUNTER.chunksOnDisk) > 0)
      .map((place) => ({ ...place, layout, ring: [], checked: true }));
  }

  get name(): string {
    return this.record.name;
  }

  get state(): RunState {
    return this.#state;
  }

  readonly active = false;

  get rows(): number {
    return Atomics.load(this.#counters, COUNTER.rows);
  }

  get specification(): RunSpecification {
    return this.#loaded.specification;
  }

  get repetition(): RunSpecification {
    const { specification, changes = [] } = this.#loaded;
    return changes.length === 0 ? specification : { ...specification, changes };
  }

  get moment(): InitialState {
    const { moment } = this.#loaded;
    if (moment !== null) return moment;
    throw new MoreauError({
      code: 'no-state',
      message: `The state at the end of ${this.name} is not known: the program ended while it was computing.`,
      remedy: 'Run it again to a time before that.',
    });
  }

  /** What a simulation remembers may have changed between versions: of another one it is computed again. */
  async saved(): Promise<SavedRun> {
    await this.loaded();
    const isOwn = this.manifest.engineVersion === this.#store.signature.engineVersion;
    const standing = isOwn ? await this.#store.read(this.runId, 'standing.json').catch(() => null) : null;
    return savedRun(this.repetition, this.info(), standing as RunStanding | null);
  }

  get events(): readonly EventRecord[] {
    return this.#events ?? [];
  }

  get #loaded(): Content {
    if (this.#content !== null) return this.#content;
    throw new Error('the run is asked before it is loaded');
  }

  started(): Promise<void> {
    return Promise.resolve();
  }

  /** @throws {MoreauError} `kept-run-damaged` */
  async loaded(): Promise<void> {
    if (this.#content !== null) return;
    try {
      const specification = (await this.#store.read(this.runId, 'model.json')) as RunSpecification;
      const end = await this.#store.read(this.runId, 'moment.json').catch(() => null);
      const { moment = null, changes = [] } = (end ?? {}) as Partial<Content>;
      this.#events = await readEvents(this.#store.eventsPath(this.runId), this.runId);
      this.#content = { specification, moment, changes, certificate: await this.#readCertificate() };
    } catch (error) {
      throw new MoreauError({
        code: 'kept-run-damaged',
        message: `The model of ${this.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        where: this.#store.place(this.runId),
        remedy: 'Its curves are still available; for anything else, run the current model again.',
      });
    }
  }

  /** Runs that were interrupted, or kept by older versions, have none. */
  async #readCertificate(): Promise<Float64Array> {
    const found = (await this.#store.read(this.runId, 'certificate.json').catch(() => null)) as {
      rows?: unknown;
    } | null;
    return found?.rows instanceof Float64Array ? found.rows : new Float64Array(0);
  }

  get certificateOverTime(): Float64Array {
    return this.#content?.certificate ?? new Float64Array(0);
  }

  pause(): Promise<void> {
    return Promise.resolve();
  }

  resume(): Promise<void> {
    return Promise.resolve();
  }

  go(): Promise<void> {
    return Promise.reject(runOver(this.name));
  }

  setSpeed(): void {
    throw runOver(this.name);
  }

  change(): Promise<void> {
    return Promise.reject(runOver(this.name));
  }

  cancel(): Promise<void> {
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }

  watch(): void {
    // It has come to its end.
  }

  info(): RunInfo {
    const { title, scheme, parameters, changes, startedAt, h, t0, tEnd, statistics, error } = this.manifest;
    const { rows } = this;
    const { complete, energyGain = null, ...known } = statistics;
    const { name, pinned, documents, group, accuracy } = this.record;
    return {
      runId: this.runId,
      name,
      pinned,
      documents,
      group,
      bytes: this.#bytes,
      engineVersion: this.manifest.engineVersion,
      title,
      state: this.#state,
      scheme,
      parameters,
      changes,
      speed: null,
      startedAt,
      h,
      t0,
      tEnd,
      signals: this.prepared.signals,
      sections: (this.prepared.sections ?? []).map((section, k) => ({
        ...section,
        points: Atomics.load(this.#sections[k].counters, COUNTER.rows),
      })),
      statistics: {
        ...known,
        energyGain,
        rows,
        secondsToGo: 0,
        ...(complete === undefined ? {} : { complete }),
      },
      ...(accuracy === null ? {} : { accuracy }),
      warnings: [...this.manifest.warnings, ...this.#losses()],
      ...(error === null ? {} : { error: error }),
    };
  }

  /** What is not there any more of what was recorded. */
  #losses(): string[] {
    const { rows } = this.manifest.statistics;
    const { layout } = this.manifest;
    if (this.rows >= rows || layout === null) return [];
    const chunk = Math.floor(this.rows / layout.rowsPerChunk);
    return [
      `The recording ${this.#store.recording(this.runId)} is damaged at chunk ${chunk}: ${this.rows} of ${rows} rows can be read. Run it again for the others.`,
    ];
  }
}

/** The manifest of a run under way is a few seconds older than its recording. */
function foundAsLeft(
  manifest: Manifest,
  counters: Int32Array<SharedArrayBuffer>,
  lastTime: number | null,
): Manifest {
  const rows = Atomics.load(counters, COUNTER.rows);
  const { statistics } = manifest;
  return {
    ...manifest,
    statistics: {
      ...statistics,
      rows,
      steps: Math.max(statistics.steps, rows - 1),
      simulatedTime: lastTime ?? manifest.t0,
    },
  };
}

/** What is there of a recording. */
interface Measured {
  counters: Int32Array<SharedArrayBuffer>;
  bytes: number;
  /** s */
  lastTime: number | null;
}

/** How much of a recording is there, and the time of its last row. */
async function measure(file: string, layout: ChunkLayout | null): Promise<Measured> {
  const counters = createCounters();
  const size = layout === null ? null : await stat(file).catch(() => null);
  if (layout === null || size === null) return { counters, bytes: 0, lastTime: null };
  let index = -1;
  let recording = -1;
  try {
    index = openSync(indexPath(file), 'r');
    recording = openSync(file, 'r');
    const { chunks, rows } = wholeChunks(index, layout, size.size);
    Atomics.store(counters, COUNTER.rows, rows);
    Atomics.store(counters, COUNTER.chunksOnDisk, chunks);
    Atomics.store(counters, COUNTER.chunksBegun, chunks);
    const last = new Float64Array(1);
    const row = rows - 1 - (chunks - 1) * layout.rowsPerChunk;
    const place = ((chunks - 1) * layout.columns * layout.rowsPerChunk + row) * last.byteLength;
    const read = rows > 0 ? readSync(recording, last, 0, last.byteLength, place) : 0;
    return { counters, bytes: size.size, lastTime: read === last.byteLength ? last[0] : null };
  } catch {
    // Without its index nothing of it can be trusted.
    return { counters, bytes: size.size, lastTime: null };
  } finally {
    for (const fd of [index, recording]) if (fd >= 0) closeSync(fd);
  }
}

/** Events as reported; everything after a torn or damaged line is dropped. */
async function readEvents(path: string, runId: string): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  const there = await stat(path).catch(() => null);
  if (there === null) return events;
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  let isOld: boolean | null = null;
  try {
    for await (const line of lines) {
      // Runs of older versions have no checksums, in no line.
      isOld ??= isUnsealed(line);
      const text = isOld ? line : openLine(line, runId);
      if (text === null) break;
      const { first, events: told } = parseExactJson(text) as { first: number; events: EventRecord[] };
      events.length = Math.min(events.length, first);
      for (const event of told) events.push(event);
    }
  } catch {
    lines.close();
  }
  return events;
}
