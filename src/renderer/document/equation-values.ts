/**
 * Equations with the element's own values in the place of its symbols, where these are small enough to be
 * read.
 */
import type { Expression, FieldValue, TypedElement } from '@engine/document/types';
import type { FieldDefinition } from '@engine/model/definition';
import { formatNumber } from '../components/numbers';

/** Largest side of a matrix that is written out. */
const MOST_SIDE = 4;
/** Longest expression that is written out. */
const MOST_LETTERS = 24;
const DIGITS = 5;

function numberLatex(value: number): string {
  const [mantissa = '', exponent] = formatNumber(value, DIGITS).split('e');
  return exponent === undefined ? mantissa : `${mantissa} \\cdot 10^{${exponent}}`;
}

/** An expression as it is typed, names upright enough to be read as one. */
function expressionLatex(value: Expression): string {
  if (typeof value === 'number') return numberLatex(value);
  return value
    .replace(/[\\{}$&#%^~_]/g, (letter) => (letter === '^' ? '\u0001' : letter === '_' ? '\u0002' : ''))
    .replace(/[\p{L}][\p{L}\p{N}\u0002]*/gu, (name) =>
      name === 'pi' ? '\\pi ' : name.length === 1 ? name : `\\mathrm{${name}}`,
    )
    .replace(/\*/g, ' \\, ')
    .replaceAll('\u0001', '\\,\\hat{}\\,')
    .replaceAll('\u0002', '\\_');
}

const isScalar = (value: unknown): value is Expression =>
  typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= MOST_LETTERS);

const isList = (value: unknown): value is Expression[] =>
  Array.isArray(value) && value.length > 0 && value.length <= MOST_SIDE && value.every(isScalar);

function matrixLatex(rows: readonly (readonly Expression[])[]): string {
  const lines = rows.map((row) => row.map(expressionLatex).join(' & '));
  return `\\begin{bmatrix} ${lines.join(' \\\\ ')} \\end{bmatrix}`;
}

function scalarLatex(value: Expression): string {
  const latex = expressionLatex(value);
  const isSum = typeof value === 'number' ? value < 0 : /[-+?:<>/]/.test(value);
  return isSum ? `\\left(${latex}\\right)` : latex;
}

/** The value of a field in LaTeX; null where it is none that could be written out. */
export function valueLatex(value: FieldValue | undefined): string | null {
  if (isScalar(value)) return scalarLatex(value);
  const list: unknown = value;
  if (isList(list))
    return list.length === 1 ? scalarLatex(list[0] ?? 0) : matrixLatex(list.map((entry) => [entry]));
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_SIDE || !list.every(isList))
    return null;
  const rows = list;
  return rows.length === 1 && rows[0]?.length === 1 ? scalarLatex(rows[0][0] ?? 0) : matrixLatex(rows);
}

const TOKEN = /\\[a-zA-Z]+|\\.|\s+|[^]/gu;
const tokensOf = (latex: string): string[] => latex.match(TOKEN) ?? [];
const isBlank = (token: string | undefined): boolean => token !== undefined && token.trim() === '';

interface Substitution {
  symbol: string[];
  latex: string;
  /** a symbol that is also the name of a function */
  isOften?: boolean;
}

/** A symbol that is no field of the element, such as the step `h`. */
export interface EquationQuantity {
  symbol: string;
  value: Expression;
}

/** End of the arguments that open at a place: `(t, q)`; the place itself where there are none. */
function afterArguments(tokens: readonly string[], place: number): number {
  if (tokens[place] !== '(') return place;
  let depth = 0;
  for (let k = place; k < tokens.length; k++) {
    if (tokens[k] === '(') depth++;
    else if (tokens[k] === ')' && --depth === 0) return k + 1;
  }
  return place;
}

function substitute(equation: string, substitutions: readonly Substitution[]): string {
  const tokens = tokensOf(equation);
  let written = '';
  let isValueBefore = false;
  for (let place = 0; place < tokens.length;) {
    const before = tokens.slice(0, place).findLast((token) => !isBlank(token));
    const found = substitutions.find(
      ({ symbol, isOften }) =>
        !(isOften === true && ['(', '\\!', '\\left'].includes(tokens[place + symbol.length] ?? '')) &&
        symbol.every((token, k) => tokens[place + k] === token) &&
        tokens[place + symbol.length] !== '_' &&
        before !== '_' &&
        before !== '^' &&
        // A derivative of a symbol is another quantity.
        !['\\dot', '\\ddot', '\\nabla', '\\partial', '\\mathsf', '\\hat'].includes(before ?? ''),
    );
    if (found === undefined) {
      const token = tokens[place] ?? '';
      if (!isBlank(token) && token !== '\\,') isValueBefore = false;
      written += token;
      place++;
      continue;
    }
    // Names of several letters would run into the symbol that follows.
    const space = found.latex.endsWith('}') && found.latex.includes('\\mathrm') ? '\\,' : '';
    written += `${isValueBefore ? ' \\cdot ' : ''}{${found.latex}}${space}`;
    isValueBefore = true;
    place = afterArguments(tokens, place + found.symbol.length);
  }
  return written;
}

/** Equations of a definition with the values of an element, and further quantities, in them. */
export function equationsWithValues(
  equations: readonly string[],
  fields: readonly FieldDefinition[],
  element: TypedElement,
  quantities: readonly EquationQuantity[] = [],
): string[] {
  const substitutions = fields.flatMap((field): Substitution[] => {
    const isQuantity =
      field.symbol !== '' &&
      !['integer', 'text', 'choice', 'elements', 'element', 'function'].includes(field.kind);
    const latex = isQuantity ? valueLatex(element[field.key]) : null;
    return latex === null ? [] : [{ symbol: tokensOf(field.symbol.replace(/\(.*\)$/, '')), latex }];
  });
  for (const { symbol, value } of quantities) {
    const latex = valueLatex(value);
    if (latex !== null) substitutions.push({ symbol: tokensOf(symbol), latex, isOften: true });
  }
  // Longer symbols first: `q_0` is not `q` with an index.
  substitutions.sort((a, b) => b.symbol.length - a.symbol.length);
  return substitutions.length === 0
    ? [...equations]
    : equations.map((equation) => substitute(equation, substitutions));
}
