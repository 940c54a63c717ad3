/**
 * Contacts as the certificate sees them: which of them take part in a step, and what restitution compares
 * with. Both follow from gaps that the certificate evaluates itself; the word of the time loop counts only
 * where rounding decides.
 *
 * A contact at velocity level takes part when f = y⁻ + γ h ẏ⁻ ≤ 0, with y⁻ and ẏ⁻ the values at the end of
 * the last step, or always where its integrator says so. f is known to the rounding of the numbers that
 * cancel in it,
 *
 *     m = ROUNDING · max of |e| + |y| + Σ_k |∇h_k| (|q_k| + h |v_k|) over the states so far.
 *
 * f < −m is closed and f > m is open. In between either is right: bodies that touch have no gap but rounding.
 *
 * A contact that pushed and has come to rest has in ẏ⁻ the rounding of its own impulse p. Step by step that
 * may part the bodies by more than m, so with n = REST_ROUNDING · d p, |ẏ⁻| ≤ n and f ≤ m + REST_STEPS · h n
 * either is right too. d knows the inertia only by the diagonal of the mass matrix, by which it may miss what
 * p does to ẏ by the condition of that matrix; REST_ROUNDING leaves room for it and is still far below any
 * motion.
 *
 * With combined projection contacts take part that the step would violate otherwise, which only the time loop
 * knows; that those which do not are open, and the others closed, is checked at the end of the step.
 *
 * Friction takes part exactly when its contact does, and its restitution compares with the slip velocity;
 * that of percussions with nothing where the contact pushed in the last step.
 *
 * Newton's law compares ẏ⁺ with ẏ⁻; where it holds on positions (Schatzman–Paoli), y_{k+1} with y_{k−1}.
 */
import type { AssignedIntegrator } from '../../integrators/registry';
import { positionProjectionOf } from '../../model/settings/integrators';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { CarryOver, CertificateState } from '../state';
import type { StepWriter } from '../../straight-line/writer';

/**
 * Rounding of f in units of the magnitudes in it: a few operations of half a unit each, here and in the time
 * loop.
 */
const ROUNDING = 16 * Number.EPSILON;
/** Part of d p that is rounding in the velocity of a contact at rest. */
const REST_ROUNDING = 2 ** 20 * Number.EPSILON;
/** Steps over which that rounding may add up in the gap. */
const REST_STEPS = 1000;

export class ContactCheck {
  /** 1 for rows of impact laws */
  readonly isContact: Uint8Array;
  /**
   * gap and gap velocity, of friction slip and slip velocity, of the present state by row, and the largest
   * sum of magnitudes in f so far; of contacts
   */
  readonly gap: Float64Array;
  readonly gapVelocity: Float64Array;
  readonly magnitude: Float64Array;
  /** what restitution compares with in the step, by row */
  readonly reference: Float64Array;
  /** 1 for rows that take part in the step */
  readonly active: Uint8Array;
  /** 1 for rows of which the gap says that */
  readonly isJudged: Uint8Array;

  /** contacts at velocity level, γ of each, and 1 for those that always take part */
  readonly #switched: Int32Array;
  readonly #forecast: Float64Array;
  readonly #isAlways: Uint8Array;
  /** 1 for those of combined projection */
  readonly #isTold: Uint8Array;
  /** rows of friction, each after that of its contact */
  readonly #friction: Int32Array;
  readonly #isFriction: Uint8Array;
  /** 1 for those of percussions */
  readonly #isOfPercussion: Uint8Array;
  /** contacts at position level, and the gap one step back by row */
  readonly #onPositions: Int32Array;
  readonly #previousGap: Float64Array;

  /**
   * @param isVelocity by row, whether the law holds on ẏ
   * @param assignmentOf how each system is integrated
   */
  constructor(
    { interactions }: NonSmoothDynamicalSystem,
    isVelocity: Uint8Array,
    assignmentOf: (system: number) => AssignedIntegrator | undefined,
  ) {
    const count = isVelocity.length;
    this.isContact = new Uint8Array(count);
    this.gap = new Float64Array(count);
    this.gapVelocity = new Float64Array(count);
    this.magnitude = new Float64Array(count);
    this.reference = new Float64Array(count);
    this.active = new Uint8Array(count).fill(1);
    this.isJudged = new Uint8Array(count);
    this.#isOfPercussion = new Uint8Array(count);
    this.#previousGap = new Float64Array(count);
    const switched: number[] = [];
    const onPositions: number[] = [];
    const friction: number[] = [];
    const forecast: number[] = [];
    const always: number[] = [];
    const told: number[] = [];
    let row = 0;
    for (const { relation, law, systems } of interactions) {
      // Of several integrators it is that of the first system that decides.
      const assignment = assignmentOf(systems[0]);
      for (let k = 0; k < relation.size; k++, row++) {
        if (relation.order !== 2 || law.restitution === null) continue;
        this.isContact[row] = 1;
        const own = law.rows[k % law.size];
        if (own.kind === 'friction') {
          friction.push(row);
          this.#isOfPercussion[row] = own.isOfPercussion === true ? 1 : 0;
          continue;
        }
        if (isVelocity[row] === 0) {
          onPositions.push(row);
          continue;
        }
        switched.push(row);
        forecast.push(assignment?.numbers.forecast ?? 0);
        always.push(assignment?.choices.activation === 'always' ? 1 : 0);
        told.push(assignment !== undefined && positionProjectionOf(assignment)?.kind === 'combined' ? 1 : 0);
      }
    }
    this.#switched = Int32Array.from(switched);
    this.#forecast = Float64Array.from(forecast);
    this.#isAlways = Uint8Array.from(always);
    this.#isTold = Uint8Array.from(told);
    this.#onPositions = Int32Array.from(onPositions);
    this.#friction = Int32Array.from(friction);
    for (const one of [...switched, ...friction]) this.isJudged[one] = 1;
    this.#isFriction = new Uint8Array(count);
    for (const row of friction) this.#isFriction[row] = 1;
  }

