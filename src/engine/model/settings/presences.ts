/** When an interaction is there: its definitions and what they come to. */
import type { ElementDefinition } from '../definition';
import type { FieldReader, SignalExpression } from '../field-reader';
import type { AffineGuard } from '../resets/reset';
import type { TimedSign } from '../timed-sign';

/**
 * An interaction with a condition c. It comes when c ≥ δ and goes when c < 0; in between it stays what it is.
 * At the start it is there where c ≥ 0.
 */
export interface PresenceCondition {
  /** c, an expression of time, signals and parameters */
  readonly condition: SignalExpression;
  /** δ ≥ 0, in units of c */
  readonly hysteresis: number;
}

/** The same as a simulation asks it. */
export interface PresenceRule {
  /** of the interaction */
  readonly id: string;
  /** of what comes and goes: the interaction, or a part of its law, such as `circuit.D1` */
  readonly name: string;
  /** place of the interaction in the model */
  readonly interaction: number;
  /** first of its rows among those of all interactions, and the one behind the last */
  readonly first: number;
  readonly end: number;
  /** a signal in it that follows from laws, which only time-stepping knows; null where none does */
  readonly lawSignal: string | null;
  /** c as an affine form of time, q and v of a row; null where it is none by its operators */
  readonly affine: AffineGuard | null;
  /** when c changes its sign, where that is a function of the time that is known by pieces; else null */
  readonly timed: TimedSign | null;
  /** δ ≥ 0: what is absent comes back when the condition reaches it */
  readonly hysteresis: number;
  /** The condition, into out[0]. @param row of the result */
  evaluate(row: Float64Array, out: Float64Array): void;
}

/**
 * What is there, into a row of the result: a part of a law where its interaction is there, too. The condition
 * of an interaction stands before those of its parts.
 * @param at place of the first
 */
export function writePresence(
  rules: readonly PresenceRule[],
  isPresent: Uint8Array,
  row: Float64Array,
  at: number,
): void {
  let whole = -1;
  for (let k = 0; k < rules.length; k++) {
    const { id, name, interaction } = rules[k];
    if (name === id) whole = k;
    const isOfWhole = whole >= 0 && rules[whole].interaction === interaction;
    row[at + k] = isOfWhole ? isPresent[k] & isPresent[whole] : isPresent[k];
  }
}

const condition: ElementDefinition = {
  category: 'presence',
  type: 'Condition',
  title: 'Condition',
  summary:
    'The interaction is there while an expression is not negative: of time, of a distance or of any other signal. While it is absent, its rows do not exist: it exerts nothing and asks for nothing. Time-stepping looks at the beginning of each step. From event to event interactions of first-order systems come and go at the instant at which the condition passes zero, and capacitors that an ideal switch joins share their charge at once.',
  equations: ['c(t_k) \\ge \\delta \\Rightarrow \\text{present}', 'c(t_k) < 0 \\Rightarrow \\text{absent}'],
  fields: [
    {
      key: 'condition',
      kind: 'signals',
      length: 1,
      label: 'Condition',
      symbol: 'c',
      unit: '',
      required: true,
      help: 'The interaction is there while this expression of time t, signals and parameters is not negative, such as release - t. The smaller of two conditions, min(a, b), asks for both.',
    },
    {
      key: 'hysteresis',
      kind: 'number',
      min: 0,
      label: 'Hysteresis',
      symbol: '\\delta',
      unit: '',
      required: false,
      default: 0,
      help: 'An interaction that has gone comes back when the condition reaches this value. Above 0 it keeps an interaction from coming and going with each step where it changes its own condition.',
    },
  ],
  source: 'Acary and Brogliato 2008, §1.4',
};

export const presenceDefinitions: readonly ElementDefinition[] = [condition];

/** @returns null after a reported defect */
export function readPresence(fields: FieldReader): PresenceCondition | null {
  const reported = fields.defectCount;
  const expressions = fields.signals('condition');
  const hysteresis = fields.number('hysteresis');
  if (expressions.length !== 1)
    fields.reject(
      'condition',
      'signal-count',
      `One condition is needed here; ${expressions.length} are given.`,
      'Give one expression; min(a, b) asks for two conditions.',
    );
  return fields.defectCount > reported ? null : { condition: expressions[0], hysteresis };
}
