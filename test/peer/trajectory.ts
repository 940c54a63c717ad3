/** The states of one run, as both programs give them. */
export interface Trajectory {
  /** times of the rows, s; the initial state is not among them */
  t: number[];
  /** [row][coordinate], all systems in order; the states of first-order systems among them */
  q: number[][];
  v: number[][];
  /**
   * [row][gap], all interactions in order: impulse of the step that ends at the row's time, N·s, or
   * multiplier
   */
  p: number[][];
}

/** Values by signal name, one entry a row; `t` among them. */
export type SignalTable = Map<string, number[]>;

/** Where a signal stands in a trajectory, by the part of its name after the element. */
const PARTS = {
  x: 'q',
  xHat: 'q',
  q: 'q',
  v: 'v',
  u: 'p',
  lambda: 'p',
  impulse: 'p',
  normalImpulse: 'p',
  tangentialImpulse: 'p',
} as const;

function partOf(name: string): 'q' | 'v' | 'p' | null {
  const quantity = /\.([A-Za-z]+)(?:\[\d+\])?$/.exec(name)?.[1] ?? '';
  return quantity in PARTS ? PARTS[quantity as keyof typeof PARTS] : null;
}

/**
 * Gathers recorded signals: states x and positions under `q`, velocities under `v`, multipliers and impulses
 * under `p`. Outputs follow from them and are left out.
 * @param names which, in this order; both programs must be asked for the same
 * @throws when one of them was not recorded
 */
export function trajectoryOf(signals: SignalTable, names: readonly string[]): Trajectory {
  const column = (name: string): number[] => {
    const values = signals.get(name);
    if (values === undefined) throw new Error(`no signal ${name} among ${[...signals.keys()].join(', ')}`);
    return values;
  };
  const t = column('t');
  const rows = (part: 'q' | 'v' | 'p'): number[][] => {
    const columns = names.filter((name) => partOf(name) === part).map(column);
    return t.map((_, row) => columns.map((values) => values[row]));
  };
  return { t, q: rows('q'), v: rows('v'), p: rows('p') };
}
