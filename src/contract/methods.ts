/**
 * The methods of `EngineHost.dispatch`, each with the schema of its parameters. Electron IPC, WebSocket,
 * command line and tests all enter here, and nothing is executed before its parameters have passed.
 */
import type { SpectrumLines } from '@engine/analysis/spectrum';
import type { ReadLibrary } from '@engine/document/libraries';
import type { ImportedNetlist } from '@engine/netlist/import';
import type { DocumentIssue, DocumentReport, ModelDocument, SchemeName } from '@engine/document/types';
import type { SpaceCurve } from '@engine/recording/space-curve';
import type { Catalogue } from '@engine/model/definition';
import type { ConsoleMessage } from '@engine/script/sandbox';
import type { DerivativeReview } from '@engine/inspection/derivative-review';
import type { InitialProjection } from '@engine/preparation/initial-check';
import type { InitialState } from '@engine/run/initial-state';
import type { StepProblem } from '@engine/inspection/step-problem';
import type { TopologyReport } from '@engine/inspection/topology-report';
import type { UnitChoice } from '@engine/units/display';
import type { AnalysisInfo, AnalysisOutcome } from './analyses';
import { figureParams, type FigureResults } from './figures';
import { MAX_RECORDED_ROWS, readingParams, type ReadingResults } from './reading';
import { anyDocumentSchema, runId, signalName, z } from './schemas';
import { type JournalContent, type JournalInfo, journalSchemas } from './journal';
import type { AttendedRuns, RemovedRuns, RunInfo, RunStorage } from './runs';
import type { ChangedSettings } from './settings';

/**
 * Largest document text accepted, bytes: a builder script says in lines what a larger file would spell out.
 */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
/** what a window knows a document by, from one session to the next */
const documentKey = z.string().min(1).max(300);
const empty = z.strictObject({});

export type { ConsoleMessage };
export type { SpaceCurve, StepProblem };
export type { SpectrumLines };
export type { DerivativeReview };
export type * from './analyses';
export type * from './runs';
export { MAX_BUCKETS, MAX_CONSTRAINTS, MAX_RECORDED_ROWS } from './reading';

export interface ExampleInfo {
  name: string;
  title: string;
  description: string;
  /** publications the model is taken from or explained in */
  references: string[];
}

export interface AppInfo {
  version: string;
  formatVersion: number;
  /** a real Electron window or a browser */
  door: 'desktop' | 'browser' | 'command-line' | 'test';
}

/** The user's settings that differ from their defaults. */
export interface SettingsState {
  changed: ChangedSettings;
  /** what is wrong with the stored settings */
  problems: { message: string; remedy: string }[];
}

/**
 * What is known of a document, and what its builder scripts said; `console` is absent where they said
 * nothing.
 */
export type ExaminedDocument = DocumentReport & { console?: ConsoleMessage[] };

export interface ReadDocumentResult {
  /** null when the text cannot be opened at all; the issues say why */
  document: ModelDocument | null;
  issues: DocumentIssue[];
  /** format version the text had, when it was migrated from an older one */
  migratedFrom?: number;
}

/** Formats of models beside the document's own file. */
export const MODEL_FORMATS = ['siconos-python', 'json', 'svg', 'spice'] as const;
export type ModelFormatName = (typeof MODEL_FORMATS)[number];

/** A format of data, as the host offers it. */
export interface DataFormatInfo {
  /** ending of its files, with the dot, by which it is named */
  extension: string;
  title: string;
  /** what a file holds and who reads it, a sentence or two */
  help: string;
}

/** A data file that waits to be taken away by its ticket. */
export interface WrittenTable {
  ticket: string;
  rows: number;
  bytes: number;
}

export interface ModelExport {
  text: string;
  /** ending of the file's name, with the dot */
  extension: string;
  /** what is left out or different, one sentence each */
  warnings: string[];
}

/** text of a unit, such as N s/m */
const unitText = z.string().max(100);

