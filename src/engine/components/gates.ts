/**
 * Gates of switches as conditions of presence: expressions of time, parameters and signals, in which signals
 * of components stand for what they are in states, multipliers and sources. On is where an expression is
 * positive; a comparison becomes the difference of its sides.
 */
import { ExpressionError, expressionNames, parseExpression } from '../document/expressions';
import type { EvaluationContext } from '../document/field-values';
import { reservedMeaning } from '../document/observables';
import { evaluateWith } from '../document/parameters';
import { withSignalNames } from '../document/signal-names';
import type { TypedElement } from '../document/types';
import type { Gate, Hysteresis } from '../model/components/circuit';
import type { Carried } from '../model/settings/presences';
import { type LinearForm, ONE } from './linear-form';
import type { OutputSignal, Report } from './result';

/** Signals that a gate may name. */
export interface GateNames {
  readonly outputs: readonly OutputSignal[];
  /** what an input is in expressions */
  textOf(input: number): string;
  /** whether a signal is 1 or 0, and zero lasts */
  isStepped?(output: OutputSignal): boolean;
}

interface GateSite {
  readonly element: string;
  readonly context: EvaluationContext;
  readonly report: Report;
}

/** What a gate is for: a row that is there while it is on, or off, or one that it lets come. */
export type GateUse =
  | { readonly isInverse: boolean; readonly hysteresis?: Hysteresis | null }
  | {
      readonly isInverse: false;
      readonly latch: { readonly carries: Carried; readonly isOnAtStart: boolean };
    };

const ALWAYS = '1';
const NEVER = '-1';

/**
 * What is not negative where a gate is on, in names of what its components have become.
 * @returns whether it is on where the time and the state have no say; null after a reported defect
 */
export function gateText(
  { text, pointer }: Gate,
  names: GateNames,
  { element, context, report }: GateSite,
): string | boolean | null {
  const reject = (message: string, remedy: string): null => {
    report('error', pointer, element, 'expression', `“${text}”: ${message}.`, remedy);
    return null;
  };
  try {
    const difference = differenceOf(text);
    const known = new Map(names.outputs.map((output) => [output.name, output]));
    const used = expressionNames(difference);
    const owners = new Set(names.outputs.map(({ element: owner }) => owner));
    const lost = used.find(
      (name) => reservedMeaning(name) === null && owners.has(name.split('.')[0]) && !known.has(name),
    );
    if (lost !== undefined) {
      const [owner] = lost.split('.');
      const own = names.outputs.filter((output) => output.element === owner).map(({ name }) => name);
      return reject(`“${lost}” is no signal`, `Signals of “${owner}” are ${own.join(', ')}.`);
    }
    if (used.every((name) => Object.hasOwn(context.parameters, name))) {
      const { parameters, brokenParameters, tables } = context;
      return evaluateWith(difference, parameters, brokenParameters, { tables }) > 0;
    }
    const hasSteps = used.some((name) => {
      const output = known.get(name);
      return output !== undefined && names.isStepped?.(output) === true;
    });
    const written = difference.replaceAll(NAME, (name) => {
      const output = known.get(name);
      return output === undefined ? name : `(${textOf(output, names)})`;
    });
    return hasSteps ? bySteps(written) : written;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return reject(error.message, error.remedy ?? 'Correct the expression.');
  }
}

/** @returns the condition under which a row is there; null: always */
export function conditionOf(gate: Gate, use: GateUse, names: GateNames, site: GateSite): TypedElement | null {
  const difference = gateText(gate, names, site);
  if (difference === null) return null;
  if (typeof difference === 'boolean') {
    if ('latch' in use) return presenceOf(difference ? ALWAYS : NEVER, use);
    return difference === use.isInverse ? presenceOf(NEVER, { isInverse: false }) : null;
  }
  const presence = presenceOf(difference, use);
  const { text, pointer } = gate;
  site.context.gates?.set(presence.condition[0], { text, pointer, element: site.element });
  return presence;
}

/** With hysteresis w a gate comes at g ≥ w and goes at g < −w; its row is there while it is on, or off. */
export function presenceOf(
  difference: string,
  use: GateUse,
): TypedElement & { readonly condition: [string] } {
  const signed = use.isInverse ? `-(${difference})` : difference;
  if ('latch' in use) {
    const { carries, isOnAtStart } = use.latch;
    return {
      type: 'Latch',
      condition: [signed],
      carries,
      ...(isOnAtStart && { start: 'present' }),
    };
  }
  const { hysteresis = null } = use;
  if (hysteresis === null || hysteresis.width === 0) return { type: 'Condition', condition: [signed] };
  const { width, isOnAtStart } = hysteresis;
  return {
    type: 'Condition',
    condition: [`(${signed}) + ${width}`],
    hysteresis: 2 * width,
    ...(isOnAtStart === use.isInverse && { start: 'absent' }),
  };
}

/** Names with their ways, as `R1.v`; a number such as 1e5 is none. */
const NAME = /(?<![\w.])[A-Za-z_]\w*(?:(?:\[\d+\])?\.[A-Za-z_]\w*)+(?:\[\d+\])?/g;

/** A node of mathjs, as far as it is read here. */
interface ExpressionTree {
  readonly type: string;
  readonly op?: string;
  readonly fn?: string | { readonly name?: string };
  readonly args?: readonly ExpressionTree[];
  readonly content?: ExpressionTree;
  filter(wanted: (node: ExpressionTree) => boolean): unknown[];
  toString(): string;
}

/** What is not negative where the gate is on. @throws {ExpressionError} */
export const differenceOf = (text: string): string => switchedBy(parseExpression(withSignalNames(text)));

const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);
const JUMPING: ReadonlySet<string> = new Set(['sign', 'floor', 'ceil', 'round']);

/** Whether a value is taken by steps, so that zero may last. */
const jumps = (node: ExpressionTree): boolean =>
  node.filter(
    ({ type, op = '', fn }) =>
      type === 'ConditionalNode' ||
      (type === 'OperatorNode' && COMPARISONS.has(op)) ||
      (type === 'FunctionNode' && typeof fn === 'object' && JUMPING.has(fn.name ?? '')),
  ).length > 0;

/**
 * A comparison is the difference of its sides, and the opposite of a gate is on where that is off. What else
 * takes its values by steps, as the product of two comparisons, is on where it is positive: its zero lasts.
 */
function switchedBy(node: ExpressionTree): string {
  const { type, op = '', args = [], content } = node;
  if (type === 'ParenthesisNode' && content !== undefined) return switchedBy(content);
  if (type === 'OperatorNode') {
    const [left, right] = args.map(String);
    if (op === '-' && args.length === 1) return `-(${switchedBy(args[0])})`;
    if (op === '<' || op === '<=') return `(${right}) - (${left})`;
    if (op === '>' || op === '>=') return `(${left}) - (${right})`;
  }
  return jumps(node) ? bySteps(node.toString()) : node.toString();
}

const bySteps = (text: string): string => `((${text}) > 0 ? 1 : -1)`;

/** A signal of a component in those of the elements that it has become. */
export function textOf({ form, times }: OutputSignal, names: Pick<GateNames, 'textOf'>): string {
  const sum = sumText(form, names);
  return times === null ? sum : `(${sum})*(${sumText(times, names)})`;
}

export function sumText(form: LinearForm, names: Pick<GateNames, 'textOf'>): string {
  const terms = [...form].map(([input, factor]) =>
    input === ONE ? String(factor) : `${String(factor)}*${names.textOf(input)}`,
  );
  return terms.length === 0 ? '0' : terms.join(' + ');
}
