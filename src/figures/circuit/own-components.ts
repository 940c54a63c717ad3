/**
 * Components of one’s own as they are drawn: a definition of a sub-model gives a box with pins, an instance
 * of it stands among components with a type that no other has. Pure.
 */
import type {
  ComponentDocument,
  InstanceDocument,
  PortDocument,
  SubmodelDocument,
} from '@engine/document/types';
import type { ComponentSymbol, ElementDefinition, PinDefinition } from '@engine/model/definition';
import { endParts, GRID } from './geometry';

/** Types of one’s own begin with this, which no name does. */
const MARK = ':';

/** The type of instances of a sub-model. */
export const ownType = (submodel: string): string => MARK + submodel;

/** Types of what stands for ports inside of a sub-model begin with this; alone it is that of a new one. */
const PORT = `${MARK}port:`;

/** The type of what stands for a port. */
export const portType = (name = ''): string => PORT + name;

/** Whether a type is one’s own, or that of a port. */
export const isOwn = (type: string): boolean => type.startsWith(MARK);

/** The sub-model of a type of one’s own; null for other types. */
export const submodelOf = (type: string): string | null =>
  isOwn(type) && !type.startsWith(PORT) ? type.slice(MARK.length).split('[')[0] : null;

/** What is drawn of an array: how many there are, and which pins of theirs. */
type ArrayLook = Pick<InstanceDocument, 'count' | 'chain'> & { readonly pins: readonly string[] };

/** The type of an array: all that its box depends on. */
const arrayType = (of: string, { count = 1, chain, pins }: ArrayLook): string =>
  `${ownType(of)}[${count};${[chain ?? []]
    .flat()
    .map(({ from, to }) => `${from}>${to}`)
    .join(' ')};${pins.join(' ')}]`;

/** What a type says of an array; null where it is none. */
export function arrayOf(type: string): ArrayLook | null {
  const [, count, joins = '', pins = ''] = /\[(\d+);([\w> ]*);([^;]*)\]$/.exec(type) ?? [];
  if (count === undefined) return null;
  const list = [...joins.matchAll(/(\w+)>(\w+)/g)].map(([, from = '', to = '']) => ({ from, to }));
  const [first] = list;
  return {
    count: Number(count),
    // One pair stands by itself, as most have it.
    ...(first !== undefined && { chain: list.length === 1 ? first : list }),
    pins: pins.split(' ').filter((pin) => pin !== ''),
  };
}

const MEMBER = /^(\w+)\[(\d+)\]\.(\w+)$/;
const DRAWN_MEMBER = /^(\w+)\.(\w+)\((\d+)\)$/;

/** An end of a wire as it is drawn: `beads[3].a` is the pin `a(3)` of `beads`. */
export const drawnEnd = (end: string): string => end.replace(MEMBER, '$1.$3($2)');

/** An end of a wire as the document has it. */
export const writtenEnd = (end: string): string => end.replace(DRAWN_MEMBER, '$1[$3].$2');

/** Pins of an array that are drawn, at most. */
const MOST_PINS = 24;

/** Id of what stands for a port inside. */
export const portNode = (name: string): string => `port:${name}`;

/** Name of the port that an id stands for; null where it stands for none. */
export const portOf = (id: string): string | null =>
  id.startsWith('port:') ? id.slice('port:'.length) : null;

const drawn = new WeakMap<InstanceDocument, ComponentDocument>();

/** An instance among components. The same instance is the same component. @param ends of wires, as drawn */
export function instanceComponent(
  instance: InstanceDocument,
  ends: ReadonlyMap<string, readonly string[]> = new Map(),
): ComponentDocument {
  const { id, of, values, count, chain } = instance;
  const pins = ends.get(id) ?? [];
  const type =
    count === undefined
      ? ownType(of)
      : arrayType(of, { count, ...(chain !== undefined && { chain }), pins: pins.slice(0, MOST_PINS) });
  let component = drawn.get(instance);
  if (component?.type !== type) {
    component = Object.freeze({ ...values, id, type });
    drawn.set(instance, component);
  }
  return component;
}

