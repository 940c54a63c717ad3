/**
 * What the result of an event-driven simulation is judged by. It is computed from rows of the result with the model's own
 * functions, without the factors, problems or modes of the simulation:
 *
 * - impact: M (v⁺ − v⁻) − Σ ᵗC P, relative to the largest momentum so far;
 * - law: of contacts |min(d P, w)| with w = ẏ⁺ + e ẏ⁻ or, where the simulation has taken the bounce for negligible, w = ẏ⁺;
 *   of joints |ẏ⁺|; relative to the largest speed of the row so far. d = |Δẏ|/P of the row's own impulse turns P into a speed;
 * - energy: T⁺ − T⁻ − Σ P (ẏ⁺ + ẏ⁻ − 2 ∂h/∂t)/2, relative to the largest T so far: impulses change it by this and no more;
 * - motion: the derivative of the state by differences of the continuous extension, minus the rate with the recorded λ, as M ẋ − f,
 *   relative to its largest term in the system so far;
 * - penetration: how far gaps are below zero, in m, and pull: how far contact forces are, in N.
 */
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { StatePlaces } from '../simulation/layout';
import { LinkedRows } from './linked-rows';
import { SystemTerms } from './system-terms';

/** Weights of a central difference of order 4 at distances −2 … 2, to be divided by the distance. */
const WEIGHTS = Float64Array.of(1 / 12, -8 / 12, 0, 8 / 12, -1 / 12);
export const SAMPLES = WEIGHTS.length;

export interface CertificateValues {
  impact: number;
  law: number;
  energy: number;
  motion: number;
  penetration: number;
  pull: number;
}

