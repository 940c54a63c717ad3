/**
 * Linear Moreau–Jean as the certificate sees it, all systems of one integrator together, and their balance of energy.
 *
 * With v_θ = θ v⁺ + (1−θ) v⁻ and q_θ = q⁻ + hθ v_θ, in absolute coordinates:
 *
 *     | M (v⁺ − v⁻) + h C v_θ + h K q_θ − h F_θ − Σ ᵗ∇h p |∞,  and | q⁺ − q⁻ − h v_θ |∞
 *
 * Multiplying the equation of motion by ᵗv_θ gives
 *
 *     ΔT + ΔV = h ᵗv_θ F_θ − h ᵗv_θ C v_θ + ᵗv_θ Σ ᵗ∇h p − (θ − ½)(|Δv|²_M + |Δq|²_K),
 *
 * so what T + V misses after work of forces, damping and impulses is the scheme's own dissipation, zero at θ = ½.
 */
import { type SparseRows, sparseFromPattern } from '../../linalg/csr';
import type { IntegratorAssignment } from '../../integrators/registry';
import type { LagrangianForm, LinearForces } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { DynamicsMemory } from '../state';
import { CANCELLATION, type DynamicsCheck } from './dynamics-check';
import type { EnergyLedger } from './energy';
import type { Ledger } from './ledger';
import type { CheckContext } from './relations';

interface Plugin {
  readonly linear: LinearForces;
  readonly dof: number;
  readonly out: Float64Array;
}

/** Stacks one matrix of several systems over all coordinates of the model. */
function stack(
  context: CheckContext,
  model: NonSmoothDynamicalSystem,
  systems: readonly number[],
  pick: (form: LagrangianForm) => SparseRows | null,
): SparseRows {
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
  return rows;
}

function product({ rowStart, columns, values }: SparseRows, i: number, x: Float64Array): number {
  let sum = 0;
  for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += values[k] * x[columns[k]];
  return sum;
}

/** Σ |a_ij x_j| of a row. */
function magnitude({ rowStart, columns, values }: SparseRows, i: number, x: Float64Array): number {
  let sum = 0;
  for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += Math.abs(values[k] * x[columns[k]]);
  return sum;
}

export class LinearMoreauJeanCheck implements DynamicsCheck {
  readonly #mass: SparseRows;
  readonly #damping: SparseRows;
  readonly #stiffness: SparseRows;
  readonly #ranges: { from: number; to: number }[] = [];
  readonly #forces: Plugin[] = [];
  readonly #bases: Plugin[] = [];
  readonly #systems: readonly number[];
  readonly #theta: number;
  readonly #force0: Float64Array;
  readonly #force1: Float64Array;
  readonly #base: Float64Array;
  readonly #baseVelocity: Float64Array;
  /** absolute state at the start of the step */
  readonly #q0: Float64Array;
  readonly #v0: Float64Array;
  readonly #vTheta: Float64Array;
  readonly #qTheta: Float64Array;
  readonly #delta: Float64Array;
  /** [0] residual, [1] scale */
  readonly #entry = new Float64Array(2);
  readonly #kinematic = new Float64Array(2);

  constructor(
    private readonly context: CheckContext,
    model: NonSmoothDynamicalSystem,
    { systems, numbers }: IntegratorAssignment,
    private readonly energy: EnergyLedger,
  ) {
    this.#systems = systems;
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
    this.#v0 = zeros();
    this.#vTheta = zeros();
    this.#qTheta = zeros();
    this.#delta = zeros();
    for (const s of [...systems].sort((a, b) => a - b)) {
      const { linear, size } = model.systems[s].form as LagrangianForm;
      const dof = context.offsets[s];
      const last = this.#ranges.at(-1);
      if (last?.to === dof) last.to = dof + size;
      else this.#ranges.push({ from: dof, to: dof + size });
      if (linear === null) continue;
      this.#force1.set(linear.constantForce, dof);
      const plugin = { linear, dof, out: new Float64Array(size) };
      if (linear.force !== null) this.#forces.push(plugin);
      if (linear.base !== null) this.#bases.push(plugin);
    }
  }

