/**
 * The two residuals of linear Moreau–Jean (`lagrangian-linear.ts`) in one pass over the coordinates, for
 * systems without damping and base motion whose masses are points and whose springs join neighbours: chains,
 * bars, and bodies by themselves. The same operations in the same order as product by product, but every
 * number is loaded once, and what only leads to another is not stored. Of large models that is half of the
 * certificate.
 */
import type { CheckedProduct } from '../../certificate/checked-product';
import type { EnergyBalance } from '../../certificate/energy-balance';
import { type LargestResidual, isSurelyLess, relative } from '../../certificate/residual-maxima';
import { CANCELLATION } from './dynamics-check';
import type { CheckContext } from './relations';

/** What is kept of systems from step to step; by coordinate unless it says otherwise. */
export interface ChainMemory {
  /** first and last coordinate + 1, by system */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly q0: Float64Array;
  readonly v0: Float64Array;
  /** M v and K q at the start of the step, and the sums of the magnitudes of their terms */
  readonly momentum0: Float64Array;
  readonly size0: Float64Array;
  readonly spring0: Float64Array;
  readonly springSize0: Float64Array;
  /** forces at both ends of the step */
  readonly force0: Float64Array;
  readonly force1: Float64Array;
  /** largest magnitude in either equation so far, by system */
  readonly momentum: Float64Array;
  readonly kinematic: Float64Array;
}

export class ChainPass {
  readonly #before: Float64Array;
  readonly #own: Float64Array;
  readonly #after: Float64Array;
  readonly #mass: Float64Array;
  readonly #hasStiffness: boolean;

  /** @param mass and stiffness as `fits` has found them */
  constructor(
    private readonly context: CheckContext,
    private readonly energy: EnergyBalance,
    private readonly memory: ChainMemory,
    private readonly theta: number,
    mass: CheckedProduct,
    stiffness: CheckedProduct,
  ) {
    this.#mass = mass.diagonals.own;
    const { before, own, after } = stiffness.diagonals;
    this.#before = before;
    this.#own = own;
    this.#after = after;
    this.#hasStiffness = !stiffness.isZero;
  }

  static fits(mass: CheckedProduct, stiffness: CheckedProduct): boolean {
    return mass.width === 0 && stiffness.width <= 1;
  }

  /** Leaves both residuals, enters energies and work, and ends the step. */
  check(positions: LargestResidual, motion: LargestResidual): void {
    const { state, q, v, input, inputMagnitude, inertia } = this.context;
    const { from, to, q0, v0, momentum0, size0, spring0, springSize0, force0, force1 } = this.memory;
    const { momentum: momenta, kinematic } = this.memory;
    const { theta } = this;
    const h = this.context.h[0];
    const mass = this.#mass;
    const before = this.#before;
    const own = this.#own;
    const after = this.#after;
    const hasStiffness = this.#hasStiffness;
    const last = mass.length - 1;
    const { sums } = this.energy;
    let kineticSum = sums.kinetic[0];
    let potentialSum = sums.potential[0];
    let workSum = sums.work[0];
    let exchangedSum = sums.exchanged[0];
    let worstPosition = 0;
    let positionPlace = from[0];
    let worstMotion = 0;
    let motionPlace = from[0];
    for (let m = 0; m < from.length; m++) {
      const first = from[m];
      const end = to[m];
      let largestGap = 0;
      let gapPlace = first;
      let length = kinematic[m];
      let largest = 0;
      let place = first;
      let scale = momenta[m];
      let kinetic = 0;
      let potential = 0;
      let work = 0;
      let exchanged = 0;
      let previous = first > 0 ? state[q + first - 1] : 0;
      let present = state[q + first];
      for (let i = first; i < end; i++) {
        const v1 = state[v + i];
        const vTheta = theta * v1 + (1 - theta) * v0[i];
        // Comparisons leave out what is no number; the residual shows that.
        if (Math.abs(present) > length) length = Math.abs(present);
        if (h * Math.abs(v1) > length) length = h * Math.abs(v1);
        const gap = Math.abs(present - q0[i] - h * vTheta);
        if (!(gap <= largestGap) && !Number.isNaN(largestGap)) {
          largestGap = gap;
          gapPlace = i;
        }
        const momentum = mass[i] * v1;
        const change = momentum - momentum0[i];
        let magnitude = inputMagnitude[i] + size0[i];
        kinetic += v1 * momentum;
        momentum0[i] = momentum;
        size0[i] = Math.abs(momentum);
        let internal = 0;
        if (hasStiffness) {
          const next = i < last ? state[q + i + 1] : 0;
          const one = i > 0 ? before[i] * previous : 0;
          const two = own[i] * present;
          const three = i < last ? after[i] * next : 0;
          const pull = one + two + three;
          const size = Math.abs(one) + Math.abs(two) + Math.abs(three);
          const spring = h * (theta * pull + (1 - theta) * spring0[i]);
          magnitude += h * (theta * size + (1 - theta) * springSize0[i]);
          potential += present * pull;
          spring0[i] = pull;
          springSize0[i] = size;
          internal = spring;
          if (Math.abs(spring) > scale) scale = Math.abs(spring);
          q0[i] = present;
          previous = present;
          present = next;
        } else {
          q0[i] = present;
          if (i + 1 < end) present = state[q + i + 1];
        }
        const force = h * (theta * force1[i] + (1 - theta) * force0[i]);
        const p = input[i];
        work += vTheta * (force + p);
        const pushed = Math.abs(force) > Math.abs(p) ? force : p;
        if (pushed !== 0) exchanged += (pushed * pushed) / inertia[i];
        if (Math.abs(change) > scale) scale = Math.abs(change);
        if (Math.abs(pushed) > scale) scale = Math.abs(pushed);
        // Below zero there is nothing but rounding.
        const residual = Math.abs(change + internal - force - p) - CANCELLATION * magnitude;
        if (!(residual <= largest) && !Number.isNaN(largest)) {
          largest = residual;
          place = i;
        }
        v0[i] = v1;
      }
      kinematic[m] = length;
      momenta[m] = scale;
      kineticSum += 0.5 * kinetic;
      potentialSum += 0.5 * potential;
      workSum += work;
      exchangedSum += 0.5 * exchanged;
      // As `LargestResidual.take`.
      if (!isSurelyLess(largestGap, length, worstPosition)) {
        const value = relative(largestGap, length);
        if (!(value <= worstPosition || Number.isNaN(worstPosition))) {
          worstPosition = value;
          positionPlace = gapPlace;
        }
      }
      if (!isSurelyLess(largest, scale, worstMotion)) {
        const value = relative(largest, scale);
        if (!(value <= worstMotion || Number.isNaN(worstMotion))) {
          worstMotion = value;
          motionPlace = place;
        }
      }
    }
    sums.kinetic[0] = kineticSum;
    sums.potential[0] = potentialSum;
    sums.work[0] = workSum;
    sums.exchanged[0] = exchangedSum;
    positions.entry[0] = worstPosition;
    positions.place = positionPlace;
    motion.entry[0] = worstMotion;
    motion.place = motionPlace;
  }
}
