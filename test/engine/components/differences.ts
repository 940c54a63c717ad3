/** Disturbances of drawn models against differences of whole motions that start beside each other. */
import { type AnalysedMotion, analysedMotion } from '@engine/analysis/jobs/motion-of';
import { flowEnd, type FlowImage, followFlow } from '@engine/analysis/stability/flow-map';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';

export const environment = { sandbox: createSandbox, progress: (): void => undefined };

/**
 * Displacements relative to the sizes of states: a difference that several of them agree in is one. Next to
 * a border that the motion touches, differences are off by a part of the displacement, which two of them
 * take away.
 */
const DELTAS = [1e-3, 1e-4, 1e-5, 1e-6];
const RATIO = 10;

/** A state that stays below this is rounding of others. */
const NOTHING = 1e-15;

export interface Compared extends AnalysedMotion {
  readonly image: FlowImage;
  /** deviation of ∂P/∂x from the nearest of the differences, relative to sizes of states */
  readonly deviation: number;
}

/**
 * @param from s behind the start, up to where the model runs first
 * @param time s, of the motion that is differentiated
 * @returns null where a motion cannot be computed
 */
export function comparedWithDifferences(
  document: ModelDocument,
  from: number,
  time: number,
): Compared | null {
  const analysed = analysedMotion(document, {}, environment);
  const { motion, t0 } = analysed;
  const x = from > 0 ? flowEnd(motion, t0, from, motion.initialState)?.x : motion.initialState;
  if (x === undefined) return null;
  const begin = t0 + from;
  const image = followFlow(motion, begin, time, x);
  if (!image.ok) return null;
  const n = motion.size;
  const sizes = image.sizes.map((size) => (size > NOTHING ? size : 1));
  let deviation = 0;
  for (let j = 0; j < n; j++) {
    let best = Infinity;
    let last: Float64Array | null = null;
    const judge = (slopes: Float64Array): void => {
      const off = slopes.map((slope, i) => (Math.abs(slope - image.matrix[i + n * j]) * sizes[j]) / sizes[i]);
      best = Math.min(best, Math.max(...off));
    };
    for (const delta of DELTAS) {
      const ends = [-2, -1, 1, 2].map((place) => {
        const moved = x.slice();
        moved[j] += place * delta * sizes[j];
        return flowEnd(motion, begin, time, moved)?.x;
      });
      const [a, b, c, d] = ends;
      if (a === undefined || b === undefined || c === undefined || d === undefined) continue;
      const slopes = a.map((_, i) => (a[i] - 8 * b[i] + 8 * c[i] - d[i]) / (12 * delta * sizes[j]));
      judge(slopes);
      const before = last;
      if (before !== null) judge(slopes.map((slope, i) => (RATIO * slope - before[i]) / (RATIO - 1)));
      last = slopes;
    }
    deviation = Math.max(deviation, best);
  }
  return Number.isFinite(deviation) ? { ...analysed, image, deviation } : null;
}
