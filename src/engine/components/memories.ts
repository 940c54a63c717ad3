/**
 * What a drawing remembers: states that rest, and resets by which they jump. At samples a reset has a guard
 * of straight lines that passes zero once in each period, up and down in turn, so that a row of a result in
 * each period tells all its passages. It does so a hair before the sample, and its map takes sources as they
 * are a hair before that: what jumps at the very instant is seen at the next one, in every scheme alike.
 */
import { ExpressionError } from '../document/expressions';
import type { EvaluationContext } from '../document/field-values';
import { evaluateWith } from '../document/parameters';
import type { SystemDocument } from '../document/types';
import type { Jump, Samples } from '../model/components/circuit';
import { plain } from '../model/components/signals/block';
import type { Named } from './explanations';
import type { ReducedNetwork } from './reduction';
import type { Report } from './result';
import type { SignalTexts } from './signal-texts';

interface Surroundings {
  readonly system: string;
  /** names of the states of the system */
  readonly states: readonly string[];
  readonly texts: SignalTexts;
  /** the same with values at the start in place of states; null where multipliers are asked for */
  readonly startTexts: SignalTexts;
  readonly freeName: (base: string) => string;
  /** whether an expression has multipliers in it */
  readonly hasMultiplier: (text: string) => boolean;
  /** beginning of the run, s */
  readonly t0: number;
  readonly context: EvaluationContext;
  readonly report: Report;
}

/** @param initial states at the start, in which memories are set */
export function memoriesOf(
  reduced: ReducedNetwork,
  named: Named,
  initial: number[],
  surroundings: Surroundings,
): SystemDocument[] {
  const { network, components } = named;
  const { system, states, texts, freeName, hasMultiplier, context, report } = surroundings;
  startMemories(reduced, named, initial, surroundings);
  /** by guard, with an expression for each state that it sets */
  const resets = new Map<
    string,
    { readonly id: string; readonly map: string[]; readonly every: number | null }
  >();
  reduced.states.forEach(({ branch }, place) => {
    const memory = network.memories.get(branch);
    if (memory === undefined) return;
    const { component } = network.branches[branch];
    const { id } = components[component];
    memory.jumps.forEach(({ when, to }, k) => {
      const guard = isSampled(when) ? guardAt(when) : texts.text(when);
      const before = typeof to === 'number' ? String(to) : texts.text(to);
      const value = isSampled(when) ? before.replaceAll(TIME, timeBefore(when)) : before;
      if (hasMultiplier(guard) || hasMultiplier(value)) {
        report(
          'error',
          `/components/${component}`,
          id,
          'guard-of-laws',
          `“${id}” waits for what follows from elements that switch, and a memory waits for states and sources.`,
          'Give it a signal that does not jump: through a transfer function, or of a capacitor or an inductor.',
        );
        return;
      }
      context.gates?.set(guard, { text: id, pointer: `/components/${component}`, element: id });
      const known = resets.get(guard) ?? {
        id: freeName(`${id.replaceAll(/\W+/g, '_')}_jump${k + 1}`),
        map: [...states],
        every: isSampled(when) ? when.period : null,
      };
      known.map[place] = value;
      resets.set(guard, known);
    });
  });
  return [...resets].map(([guard, { id, map, every }]) => ({
    ...{ id, type: 'Reset', of: system, guard: [guard], map },
    ...(every !== null && { direction: 'both', every }),
  }));
}

/** Part of a period by which a guard is early: beyond what rounding leaves of a zero of it. */
const EARLY = 1e-9;

const isSampled = (when: Jump['when']): when is Samples => 'period' in when;

const guardAt = ({ period, first }: Samples): string =>
  `abs(((t + ${plain((0.5 + EARLY) * period - first)}) mod ${plain(2 * period)}) - ${plain(period)}) - ${plain(period / 2)}`;

/** The time before the last sample: the guard has passed zero since. */
const timeBefore = ({ period, first }: Samples): string =>
  `(t - ((t + ${plain(1.5 * EARLY * period - first)}) mod ${plain(period)}))`;

/**
 * Values of memories at the start. They may follow each other, in any order: as many rounds as there are
 * memories settle them, but those that chase each other.
 */
function startMemories(
  { states }: ReducedNetwork,
  { network }: Named,
  initial: number[],
  { startTexts, t0, context }: Surroundings,
): void {
  const own = states.flatMap(({ branch }, place) => {
    const memory = network.memories.get(branch);
    return memory === undefined ? [] : [{ place, memory }];
  });
  for (let round = 0; round < own.length; round++) {
    let isSettled = true;
    for (const { place, memory } of own) {
      let value = initial[place];
      if (typeof memory.start !== 'number')
        value = valueOf(startTexts.text(memory.start), t0, context) ?? value;
      for (const { when, to } of memory.jumps)
        if (
          typeof to === 'number' &&
          !isSampled(when) &&
          (valueOf(startTexts.text(when), t0, context) ?? 0) > 0
        )
          value = to;
      if (value !== initial[place]) isSettled = false;
      initial[place] = value;
    }
    if (isSettled) return;
  }
}

/** Null of an expression that has a defect, which is said of the reset. */
function valueOf(
  text: string,
  t0: number,
  { parameters, brokenParameters, tables }: EvaluationContext,
): number | null {
  try {
    const now = text.replaceAll(TIME, `(${t0})`);
    return evaluateWith(now, parameters, brokenParameters, { tables });
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

/** The name of the time. */
const TIME = /(?<![\w.])t(?![\w.(])/g;
