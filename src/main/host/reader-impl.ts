/** The work of the reader worker: answers queries about recordings. Knows no worker. */
import { compareRecordings } from '@engine/analysis/comparison/compare-recordings';
import type { ComparedRecording } from '@engine/analysis/comparison/recorded-rows';
import { hausdorffDistance, type PlaneSet } from '@engine/analysis/comparison/hausdorff';
import { type Spectrum, spectrumOf, spectrumLines } from '@engine/analysis/spectrum';
import { ConstraintReader } from '@engine/recording/constraints/constraint-reader';
import { TrajectoryReader } from '@engine/recording/reading';
import { nearestPoint, scatter } from '@engine/recording/scatter';
import { spaceCurve } from '@engine/recording/space-curve';
import { periodMeasures } from '@engine/recording/period-measures';
import { spanStatistics } from '@engine/recording/span-statistics';
import { FileChunkSource } from './chunk-file';
import { toRemoteError, unknownRun } from './errors';
import type {
  ComparedRunQuery,
  ReaderQueries,
  ReaderQueryKind,
  ReaderReply,
  ReaderRequest,
  RecordingPlace,
  SpectrumQuery,
} from './reader';

interface OpenRecording {
  source: FileChunkSource;
  reader: TrajectoryReader;
  constraints: ConstraintReader;
  /** see `FileChunkSource.rewinds`, when the reader was made */
  rewinds: number;
}

/**
 * A query meets a recording that gets shorter under it at most so often: a step back takes longer than a
 * query.
 */
const ATTEMPTS = 4;

/** Samples of a spectrum: longer runs are averaged over groups of rows. */
const MOST_SAMPLES = 2 ** 20;
/** Spectra that are kept: those of one plot. */
const KEPT_SPECTRA = 4;

/** Queries that read rows. */
const RECORDED: Partial<Record<ReaderQueryKind, true>> = {
  window: true,
  portrait: true,
  rows: true,
  scatter: true,
  spectrum: true,
  nearest: true,
  distance: true,
  compare: true,
  lanes: true,
  curve: true,
  statistics: true,
  losses: true,
};

type Answers = {
  [K in ReaderQueryKind]: (query: ReaderQueries[K]['query']) => ReaderQueries[K]['answer'];
};

/** All open recordings and the queries on them. */
export class RecordingReaders {
  readonly #open = new Map<string, OpenRecording>();
  readonly #spectra = new Map<string, { whole: Spectrum | null; mean: number }>();

