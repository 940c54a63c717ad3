/**
 * Frozen prototypes behind which stores into elements stay fast.
 *
 * V8 notes of a frozen object that its elements are frozen, also where it has none, and takes the slow way
 * for `a[i] = x` wherever such an object stands among the prototypes of `a`: 40 ns in place of 1 (V8 11 of
 * Node 20; later versions do not). An object that cannot be extended and of which each property is fixed is
 * as frozen, and has no such note. So SES, which takes `Object.freeze` when it is loaded, is given one that
 * freezes the prototypes of arrays property by property first. To be imported before it.
 */
const { freeze } = Object;

const typedArray = Object.getPrototypeOf(Float64Array.prototype) as object;

/** What stands among the prototypes of arrays, and of arrays of numbers. */
export const PROTOTYPES: ReadonlySet<object> = new Set<object>([
  Object.prototype,
  Array.prototype,
  typedArray,
  ...[Float64Array, Float32Array, Int32Array, Uint32Array, Int16Array, Uint16Array, Int8Array].map(
    (of) => of.prototype as object,
  ),
  ...[Uint8Array, Uint8ClampedArray, BigInt64Array, BigUint64Array].map((of) => of.prototype as object),
]);

function fix(of: object): void {
  for (const key of Reflect.ownKeys(of)) {
    const isValue = Object.hasOwn(Object.getOwnPropertyDescriptor(of, key) ?? {}, 'value');
    Object.defineProperty(of, key, { configurable: false, ...(isValue && { writable: false }) });
  }
  Object.preventExtensions(of);
}

/** Those that have been frozen so. */
export const fixed = new Set<object>();

function freezeFast<T>(of: T): Readonly<T> {
  if (!PROTOTYPES.has(of as object)) return freeze(of);
  fix(of as object);
  fixed.add(of as object);
  const frozen = freeze(of);
  // What is changed property by property becomes a dictionary; as a prototype it is read fast again.
  Object.setPrototypeOf({}, of as object);
  return frozen;
}

/** A realm that is locked has loaded SES before. */
const isOpen = !Object.isFrozen(Object);
if (isOpen) Object.freeze = freezeFast;

/** `Object.freeze` is that of the host again. */
export function endLoading(): void {
  if (isOpen) Object.freeze = freeze;
}