/** Pins of members of arrays that wires are at, by the array. */
export function memberPins(wires: readonly { readonly ends: readonly string[] }[]): Map<string, string[]> {
  const pins = new Map<string, string[]>();
  for (const { ends } of wires)
    for (const end of ends) {
      const [, id, index, pin] = MEMBER.exec(end) ?? [];
      if (id !== undefined) pins.set(id, [...(pins.get(id) ?? []).slice(0, MOST_PINS), `${pin}(${index})`]);
    }
  return pins;
}

/** Ports of the box of an array: those of members at its ends, and those that wires are at. */
function portsOfArray({ ports }: SubmodelDocument, { count = 1, chain, pins }: ArrayLook): PortDocument[] {
  const last = count - 1;
  const shown = new Set(pins);
  const chains = [chain ?? []].flat();
  for (const { name } of ports) {
    if (!chains.some(({ from }) => from === name)) shown.add(`${name}(0)`);
    if (!chains.some(({ to }) => to === name)) shown.add(`${name}(${last})`);
  }
  return ports.flatMap((port): PortDocument[] =>
    [...shown]
      .filter((pin) => pin.startsWith(`${port.name}(`))
      .sort((a, b) => Number(/\d+(?=\)$)/.exec(a)) - Number(/\d+(?=\)$)/.exec(b)))
      .map((name) => ({ ...port, name, side: sideOf({ ports }, port) })),
  );
}

type DefinitionOf = (type: string) => Pick<ElementDefinition, 'pins' | 'symbol'> | undefined;

/** What flows through a wire of a sub-model, and into which direction; undefined where nothing is at it. */
function pinAt(
  submodel: SubmodelDocument,
  wire: string,
  all: ReadonlyMap<string, SubmodelDocument>,
  definitionOf: DefinitionOf,
  within: readonly string[] = [],
): Pick<PinDefinition, 'domain' | 'direction'> | undefined {
  const found: Pick<PinDefinition, 'domain' | 'direction'>[] = [];
  for (const end of submodel.wires.find(({ id }) => id === wire)?.ends ?? []) {
    const { component: owner, pin } = endParts(end);
    const component = submodel.components.find(({ id }) => id === owner);
    const own = definitionOf(component?.type ?? '')?.pins?.find(({ name }) => name === pin);
    if (own !== undefined) found.push(own);
    const instance = submodel.instances?.find(({ id }) => id === owner);
    const inner = all.get(instance?.of ?? '');
    const port = inner?.ports.find(({ name }) => name === pin);
    if (inner === undefined || port === undefined || within.includes(inner.id)) continue;
    const deep = pinAt(inner, port.wire, all, definitionOf, [...within, submodel.id]);
    if (deep !== undefined) found.push(deep);
  }
  return found.find(({ direction }) => direction === 'out') ?? found[0];
}

