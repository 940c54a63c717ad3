/** What signals of one kind end alike with, from a dot on: `.impulse` of the impulses of several contacts. */
export function commonEnding(names: readonly string[]): string {
  const [first, ...others] = names.map((name) => name.split('.'));
  if (first === undefined || others.length === 0) return '';
  let count = 0;
  // Of each name something is left.
  while (
    [first, ...others].every((parts) => parts.length > count + 1) &&
    others.every((parts) => parts.at(-1 - count) === first.at(-1 - count))
  )
    count++;
  return count === 0 ? '' : `.${first.slice(-count).join('.')}`;
}
