/**
 * Schematics of LTspice (`.asc`): their netlist, and where its elements and wires are. Units of its grid
 * become those of the drawing by 1.25, so that both grids agree.
 */
import { componentTypes } from '../model/components/registry';
import { type ImportedNetlist, importSource, type Places } from './import';
import { Source } from './source';

interface Point {
  readonly x: number;
  readonly y: number;
}

interface SymbolShape {
  readonly letter: string;
  /** in the order of the netlist */
  readonly pins: readonly (readonly [x: number, y: number])[];
  /** quarter turns clockwise of the component that looks like it */
  readonly turns: 0 | 1;
}

const upright = (letter: string, x: number, top: number, bottom: number): SymbolShape => ({
  letter,
  pins: [
    [x, top],
    [x, bottom],
  ],
  turns: 1,
});

const resistor = upright('R', 16, 16, 96);
const capacitor = upright('C', 16, 0, 64);
const inductor = upright('L', 16, 16, 96);
const voltage = upright('V', 0, 16, 96);
const diode = upright('D', 16, 0, 64);

/** Symbols of its own folder that have a counterpart. */
const SYMBOLS: Readonly<Record<string, SymbolShape>> = {
  ...{ res: resistor, res2: resistor, cap: capacitor, polcap: capacitor, ind: inductor, ind2: inductor },
  ...{ voltage, current: upright('I', 0, 0, 80), bv: upright('B', 0, 16, 96), bi: upright('B', 0, 0, 80) },
  ...{ diode, zener: diode, schottky: diode, led: diode },
  sw: { letter: 'S', pins: [...upright('S', 0, 16, 96).pins, [-48, 80], [-48, 32]], turns: 1 },
  e: { letter: 'E', pins: [...upright('E', 0, 16, 96).pins, [-48, 32], [-48, 80]], turns: 0 },
};

interface Placed {
  readonly name: string;
  readonly shape: SymbolShape;
  readonly at: Point;
  readonly quarter: number;
  readonly mirrored: boolean;
  readonly line: number;
  readonly attributes: Map<string, string>;
}

const SCALE = 1.25;
const scaled = ({ x, y }: Point): Point => ({ x: x * SCALE, y: y * SCALE });

/** Left and right are exchanged before the turns. */
function moved([x, y]: readonly [number, number], quarter: number, mirrored: boolean, at: Point): Point {
  let [u, v] = [mirrored ? -x : x, y];
  for (let k = 0; k < quarter; k++) [u, v] = [-v, u];
  return { x: at.x + u, y: at.y + v };
}

const pinsOf = ({ shape, quarter, mirrored, at }: Placed): Point[] =>
  shape.pins.map((pin) => moved(pin, quarter, mirrored, at));

interface Schematic {
  readonly wires: readonly (readonly [Point, Point])[];
  readonly flags: readonly { readonly at: Point; readonly name: string }[];
  readonly symbols: readonly Placed[];
  /** statements with the line that they stand in */
  readonly statements: { text: string; line: number }[];
}

/**
 * @param text the schematic
 * @param name of its file
 * @param files texts of the files that it includes, by their names
 */
export function importSchematic(
  text: string,
  name: string,
  files: Readonly<Record<string, string>> = {},
): ImportedNetlist {
  const schematic = readSchematic(text);
  const nets = new Nets(schematic);
  const statements: { text: string; line: number }[] = [{ text: name.replace(/\.[^.]*$/, ''), line: 1 }];
  for (const symbol of schematic.symbols)
    statements.push({ text: statementOf(symbol, nets), line: symbol.line });
  statements.push(...schematic.statements);
  if (schematic.symbols.some(({ attributes }) => attributes.get('value') === 'D'))
    statements.push({ text: '.model D D', line: 1 });
  const source = new Source(name, statements.map((one) => one.text).join('\n'), (line) => ({
    line: statements[line - 1]?.line ?? 1,
    column: 1,
  }));
  return importSource(source, files, placesOf(schematic, nets));
}

