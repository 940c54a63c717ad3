/**
 * What is drawn as a document of its own: the model, or the inside of one of its sub-models. Instances and
 * ports stand among the components there, ports as ends of wires, so that whatever edits a circuit edits
 * these too. Pure.
 */
import type {
  ComponentDocument,
  DocumentIssue,
  Expression,
  InstanceDocument,
  ModelDocument,
  PortDocument,
  SubmodelDocument,
  WireDocument,
} from '@engine/document/types';
import { endParts } from '@figures/circuit/geometry';
import {
  arrayOf,
  drawnEnd,
  instanceComponent,
  memberPins,
  writtenEnd,
  isOwn,
  portNode,
  portOf,
  portType,
  submodelOf,
} from '@figures/circuit/own-components';
import { changeInto } from './structural-edit';
import { dropLooseEnds } from './submodels';

const ports = new WeakMap<PortDocument, ComponentDocument>();
const originals = new WeakMap<ComponentDocument, InstanceDocument | PortDocument>();

function portComponent(port: PortDocument): ComponentDocument {
  let component = ports.get(port);
  if (component === undefined) {
    component = Object.freeze({ id: portNode(port.name), type: portType(port.name) });
    ports.set(port, component);
    originals.set(component, port);
  }
  return component;
}

function among(
  components: ComponentDocument[],
  instances: readonly InstanceDocument[],
  wires: readonly WireDocument[],
): ComponentDocument[] {
  if (instances.length === 0) return components;
  const pins = memberPins(wires);
  return [
    ...components,
    ...instances.map((instance) => {
      const component = instanceComponent(instance, pins);
      originals.set(component, instance);
      return component;
    }),
  ];
}

const end = (name: string): string => `${portNode(name)}.a`;

const asDrawn = new WeakMap<WireDocument[], WireDocument[]>();

/** Ends at members of arrays as ends at the arrays; the same wires are the same again. */
function withMembers(wires: WireDocument[]): WireDocument[] {
  let found = asDrawn.get(wires);
  if (found === undefined) {
    const hasSome = wires.some(({ ends }) => ends.some((one) => drawnEnd(one) !== one));
    found = hasSome ? wires.map((wire) => ({ ...wire, ends: wire.ends.map(drawnEnd) })) : wires;
    asDrawn.set(wires, found);
  }
  return found;
}

const asWritten = (wires: WireDocument[]): WireDocument[] =>
  wires.some(({ ends }) => ends.some((one) => writtenEnd(one) !== one))
    ? wires.map((wire) => ({ ...wire, ends: wire.ends.map(writtenEnd) }))
    : wires;

/** What a port is at. */
function withPorts(wires: WireDocument[], all: readonly PortDocument[]): WireDocument[] {
  return wires.map((wire) => {
    const at = all.filter((port) => port.wire === wire.id).map(({ name }) => end(name));
    return at.length === 0 ? wire : { ...wire, ends: [...wire.ends, ...at] };
  });
}

const NOTHING = {
  systems: [],
  interactions: [],
  observables: [],
  views: [],
  layout: { nodes: {} },
} satisfies Partial<ModelDocument>;

/** The drawing of a model, or of one of its sub-models. */
export function drawingOf(model: ModelDocument, inside: SubmodelDocument | null): ModelDocument {
  if (inside === null) {
    const { components = [], instances = [], wires } = model;
    if (instances.length === 0) return model;
    const ends = wires === undefined ? {} : { wires: withMembers(wires) };
    return { ...model, components: among(components, instances, wires ?? []), ...ends };
  }
  const { components, instances = [], wires, layout = NOTHING.layout } = inside;
  const { analyses: _, dashboards: __, displayUnits: ___, instances: ____, ...rest } = model;
  return {
    ...rest,
    ...NOTHING,
    simulation: { ...model.simulation, integrators: [], sections: [] },
    components: [...among(components, instances, wires), ...inside.ports.map(portComponent)],
    wires: withPorts(withMembers(wires), inside.ports),
    layout,
  };
}

function instanceOf(component: ComponentDocument, of: string): InstanceDocument {
  const original = originals.get(component);
  if (original !== undefined && 'of' in original) return original;
  const { id, type: _, ...values } = component;
  const array = arrayOf(component.type);
  const given = Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  ) as Record<string, Expression>;
  return {
    id,
    of,
    ...(Object.keys(given).length > 0 && { values: given }),
    ...(array?.count !== undefined && { count: array.count }),
    ...(array?.chain !== undefined && { chain: array.chain }),
  };
}

interface Parts {
  readonly components: ComponentDocument[];
  readonly instances: InstanceDocument[];
  readonly ports: ComponentDocument[];
}

function partsOf({ components = [] }: ModelDocument): Parts {
  const parts: Parts = { components: [], instances: [], ports: [] };
  for (const component of components) {
    const of = submodelOf(component.type);
    if (of !== null) parts.instances.push(instanceOf(component, of));
    else if (isOwn(component.type)) parts.ports.push(component);
    else parts.components.push(component);
  }
  return parts;
}

