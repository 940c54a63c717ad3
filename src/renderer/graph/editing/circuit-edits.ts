/** Changes to the circuit, each one undoable step. */
import type { FieldValue, Mend, ModelDocument, NodePlace } from '@engine/document/types';
import type { Domain, ElementDefinition, PinDefinition } from '@engine/model/definition';
import {
  componentBox,
  endParts,
  GRID,
  onGrid,
  pinDirection,
  pinPoint,
  type Point,
  type Rectangle,
  turned,
} from '@figures/circuit/geometry';
import { isOnLine } from '@figures/circuit/wires';
import {
  componentLetter,
  connectPins,
  dropEnds,
  forgetLines,
  insertIntoWire,
  joinWire,
  newComponent,
  numbered,
  partWire,
} from '../../document/circuits';
import { mendDocument } from '../../document/mends';
import { graphIds } from '../../document/frames';
import { renameElement, renameSignals } from '../../document/rename';
import { instancePaths, type Renamed } from '../../document/submodels';
import { counted, text } from '../../i18n';
import { useDocumentStore } from '../../stores/document';
import { useDrawingStore } from '../../stores/drawing';
import { useLayoutStore } from '../../stores/layout';
import { usePlacesStore } from '../../stores/places';
import { useWorkspaceStore } from '../../stores/workspace';
import { useCircuitStore } from '../circuit/circuit-store';
import { rectanglesOverlap } from '../frames/rectangles';
import { useGraphStore } from '../graph-store';
import { pinLayout, takenIds } from './edits';

/** A stretch of a wire that a component may be put into. */
interface Gap {
  readonly wire: string;
  readonly sides: readonly [readonly string[], readonly string[]];
  /** the line that it stands on, from the first side to the second */
  readonly from: Point;
  readonly to: Point;
}

/** The stretch of a wire that runs through a point, long enough for a symbol. */
function gapAt(point: Point): Gap | null {
  for (const { id, branches } of useCircuitStore().wires)
    for (const { points, sides } of branches)
      for (let i = 0; i + 1 < points.length; i++) {
        const [from, to] = [points[i], points[i + 1]];
        if (from !== undefined && to !== undefined && isOnLine(point, from, to))
          return { wire: id, sides, from, to };
      }
  return null;
}

const overlapsAny = (box: Rectangle, also: readonly Rectangle[]): boolean =>
  [...useCircuitStore().components.values()].some(({ box: other }) => rectanglesOverlap(box, other)) ||
  also.some((other) => rectanglesOverlap(box, other));

/** The room of a component with its name and values. */
const withWords = ({ x, y, width, height }: Rectangle): Rectangle => ({
  x: x - 2 * GRID,
  y: y - 2 * GRID,
  width: width + 4 * GRID,
  height: height + 4 * GRID,
});

/** The free place nearest to a point, on the grid. */
function freeNear(
  definition: ElementDefinition,
  point: Point,
  turns = 0,
  also: readonly Rectangle[] = [],
): NodePlace {
  const start = { x: onGrid(point.x), y: onGrid(point.y) };
  // Symbols keep so much apart that wires and names have room.
  const step = 5 * GRID;
  for (let ring = 0; ring < 40; ring++)
    for (let dy = -ring; dy <= ring; dy++)
      for (let dx = -ring; dx <= ring; dx++) {
        if (Math.max(Math.abs(dx), Math.abs(dy)) !== ring) continue;
        const place = {
          x: start.x + dx * step,
          y: start.y + dy * step,
          ...(turns === 0 ? {} : { turns }),
        };
        if (!overlapsAny(withWords(componentBox(definition, place)), also)) return place;
      }
  return start;
}

/** Where a new component without a place goes: the middle of what is looked at. */
function somePlace(definition: ElementDefinition): NodePlace {
  const { seen } = useGraphStore();
  const middle = seen === null ? { x: 0, y: 0 } : { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 };
  return freeNear(definition, middle);
}

