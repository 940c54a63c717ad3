/** One run of the gallery and its verdicts, as the program gives them, without a reference solution. */
import { createHash } from 'node:crypto';
import { type Verdict, verdictOf } from '@contract/verdict';
import type { RunAccuracy } from '@contract/runs';
import type { SchemeName } from '@engine/document/types';
import { type Accuracy, measureAccuracy } from '@engine/analysis/accuracy/measure';
import { readDocument } from '@engine/document/read';
import { MemoryChunks } from '@engine/recording/chunks';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { prepareRun, type RunSession, type RunSpecification } from '@engine/run/session';

/** An example of the gallery, or the first part of it. */
export interface GalleryRun {
  readonly name: string;
  readonly text: string;
  /** in place of its own */
  readonly scheme?: SchemeName;
  /** settings of the simulation in place of its own */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** most steps of its run */
  readonly steps: number;
}

export interface Judged {
  readonly outcome: 'done' | 'refused' | 'failed' | 'endless';
  /** why it is not done */
  readonly message: string;
  readonly verdict: Verdict;
  /** which verdict fails, and by what */
  readonly words: string;
  /** of all that is recorded */
  readonly digest: string;
  /** where it was measured */
  readonly accuracy: Accuracy | null;
  /** s of one core */
  readonly seconds: number;
}

/** A run that records more rows for each of its steps comes to no end. */
const ROWS_FOR_A_STEP = 50;
const SLICE = 1024;

const UNKNOWN: Verdict = { solved: 'unknown', complete: 'unknown', accurate: 'unknown', all: 'unknown' };
const silent = (): ReturnType<typeof createSandbox> => createSandbox(() => undefined);

export function specificationOf({ text, scheme, settings, steps }: GalleryRun): RunSpecification {
  const { document } = readDocument(text);
  if (document === null) throw new Error('the example cannot be opened');
  Object.assign(document.simulation, settings);
  const { values } = reportDocument(document);
  const number = (key: 't0' | 'tEnd' | 'h'): number => {
    const value = document.simulation[key];
    return typeof value === 'number' ? value : values[`/simulation/${key}`];
  };
  return { document, scheme, tEnd: Math.min(number('tEnd'), number('t0') + steps * number('h')) };
}

/**
 * Computes a run and judges it.
 * @param measures whether its accuracy is measured, where the two other verdicts hold
 * @param look shown the run when it is done
 */
export function judge(
  run: GalleryRun,
  measures: boolean,
  look: (session: RunSession, recording: MemoryChunks) => void = () => undefined,
): Judged {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  const specification = specificationOf(run);
  const recording = new MemoryChunks();
  const prepared = prepareRun(
    { ...specification, every: 1 },
    { sandbox: silent, sink: recording, recordsTrajectory: true },
  );
  const ended = (outcome: Judged['outcome'], message: string): Judged => ({
    outcome,
    message,
    verdict: UNKNOWN,
    words: outcome,
    digest: '',
    accuracy: null,
    seconds: seconds(),
  });
  if (!prepared.ok) return ended('refused', prepared.error.message);
  const { session } = prepared;
  for (;;) {
    const state = session.advance(SLICE);
    if (state === 'failed') return ended('failed', session.error?.message ?? '');
    if (state === 'done') break;
    if (session.rows > ROWS_FOR_A_STEP * (run.steps + SLICE)) return ended('endless', 'rows without end');
  }
  look(session, recording);
  const digest = digestOf(recording);
  const accuracy = measures && !fails(session) ? measured(specification) : undefined;
  const verdict = judgedBy(session, accuracy);
  return {
    outcome: 'done',
    message: '',
    verdict,
    words: wordsOf(session, verdict),
    digest,
    accuracy: accuracy?.state === 'measured' ? accuracy.accuracy : null,
    seconds: seconds(),
  };
}

function judgedBy({ certificate, complete }: RunSession, accuracy: RunAccuracy | undefined): Verdict {
  const statistics = { certificate, complete } as Parameters<typeof verdictOf>[0]['statistics'];
  return verdictOf({ statistics, accuracy } as Parameters<typeof verdictOf>[0]);
}

const fails = (session: RunSession): boolean => judgedBy(session, undefined).all === 'fails';

function measured(specification: RunSpecification): RunAccuracy {
  const found = measureAccuracy(specification, silent, true);
  if (found.ok) return { state: 'measured', accuracy: found.accuracy };
  return { state: 'unknown', reason: found.reason, message: found.message };
}

function wordsOf({ certificate }: RunSession, { solved, complete, accurate }: Verdict): string {
  if (solved === 'fails') {
    const { dynamics, complementarity, coneViolation, blocks } = certificate;
    const figures = { dynamics, complementarity, coneViolation, blocks: blocks?.worst ?? 0 };
    const [worst, value] = Object.entries(figures).reduce((a, b) => (a[1] >= b[1] ? a : b));
    return `solved: ${worst} ${value.toPrecision(2)}`;
  }
  if (complete === 'fails') return 'complete';
  return accurate === 'fails' ? 'accurate' : '';
}

function digestOf(recording: MemoryChunks): string {
  const hash = createHash('sha1');
  const { columns, rowsPerChunk } = recording.layout;
  const rows = recording.rows();
  for (let chunk = 0; chunk * rowsPerChunk < rows; chunk++)
    for (let c = 0; c < columns; c++)
      hash.update(recording.column(chunk, c).slice(0, Math.min(rowsPerChunk, rows - chunk * rowsPerChunk)));
  return hash.digest('hex');
}
