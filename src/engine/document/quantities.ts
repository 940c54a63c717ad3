/**
 * Numbers with engineering suffixes and with units, as they stand in expressions: `47u`, `4.7k`, `10 mm`,
 * `3 kV`, `9.81 m/s^2`. They are found in the text before anything else reads it: a unit belongs to the
 * number in front of it, and binds more tightly than any operator. A text without them is left as it is.
 *
 * What stands behind a number may also be a name of the model. Then neither reading is taken: a number that
 * looks right and is not is worse than an error.
 */

/** Exponents of m, kg, s, A, K, mol, cd and rad. */
export type Dimension = readonly number[];

export interface KnownUnit {
  /** of one of it in the units of SI */
  readonly scale: number;
  readonly dimension: Dimension;
}

/** Tens by which suffixes and prefixes multiply. */
const SUFFIXES: Readonly<Record<string, number>> = {
  f: -15,
  p: -12,
  n: -9,
  u: -6,
  µ: -6,
  μ: -6,
  m: -3,
  k: 3,
  M: 6,
  meg: 6,
  G: 9,
  T: 12,
};
const PREFIXES: Readonly<Record<string, number>> = {
  ...{ f: -15, p: -12, n: -9, u: -6, µ: -6, μ: -6, m: -3, c: -2, d: -1, h: 2, k: 3, M: 6, G: 9, T: 12 },
};

/** How suffixes are written, with their powers of ten. */
export const NUMBER_SUFFIXES: readonly (readonly [text: string, tens: number])[] = Object.entries(
  SUFFIXES,
).filter(([text]) => text !== 'μ');

const of = (m: number, kg: number, s: number, a = 0, rest: readonly number[] = [0, 0, 0, 0]): Dimension => [
  m,
  kg,
  s,
  a,
  ...rest,
];
const NONE = of(0, 0, 0);
const ANGLE = of(0, 0, 0, 0, [0, 0, 0, 1]);

/** Units that take prefixes; their scale is in the units of SI. */
const PREFIXED: Readonly<Record<string, KnownUnit>> = {
  m: { scale: 1, dimension: of(1, 0, 0) },
  g: { scale: 1e-3, dimension: of(0, 1, 0) },
  s: { scale: 1, dimension: of(0, 0, 1) },
  A: { scale: 1, dimension: of(0, 0, 0, 1) },
  K: { scale: 1, dimension: of(0, 0, 0, 0, [1, 0, 0, 0]) },
  mol: { scale: 1, dimension: of(0, 0, 0, 0, [0, 1, 0, 0]) },
  cd: { scale: 1, dimension: of(0, 0, 0, 0, [0, 0, 1, 0]) },
  rad: { scale: 1, dimension: ANGLE },
  Hz: { scale: 1, dimension: of(0, 0, -1) },
  N: { scale: 1, dimension: of(1, 1, -2) },
  Pa: { scale: 1, dimension: of(-1, 1, -2) },
  bar: { scale: 1e5, dimension: of(-1, 1, -2) },
  J: { scale: 1, dimension: of(2, 1, -2) },
  W: { scale: 1, dimension: of(2, 1, -3) },
  C: { scale: 1, dimension: of(0, 0, 1, 1) },
  V: { scale: 1, dimension: of(2, 1, -3, -1) },
  F: { scale: 1, dimension: of(-2, -1, 4, 2) },
  Ω: { scale: 1, dimension: of(2, 1, -3, -2) },
  ohm: { scale: 1, dimension: of(2, 1, -3, -2) },
  S: { scale: 1, dimension: of(-2, -1, 3, 2) },
  Wb: { scale: 1, dimension: of(2, 1, -2, -1) },
  H: { scale: 1, dimension: of(2, 1, -2, -2) },
  T: { scale: 1, dimension: of(0, 1, -2, -1) },
  L: { scale: 1e-3, dimension: of(3, 0, 0) },
};
const POUND = 0.45359237;
const GRAVITY = 9.80665;
const OTHERS: Readonly<Record<string, KnownUnit>> = {
  min: { scale: 60, dimension: of(0, 0, 1) },
  h: { scale: 3600, dimension: of(0, 0, 1) },
  deg: { scale: Math.PI / 180, dimension: ANGLE },
  '°': { scale: Math.PI / 180, dimension: ANGLE },
  rev: { scale: 2 * Math.PI, dimension: ANGLE },
  rpm: { scale: Math.PI / 30, dimension: of(0, 0, -1, 0, [0, 0, 0, 1]) },
  in: { scale: 0.0254, dimension: of(1, 0, 0) },
  ft: { scale: 0.3048, dimension: of(1, 0, 0) },
  lb: { scale: POUND, dimension: of(0, 1, 0) },
  lbf: { scale: POUND * GRAVITY, dimension: of(1, 1, -2) },
  psi: { scale: (POUND * GRAVITY) / 0.0254 ** 2, dimension: of(-1, 1, -2) },
  hp: { scale: 550 * 0.3048 * POUND * GRAVITY, dimension: of(2, 1, -3) },
};

