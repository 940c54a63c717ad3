/** A network in its present mode: multipliers of ACTIVE rows, and what drift has left of what they keep. */
import type { LinearNetwork, NetworkUse } from './linear-network';
import type { AnalyticForces } from '../flow/analytic-forces';
import type { Columns } from '../flow/linear-columns';
import { type NetworkMode, compileNetworkMode } from './network-mode';
import { networkColumns } from './network-maps';
import { ACTIVE, boundOf, type RowLaws } from '../rows/row-laws';

/** What cancels leaves in exact flights, as a part of what it leaves where motion is integrated. */
const ROUNDED = 1e-2;
/** Modes that are kept; beyond that all are formed again. */
const MOST_MODES = 4096;

/** What goes on from an event to the next. */
export interface NetworkMemory {
  readonly isEngaged: boolean;
  readonly sizes: Float64Array;
  readonly zeroOutput: Float64Array;
}

export class NetworkFlow {
  /** whether modes are those of the network; those of its rows by themselves otherwise */
  isEngaged: boolean;
  mode: NetworkMode;
  /** whether the motion is not recorded */
  isUnrecorded = false;
  /** by which modes the state has jumped at the last event, for those who differentiate it */
  readonly jumps: NetworkMode[] = [];
  /** what counts in x, by state: the largest so far */
  readonly sizes: Float64Array;
  /** what counts as zero in y since the last event, by row */
  readonly zeroOutput: Float64Array;
  readonly #known = new Map<string, NetworkMode>();
  readonly #free: Float64Array;
  readonly #outputs: Float64Array;
  readonly #rates: Float64Array;
  readonly #bounds: Float64Array;
  readonly #impulses: Float64Array;

  constructor(
    readonly network: LinearNetwork,
    readonly use: NetworkUse,
    private readonly laws: RowLaws,
  ) {
    this.isEngaged = use === 'always';
    this.sizes = new Float64Array(network.size);
    this.zeroOutput = new Float64Array(laws.count);
    this.#free = new Float64Array(network.size);
    this.#outputs = new Float64Array(laws.count);
    this.#rates = new Float64Array(laws.count);
    this.#bounds = new Float64Array(laws.count);
    this.#impulses = new Float64Array(laws.count);
    this.mode = this.find(new Int8Array(laws.count));
  }

