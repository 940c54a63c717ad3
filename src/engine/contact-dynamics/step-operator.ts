/**
 * W of a step: frames of the active contacts and rows of joints, the blocks W = H P ᵗH, and what laws and
 * moment rows of contacts add. It is formed again where something has moved only, and what it is made of is
 * at hand for solvers that factorise by bodies (below).
 */
import { SemidefiniteCholesky } from '../linalg/cholesky';
import { type ContactFactors, FREEDOMS, type FrictionContactProblem } from '../problems/friction-contact';
import type { SpatialSystem } from '../spatial/system';
import type { MomentRows } from './moment-rows';
import type { ActiveFrames } from './contacts/active-frames';
import { type ContactFrames, FRAME_NUMBERS } from './contacts/contact-frames';
import { type ContactList, GEOMETRY, PERCUSSION, contactKindOf, contactOf } from './contacts/contact-list';
import { DelassusBlocks, type FrameRows, type Mobility } from './delassus-blocks';
import type { JointRows } from './joint-rows';
import type { LawTerms } from './law-terms';
import type { BodyMobility } from './mobility';

/*
 * W of contact dynamics as B ᵗB + E (`problems/friction-contact.ts`). P of each group is factorised, P = L ᵗL
 * with as many columns as P has rank, and B = H L. E is what the diagonal of W has beyond that: the softness
 * of compliant contacts, and the mobilities that decouple rows of joints.
 */

/** What the diagonal of W has beyond that of B ᵗB and is more than rounding, relative to it. */
const ADDED = 1e-9;

class FrameFactors implements ContactFactors {
  columns = 0;
  rowStart = new Int32Array(1);
  blockColumns = new Int32Array(0);
  values = new Float64Array(0);
  diagonal = new Float64Array(0);
  scale = 1;
  pressedBy: Int32Array | null = null;
  #pressedBy = new Int32Array(0);
  /** whether W is of this form: joints may hold a part of what a moment acts on */
  #isOfForm = true;
  /** first block column of each group, and L of each, columns one after the other */
  readonly #first: Int32Array;
  readonly #roots: readonly Float64Array[];
  readonly #ranks: Int32Array;
  readonly #cholesky: SemidefiniteCholesky;
  readonly #square: Float64Array;
  /** revision of the problem that it has been formed for */
  #formed = -1;

  constructor(
    private readonly problem: FrictionContactProblem,
    private readonly rows: FrameRows,
    private readonly mobility: Mobility,
    private readonly active: Pick<
      ActiveFrames,
      'momentRows' | 'momentRowCount' | 'contactCount' | 'jointCount'
    >,
  ) {
    const { sizes } = mobility;
    const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
    this.#roots = Array.from(sizes, (n) => new Float64Array(n * n));
    this.#first = new Int32Array(sizes.length);
    this.#ranks = new Int32Array(sizes.length);
    this.#cholesky = new SemidefiniteCholesky(largest);
    this.#square = new Float64Array(largest * largest);
  }

  form(): boolean {
    const { problem } = this;
    if (this.#formed === problem.revision) return this.#isOfForm;
    this.#formed = problem.revision;
    this.#isOfForm = this.#press();
    if (!this.#isOfForm) return false;
    this.#takeRoots();
    this.#lay();
    for (let c = 0; c < problem.count; c++) this.#fill(c);
    return this.#isOfForm;
  }

  /** Finds what presses moment rows. @returns false for kinds whose own terms in W are no diagonal */
  #press(): boolean {
    const { momentRows, momentRowCount, contactCount, jointCount } = this.active;
    const first = contactCount + jointCount;
    this.pressedBy = null;
    if (momentRowCount === 0) return true;
    if (this.#pressedBy.length < first + momentRowCount)
      this.#pressedBy = new Int32Array(2 * (first + momentRowCount));
    this.#pressedBy.fill(-1, 0, first);
    for (let k = 0; k < momentRowCount; k++) {
      if (contactKindOf(momentRows[k]) === PERCUSSION) return false;
      this.#pressedBy[first + k] = contactOf(momentRows[k]);
    }
    this.pressedBy = this.#pressedBy;
    return true;
  }

  #takeRoots(): void {
    const { sizes } = this.mobility;
    const cholesky = this.#cholesky;
    const square = this.#square;
    this.columns = 0;
    for (let group = 0; group < sizes.length; group++) {
      const n = sizes[group];
      for (let k = 0; k < n * n; k++) square[k] = k % (n + 1) === 0 ? 1 : 0;
      for (let k = 0; k < n; k++) this.mobility.apply(group, square, n * k);
      cholesky.factor(square, n);
      cholesky.root(this.#roots[group]);
      this.#ranks[group] = cholesky.rank;
      this.#first[group] = this.columns;
      this.columns += Math.ceil(cholesky.rank / FREEDOMS);
    }
  }

  /** Places of the blocks. */
  #lay(): void {
    const { count, dimension } = this.problem;
    const { groups } = this.rows;
    if (this.rowStart.length <= count) {
      this.rowStart = new Int32Array(2 * count + 1);
      this.diagonal = new Float64Array(2 * dimension * count);
    }
    let blocks = 0;
    for (let c = 0; c < count; c++) {
      this.rowStart[c] = blocks;
      for (let side = 2 * c; side < 2 * c + 2; side++)
        if (groups[side] >= 0) blocks += this.#width(groups[side]);
    }
    this.rowStart[count] = blocks;
    if (this.blockColumns.length >= blocks) return;
    this.blockColumns = new Int32Array(2 * blocks);
    this.values = new Float64Array(2 * blocks * dimension * FREEDOMS);
  }

  /** Block columns of a group. */
  #width(group: number): number {
    return Math.ceil(this.#ranks[group] / FREEDOMS);
  }

  /** B and E of a contact. */
  #fill(c: number): void {
    const { problem, rows, values, blockColumns } = this;
    const { dimension: d, W } = problem;
    let block = this.rowStart[c];
    const from = d * FREEDOMS * block;
    const to = d * FREEDOMS * this.rowStart[c + 1];
    for (let k = from; k < to; k++) values[k] = 0;
    for (let side = 2 * c; side < 2 * c + 2; side++) {
      const group = rows.groups[side];
      if (group < 0) continue;
      const width = this.#width(group);
      for (let k = 0; k < width; k++) blockColumns[block + k] = this.#first[group] + k;
      this.#multiply(group, rows.at[side], block);
      block += width;
    }
    for (let a = 0; a < d; a++) {
      let square = 0;
      for (let k = this.rowStart[c]; k < this.rowStart[c + 1]; k++)
        for (let j = 0; j < FREEDOMS; j++) square += values[FREEDOMS * (d * k + a) + j] ** 2;
      const own = W.values[d * d * W.diagonal[c] + (d + 1) * a] / this.scale;
      const added = own - square > ADDED * own ? own - square : 0;
      const isMoment = this.pressedBy !== null && this.pressedBy[c] >= 0;
      // Components that turn nothing have a mobility so that they have no reaction: without one they have
      // none either.
      this.diagonal[d * c + a] = isMoment ? 0 : added;
      if (isMoment && square > 0 && added > 0) this.#isOfForm = false;
    }
  }

