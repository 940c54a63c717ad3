/**
 * The certificate of an event-driven simulation. It uses rows of the result and the model's own functions,
 * and none of the factors, problems or modes of the simulation. Its figures are:
 *
 * - impact: M (v⁺ − v⁻) − Σ ᵗC P, relative to the largest momentum of the system, or impulse on it, so far;
 * - law: of friction, impulses outside the cone, and inside it where ẏ_t⁺ + e_t ẏ_t⁻ is not zero, relative to
 *   the largest impulse; of several impacts by Newton's law at one time, and of compression and expansion by
 *   Poisson's, each problem by itself; of laws that follow the impact in its course (`impacts/`) signs, and
 *   the energy that the law asks for, T⁺ − T⁻ = −Σ (1 − e²) W_c without what stops joints, from velocities
 *   and impulses, relative to the largest T; of contacts |min(d P, w)| with w = ẏ⁺ + e ẏ⁻ or, where the
 *   result has the bounce as negligible (event `zeno`), w = ẏ⁺; of joints |ẏ⁺|; relative to the largest speed
 *   of the row so far, of joints to that of any row. d = |Δẏ|/P of the row's own impulse turns P into a
 *   speed. Where a row pushes, ẏ has to be the rate of y (`GradientCheck`);
 * - energy: T⁺ − T⁻ − Σ P (ẏ⁺ + ẏ⁻ − 2 ∂h/∂t)/2, relative to the largest T so far: impulses change it by this
 *   and no more;
 * - of resets the map, part of `impact`, and the guard, part of `law` (`reset-check.ts`);
 * - start: coordinates and velocities that the model says, part of `motion`, and outputs that relations give,
 *   part of `law`;
 * - motion: the change of momentum and position over a step or arc minus the integral of forces and
 *   velocities (`motion-check.ts`);
 * - gain: T⁺ − T⁻ of an impact less what surfaces that move have done, where that is positive, relative to
 *   the largest T: Newton's law with friction, and coefficients that differ between contacts, can make it so:
 *   a warning about the law, no error;
 * - cone: how far |λ_t| is above μ λ_n, in N, and slip: how far λ_t of a contact that slides is from −μ λ_n
 *   sgn ẏ_t, in N; the same of impulses is part of `law`;
 * - penetration: how far gaps are below zero, in m, and pull: how far contact forces are, in N;
 * - law, also between events: of complementarity, relays and box laws, the distance of (y, λ) from the law,
 *   both measured by their largest values: |the middle one of (λ − u)/Λ, y/Y, (λ − l)/Λ|.
 *
 * Speeds ẏ⁻ before an impact are those that relations have just after the event: where a surface starts to
 * move, or a condition in a relation changes, they differ from those of the row before it.
 *
 * In the figures that all schemes share, forces are relative to the largest force of a contact so far, gaps
 * to the largest of the terms that cancel in one.
 */
import { Continuity } from './continuity';
import type { ImpactChoice } from '../../impacts/registry';
import type { ImpactStage } from '../event-state';
import type { LawForm, LawRow } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import { coneExcess, discDistance, discExcess, slipDistance } from '../../certificate/law-distances';
import {
  type Certificate,
  type EventResiduals,
  type SavedMaxima,
  relative,
} from '../../certificate/residual-maxima';
import { ResetCheck } from '../../certificate/reset-check';
import type { PresenceRule } from '../../model/settings/presences';
import type { ResetRule } from '../../model/resets/reset';
import { sideWidth } from '../events-manager';
import {
  GradientCheck,
  RowCheck,
  ENERGY,
  type EventMaxima,
  GAIN,
  IMPACT,
  LAW,
  MOTION,
  createEventMaxima,
} from './row-check';
import { isNetwork } from '../network/linear-network';
import { LinkedRows, SystemTerms } from './linked-rows';
import { FIRST_ROWS, ROUNDING, ROWS_BETWEEN, WrittenCertificate } from './written-impact';

/** Gaps below this part of the largest of their row at an event are closed. */
const TOUCHING = 1e-14;

