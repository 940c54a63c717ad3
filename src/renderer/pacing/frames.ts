/** The frames of the window, as far as pacing needs them; tests hand in their own. */
import { nextTick } from 'vue';

export interface Frames {
  /** ms, always rising */
  now(): number;
  /** Resolves when all changes made so far stand in the document; they have not been painted then. */
  flushed(): Promise<void>;
  /** Resolves after the next frame has been painted, to the time at which it began, on the scale of `now`. */
  painted(): Promise<number>;
  /** Resolves after a delay, ms. */
  elapsed(delay: number): Promise<void>;
}

/** A window that is hidden paints no frames: what waits for one goes on after this long, ms. */
const HIDDEN_FRAME = 1000;

/**
 * Resolves after the frame that is being made: a message is delivered once the frame's own task has ended.
 */
function frameEnd(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The frames of this window. */
export const windowFrames: Frames = {
  now: () => performance.now(),
  flushed: () => nextTick(),
  painted: () =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(performance.now()), HIDDEN_FRAME);
      requestAnimationFrame((began) => {
        clearTimeout(timer);
        void frameEnd().then(() => resolve(began));
      });
    }),
  elapsed: (delay) => new Promise((resolve) => setTimeout(resolve, delay)),
};
