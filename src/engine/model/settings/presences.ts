/** When an interaction is there: its definitions and what they come to. */
import type { ElementDefinition } from '../definition';
import type { FieldReader, SignalExpression } from '../field-reader';
import type { AffineGuard } from '../resets/reset';
import type { PieceForms } from '../piece-forms';
import type { TimedSign } from '../timed-sign';

/**
 * An interaction with a condition c. It comes when c ≥ δ and goes when c < 0; in between it stays what it is.
 * A latch with c < 0 stays, too, while it carries something.
 */
interface OwnCondition {
  /** c, an expression of time, signals and parameters */
  readonly condition: SignalExpression;
  /** δ ≥ 0, in units of c */
  readonly hysteresis: number;
  /** whether it is there at the start within the hysteresis, or of a latch where c < 0 */
  readonly isAtStart: boolean;
  /** of a latch: which of its row is not zero while it carries something; null of others */
  readonly carries: Carried | null;
}

/** A part of a law that is there exactly while another one is not. */
interface OppositeCondition {
  /** name of the other part */
  readonly unless: string;
  /** JSON pointer to it */
  readonly pointer: string;
}

export type PresenceCondition = OwnCondition | OppositeCondition;

/** What says that a row carries something: λ > 0 with y = 0, or y > 0 with λ = 0. */
export type Carried = 'multiplier' | 'output';

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
  /** c as smaller and larger values of forms of a row with pieces of time; null or absent of others */
  readonly pieces?: PieceForms | null;
  /** number of a rule before it whose c is the same, or the opposite; none where it is null or absent */
  readonly twin?: { readonly index: number; readonly sign: number } | null;
  /** δ ≥ 0: what is absent comes back when the condition reaches it */
  readonly hysteresis: number;
  /** whether it is there at the start where the condition does not decide */
  readonly isAtStart: boolean;
  /** of a latch: what its row carries, and places of y and λ of that in a row of the result */
  readonly latch: { readonly carries: Carried; readonly y: number; readonly lambda: number } | null;
  /** place among the rules of what it is the opposite of, which stands before it; −1 of others */
  readonly unless: number;
  /** The condition, into out[0]. @param row of the result */
  evaluate(row: Float64Array, out: Float64Array): void;
}

/**
 * Whether something is there at the start.
 * @param c value of its condition
 */
export const isThereAtStart = ({ hysteresis, latch, isAtStart }: PresenceRule, c: number): boolean =>
  latch === null && !isAtStart ? c >= hysteresis : c >= 0 || (latch !== null && isAtStart);

/**
 * Whether something is there in the step from a state: a latch of which the condition does not hold stays
 * while its row carries something. Of the two that are complementary, what is not zero but for rounding is
 * the larger one.
 * @param wasThere in the step before
 * @param c value of its condition
 * @param row of the result
 * @param isFirst whether there has been no step, so that nothing is known of what is carried
 */
export function isThereNext(
  { hysteresis, latch }: PresenceRule,
  wasThere: boolean,
  c: number,
  row: Float64Array,
  isFirst: boolean,
): boolean {
  if (c >= (wasThere ? 0 : hysteresis)) return true;
  if (latch === null || !wasThere) return false;
  if (isFirst) return true;
  const [y, lambda] = [row[latch.y], row[latch.lambda]];
  return latch.carries === 'multiplier' ? lambda > 0 && lambda > y : y > 0 && y > lambda;
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
    {
      key: 'start',
      kind: 'choice',
      options: [
        { value: 'present', label: 'There', help: 'It is there until the condition is negative.' },
        { value: 'absent', label: 'Absent', help: 'It comes when the condition reaches the hysteresis.' },
      ],
      label: 'At the start',
      symbol: '',
      unit: '',
      required: false,
      default: 'present',
      help: 'Whether it is there at the start where the condition is between 0 and the hysteresis.',
    },
  ],
  source: 'Acary and Brogliato 2008, §1.4',
};

const latch: ElementDefinition = {
  category: 'presence',
  type: 'Latch',
  title: 'Latch',
  summary:
    'A part of a law of one row that comes when an expression is not negative, and stays until that is negative and the row carries nothing, as a thyristor conducts until its current ends.',
  equations: [
    'g \\ge 0 \\Rightarrow \\text{present}',
    'g < 0 \\;\\text{and}\\; \\lambda = 0 \\;(\\text{or}\\; y = 0) \\Rightarrow \\text{absent}',
  ],
  fields: [
    {
      key: 'condition',
      kind: 'signals',
      length: 1,
      label: 'Gate',
      symbol: 'g',
      unit: '',
      required: true,
      help: 'What lets it come: an expression of time t, signals and parameters that is not negative then.',
    },
    {
      key: 'carries',
      kind: 'choice',
      options: [
        { value: 'multiplier', label: 'Multiplier', help: 'It carries something while λ > 0.' },
        { value: 'output', label: 'Output', help: 'It carries something while y > 0.' },
      ],
      label: 'Carries',
      symbol: '',
      unit: '',
      required: false,
      default: 'multiplier',
      help: 'Which of its row is not zero while it stays: the current of a thyristor.',
    },
    {
      key: 'start',
      kind: 'choice',
      options: [
        { value: 'present', label: 'There', help: 'It stays until it carries nothing.' },
        { value: 'absent', label: 'Absent', help: 'It comes with its gate.' },
      ],
      label: 'At the start',
      symbol: '',
      unit: '',
      required: false,
      default: 'absent',
      help: 'Whether it is there at the start without its gate.',
    },
  ],
  source: 'Acary, Bonnefon and Brogliato 2011, §2',
};

const otherwise: ElementDefinition = {
  category: 'presence',
  type: 'Otherwise',
  title: 'Otherwise',
  summary: 'A part of a law that is there exactly while another part, which stands before it, is not.',
  equations: ['\\text{present} \\Leftrightarrow \\text{the other is absent}'],
  fields: [
    {
      key: 'part',
      kind: 'text',
      maxLength: 400,
      label: 'Other part',
      symbol: '',
      unit: '',
      required: true,
      help: 'Name of a part of the same law that comes and goes.',
    },
  ],
  source: 'Acary, Bonnefon and Brogliato 2011, §2',
};

export const presenceDefinitions: readonly ElementDefinition[] = [condition, latch, otherwise];

/** Whether an interaction as a whole may have it: the others are of parts of laws. */
export const isOfInteractions = (type: string): boolean => type === condition.type;

/** @returns null after a reported defect */
export function readPresence(
  { type, fields }: { readonly type: string; readonly fields: FieldReader },
  pointer = '',
): PresenceCondition | null {
  const reported = fields.defectCount;
  if (type === otherwise.type) return { unless: fields.text('part'), pointer: `${pointer}/part` };
  const isLatch = type === latch.type;
  const expressions = fields.signals('condition');
  const hysteresis = isLatch ? 0 : fields.number('hysteresis');
  const isAtStart = fields.choice('start') === 'present';
  const carries = !isLatch ? null : fields.choice('carries') === 'output' ? 'output' : 'multiplier';
  if (expressions.length !== 1)
    fields.reject(
      'condition',
      'signal-count',
      `One condition is needed here; ${expressions.length} are given.`,
      'Give one expression; min(a, b) asks for two conditions.',
    );
  return fields.defectCount > reported ? null : { condition: expressions[0], hysteresis, isAtStart, carries };
}
