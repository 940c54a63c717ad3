/**
 * W of the contacts in a step: which of them act on which, and how many impulses velocities determine. Rows of joints and of rolling friction, which
 * stand behind those of contacts, are left out.
 */
import type { ContactDynamics } from '../../contact-dynamics/contact-dynamics';
import { rankOf } from '../../contact-dynamics/rank';

/** Blocks that are not zero, by rows of blocks: those of row i stand in columns[rowStart[i]] … columns[rowStart[i + 1] − 1]. */
export interface ContactPattern {
  readonly rowStart: Uint32Array;
  /** ascending in each row */
  readonly columns: Uint32Array;
}

export interface ContactMatrix {
  /** 3 a contact; 2 in the plane */
  readonly rows: number;
  /** null where there are more than `RANKED_ROWS` */
  readonly rank: number | null;
  /** null where there are more than `LISTED_BLOCKS` */
  readonly pattern: ContactPattern | null;
}

/** The factorisation takes a third of the cube of this in multiplications, some tens of milliseconds: an animation that plays waits for it. */
export const RANKED_ROWS = 450;
/** As many numbers as the contacts themselves have, and some more. */
export const LISTED_BLOCKS = 100_000;
const DIMENSION = 3;

export function contactMatrix({ problem, system, activeCount }: ContactDynamics): ContactMatrix {
  const { W } = problem;
  // In the plane the third axis of a frame leads out of it, where nothing moves.
  const components = system.isPlanar ? [0, 1] : [0, 1, 2];
  const rows = components.length * activeCount;
  const kept = (): number[] =>
    Array.from({ length: activeCount }, (_, row) => components.map((k) => DIMENSION * row + k)).flat();
  return {
    rows,
    // Without contacts W is that of an earlier step, or of none.
    rank: activeCount === 0 ? 0 : rows > RANKED_ROWS ? null : rankOf(W, kept()),
    pattern: patternOf(W, activeCount),
  };
}

function patternOf(
  { rowStart, columns }: ContactDynamics['problem']['W'],
  count: number,
): ContactPattern | null {
  const starts = new Uint32Array(count + 1);
  const listed: number[] = [];
  for (let row = 0; row < count; row++) {
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) if (columns[k] < count) listed.push(columns[k]);
    if (listed.length > LISTED_BLOCKS) return null;
    starts[row + 1] = listed.length;
  }
  return { rowStart: starts, columns: Uint32Array.from(listed) };
}