  start(): void {
    this.#plugins();
    this.#force0.set(this.#force1);
    this.#keep();
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

  /** The absolute state becomes that of the step's start; adds ½ ᵗv M v and ½ ᵗq K q of it to the energies. */
  #keep(): void {
    const { state, q, v } = this.context;
    const { sums } = this.energy;
    const q0 = this.#q0;
    const v0 = this.#v0;
    for (let r = 0; r < this.#ranges.length; r++) {
      const { from, to } = this.#ranges[r];
      for (let i = from; i < to; i++) {
        q0[i] = state[q + i] + this.#base[i];
        v0[i] = state[v + i] + this.#baseVelocity[i];
      }
      let kinetic = 0;
      let potential = 0;
      for (let i = from; i < to; i++) {
        kinetic += v0[i] * product(this.#mass, i, v0);
        potential += q0[i] * product(this.#stiffness, i, q0);
      }
      sums.kinetic[0] += 0.5 * kinetic;
      sums.potential[0] += 0.5 * potential;
    }
  }

  check(ledger: Ledger): void {
    const { clock } = this.context;
    this.#plugins();
    const worstPosition = this.#kinematics();
    ledger.enter('dynamics', this.#kinematic, clock, worstPosition, -1);
    const worstDof = this.#dynamics();
    ledger.enter('dynamics', this.#entry, clock, worstDof, -1);
    this.#keep();
    if (this.#forces.length > 0) this.#force0.set(this.#force1);
  }

  /** Its systems are measured together: each has the scale of all. */
  save({ momentum, kinematic }: DynamicsMemory): void {
    for (const s of this.#systems) {
      momentum[s] = this.#entry[1];
      kinematic[s] = this.#kinematic[1];
    }
  }

  load({ momentum, kinematic }: DynamicsMemory): void {
    for (const s of this.#systems) {
      this.#entry[1] = Math.max(this.#entry[1], momentum[s]);
      this.#kinematic[1] = Math.max(this.#kinematic[1], kinematic[s]);
    }
  }

  /** Fills v_θ, q_θ and v⁺ − v⁻, and leaves the residual of the positions. */
  #kinematics(): number {
    const { state, q, v } = this.context;
    const theta = this.#theta;
    const h = this.context.h[0];
    let worst = 0;
    let worstDof = this.#ranges[0].from;
    for (let r = 0; r < this.#ranges.length; r++) {
      const { from, to } = this.#ranges[r];
      for (let i = from; i < to; i++) {
        const q1 = state[q + i] + this.#base[i];
        const v1 = state[v + i] + this.#baseVelocity[i];
        const vTheta = theta * v1 + (1 - theta) * this.#v0[i];
        this.#vTheta[i] = vTheta;
        this.#qTheta[i] = this.#q0[i] + h * theta * vTheta;
        this.#delta[i] = v1 - this.#v0[i];
        const scale = Math.max(Math.abs(q1), h * Math.abs(v1));
        if (scale > this.#kinematic[1]) this.#kinematic[1] = scale;
        const residual = Math.abs(q1 - this.#q0[i] - h * vTheta);
        if (!(residual <= worst) && !Number.isNaN(worst)) {
          worst = residual;
          worstDof = i;
        }
      }
    }
    this.#kinematic[0] = worst;
    return worstDof;
  }

  /** Leaves the residual of the equation of motion, and enters the work of the step. */
  #dynamics(): number {
    const { input } = this.context;
    const theta = this.#theta;
    const h = this.context.h[0];
    const { sums } = this.energy;
    let worst = 0;
    let worstDof = this.#ranges[0].from;
    let work = 0;
    let exchanged = 0;
    for (let r = 0; r < this.#ranges.length; r++) {
      const { from, to } = this.#ranges[r];
      for (let i = from; i < to; i++) {
        const inertia = product(this.#mass, i, this.#delta);
        const damping = h * product(this.#damping, i, this.#vTheta);
        const spring = h * product(this.#stiffness, i, this.#qTheta);
        const force = h * (theta * this.#force1[i] + (1 - theta) * this.#force0[i]);
        const p = input[i];
        work += this.#vTheta[i] * (force + p - damping);
        exchanged += Math.max(force * force, p * p) / this.context.inertia[i];
        const scale = Math.max(Math.abs(inertia), Math.abs(spring), Math.abs(force), Math.abs(p));
        if (scale > this.#entry[1]) this.#entry[1] = scale;
        const rounding = CANCELLATION * magnitude(this.#mass, i, this.#v0);
        const residual = Math.max(0, Math.abs(inertia + damping + spring - force - p) - rounding);
        if (!(residual <= worst) && !Number.isNaN(worst)) {
          worst = residual;
          worstDof = i;
        }
      }
    }
    this.#entry[0] = worst;
    sums.work[0] += work;
    sums.exchanged[0] += 0.5 * exchanged;
    return worstDof;
  }
}
