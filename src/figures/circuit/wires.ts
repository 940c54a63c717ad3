/** Wires as they are drawn: their lines cut at pins and junctions, and the dots. Pure. */
import type { ComponentDocument, ModelDocument, NodePlace, WireDocument } from '@engine/document/types';
import {
  type Drawn,
  endParts,
  halfSize,
  pinDirection,
  pinPoint,
  type Point,
  type Rectangle,
} from './geometry';
import { type Net, type RoutedPin, type Routes, routeNets } from './route';

/** A component with its place. */
export interface PlacedComponent {
  readonly component: ComponentDocument;
  readonly definition: Drawn | undefined;
  readonly place: NodePlace;
}

/** A stretch of a wire between pins and junctions. */
interface Branch {
  readonly points: readonly Point[];
  /** ends of the wire on either side of it: what its removal would part */
  readonly sides: readonly [readonly string[], readonly string[]];
}

export interface DrawnWire {
  readonly id: string;
  readonly branches: readonly Branch[];
  /** where three or more lines meet */
  readonly dots: readonly Point[];
  /** lines as they were laid */
  readonly lines: readonly (readonly Point[])[];
  /** a ground is at it: its symbol says more than a name */
  readonly isGround?: boolean;
}

/** Whether a wire was named by the drawing, not by its user. */
export const isAutomaticName = (id: string): boolean => /^n\d+$/.test(id);

/** Whether the name of a wire is written at it: where it was given, and where a wire is drawn in parts. */
export const isNamed = (wire: DrawnWire): boolean =>
  (wire.isGround !== true && !isAutomaticName(wire.id)) || partsOf(wire.branches).length > 1;

/** The branches of a wire by the parts of the drawing that hang together. */
function partsOf(branches: readonly Branch[]): (readonly Branch[])[] {
  const parts: { branches: Branch[]; points: Set<string> }[] = [];
  for (const branch of branches) {
    const ends = [branch.points[0], branch.points[branch.points.length - 1]].map(({ x, y }) => `${x} ${y}`);
    const met = parts.filter(({ points }) => ends.some((end) => points.has(end)));
    const [part = { branches: [], points: new Set<string>() }, ...others] = met;
    if (met.length === 0) parts.push(part);
    part.branches.push(branch);
    for (const end of ends) part.points.add(end);
    for (const other of others) {
      part.branches.push(...other.branches);
      for (const point of other.points) part.points.add(point);
      parts.splice(parts.indexOf(other), 1);
    }
  }
  return parts.map((part) => part.branches);
}

/** Where the name of a wire stands: once in each of its parts, which are one node by that name. */
export function labelPlaces({ branches }: Pick<DrawnWire, 'branches'>): LabelPlace[] {
  const parts = partsOf(branches);
  return (parts.length === 0 ? [branches] : parts).map((part) => labelPlace(part));
}

export type LabelPlace = Point & { readonly isUpright: boolean };

/** Over the middle of the longest level line, else beside an upright one. */
function labelPlace(branches: readonly Branch[]): LabelPlace {
  let best = { x: 0, y: 0, isUpright: false };
  let longest = -1;
  for (const { points } of branches)
    for (let i = 0; i + 1 < points.length; i++) {
      const [a, b] = [points[i], points[i + 1]];
      const isUpright = a.x === b.x;
      const length = apart(a, b) * (isUpright ? 0.4 : 1);
      if (length <= longest) continue;
      longest = length;
      best = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, isUpright };
    }
  return best;
}

type Placed = ReadonlyMap<string, PlacedComponent>;

/** Place and direction of an end of a wire; null where there is no such pin. */
export function pinAt(placed: Placed, end: string): RoutedPin | null {
  const { component, pin: name } = endParts(end);
  const one = placed.get(component);
  const pin = one?.definition?.pins?.find((candidate) => candidate.name === name);
  if (one?.definition === undefined || pin === undefined) return null;
  return { ...pinPoint(pin, one.place), direction: pinDirection(pin, one.definition, one.place) };
}

const apart = (a: Point, b: Point): number => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
const isBetween = (a: number, x: number, b: number): boolean => (a < x && x < b) || (b < x && x < a);

/** Whether a point lies on a horizontal or vertical line, not at its ends. */
export const isOnLine = (point: Point, from: Point, to: Point): boolean =>
  (from.x === to.x && point.x === from.x && isBetween(from.y, point.y, to.y)) ||
  (from.y === to.y && point.y === from.y && isBetween(from.x, point.x, to.x));

interface Vertex {
  readonly point: Point;
  readonly ends: string[];
  readonly next: Set<Vertex>;
}

