/**
 * Linear Moreau–Jean as the certificate sees it, and its balance of energy.
 *
 * With v_θ = θ v⁺ + (1−θ) v⁻ and q_θ = θ q⁺ + (1−θ) q⁻, in absolute coordinates:
 *
 *     | M (v⁺ − v⁻) + h C v_θ + h K q_θ − h F_θ − Σ ᵗ∇h p |∞,  and | q⁺ − q⁻ − h v_θ |∞
 *
 * Each system has a scale of its own in both: beside 10⁶ kg an error of 10⁻⁴ kg would be nothing. In a system
 * whose terms cancel, such as a ball between two that press on it, what is left is rounding; therefore that
 * of each term, CANCELLATION of its magnitude, is taken off the residual, and no scale needs a bound from
 * below.
 *
 * Multiplying the equation of motion by ᵗv_θ gives
 *
 *     ΔT + ΔV = h ᵗv_θ F_θ − h ᵗv_θ C v_θ + ᵗv_θ Σ ᵗ∇h p − (θ − ½)(|Δv|²_M + |Δq|²_K),
 *
 * so what T + V misses after work of forces, damping and impulses is the scheme's own dissipation, zero at
 * θ = ½.
 */
import { CheckedProduct, productOver } from '../../certificate/checked-product';
import type { EnergyBalance } from '../../certificate/energy-balance';
import {
  DYNAMICS,
  LargestResidual,
  type WrittenResidual,
  relative,
  writeRelative,
} from '../../certificate/residual-maxima';
import type { AssignedIntegrator } from '../../integrators/registry';
import { type SparseRows, sparseFromPattern } from '../../linalg/sparse';
import type { LagrangianForm, LinearForces } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StepWriter, Term } from '../../straight-line/writer';
import type { DynamicsMemory } from '../state';
import { ChainPass } from './chain-pass';
import { CANCELLATION, type DynamicsCheck, type StepMaxima } from './dynamics-check';
import type { CheckContext } from './relations';

/* Matrices of several systems over the coordinates of the model, and the coordinates that are theirs. */

/** Stacks one matrix of several systems over all coordinates of the model. */
function stack(
  context: CheckContext,
  model: NonSmoothDynamicalSystem,
  systems: readonly number[],
  pick: (form: LagrangianForm) => SparseRows | null,
): CheckedProduct {
  const pattern: number[][] = Array.from({ length: context.size }, () => []);
  const values: number[][] = Array.from({ length: context.size }, () => []);
  for (const s of systems) {
    const matrix = pick(model.systems[s].form as LagrangianForm);
    const dof = context.offsets[s];
    if (matrix === null) continue;
    for (let i = 0; i < matrix.rows; i++) {
      for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++) {
        pattern[dof + i].push(dof + matrix.columns[k]);
        values[dof + i].push(matrix.values[k]);
      }
    }
  }
  const rows = sparseFromPattern(pattern);
  rows.values.set(values.flat());
  return new CheckedProduct(rows);
}

/**
 * First and last coordinate + 1 of each stretch without gaps.
 * @param from first coordinate of each system, ascending
 * @param to last coordinate + 1 of each
 */
function stretches(from: Int32Array, to: Int32Array): Int32Array {
  const ends: number[] = [];
  for (let m = 0; m < from.length; m++) {
    if (ends.at(-1) === from[m]) ends.pop();
    else ends.push(from[m]);
    ends.push(to[m]);
  }
  return Int32Array.from(ends);
}

interface Plugin {
  readonly linear: LinearForces;
  readonly dof: number;
  readonly out: Float64Array;
}

