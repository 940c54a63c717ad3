/**
 * Contacts of steps with contact forces as the certificate sees them: which of them are closed, which have
 * forces, and whether one has closed in a step. It follows from gaps and their rates that are evaluated here;
 * the word of the time loop counts where rounding decides.
 */
import type { RelationForm } from '../../model/forms';
import { type NonSmoothDynamicalSystem, linkedPlaces } from '../../model/nsds';
import { RelationDrift } from '../../model/relation-drift';
import type { CheckContext } from './relations';

/** Rounding of a gap in units of the magnitudes in it. */
const ROUNDING = 16 * Number.EPSILON;
/** Differences that stand for a curvature which no form gives reach over this part of a step. */
const DIFFERENCE = 1 / 40;

/** What the time loop says of a step. */
export interface StageWord {
  readonly isOfVelocities: boolean;
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly impact: Float64Array;
  readonly leftActive: Uint8Array;
  readonly rightActive: Uint8Array;
  readonly closed: Uint8Array;
  readonly hasImpact: boolean;
}

/** A relation at one place, with copies of its arguments. */
export interface PlacedRelation {
  readonly relation: RelationForm;
  /** first row */
  readonly row: number;
  readonly dofs: Int32Array;
  readonly isContact: boolean;
  /** by row of the relation, whether it is friction */
  readonly isFriction: readonly boolean[];
  readonly drift: RelationDrift;
  readonly z: Float64Array;
  readonly v: Float64Array;
  readonly nothing: Float64Array;
  readonly y: Float64Array;
  /** γ or ∂h/∂t, what y of a law has besides C times accelerations or velocities */
  readonly rest: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
}

/** Gaps of contacts at one moment, by row. */
interface Moment {
  readonly gap: Float64Array;
  readonly rate: Float64Array;
  /** d = Σ C²/M_jj */
  readonly mobility: Float64Array;
}

