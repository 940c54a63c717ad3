/**
 * The methods that look into runs: what was recorded of them, and what follows from it. They change nothing.
 */
import type { SpectrumLines, SpectrumQuantity, SpectrumWindow } from '@engine/analysis/spectrum';
import type { ModelDocument } from '@engine/document/types';
import type { SpaceCurve } from '@engine/recording/space-curve';
import type { PeriodMeasures } from '@engine/recording/period-measures';
import type { SpanStatistics } from '@engine/recording/span-statistics';
import type {
  CertificateOverTime,
  CompareResult,
  ContactsResult,
  EventsResult,
  LanesResult,
  LossesResult,
  PortraitResult,
  ProblemResult,
  ReadResult,
  RowsResult,
  RunProfile,
  SceneResult,
  SectionDistance,
  SectionPoint,
  SectionResult,
} from './runs';
import { runId, signalName, z } from './schemas';

/** Most points one signal of a windowed read returns. */
export const MAX_BUCKETS = 4000;
/** Most rows a recording holds: their number is counted in 32 bits. */
export const MAX_RECORDED_ROWS = 2 ** 31 - 1;
/** Most runs compared with a reference in one call. */
export const MAX_COMPARED_RUNS = 16;

const window = {
  runId,
  from: z.number().optional(),
  to: z.number().optional(),
};

/** Most contacts and other rows of laws that one call tells of. */
export const MAX_CONSTRAINTS = 64;
const constraintWindow = z.strictObject({
  ...window,
  /** names of constraints or ids of interactions; the first ones where they are left out */
  constraints: z.array(signalName).min(1).max(MAX_CONSTRAINTS).optional(),
  buckets: z.number().int().min(2).max(MAX_BUCKETS),
});

const sectionOf = { runId, section: z.string().min(1).max(64) };
const planeView = z.strictObject({
  xMin: z.number(),
  xMax: z.number(),
  yMin: z.number(),
  yMax: z.number(),
});
const pair = z.tuple([z.number(), z.number()]);

