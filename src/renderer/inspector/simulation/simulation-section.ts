/** Reading and writing values by their way inside the simulation section of a document. */

import type { Expression, PeriodicJumpsDocument } from '@engine/document/types';

type Section = Record<string, unknown>;

/** The value at the end of a way; undefined where it or a section on the way is absent. */
export function valueAt(simulation: object, path: readonly string[]): unknown {
  let value: unknown = simulation;
  for (const key of path) value = (value as Section | undefined)?.[key];
  return value;
}

/** Writes a value, or removes it; a section that loses its last value goes with it. */
export function writeAt(simulation: object, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  const target = simulation as Section;
  if (rest.length === 0) {
    if (value === undefined) delete target[key];
    else target[key] = value;
    return;
  }
  const section = (target[key] ??= {}) as Section;
  writeAt(section, rest, value);
  if (Object.keys(section).length === 0) delete target[key];
}

type Jump = Expression | PeriodicJumpsDocument;

const isPeriodic = (jump: Jump): jump is PeriodicJumpsDocument => typeof jump === 'object';

/** Way to the jumps of a document, and from there to those with a period, of which a form has the first. */
const JUMPS = ['eventDriven', 'jumps'] as const;
export const PERIOD_KEY = 'period';
type PeriodKey = keyof PeriodicJumpsDocument;

const isOfJumps = (path: readonly string[]): boolean => JUMPS.every((key, i) => path[i] === key);

const jumpsOf = (simulation: object): readonly Jump[] =>
  (valueAt(simulation, JUMPS) as readonly Jump[] | undefined) ?? [];

/**
 * What a form shows at the end of a way. Jumps one by one and jumps with a period stand in one list, and have
 * fields of their own.
 */
export function shownAt(simulation: object, path: readonly string[]): unknown {
  if (!isOfJumps(path)) return valueAt(simulation, path);
  const jumps = jumpsOf(simulation);
  if (path.length > JUMPS.length) return jumps.find(isPeriodic)?.[path.at(-1) as PeriodKey];
  const single = jumps.filter((jump) => !isPeriodic(jump));
  return single.length > 0 ? single : undefined;
}

/** Way to what a form shows, as the document has it. */
export function placeOf(simulation: object, path: readonly string[]): readonly (string | number)[] {
  if (!isOfJumps(path) || path.length === JUMPS.length) return path;
  const at = jumpsOf(simulation).findIndex(isPeriodic);
  return [...JUMPS, Math.max(0, at), path[path.length - 1]];
}

/** Writes what a form has at the end of a way. */
export function writeShown(simulation: object, path: readonly string[], value: unknown): void {
  if (!isOfJumps(path)) {
    writeAt(simulation, path, value);
    return;
  }
  const jumps = jumpsOf(simulation);
  const single = jumps.filter((jump) => !isPeriodic(jump));
  const periodic = jumps.filter(isPeriodic);
  let written: Jump[];
  if (path.length === JUMPS.length) {
    written = [...((value as Expression[] | undefined) ?? []), ...periodic];
  } else {
    const key = path.at(-1) as PeriodKey;
    const [first, ...others] = periodic;
    const changed: Partial<PeriodicJumpsDocument> = { ...(first as PeriodicJumpsDocument | undefined) };
    if (value === undefined) delete changed[key];
    else changed[key] = value as Expression;
    const { from = 0, every, until } = changed;
    // Jumps without a period are none.
    const kept = every === undefined ? [] : [{ from, every, ...(until === undefined ? {} : { until }) }];
    written = [...single, ...kept, ...others];
  }
  writeAt(simulation, JUMPS, written.length > 0 ? written : undefined);
}