/** How a component is turned so that a pin of it looks at where a wire comes from. */
function facingPlace(
  definition: ElementDefinition,
  first: PinDefinition | undefined,
  at: Point,
  from: Point | null,
): NodePlace {
  if (first === undefined) return { x: onGrid(at.x), y: onGrid(at.y) };
  const [dx, dy] = from === null ? [1, 0] : [at.x - from.x, at.y - from.y];
  const isAcross = Math.abs(dx) >= Math.abs(dy);
  const wanted = isAcross ? { x: -Math.sign(dx) || -1, y: 0 } : { x: 0, y: -Math.sign(dy) || -1 };
  const along = (turns: number): number => {
    const { x, y } = turned(first, { turns });
    return x * wanted.x + y * wanted.y;
  };
  // A ground hangs down wherever its wire comes from.
  const turns =
    definition.type === 'Ground' ? 0 : [0, 1, 2, 3].reduce((a, b) => (along(b) > along(a) ? b : a), 0);
  const offset = turned(first, { turns });
  return {
    x: onGrid(at.x - offset.x),
    y: onGrid(at.y - offset.y),
    ...(turns === 0 ? {} : { turns }),
  };
}

/** Where a component goes that is joined with a pin: out of it, or the nearest free place. */
function placeAtPin(definition: ElementDefinition, end: string, also: readonly Rectangle[]): NodePlace {
  const { component, pin: name } = endParts(end);
  const { definition: own, place } = useCircuitStore().components.get(component) ?? {};
  const pin = own?.pins?.find((one) => one.name === name);
  if (own === undefined || place === undefined || pin === undefined) return somePlace(definition);
  const out = pinDirection(pin, own, place);
  const at = pinPoint(pin, place);
  const point = { x: at.x + 4 * GRID * out.x, y: at.y + 4 * GRID * out.y };
  const { x, y, turns } = facingPlace(definition, definition.pins?.[0], point, at);
  return freeNear(definition, { x, y }, turns, also);
}

/** Applies an edit that the engine proposes. */
export function mend({ label, steps, inside }: Mend): void {
  // Where it is edited is shown: the model as a whole, or a sub-model.
  if (inside === undefined) useDrawingStore().leave(0);
  else useDrawingStore().open(inside);
  const { definitions } = useCircuitStore();
  const places = new Map<string, NodePlace>();
  const boxes: Rectangle[] = [];
  for (const step of steps) {
    if (step.do !== 'add') continue;
    const definition = definitions.get(step.component.type);
    if (definition === undefined) return;
    const place = placeAtPin(definition, step.near, boxes);
    places.set(step.component.id, place);
    boxes.push(componentBox(definition, place));
  }
  useDrawingStore().edit(label, (draft) => {
    pinLayout(draft);
    mendDocument(draft, steps, () => graphIds(draft));
    for (const [id, place] of places) draft.layout.nodes[id] = place;
  });
  // A parameter that has been added has the value 1 until its user says another one.
  const parameter = steps.find((step) => step.do === 'parameter' && step.list === '/parameters');
  if (parameter !== undefined) {
    const last = useDocumentStore().model.parameters.length - 1;
    useLayoutStore().reveal('side');
    usePlacesStore().show(`/parameters/${last}/value`);
  }
  const [added] = places.keys();
  if (added !== undefined) useWorkspaceStore().select({ kind: 'element', id: added });
}

/** Pins of other components that stand where those of a new one do: they touch, and so they are joined. */
function touching(definition: ElementDefinition, place: NodePlace): [pin: string, end: string][] {
  const found: [string, string][] = [];
  for (const own of definition.pins ?? []) {
    const at = pinPoint(own, place);
    for (const { component, definition: other, place: there } of useCircuitStore().components.values())
      for (const pin of other?.pins ?? []) {
        const point = pinPoint(pin, there);
        if (point.x === at.x && point.y === at.y && pin.domain === own.domain)
          found.push([own.name, `${component.id}.${pin.name}`]);
      }
  }
  return found;
}

/** What a circuit is simulated with at first, s: some periods of the mains in steps that draw them round. */
const CIRCUIT_TIMES = { tEnd: 0.1, h: 1e-5 };

