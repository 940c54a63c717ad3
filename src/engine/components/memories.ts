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
  { states: own }: ReducedNetwork,
  { network, components }: Named,
  initial: number[],
  { system, states, texts, startTexts, freeName, hasMultiplier, t0, context, report }: Surroundings,
): SystemDocument[] {
  const resets: SystemDocument[] = [];
  own.forEach(({ branch }, place) => {
    const jumps = network.memories.get(branch);
    if (jumps === undefined) return;
    const { component } = network.branches[branch];
    const { id } = components[component];
    jumps.forEach(({ when, to }, k) => {
      const guard = texts.text(when);
      if (hasMultiplier(guard)) {
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
      if (isOn(startTexts.text(when), t0, context)) initial[place] = to;
      resets.push({
        ...{ id: freeName(`${id.replaceAll('.', '_')}_jump${k + 1}`), type: 'Reset', of: system },
        guard: [guard],
        map: states.map((name, i) => (i === place ? String(to) : name)),
      });
    });
  });
  return resets;
}

function isOn(text: string, t0: number, { parameters, brokenParameters }: EvaluationContext): boolean {
  try {
    return evaluateWith(text.replaceAll(TIME, `(${t0})`), parameters, brokenParameters) > 0;
  } catch (error) {
    // Such an expression is a defect, which is said of the reset.
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

/** The name of the time. */
const TIME = /(?<![\w.])t(?![\w.(])/g;
