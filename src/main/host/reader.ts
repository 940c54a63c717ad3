/** What the host and the reader worker say to each other. One reader serves all runs of a host. */
import type { RemoteError } from '@contract/errors';
import type { MethodResults, PortraitResult } from '@contract/methods';
import type { ContactName, RecordingComparison } from '@engine/analysis/comparison/compare-recordings';
import type { ComparedRecording, Span } from '@engine/analysis/comparison/recorded-rows';
import type { HausdorffDistance } from '@engine/analysis/comparison/hausdorff';
import type { SpectrumLines, SpectrumQuantity, SpectrumWindow } from '@engine/analysis/spectrum';
import type { NearestPoint, PlaneBounds, Scatter, TimeSpan } from '@engine/recording/scatter';
import type { ChunkLayout } from '@engine/recording/chunks';
import type { RecordedConstraint } from '@engine/recording/constraints/constraint';
import type { Lane } from '@engine/recording/constraints/constraint-index';
import type { Losses } from '@engine/recording/constraints/constraint-reader';
import type { Columns, SpaceCurve } from '@engine/recording/space-curve';
import type { ChunkRing } from './chunk-file';

/** A recording as the reader needs to know it. */
export interface RecordingPlace {
  runId: string;
  /** null: there are only the last rows, in the ring */
  file: string | null;
  layout: ChunkLayout;
  counters: Int32Array<SharedArrayBuffer>;
  ring: ChunkRing;
  /** from an earlier session: its chunks are checked against their index */
  checked?: boolean;
}

interface WindowQuery {
  runId: string;
  columns: number[];
  from: number | undefined;
  to: number | undefined;
  buckets: number;
}

interface PortraitQuery {
  runId: string;
  x: number;
  y: number;
  from: number | undefined;
  to: number | undefined;
  /** part of the plane that a density covers; all of it where it is left out */
  view: PlaneBounds | undefined;
  maxPoints: number;
  width: number;
  height: number;
}

interface RowsQuery {
  runId: string;
  columns: number[];
  firstRow: number;
  count: number;
  /** only every n-th row; default 1 */
  every?: number;
}

/** Of a section; `runId` is its key. */
interface ScatterQuery {
  runId: string;
  x: number;
  y: number;
  view: PlaneBounds | null;
  maxPoints: number;
  width: number;
  height: number;
  /** of time; absent: all points */
  span?: TimeSpan | undefined;
}

export interface SpectrumQuery {
  runId: string;
  column: number;
  from: number | undefined;
  to: number | undefined;
  window: SpectrumWindow;
  quantity: SpectrumQuantity;
  /** visible frequencies, Hz */
  range: { min: number; max: number } | null;
  buckets: number;
}

interface NearestQuery {
  runId: string;
  x: number;
  y: number;
  at: [number, number];
  scale: [number, number];
}

/** Places of the signals in each of the two recordings. */
interface DistanceQuery {
  first: { runId: string; x: number; y: number };
  second: { runId: string; x: number; y: number };
}

/** Of states or of the energy lost by some constraints. */
export interface ConstraintQuery {
  runId: string;
  constraints: RecordedConstraint<number>[];
  holds: 'before' | 'after';
  from: number | undefined;
  to: number | undefined;
  buckets: number;
}

interface StatisticsQuery {
  runId: string;
  columns: number[];
  from: number | undefined;
  to: number | undefined;
  period: number | 'found' | undefined;
}

interface CurveQuery {
  runId: string;
  columns: Columns;
  from: number | undefined;
  to: number | undefined;
  maxPoints: number;
}

/** What is said of a window beside what is in it. */
interface WindowExtent {
  /** in the window */
  rows: number;
  /** s */
  recordedFrom: number;
  recordedTo: number;
}

/** One of two runs that are compared. */
export type ComparedRunQuery = Omit<ComparedRecording, 'source'> & { readonly runId: string };

interface CompareQuery extends Span {
  reference: ComparedRunQuery;
  other: ComparedRunQuery;
  /** of the signals, in the order of their columns */
  names: string[];
  /** in the order of the columns of their impulses */
  contacts: ContactName[];
}

interface WindowAnswer {
  rows: number;
  rowsPerBucket: number;
  recordedFrom: number;
  recordedTo: number;
  series: { t: Float64Array; y: Float64Array }[];
}

interface RowsAnswer {
  firstRow: number;
  columns: Float64Array[];
}

/** Queries by kind, and what answers them. */
export interface ReaderQueries {
  open: { query: RecordingPlace; answer: null };
  /** the run has ended: its newest chunk goes to the file, its shared memory is let go */
  seal: { query: { runId: string }; answer: null };
  /** forgets a recording and releases its file */
  close: { query: { runId: string }; answer: null };
  window: { query: WindowQuery; answer: WindowAnswer };
  portrait: { query: PortraitQuery; answer: PortraitResult };
  rows: { query: RowsQuery; answer: RowsAnswer };
  scatter: { query: ScatterQuery; answer: Scatter };
  spectrum: { query: SpectrumQuery; answer: SpectrumLines | null };
  nearest: { query: NearestQuery; answer: NearestPoint | null };
  distance: { query: DistanceQuery; answer: HausdorffDistance & { scale: [number, number] } };
  compare: { query: CompareQuery; answer: RecordingComparison };
  statistics: { query: StatisticsQuery; answer: MethodResults['run.statistics'] };
  curve: { query: CurveQuery; answer: SpaceCurve };
  lanes: { query: ConstraintQuery; answer: WindowExtent & { lanes: Lane[] } };
  losses: { query: ConstraintQuery & { columns: number[] }; answer: WindowExtent & Losses };
}

export type ReaderQueryKind = keyof ReaderQueries;

/** Host to reader. */
export type ReaderRequest = {
  [K in ReaderQueryKind]: { id: number; kind: K; query: ReaderQueries[K]['query'] };
}[ReaderQueryKind];

/** Reader to host. */
export type ReaderReply = { id: number; answer: unknown } | { id: number; error: RemoteError };