/** Gives a document that nothing is in yet the times of circuits, where it has those of mechanisms. */
function suitCircuit(
  { systems, interactions, components = [], simulation }: ModelDocument,
  { pins = [] }: ElementDefinition,
): void {
  if (!pins.some(({ domain }) => domain === 'electrical')) return;
  const isEmpty = systems.length + interactions.length + components.length === 0;
  if (isEmpty && simulation.tEnd === 5 && simulation.h === 0.001) Object.assign(simulation, CIRCUIT_TIMES);
}

/**
 * Adds a component and selects it. Dropped on a wire, a component of two pins stands in it; where its pins
 * touch others, they are joined.
 * @param at where it was dropped
 * @param from pin that it is wired to
 */
export function addComponent(type: string, at?: Point, from?: string): void {
  const circuit = useCircuitStore();
  const definition = circuit.definitions.get(type);
  if (definition === undefined) return;
  const id = numbered(componentLetter(definition), takenIds());
  const wiredTo = from === undefined ? undefined : pinOf(from);
  const pins = definition.pins ?? [];
  const first = pins.find(({ domain, direction }) =>
    wiredTo === undefined
      ? true
      : domain === wiredTo.domain && (direction === undefined || direction !== wiredTo.direction),
  );
  const [, second, third] = pins.filter(({ domain }) => domain === first?.domain);
  const found =
    at === undefined || from !== undefined || second === undefined || third !== undefined
      ? null
      : gapAt({ x: onGrid(at.x), y: onGrid(at.y) });
  const gap = found?.sides.flat().every((end) => domainOf(end) === first?.domain) === true ? found : null;
  const start = from === undefined ? null : endPoint(from);
  let place = at === undefined ? somePlace(definition) : { x: onGrid(at.x), y: onGrid(at.y) };
  if (from !== undefined && at !== undefined) place = facingPlace(definition, first, at, start);
  if (gap !== null && first !== undefined) {
    const { turns } = facingPlace(definition, first, gap.to, gap.from);
    place = { ...place, ...(turns === undefined ? {} : { turns }) };
  }
  const joins = gap === null ? touching(definition, place) : [];
  useDrawingStore().edit(text('edit.add', { name: definition.title }), (draft) => {
    pinLayout(draft);
    suitCircuit(draft, definition);
    draft.components = [...(draft.components ?? []), newComponent(definition, id)];
    draft.layout.nodes[id] = place;
    if (gap !== null && first !== undefined && second !== undefined)
      insertIntoWire(
        draft,
        gap.wire,
        gap.sides,
        [`${id}.${first.name}`, `${id}.${second.name}`],
        graphIds(draft),
      );
    for (const [pin, end] of joins) connectPins(draft, end, `${id}.${pin}`, graphIds(draft));
    if (from !== undefined && first !== undefined)
      connectPins(draft, from, `${id}.${first.name}`, graphIds(draft));
  });
  useWorkspaceStore().select({ kind: 'element', id });
}

/**
 * Puts a component of two pins, which no wire is at yet, into the wire that it is dropped on.
 * @returns whether there is one
 */
export function dropIntoWire(id: string, by: Point): boolean {
  const { components } = useCircuitStore();
  const { definition, place } = components.get(id) ?? {};
  const [first, second] = definition?.pins ?? [];
  if (definition === undefined || place === undefined || first === undefined) return false;
  if (second === undefined || definition.pins?.length !== 2) return false;
  const isWired = (useDrawingStore().model.wires ?? []).some(({ ends }) =>
    ends.some((end) => endParts(end).component === id),
  );
  const at = { x: onGrid(place.x + by.x), y: onGrid(place.y + by.y) };
  const gap = isWired ? null : gapAt(at);
  if (gap === null) return false;
  const { turns } = facingPlace(definition, first, gap.to, gap.from);
  useDrawingStore().edit(text('circuit.edit.insert', { name: id, wire: gap.wire }), (draft) => {
    pinLayout(draft);
    draft.layout.nodes[id] = { ...at, ...(turns === undefined ? {} : { turns }) };
    const pins = [`${id}.${first.name}`, `${id}.${second.name}`] as const;
    insertIntoWire(draft, gap.wire, gap.sides, pins, graphIds(draft));
  });
  return true;
}

