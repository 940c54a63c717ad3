/**
 * Reverse Cuthill–McKee ordering: numbers neighbours close together, so that an envelope factorisation stays
 * thin.
 */
import type { SparseRows } from './sparse';

/**
 * @param pattern square and structurally symmetric
 * @returns order[k] = row that comes k-th. Cuthill and McKee 1969
 */
export function reverseCuthillMcKee(pattern: SparseRows): Int32Array {
  const n = pattern.rows;
  const order = new Int32Array(n);
  const placed = new Uint8Array(n);
  const degree = (i: number): number => pattern.rowStart[i + 1] - pattern.rowStart[i];
  // Starting each component at a row of least degree is the cheap stand-in for a peripheral node.
  const starts = Array.from({ length: n }, (_, i) => i).sort((a, b) => degree(a) - degree(b) || a - b);
  let count = 0;
  for (const start of starts) {
    if (placed[start] === 1) continue;
    placed[start] = 1;
    order[count++] = start;
    for (let head = count - 1; head < count; head++) {
      const row = order[head];
      const next: number[] = [];
      for (let k = pattern.rowStart[row]; k < pattern.rowStart[row + 1]; k++) {
        const neighbour = pattern.columns[k];
        if (placed[neighbour] === 1) continue;
        placed[neighbour] = 1;
        next.push(neighbour);
      }
      next.sort((a, b) => degree(a) - degree(b) || a - b);
      for (const neighbour of next) order[count++] = neighbour;
    }
  }
  return order.reverse();
}

/*
 * Minimum-degree ordering: eliminates next what is coupled to least, which keeps the factors of sparse
 * matrices with a symmetric pattern sparse, those of piles in space above all, where an envelope fills.
 *
 * What an elimination couples stays together as an element, the list of its variables; an element swallows
 * those that it is made of, so that the lists never take more room than the matrix. The degree is bounded
 * from above by what the elements of a variable have outside of the newest one (Amestoy, Davis and Duff
 * 1996). Ties go to the smaller index.
 */

/**
 * @param pattern square and structurally symmetric; entries on the diagonal count for nothing
 * @returns order[k] = row that is eliminated k-th
 */
export function minimumDegree(pattern: SparseRows): Int32Array {
  const n = pattern.rows;
  const variables = neighbours(pattern);
  /** elements of a variable, each named by the variable whose elimination made it */
  const elements: number[][] = Array.from({ length: n }, () => []);
  /** variables of an element; null once it is swallowed */
  const members: (number[] | null)[] = Array.from({ length: n }, () => null);
  const degree = variables.map((list) => list.length);
  const queue = new DegreeQueue(degree);
  const order = new Int32Array(n);
  const mark = new Int32Array(n).fill(-1);
  const outside = new Int32Array(n);
  const seen = new Int32Array(n).fill(-1);
  for (let k = 0; k < n; k++) {
    const pivot = queue.takeSmallest();
    order[k] = pivot;
    mark[pivot] = k;
    const front: number[] = [];
    const add = (variable: number): void => {
      if (mark[variable] === k) return;
      mark[variable] = k;
      front.push(variable);
    };
    variables[pivot].forEach(add);
    for (const element of elements[pivot]) {
      members[element]?.forEach(add);
      members[element] = null;
    }
    members[pivot] = front;
    countOutside(front, elements, members, outside, seen, k);
    for (const variable of front) {
      // What the new element couples need not be said of each pair any more, nor what an element couples that
      // it contains.
      variables[variable] = variables[variable].filter((other) => mark[other] !== k);
      const kept = elements[variable].filter((element) => members[element] !== null && outside[element] > 0);
      let bound = variables[variable].length + front.length - 1;
      for (const element of kept) bound += outside[element];
      kept.push(pivot);
      elements[variable] = kept;
      queue.change(variable, Math.min(bound, n - k - 2));
    }
  }
  return order;
}

/** outside[e] ← variables of element e that are not in the front, for all elements that touch it. */
function countOutside(
  front: readonly number[],
  elements: readonly (readonly number[])[],
  members: readonly (readonly number[] | null)[],
  outside: Int32Array,
  seen: Int32Array,
  k: number,
): void {
  for (const variable of front) {
    for (const element of elements[variable]) {
      if (seen[element] !== k) {
        seen[element] = k;
        outside[element] = members[element]?.length ?? 0;
      }
      outside[element]--;
    }
  }
}

function neighbours({ rows, rowStart, columns }: SparseRows): number[][] {
  return Array.from({ length: rows }, (_, i) => {
    const others: number[] = [];
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) if (columns[k] !== i) others.push(columns[k]);
    return others;
  });
}

/** Variables by degree, in a binary heap ordered by degree and index. */
class DegreeQueue {
  readonly #heap: Int32Array;
  readonly #place: Int32Array;
  #length: number;

  constructor(private readonly degree: number[]) {
    this.#length = degree.length;
    this.#heap = Int32Array.from(degree, (_, i) => i);
    this.#place = Int32Array.from(this.#heap);
    for (let i = (this.#length >> 1) - 1; i >= 0; i--) this.#sink(i);
  }

  takeSmallest(): number {
    const first = this.#heap[0];
    this.#length--;
    if (this.#length > 0) {
      this.#put(0, this.#heap[this.#length]);
      this.#sink(0);
    }
    return first;
  }

  change(variable: number, degree: number): void {
    this.degree[variable] = degree;
    this.#rise(this.#place[variable]);
    this.#sink(this.#place[variable]);
  }

  #put(place: number, variable: number): void {
    this.#heap[place] = variable;
    this.#place[variable] = place;
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.degree[a] - this.degree[b];
    return difference < 0 || (difference === 0 && a < b);
  }

  #rise(from: number): void {
    let place = from;
    const variable = this.#heap[place];
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(variable, this.#heap[parent])) break;
      this.#put(place, this.#heap[parent]);
      place = parent;
    }
    this.#put(place, variable);
  }

  #sink(from: number): void {
    let place = from;
    const variable = this.#heap[place];
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#length) break;
      if (child + 1 < this.#length && this.#isBefore(this.#heap[child + 1], this.#heap[child])) child++;
      if (!this.#isBefore(this.#heap[child], variable)) break;
      this.#put(place, this.#heap[child]);
      place = child;
    }
    this.#put(place, variable);
  }
}