/** How values of a unit are written in another one: multiplied by the factor; else why they cannot be. */
export type ConvertedUnit = { factor: number } | { message: string; remedy: string };
export type { UnitChoice };

/** parameter values by name */
const parameterValues = z.record(z.string().max(200), z.union([z.number(), z.string().max(10_000)]));
/** simulated seconds in one of wall time */
const speed = z.number().positive().max(1e9).nullable();
/** steps; of the event-driven scheme, steps or events between them */
const stepCount = z.number().int().min(1).max(MAX_RECORDED_ROWS);

const start = z.strictObject({
  document: anyDocumentSchema,
  /** parameter values that replace the document's for this run */
  set: parameterValues.optional(),
  /** only every n-th step is recorded; absent means the document's choice */
  every: z.number().int().min(1).max(MAX_RECORDED_ROWS).optional(),
  /** whether it waits at the start to be sent on */
  paused: z.boolean().optional(),
  /** absent and null: as fast as possible */
  speed: speed.optional(),
  h: z.number().positive().optional(),
  tEnd: z.number().optional(),
  /** in place of the document's */
  scheme: z.enum(['time-stepping', 'event-driven'] satisfies SchemeName[]).optional(),
  /** whether the initial state is moved onto the joints first */
  project: z.boolean().optional(),
  /** recorded signals; absent means the document's choice */
  signals: z.array(signalName).max(100_000).optional(),
  /** the saved run that it goes on from: of the same model, but for values of parameters */
  from: z
    .strictObject({
      /** as `run.saveState` gives it */
      state: z.string(),
      /** name of its file, for messages */
      file: z.string().max(4096),
      /** s; absent: where it ended */
      time: z.number().optional(),
    })
    .optional(),
  name: z.string().max(200).optional(),
  /** names of its document, by which its runs are found later */
  belongsTo: z.array(documentKey).max(8).optional(),
  /** common name of runs that are started together */
  group: z.string().min(1).max(200).optional(),
  /**
   * it follows a slider: it comes before others, and takes the place of one that waits for the same document
   */
  live: z.boolean().optional(),
  /**
   * what is recorded; of `last`, the last rows can be read and nothing is written to the disk. Absent: all
   */
  keep: z.enum(['all', 'last']).optional(),
  /**
   * whether its accuracy is measured when it is over, unless it is long, follows a slider or belongs to a
   * group; true when absent
   */
  measure: z.boolean().optional(),
});

/** name of an analysis and of all that it depends on */
const jobName = z.string().regex(/^[0-9a-f]{64}$/);
/** ending of a data file, with the dot */
const dataFormat = z.string().regex(/^\.[a-z0-9]{1,16}$/);
/** whether a CSV file has what made it above its header */
const comments = z.boolean().optional();
/** secret that a data file is taken away by */
const ticket = z.string().regex(/^[\w-]{32}$/);