function endPoint(end: string): Point | null {
  const { component, pin: name } = endParts(end);
  const one = useCircuitStore().components.get(component);
  const pin = one?.definition?.pins?.find((candidate) => candidate.name === name);
  return one === undefined || pin === undefined ? null : pinPoint(pin, one.place);
}

function pinOf(end: string): PinDefinition | undefined {
  const { component, pin } = endParts(end);
  const { definition } = useCircuitStore().components.get(component) ?? {};
  return definition?.pins?.find(({ name }) => name === pin);
}

const domainOf = (end: string): Domain | undefined => pinOf(end)?.domain;

/**
 * Whether two pins may be joined: what flows through them must be the same, and a signal has one source.
 */
export function pinsFit(from: string, to: string): boolean {
  const [first, second] = [pinOf(from), pinOf(to)];
  if (from === to || first === undefined || first.domain !== second?.domain) return false;
  return first.direction !== 'out' || second.direction !== 'out';
}

/** Draws a wire from pin to pin. */
export function wirePins(from: string, to: string): void {
  if (!pinsFit(from, to)) return;
  useDrawingStore().edit(text('circuit.edit.wire', { from, to }), (draft) => {
    pinLayout(draft);
    connectPins(draft, from, to, graphIds(draft));
  });
}

/** Draws a wire from a pin to one that is there. */
export function wireToWire(end: string, wire: string): void {
  useDrawingStore().edit(text('circuit.edit.wire', { from: end, to: wire }), (draft) => {
    pinLayout(draft);
    joinWire(draft, end, wire);
  });
}

/** Whether two wires may become one node. */
export function wiresFit(from: string, to: string): boolean {
  const { wires = [] } = useDrawingStore().model;
  const [a, b] = [from, to].map((id) => wires.find((wire) => wire.id === id)?.ends[0]);
  return from !== to && a !== undefined && b !== undefined && pinsFit(a, b);
}

/** Gives a wire the name of another one: they are one node, drawn apart, with that name at each part. */
export function nameAsNode(from: string, to: string): void {
  if (!wiresFit(from, to)) return;
  const documents = useDrawingStore();
  const { wires } = useCircuitStore();
  const lines = wires
    .filter(({ id }) => id === from || id === to)
    .flatMap((wire) => wire.lines.map((line) => line.map(({ x, y }) => ({ x, y }))));
  documents.edit(text('circuit.edit.node', { from, to }), (draft) => {
    pinLayout(draft);
    const end = draft.wires?.find(({ id }) => id === from)?.ends[0];
    if (end === undefined) return;
    joinWire(draft, end, to);
    const id = draft.wires?.find(({ ends }) => ends.includes(end))?.id ?? to;
    draft.layout.wires = { ...draft.layout.wires, [id]: lines };
  });
}

/** Lays a wire by hand; while it is being dragged that is one step. */
export function layWire(id: string, lines: Point[][]): void {
  useDrawingStore().edit(
    text('circuit.edit.lay', { name: id }),
    (draft) => {
      pinLayout(draft);
      draft.layout.wires = { ...draft.layout.wires, [id]: lines };
    },
    { mergeKey: `lay:${id}` },
  );
}

/** Chosen wires that have been laid by hand. */
export function chosenLaid(): string[] {
  const { wires = {} } = useDrawingStore().model.layout;
  return [...useGraphStore().chosen].filter((id) => wires[id] !== undefined);
}

/** Lets the drawing find the way of the chosen wires. */
export function unlayChosen(): void {
  const ids = chosenLaid();
  if (ids.length === 0) return;
  useDrawingStore().edit(text('circuit.edit.unlay', { name: ids.join(', ') }), (draft) => {
    for (const id of ids) forgetLines(draft, id);
  });
}

/** Components among what is chosen. */
export function chosenComponents(): string[] {
  const { components } = useCircuitStore();
  return [...useGraphStore().chosen].filter((id) => components.has(id));
}

