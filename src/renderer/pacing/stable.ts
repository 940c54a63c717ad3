/** Computed values that do not change with every news of a run. */
import { computed, type ComputedRef } from 'vue';

/** Whether two arrays, or two objects, have the same parts. */
function isAlike(a: object, b: object): boolean {
  const before = Object.entries(a);
  const now = new Map<string, unknown>(Object.entries(b));
  return (
    before.length === now.size &&
    before.every(([key, value]) => now.has(key) && Object.is(value, now.get(key)))
  );
}

/**
 * A computed array or record that stays the same object while its parts stay the same. What hangs on it, such
 * as the drawing of a chart, then follows changes of its content and not of the messages it came with.
 */
export function stable<T extends object>(get: () => T): ComputedRef<T> {
  return computed<T>((old) => {
    const now = get();
    return old !== undefined && isAlike(old, now) ? old : now;
  });
}
