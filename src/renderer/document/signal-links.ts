/**
 * Which elements read signals of which others: control blocks what they measure, systems the outputs that
 * drive them, resets what their guards and maps see; and which systems resets set. No interaction says so;
 * the graph draws it. Pure.
 */
import type { InteractionDocument, SystemDocument } from '@engine/document/types';

export interface SignalLink {
  /** whose signals are read, and who reads them */
  readonly from: string;
  readonly to: string;
  /** their names, as expressions have them */
  readonly signals: readonly string[];
}

/** Type of what sets the state of the system that its field `of` names. */
const RESET = 'Reset';

/** A name with a member or an index: `plant.x[0]`, `pid.u`. */
const SIGNAL = /([A-Za-z_]\w*)\.[A-Za-z_]\w*(?:\[\d+\])?/g;

/** Expressions in signals that stand in the fields of a system; those of numbers know parameters only. */
function* expressionsOf(system: SystemDocument): Generator<string> {
  for (const value of Object.values(system)) {
    const list: unknown =
      typeof value === 'object' && value !== null && 'signals' in value ? value.signals : value;
    if (typeof list === 'string') yield list;
    else if (Array.isArray(list)) for (const one of list) if (typeof one === 'string') yield one;
  }
}

/** In the order of the systems that read them. */
export function signalLinks({
  systems,
  interactions,
}: {
  readonly systems: readonly SystemDocument[];
  readonly interactions: readonly InteractionDocument[];
}): SignalLink[] {
  const known = new Set([...systems, ...interactions].map(({ id }) => id));
  const links: SignalLink[] = [];
  for (const system of systems) {
    const read = new Map<string, Set<string>>();
    for (const expression of expressionsOf(system))
      for (const [signal, from = ''] of expression.matchAll(SIGNAL)) {
        if (from === system.id || !known.has(from)) continue;
        const names = read.get(from) ?? new Set();
        read.set(from, names.add(signal));
      }
    for (const [from, signals] of read) links.push({ from, to: system.id, signals: [...signals] });
    const { of } = system;
    if (system.type === RESET && typeof of === 'string' && known.has(of))
      links.push({ from: system.id, to: of, signals: ['x⁺'] });
  }
  return links;
}