/** What is known of the impacts of an event beside rows and impulses. */
export interface ImpactFacts {
  /** impacts at this time; the law relates velocities before and after to P only when there was one */
  readonly impactCount: number;
  /** whether something jumps at the time of the event */
  readonly isTimed: boolean;
  /** 1 for contacts of which the result says that their bounce is left out, by row */
  readonly isPlastic: Uint8Array;
  /** T⁺ − T⁻ that the law asks for on surfaces at rest, J; NaN where it says nothing of energy */
  readonly energyChange: number;
  /**
   * the problems that the impacts of the event consist of, by Newton's law or Poisson's, and how many of them
   * are valid
   */
  readonly phases: readonly ImpactStage[];
  readonly phaseCount: number;
}

/** A row of friction and the element that it is of. */
interface FrictionPlace {
  readonly element: number;
  readonly row: number;
  readonly coefficient: number;
  /** e_t, or 0 where the bounce is left out */
  readonly restitution: number;
}

export class EventCertificate {
  readonly #maxima: EventMaxima;
  readonly #systems: SystemTerms;
  readonly #rows: LinkedRows;
  readonly rowCheck: RowCheck;
  readonly #gradients: GradientCheck;
  /** largest momentum by system, speed by row */
  readonly #momenta: Float64Array;
  readonly #continuity: Continuity;
  readonly #raiseJump = (defect: number, system: number): void => {
    this.#raise(IMPACT, defect, system);
  };
  readonly #speeds: Float64Array;
  /** largest gap at an event by row */
  readonly #gaps: Float64Array;
  /** whether restitution relates impulses, which velocities before and behind the event do not show */
  readonly #isPoisson: boolean;
  /** [0] largest kinetic energy */
  readonly #energy = new Float64Array(1);
  /** [0] largest impulse of a contact */
  readonly #impulse = new Float64Array(1);
  readonly #surfaces: Float64Array;
  /** ẏ⁻ by row */
  readonly #approach: Float64Array;
  readonly #input: Float64Array;
  /** Σ |C_rk P_r| by coordinate: what cancels in `input` */
  readonly #terms: Float64Array;
  readonly #change: Float64Array;
  /** y of one relation, and what cancels in it */
  readonly #outputsOf: Float64Array;
  readonly #cancelled = new Float64Array(3);
  /** null where no state jumps by a reset */
  readonly #resets: ResetCheck | null;
  /** whether some interaction comes and goes */
  readonly #hasPresence: boolean;
  /** whether states of first-order systems may jump by impulses of their laws */
  readonly #isNetwork: boolean;
  /** [0] rows so far */
  readonly #seen = new Int32Array(1);
  readonly #clock = new Float64Array(1);
  /** the same, written out */
  readonly written: WrittenCertificate;

  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
    /** law of impacts at several contacts at once */
    private readonly impacts: ImpactChoice['type'] = 'Newton',
    /** absolute tolerance of states, in their units */
    private readonly tolerance = 0,
    /** step of the discretisation, s; 0 where gradients are not looked at */
    step = 0,
    resets: readonly ResetRule[] = [],
    presence: readonly PresenceRule[] = [],
  ) {
    this.#maxima = createEventMaxima(model);
    const first = model.systems.length + model.interactions.length;
    this.#resets =
      resets.length === 0
        ? null
        : new ResetCheck(model, resets, places, (isMap, value, row, rule) => {
            this.#clock[0] = row[0];
            this.#raise(isMap ? IMPACT : LAW, value, first + rule);
          });
    this.#systems = new SystemTerms(model, places);
    this.#rows = new LinkedRows(model, places);
    this.rowCheck = new RowCheck(
      model,
      places,
      this.#rows,
      this.#systems,
      this.#maxima,
      tolerance,
      presence,
      step,
    );
    this.#hasPresence = presence.length > 0;
    this.#isNetwork = isNetwork(model);
    this.#gradients = new GradientCheck(model, this.#rows, step);
    this.#momenta = new Float64Array(model.systems.length);
    this.#continuity = new Continuity(model, places, tolerance, this.#hasPresence);
    this.#speeds = new Float64Array(places.rows);
    this.#gaps = new Float64Array(places.rows);
    this.#isPoisson =
      impacts === 'Poisson' || model.interactions.some(({ law }) => law.hypothesis === 'poisson');
    this.#surfaces = new Float64Array(places.rows);
    this.#approach = new Float64Array(places.rows);
    this.#input = new Float64Array(places.ndof);
    this.#terms = new Float64Array(places.ndof);
    this.#change = new Float64Array(places.ndof);
    this.#outputsOf = new Float64Array(
      Math.max(0, ...model.interactions.map(({ relation }) => relation.size)),
    );
    const isPlain = this.#resets === null && !this.#hasPresence && !this.#isPoisson;
    this.written = new WrittenCertificate(model, places, this.#rows, this.#maxima, this, isPlain, {
      momenta: this.#momenta,
      speeds: this.#speeds,
      gaps: this.#gaps,
      fastest: this.#continuity.fastest,
      energy: this.#energy,
      impulse: this.#impulse,
      seen: this.#seen,
      clock: this.#clock,
    });
  }

  /** The largest values of the run, each in its own unit; a new object. */
  get worst(): EventResiduals {
    return this.#maxima.values;
  }

  /** The worst in the terms of all schemes, with what they are added up from; a new object. */
  get report(): Certificate {
    return { ...this.#maxima.report, parts: this.worst };
  }

  /** See `ResidualMaxima.takeRecent`. */
  takeRecent(out: Float64Array): void {
    this.#maxima.takeRecent(out);
  }

  save(): SavedMaxima {
    return this.#maxima.save();
  }

  /** Takes in what the certificate of the same run has seen before. */
  load(saved: SavedMaxima): void {
    this.#maxima.load(saved);
    this.rowCheck.forget();
  }

  /** A round of resets. @param before, after time, q, v, held outputs and numbers of resets as in rows */
  round(before: Float64Array, after: Float64Array): void {
    this.#resets?.round(before, after);
  }

  /** Enters a value that is relative already. @param element system, or number of systems + interaction */
  #raise(quantity: number, value: number, element: number): void {
    this.#maxima.raise(quantity, value, 1, this.#clock, element);
  }

  /** Place of an interaction among the elements. */
  #interaction(i: number): number {
    return this.model.systems.length + i;
  }

  /**
   * Judges an impact.
   * @param before, after rows of the result
   * @param impulses P by row
   */
  impact(before: Float64Array, after: Float64Array, impulses: Float64Array, facts: ImpactFacts): void {
    const { places } = this;
    let isImpact = false;
    for (let row = 0; row < places.rows; row++) isImpact ||= impulses[row] !== 0;
    const mayJump = this.#isNetwork || (isImpact && this.model.interactions[0].relation.order === 1);
    if ((this.#hasPresence || mayJump) && this.#resets === null) this.#charges(before, after, impulses);
    this.#clock[0] = after[0] + (facts.isTimed ? sideWidth(after[0]) : 0);
    if (isImpact) this.#rows.surfaceSpeeds(this.#clock, after, this.#surfaces);
    if (isImpact) this.#rows.speeds(this.#clock, after, before, this.#surfaces, this.#approach);
    else for (let row = 0; row < places.rows; row++) this.#approach[row] = before[places.yDot + row];
    for (let row = 0; row < places.rows; row++) {
      const speed = Math.max(Math.abs(this.#approach[row]), Math.abs(after[places.yDot + row]));
      this.#speeds[row] = Math.max(this.#speeds[row], speed);
      this.#gaps[row] = Math.max(this.#gaps[row], Math.abs(before[places.y + row]));
      this.#impulse[0] = Math.max(this.#impulse[0], Math.abs(impulses[row]));
    }
    if (this.#resets === null) this.#continuity.judge(before, after, isImpact, this.#raiseJump);
    if (!isImpact) return;
    const input = this.#input.fill(0);
    this.#rows.addInputs(this.#clock, after, impulses, 2, input, this.#terms.fill(0));
    const { systems } = this.model;
    for (let s = 0; s < systems.length; s++)
      if (systems[s].form.order === 2) this.#momentum(s, before, after);
    this.#laws(after, impulses, facts);
    this.#gradientsOf(after, impulses);
    // One of Newton's is judged by the velocities of the result.
    if (facts.phaseCount > 1 || this.#isPoisson)
      for (let k = 0; k < facts.phaseCount; k++) this.#phase(facts, k, impulses, before);
    this.#energyBalance(before, after, impulses);
    if (!Number.isNaN(facts.energyChange)) this.#energyLaw(after, impulses, facts.energyChange);
  }

  /**
   * M (x⁺ − x⁻) = B P of first-order systems, relative to the largest of their terms so far, where it is more
   * than the tolerance of the states can make.
   */
  #charges(before: Float64Array, after: Float64Array, impulses: Float64Array): void {
    this.#clock[0] = after[0];
    const input = this.#input.fill(0);
    this.#rows.addInputs(this.#clock, after, impulses, 1, input);
    const { systems } = this.model;
    for (let s = 0; s < systems.length; s++) {
      const { form } = systems[s];
      if (form.order === 2) continue;
      const { size: n, mass } = form;
      const [q, dof] = [this.places.q + this.#systems.positions[s], this.#systems.offsets[s]];
      for (let i = 0; i < n; i++) {
        let [change, reach] = [0, 0];
        for (let j = 0; j < n; j++) {
          const m = mass === null ? (i === j ? 1 : 0) : mass[i * n + j];
          reach += Math.abs(m);
          change += m * (after[q + j] - before[q + j]);
          const size = Math.max(Math.abs(m * after[q + j]), Math.abs(m * before[q + j]));
          this.#momenta[s] = Math.max(this.#momenta[s], size);
        }
        const defect = Math.abs(change - input[dof + i]);
        if (!(defect <= reach * this.tolerance)) this.#raise(IMPACT, relative(defect, this.#momenta[s]), s);
      }
    }
    this.#input.fill(0);
    this.#signsOfCharges(impulses);
  }

  /** Largest terms of M x of first-order systems, so that what is small does not depend on events alone. */
  #noteMomenta(row: Float64Array): void {
    const { systems } = this.model;
    for (let s = 0; s < systems.length; s++) {
      const { form } = systems[s];
      if (form.order === 2) continue;
      const { size: n, mass } = form;
      const q = this.places.q + this.#systems.positions[s];
      for (let k = 0; k < (mass === null ? n : n * n); k++) {
        const term = mass === null ? row[q + k] : mass[k] * row[q + (k % n)];
        this.#momenta[s] = Math.max(this.#momenta[s], Math.abs(term));
      }
    }
  }

  /** Impulses only push where multipliers do without limit. */
  #signsOfCharges(impulses: Float64Array): void {
    const { interactions } = this.model;
    let most = 0;
    for (let row = 0; row < impulses.length; row++) most = Math.max(most, Math.abs(impulses[row]));
    if (most === 0) return;
    for (let i = 0; i < interactions.length; i++) {
      const { relation, law } = interactions[i];
      for (let r = 0; r < relation.size && relation.order === 1; r++) {
        const own = law.rows[r % law.size];
        const P = impulses[this.#rows.offsets[i] + r];
        if (own.kind !== 'box' || P === 0) continue;
        if (P < 0 ? own.lower > -Infinity : own.upper < Infinity)
          this.#raise(LAW, relative(Math.abs(P), most), this.#interaction(i));
      }
    }
  }

  /** Whether what pushes has speeds that are the rates of its outputs. */
  #gradientsOf(after: Float64Array, impulses: Float64Array): void {
    const { offsets } = this.#rows;
    for (let i = 0; i + 1 < offsets.length; i++) {
      let pushes = false;
      for (let row = offsets[i]; row < offsets[i + 1]; row++) pushes ||= impulses[row] !== 0;
      if (!pushes || !this.#gradients.look(i, this.#clock, after)) continue;
      for (let row = offsets[i]; row < offsets[i + 1]; row++) {
        if (this.model.interactions[i].relation.rows?.[row - offsets[i]].isSlip === true) continue;
        const defect = this.#gradients.defect(row - offsets[i], after[this.places.yDot + row]);
        this.#raise(LAW, relative(defect, this.#fastest()), this.#interaction(i));
      }
    }
  }

  /** Largest speed of any row so far. */
  #fastest(): number {
    let most = 0;
    for (let row = 0; row < this.#speeds.length; row++) most = Math.max(most, this.#speeds[row]);
    return most;
  }

  #momentum(s: number, before: Float64Array, after: Float64Array): void {
    const scale = this.#systems.momentum(s, before, after, this.#change);
    const from = this.#systems.offsets[s];
    const to = this.#systems.offsets[s + 1];
    this.#momenta[s] = Math.max(this.#momenta[s], scale);
    for (let dof = from; dof < to; dof++) this.#momenta[s] = Math.max(this.#momenta[s], this.#terms[dof]);
    for (let dof = from; dof < to; dof++)
      this.#raise(IMPACT, relative(Math.abs(this.#change[dof] - this.#input[dof]), this.#momenta[s]), s);
  }

  #laws(after: Float64Array, impulses: Float64Array, { impactCount: count, isPlastic }: ImpactFacts): void {
    const { places } = this;
    const { interactions } = this.model;
    const fastest = this.#fastest();
    for (let i = 0; i < interactions.length; i++) {
      const { relation, law } = interactions[i];
      if (relation.order === 1) continue;
      const element = this.#interaction(i);
      for (let r = 0; r < relation.size; r++) {
        const row = this.#rows.offsets[i] + r;
        const P = impulses[row];
        const own = law.rows[r % law.size];
        if (own.kind === 'friction' && law.size > 2) {
          if (r % law.size === 1)
            this.#discLaw(row, element, own, isPlastic[row - 1] === 1, count, after, impulses);
          continue;
        }
        if (own.kind === 'friction') {
          // A bounce that is left out takes the tangential restitution with it.
          const restitution = isPlastic[row - 1] === 1 ? 0 : own.restitution;
          const place = { element, row, coefficient: own.coefficient, restitution };
          const isWhole = this.impacts === 'Newton' && law.hypothesis !== 'poisson' && count === 1;
          this.#frictionLaw(place, isWhole, after, impulses);
          continue;
        }
        // A contact that lifts off while another is hit may keep an impulse of rounding.
        if (Math.abs(P) <= ROUNDING * this.#impulse[0]) continue;
        const minus = this.#approach[row];
        const plus = after[places.yDot + row];
        let defect = Math.abs(plus);
        if (law.restitution !== null) {
          const d = Math.abs(plus - minus) / Math.abs(P);
          const e = isPlastic[row] === 1 ? 0 : law.restitution;
          defect = Math.abs(Math.min(d * P, plus + e * minus));
          if (count > 1 || !this.#isNewton(law)) defect = Math.max(0, -plus);
          if (P < 0) defect = d * -P;
        }
        // Joints do not move: what is much for one of them, the rows that do move say.
        const scale = law.restitution === null ? fastest : this.#speeds[row];
        this.#raise(LAW, defect <= ROUNDING * fastest ? 0 : relative(defect, scale), element);
      }
    }
  }

  /**
   * Each problem of an event by itself, relative to the largest impulse and speed: of contacts 0 ≤ P ⊥ ẏ⁺ + e
   * ẏ⁻ ≥ 0 by Newton's law, by Poisson's 0 ≤ P^C ⊥ ẏ^C ≥ 0 in the compression and 0 ≤ P^E − e P^C ⊥ ẏ⁺ ≥ 0 in
   * the expansion; and Coulomb's law of friction. Their sum says nothing of velocities in between. A contact
   * that is closed and does not separate takes part, even where nothing pushes it.
   * @param k problem
   * @param impulses of the event: rows without any took no part
   * @param result its row before the event
   */
  #phase({ phases, phaseCount }: ImpactFacts, k: number, impulses: Float64Array, result: Float64Array): void {
    const { interactions } = this.model;
    const { before, after, impulse, isPlastic, kind } = phases[k];
    const isNewton = kind === 'newton';
    const compression = kind === 'expansion' ? phases[k - 1] : null;
    // Who takes part in an expansion is decided before the compression.
    const start = (compression ?? phases[k]).before;
    const isUnfinished =
      kind === 'compression' && (k + 1 >= phaseCount || phases[k + 1].kind !== 'expansion');
    // Impulses and speeds in between may be larger than those of the result.
    let fastest = this.#fastest();
    let strongest = this.#impulse[0];
    for (let row = 0; row < after.length; row++) {
      fastest = Math.max(fastest, Math.abs(before[row]), Math.abs(after[row]));
      strongest = Math.max(strongest, Math.abs(impulse[row]));
    }
    for (let i = 0; i < interactions.length; i++) {
      const { relation, law } = interactions[i];
      if (relation.order === 1 || law.restitution === null) continue;
      const element = this.#interaction(i);
      for (let r = 0; r < relation.size; r++) {
        const row = this.#rows.offsets[i] + r;
        const own = law.rows[r % law.size];
        // Each problem of several is judged by its sum.
        if (own.kind === 'friction' && law.size > 2) continue;
        if (own.kind !== 'friction') {
          const e = isPlastic[row] === 1 ? 0 : law.restitution;
          const w = relative(after[row] + (isNewton ? e * before[row] : 0), fastest);
          const touches = result[this.places.y + row] <= TOUCHING * this.#gaps[row] && start[row] <= 0;
          const least = compression === null ? 0 : e * compression.impulse[row];
          const rest = relative(impulse[row] - least, strongest);
          const isOut = impulse[row] === 0 && least === 0 && !touches;
          const defect = isOut ? 0 : Math.abs(Math.min(rest, w));
          const missing = isUnfinished ? relative(e * impulse[row], strongest) : 0;
          this.#raise(LAW, Math.max(defect <= ROUNDING ? 0 : defect, missing), element);
          continue;
        }
        const e = isNewton && isPlastic[row - 1] === 0 ? own.restitution : 0;
        const w = relative(after[row] + e * before[row], fastest);
        if (impulse[row - 1] === 0 || impulses[row - 1] === 0) continue;
        const bound = own.coefficient * impulse[row - 1];
        const outside = relative(coneExcess(impulse[row], bound), strongest);
        const inside = relative(slipDistance(impulse[row], bound, w), strongest);
        this.#raise(LAW, Math.max(outside, Math.min(Math.abs(w), inside)), element);
      }
    }
  }

  /** Whether w = ẏ⁺ + e ẏ⁻ of what pushes is zero; without restitution Poisson's law says the same. */
  #isNewton({ hypothesis, restitution }: LawForm): boolean {
    if (this.impacts === 'Newton' && hypothesis !== 'poisson') return true;
    return (this.impacts === 'Newton' || this.impacts === 'Poisson') && restitution === 0;
  }

  /**
   * Friction in a tangent plane.
   * @param row of the first slip
   * @param isPlastic whether the bounce is left out
   */
  #discLaw(
    row: number,
    element: number,
    { coefficient, restitution: e }: Extract<LawRow, { kind: 'friction' }>,
    isPlastic: boolean,
    count: number,
    after: Float64Array,
    impulses: Float64Array,
  ): void {
    const { yDot } = this.places;
    const bound = coefficient * impulses[row - 1];
    const [p1, p2] = [impulses[row], impulses[row + 1]];
    this.#raise(LAW, relative(discExcess(p1, p2, bound), this.#impulse[0]), element);
    if (count > 1 || impulses[row - 1] === 0) return;
    const restitution = isPlastic ? 0 : e;
    const w1 = after[yDot + row] + restitution * this.#approach[row];
    const w2 = after[yDot + row + 1] + restitution * this.#approach[row + 1];
    const speed = Math.max(this.#speeds[row], this.#speeds[row + 1], this.#speeds[row - 1]);
    const slip = relative(Math.hypot(w1, w2), speed);
    const inside = relative(discDistance(p1, p2, bound, w1, w2), this.#impulse[0]);
    this.#raise(LAW, slip > 0 ? Math.min(slip, inside) : 0, element);
  }

  /**
   * @param isWhole whether velocities before and after are related by one Newtonian impact; otherwise only
   *   the cone is judged, which sums of impulses do not leave
   */
  #frictionLaw(
    { element, row, coefficient, restitution }: FrictionPlace,
    isWhole: boolean,
    after: Float64Array,
    impulses: Float64Array,
  ): void {
    const bound = coefficient * impulses[row - 1];
    const P = impulses[row];
    this.#raise(LAW, relative(coneExcess(P, bound), this.#impulse[0]), element);
    if (!isWhole || impulses[row - 1] === 0) return;
    const { yDot } = this.places;
    const w = after[yDot + row] + restitution * this.#approach[row];
    const slip = relative(Math.abs(w), Math.max(this.#speeds[row], this.#speeds[row - 1]));
    const inside = relative(slipDistance(P, bound, w), this.#impulse[0]);
    this.#raise(LAW, Math.min(slip, inside), element);
  }

  #energyBalance(before: Float64Array, after: Float64Array, impulses: Float64Array): void {
    const { places } = this;
    const T0 = this.#systems.kineticEnergy(before);
    const T1 = this.#systems.kineticEnergy(after);
    this.#energy[0] = Math.max(this.#energy[0], T0, T1);
    let work = 0;
    for (let row = 0; row < places.rows; row++) {
      const mean = (this.#approach[row] + after[places.yDot + row]) / 2;
      work += impulses[row] * (mean - this.#surfaces[row]);
    }
    const element = this.#strongest(impulses);
    this.#raise(ENERGY, relative(Math.abs(T1 - T0 - work), this.#energy[0]), element);
    let surfaceWork = 0;
    for (let row = 0; row < places.rows; row++) surfaceWork -= impulses[row] * this.#surfaces[row];
    this.#raise(GAIN, relative(Math.max(0, T1 - T0 - surfaceWork), this.#energy[0]), element);
  }

  /** What impulses have done, Σ P (ẏ⁺ + ẏ⁻)/2, against the energy that the law asks for. */
  #energyLaw(after: Float64Array, impulses: Float64Array, energyChange: number): void {
    const { yDot, rows } = this.places;
    let work = 0;
    for (let row = 0; row < rows; row++)
      work += (impulses[row] * (this.#approach[row] + after[yDot + row])) / 2;
    this.#raise(LAW, relative(Math.abs(work - energyChange), this.#energy[0]), this.#strongest(impulses));
  }

  /** The element with the largest impulse, which a balance of all is put down to. */
  #strongest(impulses: Float64Array): number {
    const { offsets } = this.#rows;
    let most = 0;
    let element = this.#interaction(0);
    for (let i = 0; i + 1 < offsets.length; i++) {
      for (let row = offsets[i]; row < offsets[i + 1]; row++) {
        if (!(Math.abs(impulses[row]) > most)) continue;
        most = Math.abs(impulses[row]);
        element = this.#interaction(i);
      }
    }
    return element;
  }

  /** The row before all events at the start of a model: coordinates and velocities are those it says. */
  start(row: Float64Array): void {
    const { q, v } = this.places;
    const { systems } = this.model;
    this.#resets?.start(row);
    this.#clock[0] = row[0];
    for (let s = 0; s < systems.length; s++) {
      const { form } = systems[s];
      const given = form.order === 1 ? form.x0 : form.q0;
      for (let k = 0; k < given.length; k++)
        this.#raise(MOTION, Math.abs(row[q + this.#systems.positions[s] + k] - given[k]), s);
      if (form.order === 1) continue;
      for (let k = 0; k < form.size; k++)
        this.#raise(MOTION, Math.abs(row[v + this.#systems.offsets[s] + k] - form.v0[k]), s);
    }
  }

  /** Outputs and multipliers at a row of the result, of an event before it and behind it. */
  row(row: Float64Array): void {
    this.rowCheck.judge(row);
    this.#resets?.row(row);
    if (this.#isNetwork) this.#noteMomenta(row);
    this.#continuity.note(row);
    const seen = this.#seen;
    if (seen[0] < FIRST_ROWS || seen[0] % ROWS_BETWEEN === 0) this.outputs(row);
    seen[0]++;
  }

  /**
   * Whether y is what the relation gives, where that can be asked without the side of a jump or of a
   * condition.
   */
  outputs(row: Float64Array): void {
    const { interactions } = this.model;
    this.#clock[0] = row[0];
    for (let i = 0; i < interactions.length; i++) {
      const { size, isAffine, isTimeDependent, rows } = interactions[i].relation;
      if (isTimeDependent || (!isAffine && rows === undefined)) continue;
      const y = this.#outputsOf;
      this.#rows.output(i, this.#clock, row, y);
      for (let r = 0; r < size; r++) {
        const off = Math.abs(y[r] - row[this.places.y + this.#rows.offsets[i] + r]);
        if (off === 0) continue;
        this.#rows.outputTerms(i, r, this.#clock, row, this.#cancelled);
        this.#raise(LAW, relative(off, this.#cancelled[0]), this.#interaction(i));
      }
    }
  }

  /**
   * Takes note of a relative defect of the motion of a system between events, which `MotionCheck` has found.
   */
  motion(defect: number, clock: Float64Array, system: number): void {
    this.#maxima.raise(MOTION, defect, 1, clock, system);
  }
}