export class StageContacts {
  readonly placed: readonly PlacedRelation[];
  readonly before: Moment;
  readonly after: Moment;
  /** largest sums of magnitudes in gaps and rates so far, by row */
  readonly #gapTerms: Float64Array;
  readonly #rateTerms: Float64Array;
  /** impulses of the step before, by row */
  readonly #pushed: Float64Array;

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly context: CheckContext,
    private readonly numbers: Readonly<Record<string, number>>,
    private readonly word: StageWord,
    /** whether forces are left out of steps in which a contact closes */
    private readonly drops: boolean,
  ) {
    this.placed = createPlaced(model, context.offsets, DIFFERENCE * context.h[0]);
    const byRow = (): Float64Array => new Float64Array(word.impact.length);
    const moment = (): Moment => ({ gap: byRow(), rate: byRow(), mobility: byRow() });
    this.before = moment();
    this.after = moment();
    this.#gapTerms = byRow();
    this.#rateTerms = byRow();
    this.#pushed = byRow();
  }

  /** Takes a state for the start of a step. @param impulses of the step before, by row */
  begin(clock: Float64Array, at: Float64Array, impulses: Float64Array): void {
    this.#lookAt(clock, at, this.before);
    this.#pushed.set(impulses);
  }

  /** Takes positions q_{k+1} and velocities v_* for its end. */
  reach(clock: Float64Array, at: Float64Array): void {
    this.#lookAt(clock, at, this.after);
  }

  /** C and what stands beside it at a place. @param isAcceleration whether that is γ, else ∂h/∂t */
  linearise(one: PlacedRelation, clock: Float64Array, at: Float64Array, isAcceleration: boolean): void {
    const { q, v } = this.context;
    const { relation, dofs, z, v: speed, nothing, C, D, rest, drift } = one;
    for (let k = 0; k < dofs.length; k++) {
      z[k] = at[q + dofs[k]];
      speed[k] = at[v + dofs[k]];
    }
    if (relation.C === null) relation.outputJacobians(clock, z, nothing, C, D);
    if (isAcceleration) drift.read(clock, z, speed, rest);
    else relation.timeDerivative(clock, z, rest);
  }

  #lookAt(clock: Float64Array, at: Float64Array, { gap, rate, mobility }: Moment): void {
    const { q, v, inertia } = this.context;
    for (let n = 0; n < this.placed.length; n++) {
      const one = this.placed[n];
      const { relation, row, dofs, z, nothing, y, rest, C, isContact } = one;
      if (!isContact) continue;
      this.linearise(one, clock, at, false);
      relation.output(clock, z, nothing, y);
      for (let r = 0; r < y.length; r++) {
        let speed = rest[r];
        let terms = Math.abs(y[r]);
        let speeds = Math.abs(speed);
        let d = 0;
        for (let k = 0; k < dofs.length; k++) {
          const value = C[r * dofs.length + k];
          d += (value * value) / inertia[dofs[k]];
          speed += value * at[v + dofs[k]];
          terms += Math.abs(value * at[q + dofs[k]]);
          speeds += Math.abs(value * at[v + dofs[k]]);
        }
        gap[row + r] = y[r];
        rate[row + r] = speed;
        mobility[row + r] = d;
        this.#gapTerms[row + r] = Math.max(this.#gapTerms[row + r], terms);
        this.#rateTerms[row + r] = Math.max(this.#rateTerms[row + r], speeds);
      }
    }
  }

  /** Contacts that have a force at the start. */
  judgeLeft(active: Uint8Array): void {
    this.#decide(active, this.word.leftActive, this.#hasLeftForce);
  }

  /** Contacts that are closed at the end. */
  judgeClosed(active: Uint8Array): void {
    this.#decide(active, this.word.closed, this.#isClosed);
  }

  /** Contacts that have a force at the end. @param hasImpact whether none has */
  judgeRight(active: Uint8Array, hasImpact: boolean): void {
    this.#decide(active, this.word.rightActive, hasImpact ? NONE : this.#hasRightForce);
  }

  /** Whether forces are left out of the step, as a contact closes in it. */
  hasImpact(): boolean {
    if (!this.drops) return false;
    let isOpen = false;
    for (let n = 0; n < this.placed.length; n++) {
      const { row, isContact, isFriction } = this.placed[n];
      if (!isContact) continue;
      for (let r = 0; r < isFriction.length; r++) {
        const closes = isFriction[r] ? 0 : Math.min(this.#isClosed(row + r), this.#comes(row + r));
        if (closes === 1) return true;
        if (closes !== 0) isOpen = true;
      }
    }
    return isOpen && this.word.hasImpact;
  }

  /** What is found here of a contact where it is beyond rounding, and the word of the time loop otherwise. */
  #decide(active: Uint8Array, word: Uint8Array, find: (row: number) => number): void {
    for (let n = 0; n < this.placed.length; n++) {
      const { row, isContact, isFriction } = this.placed[n];
      if (!isContact) continue;
      for (let r = 0; r < isFriction.length; r++) {
        const k = row + r;
        const found = isFriction[r] ? active[k - 1] : find(k);
        active[k] = found === 0 || found === 1 ? found : word[k];
      }
    }
  }

  readonly #wasClosed = (row: number): number =>
    side(this.before.gap[row] - this.numbers.closedGap, ROUNDING * this.#gapTerms[row]);

  readonly #isClosed = (row: number): number =>
    side(this.after.gap[row] - this.numbers.closedGap, ROUNDING * this.#gapTerms[row]);

  /** Whether it is open at the start, or approaches there and forces are those of velocities. */
  #comes(row: number): number {
    const wasOpen = 1 - this.#wasClosed(row);
    if (!this.word.isOfVelocities) return wasOpen;
    const rounding = ROUNDING * this.#rateTerms[row];
    return Math.max(wasOpen, side(this.before.rate[row] + this.numbers.restingRate, rounding));
  }

  readonly #hasLeftForce = (row: number): number =>
    Math.min(1 - this.#comes(row), this.#stays(row, this.before, this.#pushed[row]));

  readonly #hasRightForce = (row: number): number => {
    const stays = this.#stays(row, this.after, this.context.h[0] * this.word.left[row]);
    return Math.min(this.#isClosed(row), 1 - this.#comes(row), stays);
  };

  #stays(row: number, { rate, mobility }: Moment, pushed: number): number {
    if (this.word.isOfVelocities) return 1;
    const kept = this.numbers.kept * pushed * mobility[row];
    const rounding = ROUNDING * (this.#rateTerms[row] + Math.abs(kept));
    const { restingRate } = this.numbers;
    return Math.max(side(rate[row] - restingRate, rounding), side(rate[row] - kept, rounding));
  }
}

const NONE = (): number => 0;

/** 1 below zero, 0 above, ½ where rounding decides. */
const side = (value: number, rounding: number): number => {
  if (value <= -rounding) return 1;
  return value > rounding ? 0 : 0.5;
};

/** @param difference δ of curvatures that no form gives, s */
function createPlaced(
  { interactions }: NonSmoothDynamicalSystem,
  offsets: Int32Array,
  difference: number,
): PlacedRelation[] {
  let row = 0;
  return interactions.map(({ relation, law, systems }): PlacedRelation => {
    const dofs = linkedPlaces(offsets, systems);
    const vector = (n: number): Float64Array => new Float64Array(n);
    const { size } = relation;
    const own = row;
    row += size;
    return {
      relation,
      row: own,
      dofs,
      drift: new RelationDrift(relation, difference),
      isContact: law.restitution !== null,
      isFriction: Array.from({ length: size }, (_, k) => law.rows[k % law.size].kind === 'friction'),
      z: vector(dofs.length),
      v: vector(dofs.length),
      nothing: vector(size),
      y: vector(size),
      rest: vector(size),
      C: relation.C?.slice() ?? vector(size * dofs.length),
      D: vector(size * size),
    };
  });
}