  /** What depends on the modes alone. @param modes by row */
  find(modes: Int8Array): NetworkMode {
    const key = String.fromCharCode(...modes);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_MODES) this.#known.clear();
    const made = compileNetworkMode(this.network, this.laws, modes.slice());
    this.#known.set(key, made);
    return made;
  }

  /**
   * Takes note of |x|, and of what has cancelled in it: a current that blocking diodes keep at zero has the
   * rounding of what would drive it, as long as nothing makes it decay.
   * @param elapsed time in which it did, s
   * @param lambda multipliers by row
   */
  noteSizes(clock: Float64Array, x: Float64Array, elapsed: number, lambda: Float64Array): void {
    const { network, sizes } = this;
    network.prepare(clock);
    const { rate, width } = this.mode.maps;
    const { size: n, rows: m, A, B } = network;
    network.rates(clock, this.#free);
    for (let s = 0; s < n; s++) {
      let terms = Math.abs(this.#free[s]);
      for (let j = 0; j < n; j++) terms += Math.abs(A[s * n + j] * x[j]);
      for (let j = 0; j < m; j++) terms += Math.abs(B[s * m + j] * lambda[j]);
      const damping = -rate.values[s * width + s];
      const lasting = elapsed * damping > 1 ? 1 / damping : elapsed;
      sizes[s] = Math.max(sizes[s], Math.abs(x[s]), (network.isExact ? ROUNDED : 1) * lasting * terms);
    }
  }

  /** An event begins. @returns whether it is one of the network already */
  begin(): boolean {
    this.jumps.length = 0;
    return this.isEngaged;
  }

  save(): NetworkMemory {
    return {
      isEngaged: this.isEngaged,
      sizes: this.sizes.slice(),
      zeroOutput: this.zeroOutput.slice(),
    };
  }

  load({ isEngaged, sizes, zeroOutput }: NetworkMemory): void {
    this.isEngaged = isEngaged;
    this.sizes.set(sizes);
    this.zeroOutput.set(zeroOutput);
  }

  setModes(modes: Int8Array): void {
    this.mode = this.find(modes);
    for (let row = 0; row < modes.length; row++)
      this.#bounds[row] = modes[row] === ACTIVE ? 0 : boundOf(this.laws, modes, row);
  }

  /** The linear system of the present mode. @param forces what is known of functions of time */
  columns(clock: Float64Array, forces: AnalyticForces | null): Columns {
    return networkColumns(this.network, this.mode.maps, forces, clock);
  }

  /**
   * λ of the ACTIVE rows.
   * @param free ẋ without them
   * @param drifts ∂h/∂t by row
   * @param lambda those rows are replaced
   */
  solve(
    clock: Float64Array,
    x: Float64Array,
    free: Float64Array,
    drifts: Float64Array,
    lambda: Float64Array,
  ): void {
    const { network, mode } = this;
    const { size: n, rows: m, C } = network;
    const { active, byOutput, byRate, others, byOthers, constant, hidden } = mode;
    const count = active.length;
    this.#read(clock, x);
    for (let i = 0; i < count && hidden > 0; i++) {
      let rate = drifts[active[i]];
      for (let s = 0; s < n; s++) rate += C[active[i] * n + s] * free[s];
      this.#rates[i] = rate;
    }
    for (let j = 0; j < count; j++) {
      let sum = constant[j];
      for (let i = 0; i < others.length; i++)
        sum -= byOthers[j * others.length + i] * this.#outputs[others[i]];
      for (let i = 0; i < count; i++) sum -= byOutput[j * count + i] * this.#outputs[active[i]];
      if (hidden > 0) for (let i = 0; i < count; i++) sum -= byRate[j * count + i] * this.#rates[i];
      lambda[active[j]] = sum;
    }
    if (m === 0) this.#rates.fill(0);
  }

  /** y₀ of the ACTIVE rows, and of those on which their multipliers depend. */
  #read(clock: Float64Array, x: Float64Array): void {
    const { size: n, rows: m, C, D } = this.network;
    const { active, others } = this.mode;
    const outputs = this.#outputs;
    this.network.offsets(clock, outputs);
    for (let i = 0; i < active.length + others.length; i++) {
      const row = i < active.length ? active[i] : others[i - active.length];
      let sum = outputs[row];
      for (let s = 0; s < n; s++) sum += C[row * n + s] * x[s];
      for (let s = 0; s < m; s++) sum += D[row * m + s] * this.#bounds[s];
      outputs[row] = sum;
    }
  }

  /**
   * What drift has left of combinations that are kept by their derivatives, as impulses that take it out.
   * @returns the largest of them, relative to what cancels in it
   */
  drift(clock: Float64Array, x: Float64Array): number {
    const { active, byRate, hidden } = this.mode;
    if (hidden === 0) return 0;
    const { size: n, C } = this.network;
    const count = active.length;
    this.#read(clock, x);
    let worst = 0;
    for (let j = 0; j < count; j++) {
      let [sum, terms] = [0, 0];
      for (let i = 0; i < count; i++) {
        const factor = byRate[j * count + i];
        if (factor === 0) continue;
        const row = active[i];
        sum -= factor * this.#outputs[row];
        let most = Math.abs(this.#outputs[row]);
        for (let s = 0; s < n; s++) most += Math.abs(C[row * n + s] * x[s]);
        terms += Math.abs(factor) * most;
      }
      this.#impulses[active[j]] = sum;
      if (Math.abs(sum) > worst * terms) worst = Math.abs(sum) / terms;
    }
    return worst;
  }

  /** Takes out what `drift` has found. */
  correct(x: Float64Array): void {
    const { size: n, rows: m, B } = this.network;
    const { active } = this.mode;
    for (let s = 0; s < n; s++)
      for (let i = 0; i < active.length; i++) x[s] += B[s * m + active[i]] * this.#impulses[active[i]];
  }
}