  readonly #answers: Answers = {
    open: (place) => this.#openRecording(place),
    seal: ({ runId }) => {
      this.#find(runId).source.seal();
      return null;
    },
    close: ({ runId }) => {
      this.#open.get(runId)?.source.close();
      this.#open.delete(runId);
      return null;
    },
    window: (q) => this.#find(q.runId).reader.window(q.columns, q.from, q.to, q.buckets),
    portrait: (q) =>
      this.#find(q.runId).reader.portrait(q.x, q.y, q.from, q.to, q.maxPoints, q.width, q.height, q.view),
    rows: (q) => this.#find(q.runId).reader.rows(q.columns, q.firstRow, q.count, q.every),
    scatter: (q) =>
      scatter(this.#find(q.runId).source, q.x, q.y, q.view, q.maxPoints, q.width, q.height, q.span),
    spectrum: (q) => {
      const { whole, mean } = this.#spectrum(q);
      return whole === null ? null : { ...spectrumLines(whole, q.quantity, q.buckets, q.range), mean };
    },
    nearest: (q) => nearestPoint(this.#find(q.runId).source, q.x, q.y, q.at, q.scale),
    distance: ({ first, second }) => {
      const [a, b] = [first, second].map(({ runId, x, y }) => this.#plane(runId, x, y));
      const scale: [number, number] = [lengthOf(a.x), lengthOf(a.y)];
      return { ...hausdorffDistance(a, b, scale), scale };
    },
    compare: (q) =>
      compareRecordings(this.#compared(q.reference), this.#compared(q.other), q.names, q.contacts, q),
    curve: (q) => spaceCurve(this.#find(q.runId).source, q.columns, q.from, q.to, q.maxPoints),
    statistics: ({ runId, columns, from, to, period }) => {
      const { source } = this.#find(runId);
      const found = spanStatistics(source, columns, from, to);
      if (period === undefined) return found;
      return { ...found, periodic: columns.map((one) => periodMeasures(source, one, from, to, period)) };
    },
    lanes: (q) => this.#find(q.runId).constraints.lanes(q),
    losses: (q) => this.#find(q.runId).constraints.losses(q),
  };

  /** @returns the reply and the buffers in it, which the sender no longer needs. Never throws. */
  answer(request: ReaderRequest): { reply: ReaderReply; transfer: ArrayBuffer[] } {
    try {
      const answer = this.#consistent(request);
      return { reply: { id: request.id, answer }, transfer: buffersOf(answer) };
    } catch (error) {
      return { reply: { id: request.id, error: toRemoteError(error) }, transfer: [] };
    }
  }

  /** An answer from a recording that has not become shorter meanwhile. */
  #consistent({ kind, query }: ReaderRequest): unknown {
    const perform = this.#answers[kind] as (query: ReaderRequest['query']) => unknown;
    const rewinds = (): number =>
      [...this.#open.values()].reduce((sum, { source }) => sum + source.rewinds, 0);
    for (let attempt = 1; ; attempt++) {
      const before = rewinds();
      try {
        const answer = perform(query);
        if (!(kind in RECORDED) || rewinds() === before || attempt === ATTEMPTS) return answer;
      } catch (error) {
        if (!(kind in RECORDED) || rewinds() === before || attempt === ATTEMPTS) throw error;
      }
    }
  }

  #openRecording(place: RecordingPlace): null {
    const source = new FileChunkSource(place.file, place.layout, place.counters, place.ring, place.checked);
    this.#open.get(place.runId)?.source.close();
    this.#open.set(place.runId, {
      source,
      reader: new TrajectoryReader(source),
      constraints: new ConstraintReader(source),
      rewinds: source.rewinds,
    });
    return null;
  }

  /** The most recent spectra: zooming into one recomputes nothing. */
  #spectrum(q: SpectrumQuery): { whole: Spectrum | null; mean: number } {
    const { source, reader } = this.#find(q.runId);
    const key = [q.runId, q.column, q.from, q.to, q.window, q.quantity, source.rows(), source.rewinds].join(
      ' ',
    );
    const known = this.#spectra.get(key);
    if (known !== undefined) return known;
    const { t, y, mean } = reader.means(q.column, q.from, q.to, MOST_SAMPLES);
    const found = { whole: spectrumOf(t, y, q.window, q.quantity), mean };
    const [oldest] = this.#spectra.keys();
    if (oldest !== undefined && this.#spectra.size >= KEPT_SPECTRA) this.#spectra.delete(oldest);
    this.#spectra.set(key, found);
    return found;
  }

  #plane(runId: string, x: number, y: number): PlaneSet {
    const { source, reader } = this.#find(runId);
    const [xs, ys] = reader.rows([x, y], 0, source.rows()).columns;
    const isFinite = (_: number, i: number): boolean => Number.isFinite(xs[i]) && Number.isFinite(ys[i]);
    return { x: xs.filter(isFinite), y: ys.filter(isFinite) };
  }

  #compared({ runId, ...recording }: ComparedRunQuery): ComparedRecording {
    return { ...recording, source: this.#find(runId).source };
  }

  #find(runId: string): OpenRecording {
    const recording = this.#open.get(runId);
    if (recording === undefined) throw unknownRun(runId);
    const { source } = recording;
    if (source.rewinds !== recording.rewinds) {
      recording.rewinds = source.rewinds;
      recording.reader = new TrajectoryReader(source);
      recording.constraints = new ConstraintReader(source);
      source.forget();
    }
    return recording;
  }
}

/** Extent of a coordinate; 1 where there is none. */
function lengthOf(values: Float64Array): number {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity);
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  return high > low ? high - low : 1;
}

/** Array buffers at any depth of an answer, each once: a buffer listed twice could not be transferred. */
function buffersOf(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (item: unknown): void => {
    if (ArrayBuffer.isView(item)) {
      if (item.buffer instanceof ArrayBuffer) found.add(item.buffer);
    } else if (Array.isArray(item)) {
      item.forEach(visit);
    } else if (typeof item === 'object' && item !== null) {
      Object.values(item).forEach(visit);
    }
  };
  visit(value);
  return [...found];
}