/** Parameter schemas by method name. */
export const methodParams = {
  'app.info': empty,
  catalogue: empty,
  /** starts or restarts the journal of a document's unsaved edits with the current document */
  'journal.begin': z.strictObject({
    journal: journalSchemas.journal,
    page: journalSchemas.page,
    file: journalSchemas.file,
    edits: z.number().int().min(0),
    document: anyDocumentSchema,
  }),
  'journal.append': z.strictObject({ journal: journalSchemas.journal, entries: journalSchemas.entries }),
  /** the document has been saved or given up; of another page, only of one that is gone */
  'journal.end': z.strictObject({ journal: journalSchemas.journal, page: journalSchemas.page.optional() }),
  'journal.list': empty,
  'journal.read': z.strictObject({ journal: journalSchemas.journal, page: journalSchemas.page.optional() }),
  /** a page is there and writes these journals; it says so every few seconds */
  'journal.attend': z.strictObject({
    page: journalSchemas.page,
    profile: journalSchemas.profile,
    journals: journalSchemas.journals,
  }),
  /** the connection of a page has ended; or it is gone, as a page of the same profile knows */
  'journal.leave': z.strictObject({ page: journalSchemas.page, gone: z.boolean().optional() }),
  'settings.read': empty,
  /** new values by key; null takes a setting back to its default */
  'settings.write': z.strictObject({ changes: z.record(z.string().max(100), z.unknown()) }),
  'examples.list': empty,
  'examples.read': z.strictObject({ name: z.string().regex(/^[a-z0-9-]+$/) }),
  'document.read': z.strictObject({ text: z.string() }),
  'document.write': z.strictObject({ document: anyDocumentSchema }),
  'document.report': z.strictObject({ document: anyDocumentSchema }),
  'document.topology': z.strictObject({ document: anyDocumentSchema }),
  /** the model in another form, for a file */
  'document.export': z.strictObject({
    document: anyDocumentSchema,
    format: z.enum(MODEL_FORMATS),
    /** parameter values that replace the document's */
    set: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
    /** whether the elements of builder scripts are spelt out */
    expand: z.boolean().optional(),
  }),
  /** makes a model of a netlist, which opens no file itself: its user chooses what it includes */
  'netlist.import': z.strictObject({
    /** of its file; its ending says what it is */
    name: z.string().min(1).max(300),
    text: z.string(),
    /** texts of files that it includes, by their names */
    files: z.record(z.string().max(300), z.string()).optional(),
  }),
  /** reads a library of components of one’s own, with the hash of its content */
  'library.read': z.strictObject({ text: z.string() }),
  /** the text of a library of the sub-models of a document, with the hash of its content */
  'library.write': z.strictObject({ title: z.string().min(1).max(200), document: anyDocumentSchema }),
  /** compares given Jacobians with derived ones, and says how the others are obtained; executes scripts */
  'document.derivatives': z.strictObject({ document: anyDocumentSchema }),
  /** moves the initial state onto the joints of the model; the document itself is not changed */
  'document.project': z.strictObject({ document: anyDocumentSchema }),
  /** factors of values from one unit to another, in the order of the pairs */
  'units.convert': z.strictObject({
    pairs: z.array(z.strictObject({ from: unitText, to: unitText })).max(10_000),
  }),
  /** units that values of a unit are commonly shown in, itself first */
  'units.choices': z.strictObject({ unit: unitText }),
  'run.start': start,
  /** measures the accuracy of a run that is over, also of a long one, and answers when that is done */
  'run.accuracy': z.strictObject({ runId, long: z.boolean().optional() }),
  'run.pause': z.strictObject({ runId }),
  'run.resume': z.strictObject({ runId }),
  'run.cancel': z.strictObject({ runId }),
  /**
   * advances by a number of steps and pauses; answers on arrival, or with the run still running if that takes
   * long
   */
  'run.step': z.strictObject({ runId, count: stepCount.optional() }),
  /** the same to the first step that reaches a time, s */
  'run.runTo': z.strictObject({ runId, time: z.number() }),
  /**
   * goes back by a number of steps, which a long run partly recomputes; shortens the recording and undoes
   * later changes
   */
  'run.stepBack': z.strictObject({ runId, count: stepCount.optional() }),
  /** back to the start, and pauses there */
  'run.reset': z.strictObject({ runId }),
  'run.speed': z.strictObject({ runId, speed }),
  /** goes on with other values of parameters from the present state */
  'run.setParameters': z.strictObject({ runId, values: parameterValues }),
  'run.rename': z.strictObject({ runId, name: z.string().trim().min(1).max(200) }),
  /** computes the run once more, exactly: same model, values, settings and changes on the way */
  'run.repeat': z.strictObject({ runId, paused: z.boolean().optional() }),
  /** a run that goes on from another one, with the bits of one that never stopped */
  'run.continue': z.strictObject({
    runId,
    /** s; absent: from where it has ended */
    time: z.number().optional(),
    /** s; absent: its own end, or as long again where it has come to that */
    tEnd: z.number().optional(),
    set: parameterValues.optional(),
    paused: z.boolean().optional(),
  }),
  /** where a run has ended, as the text of a file that another run can go on from */
  'run.saveState': z.strictObject({ runId }),
  /** the document of a run with a state that is known by signals alone as its initial one */
  'run.stateDocument': z.strictObject({
    runId,
    /** s */
    time: z.number(),
    values: z.record(signalName, z.number()),
  }),
  /** the model as it was computed, with the values and settings of the run */
  'run.document': z.strictObject({ runId }),
  /** where a paused or ended run stands, as initial values */
  'run.state': z.strictObject({ runId }),
  /**
   * the model with that state as its initial one: of a run that failed, its first step is the one that failed
   */
  'run.momentDocument': z.strictObject({ runId }),
  /** keeps it in the plots for comparison, and on the disk when others are removed */
  'run.pin': z.strictObject({ runId, pinned: z.boolean() }),
  /** the documents that a page has open: answers with their runs, those of earlier sessions included */
  'run.attend': z.strictObject({ page: journalSchemas.page, documents: z.array(documentKey).max(1000) }),
  /** runs belong to one more document, such as the file that their model was saved as */
  'run.assign': z.strictObject({ document: documentKey, runs: z.array(runId).max(100_000) }),
  'run.list': empty,
  'run.get': z.strictObject({ runId }),
  /** it can be restored for a while, unless that is not wanted or nothing lasts */
  'run.delete': z.strictObject({ runId, forGood: z.boolean().optional() }),
  /** brings a deleted run back */
  'run.restore': z.strictObject({ runId }),
  'run.storage': empty,
  /** removes for good all kept runs that are neither pinned nor in use, and those that were deleted */
  'run.clear': empty,
  /**
   * begins an analysis of the document, goes on with one that was interrupted, or has it at once where it is
   * known
   */
  'analysis.start': z.strictObject({ document: anyDocumentSchema, analysis: z.string().min(1).max(64) }),
  /** what is known of the analyses of the document, in their order */
  'analysis.find': z.strictObject({ document: anyDocumentSchema }),
  'analysis.list': empty,
  'analysis.cancel': z.strictObject({ job: jobName }),
  'analysis.outcome': z.strictObject({ job: jobName }),
  /** its result is removed, and what was computed of it */
  'analysis.forget': z.strictObject({ job: jobName }),
  /** writes what it has found of this document to a data file, as `data.export` does */
  'analysis.export': z.strictObject({
    exportId: z.uuid(),
    document: anyDocumentSchema,
    analysis: z.string().min(1).max(64),
    format: dataFormat,
    comments,
  }),
  'data.formats': empty,
  /** writes a data file; the answer has the ticket by which it is taken away */
  'data.export': z.strictObject({
    /** made by the caller, who may cancel by it */
    exportId: z.uuid(),
    runId,
    format: dataFormat,
    comments,
    /** absent: all that is recorded */
    signals: z.array(signalName).min(1).max(100_000).optional(),
    /** points of this section, in place of the rows of the run */
    section: z.string().min(1).max(64).optional(),
    /** s */
    from: z.number().optional(),
    to: z.number().optional(),
    every: z.number().int().min(1).max(MAX_RECORDED_ROWS).optional(),
  }),
  'data.cancelExport': z.strictObject({ exportId: z.uuid() }),
  /** a file that is never deleted */
  'data.dropExport': z.strictObject({ ticket }),
  ...readingParams,
  ...figureParams,
} as const satisfies Record<string, z.ZodType>;

