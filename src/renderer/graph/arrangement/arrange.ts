/** Asks the worker for a layout. One at a time: a new question, or a cancellation, ends the one before. */
import ArrangeWorker from './arrange.worker.ts?worker';
import type { ArrangeAnswer } from './arrange-impl';
import type { LaidOutElements, Point } from './layout';

export interface Arranging {
  /** null where it was cancelled */
  readonly positions: Promise<Record<string, Point> | null>;
  readonly cancel: () => void;
}

/**
 * Lays elements out in a worker.
 * @throws {Error} through the promise, when the worker is unavailable or fails
 */
export function arrangeInWorker(elements: LaidOutElements, onProgress: (share: number) => void): Arranging {
  const worker = new ArrangeWorker();
  let cancel = (): void => undefined;
  const positions = new Promise<Record<string, Point> | null>((resolve, reject) => {
    cancel = () => {
      worker.terminate();
      resolve(null);
    };
    worker.onmessage = ({ data }: MessageEvent<ArrangeAnswer>) => {
      if (data.kind === 'progress') {
        onProgress(data.share);
        return;
      }
      worker.terminate();
      resolve(data.positions);
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(event.message));
    };
    const { systems, interactions, groups = [] } = elements;
    worker.postMessage({
      systems: systems.map(({ id }) => ({ id })),
      interactions: interactions.map(({ id, systems: linked }) => ({ id, systems: [...linked] })),
      groups: groups.map(({ id, members, collapsed }) => ({ id, members: [...members], collapsed })),
    });
  });
  return { positions, cancel: () => cancel() };
}
