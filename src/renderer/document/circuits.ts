/** Components and wires in the document: pure changes that keep each pin on one wire at most. */
import type { ComponentDocument, ModelDocument, WireDocument } from '@engine/document/types';
import type { ElementDefinition, FieldDefinition } from '@engine/model/definition';
import { endParts } from '@figures/circuit/geometry';
import { isOwn, portNode, submodelOf } from '@figures/circuit/own-components';
import { isAutomaticName } from '@figures/circuit/wires';
import { newElement } from './factory';
import { renameElement } from './rename';

/** Letters of components whose search words do not begin with the one that netlists use. */
const LETTERS: Readonly<Record<string, string>> = {
  Ground: 'GND',
  Voltmeter: 'VM',
  Ammeter: 'AM',
  PowerMeter: 'PM',
  Comparator: 'U',
};

/** What the components of a type are called before their number: `R`, `C`, `D`, of one’s own `leg`. */
export function componentLetter({ type, words = [] }: Pick<ElementDefinition, 'type' | 'words'>): string {
  const own = submodelOf(type);
  if (own !== null) return (own.slice(0, 1).toLowerCase() + own.slice(1)).replace(/\d+$/, '') || 'x';
  if (isOwn(type)) return portNode('p');
  return LETTERS[type] ?? words.find((word) => /^[A-Z]$/.test(word)) ?? type.slice(0, 1).toUpperCase();
}

/** A name with the first free number. */
export function numbered(letter: string, taken: Iterable<string>): string {
  const used = new Set(taken);
  let number = 1;
  while (used.has(`${letter}${number}`)) number++;
  return `${letter}${number}`;
}

/** What a gate starts with: on all the time. */
const GATE = '1';

function startingValue(field: FieldDefinition): string | string[] | undefined {
  if (!field.required || field.initial !== undefined) return undefined;
  if (field.kind === 'expression') return field.of === 'time' ? '0' : GATE;
  return field.kind === 'components' ? [] : undefined;
}

/** A component with its required fields filled. */
export function newComponent(definition: ElementDefinition, id: string): ComponentDocument {
  // Instances have the values of their definition.
  if (isOwn(definition.type)) return { id, type: definition.type };
  const component: ComponentDocument = { ...newElement(definition), id };
  for (const field of definition.fields) {
    const value = component[field.key] === undefined ? startingValue(field) : undefined;
    if (value !== undefined) component[field.key] = value;
  }
  return component;
}

/**
 * Makes a component one of another type: fields of the same name stay, and so do wires at pins that are
 * there.
 */
export function retypeComponent(document: ModelDocument, index: number, next: ElementDefinition): void {
  const before = document.components?.[index];
  if (before === undefined || document.components === undefined) return;
  const { id } = before;
  const fresh = newComponent(next, id);
  for (const { key, kind, unit } of next.fields) {
    const value = before[key];
    const isSuited = typeof value !== 'object' && kind !== 'components' && (kind !== 'choice' || unit === '');
    if (value !== undefined && isSuited) fresh[key] = value;
  }
  document.components[index] = fresh;
  const pins = new Set((next.pins ?? []).map(({ name }) => `${id}.${name}`));
  dropEnds(document, (end) => endParts(end).component === id && !pins.has(end));
}

const wireOf = ({ wires = [] }: Pick<ModelDocument, 'wires'>, end: string): WireDocument | undefined =>
  wires.find(({ ends }) => ends.includes(end));

/** Gives up lines laid by hand: the drawing finds the way of the wire. */
export function forgetLines({ layout }: ModelDocument, id: string): void {
  if (layout.wires?.[id] === undefined) return;
  delete layout.wires[id];
  if (Object.keys(layout.wires).length === 0) delete layout.wires;
}

function setWires(document: ModelDocument, wires: WireDocument[]): void {
  if (wires.length > 0) document.wires = wires;
  else delete document.wires;
}

/** Makes one wire of two: the one with a given name stays, else the first. */
function mergeWires(document: ModelDocument, a: WireDocument, b: WireDocument): void {
  const [kept, gone] = isAutomaticName(a.id) && !isAutomaticName(b.id) ? [b, a] : [a, b];
  const { id } = gone;
  kept.ends.push(...gone.ends);
  forgetLines(document, kept.id);
  forgetLines(document, id);
  setWires(
    document,
    (document.wires ?? []).filter((wire) => wire.id !== id),
  );
  // Plots of the node that is part of another now go on with that one.
  renameElement(document, id, kept.id);
}

