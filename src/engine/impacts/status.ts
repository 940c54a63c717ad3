/** How a law for several impacts at once ends. A numerical outcome is a value, never an exception. */
export type ImpactStatus =
  | 'separated'
  | 'impactLimit'
  | 'stepLimit'
  | 'stepTooSmall'
  | 'noCertifiedSolution'
  | 'immovableContact'
  | 'invalidData';

/** What each status means and what can be done about it. */
export const IMPACT_STATUS_HELP: Readonly<Record<ImpactStatus, { message: string; remedy: string }>> = {
  separated: { message: 'no contact approaches any more', remedy: '' },
  impactLimit: {
    message: 'contacts still approach after the largest number of impacts',
    remedy: 'Raise the limit, or choose a law that treats all contacts at once.',
  },
  stepLimit: {
    message: 'contacts still hold energy after the largest number of steps',
    remedy: 'Raise the limit, loosen the tolerance, or choose stiffnesses that differ less.',
  },
  stepTooSmall: {
    message: 'the step in impulse fell below rounding before the tolerance was met',
    remedy: 'Loosen the tolerance, or choose coefficients of restitution and stiffnesses that differ less.',
  },
  noCertifiedSolution: {
    message: 'the complementarity problem of the impact has no certified solution',
    remedy: 'Look for contacts that act against each other without room to give way.',
  },
  immovableContact: {
    message: 'an impulse at a contact that approaches does not change its velocity',
    remedy: 'Look for a contact between bodies that are both prescribed.',
  },
  invalidData: {
    message: 'velocities, masses or parameters of the law are not finite or out of range',
    remedy: 'Check 0 ≤ e ≤ 1, stiffnesses > 0, exponent ≥ 1, and that velocities and masses are finite.',
  },
};

/**
 * Outcome of a law. With any status but `separated` velocities and impulses are those that were reached, not
 * those of an end.
 */
export class ImpactResult {
  status: ImpactStatus = 'separated';
  /** impacts of single contacts, rounds of all contacts, or steps in impulse, by law */
  count = 0;
  /** [0]: T⁺ − T⁻ (J): V8 would box a double that is written to a plain property in a loop */
  readonly #numbers = new Float64Array(1);

  /** T⁺ − T⁻ = ½ ᵗP (ẏ⁻ + ẏ⁺), in J; positive where the law has gained energy */
  get energyChange(): number {
    return this.#numbers[0];
  }

  set energyChange(value: number) {
    this.#numbers[0] = value;
  }
}

/** What every law is: a map of the velocities before to those after. */
export interface ImpactLaw {
  /** impulses by contact (N s), non-negative, of the last `solve` */
  readonly impulse: Float64Array;
  /**
   * work of compression by contact in the last `solve`, J, with T⁺ − T⁻ = −Σ (1 − e²) W_c; null where the law
   * does not speak of it
   */
  readonly work: Float64Array | null;
  /**
   * P at the end of a compression of all contacts at once in the last `solve`, N s; null where the law has no
   * such phase
   */
  readonly compression: Float64Array | null;
  /**
   * @param velocity v⁻ on entry, v⁺ on return
   * @param result how it ended
   */
  solve(velocity: Float64Array, result: ImpactResult): void;
}