  /** H L of a side, from a block on. */
  #multiply(group: number, at: number, block: number): void {
    const { problem, rows, values } = this;
    const d = problem.dimension;
    const n = this.mobility.sizes[group];
    const root = this.#roots[group];
    for (let k = 0; k < this.#ranks[group]; k++) {
      const place = d * (block + Math.floor(k / FREEDOMS));
      for (let a = 0; a < d; a++) {
        let sum = 0;
        for (let m = 0; m < n; m++) sum += rows.values[at + a * n + m] * root[n * k + m];
        values[FREEDOMS * (place + a) + (k % FREEDOMS)] = sum;
      }
    }
  }
}

/** entries of an inertia */
const INERTIA = 9;

export class StepOperator {
  readonly #delassus: DelassusBlocks;
  /** positions, inertias that change, and revision of the graph that frames and W have been formed for */
  readonly #formedAt: Float64Array;
  readonly #formedWith: Float64Array;
  #formed = -1;

  /** @param momentRows, terms null where no law has any */
  constructor(
    private readonly system: SpatialSystem,
    private readonly problem: FrictionContactProblem,
    mobility: BodyMobility,
    private readonly frames: ContactFrames,
    private readonly active: ActiveFrames,
    private readonly jointRows: JointRows,
    private readonly momentRows: MomentRows | null,
    private readonly terms: LawTerms | null,
  ) {
    this.#delassus = new DelassusBlocks(mobility);
    this.#formedAt = new Float64Array(system.positions);
    this.#formedWith = new Float64Array(INERTIA * system.changing.length);
    problem.factors = new FrameFactors(problem, frames, mobility, active);
  }

  /** Frames and W at q, of contacts and rows that are active. @param q positions of all bodies */
  form(contacts: ContactList, q: Float64Array): void {
    if (this.#isFormed(contacts, q)) return;
    const { problem, frames, jointRows, active, momentRows } = this;
    const { contactCount, jointCount } = active;
    active.compile(problem);
    frames.clear(active.count);
    for (let row = 0; row < contactCount; row++) {
      const c = active.contacts[row];
      frames.add(q, contacts.bodies[2 * c], contacts.bodies[2 * c + 1], contacts.geometry, GEOMETRY * c);
    }
    for (let k = 0; k < jointCount; k++) jointRows.addTo(frames, active.jointRows[k]);
    momentRows?.addTo(frames, q, contacts);
    this.#delassus.fill(problem.W, frames);
    for (let k = 0; k < jointCount; k++) jointRows.decouple(active.jointRows[k], contactCount + k, problem.W);
    momentRows?.couple(problem.W, contacts);
    problem.isSymmetric = momentRows?.isSymmetric !== false;
    this.terms?.soften(problem);
    problem.revision++;
    this.#formedAt.set(q);
    const { changing } = this.system;
    for (let k = 0; k < changing.length; k++) this.#formedWith.set(changing[k].body.inertia, INERTIA * k);
    this.#formed = active.graph.revision;
  }

  /**
   * Whether frames and W are those of the last step to the last bit, as at rest; solvers keep their factors
   * then.
   */
  #isFormed({ geometry }: ContactList, q: Float64Array): boolean {
    const { graph, contacts, contactCount } = this.active;
    if (this.#formed !== graph.revision || this.terms?.isFormed === false) return false;
    const formedAt = this.#formedAt;
    for (let i = 0; i < q.length; i++) if (q[i] !== formedAt[i]) return false;
    if (!this.#hasInertias()) return false;
    const { axes } = this.frames;
    for (let row = 0; row < contactCount; row++)
      for (let i = 0; i < 6; i++)
        if (axes[FRAME_NUMBERS * row + i] !== geometry[GEOMETRY * contacts[row] + i]) return false;
    return true;
  }

  /** Whether inertias that are functions of time are those that W has been formed with. */
  #hasInertias(): boolean {
    const { changing } = this.system;
    for (let k = 0; k < changing.length; k++) {
      const { inertia } = changing[k].body;
      for (let i = 0; i < INERTIA; i++) if (inertia[i] !== this.#formedWith[INERTIA * k + i]) return false;
    }
    return true;
  }
}