/** Parameter schemas by method name. */
export const readingParams = {
  'run.read': z.strictObject({
    ...window,
    signals: z.array(signalName).min(1).max(64),
    buckets: z.number().int().min(2).max(MAX_BUCKETS),
  }),
  'run.portrait': z.strictObject({
    ...window,
    x: signalName,
    y: signalName,
    /** part of the plane that a density image covers; all of it where it is left out */
    view: planeView.optional(),
    /** trajectories with more rows come as a density image */
    maxPoints: z.number().int().min(2).max(200_000),
    width: z.number().int().min(16).max(2048),
    height: z.number().int().min(16).max(2048),
  }),
  /** states of contacts and other laws over time; of the first ones, up to a limit, if none are named */
  'run.lanes': constraintWindow,
  /** energy that they take over time, and by single events */
  'run.losses': constraintWindow,
  /**
   * when the run came nearest to a place in the plane of two signals, and how far that is in those scales;
   * null without rows
   */
  'run.nearest': z.strictObject({ runId, x: signalName, y: signalName, at: pair, scale: pair }),
  /**
   * trajectory in the space of three signals: every row, or those by which it enters cells where it has not
   * been
   */
  'run.curve': z.strictObject({
    ...window,
    x: signalName,
    y: signalName,
    z: signalName,
    maxPoints: z.number().int().min(100).max(400_000),
  }),
  /** extrema, means over the time and ends of signals in a span; with a period, what whole ones give */
  'run.statistics': z.strictObject({
    ...window,
    signals: z.array(signalName).max(64),
    /** s; `found`: that of each signal */
    period: z.union([z.number().positive(), z.literal('found')]).optional(),
  }),
  /** spectrum of a signal; null where there is too little of it */
  'run.spectrum': z.strictObject({
    ...window,
    signal: signalName,
    window: z.enum(['rectangular', 'hann', 'blackman', 'flatTop'] satisfies SpectrumWindow[]),
    quantity: z.enum(['amplitude', 'density'] satisfies SpectrumQuantity[]),
    /** visible frequencies, Hz; all of them where they are left out */
    range: z.strictObject({ min: z.number(), max: z.number() }).optional(),
    buckets: z.number().int().min(2).max(MAX_BUCKETS),
  }),
  /** points of a section in the plane of two signals; many of them as counts of cells */
  'run.section': z.strictObject({
    ...sectionOf,
    x: signalName,
    y: signalName,
    /** part of the plane; all points where it is left out */
    view: planeView.optional(),
    /** span of time whose points are taken, s; all of them where it is left out */
    from: z.number().optional(),
    to: z.number().optional(),
    maxPoints: z.number().int().min(2).max(200_000),
    width: z.number().int().min(16).max(2048),
    height: z.number().int().min(16).max(2048),
  }),
  /** the point of a section nearest to a place in that plane; null of one without points */
  'run.sectionPoint': z.strictObject({
    ...sectionOf,
    x: signalName,
    y: signalName,
    at: pair,
    /** lengths of the two axes that count as equal */
    scale: z.tuple([z.number().positive(), z.number().positive()]),
  }),
  /** plain points, as `run.rows` gives rows */
  'run.sectionRows': z.strictObject({
    ...sectionOf,
    signals: z.array(signalName).min(1).max(10_000),
    firstRow: z.number().int().min(0),
    count: z.number().int().min(1).max(MAX_RECORDED_ROWS),
    every: z.number().int().min(1).max(MAX_RECORDED_ROWS).optional(),
  }),
  /** the model of the run with a point of a section as its initial state, some of its signals replaced */
  'run.sectionDocument': z.strictObject({
    ...sectionOf,
    index: z.number().int().min(0),
    set: z.record(signalName, z.number()).optional(),
  }),
  /** Hausdorff distance of two sections in the plane of two signals */
  'run.sectionDistance': z.strictObject({
    first: z.strictObject(sectionOf),
    second: z.strictObject(sectionOf),
    x: signalName,
    y: signalName,
  }),
  /** the worst residuals of stretches of a run */
  'run.certificate': z.strictObject({ runId }),
  'run.events': z.strictObject({
    runId,
    firstEvent: z.number().int().min(0),
    count: z.number().int().min(1).max(100_000),
  }),
  'run.compare': z.strictObject({
    /** usually event-driven; any run that has recorded something */
    reference: runId,
    others: z.array(runId).min(1).max(MAX_COMPARED_RUNS),
    /**
     * absent: the positions, velocities, first-order states and observables that all of these runs have
     * recorded
     */
    signals: z.array(signalName).min(1).max(10_000).optional(),
    /** s; the whole time that all of them have recorded where they are left out */
    from: z.number().optional(),
    to: z.number().optional(),
  }),
  'run.rows': z.strictObject({
    runId,
    signals: z.array(signalName).min(1).max(10_000),
    firstRow: z.number().int().min(0),
    /** rows from the first one on, those that are passed over included */
    count: z.number().int().min(1).max(MAX_RECORDED_ROWS),
    /** only every n-th of them, the first included; default 1 */
    every: z.number().int().min(1).max(MAX_RECORDED_ROWS).optional(),
  }),
  /** what the script functions of a run cost, measured beside it */
  'run.profile': z.strictObject({ runId }),
  /** what an animation of the run draws */
  'run.scene': z.strictObject({ runId }),
  /** what touches at the last recorded row up to a time, s, and how hard */
  'run.contacts': z.strictObject({ runId, time: z.number() }),
  /**
   * the one-step problem of the step that ends at a time, or begins there where not every step was recorded
   */
  'run.problem': z.strictObject({ runId, time: z.number() }),
} as const satisfies Record<string, z.ZodType>;

/** Results by method name. */
export interface ReadingResults {
  'run.read': ReadResult;
  'run.portrait': PortraitResult;
  'run.lanes': LanesResult;
  'run.losses': LossesResult;
  'run.nearest': { time: number | null; distance: number };
  'run.curve': SpaceCurve;
  /** `periodic`: by signal, null where there is no whole period; absent where no period was asked for */
  'run.statistics': SpanStatistics & { periodic?: (PeriodMeasures | null)[] };
  'run.spectrum': { spectrum: SpectrumLines | null };
  'run.section': SectionResult;
  'run.sectionPoint': { point: SectionPoint | null };
  'run.sectionRows': RowsResult;
  /** `missing`: systems that would start as before, as the document does not hold their state */
  'run.sectionDocument': { document: ModelDocument; missing: readonly string[] };
  'run.sectionDistance': SectionDistance;
  'run.certificate': CertificateOverTime;
  'run.events': EventsResult;
  'run.compare': CompareResult;
  'run.rows': RowsResult;
  'run.profile': RunProfile;
  'run.scene': SceneResult;
  'run.contacts': ContactsResult;
  'run.problem': ProblemResult;
}
