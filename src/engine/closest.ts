/** Suggestions for mistyped names. */

/** Levenshtein distance: insertions, deletions and substitutions that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[j] + 1, current[j - 1] + 1));
    }
    previous = current;
  }
  return previous[b.length];
}

/**
 * The name meant, when one is near enough: about one slip in three letters, two letters swapped being two.
 */
export function closest(given: string, names: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.ceil(given.length / 3) + 1;
  for (const name of names) {
    const distance = name.startsWith(given) && given.length > 1 ? 1 : editDistance(given, name);
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}
