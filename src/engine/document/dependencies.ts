/** Order of definitions that use each other, such as parameters or observables. */

export interface DependencyOrder {
  /** positions, each after everything it uses; members of cycles stand where they were met */
  order: number[];
  /** each cycle as the names along it, the first repeated at the end */
  cycles: string[][];
}

/**
 * Depth-first search with a stack of its own: a chain of a hundred thousand definitions must not overflow the
 * program's.
 * @param names of the definitions, by position
 * @param uses names that each definition uses; others than `names` are passed over
 */
export function orderByDependency(
  names: readonly string[],
  uses: readonly (readonly string[])[],
): DependencyOrder {
  const index = new Map(names.map((name, i) => [name, i]));
  const NEW = 0;
  const OPEN = 1;
  const DONE = 2;
  const state = new Uint8Array(names.length);
  const order: number[] = [];
  const cycles: string[][] = [];
  const path: number[] = [];
  const next: number[] = [];
  for (let start = 0; start < names.length; start++) {
    if (state[start] !== NEW) continue;
    state[start] = OPEN;
    path.push(start);
    next.push(0);
    while (path.length > 0) {
      const top = path.length - 1;
      const i = path[top];
      if (next[top] === uses[i].length) {
        state[i] = DONE;
        order.push(i);
        path.pop();
        next.pop();
        continue;
      }
      const used = index.get(uses[i][next[top]++]);
      if (used === undefined || state[used] === DONE) continue;
      if (state[used] === OPEN) {
        const members = path.slice(path.indexOf(used)).map((k) => names[k]);
        cycles.push([...members, names[used]]);
        continue;
      }
      state[used] = OPEN;
      path.push(used);
      next.push(0);
    }
  }
  return { order, cycles };
}
