/** Where the symbol of a component and its pins are in a drawing. Pure. */
import type { NodePlace } from '@engine/document/types';
import type { ElementDefinition, PinDefinition } from '@engine/model/definition';

/** Pins stand at multiples of this from the centre of a symbol, px. */
export const GRID = 20;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

/** What of a definition says how a component is drawn. */
export type Drawn = Pick<ElementDefinition, 'pins' | 'symbol'>;

/** Size of what stands for a component of a type that is not known, half of it, px. */
const UNKNOWN = { width: 20, height: 20 };

/** A point of a symbol as it is drawn, from the centre: mirrored first, then turned clockwise. */
export function turned({ x, y }: Point, { turns = 0, mirrored = false }: Partial<NodePlace>): Point {
  let at = { x: mirrored ? -x : x, y };
  for (let k = 0; k < turns % 4; k++) at = { x: -at.y, y: at.x };
  // No −0, which would be another number in files and comparisons.
  return { x: at.x + 0, y: at.y + 0 };
}

/** The SVG transform that draws a symbol at its centre. */
export const symbolTransform = ({ turns = 0, mirrored = false }: Partial<NodePlace>): string =>
  `${turns % 4 === 0 ? '' : `rotate(${90 * (turns % 4)})`}${mirrored ? 'scale(-1 1)' : ''}`;

/** Half of the width and height of a symbol as it is turned, px. */
export function halfSize(definition: Drawn | undefined, { turns = 0 }: Partial<NodePlace>): Point {
  const { width, height } = definition?.symbol ?? UNKNOWN;
  return turns % 2 === 0 ? { x: width, y: height } : { x: height, y: width };
}

const upToGrid = (half: number): number => Math.ceil(half / GRID) * GRID;

/**
 * The room of a component in the drawing: its symbol, widened to the grid, so that the corner of a component
 * is on the grid whenever its pins are.
 */
export function componentBox(definition: Drawn | undefined, place: NodePlace): Rectangle {
  const half = halfSize(definition, place);
  const [x, y] = [upToGrid(half.x), upToGrid(half.y)];
  return { x: place.x - x, y: place.y - y, width: 2 * x, height: 2 * y };
}

/** A pin in the drawing. */
export function pinPoint(pin: Pick<PinDefinition, 'x' | 'y'>, place: NodePlace): Point {
  const { x, y } = turned(pin, place);
  return { x: place.x + x, y: place.y + y };
}

/** Which way a wire leaves a pin: away from the symbol. */
export function pinDirection(
  pin: Pick<PinDefinition, 'x' | 'y'>,
  definition: Drawn,
  place: Partial<NodePlace>,
): Point {
  const { width = 1, height = 1 } = definition.symbol ?? {};
  const isSideways = Math.abs(pin.x) / width >= Math.abs(pin.y) / height;
  return turned(isSideways ? { x: Math.sign(pin.x) || 1, y: 0 } : { x: 0, y: Math.sign(pin.y) || 1 }, place);
}

/** Component and pin of an end of a wire, as in `R1.a`. */
export function endParts(end: string): { component: string; pin: string } {
  const dot = end.lastIndexOf('.');
  return { component: end.slice(0, dot), pin: end.slice(dot + 1) };
}

export const onGrid = (value: number): number => Math.round(value / GRID) * GRID;