export class LinearMoreauJeanCheck implements DynamicsCheck {
  readonly #mass: CheckedProduct;
  readonly #damping: CheckedProduct;
  readonly #stiffness: CheckedProduct;
  readonly #forces: Plugin[] = [];
  readonly #bases: Plugin[] = [];
  /** its systems, and by system the first and the last coordinate + 1 */
  readonly #systems: Int32Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  /** first and last coordinate + 1 of each stretch of coordinates that are its systems' */
  readonly #runs: Int32Array;
  readonly #theta: number;
  readonly #force0: Float64Array;
  readonly #force1: Float64Array;
  readonly #base: Float64Array;
  readonly #baseVelocity: Float64Array;
  // By coordinate: absolute state at both ends of the step, and what follows from it.
  readonly #q0: Float64Array;
  readonly #q1: Float64Array;
  readonly #v0: Float64Array;
  readonly #v1: Float64Array;
  readonly #vTheta: Float64Array;
  // Products with these, by coordinate, and the sums of their terms' magnitudes: M v and K q at both ends, C
  // v_θ.
  readonly #momentum0: Float64Array;
  readonly #momentum1: Float64Array;
  readonly #size0: Float64Array;
  readonly #size1: Float64Array;
  readonly #resistance: Float64Array;
  readonly #resistanceSize: Float64Array;
  readonly #spring0: Float64Array;
  readonly #spring1: Float64Array;
  readonly #springSize0: Float64Array;
  readonly #springSize1: Float64Array;
  /** largest magnitude in either equation so far, by system */
  readonly #momentum: Float64Array;
  readonly #kinematic: Float64Array;
  /** worst residual of one of the two equations, already relative to its system */
  readonly #residual = new LargestResidual(1);
  /** the same of the other one, and both in one pass; null where that does not fit */
  readonly #motion = new LargestResidual(1);
  readonly #chains: ChainPass | null;

