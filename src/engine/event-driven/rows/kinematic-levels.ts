/**
 * The kinematic levels of the Siconos manual at rows of the result: y[i], the i-th derivative of an output,
 * λ[i], the multiplier that a law relates to it, and what that does to the coordinates,
 *
 *     level 0   y[0] = h(t, q)       λ[0] of first-order relations  p[0] = r = g(t, x, λ[0])
 *     level 1   y[1] = C v + ∂h/∂t   λ[1], the impulse of an event  p[1] = ᵗC λ[1], M (v⁺ − v⁻) = p[1]
 *     level 2   y[2] = C v̇ + γ      λ[2], the force between events  p[2] = ᵗC λ[2], M v̇ = F(t, q, v) + p[2]
 *
 * First-order relations have level 0 only: their values at other levels are zero, as are λ[0] and p[0] of
 * Lagrangian ones. What a law relates to another derivative than its own, as a spring's λ to y[0], is a force
 * all the same, and stands at level 2.
 *
 * They are formed from a row and the model, so that they can be had of any row that was kept; γ that no form
 * gives is formed by differences (`relation-drift.ts`).
 */
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import { singularMass } from '../failures';
import { FreeMotion, type IntegratedPlaces, placeIntegrated } from '../flow/free-motion';
import { LinkedRows } from '../certificate/linked-rows';
import { EventRelations } from './relation-rows';
import { readRowLaws, type RowLaws } from './row-laws';

export type KinematicLevel = 0 | 1 | 2;

/** δ of the differences when none is given, s */
const DIFFERENCE = 1e-4;

export class KinematicLevels {
  readonly #laws: RowLaws;
  readonly #linked: LinkedRows;
  readonly #integrated: IntegratedPlaces;
  readonly #motion: FreeMotion;
  readonly #rows: EventRelations;
  /** 1 for rows of first-order relations */
  readonly #isFirstOrder: Uint8Array;
  readonly #clock = new Float64Array(1);
  readonly #x: Float64Array;
  readonly #rate: Float64Array;
  readonly #lambda: Float64Array;
  readonly #input: Float64Array;

  /**
   * @param start time at which the motion begins, s
   * @param difference δ of the differences for derivatives that no form gives, s
   * @throws {EngineError} for a model that the scheme cannot treat
   */
  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
    start = 0,
    difference = DIFFERENCE,
  ) {
    const integrated = placeIntegrated(model);
    const laws = readRowLaws(model);
    this.#laws = laws;
    this.#integrated = integrated;
    this.#linked = new LinkedRows(model, places);
    this.#motion = new FreeMotion(model, integrated, difference, start);
    this.#rows = new EventRelations(model, laws, integrated, this.#motion, difference);
    this.#isFirstOrder = new Uint8Array(laws.count);
    model.interactions.forEach(({ relation }, i) => {
      if (relation.order === 1) this.#isFirstOrder.fill(1, laws.offsets[i], laws.offsets[i + 1]);
    });
    this.#x = new Float64Array(integrated.size);
    this.#rate = new Float64Array(integrated.size);
    this.#lambda = new Float64Array(laws.count);
    this.#input = new Float64Array(integrated.coordinates);
  }

  /**
   * y[level] of all relations.
   * @param row of the result
   * @param out by row of a relation
   * @throws {EngineError} for level 2 where a mass is singular
   */
  outputs(level: KinematicLevel, row: Float64Array, out: Float64Array): void {
    const { y, yDot } = this.places;
    if (level === 2) {
      this.#accelerations(row, out);
      return;
    }
    const at = level === 0 ? y : yDot;
    for (let r = 0; r < this.#laws.count; r++)
      out[r] = level === 1 && this.#isFirstOrder[r] === 1 ? 0 : row[at + r];
  }

  /**
   * λ[level] of all relations.
   * @param row of the result
   * @param impulses of its event, by row of a relation; zero where it belongs to none
   * @param out by row of a relation
   */
  multipliers(level: KinematicLevel, row: Float64Array, impulses: Float64Array, out: Float64Array): void {
    const { lambda } = this.places;
    for (let r = 0; r < this.#laws.count; r++) {
      const isOfLevel = level === 1 || (this.#isFirstOrder[r] === 1) === (level === 0);
      if (!isOfLevel) out[r] = 0;
      else out[r] = level === 1 ? impulses[r] : row[lambda + r];
    }
  }

  /** p[level] by coordinate of the model; see `multipliers`. */
  inputs(level: KinematicLevel, row: Float64Array, impulses: Float64Array, out: Float64Array): void {
    this.multipliers(level, row, impulses, this.#lambda);
    this.#clock[0] = row[0];
    out.fill(0);
    this.#linked.addInputs(this.#clock, row, this.#lambda, level === 0 ? 1 : 2, out);
  }

  /** C v̇ + γ with v̇ = M⁻¹ (F + p[2]), less c̈ where coordinates are measured from a base. */
  #accelerations(row: Float64Array, out: Float64Array): void {
    const { places } = this;
    const { coordinates, positions, velocity, offsets } = this.#integrated;
    const x = this.#x;
    const rate = this.#rate;
    const input = this.#input;
    for (let k = 0; k < positions; k++) x[k] = row[places.q + k];
    for (let dof = 0; dof < coordinates; dof++)
      if (velocity[dof] >= positions) x[velocity[dof]] = row[places.v + dof];
    this.inputs(2, row, this.#lambda, input);
    if (!this.#motion.updateMasses(x) || this.#motion.singular >= 0)
      throw singularMass(this.model.systems[this.#motion.singular].id, row[0]);
    this.#motion.rate(this.#clock, x, rate);
    for (let s = 0; s + 1 < offsets.length; s++) this.#motion.applyInverse(s, input, offsets[s]);
    for (let dof = 0; dof < coordinates; dof++)
      if (velocity[dof] >= positions) rate[velocity[dof]] += input[dof];
    this.#rows.update(this.#clock, x, true);
    this.#rows.drifts(this.#clock, x, out);
    const { rowStart, dofs, C } = this.#rows;
    for (let r = 0; r < this.#laws.count; r++) {
      if (this.#isFirstOrder[r] === 1) out[r] = 0;
      else for (let k = rowStart[r]; k < rowStart[r + 1]; k++) out[r] += C[k] * rate[velocity[dofs[k]]];
    }
  }
}