const NUMBER = /[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/g;

/** A path in another size; the two flags of an arc and its turn stay what they are. */
function scaled(path: string, factor: number): string {
  let command = '';
  let place = 0;
  return [...path.matchAll(NUMBER)]
    .map(([token]) => {
      if (/[a-zA-Z]/.test(token)) {
        [command, place] = [token, 0];
        return token;
      }
      const isKept = command.toUpperCase() === 'A' && place % 7 >= 2 && place % 7 <= 4;
      place++;
      return String(isKept ? Number(token) : Number((factor * Number(token)).toFixed(3)));
    })
    .join(' ');
}

/** Room of a letter of a pin’s name, px. */
const LETTER = 8;

const up = (length: number): number => Math.ceil(length / GRID) * GRID;

type Side = NonNullable<PortDocument['side']>;

/** Side of each port: that which is given, else the first half left and the others right. */
export const sideOf = ({ ports }: Pick<SubmodelDocument, 'ports'>, port: PortDocument): Side =>
  port.side ?? (ports.indexOf(port) < ports.length / 2 ? 'left' : 'right');

/** Places along a side, symmetric around its middle, at least `step` apart. */
const along = (count: number, step: number): number[] => {
  const first = -Math.floor(((count - 1) * step) / 2 / GRID) * GRID;
  return Array.from({ length: count }, (_, k) => first + k * step);
};

function boxOf(
  submodel: SubmodelDocument,
  icon: ComponentSymbol | undefined,
  array: ArrayLook | null,
): { symbol: ComponentSymbol; at: Map<string, { x: number; y: number }> } {
  const bySide = (side: Side): PortDocument[] =>
    submodel.ports.filter((port) => sideOf(submodel, port) === side);
  const [left, right, top, bottom] = [bySide('left'), bySide('right'), bySide('top'), bySide('bottom')];
  const longest = (ports: readonly PortDocument[]): number =>
    ports.reduce((most, { name }) => Math.max(most, LETTER * name.length), 0);
  const columns = up(Math.max(longest([...top, ...bottom]) + 8, 2 * GRID));
  const across = along(Math.max(top.length, bottom.length), columns);
  const upright = along(Math.max(left.length, right.length), 2 * GRID);
  const reach = (places: readonly number[]): number => Math.max(0, ...places.map(Math.abs));
  const iconRoom = icon === undefined ? GRID : 1.5 * GRID;
  const half = {
    x: up(
      Math.max(2 * GRID, longest(left) + 10 + iconRoom, longest(right) + 10 + iconRoom, reach(across) + GRID),
    ),
    y: up(
      Math.max(
        GRID,
        reach(upright) + GRID,
        top.length + bottom.length > 0 ? 2 * GRID : 0,
        icon === undefined ? 0 : (top.length + bottom.length > 0 ? 3 : 2) * GRID,
      ),
    ),
  };
  const at = new Map<string, { x: number; y: number }>();
  const lines = [`M${-half.x} ${-half.y}H${half.x}V${half.y}H${-half.x}Z`];
  const texts: { x: number; y: number; text: string }[] = [];
  if (array !== null) {
    // Two further ones stand behind it.
    for (const off of [5, 10])
      lines.push(
        `M${-half.x + off} ${-half.y - off + 5}V${-half.y - off}H${half.x + off}V${half.y - off}H${half.x + off - 5}`,
      );
    texts.push({ x: 0, y: 0, text: `×${array.count ?? 1}` });
  }
  const place = (ports: readonly PortDocument[], side: Side): void => {
    const isUpright = side === 'left' || side === 'right';
    const sign = side === 'left' || side === 'top' ? -1 : 1;
    const places = along(ports.length, isUpright ? 2 * GRID : columns);
    ports.forEach(({ name }, k) => {
      const [x, y] = isUpright
        ? [sign * (half.x + GRID), places[k] ?? 0]
        : [places[k] ?? 0, sign * (half.y + GRID)];
      at.set(name, { x, y });
      lines.push(isUpright ? `M${sign * half.x} ${y}H${x}` : `M${x} ${sign * half.y}V${y}`);
      texts.push(
        isUpright
          ? { x: sign * (half.x - 6 - 0.5 * LETTER * name.length), y, text: name }
          : { x, y: sign * (half.y - 11), text: name },
      );
    });
  };
  place(left, 'left');
  place(right, 'right');
  place(top, 'top');
  place(bottom, 'bottom');
  const areas: string[] = [];
  if (icon !== undefined && array === null) {
    const factor = 25 / Math.max(icon.width, icon.height);
    lines.push(...icon.lines.map((line) => scaled(line, factor)));
    areas.push(...(icon.areas ?? []).map((area) => scaled(area, factor)));
  }
  const symbol = {
    // Pins are at the edge, so that wires leave them outwards.
    width: half.x + (left.length + right.length > 0 ? GRID : 0),
    height: half.y + (top.length + bottom.length > 0 ? GRID : 0),
    lines,
    ...(areas.length > 0 && { areas }),
    texts,
  };
  return { symbol, at };
}

/** How instances of a sub-model are drawn. */
function definitionFor(
  submodel: SubmodelDocument,
  all: ReadonlyMap<string, SubmodelDocument>,
  definitionOf: DefinitionOf,
  array: ArrayLook | null = null,
): ElementDefinition {
  const { id, title = id, description = '', parameters, icon } = submodel;
  const ports = array === null ? submodel.ports : portsOfArray(submodel, array);
  const { symbol, at } = boxOf(
    { ...submodel, ports },
    icon === undefined ? undefined : definitionOf(icon)?.symbol,
    array,
  );
  return {
    category: 'component',
    type: array === null ? ownType(id) : arrayType(id, array),
    title,
    summary: description,
    family: '',
    pins: ports.map(({ name, label = name, wire }) => ({
      ...(pinAt(submodel, wire, all, definitionOf) ?? { domain: 'electrical' }),
      name,
      label,
      ...(at.get(name) ?? { x: 0, y: 0 }),
    })),
    symbol,
    words: [id],
    equations: [],
    fields: parameters.map(({ name, value, unit = '', description: help = '' }) => ({
      kind: 'expression',
      of: 'signals',
      key: name,
      label: name,
      symbol: name,
      unit,
      required: true,
      default: value,
      help,
    })),
    source: '',
  };
}

/** Definitions of all sub-models, by the type of their instances. @param arrays types of arrays */
export function ownDefinitions(
  submodels: readonly SubmodelDocument[],
  definitionOf: DefinitionOf,
  arrays: readonly string[] = [],
): Map<string, ElementDefinition> {
  const all = new Map(submodels.map((submodel) => [submodel.id, submodel]));
  const found = new Map(submodels.map((one) => [ownType(one.id), definitionFor(one, all, definitionOf)]));
  for (const type of arrays) {
    const [submodel, array] = [all.get(submodelOf(type) ?? ''), arrayOf(type)];
    if (submodel !== undefined && array !== null)
      found.set(type, definitionFor(submodel, all, definitionOf, array));
  }
  return found;
}

const definitionOfPort = (
  name: string,
  pin: Pick<PinDefinition, 'domain' | 'direction'> | undefined,
): ElementDefinition => ({
  category: 'component',
  type: portType(name),
  title: 'Port',
  summary: 'A pin of the component that is drawn here.',
  family: '',
  pins: [{ ...(pin ?? { domain: 'electrical' }), name: 'a', label: name, x: 20, y: 0 }],
  symbol: { width: 20, height: 10, lines: ['M-20 -9H2L11 0L2 9H-20ZM11 0H20'] },
  words: ['port', 'pin', 'terminal', 'Anschluss'],
  equations: [],
  fields: [],
  source: '',
});

/** How the ports of a sub-model are drawn inside of it, by their types, and a new one. */
export function portDefinitions(
  submodel: SubmodelDocument,
  submodels: readonly SubmodelDocument[],
  definitionOf: DefinitionOf,
): Map<string, ElementDefinition> {
  const all = new Map(submodels.map((one) => [one.id, one]));
  return new Map([
    [portType(), definitionOfPort('', undefined)],
    ...submodel.ports.map(
      ({ name, wire }) =>
        [portType(name), definitionOfPort(name, pinAt(submodel, wire, all, definitionOf))] as const,
    ),
  ]);
}

/** Of sub-models those that may be placed in one: not itself, nor what it is within. */
export function placeable(submodels: readonly SubmodelDocument[], inside: string | null): SubmodelDocument[] {
  if (inside === null) return [...submodels];
  const all = new Map(submodels.map((one) => [one.id, one]));
  const contains = (id: string, seen: ReadonlySet<string> = new Set()): boolean =>
    id === inside ||
    (!seen.has(id) && (all.get(id)?.instances ?? []).some(({ of }) => contains(of, new Set([...seen, id]))));
  return submodels.filter(({ id }) => !contains(id));
}