/** A net as a graph: every corner, end and meeting point of its lines is a vertex. */
function graphOf(lines: readonly (readonly Point[])[], pins: ReadonlyMap<string, Point>): Vertex[] {
  const graph = new Map<string, Vertex>();
  const vertex = (point: Point): Vertex => {
    const key = `${point.x} ${point.y}`;
    let found = graph.get(key);
    if (found === undefined) graph.set(key, (found = { point, ends: [], next: new Set() }));
    return found;
  };
  for (const line of lines) for (const point of line) vertex(point);
  for (const [end, point] of pins) vertex(point).ends.push(end);
  const all = [...graph.values()];
  for (const line of lines)
    for (let i = 0; i + 1 < line.length; i++) {
      const [from, to] = [line[i], line[i + 1]];
      const between = all
        .filter(({ point }) => isOnLine(point, from, to))
        .sort((a, b) => apart(a.point, from) - apart(b.point, from));
      const chain = [vertex(from), ...between, vertex(to)];
      for (let k = 0; k + 1 < chain.length; k++) {
        const [a, b] = [chain[k], chain[k + 1]];
        if (a === b) continue;
        a.next.add(b);
        b.next.add(a);
      }
    }
  return all;
}

/** Ends that can be reached from one end of a step without that step. */
function endsFrom(start: Vertex, other: Vertex): string[] {
  const seen = new Set([start]);
  for (const vertex of seen)
    for (const next of vertex.next)
      if (!(vertex === start && next === other) && !(vertex === other && next === start)) seen.add(next);
  return [...seen].flatMap(({ ends }) => ends).sort();
}

/** A wire with its lines cut into branches. @param pins places of its ends */
export function drawnWire(
  id: string,
  lines: readonly (readonly Point[])[],
  pins: ReadonlyMap<string, Point>,
): DrawnWire {
  const vertices = graphOf(lines, pins);
  const isKnot = ({ next, ends }: Vertex): boolean => next.size !== 2 || ends.length > 0;
  const dots: Point[] = [];
  const branches: Branch[] = [];
  const walked = new Map(vertices.map((vertex) => [vertex, new Set<Vertex>()]));
  for (const vertex of vertices) {
    if (!isKnot(vertex)) continue;
    if (vertex.next.size + vertex.ends.length >= 3) dots.push(vertex.point);
    for (const second of vertex.next) {
      if (walked.get(vertex)?.has(second) === true) continue;
      const points = [vertex.point];
      let [before, at] = [vertex, second];
      for (;;) {
        walked.get(before)?.add(at);
        walked.get(at)?.add(before);
        points.push(at.point);
        const on = isKnot(at) ? undefined : [...at.next].find((other) => other !== before);
        if (on === undefined) break;
        [before, at] = [at, on];
      }
      branches.push({ points, sides: [endsFrom(vertex, second), endsFrom(second, vertex)] });
    }
  }
  return { id, branches, dots, lines };
}

/** Whether lines laid by hand still reach every pin of their wire. */
const reach = (lines: readonly (readonly Point[])[], pins: Iterable<Point>): boolean =>
  [...pins].every((pin) =>
    lines.some((line) =>
      line.some(
        (point, i) =>
          (point.x === pin.x && point.y === pin.y) ||
          (i + 1 < line.length && isOnLine(pin, point, line[i + 1])),
      ),
    ),
  );

/** The symbol of a component as wires go around it. */
function obstacleOf({ definition, place }: PlacedComponent): Rectangle {
  const half = halfSize(definition, place);
  return { x: place.x - half.x, y: place.y - half.y, width: 2 * half.x, height: 2 * half.y };
}

export interface WireRequest {
  readonly wires: readonly WireDocument[];
  readonly placed: Placed;
  /** lines laid by hand, by id of the wire */
  readonly laid?: NonNullable<ModelDocument['layout']['wires']>;
  /** lines that are kept where they were, though others are laid */
  readonly kept?: ReadonlyMap<string, readonly (readonly Point[])[]>;
}

/** All wires of a drawing. */
export function drawWires({ wires, placed, laid = {}, kept = new Map() }: WireRequest): DrawnWire[] {
  const pinsOf = wires.map(
    ({ ends }) =>
      new Map(
        ends.flatMap((end) => {
          const pin = pinAt(placed, end);
          return pin === null ? [] : [[end, pin] as const];
        }),
      ),
  );
  const fixed = new Map<string, readonly (readonly Point[])[]>();
  wires.forEach(({ id }, i) => {
    const own = kept.get(id) ?? laid[id];
    if (own !== undefined && reach(own, pinsOf[i].values())) fixed.set(id, own);
  });
  const nets: Net[] = wires.flatMap(({ id }, i) =>
    fixed.has(id) ? [] : [{ id, pins: [...pinsOf[i].values()] }],
  );
  const onWires = new Set(wires.flatMap(({ ends }) => ends));
  const stops: Point[] = [];
  const fixedEnds = new Set(wires.flatMap(({ id, ends }) => (fixed.has(id) ? ends : [])));
  for (const { component, definition, place } of placed.values())
    for (const pin of definition?.pins ?? []) {
      const end = `${component.id}.${pin.name}`;
      if (!onWires.has(end) || fixedEnds.has(end)) stops.push(pinPoint(pin, place));
    }
  const routes: Routes = routeNets({
    nets,
    obstacles: [...placed.values()].map(obstacleOf),
    stops,
    kept: fixed,
  });
  const isGround = (end: string): boolean => placed.get(endParts(end).component)?.component.type === 'Ground';
  return wires.map(({ id, ends }, i) => ({
    ...drawnWire(id, fixed.get(id) ?? routes.get(id) ?? [], pinsOf[i]),
    ...(ends.some(isGround) && { isGround: true }),
  }));
}
