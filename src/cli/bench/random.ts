/** Random numbers of the benchmarks: the same on every machine. */

/** xorshift32 in [−1, 1): Marsaglia 2003 @param seed not zero */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 31 - 1;
  };
}
