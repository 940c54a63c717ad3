/** Computes a layout beside the window's thread, and tells how far it is. */
import { arrange, type ArrangeAnswer } from './arrange-impl';
import type { LaidOutElements } from './layout';

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<LaidOutElements>) => void) | null;
  postMessage: (answer: ArrangeAnswer) => void;
};

scope.onmessage = ({ data }) => {
  const positions = arrange(data, (share) => scope.postMessage({ kind: 'progress', share }));
  scope.postMessage({ kind: 'done', positions });
};
