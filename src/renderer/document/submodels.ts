/**
 * Components of one’s own: made of what is drawn, taken apart again, copied, renamed. Pure changes of a
 * drawing (`drawings.ts`), in which instances stand among the components.
 */
import type {
  ComponentDocument,
  Expression,
  FieldValue,
  InstanceDocument,
  ModelDocument,
  NodePlace,
  PortDocument,
  SubmodelDocument,
  SubmodelParameter,
  WireDocument,
} from '@engine/document/types';
import { endParts, onGrid, type Point } from '@figures/circuit/geometry';
import {
  instanceComponent,
  isOwn,
  ownType,
  portNode,
  submodelOf,
  arrayOf,
  drawnEnd,
  writtenEnd,
} from '@figures/circuit/own-components';
import { isAutomaticName } from '@figures/circuit/wires';
import { connectPins, forgetLines, numbered } from './circuits';
import { graphIds } from './frames';
import { renameSignals, replacePath } from './rename';

/** Drafts cannot be cloned. */
const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const FIELDS_APART: ReadonlySet<string> = new Set(['id', 'type']);

/** Ids of other components that a component names, as couplings do. */
const named = (component: ComponentDocument, ids: ReadonlySet<string>): string[] =>
  Object.values(component).flatMap((value) =>
    Array.isArray(value) ? (value as unknown[]).filter((one): one is string => ids.has(one as string)) : [],
  );

/** What must be moved together: a coupling with what it couples. */
function closure(components: readonly ComponentDocument[], chosen: ReadonlySet<string>): Set<string> {
  const ids = new Set(components.map(({ id }) => id));
  const all = new Set([...chosen].filter((id) => ids.has(id)));
  for (let size = -1; size !== all.size;) {
    size = all.size;
    for (const component of components) {
      const bound = named(component, ids);
      if (bound.length > 0 && [component.id, ...bound].some((id) => all.has(id)))
        for (const id of [component.id, ...bound]) all.add(id);
    }
  }
  return all;
}

/** A pin’s name out of a wish: small letters and digits. */
function pinName(wish: string, taken: ReadonlySet<string>): string {
  const base =
    wish
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
      .replace(/^\d+/, '')
      .slice(0, 12) || 'p';
  let name = base;
  for (let k = 2; taken.has(name); k++) name = `${base}${k}`;
  return name;
}

/** Where the drawing has its pins and centres. */
export interface Places {
  readonly places: ReadonlyMap<string, NodePlace>;
  readonly pointOf: (end: string) => Point | null;
}

export const middle = (points: readonly Point[]): Point => {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return points.length === 0
    ? { x: 0, y: 0 }
    : { x: (Math.min(...xs) + Math.max(...xs)) / 2, y: (Math.min(...ys) + Math.max(...ys)) / 2 };
};

/** The side of the box that looks at where a wire leads. */
function sideTowards(from: Point, to: readonly Point[]): PortDocument['side'] {
  if (to.length === 0) return undefined;
  const mean = (of: (point: Point) => number): number =>
    to.reduce((sum, point) => sum + of(point), 0) / to.length;
  const [dx, dy] = [mean(({ x }) => x) - from.x, mean(({ y }) => y) - from.y];
  if (Math.abs(dx) >= Math.abs(dy)) return dx < 0 ? 'left' : 'right';
  return dy < 0 ? 'top' : 'bottom';
}

export interface Made {
  /** id of the new sub-model, and of its instance */
  readonly of: string;
  readonly instance: string;
  readonly renamed: Renamed;
}

/** What signals began with, and begin with now, in the drawing. */
export type Renamed = readonly (readonly [from: string, to: string])[];

/** Components that may become part of one of one’s own: all but ports. */
export const isMovable = ({ type }: ComponentDocument): boolean => !isOwn(type) || submodelOf(type) !== null;

/**
 * Makes a component of one’s own of some components, and puts an instance in their place. Wires that lead
 * out of them are cut: what is inside becomes a port.
 * @param around the sub-model that this is the inside of
 * @returns null where nothing is chosen that could be one
 */
