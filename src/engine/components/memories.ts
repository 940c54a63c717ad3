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
  /** expressions of sources, whose jumps are known */
  readonly sources: readonly string[];
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

/** A reset, and the component whose memory it is of. */
interface MemoryReset {
  readonly document: SystemDocument;
  readonly component: string;
}

/** @param initial states at the start, in which memories are set */
export function memoriesOf(
  reduced: ReducedNetwork,
  named: Named,
  initial: number[],
  surroundings: Surroundings,
): MemoryReset[] {
  const { network, components } = named;
  const { system, states, texts, sources, freeName, hasMultiplier, context, report } = surroundings;
  startMemories(reduced, named, initial, surroundings);
  reportLost(reduced, named, report);
  /** by guard, with an expression for each state that it sets */
  const resets = new Map<
    string,
    { readonly id: string; readonly component: string; readonly map: string[]; readonly every: number | null }
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
      if (!isSampled(when) && CARRIER.test(withoutSources(guard, sources))) {
        report(
          'error',
          `/components/${component}`,
          id,
          'guard-jumps',
          `“${id}” waits for a signal that a carrier jumps with, as of a modulator: pulses that are short could be missed.`,
          'Draw a source of pulses for the clock, whose times are known, or compare with a triangle of an integrator.',
        );
        return;
      }
      context.gates?.set(guard, { text: id, pointer: `/components/${component}`, element: id });
      const known = resets.get(guard) ?? {
        id: freeName(`${id.replaceAll(/\W+/g, '_')}_jump${k + 1}`),
        ...{ component: id, map: [...states] },
        every: isSampled(when) ? when.period : null,
      };
      known.map[place] = value;
      resets.set(guard, known);
    });
  });
  return [...resets].map(([guard, { id, component, map, every }]) => ({
    component,
    document: {
      ...{ id, type: 'Reset', of: system, guard: [guard], map },
      ...(every !== null && { direction: 'both', every }),
    },
  }));
}

/** What an expression jumps by. */
const CARRIER = /\b(?:mod|floor|ceil|round|sign)\b/;

const withoutSources = (guard: string, sources: readonly string[]): string =>
  sources.reduce((text, source) => text.replaceAll(`(${source})`, '0'), guard);

/** What jumps has to be a state by itself: not one of several that a network holds together. */
function reportLost({ states }: ReducedNetwork, { network, components }: Named, report: Report): void {
  const kept = new Set(states.map(({ branch }) => branch));
  for (const branch of network.memories.keys()) {
    if (kept.has(branch)) continue;
    const { component } = network.branches[branch];
    const { id } = components[component];
    report(
      'error',
      `/components/${component}`,
      id,
      'memory-held',
      `“${id}” would jump by an impact, and something joins it rigidly with what stores energy as well.`,
      'Put a resistance, an inductance or a damper between them.',
    );
  }
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
 * Values of memories at the start. They may follow each other: as many rounds as there are memories settle
 * them, but those that chase each other. What goes on from one to the next has to come to an end.
 */
function startMemories(
  { states }: ReducedNetwork,
  { network, components }: Named,
  initial: number[],
  { startTexts, t0, context, report }: Surroundings,
): void {
  const own = states.flatMap(({ branch }, place) => {
    const memory = network.memories.get(branch);
    return memory === undefined ? [] : [{ place, memory, ...network.branches[branch] }];
  });
  let moving = -1;
  for (let round = 0; round <= Math.max(MOST_ROUNDS, own.length); round++) {
    const before = [...initial];
    moving = -1;
    // All values of a round follow from those before it.
    const values = own.map(({ place, memory, component }) => {
      let value = before[place];
      if (typeof memory.start !== 'number')
        value = valueOf(startTexts.text(memory.start), t0, context) ?? value;
      for (const { when, to, fromStart } of memory.jumps) {
        if (isSampled(when) || (typeof to !== 'number' && fromStart === undefined)) continue;
        if (!((valueOf(startTexts.text(when), t0, context) ?? 0) > 0)) continue;
        if (fromStart !== undefined) moving = component;
        value = typeof to === 'number' ? to : (valueOf(startTexts.text(to), t0, context) ?? value);
      }
      return value;
    });
    own.forEach(({ place }, k) => (initial[place] = values[k]));
    if (values.every((value, k) => value === before[own[k].place])) return;
    if (moving < 0 && round >= own.length) return;
  }
  if (moving < 0) return;
  const { id } = components[moving];
  report(
    'error',
    `/components/${moving}`,
    id,
    'endless-transitions',
    `“${id}” goes from state to state without end at the start: its guards hold in a circle.`,
    'Let one of the guards in the circle not hold there, as by a time in the state: “since > 0.1”.',
  );
}

/** Rounds of transitions at the start that count as without end. */
const MOST_ROUNDS = 100;

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