/**
 * Joins two pins: by a new wire, by one that one of them is on, or by making one of two.
 * @param taken names that a new wire must not have
 */
export function connectPins(
  document: ModelDocument,
  from: string,
  to: string,
  taken: Iterable<string>,
): void {
  if (from === to) return;
  const a = wireOf(document, from);
  const b = wireOf(document, to);
  if (a !== undefined && b !== undefined) {
    if (a.id !== b.id) mergeWires(document, a, b);
  } else if (a === undefined && b === undefined)
    setWires(document, [...(document.wires ?? []), { id: numbered('n', taken), ends: [from, to] }]);
  else joinWire(document, a === undefined ? from : to, (a ?? b)?.id ?? '');
}

/** Puts a pin on a wire; the wire that it is on already becomes part of that. */
export function joinWire(document: ModelDocument, end: string, id: string): void {
  const wire = document.wires?.find((one) => one.id === id);
  if (wire === undefined || wire.ends.includes(end)) return;
  const own = wireOf(document, end);
  if (own === undefined) wire.ends.push(end);
  else mergeWires(document, wire, own);
  forgetLines(document, id);
}

/** Takes ends off their wires; a wire with fewer than two ends is gone. */
export function dropEnds(document: ModelDocument, isGone: (end: string) => boolean): void {
  const { wires } = document;
  if (wires === undefined) return;
  for (const wire of wires) {
    const rest = wire.ends.filter((end) => !isGone(end));
    if (rest.length === wire.ends.length) continue;
    wire.ends = rest;
    forgetLines(document, wire.id);
  }
  if (wires.some(({ ends }) => ends.length < 2))
    setWires(
      document,
      wires.filter(({ ends }) => ends.length > 1),
    );
}

/** Removes wires and components, with the ends of the wires that lead to them. */
export function removeCircuit(document: ModelDocument, gone: ReadonlySet<string>): void {
  const { components, wires } = document;
  if (wires?.some(({ id }) => gone.has(id)) === true) {
    for (const { id } of wires) if (gone.has(id)) forgetLines(document, id);
    setWires(
      document,
      wires.filter(({ id }) => !gone.has(id)),
    );
  }
  if (components?.some(({ id }) => gone.has(id)) !== true) return;
  dropEnds(document, (end) => gone.has(endParts(end).component));
  const rest = components.filter(({ id }) => !gone.has(id));
  if (rest.length > 0) document.components = rest;
  else delete document.components;
}

/**
 * Parts a wire: the ends on one side keep it, those on the other become a wire of their own where there are
 * two of them.
 */
export function partWire(
  document: ModelDocument,
  id: string,
  [a, b]: readonly [readonly string[], readonly string[]],
  taken: Iterable<string>,
): void {
  const wire = document.wires?.find((one) => one.id === id);
  if (wire === undefined || document.wires === undefined) return;
  const [kept, other] = a.length >= b.length ? [a, b] : [b, a];
  forgetLines(document, id);
  wire.ends = wire.ends.filter((end) => kept.includes(end));
  const fresh = other.length > 1 ? [{ id: numbered('n', taken), ends: [...other] }] : [];
  setWires(document, [...document.wires.filter(({ ends }) => ends.length > 1), ...fresh]);
}

/**
 * Puts a component into a wire: one of its pins goes to the ends on one side, the other to those on the
 * other.
 */
export function insertIntoWire(
  document: ModelDocument,
  id: string,
  sides: readonly [readonly string[], readonly string[]],
  pins: readonly [string, string],
  taken: Iterable<string>,
): void {
  const { wires } = document;
  const at = wires?.findIndex((one) => one.id === id) ?? -1;
  if (wires === undefined || at < 0 || sides.some((side) => side.length === 0)) return;
  forgetLines(document, id);
  const keeps = sides[0].length >= sides[1].length ? 0 : 1;
  const names = [id, numbered('n', taken)];
  const parts = sides.map((side, k) => ({
    id: k === keeps ? id : (names[1] ?? id),
    ends: [...side, pins[k] ?? ''],
  }));
  setWires(document, [
    ...wires.slice(0, at),
    ...parts.filter((part) => part.id === id),
    ...wires.slice(at + 1),
    ...parts.filter((part) => part.id !== id),
  ]);
}