export class EventCertificate {
  /** largest values of the run */
  readonly worst: CertificateValues = { impact: 0, law: 0, energy: 0, motion: 0, penetration: 0, pull: 0 };
  readonly #systems: SystemTerms;
  readonly #rows: LinkedRows;
  /** largest momentum and rate by system, speed by row */
  readonly #momenta: Float64Array;
  readonly #rates: Float64Array;
  readonly #speeds: Float64Array;
  /** [0] largest kinetic energy */
  readonly #energy = new Float64Array(1);
  readonly #surfaces: Float64Array;
  readonly #input: Float64Array;
  readonly #change: Float64Array;
  readonly #derivative: Float64Array;
  readonly #clock = new Float64Array(1);

  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
  ) {
    this.#systems = new SystemTerms(model, places);
    this.#rows = new LinkedRows(model, places);
    this.#momenta = new Float64Array(model.systems.length);
    this.#rates = new Float64Array(model.systems.length);
    this.#speeds = new Float64Array(places.rows);
    this.#surfaces = new Float64Array(places.rows);
    this.#input = new Float64Array(places.ndof);
    this.#change = new Float64Array(places.ndof);
    this.#derivative = new Float64Array(2 * places.ndof);
  }

  #raise(which: keyof CertificateValues, value: number): void {
    // A comparison that NaN fails must not hide it.
    if (!(value <= this.worst[which]) && !Number.isNaN(this.worst[which])) this.worst[which] = value;
  }

  /**
   * Judges an impact.
   * @param before, after rows of the result
   * @param impulses P by row
   * @param count impacts at this time; the law relates velocities before and after to P only when there was one
   */
  impact(before: Float64Array, after: Float64Array, impulses: Float64Array, count: number): void {
    const { places } = this;
    this.#clock[0] = after[0];
    let isImpact = false;
    for (let row = 0; row < places.rows; row++) {
      const speed = Math.max(Math.abs(before[places.yDot + row]), Math.abs(after[places.yDot + row]));
      this.#speeds[row] = Math.max(this.#speeds[row], speed);
      isImpact ||= impulses[row] !== 0;
    }
    if (!isImpact) return;
    const input = this.#input.fill(0);
    this.#rows.addInputs(this.#clock, after, impulses, 2, input);
    this.model.systems.forEach(({ form }, s) => {
      if (form.order === 2) this.#momentum(s, before, after);
    });
    this.#laws(before, after, impulses, count);
    this.#energyBalance(before, after, impulses);
  }

  #momentum(s: number, before: Float64Array, after: Float64Array): void {
    const scale = this.#systems.momentum(s, before, after, this.#change);
    this.#momenta[s] = Math.max(this.#momenta[s], scale);
    const from = this.#systems.offsets[s];
    for (let dof = from; dof < this.#systems.offsets[s + 1]; dof++)
      this.#raise('impact', relative(Math.abs(this.#change[dof] - this.#input[dof]), this.#momenta[s]));
  }

  #laws(before: Float64Array, after: Float64Array, impulses: Float64Array, count: number): void {
    const { places } = this;
    this.model.interactions.forEach(({ relation, law }, i) => {
      if (relation.order === 1) return;
      for (let r = 0; r < relation.size; r++) {
        const row = this.#rows.offsets[i] + r;
        const P = impulses[row];
        if (P === 0) continue;
        const minus = before[places.yDot + row];
        const plus = after[places.yDot + row];
        let defect = Math.abs(plus);
        if (law.restitution !== null) {
          const d = Math.abs(plus - minus) / Math.abs(P);
          const newton = Math.abs(Math.min(d * P, plus + law.restitution * minus));
          // A bounce that is negligible has been left out.
          defect = Math.min(newton, Math.abs(plus));
          if (count > 1) defect = Math.max(0, -plus);
          if (P < 0) defect = d * -P;
        }
        this.#raise('law', relative(defect, this.#speeds[row]));
      }
    });
  }

  #energyBalance(before: Float64Array, after: Float64Array, impulses: Float64Array): void {
    const { places } = this;
    const [T0, T1] = [this.#systems.kineticEnergy(before), this.#systems.kineticEnergy(after)];
    this.#energy[0] = Math.max(this.#energy[0], T0, T1);
    let work = 0;
    this.#rows.surfaceSpeeds(this.#clock, after, this.#surfaces);
    for (let row = 0; row < places.rows; row++) {
      const mean = (before[places.yDot + row] + after[places.yDot + row]) / 2;
      work += impulses[row] * (mean - this.#surfaces[row]);
    }
    this.#raise('energy', relative(Math.abs(T1 - T0 - work), this.#energy[0]));
  }

  /** Gaps and forces at a row of the result, before the event if there is one. */
  arcEnd(row: Float64Array): void {
    const { places } = this;
    this.model.interactions.forEach(({ law }, i) => {
      if (law.restitution === null) return;
      for (let r = this.#rows.offsets[i]; r < this.#rows.offsets[i + 1]; r++) {
        this.#raise('penetration', Math.max(0, -row[places.y + r]));
        this.#raise('pull', Math.max(0, -row[places.lambda + r]));
      }
    });
  }

  /**
   * Judges the motion between events.
   * @param samples rows of the result at equal distances, of which the middle one is judged; SAMPLES of them
   * @param distance between them, s, in `distance[0]`
   */
  arc(samples: readonly Float64Array[], distance: Float64Array): void {
    const { places } = this;
    const { ndof, q, v } = places;
    const derivative = this.#derivative.fill(0);
    for (let k = 0; k < SAMPLES; k++) {
      const factor = WEIGHTS[k] / distance[0];
      for (let dof = 0; dof < ndof; dof++) {
        derivative[dof] += factor * samples[k][q + dof];
        derivative[ndof + dof] += factor * samples[k][v + dof];
      }
    }
    const middle = samples[(SAMPLES - 1) / 2];
    this.#clock[0] = middle[0];
    const lambda = middle.subarray(places.lambda, places.lambda + places.rows);
    const input = this.#input.fill(0);
    this.#rows.addInputs(this.#clock, middle, lambda, 1, input);
    this.#rows.addInputs(this.#clock, middle, lambda, 2, input);
    for (let s = 0; s < this.model.systems.length; s++) {
      const measure = this.#systems.motionDefect(s, middle, derivative, input);
      this.#rates[s] = Math.max(this.#rates[s], measure[1]);
      this.#raise('motion', relative(measure[0], this.#rates[s]));
    }
  }
}

const relative = (value: number, scale: number): number => (scale > 0 ? value / scale : value);
