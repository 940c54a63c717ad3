/** What a drawing remembers: states that rest, and resets by which they jump. */
import { ExpressionError } from '../document/expressions';
import type { EvaluationContext } from '../document/field-values';
import { evaluateWith } from '../document/parameters';
import type { SystemDocument } from '../document/types';
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
  const resets = new Map<string, { readonly id: string; readonly map: string[] }>();
  reduced.states.forEach(({ branch }, place) => {
    const memory = network.memories.get(branch);
    if (memory === undefined) return;
    const { component } = network.branches[branch];
    const { id } = components[component];
    memory.jumps.forEach(({ when, to }, k) => {
      const guard = texts.text(when);
      const value = typeof to === 'number' ? String(to) : texts.text(to);
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
        id: freeName(`${id.replaceAll('.', '_')}_jump${k + 1}`),
        map: [...states],
      };
      known.map[place] = value;
      resets.set(guard, known);
    });
  });
  return [...resets].map(([guard, { id, map }]) => ({ id, type: 'Reset', of: system, guard: [guard], map }));
}

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
        if (typeof to === 'number' && (valueOf(startTexts.text(when), t0, context) ?? 0) > 0) value = to;
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
