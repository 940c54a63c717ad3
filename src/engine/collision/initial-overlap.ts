/** Shapes that overlap where a run starts: what a model should not have, in words. */
import type { ContactDetection } from './contact-detection';
import { CONTACT } from './narrow-phase/pair-contacts';

export interface Overlap {
  /** numbers of the shapes */
  readonly first: number;
  readonly second: number;
  /** m, positive */
  readonly depth: number;
}

/**
 * Pairs of shapes of the last step that overlap by more than a tolerance, each with its deepest contact; the deepest pair first.
 * @param tolerance m: what is meant to touch overlaps by rounding
 */
export function overlaps(detection: ContactDetection, tolerance: number): Overlap[] {
  const { manifolds } = detection;
  const deepest = new Map<string, Overlap>();
  for (let k = 0; k < manifolds.count; k++) {
    const depth = -manifolds.values[CONTACT * k];
    if (!(depth > tolerance)) continue;
    const first = manifolds.first[k];
    const second = manifolds.second[k];
    const known = deepest.get(`${first} ${second}`);
    if (known === undefined || known.depth < depth)
      deepest.set(`${first} ${second}`, { first, second, depth });
  }
  return [...deepest.values()].sort((a, b) => b.depth - a.depth);
}

/** @param name of the element that has a shape */
export function describeOverlap(overlap: Overlap, name: (shape: number) => string): string {
  return (
    `“${name(overlap.first)}” and “${name(overlap.second)}” overlap by ${overlap.depth.toPrecision(3)} m at the start. ` +
    'The first steps will push them apart, as if they had been pressed together; move one of them, or leave it if that is meant.'
  );
}
