/** Judges runs of the gallery with the engine that it is bundled with. */
import { Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import { type GalleryRun, judge } from './judge';

export interface Request {
  readonly run: GalleryRun;
  readonly measures: boolean;
}

/** Half-open stretch of the bundle's text and how often it is executed. */
export interface Stretch {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/**
 * Whether what of the bundle is executed is counted: from the start on, since code that is compiled before is
 * not counted block by block.
 */
const { counts } = workerData as { counts: boolean };
const inspector = new Session();

function post(method: string, parameters: object = {}): unknown {
  let answer: unknown;
  // The inspector of a thread answers at once.
  inspector.post(method, parameters, (error, result) => {
    if (error !== null) throw error;
    answer = result;
  });
  return answer;
}

if (counts) {
  inspector.connect();
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

parentPort?.on('message', ({ run, measures }: Request) => {
  let judged;
  try {
    judged = judge(run, measures);
  } catch (error) {
    judged = thrown(error);
  }
  let stretches: Stretch[] = [];
  if (counts) {
    const { result } = post('Profiler.takePreciseCoverage') as {
      result: { url: string; functions: { ranges: Stretch[] }[] }[];
    };
    stretches = result
      .filter(({ url }) => url.endsWith('.mjs'))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  }
  parentPort?.postMessage({ judged, stretches });
});

/** An exception that reaches the host fails the run. */
const thrown = (error: unknown): ReturnType<typeof judge> => ({
  outcome: 'failed',
  message: String(error),
  verdict: { solved: 'unknown', complete: 'unknown', accurate: 'unknown', all: 'unknown' },
  words: 'failed',
  digest: '',
  accuracy: null,
  seconds: 0,
});