/** Turns or mirrors what is chosen, several components around their middle. */
function transform(
  label: string,
  point: (offset: Point) => Point,
  look: (place: NodePlace) => { turns: number; mirrored: boolean },
): void {
  const ids = chosenComponents();
  const { components } = useCircuitStore();
  const places = ids.flatMap((id) => components.get(id)?.place ?? []);
  if (places.length === 0) return;
  const middle = (of: (place: NodePlace) => number): number =>
    onGrid((Math.min(...places.map(of)) + Math.max(...places.map(of))) / 2);
  const centre = { x: middle(({ x }) => x), y: middle(({ y }) => y) };
  useDrawingStore().edit(label, (draft) => {
    pinLayout(draft);
    ids.forEach((id, i) => {
      const place = places[i];
      if (place === undefined) return;
      const offset = point({ x: place.x - centre.x, y: place.y - centre.y });
      const { turns, mirrored } = look(place);
      draft.layout.nodes[id] = {
        x: centre.x + offset.x,
        y: centre.y + offset.y,
        ...(turns === 0 ? {} : { turns }),
        ...(mirrored ? { mirrored } : {}),
      };
    });
  });
}

const named = (): string => {
  const ids = chosenComponents();
  return ids.length === 1 ? (ids[0] ?? '') : counted('circuit.components', ids.length);
};

/** Turns what is chosen by a quarter, clockwise. */
export function turnChosen(): void {
  transform(
    text('circuit.edit.turn', { name: named() }),
    ({ x, y }) => ({ x: -y, y: x }),
    ({ turns = 0, mirrored = false }) => ({ turns: (turns + 1) % 4, mirrored }),
  );
}

/** Exchanges left and right of what is chosen, as it is drawn. */
export function mirrorChosen(): void {
  transform(
    text('circuit.edit.mirror', { name: named() }),
    ({ x, y }) => ({ x: -x, y }),
    ({ turns = 0, mirrored = false }) => ({ turns: (4 - turns) % 4, mirrored: !mirrored }),
  );
}

/** Removes the stretch of a wire that is chosen: what it joined is two wires, or one with an end less. */
export function deleteBranch({ wire, branch }: { wire: string; branch: number }): void {
  const sides = useCircuitStore().wires.find(({ id }) => id === wire)?.branches[branch]?.sides;
  if (sides === undefined) return;
  useDrawingStore().edit(text('circuit.edit.cut', { name: wire }), (draft) => {
    pinLayout(draft);
    partWire(draft, wire, sides, graphIds(draft));
  });
}

/** Takes a pin off its wire. */
export function removeEnd(end: string): void {
  useDrawingStore().edit(text('circuit.removeEnd', { end }), (draft) =>
    dropEnds(draft, (other) => other === end),
  );
}

/** Sets values of a component. */
export function setComponentFields(
  index: number,
  values: Readonly<Record<string, FieldValue | undefined>>,
  options: { label?: string; mergeKey?: string } = {},
): void {
  const documents = useDrawingStore();
  const component = documents.model.components?.[index];
  const [key = ''] = Object.keys(values);
  if (component === undefined) return;
  const definition = useCircuitStore().definitions.get(component.type);
  const label = definition?.fields.find((field) => field.key === key)?.label ?? key;
  documents.edit(
    options.label ?? text('edit.field', { label, name: component.id }),
    (draft: ModelDocument) => {
      const own = draft.components?.[index];
      if (own === undefined) return;
      for (const [name, value] of Object.entries(values))
        if (value === undefined) delete own[name];
        else own[name] = value;
    },
    options.mergeKey === undefined ? {} : { mergeKey: options.mergeKey },
  );
}

/** Inside of a sub-model names change in the signals of all its instances. */
export function alsoOutside(renamed: Renamed): (draft: ModelDocument) => void {
  const { submodel } = useDrawingStore();
  if (submodel === null) return () => undefined;
  return (draft) => {
    for (const path of instancePaths(draft, submodel.id))
      for (const [from, to] of renamed) renameSignals(draft, `${path}.${from}`, `${path}.${to}`);
  };
}

/** Gives a component or wire another name; what refers to it follows. */
export function renameInDrawing(from: string, to: string): void {
  useDrawingStore().edit(
    text('edit.rename', { from, to }),
    (draft) => {
      pinLayout(draft);
      renameElement(draft, from, to);
    },
    {},
    alsoOutside([[from, to]]),
  );
  useWorkspaceStore().select({ kind: 'element', id: to });
}