export function makeSubmodel(
  drawing: ModelDocument,
  chosen: ReadonlySet<string>,
  { places, pointOf }: Places,
  around: SubmodelDocument | null,
): Made | null {
  const { components = [], wires = [], submodels = [] } = drawing;
  const moved = closure(components.filter(isMovable), chosen);
  if (moved.size === 0) return null;
  const of = numbered('Part', [...submodels.map(({ id }) => id), ...graphIds(drawing)]);
  const instance = numbered('part', graphIds(drawing));
  const parts = components.filter(({ id }) => moved.has(id));
  const centre = middle(parts.flatMap(({ id }) => places.get(id) ?? []));
  const isInside = (end: string): boolean => moved.has(endParts(end).component);
  const grounds = new Set(components.filter(({ type }) => type === 'Ground').map(({ id }) => id));
  const inner: WireDocument[] = [];
  const ports: PortDocument[] = [];
  const names = new Set<string>();
  const outer: WireDocument[] = [];
  const lines = { ...drawing.layout.wires };
  const kept: Record<string, Point[][]> = {};
  for (const wire of wires) {
    const inside = wire.ends.filter(isInside);
    const outside = wire.ends.filter((end) => !isInside(end));
    if (inside.length === 0) outer.push(wire);
    else if (outside.length === 0) {
      inner.push({ id: wire.id, ends: inside });
      const laid = lines[wire.id];
      if (laid !== undefined) kept[wire.id] = laid;
      delete lines[wire.id];
    } else {
      const [first = ''] = inside;
      const wish = !isAutomaticName(wire.id)
        ? wire.id
        : outside.some((end) => grounds.has(endParts(end).component))
          ? 'gnd'
          : inside.length === 1
            ? endParts(first).pin
            : 'p';
      const name = pinName(wish, names);
      names.add(name);
      const side = sideTowards(
        centre,
        outside.flatMap((end) => pointOf(end) ?? []),
      );
      const label = isAutomaticName(wire.id) ? undefined : wire.id;
      ports.push({
        name,
        wire: wire.id,
        ...(label !== undefined && label !== name && { label }),
        ...(side !== undefined && { side }),
      });
      inner.push({ id: wire.id, ends: inside });
      outer.push({ id: wire.id, ends: [...outside, `${instance}.${name}`] });
      delete lines[wire.id];
    }
  }
  const { parameters, values } = lifted(parts, moved, drawing, around);
  const nodes = Object.fromEntries(
    parts.flatMap(({ id }) => {
      const place = places.get(id);
      return place === undefined ? [] : [[id, { ...place }] as const];
    }),
  );
  const submodel: SubmodelDocument = {
    id: of,
    ports,
    parameters,
    components: parts.filter(({ type }) => !isOwn(type)).map((part) => copied(part)),
    ...instancesIn(parts),
    wires: inner.map(({ id, ends }) => ({ id, ends: ends.map(writtenEnd) })),
    layout: { nodes, ...(Object.keys(kept).length > 0 && { wires: kept }) },
  };
  replaceLifted(submodel, parameters);
  drawing.components = [
    ...components.filter(({ id }) => !moved.has(id)),
    { ...values, id: instance, type: ownType(of) },
  ];
  drawing.wires = outer;
  drawing.submodels = [...submodels, submodel];
  for (const id of moved) delete drawing.layout.nodes[id];
  drawing.layout.nodes[instance] = { x: onGrid(centre.x), y: onGrid(centre.y) };
  if (Object.keys(lines).length > 0) drawing.layout.wires = lines;
  else delete drawing.layout.wires;
  for (const group of drawing.layout.groups ?? [])
    if (group.members.some((id) => moved.has(id)))
      group.members = [...group.members.filter((id) => !moved.has(id)), instance];
  const gone = new Set(outer.map(({ id }) => id));
  const renamed = [...moved, ...inner.map((wire) => wire.id).filter((wire) => !gone.has(wire))].map(
    (id) => [id, `${instance}.${id}`] as const,
  );
  for (const [before, now] of renamed) renameSignals(drawing, before, now);
  return { of, instance, renamed };
}

