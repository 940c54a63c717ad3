/** Arrays that grow: while a model warms up, not afterwards. */

/** The same numbers at the front of a longer array; the rest is zero. */
export function widened(array: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(length);
  copy.set(array);
  return copy;
}

/** As `widened`, of whole numbers. */
export function widenedInt(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array);
  return copy;
}

/** As `widened`, of small whole numbers. */
export function widenedBytes(array: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(length);
  copy.set(array);
  return copy;
}
