/**
 * The certificate: at every step the equation of motion, the complementarity conditions and the balance of energy are
 * recomputed from the recorded states. It has its own sparse copies of M, C, K and ∇h and calls neither the
 * integrator's factors, nor the Delassus operator, nor the solver, so that an error of theirs cannot hide in it.
 *
 * Residuals, with v_θ = θ v⁺ + (1−θ) v⁻ and q_θ = q⁻ + hθ v_θ, in absolute coordinates:
 *
 *     dynamics          | M (v⁺ − v⁻) + h C v_θ + h K q_θ − h F_θ − Σ ᵗ∇h p |∞,  and | q⁺ − q⁻ − h v_θ |∞
 *     complementarity   | min(ẏ⁺ + e ẏ⁻, d p) | on active rows, ẏ⁺ = ∇h v⁺ + ∂h/∂t, | p | on the others
 *     cone              max(0, −(ẏ⁺ + e ẏ⁻), −d p)
 *
 * where d = Σ (∇h)²/M_ii turns an impulse into a velocity of its own size. Each is relative to the largest magnitude of
 * its kind that the run has shown so far. Energy: multiplying the equation of motion by ᵗv_θ gives
 *
 *     ΔT + ΔV = h ᵗv_θ F_θ − h ᵗv_θ C v_θ + ᵗv_θ Σ ᵗ∇h p − (θ − ½)(|Δv|²_M + |Δq|²_K),
 *
 * so what T + V misses after work of forces, damping and impulses is the scheme's own dissipation, zero at θ = ½.
 */
import { rowDot, type SparseRows, sparseFromPattern } from '../linalg/csr';
import type { MoreauJean } from '../integrators/moreau-jean';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { LagrangianLinearTI } from '../model/systems/lagrangian-linear-ti';
import type { Contacts } from './contacts';

/** Worst violations so far. */
export interface Certificate {
  complementarity: number;
  coneViolation: number;
  dynamics: number;
  /** s; null before the first step */
  worstTime: number | null;
  worstElement: string | null;
}

/** Scales below this are treated as 1: relative to nothing, the residual itself is the measure. */
const SMALLEST_SCALE = 1e-300;

type MatrixKey = 'mass' | 'damping' | 'stiffness';

function sparseMatrix(systems: readonly LagrangianLinearTI[], key: MatrixKey): SparseRows {
  const pattern: number[][] = [];
  const values: number[] = [];
  let offset = 0;
  for (const system of systems) {
    const matrix = system[key];
    for (let i = 0; i < system.ndof; i++) {
      const row: number[] = [];
      for (let j = 0; j < system.ndof; j++) {
        const value = matrix?.[i * system.ndof + j] ?? 0;
        if (value === 0) continue;
        row.push(offset + j);
        values.push(value);
      }
      pattern.push(row);
    }
    offset += system.ndof;
  }
  const sparse = sparseFromPattern(pattern);
  sparse.values.set(values);
  return sparse;
}

/** Its own, like all the certificate uses: it imports nothing that integrator or solver compute with. */
function isSymmetric(systems: readonly LagrangianLinearTI[]): boolean {
  return systems.every(
    ({ stiffness, ndof }) =>
      stiffness === null ||
      stiffness.every((value, k) => value === stiffness[(k % ndof) * ndof + Math.floor(k / ndof)]),
  );
}

// Positions in the array of running maxima and sums: fields of an object would box a double at every write.
const COMPLEMENTARITY = 0;
const CONE = 1;
const DYNAMICS = 2;
const VELOCITY_SCALE = 3;
const IMPULSE_SCALE = 4;
const POSITION_SCALE = 5;
const ENERGY_SCALE = 6;
const WORK = 7;
const WORK_COMPENSATION = 8;
const INITIAL_ENERGY = 9;
const WORST_TIME = 10;
const WORST = 11;
const KINETIC = 12;
const POTENTIAL = 13;
const CONTACT = 14;

