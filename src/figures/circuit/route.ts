/**
 * Lays wires with right angles: each net a tree of shortest ways on a grid, around symbols, with few bends
 * and crossings, no two nets on one line. The same drawing is laid the same way each time. Pure.
 *
 * Each way is found by A* (Hart, Nilsson and Raphael 1968) over cells and directions of arrival, so that
 * bends have their price.
 */
import type { Point, Rectangle } from './geometry';

export interface RoutedPin extends Point {
  /** away from the symbol, one of the four unit vectors */
  readonly direction: Point;
}

export interface Net {
  readonly id: string;
  readonly pins: readonly RoutedPin[];
}

export interface RouteRequest {
  readonly nets: readonly Net[];
  /** symbols, as large as they are drawn */
  readonly obstacles: readonly Rectangle[];
  /** pins that no wire may pass, since it would seem to end there */
  readonly stops: readonly Point[];
  /** lines of nets that stay as they are, by id */
  readonly kept?: ReadonlyMap<string, readonly (readonly Point[])[]>;
}

/** Lines of a net: the first from pin to pin, each other from a pin to one of those before. */
export type Routes = Map<string, Point[][]>;

const PITCH = 10;
/** Room around everything that wires may use, cells. */
const MARGIN = 8;
/** Larger drawings get straight corners without a search. */
const MOST_CELLS = 1_000_000;

const STEP = 2;
const BEND = 7;
const CROSSING = 6;
/** of each cell beside a symbol, where its name stands */
const BESIDE = 2;
/** of leaving a pin other than straight on */
const ASKEW = 9;

/** right, down, left, up */
const WAYS: readonly Point[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
];
const wayOf = ({ x, y }: Point): number => (x > 0 ? 0 : y > 0 ? 1 : x < 0 ? 2 : 3);

const HORIZONTAL = 1;
const VERTICAL = 2;
/** a bend, an end, a junction or a crossing: no other wire passes */
const KNOT = 3;

/**
 * States by their price, a list for each: prices are small whole numbers and, with a heuristic that never
 * falls by more than a step costs, never go down. Of equals the newest is taken first, which is the nearest.
 */
class Queue {
  readonly #lists: number[][] = [];
  #least = 0;
  size = 0;

  push(price: number, state: number): void {
    (this.#lists[price] ??= []).push(state);
    this.size++;
    if (price < this.#least) this.#least = price;
  }

  pop(): number {
    this.size--;
    for (; ; this.#least++) {
      const state = this.#lists[this.#least]?.pop();
      if (state !== undefined) return state;
    }
  }
}

/** Without points in the middle of straight lines, and without doubled ones. */
export function simplified(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    const before = kept.at(-2);
    if (last !== undefined && last.x === point.x && last.y === point.y) continue;
    const isStraight =
      last !== undefined &&
      before !== undefined &&
      ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y));
    if (isStraight) kept.pop();
    kept.push({ x: point.x, y: point.y });
  }
  return kept;
}

/** Two lines with a right angle, leaving the first pin straight on. */
function corner(from: RoutedPin, to: Point): Point[] {
  const elbow = from.direction.x === 0 ? { x: from.x, y: to.y } : { x: to.x, y: from.y };
  return simplified([from, elbow, to]);
}

class Board {
  readonly #left: number;
  readonly #top: number;
  readonly columns: number;
  readonly rows: number;
  /** 1 inside of a symbol, 2 beside it */
  readonly #symbols: Uint8Array;
  /** net of the wire in a cell, from 1; −1 a pin without a net */
  readonly #nets: Int32Array;
  readonly #kinds: Uint8Array;
  readonly #costs: Int32Array;
  readonly #from: Int32Array;
  readonly #seen: Int32Array;
  readonly #done: Int32Array;
  readonly #goals: Int32Array;
  #search = 0;

