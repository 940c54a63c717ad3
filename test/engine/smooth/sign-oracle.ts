/**
 * What the zeros of a function demand of a list of roots found. Between two neighbouring zeros the place
 * where the function is farthest from zero is a witness, if it is farther than rounding can blur; so is one
 * before the first and one behind the last. Between witnesses of opposite signs there must be an odd number
 * of crossings, between witnesses of the same sign an even one, rising and falling in turn; and the function
 * must be zero within the blur wherever a root was found.
 */
import { FALLING, RISING } from '@engine/smooth/event-functions';
import type { Found } from './search-harness';

export interface Judgement {
  /** what is wrong, null if nothing is */
  fault: string | null;
  /** crossings that the witnesses prove */
  proven: number;
}

const SAMPLES = 12;

/** Places of witnesses with their signs, ascending. */
function witnesses(
  value: (place: number) => number,
  zeros: readonly number[],
  blur: number,
): { place: number; sign: number }[] {
  const ends = [0, ...zeros, 1];
  return ends.slice(1).flatMap((to, k) => {
    const from = ends[k];
    let best = from;
    for (let i = 0; i <= SAMPLES; i++) {
      const place = from + ((to - from) * i) / SAMPLES;
      if (Math.abs(value(place)) > Math.abs(value(best))) best = place;
    }
    const size = value(best);
    return Math.abs(size) > blur ? [{ place: best, sign: Math.sign(size) }] : [];
  });
}

/** @param zeros all zeros in (0, 1), ascending */
export function judge(
  found: readonly Found[],
  value: (place: number) => number,
  zeros: readonly number[],
  blur: number,
): Judgement {
  const known = witnesses(value, zeros, blur);
  let proven = 0;
  for (const root of found) {
    if (Math.abs(value(root.place)) > blur) return { fault: `invented ${root.place}`, proven };
  }
  for (let k = 1; k < known.length; k++) {
    const [left, right] = [known[k - 1], known[k]];
    const between = found.filter((root) => root.place > left.place && root.place < right.place);
    const where = `between ${left.place} and ${right.place}`;
    let sign = left.sign;
    for (const { kind } of between) {
      const isCrossing = kind === RISING || kind === FALLING;
      if (isCrossing ? kind === sign : Math.sign(kind) !== sign)
        return { fault: `kind ${kind} ${where}`, proven };
      if (isCrossing) sign = kind;
    }
    if (sign !== right.sign) return { fault: `missed ${where}`, proven };
    if (left.sign !== right.sign) proven++;
  }
  return { fault: null, proven };
}
