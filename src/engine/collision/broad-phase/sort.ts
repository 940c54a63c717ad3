/** Sorts the first `count` numbers upwards, in place and without allocation (J. W. J. Williams, heapsort, 1964). */
export function sortAscending(values: Float64Array, count: number): void {
  for (let k = (count >> 1) - 1; k >= 0; k--) sift(values, k, count);
  for (let end = count - 1; end > 0; end--) {
    const largest = values[0];
    values[0] = values[end];
    values[end] = largest;
    sift(values, 0, end);
  }
}

function sift(values: Float64Array, from: number, count: number): void {
  const value = values[from];
  let k = from;
  for (;;) {
    let child = 2 * k + 1;
    if (child >= count) break;
    if (child + 1 < count && values[child + 1] > values[child]) child++;
    if (values[child] <= value) break;
    values[k] = values[child];
    k = child;
  }
  values[k] = value;
}