  /** Whether a row is that of the gap, and not of friction. */
  isNormal(row: number): boolean {
    return this.#isFriction[row] === 0;
  }

  /**
   * Takes the present gaps as those of the start; the ones before them follow from their velocities.
   * @param h [0], s
   */
  start(h: Float64Array): void {
    for (const row of this.#onPositions)
      this.#previousGap[row] = this.gap[row] - h[0] * this.gapVelocity[row];
  }

  /**
   * Fills `active` and `reference` for the step from the gaps at its start.
   * @param word 1 for rows that took part in the step as the time loop has it
   * @param h [0] length of the step, s
   * @param push d p of the last step by row
   */
  judge(word: Uint8Array, h: Float64Array, push: Float64Array): void {
    const { gap, gapVelocity, magnitude, reference, active } = this;
    const switched = this.#switched;
    const step = h[0];
    for (let k = 0; k < switched.length; k++) {
      const row = switched[k];
      const speed = gapVelocity[row];
      reference[row] = speed;
      if (this.#isTold[k] === 1) {
        active[row] = word[row];
        continue;
      }
      const margin = ROUNDING * magnitude[row];
      const f = gap[row] + this.#forecast[k] * step * speed;
      if (f < -margin || this.#isAlways[k] === 1) {
        active[row] = 1;
        continue;
      }
      const noise = REST_ROUNDING * push[row];
      const limit = Math.abs(speed) <= noise ? margin + REST_STEPS * step * noise : margin;
      active[row] = f <= limit ? word[row] : 0;
    }
    const friction = this.#friction;
    for (let k = 0; k < friction.length; k++) {
      const row = friction[k];
      active[row] = active[row - 1];
      const isOver = this.#isOfPercussion[row] === 1 && push[row - 1] > 0;
      reference[row] = isOver ? 0 : gapVelocity[row];
    }
    const onPositions = this.#onPositions;
    for (let k = 0; k < onPositions.length; k++) {
      const row = onPositions[k];
      reference[row] = this.#previousGap[row];
      this.#previousGap[row] = gap[row];
    }
  }

  /** Writes `judge` for steps of length h, s. */
  write(w: StepWriter, word: Uint8Array, h: number, push: Float64Array): void {
    const { gap, gapVelocity, magnitude, reference, active } = this;
    this.#switched.forEach((row, k) => {
      const speed = w.set(reference, row, w.get(gapVelocity, row));
      if (this.#isAlways[k] === 1) return;
      const margin = w.constant(`${w.literal(ROUNDING)} * ${w.get(magnitude, row)}`);
      const ahead = this.#forecast[k] * h;
      const f =
        ahead === 0 ? w.get(gap, row) : w.constant(`${w.get(gap, row)} + ${w.literal(ahead)} * ${speed}`);
      const noise = w.constant(`${w.literal(REST_ROUNDING)} * ${w.get(push, row)}`);
      const raised = `${margin} + ${w.literal(REST_STEPS * h)} * ${noise}`;
      const limit = `(abs(${speed}) <= ${noise} ? ${raised} : ${margin})`;
      w.set(active, row, `${f} < -${margin} ? 1 : ${f} <= ${limit} ? ${w.get(word, row)} : 0`);
    });
    for (const row of this.#onPositions) {
      w.set(reference, row, w.get(this.#previousGap, row));
      w.set(this.#previousGap, row, w.get(gap, row));
    }
  }

  /** What does not follow from the present state. */
  save(): Pick<CertificateState, 'gapMagnitude' | 'previousGap'> {
    return { gapMagnitude: this.magnitude.slice(), previousGap: this.#previousGap.slice() };
  }

  /** Goes on from what rows that stay remember, after `start`. */
  load(carried: CarryOver): void {
    const { gapMagnitude, previousGap } = carried.state.certificate;
    carried.rows(gapMagnitude, this.magnitude);
    carried.rows(previousGap, this.#previousGap);
  }
}
