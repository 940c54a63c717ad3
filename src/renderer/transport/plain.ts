import { isRef, toRaw, unref } from 'vue';

/**
 * Deep copy of `value` without Vue proxies, functions and undefined members, so that it can be
 * structured-cloned. Typed arrays are passed through, not copied.
 */
export function plain(value: unknown): unknown {
  const raw = toRaw(isRef(value) ? unref(value) : value);
  if (typeof raw !== 'object' || raw === null) return raw;
  if (ArrayBuffer.isView(raw)) return raw;
  if (Array.isArray(raw)) return raw.map(plain);
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(raw)) {
    if (member !== undefined && typeof member !== 'function') copy[key] = plain(member);
  }
  return copy;
}
