/** Places for components that have none. Pure. */
import { Graph, layout } from '@dagrejs/dagre';
import type { ComponentDocument, NodePlace, WireDocument } from '@engine/document/types';
import { componentBox, type Drawn, endParts, GRID, onGrid, pinPoint } from './geometry';

/** Room around a symbol, in which its name, values and wires stand, px. */
const ROOM = { x: 60, y: 60 } as const;

/** More components than this stand in rows: layers of them would take long. */
const MOST_LAYERED = 400;

type DefinitionOf = (type: string) => Drawn | undefined;

/** Pins of ground: every drawing of it hangs below what it is wired to. */
const isGround = (type: string): boolean => type === 'Ground';

function rows(components: readonly ComponentDocument[]): Map<string, NodePlace> {
  const columns = Math.max(1, Math.ceil(Math.sqrt(components.length * 1.5)));
  return new Map(
    components.map(({ id }, i) => [id, { x: 160 * (i % columns), y: 120 * Math.floor(i / columns) }]),
  );
}

/** How something stands, and how far its middle is below its upper pin. */
interface Standing {
  readonly turns: number;
  readonly drop: number;
}

/** Components of two pins of which one is grounded: it stands, with that pin down. */
function standingOnes(
  components: readonly ComponentDocument[],
  wires: readonly WireDocument[],
  definitionOf: DefinitionOf,
): Map<string, Standing> {
  const grounds = new Set(components.filter(({ type }) => isGround(type)).map(({ id }) => id));
  const grounded = new Set(
    wires
      .filter(({ ends }) => ends.some((end) => grounds.has(endParts(end).component)))
      .flatMap(({ ends }) => ends),
  );
  const standing = new Map<string, Standing>();
  for (const { id, type } of components) {
    const { pins = [] } = definitionOf(type) ?? {};
    const down = pins.filter(({ name }) => grounded.has(`${id}.${name}`));
    const [first, second] = pins;
    if (pins.length !== 2 || down.length !== 1 || first.y !== 0 || second.y !== 0) continue;
    const up = down[0] === first ? second : first;
    standing.set(id, { turns: down[0].x > 0 ? 1 : 3, drop: Math.abs(up.x) });
  }
  return standing;
}

/**
 * Layers from left to right: wires lead from what stands first to what stands later. Grounds stand under the
 * pin that they are wired to first, or below all.
 */
export function layeredPlaces(
  components: readonly ComponentDocument[],
  wires: readonly WireDocument[],
  definitionOf: DefinitionOf,
): Map<string, NodePlace> {
  if (components.length > MOST_LAYERED) return rows(components);
  const order = new Map(components.map(({ id }, i) => [id, i]));
  const types = new Map(components.map(({ id, type }) => [id, type]));
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: ROOM.y, ranksep: ROOM.x });
  graph.setDefaultEdgeLabel(() => ({}));
  const layered = components.filter(({ type }) => !isGround(type));
  const standing = standingOnes(components, wires, definitionOf);
  for (const { id, type } of layered) {
    const own = standing.get(id);
    const { width, height } = componentBox(definitionOf(type), { x: 0, y: 0, turns: own?.turns ?? 0 });
    // Its upper pin is in line with its neighbours, and its ground below it; words are beside it.
    if (own === undefined) graph.setNode(id, { width, height });
    else graph.setNode(id, { width: width + ROOM.x, height: 2 * height + 4 * GRID });
  }
  for (const { ends } of wires) {
    const ids = [...new Set(ends.map((end) => endParts(end).component))].filter((id) => graph.hasNode(id));
    // The node of the reference joins everything: as lines it would pull all together.
    if (ends.some((end) => isGround(types.get(endParts(end).component) ?? ''))) continue;
    ids.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
    for (let i = 0; i + 1 < ids.length; i++) graph.setEdge(ids[i], ids[i + 1]);
  }
  layout(graph);
  const places = new Map<string, NodePlace>();
  let bottom = 0;
  for (const { id } of layered) {
    const { x, y } = graph.node(id) as { x: number; y: number };
    const { turns, drop } = standing.get(id) ?? { turns: 0, drop: 0 };
    places.set(id, { x: onGrid(x), y: onGrid(y) + drop, ...(turns === 0 ? {} : { turns }) });
    bottom = Math.max(bottom, y + drop);
  }
  let column = 0;
  for (const { id, type } of components) {
    if (!isGround(type)) continue;
    const wire = wires.find(({ ends }) => ends.some((end) => endParts(end).component === id));
    const other = wire?.ends.map(endParts).find(({ component }) => places.has(component) && component !== id);
    const pin = definitionOf(types.get(other?.component ?? '') ?? '')?.pins?.find(
      ({ name }) => name === other?.pin,
    );
    const near = other === undefined ? undefined : places.get(other.component);
    if (near !== undefined && pin !== undefined) {
      const at = pinPoint(pin, near);
      const below = near.turns === undefined ? 4 : 2;
      places.set(id, { x: onGrid(at.x), y: onGrid(at.y) + below * GRID });
    } else places.set(id, { x: 80 * column++, y: onGrid(bottom) + 6 * GRID });
  }
  return places;
}

/** Places of all components: those that are given, and computed ones below for the rest. */
export function placeComponents(
  components: readonly ComponentDocument[],
  wires: readonly WireDocument[],
  given: Readonly<Record<string, NodePlace>>,
  definitionOf: DefinitionOf,
): Map<string, NodePlace> {
  const places = new Map<string, NodePlace>();
  const missing = components.filter(({ id }) => {
    const place = Object.hasOwn(given, id) ? given[id] : undefined;
    if (place !== undefined) places.set(id, place);
    return place === undefined;
  });
  if (missing.length === 0) return places;
  const known = Object.values(given);
  const shift =
    known.length === 0
      ? { x: 0, y: 0 }
      : {
          x: onGrid(Math.min(...known.map(({ x }) => x))),
          y: onGrid(Math.max(...known.map(({ y }) => y))) + 8 * GRID,
        };
  for (const [id, place] of layeredPlaces(missing, wires, definitionOf))
    places.set(id, { ...place, x: place.x + shift.x, y: place.y + shift.y });
  return places;
}