export class CertificateChecker {
  readonly #mass: SparseRows;
  readonly #damping: SparseRows;
  readonly #stiffness: SparseRows;
  readonly #jacobian: SparseRows;
  /** Σ (∇h)²/M_ii by row, 1/kg */
  readonly #mobility: Float64Array;
  readonly #massDiagonal: Float64Array;
  readonly #q0: Float64Array;
  readonly #v0: Float64Array;
  readonly #vTheta: Float64Array;
  readonly #qTheta: Float64Array;
  readonly #delta: Float64Array;
  readonly #generalised: Float64Array;
  readonly #sums = new Float64Array(15);
  #worstDof = -1;
  #worstRow = -1;
  /** energy is defined when K is symmetric */
  readonly hasEnergy: boolean;

  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly contacts: Contacts,
    private readonly integrator: MoreauJean,
    private readonly h: number,
    private readonly theta: number,
  ) {
    const { systems } = model;
    this.#mass = sparseMatrix(systems, 'mass');
    this.#damping = sparseMatrix(systems, 'damping');
    this.#stiffness = sparseMatrix(systems, 'stiffness');
    this.hasEnergy = isSymmetric(systems);
    const { jacobian } = contacts;
    this.#jacobian = { ...jacobian, values: jacobian.values.slice() };
    const size = this.#mass.rows;
    this.#mobility = new Float64Array(contacts.rows);
    this.#massDiagonal = new Float64Array(size);
    this.#q0 = new Float64Array(size);
    this.#v0 = new Float64Array(size);
    this.#vTheta = new Float64Array(size);
    this.#qTheta = new Float64Array(size);
    this.#delta = new Float64Array(size);
    this.#generalised = new Float64Array(size);
    this.#refreshMobility();
  }

  #refreshMobility(): void {
    const diagonal = this.#massDiagonal;
    for (let i = 0; i < this.#mass.rows; i++) {
      for (let k = this.#mass.rowStart[i]; k < this.#mass.rowStart[i + 1]; k++) {
        if (this.#mass.columns[k] === i) diagonal[i] = this.#mass.values[k];
      }
    }
    for (let row = 0; row < this.contacts.rows; row++) {
      let sum = 0;
      for (let k = this.#jacobian.rowStart[row]; k < this.#jacobian.rowStart[row + 1]; k++) {
        sum += this.#jacobian.values[k] ** 2 / diagonal[this.#jacobian.columns[k]];
      }
      this.#mobility[row] = sum;
    }
  }

  /** Takes the initial state as the first v⁻. */
  start(q: Float64Array, v: Float64Array): void {
    this.#keep(q, v, this.integrator.basePosition0, this.integrator.baseVelocity0);
    this.#energies(this.#q0, this.#v0);
    this.#sums[INITIAL_ENERGY] = this.kinetic + this.potential;
  }

  #keep(q: Float64Array, v: Float64Array, base: Float64Array, baseVelocity: Float64Array): void {
    for (let i = 0; i < q.length; i++) {
      this.#q0[i] = q[i] + base[i];
      this.#v0[i] = v[i] + baseVelocity[i];
    }
  }

  get kinetic(): number {
    return this.#sums[KINETIC];
  }

  get potential(): number {
    return this.#sums[POTENTIAL];
  }

  /** Σ of T + V over absolute coordinates, J. */
  #energies(q: Float64Array, v: Float64Array): void {
    let kinetic = 0;
    let potential = 0;
    for (let i = 0; i < q.length; i++) {
      kinetic += v[i] * rowDot(this.#mass, i, v);
      potential += q[i] * rowDot(this.#stiffness, i, q);
    }
    this.#sums[KINETIC] = 0.5 * kinetic;
    this.#sums[POTENTIAL] = 0.5 * potential;
  }

  /**
   * Checks one step. Forces and base motions of the step are read from the integrator before it accepts them, and
   * ∂h/∂t and ∇h from the contacts as they were linearised for the step.
   * @param clock clock[0] is the time at the end of the step, s
   * @param gapVelocity ẏ⁻ of the step's start, m/s
   * @param active 1 for rows that took part in the step
   * @returns false when something is not finite
   */
  check(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    gapVelocity: Float64Array,
    impulse: Float64Array,
    active: Uint8Array,
  ): boolean {
    const { h, theta, integrator } = this;
    const sums = this.#sums;
    const size = q.length;
    if (!this.contacts.hasConstantJacobian) {
      this.#jacobian.values.set(this.contacts.jacobian.values);
      this.#refreshMobility();
    }
    this.#contactResiduals(v, gapVelocity, impulse, active);
    const contact = sums[CONTACT];

    // Absolute end state in `delta` first, differences afterwards.
    const vTheta = this.#vTheta;
    const qTheta = this.#qTheta;
    const delta = this.#delta;
    const generalised = this.#generalised;
    let positionResidual = 0;
    for (let i = 0; i < size; i++) {
      const q1 = q[i] + integrator.basePosition1[i];
      const v1 = v[i] + integrator.baseVelocity1[i];
      vTheta[i] = theta * v1 + (1 - theta) * this.#v0[i];
      qTheta[i] = this.#q0[i] + h * theta * vTheta[i];
      delta[i] = v1 - this.#v0[i];
      generalised[i] = 0;
      sums[VELOCITY_SCALE] = Math.max(sums[VELOCITY_SCALE], Math.abs(v1));
      sums[POSITION_SCALE] = Math.max(sums[POSITION_SCALE], Math.abs(q1));
      const residual = Math.abs(q1 - this.#q0[i] - h * vTheta[i]);
      if (!(residual <= positionResidual)) positionResidual = residual;
    }
    for (let row = 0; row < impulse.length; row++) {
      const p = impulse[row];
      if (p === 0) continue;
      for (let k = this.#jacobian.rowStart[row]; k < this.#jacobian.rowStart[row + 1]; k++) {
        generalised[this.#jacobian.columns[k]] += this.#jacobian.values[k] * p;
      }
    }
    let worst = 0;
    let worstDof = -1;
    let work = 0;
    let exchanged = 0;
    for (let i = 0; i < size; i++) {
      const inertia = rowDot(this.#mass, i, delta);
      const damping = h * rowDot(this.#damping, i, vTheta);
      const spring = h * rowDot(this.#stiffness, i, qTheta);
      const force = h * (theta * integrator.force1[i] + (1 - theta) * integrator.force0[i]);
      work += vTheta[i] * (force + generalised[i] - damping);
      exchanged += Math.max(force * force, generalised[i] * generalised[i]) / this.#massDiagonal[i];
      const scale = Math.max(Math.abs(inertia), Math.abs(spring), Math.abs(force), Math.abs(generalised[i]));
      sums[IMPULSE_SCALE] = Math.max(sums[IMPULSE_SCALE], scale);
      const residual = Math.abs(inertia + damping + spring - force - generalised[i]);
      if (!(residual <= worst)) {
        worst = residual;
        worstDof = i;
      }
    }
    const dynamics = Math.max(
      relative(worst, sums[IMPULSE_SCALE]),
      relative(positionResidual, Math.max(sums[POSITION_SCALE], h * sums[VELOCITY_SCALE])),
    );
    if (!(dynamics <= sums[DYNAMICS])) sums[DYNAMICS] = dynamics;
    if (!(Math.max(dynamics, contact) <= sums[WORST])) {
      sums[WORST] = Math.max(dynamics, contact);
      sums[WORST_TIME] = clock[0];
      this.#worstDof = dynamics >= contact ? worstDof : -1;
    }
    // Kahan: a million small works must not lose what the certificate is meant to see.
    const term = work - sums[WORK_COMPENSATION];
    const total = sums[WORK] + term;
    sums[WORK_COMPENSATION] = total - sums[WORK] - term;
    sums[WORK] = total;

    this.#keep(q, v, integrator.basePosition1, integrator.baseVelocity1);
    this.#energies(this.#q0, this.#v0);
    // At rest no energy changes hands; the kinetic energy of one step's impulses then tells what is small.
    sums[ENERGY_SCALE] = Math.max(
      sums[ENERGY_SCALE],
      sums[KINETIC] + Math.abs(sums[POTENTIAL]),
      Math.abs(sums[WORK]),
      0.5 * exchanged,
    );
    return (
      Number.isFinite(sums[WORST]) && Number.isFinite(sums[KINETIC]) && Number.isFinite(sums[POSITION_SCALE])
    );
  }

  /** Leaves the larger of the two relative residuals of this step in CONTACT. */
  #contactResiduals(
    v: Float64Array,
    gapVelocity: Float64Array,
    impulse: Float64Array,
    active: Uint8Array,
  ): void {
    const sums = this.#sums;
    const { restitution, timeDerivative } = this.contacts;
    let complementarity = 0;
    let cone = 0;
    let worstRow = -1;
    for (let row = 0; row < impulse.length; row++) {
      const speed = impulse[row] * this.#mobility[row];
      const after = rowDot(this.#jacobian, row, v) + timeDerivative[row];
      const w = after + restitution[row] * gapVelocity[row];
      sums[VELOCITY_SCALE] = Math.max(sums[VELOCITY_SCALE], Math.abs(after), Math.abs(speed));
      const residual = active[row] === 1 ? Math.abs(Math.min(w, speed)) : Math.abs(speed);
      if (!(residual <= complementarity)) {
        complementarity = residual;
        worstRow = row;
      }
      const outside = active[row] === 1 ? Math.max(0, -w, -speed) : Math.max(0, -speed);
      if (!(outside <= cone)) cone = outside;
    }
    const scale = sums[VELOCITY_SCALE];
    const complementarityError = relative(complementarity, scale);
    const coneError = relative(cone, scale);
    if (!(complementarityError <= sums[COMPLEMENTARITY])) {
      sums[COMPLEMENTARITY] = complementarityError;
      this.#worstRow = worstRow;
    }
    if (!(coneError <= sums[CONE])) sums[CONE] = coneError;
    sums[CONTACT] = Math.max(complementarityError, coneError);
  }

  /** The worst so far; a new object, for reports outside the time loop. */
  get certificate(): Certificate {
    const sums = this.#sums;
    const none = sums[WORST] === 0 && this.#worstDof < 0 && this.#worstRow < 0;
    return {
      complementarity: sums[COMPLEMENTARITY],
      coneViolation: sums[CONE],
      dynamics: sums[DYNAMICS],
      worstTime: none ? null : sums[WORST_TIME],
      worstElement: none ? null : this.#worstElement(),
    };
  }

  #worstElement(): string | null {
    if (this.#worstDof >= 0) {
      const system = this.model.systems.findIndex((_, i) => this.#worstDof < this.integrator.offsets[i + 1]);
      return this.model.systems[system]?.id ?? null;
    }
    const interaction = this.model.interactions.findIndex(
      (_, i) => this.#worstRow < this.contacts.offsets[i + 1],
    );
    return this.model.interactions[interaction]?.id ?? null;
  }

  /** (T + V − T₀ − V₀ − work) relative to the largest energy or work of the run; null when K is not symmetric. */
  get energyDrift(): number | null {
    if (!this.hasEnergy) return null;
    const sums = this.#sums;
    const defect = sums[KINETIC] + sums[POTENTIAL] - sums[INITIAL_ENERGY] - sums[WORK];
    return relative(Math.abs(defect), Math.max(sums[ENERGY_SCALE], sums[INITIAL_ENERGY]));
  }
}

function relative(value: number, scale: number): number {
  return scale > SMALLEST_SCALE ? value / scale : value;
}