export type MethodName = keyof typeof methodParams;
export type MethodParams<M extends MethodName> = z.infer<(typeof methodParams)[M]>;

/** Results by method name. */
export interface MethodResults extends ReadingResults, FigureResults {
  'app.info': AppInfo;
  catalogue: Catalogue;
  'journal.begin': Record<string, never>;
  /** known is false when there is no such journal: it has to be begun */
  'journal.append': { known: boolean };
  'journal.end': Record<string, never>;
  'journal.list': JournalInfo[];
  'journal.read': JournalContent;
  /** journals that no longer match what the page wrote, so the page must restart them */
  'journal.attend': { lost: string[] };
  'journal.leave': Record<string, never>;
  'settings.read': SettingsState;
  'settings.write': SettingsState;
  'examples.list': ExampleInfo[];
  'examples.read': { text: string };
  'document.read': ReadDocumentResult;
  'document.write': { text: string };
  'document.report': ExaminedDocument;
  'document.topology': TopologyReport;
  'document.export': ModelExport;
  'netlist.import': ImportedNetlist;
  'library.read': ReadLibrary;
  'library.write': { text: string; hash: string };
  'document.derivatives': DerivativeReview;
  'document.project': InitialProjection;
  'units.convert': ConvertedUnit[];
  'units.choices': UnitChoice[];
  'run.start': RunInfo;
  'run.accuracy': RunInfo;
  'run.pause': RunInfo;
  'run.resume': RunInfo;
  'run.cancel': RunInfo;
  'run.step': RunInfo;
  'run.runTo': RunInfo;
  'run.stepBack': RunInfo;
  'run.reset': RunInfo;
  'run.speed': RunInfo;
  'run.setParameters': RunInfo;
  'run.rename': RunInfo;
  'run.repeat': RunInfo;
  'run.continue': RunInfo;
  'run.saveState': { text: string };
  'run.stateDocument': { document: ModelDocument; missing: readonly string[] };
  /** `origin` is without the values and settings of the run */
  'run.document': { document: ModelDocument; origin: ModelDocument };
  'run.state': InitialState;
  'run.momentDocument': { document: ModelDocument; missing: readonly string[] };
  'run.pin': RunInfo;
  'run.attend': AttendedRuns;
  'run.assign': Record<string, never>;
  'run.list': RunInfo[];
  'run.get': RunInfo;
  'run.delete': Record<string, never>;
  'run.restore': RunInfo;
  'run.storage': RunStorage;
  'run.clear': RemovedRuns;
  'analysis.start': AnalysisInfo;
  /** null for one that was never started, or has defects */
  'analysis.find': (AnalysisInfo | null)[];
  'analysis.list': AnalysisInfo[];
  'analysis.cancel': AnalysisInfo;
  'analysis.outcome': AnalysisOutcome;
  'analysis.forget': Record<string, never>;
  'analysis.export': WrittenTable;
  'data.formats': DataFormatInfo[];
  'data.export': WrittenTable;
  'data.cancelExport': Record<string, never>;
  'data.dropExport': Record<string, never>;
}

export type MethodResult<M extends MethodName> = MethodResults[M];

/** Events the host emits, by name. */
export interface HostEvents {
  /** at most ten a second for each run, and once at every change of state */
  'run.progress': { run: RunInfo };
  /** at most ten a second for each analysis, and once at every change of state */
  'analysis.progress': { analysis: AnalysisInfo };
  /** how much of a data file has been written, from 0 to 1 */
  'data.progress': { exportId: string; part: number };
  /**
   * kept runs were removed because they took more of the disk than is granted; `over` when they still do,
   * bytes
   */
  'run.removed': RemovedRuns & { limit: number; over: number };
  /** what a script said on the console */
  'run.console': { runId: string } & ConsoleMessage;
  /** settings have been changed, in whichever window */
  'settings.changed': { changed: ChangedSettings };
}

type HostEventName = keyof HostEvents;
export type HostEvent = { [E in HostEventName]: { event: E; data: HostEvents[E] } }[HostEventName];

/** What every door offers to its callers. */
export interface Dispatcher {
  dispatch<M extends MethodName>(method: M, params: MethodParams<M>): Promise<MethodResult<M>>;
  /** @returns a function that ends the subscription */
  onEvent(listener: (event: HostEvent) => void): () => void;
}
