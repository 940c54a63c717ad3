/**
 * Which words of a drawing are shown at a zoom, and how large: as large as they can be read, wherever they
 * have room. Words that would lie over other symbols or other words are left out, whole. Pure.
 */
import { halfSize, type Point } from '@figures/circuit/geometry';
import { isOwn } from '@figures/circuit/own-components';
import type { Rectangle } from '../frames/rectangles';
import type { DrawnComponent } from './circuit-store';

/** Size of words where they are read as they are, px. */
export const WORD = 12.5;
/** Words are at least this large on the screen, px. */
const LEAST = 10.5;
/** From this zoom on everything is shown: symbols stand on a grid that has room for it. */
const ALL_FROM = 0.84;
/** Width of a letter as a share of the size, bold ones and others. */
const BOLD = 0.6;
const LIGHT = 0.54;

/** What is shown of a component: its name, and its values too. */
type Shown = 'name' | 'values';

export interface Words {
  /** of letters, in the units of the drawing */
  readonly size: number;
  /** whether values are shown where they have room; without them names stand in the middle */
  readonly hasValues: boolean;
  /** components and wires whose words have room; null where all have */
  readonly shown: ReadonlyMap<string, Shown> | null;
}

/** Values are of use from this zoom on; farther away names say where one is. */
const VALUES_FROM = 0.45;

/** Where name and values of a component stand, from its middle. */
export interface WordPlaces {
  readonly anchor: 'start' | 'middle';
  readonly name: Point;
  readonly value: Point;
}

/** Zooms are rounded to this many steps for a factor of two: words do not change at every turn of a wheel. */
const STEPS = 6;
export const wordZoom = (zoom: number): number => 2 ** (Math.round(STEPS * Math.log2(zoom)) / STEPS);

export const wordSize = (zoom: number): number => Math.max(WORD, LEAST / wordZoom(zoom));

/** Words stand above and below what lies, and beside what stands. @param side distance of words beside */
export function wordPlaces(half: Point, side: number, size: number, isAlone = false): WordPlaces {
  return half.x >= half.y
    ? { anchor: 'middle', name: { x: 0, y: -half.y - 6 }, value: { x: 0, y: half.y + 2.5 + size } }
    : {
        anchor: 'start',
        name: { x: side, y: isAlone ? 0.36 * size : 0.36 * WORD - 0.6 * size },
        value: { x: side, y: 0.36 * WORD + 0.68 * size },
      };
}

/** A named wire, where its name would stand. */
export interface NamedWire {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly isUpright: boolean;
}

interface Labelled extends DrawnComponent {
  readonly name: string;
  readonly values: string;
  /** of values and figures under the name */
  readonly lines: number;
}

/** Rectangles by the squares of a grid that they touch. */
class Taken {
  readonly #cells = new Map<string, (Rectangle & { owner: string })[]>();

  constructor(readonly side: number) {}

  *#touched({ x, y, width, height }: Rectangle): Generator<string> {
    const { side } = this;
    for (let i = Math.floor(x / side); i * side < x + width; i++)
      for (let j = Math.floor(y / side); j * side < y + height; j++) yield `${i} ${j}`;
  }

  add(owner: string, box: Rectangle): void {
    for (const cell of this.#touched(box)) {
      const list = this.#cells.get(cell);
      if (list === undefined) this.#cells.set(cell, [{ ...box, owner }]);
      else list.push({ ...box, owner });
    }
  }

  isFree(owner: string, box: Rectangle): boolean {
    for (const cell of this.#touched(box))
      for (const other of this.#cells.get(cell) ?? [])
        if (
          other.owner !== owner &&
          other.x < box.x + box.width &&
          box.x < other.x + other.width &&
          other.y < box.y + box.height &&
          box.y < other.y + other.height
        )
          return false;
    return true;
  }
}

const line = (
  at: Point,
  anchor: 'start' | 'middle',
  width: number,
  size: number,
): { -readonly [K in keyof Rectangle]: Rectangle[K] } => ({
  x: anchor === 'start' ? at.x : at.x - 0.5 * width,
  y: at.y - 0.8 * size,
  width,
  height: size,
});

const moved = (box: Rectangle, by: Point): Rectangle => ({ ...box, x: box.x + by.x, y: box.y + by.y });

/**
 * @param chosen what keeps its words before others
 * @param components in the order in which they get room
 */
export function wordsAt(
  zoom: number,
  components: readonly Labelled[],
  wires: readonly NamedWire[],
  chosen: ReadonlySet<string>,
): Words {
  const size = wordSize(zoom);
  const hasValues = zoom >= VALUES_FROM;
  if (wordZoom(zoom) >= ALL_FROM) return { size, hasValues, shown: null };
  const shown = new Map<string, Shown>();
  const taken = new Taken(Math.max(80, 4 * size));
  for (const { component, definition, place } of components) {
    const { x, y } = halfSize(definition, place);
    taken.add(component.id, { x: place.x - x, y: place.y - y, width: 2 * x, height: 2 * y });
  }
  const first = components.filter(({ component }) => chosen.has(component.id));
  const rest = components.filter(({ component }) => !chosen.has(component.id));
  /** places that are free take the words; @returns whether they did */
  const take = (id: string, boxes: readonly Rectangle[]): boolean => {
    if (!boxes.every((box) => taken.isFree(id, box))) return false;
    for (const box of boxes) taken.add(id, box);
    return true;
  };
  const boxesOf = ({ component, definition, place, name, values, lines }: Labelled): Rectangle[] => {
    const half = halfSize(definition, place);
    const at = wordPlaces(half, half.x + 8, size, !hasValues);
    const nameBox = line(at.name, at.anchor, BOLD * size * name.length, size);
    const valueBox = line(at.value, at.anchor, LIGHT * size * values.length, size);
    valueBox.height *= lines;
    // Words of a box of one’s own stand in it.
    if (isOwn(component.type)) return [];
    return [nameBox, ...(hasValues && values !== '' ? [valueBox] : [])].map((box) => moved(box, place));
  };
  // Names come before values: what a thing is called is looked for first.
  for (const one of [...first, ...rest]) {
    const [name] = boxesOf(one);
    if (name === undefined || chosen.has(one.component.id) || take(one.component.id, [name]))
      shown.set(one.component.id, 'name');
  }
  for (const { id, x, y, isUpright } of wires) {
    const width = LIGHT * size * id.length;
    const box = isUpright
      ? line({ x: x + 6, y: y + 4 }, 'start', width, size)
      : line({ x, y: y - 6 }, 'middle', width, size);
    if (chosen.has(id) || take(id, [box])) shown.set(id, 'name');
  }
  for (const one of [...first, ...rest]) {
    const { id } = one.component;
    const [, values] = boxesOf(one);
    if (shown.has(id) && values !== undefined && take(id, [values])) shown.set(id, 'values');
  }
  return { size, hasValues, shown };
}
