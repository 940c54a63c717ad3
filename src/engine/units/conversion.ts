/**
 * Units of models, and how a value in one is written in another. A unit is text as models have it: `m`,
 * `N s/m`, `kg m²`, `1/min`, `Ω`, `°`. mathjs knows the units; only their factors are taken from it. Loading
 * it takes longer than reading a model, so who needs units imports this file late.
 */
import { type Unit, UnitDependencies, create } from 'mathjs';

/** Longest text of a unit. */
const MAX_LENGTH = 40;

/** Why a value in one unit cannot be written in another. */
export type UnitProblem =
  /** the text is no unit that is known; `instead` is how it was probably meant */
  | { readonly kind: 'unknown'; readonly unit: string; readonly instead?: string }
  /** its zero is another one than that of its quantity, as of °C */
  | { readonly kind: 'offset'; readonly unit: string }
  /** both are units, of different quantities */
  | { readonly kind: 'incompatible' };

/** How to write a value of one unit in another: multiply it by `factor`. */
export type Conversion = { readonly factor: number } | { readonly problem: UnitProblem };

/** Members of units and their class that the types of mathjs leave out. */
interface UnitClass {
  parse(text: string): Unit;
  isValuelessUnit(name: string): boolean;
  createUnitSingle(name: string, definition: { definition: string }): void;
}

const { Unit: units } = create({ UnitDependencies }) as unknown as { Unit: UnitClass };
// What machines turn at.
units.createUnitSingle('rev', { definition: '1 cycle' });
units.createUnitSingle('rpm', { definition: '1 rev/minute' });

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Signs that models use, and how mathjs writes them. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/°\s*C\b|℃/g, 'degC'],
  [/°\s*F\b|℉/g, 'degF'],
  [/°/g, 'deg'],
  // The letter and the sign of each are two characters that look alike.
  [/[\u03a9\u2126]/g, 'ohm'],
  [/[\u00b5\u03bc]/g, 'u'],
  [/[·⋅×*]/g, ' '],
  [/−/g, '-'],
];

/** The text as mathjs reads it: powers after ^, all signs as letters. */
function plain(text: string): string {
  const lettered = SIGNS.reduce((result, [sign, word]) => result.replace(sign, word), text.trim());
  return lettered.replace(
    /⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
    (power) => `^${Array.from(power, (sign) => (sign === '⁻' ? '-' : SUPERSCRIPTS.indexOf(sign))).join('')}`,
  );
}

interface Known {
  readonly unit: Unit;
  /** of one of it in the base units */
  readonly scale: number;
}

/** The product of what people write in one word, such as `Nm`; nothing where no two units make it. */
function apart(text: string): string | undefined {
  for (let k = 1; k < text.length; k++) {
    const parts = [text.slice(0, k), text.slice(k)];
    if (parts.every((part) => /^[A-Za-z]+$/.test(part) && units.isValuelessUnit(part)))
      return parts.join(' ');
  }
  return undefined;
}

function parse(text: string): Known | UnitProblem {
  const unknown: UnitProblem = { kind: 'unknown', unit: text };
  const written = plain(text);
  if (text.length > MAX_LENGTH || written === '') return unknown;
  // Of numbers only those of powers and the one over which a unit stands are part of a unit: 5 mm is a
  // length, no unit.
  const letters = written.replace(/\^\s*-?\d+/g, '').replace(/^1\s*(?:\/|$)/, '');
  if (/[\d.()]/.test(letters)) return unknown;
  try {
    const isOverOne = /^1\s*(?:\/|$)/.test(written);
    const unit = units.parse(isOverOne ? written : `1 ${written}`);
    if (unit.units.some(({ unit: part }) => (part as unknown as { offset: number }).offset !== 0))
      return { kind: 'offset', unit: text };
    return { unit, scale: unit.value };
  } catch {
    const instead = apart(written);
    return instead === undefined ? unknown : { ...unknown, instead };
  }
}

/** Texts come from outside, one for each key that is typed. */
const MOST_KEPT = 1000;
const parsed = new Map<string, Known | UnitProblem>();

function known(text: string): Known | UnitProblem {
  const found = parsed.get(text) ?? parse(text);
  if (parsed.size >= MOST_KEPT) parsed.clear();
  parsed.set(text, found);
  return found;
}

/** Rounding of a quotient of products of a few factors, relative. */
const ROUNDING = 8 * Number.EPSILON;
/** Digits of a factor that is a round number. */
const ROUND_DIGITS = 12;

/**
 * The round number that a quotient of rounded factors means, where there is one: 1000 for 999.9999999999999.
 */
function round(factor: number): number {
  const near = Number(factor.toPrecision(ROUND_DIGITS));
  return Math.abs(near - factor) <= ROUNDING * factor ? near : factor;
}

/** How values in the unit `from` are written in the unit `to`. */
export function conversion(from: string, to: string): Conversion {
  // What is not known can still be shown as it is.
  if (from === to) return { factor: 1 };
  const [one, other] = [known(from), known(to)];
  if ('kind' in one) return { problem: one };
  if ('kind' in other) return { problem: other };
  if (!one.unit.equalBase(other.unit)) return { problem: { kind: 'incompatible' } };
  return { factor: round(one.scale / other.scale) };
}

/* Says why values of one unit are not shown in another, and what to do. */

/** Sentence and remedy. @param from the model's unit @param to the one that is to be shown */
export function unitProblemWords(
  problem: UnitProblem,
  from: string,
  to: string,
): { message: string; remedy: string } {
  const ofModel = 'unit' in problem && problem.unit === from;
  switch (problem.kind) {
    case 'unknown':
      return {
        message: ofModel
          ? `The model’s unit “${from}” is not known, so its values cannot be shown in “${to}”.`
          : `“${to}” is not a unit that is known; values in “${from}” are shown as they are.`,
        remedy:
          problem.instead === undefined
            ? ofModel
              ? 'Write a unit of SI there, such as N s/m, or remove the display unit.'
              : 'Write units such as mm, kN, °/s or N/mm², with spaces between factors.'
            : `Write ${problem.instead}, with a space between the factors.`,
      };
    case 'offset':
      return {
        message: `“${problem.unit}” has another zero than its quantity; only units that differ by a factor can be shown.`,
        remedy: ofModel ? 'Give temperatures in K, or remove the display unit.' : 'Show temperatures in K.',
      };
    case 'incompatible':
      return {
        message: `“${to}” is a unit of another quantity than “${from}”; values are shown in “${from}”.`,
        remedy: `Choose a unit that “${from}” can be converted into.`,
      };
  }
}

/* Conversions as the window asks for them. */

/** The factor of each pair, or why there is none. */
export function convertUnits(
  pairs: readonly { from: string; to: string }[],
): ({ factor: number } | { message: string; remedy: string })[] {
  return pairs.map(({ from, to }) => {
    const found = conversion(from, to);
    return 'factor' in found ? { factor: found.factor } : unitProblemWords(found.problem, from, to);
  });
}