/** A symbol without a counterpart is an element that nothing knows, and said to be so at its line. */
function statementOf(symbol: Placed, nets: Nets): string {
  const { attributes, shape, name } = symbol;
  const nodes = pinsOf(symbol).map((pin) => nets.name(pin));
  const values = ['value', 'value2', 'spicemodel', 'spiceline', 'spiceline2'].map(
    (key) => attributes.get(key) ?? '',
  );
  const own = attributes.get('instname') ?? name;
  const isNamed = own.toUpperCase().startsWith(shape.letter);
  const text = [isNamed ? own : `${shape.letter}_${own}`, ...nodes, ...values].join(' ').trim();
  return text.replaceAll(/[\r\n]+/g, ' ');
}

const ROTATION = /^([RM])(0|90|180|270)$/;

function readSchematic(text: string): Schematic {
  const wires: (readonly [Point, Point])[] = [];
  const flags: { at: Point; name: string }[] = [];
  const symbols: Placed[] = [];
  const statements: { text: string; line: number }[] = [];
  let symbol: Placed | null = null;
  text.split(/\r?\n/).forEach((row, k) => {
    const line = k + 1;
    const [head, ...words] = row.trim().split(/\s+/);
    const numbers = words.map(Number);
    const point = (at: number): Point => ({ x: numbers[at], y: numbers[at + 1] });
    if (head === 'WIRE' && arePlaces(numbers, 0, 4)) wires.push([point(0), point(2)]);
    else if (head === 'FLAG' && words.length > 2 && arePlaces(numbers, 0, 2))
      flags.push({ at: point(0), name: words[2] });
    else if (head === 'SYMBOL' && words.length > 2 && arePlaces(numbers, words.length - 3, 2)) {
      const place = words.length - 3;
      const name = words.slice(0, place).join(' ');
      const [, letter, degrees] = ROTATION.exec(words.at(-1) ?? '') ?? [];
      const shape = (SYMBOLS as Readonly<Record<string, SymbolShape | undefined>>)[symbolName(name)];
      symbol = null;
      if (shape === undefined || degrees === undefined)
        statements.push({ text: `?${name.replaceAll(/[^\w]+/g, '_')} 0 0`, line });
      else {
        const quarter = Number(degrees) / 90;
        const mirrored = letter === 'M';
        symbol = { name, shape, at: point(place), quarter, mirrored, line, attributes: new Map() };
        symbols.push(symbol);
      }
    } else if (head === 'SYMATTR' && symbol !== null) {
      symbol.attributes.set(words[0]?.toLowerCase() ?? '', row.trim().split(/\s+/).slice(2).join(' '));
    } else if (head === 'TEXT') {
      const found = /!(.*)$/.exec(row);
      // Lines of a text are joined by \n in its letters.
      for (const part of found?.[1].split('\\n') ?? []) statements.push({ text: part.trim(), line });
    }
  });
  return { wires, flags, symbols, statements };
}

const arePlaces = (numbers: readonly number[], from: number, count: number): boolean =>
  numbers.length >= from + count && numbers.slice(from, from + count).every(Number.isFinite);

const symbolName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();

const keyOf = ({ x, y }: Point): string => `${x},${y}`;

/** Points that are connected, and what they are called. */
class Nets {
  readonly #parent = new Map<string, string>();
  readonly #names = new Map<string, string>();

