/**
 * Gates of converters as sources of pulses: of such ngspice knows the edges ahead and puts a step at each,
 * while it steps over those of a formula.
 */
import type { MathNode } from 'mathjs/number';
import { differenceOf } from '../components/gates';
import { expressionNames, parseExpression } from '../document/expressions';

interface Evaluate {
  /** value of a text at a time */
  (text: string, t: number): number;
}

/** A gate is on, or off, for a part of each period. */
interface GatePulse {
  readonly isOnFirst: boolean;
  /** s: until it changes first, how long it stays so, and after which it does so again */
  readonly delay: number;
  readonly width: number;
  readonly period: number;
}

/** Part of a period that an edge takes. */
const EDGE = 1e-6;
/** Differences below this part are rounding. */
const ROUNDING = 1e-9;

interface Remainder {
  readonly args: readonly MathNode[];
}

const remaindersOf = (tree: MathNode): Remainder[] =>
  tree.filter(
    (node) => node.type === 'OperatorNode' && (node as unknown as { fn: string }).fn === 'mod',
  ) as unknown as Remainder[];

/** What leaves an expression straight in the remainder, or bends it so that three points show it. */
const STRAIGHT = new Set(['add', 'subtract', 'multiply', 'divide', 'unaryMinus', 'unaryPlus', 'mod']);

/** Whether something that may bend or jump between the points is done to the time, as by `abs`. */
const mayBend = (tree: MathNode): boolean =>
  tree.filter((node) => {
    if (['SymbolNode', 'ConstantNode', 'ParenthesisNode'].includes(node.type) || !hasTime(node)) return false;
    return node.type !== 'OperatorNode' || !STRAIGHT.has((node as unknown as { fn: string }).fn);
  }).length > 0;

const hasTime = (node: MathNode): boolean => expressionNames(node.toString()).includes('t');

/** Periods of what stands as a remainder of the time in an expression, s. */
export function periodsIn(text: string, evaluate: Evaluate): number[] {
  return remaindersOf(parseExpression(text)).flatMap(({ args: [of, by] }) =>
    hasTime(of) && !hasTime(by) ? [evaluate(by.toString(), 0)] : [],
  );
}

/**
 * A gate that compares the remainder of the time with a value, such as `t mod T < D*T`.
 * @returns null of any other
 */
export function gatePulse(gate: string, evaluate: Evaluate): GatePulse | null {
  const text = differenceOf(gate);
  const tree = parseExpression(text);
  const [remainder, ...others] = remaindersOf(tree);
  if (remainder === undefined || others.length > 0 || text.includes('.v') || text.includes('.i')) return null;
  const [of, by] = remainder.args;
  // The time may stand nowhere else.
  if ((tree.toString().match(/\bt\b/g) ?? []).length !== (of.toString().match(/\bt\b/g) ?? []).length)
    return null;
  if (!hasTime(of) || hasTime(by) || mayBend(tree)) return null;
  const period = evaluate(by.toString(), 0);
  const at = (time: number): number => evaluate(of.toString(), time);
  const lead = at(0);
  const isShift = [period, 2.5 * period].every(
    (time) => Math.abs(at(time) - lead - time) <= ROUNDING * (time + Math.abs(lead)),
  );
  if (!(period > 0) || !isShift) return null;
  const phase = lead - period * Math.floor(lead / period);
  // g(τ) = a + b τ in the period, by three points of it
  const value = (part: number): number =>
    evaluate(text, part * period - phase + (part * period < phase ? period : 0));
  const [first, middle, last] = [0.25, 0.5, 0.75].map(value);
  const slope = 2 * (last - first);
  const size = Math.max(Math.abs(first), Math.abs(last));
  if (!(size < Infinity) || Math.abs(first + last - 2 * middle) > ROUNDING * size || slope === 0) return null;
  const change = (0.25 - first / slope) * period;
  // Edges take time, too.
  if (!(change > 2 * EDGE * period && change < (1 - 2 * EDGE) * period)) return null;
  const isBefore = phase < change;
  const isOnBefore = slope < 0;
  return {
    isOnFirst: isBefore === isOnBefore,
    delay: (isBefore ? change : period) - phase,
    width: isBefore ? period - change : change,
    period,
  };
}

/** The source of a voltage that is 1 V while the gate is on; it changes in the middle of an edge. */
export function pulseWords({ isOnFirst, delay, width, period }: GatePulse): string {
  const edge = period * EDGE;
  const times = [Math.max(0, delay - edge / 2), edge, edge, width - edge, period];
  return `PULSE(${[...(isOnFirst ? [1, 0] : [0, 1]), ...times].join(' ')})`;
}
