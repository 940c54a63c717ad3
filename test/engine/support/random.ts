/** Seeded random data: every run of the tests sees the same problems. */

export interface Random {
  /** uniform in [from, to) */
  uniform(from: number, to: number): number;
  /** whole number from … to, both included */
  integer(from: number, to: number): number;
  /** true with the given probability */
  chance(probability: number): boolean;
  /** distinct whole numbers below n, in random order */
  sample(count: number, n: number): number[];
}

/** SplitMix-style mixing of a counter: good enough for test data, and one line of state. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    uniform: (from, to) => from + (to - from) * next(),
    integer,
    chance: (probability) => next() < probability,
    sample: (count, n) => {
      const rest = Array.from({ length: n }, (_, i) => i);
      return Array.from({ length: count }, () => rest.splice(integer(0, rest.length - 1), 1)[0]);
    },
  };
}