  constructor({ wires, flags, symbols }: Schematic) {
    const points = [...wires.flat(), ...flags.map(({ at }) => at), ...symbols.flatMap(pinsOf)];
    for (const [a, b] of wires) {
      this.#join(a, b);
      // An end, a pin or a flag on a wire is connected with it.
      for (const point of points) if (isBetween(point, a, b)) this.#join(point, a);
    }
    for (const { at, name } of flags) this.#join(at, { x: NaN, y: NaN }, `flag ${name.toLowerCase()}`);
    for (const { at, name } of flags) this.#names.set(this.#root(keyOf(at)), name);
    let number = 0;
    for (const point of points) {
      const root = this.#root(keyOf(point));
      if (!this.#names.has(root)) this.#names.set(root, `N${String(++number).padStart(3, '0')}`);
    }
  }

  #root(key: string): string {
    let at = key;
    for (let next = this.#parent.get(at); next !== undefined; next = this.#parent.get(at)) at = next;
    return at;
  }

  #join(a: Point, b: Point, key = keyOf(b)): void {
    const [from, to] = [this.#root(keyOf(a)), this.#root(key)];
    if (from !== to) this.#parent.set(from, to);
  }

  name(point: Point): string {
    return this.#names.get(this.#root(keyOf(point))) ?? '0';
  }
}

function isBetween({ x, y }: Point, a: Point, b: Point): boolean {
  const cross = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
  const along = (x - a.x) * (x - b.x) + (y - a.y) * (y - b.y);
  return cross === 0 && along <= 0;
}

function placesOf({ wires, flags, symbols }: Schematic, nets: Nets): Places {
  const lines = new Map<string, Point[][]>();
  const add = (node: string, line: Point[]): void => {
    const key = node.toLowerCase() === 'gnd' ? '0' : node.toLowerCase();
    lines.set(key, [...(lines.get(key) ?? []), line]);
  };
  for (const [a, b] of wires) add(nets.name(a), [scaled(a), scaled(b)]);
  const byName = new Map(
    symbols.map((symbol) => [statementOf(symbol, nets).split(' ')[0].toLowerCase(), symbol] as const),
  );
  const placed = new Map<Placed, { x: number; y: number; turns?: number; mirrored?: boolean }>();
  const placeOf = (
    symbol: Placed,
    type: string,
  ): { x: number; y: number; turns?: number; mirrored?: boolean } => {
    const known = placed.get(symbol);
    if (known !== undefined) return known;
    const { shape, quarter, mirrored } = symbol;
    const all = pinsOf(symbol).map(scaled);
    const [first, second] = all;
    const centre =
      shape.turns === 1 ? middle(first, second) : middle(middle(first, second), middle(all[2], all[3]));
    const at = onGrid(centre);
    // What is upright is turned before it is mirrored, so that its turns count backwards.
    const turns = (mirrored ? quarter - shape.turns + 4 : quarter + shape.turns) % 4;
    const place = { ...at, ...(turns === 0 ? {} : { turns }), ...(mirrored ? { mirrored } : {}) };
    placed.set(symbol, place);
    const pins = componentTypes.get(type)?.definition.pins ?? [];
    const inOrder = shape.turns === 0 ? ['p', 'n', 'cp', 'cn'] : pins.map(({ name }) => name);
    inOrder.forEach((name, k) => {
      const pin = pins.find((one) => one.name === name);
      if (pin === undefined || all[k] === undefined) return;
      const end = moved([pin.x, pin.y], turns, mirrored, at);
      if (end.x === all[k].x && end.y === all[k].y) return;
      const corner = { x: end.x, y: all[k].y };
      const isStraight = end.x === all[k].x || end.y === all[k].y;
      add(nets.name(pinsOf(symbol)[k]), isStraight ? [all[k], end] : [all[k], corner, end]);
    });
    return place;
  };
  return {
    place: (path, type) => {
      const symbol = byName.get(path);
      return symbol === undefined ? null : placeOf(symbol, type);
    },
    wires: (node) => lines.get(node) ?? [],
    grounds: flags
      .filter(({ name }) => name === '0' || name.toLowerCase() === 'gnd')
      .map(({ at }) => scaled(at)),
  };
}

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const onGrid = ({ x, y }: Point): Point => ({ x: Math.round(x / 10) * 10, y: Math.round(y / 10) * 10 });