  constructor(
    private readonly context: CheckContext,
    model: NonSmoothDynamicalSystem,
    { systems, numbers }: AssignedIntegrator,
    private readonly energy: EnergyBalance,
  ) {
    this.#systems = Int32Array.from(systems).sort();
    this.#from = this.#systems.map((system) => context.offsets[system]);
    this.#to = this.#systems.map((system) => context.offsets[system + 1]);
    this.#runs = stretches(this.#from, this.#to);
    this.#momentum = new Float64Array(systems.length);
    this.#kinematic = new Float64Array(systems.length);
    this.#theta = numbers.theta;
    this.#mass = stack(context, model, systems, ({ constantMass }) => constantMass);
    this.#damping = stack(context, model, systems, ({ linear }) => linear?.damping ?? null);
    this.#stiffness = stack(context, model, systems, ({ linear }) => linear?.stiffness ?? null);
    const zeros = (): Float64Array => new Float64Array(context.size);
    this.#force0 = zeros();
    this.#force1 = zeros();
    this.#base = zeros();
    this.#baseVelocity = zeros();
    this.#q0 = zeros();
    this.#q1 = zeros();
    this.#v0 = zeros();
    this.#v1 = zeros();
    this.#vTheta = zeros();
    this.#momentum0 = zeros();
    this.#momentum1 = zeros();
    this.#size0 = zeros();
    this.#size1 = zeros();
    this.#resistance = zeros();
    this.#resistanceSize = zeros();
    this.#spring0 = zeros();
    this.#spring1 = zeros();
    this.#springSize0 = zeros();
    this.#springSize1 = zeros();
    for (const s of this.#systems) {
      const { linear, size } = model.systems[s].form as LagrangianForm;
      if (linear === null) continue;
      const plugin = { linear, dof: context.offsets[s], out: new Float64Array(size) };
      this.#force1.set(linear.constantForce, plugin.dof);
      if (linear.force !== null) this.#forces.push(plugin);
      if (linear.base !== null) this.#bases.push(plugin);
    }
    const isPlain = this.#damping.isZero && this.#bases.length === 0 && context.reached === context.state;
    this.#chains =
      isPlain && ChainPass.fits(this.#mass, this.#stiffness) ? this.#createChains(context, energy) : null;
  }

  #createChains(context: CheckContext, energy: EnergyBalance): ChainPass {
    const memory = {
      ...{ from: this.#from, to: this.#to, momentum: this.#momentum, kinematic: this.#kinematic },
      ...{ q0: this.#q0, v0: this.#v0, momentum0: this.#momentum0, size0: this.#size0 },
      ...{ spring0: this.#spring0, springSize0: this.#springSize0 },
      ...{ force0: this.#force0, force1: this.#force1 },
    };
    return new ChainPass(context, energy, memory, this.#theta, this.#mass, this.#stiffness);
  }

  start(): void {
    const { state, q, v } = this.context;
    const { kinetic, potential } = this.energy.sums;
    this.#plugins();
    this.#force0.set(this.#force1);
    for (let m = 0; m < this.#systems.length; m++) {
      const from = this.#from[m];
      const to = this.#to[m];
      for (let i = from; i < to; i++) {
        this.#q0[i] = state[q + i] + this.#base[i];
        this.#v0[i] = state[v + i] + this.#baseVelocity[i];
      }
      this.#mass.multiply(this.#v0, this.#momentum0, this.#size0, from, to);
      this.#stiffness.multiply(this.#q0, this.#spring0, this.#springSize0, from, to);
      // Summed as `#dynamics` does, so that a state that is restored has the energy with which it was taken.
      kinetic[0] += 0.5 * productOver(this.#v0, this.#momentum0, from, to);
      potential[0] += 0.5 * productOver(this.#q0, this.#spring0, from, to);
    }
  }

  inputsChanged(): void {
    this.#plugins();
    this.#force0.set(this.#force1);
  }

  /** Forces and base motion at the present time. */
  #plugins(): void {
    const { clock } = this.context;
    for (let f = 0; f < this.#forces.length; f++) {
      const { linear, dof, out } = this.#forces[f];
      linear.force?.(clock, out);
      for (let i = 0; i < out.length; i++) this.#force1[dof + i] = linear.constantForce[i] + out[i];
    }
    for (let b = 0; b < this.#bases.length; b++) {
      const { linear, dof, out } = this.#bases[b];
      linear.base?.position(clock, out);
      this.#base.set(out, dof);
      linear.base?.velocity(clock, out);
      this.#baseVelocity.set(out, dof);
    }
  }

  reach(): void {
    const { reached, q, v } = this.context;
    const h = this.context.h[0];
    this.#plugins();
    for (let m = 0; m < this.#from.length; m++)
      for (let i = this.#from[m]; i < this.#to[m]; i++) {
        const v1 = reached[v + i] + this.#baseVelocity[i];
        const vTheta = this.#theta * v1 + (1 - this.#theta) * this.#v0[i];
        reached[q + i] = this.#q0[i] + h * vTheta - this.#base[i];
      }
  }

  check(maxima: StepMaxima): void {
    const { clock, state, reached } = this.context;
    this.#plugins();
    if (this.#chains === null) {
      this.#kinematics();
      maxima.enter(DYNAMICS, this.#residual, clock);
      this.#dynamics();
    } else {
      this.#chains.check(this.#motion, this.#residual);
      maxima.enter(DYNAMICS, this.#motion, clock);
    }
    maxima.enter(DYNAMICS, this.#residual, clock);
    if (reached !== state) this.#project();
    if (this.#forces.length > 0) this.#force0.set(this.#force1);
  }

  write(w: StepWriter): WrittenResidual[] | null {
    if (this.#bases.length > 0) return null;
    if (this.#forces.length > 0) {
      const plugins = (): void => {
        this.#plugins();
      };
      w.call(`${w.bind(plugins)}();`, this.#force1);
    }
    const residuals: WrittenResidual[] = [];
    const motions: WrittenResidual[] = [];
    this.#systems.forEach((_, m) => {
      residuals.push(...this.#writeKinematics(w, m));
      motions.push(...this.#writeDynamics(w, m));
    });
    return [...residuals, ...motions];
  }

  #writeKinematics(w: StepWriter, m: number): WrittenResidual[] {
    const { state, q, v } = this.context;
    const h = this.context.h[0];
    const scales = [w.get(this.#kinematic, m)];
    const values: WrittenResidual[] = [];
    for (let i = this.#from[m]; i < this.#to[m]; i++) {
      const q0 = w.get(this.#q0, i);
      const q1 = w.get(state, q + i);
      const v1 = w.get(state, v + i);
      const vTheta = w.set(
        this.#vTheta,
        i,
        w.sum([
          [this.#theta, v1],
          [1 - this.#theta, w.get(this.#v0, i)],
        ]),
      );
      scales.push(`abs(${q1})`, `${w.literal(h)} * abs(${v1})`);
      values.push({ value: w.constant(`abs(${q1} - ${q0} - ${w.literal(h)} * ${vTheta})`), place: i });
    }
    return writeRelative(w, values, w.set(this.#kinematic, m, `max(${scales.join(', ')})`));
  }

  #writeDynamics(w: StepWriter, m: number): WrittenResidual[] {
    const { state, q, v, input, inputMagnitude, inertia } = this.context;
    const { sums } = this.energy;
    const h = this.context.h[0];
    const scales = [w.get(this.#momentum, m)];
    const values: WrittenResidual[] = [];
    let kinetic = '';
    let potential = '';
    let work = '';
    let exchanged = '';
    const join = (to: string, term: string): string => (to === '' ? term : `${to} + ${term}`);
    for (let i = this.#from[m]; i < this.#to[m]; i++) {
      const v1 = w.get(state, v + i);
      const vTheta = w.get(this.#vTheta, i);
      /** Σ a x over a row, and the magnitudes of its terms */
      const product = (matrix: CheckedProduct, x: Float64Array, first: number): [string, string] => {
        const terms = matrix.row(i).map(([a, j]) => w.constant(w.sum([[a, w.get(x, first + j)]])));
        const sizes = terms.map((term) => `abs(${term})`).join(' + ');
        return [w.constant(w.sum(terms.map((term): Term => [1, term]))), sizes === '' ? '0' : sizes];
      };
      const [momentum, size] = product(this.#mass, state, v);
      const change = w.constant(`${momentum} - ${w.get(this.#momentum0, i)}`);
      let magnitude = `${w.get(inputMagnitude, i)} + ${w.get(this.#size0, i)}`;
      w.set(this.#momentum0, i, momentum);
      w.set(this.#size0, i, size);
      kinetic = join(kinetic, `${v1} * ${momentum}`);
      const internal: string[] = [];
      const resist = ([sum, sizes]: [string, string]): string => {
        const value = w.constant(`${w.literal(h)} * ${sum}`);
        magnitude = `${magnitude} + ${w.literal(h)} * (${sizes})`;
        internal.push(value);
        return value;
      };
      if (!this.#damping.isZero) {
        const damping = resist(product(this.#damping, this.#vTheta, 0));
        work = work === '' ? `-(${vTheta} * ${damping})` : `${work} - ${vTheta} * ${damping}`;
      }
      if (!this.#stiffness.isZero) {
        const [end, endSize] = product(this.#stiffness, state, q);
        const start = w.get(this.#spring0, i);
        const startSize = w.get(this.#springSize0, i);
        const between = (a: string, b: string): string =>
          w.sum([
            [this.#theta, a],
            [1 - this.#theta, b],
          ]);
        const size1 = w.constant(endSize);
        const spring = resist([w.constant(between(end, start)), between(size1, startSize)]);
        w.set(this.#spring0, i, end);
        w.set(this.#springSize0, i, size1);
        potential = join(potential, `${w.get(state, q + i)} * ${end}`);
        scales.push(`abs(${spring})`);
      }
      const force = this.#writeForce(w, i);
      const p = w.get(input, i);
      work = join(work, `${vTheta} * (${force} + ${p})`);
      const pushed = w.constant(`abs(${force}) > abs(${p}) ? ${force} : ${p}`);
      exchanged = join(exchanged, `${pushed} * ${pushed} / ${w.literal(inertia[i])}`);
      scales.push(`abs(${change})`, `abs(${force})`, `abs(${p})`);
      const held = internal.length === 0 ? change : `${change} + (${internal.join(' + ')})`;
      values.push({
        value: w.constant(
          `max(0, abs(${held} - ${force} - ${p}) - ${w.literal(CANCELLATION)} * (${magnitude}))`,
        ),
        place: i,
      });
    }
    for (let i = this.#from[m]; i < this.#to[m]; i++) {
      w.set(this.#q0, i, w.get(state, q + i));
      w.set(this.#v0, i, w.get(state, v + i));
      if (this.#forces.length > 0) w.set(this.#force0, i, w.get(this.#force1, i));
    }
    const enter = (total: Float64Array, text: string): string =>
      w.set(total, 0, `${w.get(total, 0)} + ${text}`);
    enter(sums.kinetic, `0.5 * (${kinetic})`);
    if (potential !== '') enter(sums.potential, `0.5 * (${potential})`);
    enter(sums.work, `(${work})`);
    enter(sums.exchanged, `0.5 * (${exchanged})`);
    return writeRelative(w, values, w.set(this.#momentum, m, `max(${scales.join(', ')})`));
  }

  /** h F_θ of a coordinate. */
  #writeForce(w: StepWriter, i: number): string {
    const theta = this.#theta;
    const h = this.context.h[0];
    if (this.#forces.length === 0)
      return w.literal(h * (theta * this.#force1[i] + (1 - theta) * this.#force0[i]));
    const [end, start] = [this.#force1, this.#force0].map((force) => w.get(force, i));
    return w.constant(
      `${w.literal(h)} * (${w.literal(theta)} * ${end} + ${w.literal(1 - theta)} * ${start})`,
    );
  }

  save({ momentum, kinematic }: DynamicsMemory): void {
    this.#systems.forEach((system, m) => {
      momentum[system] = this.#momentum[m];
      kinematic[system] = this.#kinematic[m];
    });
  }

  load({ momentum, kinematic }: DynamicsMemory): void {
    this.#systems.forEach((system, m) => {
      this.#momentum[m] = momentum[system];
      this.#kinematic[m] = kinematic[system];
    });
  }

  /**
   * Goes on from the projected positions. The loads do their work on the way there, too; that of the
   * projection itself is none that nature does, and shows in the balance.
   */
  #project(): void {
    const { state, q } = this.context;
    const { potential, work } = this.energy.sums;
    for (let m = 0; m < this.#from.length; m++) {
      const from = this.#from[m];
      const to = this.#to[m];
      const led = 0.5 * productOver(this.#q1, this.#spring0, from, to);
      for (let i = from; i < to; i++) {
        this.#q0[i] = state[q + i] + this.#base[i];
        work[0] += this.#force1[i] * (this.#q0[i] - this.#q1[i]);
      }
      this.#stiffness.multiply(this.#q0, this.#spring0, this.#springSize0, from, to);
      potential[0] += 0.5 * productOver(this.#q0, this.#spring0, from, to) - led;
    }
  }

  /** Fills the end of the step and v_θ, and leaves the residual of the positions. */
  #kinematics(): void {
    const { reached: state, q, v } = this.context;
    const theta = this.#theta;
    const h = this.context.h[0];
    const baseOf = this.#base;
    const baseVelocityOf = this.#baseVelocity;
    const q0s = this.#q0;
    const v0s = this.#v0;
    const q1s = this.#q1;
    const v1s = this.#v1;
    const vThetas = this.#vTheta;
    this.#residual.begin(this.#from[0]);
    for (let m = 0; m < this.#from.length; m++) {
      const to = this.#to[m];
      let largest = 0;
      let dof = this.#from[m];
      let scale = this.#kinematic[m];
      for (let i = dof; i < to; i++) {
        const base = baseOf[i];
        const q0 = q0s[i];
        const q1 = state[q + i] + base;
        const v1 = state[v + i] + baseVelocityOf[i];
        const vTheta = theta * v1 + (1 - theta) * v0s[i];
        q1s[i] = q1;
        v1s[i] = v1;
        vThetas[i] = vTheta;
        // Comparisons leave out what is no number; the residual shows that.
        if (Math.abs(q1) > scale) scale = Math.abs(q1);
        if (h * Math.abs(v1) > scale) scale = h * Math.abs(v1);
        if (Math.abs(base) > scale) scale = Math.abs(base);
        const residual = Math.abs(q1 - q0 - h * vTheta);
        if (!(residual <= largest) && !Number.isNaN(largest)) {
          largest = residual;
          dof = i;
        }
      }
      this.#kinematic[m] = scale;
      this.#residual.take(relative(largest, scale), dof);
    }
  }

  /** Leaves the residual of the equations of motion, enters energies and work, and ends the step. */
  #dynamics(): void {
    const { input, inputMagnitude, inertia } = this.context;
    const theta = this.#theta;
    const h = this.context.h[0];
    const q0 = this.#q0;
    const v0 = this.#v0;
    const q1 = this.#q1;
    const v1 = this.#v1;
    const vTheta = this.#vTheta;
    const hasDamping = !this.#damping.isZero;
    const hasStiffness = !this.#stiffness.isZero;
    for (let r = 0; r < this.#runs.length; r += 2) {
      const from = this.#runs[r];
      const to = this.#runs[r + 1];
      this.#mass.multiply(v1, this.#momentum1, this.#size1, from, to);
      if (hasDamping) this.#damping.multiply(vTheta, this.#resistance, this.#resistanceSize, from, to);
      if (hasStiffness) this.#stiffness.multiply(q1, this.#spring1, this.#springSize1, from, to);
    }
    const spring0 = this.#spring0;
    const spring1 = this.#spring1;
    const springSize0 = this.#springSize0;
    const springSize1 = this.#springSize1;
    const momentum0 = this.#momentum0;
    const momentum1 = this.#momentum1;
    const size0 = this.#size0;
    const size1 = this.#size1;
    const force0 = this.#force0;
    const force1 = this.#force1;
    const { sums } = this.energy;
    this.#residual.begin(this.#from[0]);
    for (let m = 0; m < this.#from.length; m++) {
      const from = this.#from[m];
      const to = this.#to[m];
      let largest = 0;
      let dof = from;
      let scale = this.#momentum[m];
      let kinetic = 0;
      let potential = 0;
      let work = 0;
      let exchanged = 0;
      for (let i = from; i < to; i++) {
        const momentum = momentum1[i];
        const change = momentum - momentum0[i];
        let magnitude = inputMagnitude[i] + size0[i];
        kinetic += v1[i] * momentum;
        momentum0[i] = momentum;
        size0[i] = size1[i];
        let internal = 0;
        if (hasDamping) {
          const damping = h * this.#resistance[i];
          magnitude += h * this.#resistanceSize[i];
          internal += damping;
          work -= vTheta[i] * damping;
        }
        if (hasStiffness) {
          const spring = h * (theta * spring1[i] + (1 - theta) * spring0[i]);
          magnitude += h * (theta * springSize1[i] + (1 - theta) * springSize0[i]);
          potential += q1[i] * spring1[i];
          spring0[i] = spring1[i];
          springSize0[i] = springSize1[i];
          internal += spring;
          if (Math.abs(spring) > scale) scale = Math.abs(spring);
        }
        const force = h * (theta * force1[i] + (1 - theta) * force0[i]);
        const p = input[i];
        work += vTheta[i] * (force + p);
        const pushed = Math.abs(force) > Math.abs(p) ? force : p;
        exchanged += (pushed * pushed) / inertia[i];
        if (Math.abs(change) > scale) scale = Math.abs(change);
        if (Math.abs(pushed) > scale) scale = Math.abs(pushed);
        // Below zero there is nothing but rounding.
        const residual = Math.abs(change + internal - force - p) - CANCELLATION * magnitude;
        if (!(residual <= largest) && !Number.isNaN(largest)) {
          largest = residual;
          dof = i;
        }
        q0[i] = q1[i];
        v0[i] = v1[i];
      }
      this.#momentum[m] = scale;
      this.#residual.take(relative(largest, scale), dof);
      sums.kinetic[0] += 0.5 * kinetic;
      sums.potential[0] += 0.5 * potential;
      sums.work[0] += work;
      sums.exchanged[0] += 0.5 * exchanged;
    }
  }
}
