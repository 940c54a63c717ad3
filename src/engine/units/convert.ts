/** Conversions as the window asks for them. */
import { conversion } from './conversion';
import { unitProblemWords } from './words';

/** The factor of each pair, or why there is none. */
export function convertUnits(
  pairs: readonly { from: string; to: string }[],
): ({ factor: number } | { message: string; remedy: string })[] {
  return pairs.map(({ from, to }) => {
    const found = conversion(from, to);
    return 'factor' in found ? { factor: found.factor } : unitProblemWords(found.problem, from, to);
  });
}
