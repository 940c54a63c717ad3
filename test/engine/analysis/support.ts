/** Recordings for comparisons: rows as given, and runs of documents. */
import type { ComparedRecording, Span } from '@engine/analysis/comparison/recorded-rows';
import { compareRecordings, type RecordingComparison } from '@engine/analysis/comparison/compare-recordings';
import type { ModelDocument, SchemeName } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun, type RunSession } from '@engine/run/session';

/** Small chunks, so that every longer recording has several. */
const ROWS_PER_CHUNK = 64;

/** A recording of these rows: time first, then the other columns. */
function recordingOf(rows: readonly (readonly number[])[]): MemoryChunks {
  const chunks = new MemoryChunks();
  let buffer = chunks.open({ columns: rows[0].length, rowsPerChunk: ROWS_PER_CHUNK });
  rows.forEach((row, i) => {
    if (i > 0 && i % ROWS_PER_CHUNK === 0) buffer = chunks.next();
    row.forEach((value, c) => (buffer[c * ROWS_PER_CHUNK + (i % ROWS_PER_CHUNK)] = value));
  });
  chunks.publish(rows.length);
  return chunks;
}

/** A recording with one signal, and with the impulse of one contact where a row has three columns. */
export function compared(
  rows: readonly (readonly number[])[],
  h: number,
  scheme: SchemeName = 'time-stepping',
): ComparedRecording {
  return { source: recordingOf(rows), scheme, h, signals: [1], impulses: rows[0].length > 2 ? [2] : [] };
}

const CONTACT = { signal: 'floor.impulse', element: 'floor' };

/** Compares recordings with one signal, `x`. */
export function compareRows(
  reference: ComparedRecording,
  other: ComparedRecording,
  span: Span,
): RecordingComparison {
  return compareRecordings(reference, other, ['x'], reference.impulses.length > 0 ? [CONTACT] : [], span);
}

export interface RecordedRun {
  readonly session: RunSession;
  readonly source: MemoryChunks;
  column(name: string): number;
}

/** Runs a document to its end. @throws when it is refused or fails */
export function recorded(
  document: ModelDocument,
  scheme: SchemeName,
  options: { h: number; tEnd: number; set?: Record<string, number> },
): RecordedRun {
  const source = new MemoryChunks();
  const prepared = prepareRun({ document, scheme, ...options }, { sandbox: createSandbox, sink: source });
  if (!prepared.ok) throw new Error(prepared.error.message);
  const { session } = prepared;
  if (session.advance(Number.MAX_SAFE_INTEGER) !== 'done') throw new Error(session.error?.message);
  return {
    session,
    source,
    column: (name) => {
      const index = session.signals.findIndex((signal) => signal.name === name);
      if (index < 0) throw new Error(`no signal ${name}`);
      return index;
    },
  };
}

/** Compares runs of one model in some signals and, where it is named, the contact `element`. */
export function compareRuns(
  reference: RecordedRun,
  other: RecordedRun,
  names: readonly string[],
  element: string | null,
): RecordingComparison {
  const contacts = element === null ? [] : [{ signal: `${element}.impulse`, element }];
  const part = ({ session, source, column }: RecordedRun): ComparedRecording => ({
    source,
    scheme: session.scheme,
    h: session.h,
    signals: names.map(column),
    impulses: contacts.map(({ signal }) => column(signal)),
  });
  const { t0, tEnd } = other.session;
  return compareRecordings(part(reference), part(other), names, contacts, { from: t0, to: tEnd });
}