  constructor(points: readonly Point[], obstacles: readonly Rectangle[]) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    const extend = (x: number, y: number): void => {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    };
    for (const { x, y } of points) extend(x, y);
    for (const { x, y, width, height } of obstacles) {
      extend(x, y);
      extend(x + width, y + height);
    }
    this.#left = (Math.floor(left / PITCH) - MARGIN) * PITCH;
    this.#top = (Math.floor(top / PITCH) - MARGIN) * PITCH;
    this.columns = Math.max(0, Math.ceil((right - this.#left) / PITCH) + MARGIN) || 0;
    this.rows = Math.max(0, Math.ceil((bottom - this.#top) / PITCH) + MARGIN) || 0;
    const size = this.isTooLarge ? 0 : this.columns * this.rows;
    this.#symbols = new Uint8Array(size);
    this.#nets = new Int32Array(size);
    this.#kinds = new Uint8Array(size);
    this.#goals = new Int32Array(size);
    this.#costs = new Int32Array(4 * size);
    this.#from = new Int32Array(4 * size);
    this.#seen = new Int32Array(4 * size);
    this.#done = new Int32Array(4 * size);
  }

  get isTooLarge(): boolean {
    return this.columns * this.rows > MOST_CELLS;
  }

  cell({ x, y }: Point): number {
    return Math.round((y - this.#top) / PITCH) * this.columns + Math.round((x - this.#left) / PITCH);
  }

  point(cell: number): Point {
    return {
      x: this.#left + (cell % this.columns) * PITCH,
      y: this.#top + Math.floor(cell / this.columns) * PITCH,
    };
  }

  /** Keeps wires out of the inside of a symbol: its edge, where pins stand, stays free. */
  block({ x, y, width, height }: Rectangle): void {
    const first = this.cell({ x: x - PITCH, y: y - PITCH });
    const last = this.cell({ x: x + width + PITCH, y: y + height + PITCH });
    for (let row = Math.floor(first / this.columns); row <= Math.floor(last / this.columns); row++)
      for (let column = first % this.columns; column <= last % this.columns; column++) {
        const cell = row * this.columns + column;
        const at = this.point(cell);
        const isInside = at.x > x && at.x < x + width && at.y > y && at.y < y + height;
        if (isInside) this.#symbols[cell] = 1;
        else if (this.#symbols[cell] === 0) this.#symbols[cell] = 2;
      }
  }

  claim(cell: number, net: number): void {
    this.#nets[cell] = net;
    this.#kinds[cell] = KNOT;
  }

  /** Notes the lines of a net. */
  take(points: readonly Point[], net: number): void {
    for (let i = 0; i + 1 < points.length; i++) {
      const [from, to] = [this.cell(points[i]), this.cell(points[i + 1])];
      const isAcross = Math.floor(from / this.columns) === Math.floor(to / this.columns);
      const step = (isAcross ? 1 : this.columns) * Math.sign(to - from);
      for (let cell = from; step !== 0; cell += step) {
        const isEnd = cell === from || cell === to;
        const isTaken = this.#nets[cell] !== 0;
        this.#kinds[cell] = isEnd || isTaken ? KNOT : isAcross ? HORIZONTAL : VERTICAL;
        // The net that was there first keeps a crossing; a knot is passed by neither.
        if (!isTaken) this.#nets[cell] = net;
        if (cell === to || !this.#isOn(cell)) break;
      }
    }
  }

  #isOn(cell: number): boolean {
    return cell >= 0 && cell < this.columns * this.rows;
  }

  /**
   * The cheapest way from a pin to one of some cells; null where there is none.
   * @param into for pins among the cells, which way they look
   */
  way(
    start: number,
    direction: Point,
    goals: Iterable<number>,
    into: ReadonlyMap<number, number>,
    net: number,
  ): number[] | null {
    const search = ++this.#search;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    const { columns, rows } = this;
    for (const goal of goals) {
      this.#goals[goal] = search;
      const [x, y] = [goal % columns, Math.floor(goal / columns)];
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    const far = (x: number, y: number, way: number): number => {
      const [dx, dy] = [Math.max(0, left - x, x - right), Math.max(0, top - y, y - bottom)];
      return STEP * (dx + dy) + ((way % 2 === 0 ? dy : dx) > 0 ? BEND : 0);
    };
    const queue = new Queue();
    const reach = (state: number, cost: number, from: number, x: number, y: number): void => {
      if (this.#seen[state] === search && this.#costs[state] <= cost) return;
      this.#seen[state] = search;
      this.#costs[state] = cost;
      this.#from[state] = from;
      queue.push(cost + far(x, y, state & 3), state);
    };
    const ahead = wayOf(direction);
    for (let way = 0; way < 4; way++)
      reach(4 * start + way, way === ahead ? 0 : ASKEW, -1, start % columns, Math.floor(start / columns));
    while (queue.size > 0) {
      const state = queue.pop();
      const cell = state >> 2;
      const arrival = state & 3;
      if (this.#goals[cell] === search) return this.#traced(state);
      const cost = this.#costs[state];
      // Reached at a lower price since.
      if (this.#done[state] === search) continue;
      this.#done[state] = search;
      const [x, y] = [cell % columns, Math.floor(cell / columns)];
      const isOver = cell !== start && this.#nets[cell] !== 0 && this.#nets[cell] !== net;
      for (let way = 0; way < 4; way++) {
        const isTurn = way !== arrival;
        // A wire that crosses another goes straight on.
        if (way === (arrival ^ 2) || (isTurn && (isOver || cell === start))) continue;
        const [nx, ny] = [x + WAYS[way].x, y + WAYS[way].y];
        if (nx < 0 || ny < 0 || nx >= columns || ny >= rows) continue;
        const next = ny * columns + nx;
        const isGoal = this.#goals[next] === search;
        const symbol = this.#symbols[next];
        if (symbol === 1 && !isGoal) continue;
        let price = STEP + (isTurn ? BEND : 0) + (symbol === 2 ? BESIDE : 0);
        const other = this.#nets[next];
        if (other !== 0 && other !== net) {
          const kind = this.#kinds[next];
          if (kind === KNOT || kind === (way % 2 === 0 ? HORIZONTAL : VERTICAL)) continue;
          price += CROSSING;
        }
        const facing = isGoal ? into.get(next) : undefined;
        if (facing !== undefined && facing !== (way ^ 2)) price += ASKEW;
        reach(4 * next + way, cost + price, state, nx, ny);
      }
    }
    return null;
  }

  #traced(end: number): number[] {
    const cells: number[] = [];
    for (let state = end; state >= 0; state = this.#from[state]) cells.push(state >> 2);
    return cells.reverse();
  }
}

const distance = (a: Point, b: Point): number => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);

/** A way between pins that need not stand on the grid. */
function joined(from: Point, cells: readonly Point[], to: Point | null): Point[] {
  const first = cells[0];
  const last = cells[cells.length - 1];
  return simplified([
    from,
    { x: first.x, y: from.y },
    ...cells,
    ...(to === null ? [] : [{ x: last.x, y: to.y }, to]),
  ]);
}

/** Lays one net and notes it on the board. */
function lay(board: Board, { pins }: Net, net: number): Point[][] {
  const lines: Point[][] = [];
  const cells = pins.map((pin) => board.cell(pin));
  const into = new Map(pins.map((pin, i) => [cells[i], wayOf(pin.direction)]));
  const left = new Set(pins.keys());
  let [first, least] = [0, Infinity];
  // It begins at one of the two pins that are closest.
  for (const [i, a] of pins.entries())
    for (let k = i + 1; k < Math.min(pins.length, i + 64); k++)
      if (distance(a, pins[k]) < least) [first, least] = [i, distance(a, pins[k])];
  left.delete(first);
  const tree = new Set([cells[first]]);
  const near = pins.map((pin) => distance(pin, pins[first]));
  while (left.size > 0) {
    let next = -1;
    for (const i of left) if (next < 0 || near[i] < near[next]) next = i;
    left.delete(next);
    const pin = pins[next];
    const start = cells[next];
    if (!tree.has(start)) {
      const way = board.way(start, pin.direction, tree, into, net);
      const end = way?.at(-1);
      const target = pins.find((_, i) => cells[i] === end) ?? null;
      const line =
        way === null || end === undefined
          ? corner(pin, pins[first])
          : joined(
              pin,
              way.map((cell) => board.point(cell)),
              target,
            );
      lines.push(line);
      if (way !== null) {
        board.take(simplified(way.map((cell) => board.point(cell))), net);
        for (const cell of way) tree.add(cell);
      }
    } else if (lines.length === 0) lines.push([{ x: pin.x, y: pin.y }]);
    tree.add(start);
    const reached = lines.at(-1) ?? [];
    for (const i of left)
      for (const point of [...reached, pin]) near[i] = Math.min(near[i], distance(pins[i], point));
  }
  return lines;
}

const extent = ({ pins }: Net): number => {
  const [x, y] = [pins.map((pin) => pin.x), pins.map((pin) => pin.y)];
  return Math.max(...x) - Math.min(...x) + Math.max(...y) - Math.min(...y);
};

/** Lays all nets, short ones first. */
export function routeNets({ nets, obstacles, stops, kept = new Map() }: RouteRequest): Routes {
  const lines: Routes = new Map();
  const order = [...nets.entries()]
    .filter(([, { pins }]) => pins.length > 1)
    .map(([index, net]) => ({ index, net, size: extent(net) }))
    .sort((a, b) => a.size - b.size || a.index - b.index);
  const points = [...nets.flatMap(({ pins }) => pins), ...stops, ...[...kept.values()].flat(2)];
  if (points.length === 0) return lines;
  const board = new Board(points, obstacles);
  if (board.isTooLarge) {
    for (const { net } of order)
      lines.set(
        net.id,
        net.pins.slice(1).map((pin) => corner(pin, net.pins[0])),
      );
    return lines;
  }
  for (const obstacle of obstacles) board.block(obstacle);
  for (const stop of stops) board.claim(board.cell(stop), -1);
  for (const [index, { pins }] of nets.entries())
    for (const pin of pins) board.claim(board.cell(pin), index + 1);
  let other = nets.length;
  for (const [, own] of kept) {
    other++;
    for (const line of own) board.take(line, other);
  }
  for (const { net, index } of order) lines.set(net.id, lay(board, net, index + 1));
  return lines;
}