/** Takes instances out of the components of a model that had none. */
export function settleInstances(model: ModelDocument): void {
  if (model.components?.some(({ type }) => isOwn(type)) !== true) return;
  const { components, instances } = partsOf(model);
  if (components.length > 0) model.components = components;
  else delete model.components;
  if (instances.length > 0) model.instances = instances;
}

/** The sub-model of which a drawing is the inside. */
function submodelAfter(drawing: ModelDocument, before: SubmodelDocument): SubmodelDocument {
  const { components, instances, ports: flags } = partsOf(drawing);
  const at = new Map<string, string>();
  const wires = asWritten(drawing.wires ?? []).map((wire) => {
    const ends = wire.ends.filter((one) => {
      const port = portOf(endParts(one).component);
      if (port !== null) at.set(port, wire.id);
      return port === null;
    });
    return ends.length === wire.ends.length ? wire : { ...wire, ends };
  });
  const taken = new Set(wires.map(({ id }) => id));
  const loose = (name: string): string => (taken.has(name) ? loose(`${name}_`) : name);
  const known = new Map(before.ports.map((port) => [port.name, port]));
  const after = flags.map(({ id }): PortDocument => {
    const name = portOf(id) ?? id;
    const port = known.get(name) ?? { name, wire: '' };
    const wire = at.get(name) ?? (taken.has(port.wire) || port.wire === '' ? loose(name) : port.wire);
    return port.wire === wire ? port : { ...port, wire };
  });
  const { layout } = drawing;
  const { instances: _, layout: __, ...rest } = before;
  return {
    ...rest,
    components,
    ...(instances.length > 0 && { instances }),
    wires,
    ports: after,
    ...((Object.keys(layout.nodes).length > 0 || Object.keys(layout).length > 1) && { layout }),
  };
}

/** The model after its drawing, or that of a sub-model, has changed. */
function modelAfter(drawing: ModelDocument, before: ModelDocument, inside: number | null): ModelDocument {
  if (inside === null) {
    const { components, instances } = partsOf(drawing);
    const { components: _, instances: __, ...rest } = drawing;
    return {
      ...rest,
      ...(drawing.wires !== undefined && { wires: asWritten(drawing.wires) }),
      ...(components.length > 0 && { components }),
      ...(instances.length > 0 && { instances }),
    };
  }
  const { submodels = [] } = drawing;
  const own = submodels.map((one, k) => (k === inside ? submodelAfter(drawing, one) : one));
  const { parameters, scripts, tables } = drawing;
  return { ...before, parameters, scripts, ...(tables !== undefined && { tables }), submodels: own };
}

/** Changes a model so that its drawing, or that of a sub-model, is the given one. */
export function changeDrawing(
  draft: ModelDocument,
  before: ModelDocument,
  drawing: ModelDocument,
  inside: number | null,
): void {
  const after = modelAfter(drawing, before, inside);
  changeInto(draft, before, after);
  if (inside === null) return;
  const [was, is] = [before.submodels?.[inside], after.submodels?.[inside]];
  if (is !== undefined && was?.ports.some(({ name }) => !is.ports.some((port) => port.name === name)))
    dropLooseEnds(draft, is.id);
}

/** Where a place of the document is in a drawing, e.g. `/components/2`; null where it is elsewhere. */
export function placeInDrawing(model: ModelDocument, inside: number | null, place: string): string | null {
  const prefix = inside === null ? '' : `/submodels/${inside}`;
  if (!place.startsWith(`${prefix}/`)) return null;
  const rest = place.slice(prefix.length);
  const drawn: Partial<SubmodelDocument> = inside === null ? model : (model.submodels?.[inside] ?? {});
  const moved = rest.replace(
    /^\/(instances|ports)\/(\d+)/,
    (_, list: string, k: string) =>
      `/components/${Number(k) + (drawn.components?.length ?? 0) + (list === 'ports' ? (drawn.instances?.length ?? 0) : 0)}`,
  );
  return moved.replace(/^(\/components\/\d+)\/values\//, '$1/');
}

/**
 * Issues as a drawing shows them: at components, wires and instances of it. What is wrong inside of an
 * instance is said at the instance, what is wrong in each of them once.
 */
export function issuesInDrawing(
  model: ModelDocument,
  inside: number | null,
  issues: readonly DocumentIssue[],
): DocumentIssue[] {
  const drawn = inside === null ? model : model.submodels?.[inside];
  const owners = new Set((drawn?.instances ?? []).map(({ id }) => id));
  const seen = new Set<string>();
  return issues.flatMap((issue) => {
    const place = placeInDrawing(model, inside, issue.pointer);
    const names = issue.element?.split('.') ?? [];
    const own = inside === null ? names[0] : names.at(-1);
    // Inside it is said at the part; further out at the first instance on the way.
    const element =
      place !== null && inside !== null
        ? own
        : names.length > 1 && owners.has(names[0] ?? '')
          ? names[0]
          : issue.element;
    if (inside !== null && place === null) return [];
    const key = `${issue.code} ${issue.pointer} ${element ?? ''} ${inside === null ? issue.message : ''}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...issue, pointer: place ?? issue.pointer, ...(element !== undefined && { element }) }];
  });
}
