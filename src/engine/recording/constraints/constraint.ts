/**
 * Rows of non-smooth laws as a recording shows them: which signals tell the state of each, and which the
 * energy that it takes. Everything is plain data, so that it lasts with a run.
 */

/** States in the order of their codes. A piece is one of the straight parts of the graph of a law. */
export type ConstraintState =
  | 'open'
  | 'closed'
  | 'stick'
  | 'slideForward'
  | 'slideBackward'
  | 'lower'
  | 'between'
  | 'upper'
  | 'absent'
  | 'present'
  | `piece${number}`;

/** A state is one bit of a byte; the last bit says that there were impacts. */
export const MOST_STATES = 7;
export const IMPACT_BIT = 1 << MOST_STATES;

/**
 * How the state follows from signals `S`: their names, or their columns. Bounds that are infinite are null,
 * which files can hold.
 */
export type StateRule<S> =
  /** −y ∈ N_[lower, upper](λ): at the lower bound, between, at the upper one, as far as they are finite */
  | { readonly kind: 'box'; readonly lambda: S; readonly lower: number | null; readonly upper: number | null }
  /** Coulomb: |λ_t| ≤ μ λ_n; the force is against the slip */
  | {
      readonly kind: 'friction';
      readonly normal: S;
      readonly tangential: S;
      /** the second of two in a tangent plane; sliding has one state then */
      readonly second?: S;
      readonly coefficient: number;
    }
  /** the nearest piece of a chain in the (y, λ) plane, rays at both ends */
  | {
      readonly kind: 'graph';
      readonly y: S;
      readonly lambda: S;
      readonly points: readonly (readonly [number, number])[];
      readonly start: readonly [number, number];
      readonly end: readonly [number, number];
    }
  /** an interaction that is there or not, of which nothing else is to be told */
  | { readonly kind: 'presence'; readonly present: S }
  /** contacts between surfaces: how many are closed, and how fast the fastest of them slips */
  | { readonly kind: 'surface'; readonly count: S; readonly slip: S | null };

/** A multiplier and the velocity that it acts on. */
export interface WorkTerm<S> {
  readonly part: 'normal' | 'tangential';
  readonly multiplier: S;
  readonly velocity: S;
  /** whether the multiplier is an impulse, over a step or at an event, and not a force */
  readonly isImpulse: boolean;
}

export interface RecordedConstraint<S = string> {
  /** id of the interaction, with the number of the contact where it has several */
  readonly name: string;
  /** id of the interaction */
  readonly element: string;
  readonly states: readonly ConstraintState[];
  readonly rule: StateRule<S>;
  /**
   * of an interaction that comes and goes: whether it is there; its last state is that of what is absent.
   * Left out of those that are always there
   */
  readonly present?: S;
  /** impulses of events, where the scheme has any */
  readonly impact: S | null;
  readonly work: readonly WorkTerm<S>[];
}

/** What is known of the rows of a run. */
export interface RunConstraints {
  /**
   * whether what is recorded in a row held in the step before it, as in time-stepping, or holds from the row
   * on
   */
  readonly holds: 'before' | 'after';
  readonly all: readonly RecordedConstraint[];
}

type ColumnOf = (name: string) => number | undefined;

const SIGNAL_KEYS: readonly string[] = [
  'lambda',
  'normal',
  'tangential',
  'second',
  'y',
  'count',
  'slip',
  'present',
  'multiplier',
  'velocity',
];

/** Names of signals as columns; null when one of them has none. */
function placed(value: object, columnOf: ColumnOf): unknown {
  const entries = Object.entries(value).map(([key, entry]: [string, unknown]): [string, unknown] =>
    SIGNAL_KEYS.includes(key) && typeof entry === 'string' ? [key, columnOf(entry)] : [key, entry],
  );
  return entries.some(([, entry]) => entry === undefined) ? null : Object.fromEntries(entries);
}

/**
 * A constraint with columns in place of signals.
 * @returns null where a signal that tells its state has not been recorded; terms of work go missing one by
 *   one
 */
export function placeConstraint(
  { rule, impact, work, present, ...rest }: RecordedConstraint,
  columnOf: ColumnOf,
): RecordedConstraint<number> | null {
  const states = placed(rule, columnOf) as StateRule<number> | null;
  const impactColumn = impact === null ? null : columnOf(impact);
  const presence = present === undefined ? {} : { present: columnOf(present) };
  if (states === null || impactColumn === undefined) return null;
  if ('present' in presence && presence.present === undefined) return null;
  const terms = work.map((term) => placed(term, columnOf) as WorkTerm<number> | null);
  return {
    ...rest,
    ...(presence as { present?: number }),
    rule: states,
    impact: impactColumn,
    work: terms.filter((term) => term !== null),
  };
}
