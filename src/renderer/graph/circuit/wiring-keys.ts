/**
 * Wires drawn by keys: of the component that has the focus a pin is chosen by arrows, then the pin where the
 * wire ends, by arrows or from a list. What the arrows come to is said.
 */
import { endParts, type Point } from '@figures/circuit/geometry';
import { pinAt } from '@figures/circuit/wires';
import { computed } from 'vue';
import { text } from '../../i18n';
import { useDrawingStore } from '../../stores/drawing';
import { pinsFit, wirePins } from '../editing/circuit-edits';
import { useGraphStore } from '../graph-store';
import { useCircuitStore } from './circuit-store';

/** What lies aside counts so much more than what lies ahead. */
const ASIDE = 2;

const pinsOf = (component: string): string[] =>
  (useCircuitStore().components.get(component)?.definition?.pins ?? []).map(
    ({ name }) => `${component}.${name}`,
  );

const wireAt = (end: string): string | undefined =>
  useDrawingStore().model.wires?.find(({ ends }) => ends.includes(end))?.id;

/** Pins that a wire from a pin may lead to, all those that are not on its wire yet. */
export function wireTargets(from: string): string[] {
  const own = wireAt(from);
  return [...useCircuitStore().components.keys()]
    .flatMap(pinsOf)
    .filter((end) => pinsFit(from, end) && (own === undefined || wireAt(end) !== own));
}

/** A pin in words: its name, what it is, and the wire at it. */
export function pinWords(end: string): string {
  const { component, pin } = endParts(end);
  const { definition } = useCircuitStore().components.get(component) ?? {};
  const label = definition?.pins?.find(({ name }) => name === pin)?.label ?? '';
  const wire = wireAt(end);
  return wire === undefined
    ? text('circuit.keys.pin', { end, label })
    : text('circuit.keys.pinOnWire', { end, label, wire });
}

/** The one of some pins that comes next in a direction, by where they stand. */
function nextAlong(from: Point, way: Point, ends: ReadonlyMap<string, Point>): string | null {
  let best: string | null = null;
  let least = Infinity;
  for (const [end, { x, y }] of ends) {
    const [dx, dy] = [x - from.x, y - from.y];
    const ahead = dx * way.x + dy * way.y;
    const aside = Math.abs(dx * way.y) + Math.abs(dy * way.x);
    if (ahead <= 0 || ahead + ASIDE * aside >= least) continue;
    least = ahead + ASIDE * aside;
    best = end;
  }
  return best;
}

/** Begins a wire at the component that has the focus. */
export function beginWire(component: string): void {
  const [first, ...others] = pinsOf(component);
  if (first === undefined) return;
  if (others.length === 0) startAt(first);
  else useGraphStore().keyedWire = { from: null, at: first };
}

/** The wire leads from a pin to the nearest that fits, so far. */
function startAt(from: string): void {
  const { components } = useCircuitStore();
  const start = pinAt(components, from);
  let at = from;
  let least = Infinity;
  for (const end of wireTargets(from)) {
    const point = pinAt(components, end);
    const isOwn = endParts(end).component === endParts(from).component;
    if (point === null || start === null || isOwn) continue;
    const distance = Math.hypot(point.x - start.x, point.y - start.y);
    if (distance < least) [at, least] = [end, distance];
  }
  useGraphStore().keyedWire = { from, at };
}

export function useWiringKeys(show: (component: string) => void) {
  const graph = useGraphStore();

  /** what is said of it to those who do not see it */
  const words = computed(() => {
    const wire = graph.keyedWire;
    if (wire === null) return '';
    if (wire.from === null) return text('circuit.keys.choose', { pin: pinWords(wire.at) });
    return wire.from === wire.at
      ? text('circuit.keys.alone', { from: wire.from })
      : text('circuit.keys.to', { from: wire.from, pin: pinWords(wire.at) });
  });

  function move(way: Point): void {
    const wire = graph.keyedWire;
    if (wire === null) return;
    const { components } = useCircuitStore();
    const among = wire.from === null ? pinsOf(endParts(wire.at).component) : wireTargets(wire.from);
    const places = new Map(
      among.flatMap((end) => {
        const point = end === wire.at ? null : pinAt(components, end);
        return point === null ? [] : [[end, point] as const];
      }),
    );
    const at = pinAt(components, wire.at);
    const next = at === null ? null : nextAlong(at, way, places);
    if (next === null) return;
    graph.keyedWire = { ...wire, at: next };
    show(endParts(next).component);
  }

  /** @returns whether the key was for the wire */
  function onKey(event: KeyboardEvent, way: Point | undefined): boolean {
    const wire = graph.keyedWire;
    if (wire === null || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (way !== undefined) move(way);
    else if (event.key === 'Escape') {
      graph.keyedWire = null;
      show(endParts(wire.from ?? wire.at).component);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (wire.from === null) startAt(wire.at);
      else {
        graph.keyedWire = null;
        if (wire.at !== wire.from) wirePins(wire.from, wire.at);
      }
    } else if (wire.from !== null && /^[\p{Letter}\p{Number}]$/u.test(event.key)) {
      graph.keyedWire = null;
      graph.panel = { kind: 'wire', from: wire.from, search: event.key };
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { words, onKey };
}