function instancesIn(parts: readonly ComponentDocument[]): { instances?: InstanceDocument[] } {
  const instances = parts.flatMap(({ id, type, ...values }): InstanceDocument[] => {
    const of = submodelOf(type);
    if (of === null) return [];
    const given = copied(values) as Record<string, Expression>;
    const { count, chain } = arrayOf(type) ?? {};
    return [
      {
        id,
        of,
        ...(Object.keys(given).length > 0 && { values: given }),
        ...(count !== undefined && { count }),
        ...(chain !== undefined && { chain }),
      },
    ];
  });
  return instances.length === 0 ? {} : { instances };
}

interface Lifted extends SubmodelParameter {
  /** where it stands: component and key, in place of the expression there */
  readonly at?: { readonly component: string; readonly key: string };
}

/**
 * Names that mean something only in the sub-model around: its parameters are handed on, expressions of its
 * signals become parameters.
 */
function lifted(
  parts: readonly ComponentDocument[],
  moved: ReadonlySet<string>,
  drawing: ModelDocument,
  around: SubmodelDocument | null,
): { parameters: Lifted[]; values: Record<string, Expression> } {
  const parameters: Lifted[] = [];
  const values: Record<string, Expression> = {};
  if (around === null) return { parameters, values };
  const outside = graphIds(drawing).filter((id) => !moved.has(id));
  const texts = parts.flatMap((part) =>
    Object.entries(part).flatMap(([key, value]) =>
      FIELDS_APART.has(key) || typeof value !== 'string' ? [] : [{ id: part.id, key, value }],
    ),
  );
  for (const { id, key, value } of texts)
    if (outside.some((other) => replacePath(value, other, '') !== value)) {
      const name = `${key}_${id}`;
      parameters.push({ name, value: '1', at: { component: id, key } });
      values[name] = value;
    }
  for (const parameter of around.parameters)
    if (texts.some(({ value }) => new RegExp(`(?<![\\w.])${parameter.name}(?!\\w)`).test(value))) {
      parameters.push({ ...parameter });
      values[parameter.name] = parameter.name;
    }
  return { parameters, values };
}

function replaceLifted(submodel: SubmodelDocument, parameters: readonly Lifted[]): void {
  for (const { name, at } of parameters) {
    const component = submodel.components.find(({ id }) => id === at?.component);
    if (component !== undefined && at !== undefined) component[at.key] = name;
    const instance = submodel.instances?.find(({ id }) => id === at?.component);
    if (instance?.values !== undefined && at !== undefined) instance.values[at.key] = name;
  }
  submodel.parameters = parameters.map(({ at: _, ...parameter }) => parameter);
}