/** Names of units, without their prefixes. */
export const UNIT_NAMES: readonly string[] = [...Object.keys(PREFIXED), ...Object.keys(OTHERS)];

const tens = (exponent: number): number => Number(`1e${exponent}`);
const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** A unit in one word, with its prefix; undefined where it is none. */
function unitOf(word: string): KnownUnit | undefined {
  // The two signs of Ω are different characters.
  const text = word.replaceAll('\u2126', 'Ω');
  const plain = own(OTHERS, text) ?? own(PREFIXED, text);
  if (plain !== undefined) return plain;
  const base = own(PREFIXED, text.slice(1));
  const prefix = own(PREFIXES, text.slice(0, 1));
  if (base === undefined || prefix === undefined) return undefined;
  // 0.001 · 1000 is 1, and so is the kilogram.
  return { scale: Number((base.scale * tens(prefix)).toPrecision(15)), dimension: base.dimension };
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const POWER = /^(?:\^\s*(-?\d+)|(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))/u;
const WORD = /^[A-Za-zµμΩ\u2126°]+/u;

const powerOf = ([, plain, raised]: RegExpExecArray): number =>
  plain === undefined
    ? Number(Array.from(raised, (sign) => (sign === '⁻' ? '-' : SUPERSCRIPTS.indexOf(sign))).join(''))
    : Number(plain);

const times = (a: KnownUnit, b: KnownUnit, power: number): KnownUnit => ({
  scale: power === 1 ? a.scale * b.scale : a.scale * b.scale ** power,
  dimension: a.dimension.map((exponent, i) => exponent + power * b.dimension[i]),
});
const ONE: KnownUnit = { scale: 1, dimension: NONE };

interface ReadUnit {
  readonly unit: KnownUnit;
  /** where it ends in the text */
  readonly end: number;
  /** words of it that are names of the model, too */
  readonly names: readonly string[];
}

/**
 * Reads a unit such as `N s/m` or `m/s^2` from a place of a text on: words with powers, one behind the other,
 * divided by those behind a stroke.
 * @returns null where there is none
 */
function readUnit(text: string, from: number, isName: (word: string) => boolean): ReadUnit | null {
  let unit: KnownUnit = ONE;
  let end = -1;
  let at = from;
  const names: string[] = [];
  for (;;) {
    const lead =
      end < 0 ? /^\s*/u.exec(text.slice(at)) : /^(?:\s*\/\s*|\s*[·⋅]\s*|\s+)/u.exec(text.slice(at));
    if (lead === null) break;
    const rest = text.slice(at + lead[0].length);
    const word = WORD.exec(rest)?.[0];
    const found = word === undefined ? undefined : unitOf(word);
    if (word === undefined || found === undefined) break;
    // `min(` is a function, `m.q` a signal, `m2` another name.
    if (/^[\w.([$]/.test(rest.slice(word.length))) break;
    const raised = POWER.exec(rest.slice(word.length));
    const power = raised === null ? 1 : powerOf(raised);
    unit = times(unit, found, lead[0].includes('/') ? -power : power);
    if (isName(word)) names.push(word);
    at += lead[0].length + word.length + (raised?.[0].length ?? 0);
    end = at;
  }
  return end < 0 ? null : { unit, end, names };
}

/** The unit that a whole text names, such as that of a field; null where it is none that is known. */
export function unitNamed(text: string): KnownUnit | null {
  if (text === '' || text === '1') return ONE;
  const over = /^1\s*\/\s*/.exec(text);
  const written = over === null ? text : text.slice(over[0].length);
  const read = readUnit(written, 0, () => false);
  if (read?.end !== written.length) return null;
  return over === null ? read.unit : times(ONE, read.unit, -1);
}

/** A number with a suffix or a unit. */
export interface Quantity {
  /** as it is written */
  readonly text: string;
  /** in the units of SI */
  readonly value: number;
  /** null of a number with a suffix alone */
  readonly unit: KnownUnit | null;
  /** the unit that its suffix could be meant as, such as m of `5m` */
  readonly alike: KnownUnit | null;
  /** words behind the number that are names of the model, too */
  readonly names: readonly string[];
}

export interface FoundQuantities {
  /** with the name of a quantity, as of `quantityName`, in place of each */
  readonly text: string;
  readonly quantities: readonly Quantity[];
}

const NAME = '$';

/** Name of a quantity in the text. */
const quantityName = (index: number): string => `${NAME}${index}`;

/** Number of the quantity that a name stands for; −1 of other names. */
export const quantityIndex = (name: string): number =>
  /^\$\d+$/.test(name) ? Number(name.slice(NAME.length)) : -1;

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/uy;

/** A decimal times a power of ten, rounded once. */
function shifted(literal: string, exponent: number): number {
  const [digits, own10 = '0'] = literal.toLowerCase().split('e');
  return Number(`${digits}e${Number(own10) + exponent}`);
}

function valueOf(literal: string, exponent: number, scale: number): number {
  const power = Math.round(Math.log10(scale));
  return tens(power) === scale ? shifted(literal, exponent + power) : shifted(literal, exponent) * scale;
}

/**
 * The quantity that begins with a number; null where nothing follows it.
 * @param behind position behind the number
 */
function quantityAt(
  text: string,
  from: number,
  behind: number,
  isName: (word: string) => boolean,
): { quantity: Quantity; end: number } | null {
  const literal = text.slice(from, behind);
  const word = WORD.exec(text.slice(behind))?.[0] ?? '';
  const after = text.slice(behind + word.length);
  let exponent = 0;
  let at = behind;
  let alike: KnownUnit | null = null;
  const names: string[] = [];
  const power = own(SUFFIXES, word);
  if (power !== undefined && !/^[\w.([$^]/.test(after)) {
    exponent = power;
    at += word.length;
    alike = unitOf(word) ?? null;
    if (isName(word)) names.push(word);
  }
  const read = readUnit(text, at, isName);
  if (read === null && at === behind) return null;
  const end = read?.end ?? at;
  const value = valueOf(literal, exponent, read?.unit.scale ?? 1);
  names.push(...(read?.names ?? []));
  return { quantity: { text: text.slice(from, end), value, unit: read?.unit ?? null, alike, names }, end };
}

/** Whether a text may have quantities at all: a letter behind a digit. */
const MAY_HAVE = /[\d.]\s*[A-Za-zµμΩ\u2126°]/u;

/**
 * Finds the numbers of an expression that have a suffix or a unit.
 * @param isName whether a word is a name of the model
 */
export function findQuantities(text: string, isName: (word: string) => boolean): FoundQuantities {
  if (!MAY_HAVE.test(text)) return { text, quantities: [] };
  const quantities: Quantity[] = [];
  let written = '';
  let at = 0;
  while (at < text.length) {
    const name = /^[A-Za-z_$][\w$]*(?:\s*\[\s*\d+\s*\])?/.exec(text.slice(at))?.[0];
    if (name !== undefined) {
      written += name;
      at += name.length;
      continue;
    }
    NUMBER.lastIndex = at;
    const literal = NUMBER.exec(text)?.[0];
    if (literal === undefined) {
      written += text[at++];
      continue;
    }
    const found = quantityAt(text, at, at + literal.length, isName);
    if (found === null) {
      written += literal;
      at += literal.length;
      continue;
    }
    written += quantityName(quantities.push(found.quantity) - 1);
    at = found.end;
  }
  return { text: written, quantities };
}

/* Dimensions of expressions. */

const EXPONENTS = ['m', 'kg', 's', 'A', 'K', 'mol', 'cd', 'rad'];
/** Dimensions that have a name. */
const NAMED = ['N', 'Pa', 'J', 'W', 'V', 'Ω', 'F', 'H', 'C', 'Wb', 'S'];

export const sameDimension = (a: Dimension, b: Dimension): boolean =>
  a.every((exponent, i) => Math.abs(exponent - b[i]) < 1e-9);

/** A dimension in words of units of SI. */
export function dimensionWords(dimension: Dimension): string {
  if (sameDimension(dimension, NONE)) return 'a number without unit';
  const named = NAMED.find((name) => sameDimension(PREFIXED[name].dimension, dimension));
  if (named !== undefined) return named;
  const part = (sign: number): string =>
    EXPONENTS.flatMap((name, i) => {
      const exponent = sign * dimension[i];
      return exponent <= 0 ? [] : [exponent === 1 ? name : `${name}^${exponent}`];
    }).join(' ');
  const [above, below] = [part(1), part(-1)];
  return below === '' ? above : `${above === '' ? '1' : above}/${below.replaceAll(' ', '/')}`;
}

export const NO_DIMENSION = NONE;
export const ANGLE_DIMENSION = ANGLE;