const NAME = /(?<![\w.])[A-Za-z_]\w*(?!\w*\s*\()/g;

/** What names mean where they stand: ids before a point and in `v(out)`, parameters elsewhere. */
interface Meaning {
  readonly parameters: ReadonlyMap<string, Expression>;
  readonly ids: ReadonlyMap<string, string>;
}

function written(value: FieldValue | undefined, { parameters, ids }: Meaning): FieldValue | undefined {
  if (Array.isArray(value))
    return value.map((one) => written(one as FieldValue, { parameters, ids })) as FieldValue;
  if (typeof value !== 'string') return value;
  // The very name of a parameter stands for its value, be it a number or a text.
  const alone = parameters.get(value.trim());
  if (alone !== undefined) return alone;
  return value.replaceAll(NAME, (name, at: number) => {
    const isId = value[at + name.length] === '.' || /(?<![\w.])[vi]\(\s*$/.test(value.slice(0, at));
    const known = isId ? ids.get(name) : undefined;
    if (known !== undefined) return known;
    const given = parameters.get(name);
    return given === undefined ? name : `(${given})`;
  });
}

/**
 * Takes an instance apart: its parts stand in the drawing itself, with names by path (`leg1_Q1`), and its
 * wires are part of those at its pins.
 * @returns ids of its parts, and what signals are called now; null where it is no instance
 */
export function unlinkInstance(
  drawing: ModelDocument,
  id: string,
  place: NodePlace,
  innerPlaces: ReadonlyMap<string, NodePlace>,
): { ids: string[]; renamed: Renamed } | null {
  const { components = [], submodels = [] } = drawing;
  const instance = components.find((one) => one.id === id);
  const submodel = submodels.find((one) => one.id === submodelOf(instance?.type ?? ''));
  if (instance === undefined || submodel === undefined) return null;
  const taken = new Set(graphIds(drawing));
  const fresh = (inner: string): string => {
    let name = `${id}_${inner}`;
    for (let k = 2; taken.has(name); k++) name = `${id}_${inner}_${k}`;
    taken.add(name);
    return name;
  };
  const parts = [...submodel.components, ...(submodel.instances ?? []).map((one) => instanceComponent(one))];
  const ids = new Map(parts.map((part) => [part.id, fresh(part.id)]));
  const atPort = new Map(
    (drawing.wires ?? []).flatMap(({ id: wire, ends }) =>
      ends.flatMap((end) => (endParts(end).component === id ? [[endParts(end).pin, wire] as const] : [])),
    ),
  );
  // Of several outer wires at one inner wire the first stays.
  const wires = new Map<string, string[]>();
  for (const { name, wire } of submodel.ports) {
    const outer = atPort.get(name);
    if (outer !== undefined) wires.set(wire, [...(wires.get(wire) ?? []), outer]);
  }
  const nets = new Map(submodel.wires.map((wire) => [wire.id, wires.get(wire.id)?.[0] ?? fresh(wire.id)]));
  const parameters = new Map<string, Expression>();
  const names: Meaning = { parameters, ids: new Map([...ids, ...nets]) };
  for (const { name, value } of submodel.parameters) {
    const given = instance[name] as Expression | undefined;
    parameters.set(name, given ?? (written(value, { parameters, ids: new Map() }) as Expression));
  }
  const added = parts.map((part): ComponentDocument => {
    const result: ComponentDocument = { ...copied(part), id: ids.get(part.id) ?? part.id };
    for (const [key, value] of Object.entries(part)) {
      if (FIELDS_APART.has(key)) continue;
      const next = Array.isArray(value)
        ? ((value as unknown[]).map(
            (one) => ids.get(one as string) ?? written(one as FieldValue, names),
          ) as FieldValue)
        : written(value, names);
      if (next !== undefined) result[key] = next;
    }
    return result;
  });
  const rest = (drawing.wires ?? []).map((wire) => ({
    ...wire,
    ends: wire.ends.filter((end) => endParts(end).component !== id),
  }));
  const lines = drawing.layout.wires ?? {};
  for (const { id: inner, ends } of submodel.wires) {
    const own = ends.map((end) => {
      const { component, pin } = endParts(drawnEnd(end));
      return `${ids.get(component) ?? component}.${pin}`;
    });
    const [first, ...others] = wires.get(inner) ?? [];
    if (first === undefined) {
      if (own.length > 1) rest.push({ id: nets.get(inner) ?? inner, ends: own });
      continue;
    }
    const target = rest.find((wire) => wire.id === first);
    target?.ends.push(...own);
    delete lines[first];
    for (const other of new Set(others)) {
      const at = rest.findIndex((wire) => wire.id === other);
      if (at < 0 || other === first) continue;
      target?.ends.push(...(rest[at]?.ends ?? []));
      rest.splice(at, 1);
      delete lines[other];
      renameSignals(drawing, other, first);
    }
  }
  if (drawing.layout.wires !== undefined && Object.keys(lines).length === 0) delete drawing.layout.wires;
  drawing.components = [...components.filter((one) => one.id !== id), ...added];
  drawing.wires = rest.filter(({ ends }) => ends.length > 1);
  if (drawing.wires.length === 0) delete drawing.wires;
  const centre = middle(parts.flatMap((part) => innerPlaces.get(part.id) ?? []));
  delete drawing.layout.nodes[id];
  for (const part of parts) {
    const inner = innerPlaces.get(part.id);
    if (inner === undefined) continue;
    drawing.layout.nodes[ids.get(part.id) ?? part.id] = {
      ...inner,
      x: onGrid(place.x + inner.x - centre.x),
      y: onGrid(place.y + inner.y - centre.y),
    };
  }
  for (const group of drawing.layout.groups ?? [])
    if (group.members.includes(id))
      group.members = [...group.members.filter((one) => one !== id), ...ids.values()];
  const renamed: (readonly [string, string])[] = [];
  for (const [inner, outer] of names.ids) renamed.push([`${id}.${inner}`, outer]);
  for (const [before, now] of renamed) renameSignals(drawing, before, now);
  return { ids: [...ids.values()], renamed };
}

/** Members of an array that are unlinked, at most: each is drawn by itself. */
export const MOST_UNLINKED = 500;
/** Members in one row. */
export const UNLINKED_COLUMNS = 10;

/**
 * Takes an array apart: its members stand in the drawing as instances by themselves (`beads_3`), joined by
 * wires.
 * @param place of the first @param pitch px from one to the next
 * @returns as of `unlinkInstance`; null where it is no array
 */
export function unlinkArray(
  drawing: ModelDocument,
  id: string,
  place: NodePlace,
  pitch: Point,
): { ids: string[]; renamed: Renamed } | null {
  const instance = drawing.components?.find((one) => one.id === id);
  const of = submodelOf(instance?.type ?? '');
  const { count = 0, chain = [] } = arrayOf(instance?.type ?? '') ?? {};
  if (instance === undefined || of === null || count === 0 || count > MOST_UNLINKED) return null;
  const taken = new Set(graphIds(drawing));
  const ids = Array.from({ length: count }, (_, k) => {
    let name = `${id}_${k}`;
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  });
  const members = ids.map((name, k): ComponentDocument => {
    const names = { parameters: new Map([['index', k]]), ids: new Map<string, string>() };
    const values = Object.entries(instance).flatMap(([key, value]) =>
      FIELDS_APART.has(key) ? [] : [[key, written(value, names)] as const],
    );
    return { ...Object.fromEntries(values), id: name, type: ownType(of) };
  });
  drawing.components = [...(drawing.components ?? []).filter((one) => one.id !== id), ...members];
  for (const wire of drawing.wires ?? [])
    wire.ends.forEach((end, k) => {
      const { component, pin } = endParts(writtenEnd(end));
      const name = ids[ids.findIndex((_, at) => component === `${id}[${at}]`)];
      if (name === undefined) return;
      wire.ends[k] = `${name}.${pin}`;
      forgetLines(drawing, wire.id);
    });
  for (const { from, to } of [chain].flat())
    for (const [k, next] of ids.slice(1).entries())
      connectPins(drawing, `${ids[k]}.${from}`, `${next}.${to}`, graphIds(drawing));
  delete drawing.layout.nodes[id];
  ids.forEach((name, k) => {
    drawing.layout.nodes[name] = {
      ...place,
      x: onGrid(place.x + (k % UNLINKED_COLUMNS) * pitch.x),
      y: onGrid(place.y + Math.floor(k / UNLINKED_COLUMNS) * pitch.y),
    };
  });
  for (const { members: list } of drawing.layout.groups ?? []) {
    const at = list.indexOf(id);
    if (at >= 0) list.splice(at, 1, ...ids);
  }
  const renamed = ids.map((name, k) => [`${id}[${k}]`, name] as const);
  for (const [before, now] of renamed) renameSignals(drawing, before, now);
  return { ids, renamed };
}

/** Gives an instance a definition of its own, a copy of that which it had. @returns id of the copy */
export function duplicateDefinition(drawing: ModelDocument, id: string): string | null {
  const { components = [], submodels = [] } = drawing;
  const instance = components.find((one) => one.id === id);
  const submodel = submodels.find((one) => one.id === submodelOf(instance?.type ?? ''));
  if (instance === undefined || submodel === undefined) return null;
  const copy = copied(submodel);
  copy.id = numbered(
    submodel.id.replace(/\d+$/, '') || submodel.id,
    submodels.map((one) => one.id),
  );
  drawing.submodels = [...submodels, copy];
  instance.type = instance.type.replace(/^[^[]+/, ownType(copy.id));
  return copy.id;
}

/** Most paths that are followed: renaming in more instances would take long. */
const MOST_PATHS = 2000;

/** Paths of all instances of a sub-model in the model, e.g. `bridge.leg1`. */
export function instancePaths(
  { instances = [], submodels = [] }: Pick<ModelDocument, 'instances' | 'submodels'>,
  of: string,
): string[] {
  const all = new Map(submodels.map((one) => [one.id, one]));
  const found: string[] = [];
  const walk = (list: readonly InstanceDocument[], path: string, within: readonly string[]): void => {
    for (const instance of list) {
      if (found.length >= MOST_PATHS) return;
      if (instance.of === of) found.push(path + instance.id);
      if (within.includes(instance.of)) continue;
      walk(all.get(instance.of)?.instances ?? [], `${path}${instance.id}.`, [...within, instance.of]);
    }
  };
  walk(instances, '', []);
  return found;
}

/** Everything drawn that instances of a sub-model may stand in: the model and all sub-models. */
const drawings = (model: ModelDocument): Pick<ModelDocument, 'instances' | 'wires'>[] => [
  model,
  ...(model.submodels ?? []),
];

/** Renames a sub-model; instances go on being of it. */
export function renameSubmodel(model: ModelDocument, from: string, to: string): void {
  for (const submodel of model.submodels ?? []) if (submodel.id === from) submodel.id = to;
  for (const { instances = [] } of drawings(model))
    for (const instance of instances) if (instance.of === from) instance.of = to;
}

/** The instance that an end is at, also at a member of an array. */
const ownerOf = (end: string): string => endParts(end).component.replace(/\[\d+\]$/, '');

/** Renames a port of a sub-model, and the ends of wires at it. */
export function renamePort(model: ModelDocument, of: string, from: string, to: string): void {
  const submodel = model.submodels?.find(({ id }) => id === of);
  const port = submodel?.ports.find(({ name }) => name === from);
  if (submodel === undefined || port === undefined) return;
  port.name = to;
  const place = submodel.layout?.nodes[portNode(from)];
  if (submodel.layout !== undefined && place !== undefined) {
    delete submodel.layout.nodes[portNode(from)];
    submodel.layout.nodes[portNode(to)] = place;
  }
  for (const { instances = [], wires = [] } of drawings(model)) {
    const own = new Set(instances.filter((one) => one.of === of).map(({ id }) => id));
    for (const wire of wires)
      wire.ends.forEach((end, k) => {
        const { component, pin } = endParts(end);
        if (pin === from && own.has(ownerOf(end))) wire.ends[k] = `${component}.${to}`;
      });
    for (const { of: what, chain: chains = [] } of instances)
      for (const chain of what === of ? [chains].flat() : []) {
        if (chain.from === from) chain.from = to;
        if (chain.to === from) chain.to = to;
      }
  }
}

/** Takes the ends of wires off pins that instances of a sub-model have no more. */
export function dropLooseEnds(model: ModelDocument, of: string): void {
  const ports = new Set((model.submodels?.find(({ id }) => id === of)?.ports ?? []).map(({ name }) => name));
  for (const { instances = [], wires = [] } of drawings(model)) {
    const own = new Set(instances.filter((one) => one.of === of).map(({ id }) => id));
    for (const wire of wires)
      if (wire.ends.some((end) => own.has(ownerOf(end)) && !ports.has(endParts(end).pin)))
        wire.ends = wire.ends.filter((end) => !own.has(ownerOf(end)) || ports.has(endParts(end).pin));
  }
  if (model.wires?.some(({ ends }) => ends.length === 0) === true)
    model.wires = model.wires.filter(({ ends }) => ends.length > 0);
}

/** Renames a parameter of a sub-model, inside and where instances give it a value. */
export function renameSubmodelParameter(model: ModelDocument, of: string, from: string, to: string): void {
  const submodel = model.submodels?.find(({ id }) => id === of);
  if (submodel === undefined) return;
  const renamed = (value: unknown): unknown =>
    typeof value === 'string'
      ? value.replaceAll(NAME, (name, at: number) =>
          name === from && value[at + name.length] !== '.' ? to : name,
        )
      : Array.isArray(value)
        ? value.map(renamed)
        : value;
  for (const parameter of submodel.parameters) {
    if (parameter.name === from) parameter.name = to;
    parameter.value = renamed(parameter.value) as Expression;
  }
  for (const component of submodel.components)
    for (const [key, value] of Object.entries(component))
      if (!FIELDS_APART.has(key)) component[key] = renamed(value) as FieldValue;
  for (const { values = {} } of submodel.instances ?? [])
    for (const [key, value] of Object.entries(values)) values[key] = renamed(value) as Expression;
  for (const { instances = [] } of drawings(model))
    for (const { of: own, values } of instances) {
      const given = values?.[from];
      if (own !== of || values === undefined || given === undefined) continue;
      delete values[from];
      values[to] = given;
    }
}
