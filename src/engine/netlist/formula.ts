/** Formulas of netlists: what stands in braces or quotes, and behind the = of a behavioural source. */
import { NetlistError, type Place } from './source';

export type Formula = { readonly depth: number } & (
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string; readonly place: Place }
  /** voltage of a node or between two, current of an element */
  | {
      readonly kind: 'probe';
      readonly of: 'v' | 'i';
      readonly names: readonly string[];
      readonly place: Place;
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Formula[]; readonly place: Place }
  | { readonly kind: 'unary'; readonly op: '-' | '!'; readonly a: Formula }
  | { readonly kind: 'binary'; readonly op: BinaryOperator; readonly a: Formula; readonly b: Formula }
  | { readonly kind: 'choice'; readonly c: Formula; readonly a: Formula; readonly b: Formula }
);

export type BinaryOperator =
  '+' | '-' | '*' | '/' | '%' | '^' | '<' | '<=' | '>' | '>=' | '==' | '!=' | '&&' | '||';

type Kind<K extends Formula['kind']> = Extract<Formula, { kind: K }>;

const above = (...parts: readonly Formula[]): number => 1 + Math.max(0, ...parts.map(({ depth }) => depth));

export const number = (value: number): Kind<'number'> => ({ kind: 'number', value, depth: 1 });
export const name = (text: string, place: Place): Kind<'name'> => ({
  kind: 'name',
  name: text.toLowerCase(),
  place,
  depth: 1,
});
export const probe = (of: 'v' | 'i', names: readonly string[], place: Place): Kind<'probe'> => ({
  kind: 'probe',
  of,
  names: names.map((one) => one.toLowerCase()),
  place,
  depth: 1,
});
export const call = (called: string, args: readonly Formula[], place: Place): Kind<'call'> => ({
  kind: 'call',
  name: called.toLowerCase(),
  args,
  place,
  depth: above(...args),
});
export const unary = (op: '-' | '!', a: Formula): Formula =>
  op === '-' && a.kind === 'number' ? number(-a.value) : { kind: 'unary', op, a, depth: above(a) };
export function binary(op: BinaryOperator, a: Formula, b: Formula): Formula {
  if (a.kind === 'number' && b.kind === 'number') return number(apply(op, a.value, b.value));
  const [left, right] = [isNumber(a, NEUTRAL[op]), isNumber(b, NEUTRAL[op])];
  if (right) return a;
  if (left && (op === '+' || op === '*')) return b;
  return { kind: 'binary', op, a, b, depth: above(a, b) };
}

/** What changes nothing on the right of an operator. */
const NEUTRAL: Readonly<Partial<Record<BinaryOperator, number>>> = { '+': 0, '-': 0, '*': 1, '/': 1 };
const isNumber = (formula: Formula, value: number | undefined): boolean =>
  formula.kind === 'number' && formula.value === value;
export const choice = (c: Formula, a: Formula, b: Formula): Formula => ({
  kind: 'choice',
  c,
  a,
  b,
  depth: above(c, a, b),
});

/** What a formula of SPICE computes of two numbers. */
function apply(op: BinaryOperator, a: number, b: number): number {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a - b * Math.floor(a / b);
    case '^':
      return a ** b;
    case '<':
      return Number(a < b);
    case '<=':
      return Number(a <= b);
    case '>':
      return Number(a > b);
    case '>=':
      return Number(a >= b);
    case '==':
      return Number(a === b);
    case '!=':
      return Number(a !== b);
    case '&&':
      return Number(a !== 0 && b !== 0);
    case '||':
      return Number(a !== 0 || b !== 0);
  }
}

/** Parts from which a formula is composed. */
function partsOf(formula: Formula): readonly Formula[] {
  switch (formula.kind) {
    case 'call':
      return formula.args;
    case 'unary':
      return [formula.a];
    case 'binary':
      return [formula.a, formula.b];
    case 'choice':
      return [formula.c, formula.a, formula.b];
    default:
      return [];
  }
}

/** Whether a part of it is such. */
export const has = (formula: Formula, isSuch: (part: Formula) => boolean): boolean =>
  isSuch(formula) || partsOf(formula).some((part) => has(part, isSuch));

/** The formula with its leaves and calls replaced; numbers are folded. */
export function replace(formula: Formula, leaf: (part: Formula) => Formula): Formula {
  switch (formula.kind) {
    case 'call':
      return leaf(
        call(
          formula.name,
          formula.args.map((part) => replace(part, leaf)),
          formula.place,
        ),
      );
    case 'unary':
      return unary(formula.op, replace(formula.a, leaf));
    case 'binary':
      return binary(formula.op, replace(formula.a, leaf), replace(formula.b, leaf));
    case 'choice':
      return choice(replace(formula.c, leaf), replace(formula.a, leaf), replace(formula.b, leaf));
    default:
      return leaf(formula);
  }
}

/** Arguments of a call, after their number has been checked. */
function expect(formula: Kind<'call'>, least: number, most = least): readonly Formula[] {
  const { args, place } = formula;
  if (args.length >= least && args.length <= most) return args;
  throw new NetlistError(
    'netlist-arguments',
    `“${formula.name}” takes ${least === most ? least : `${least} or more`} arguments, not ${args.length}.`,
    'Correct its arguments.',
    place,
  );
}

const SAME: ReadonlySet<string> = new Set(
  ...[['abs', 'sqrt', 'exp', 'log10', 'log2', 'sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh', 'floor', 'ceil']],
);
const RENAMED: Readonly<Record<string, string>> = {
  ln: 'log',
  log: 'log',
  asin: 'asin',
  acos: 'acos',
  atan: 'atan',
  arcsin: 'asin',
  arccos: 'acos',
  arctan: 'atan',
  sgn: 'sign',
  nint: 'round',
  round: 'round',
  cbrt: 'cbrt',
};

/** Functions that are others of the language of expressions, put together. */
const WRITTEN: Readonly<Record<string, (f: Kind<'call'>, text: (part: Formula) => string) => string>> = {
  int: (f, text) => {
    const [x] = expect(f, 1).map(text);
    return `(sign(${x})*floor(abs(${x})))`;
  },
  u: (f, text) => `(${text(expect(f, 1)[0])} > 0 ? 1 : 0)`,
  stp: (f, text) => `(${text(expect(f, 1)[0])} > 0 ? 1 : 0)`,
  uramp: (f, text) => `max(${text(expect(f, 1)[0])}, 0)`,
  buf: (f, text) => `(${text(expect(f, 1)[0])} > 0.5 ? 1 : 0)`,
  inv: (f, text) => `(${text(expect(f, 1)[0])} > 0.5 ? 0 : 1)`,
  atan2: (f, text) => `atan2(${expect(f, 2).map(text).join(', ')})`,
  hypot: (f, text) => `hypot(${expect(f, 2).map(text).join(', ')})`,
  pow: (f, text) => `pow(${expect(f, 2).map(text).join(', ')})`,
  pwr: (f, text) => {
    const [x, y] = expect(f, 2).map(text);
    return `(sign(${x})*pow(abs(${x}), ${y}))`;
  },
  min: (f, text) => nested('min', expect(f, 2, 64).map(text)),
  max: (f, text) => nested('max', expect(f, 2, 64).map(text)),
  limit: (f, text) => {
    const [x, a, b] = expect(f, 3).map(text);
    return `max(min(${a}, ${b}), min(max(${a}, ${b}), ${x}))`;
  },
  if: (f, text) => ternary(expect(f, 3).map(text)),
  ternary_fcn: (f, text) => ternary(expect(f, 3).map(text)),
};

const nested = (called: string, [first, ...rest]: readonly string[]): string =>
  rest.length === 0 ? first : `${called}(${first}, ${nested(called, rest)})`;

const ternary = ([c, a, b]: readonly string[]): string => `(${c} ? ${a} : ${b})`;

/** Straight pieces between points, level before the first and behind the last; jumps where two agree. */
export function pieces(x: string, points: readonly (readonly [x: string, y: string])[]): string {
  // Piece k ends at point k, and the last does not end; one between two points at one place is a jump.
  const all = Array.from({ length: points.length + 1 }, (_, k) => k).filter(
    (k) => k === 0 || k === points.length || points[k - 1][0] !== points[k][0],
  );
  // Runs begin at zero: no piece comes before.
  const kept = x === 't' && Number(points[0][0]) === 0 ? all.slice(1) : all;
  const choose = (low: number, high: number): string => {
    if (low === high) return piece(x, points, kept[low]);
    const middle = (low + high) >> 1;
    return `(${x} < ${points[kept[middle]][0]} ? ${choose(low, middle)} : ${choose(middle + 1, high)})`;
  };
  return choose(0, kept.length - 1);
}

function piece(x: string, points: readonly (readonly [string, string])[], k: number): string {
  if (k === 0) return points[0][1];
  const [x0, y0] = points[k - 1];
  const [x1, y1] = points[Math.min(k, points.length - 1)];
  if (k === points.length || y0 === y1) return y0;
  const [dx, dy] = [Number(x1) - Number(x0), Number(y1) - Number(y0)];
  const slope = Number.isNaN(dx + dy) ? `(${y1} - ${y0})/(${x1} - ${x0})` : bracketed(dy / dx);
  const since = Number(x0) === 0 ? x : `(${x} - ${x0})`;
  return Number(y0) === 0 ? `${slope}*${since}` : `${y0} + ${slope}*${since}`;
}

const bracketed = (value: number): string => (value < 0 ? `(${value})` : String(value));

/** Names that are no parameters. */
const CONSTANTS: Readonly<Record<string, string>> = {
  time: 't',
  pi: 'pi',
  e: 'exp(1)',
  true: '1',
  false: '0',
};

/** Whether a name is one of the language and not of a parameter. */
export const isConstant = (text: string): boolean => Object.hasOwn(CONSTANTS, text);

/**
 * A formula as an expression of a document.
 * @param leaf text of a name of a parameter, and of a probe
 * @throws {NetlistError} for functions that are not known
 */
export function expressionOf(formula: Formula, leaf: (part: Kind<'name'> | Kind<'probe'>) => string): string {
  const text = (part: Formula): string => expressionOf(part, leaf);
  switch (formula.kind) {
    case 'number':
      return bracketed(formula.value);
    case 'name':
      return Object.hasOwn(CONSTANTS, formula.name) ? CONSTANTS[formula.name] : leaf(formula);
    case 'probe':
      return leaf(formula);
    case 'unary':
      return formula.op === '-' ? `(-${text(formula.a)})` : `(${text(formula.a)} ? 0 : 1)`;
    case 'choice':
      return ternary([formula.c, formula.a, formula.b].map(text));
    case 'binary':
      return binaryText(formula, text);
    case 'call':
      return callText(formula, text);
  }
}

function binaryText({ op, ...parts }: Kind<'binary'>, text: (part: Formula) => string): string {
  const [a, b] = [text(parts.a), text(parts.b)];
  if (op === '%') return `(${a} mod ${b})`;
  if (op === '==') return `(abs(${a} - ${b}) <= 0)`;
  if (op === '!=') return `(abs(${a} - ${b}) > 0)`;
  if (op === '&&') return `(${a} ? (${b} ? 1 : 0) : 0)`;
  if (op === '||') return `(${a} ? 1 : (${b} ? 1 : 0))`;
  return ['*', '/', '^'].includes(op) ? `(${a}${op}${b})` : `(${a} ${op} ${b})`;
}

function callText(formula: Kind<'call'>, text: (part: Formula) => string): string {
  const called = formula.name;
  if (SAME.has(called)) return `${called}(${text(expect(formula, 1)[0])})`;
  if (Object.hasOwn(RENAMED, called)) return `${RENAMED[called]}(${text(expect(formula, 1)[0])})`;
  if (Object.hasOwn(WRITTEN, called)) return WRITTEN[called](formula, text);
  if (called === 'pwl' || called === 'table') {
    const [x, ...values] = expect(formula, 3, 2000).map(text);
    const points = Array.from(
      { length: Math.floor(values.length / 2) },
      (_, k) => [values[2 * k], values[2 * k + 1]] as const,
    );
    return `(${pieces(x, points)})`;
  }
  throw new NetlistError(
    'netlist-function',
    `The function “${called}” is not known.`,
    'Write it by others, such as abs, sqrt, exp, ln, sin, min, max, limit, u, if or pwl.',
    formula.place,
  );
}

/** A sum of constants and multiples of probes. */
export interface LinearForm {
  /** what depends on no probe */
  readonly rest: Formula;
  readonly terms: readonly { readonly probe: Kind<'probe'>; readonly factor: Formula }[];
}

/** The formula as a sum of multiples of its probes; null where it is none. */
export function linearForm(formula: Formula): LinearForm | null {
  if (!has(formula, ({ kind }) => kind === 'probe')) return { rest: formula, terms: [] };
  if (formula.kind === 'probe') return { rest: number(0), terms: [{ probe: formula, factor: number(1) }] };
  if (formula.kind === 'unary' && formula.op === '-') return scaled(linearForm(formula.a), number(-1));
  if (formula.kind !== 'binary') return null;
  const [a, b] = [linearForm(formula.a), linearForm(formula.b)];
  if (a === null || b === null) return null;
  if (formula.op === '+' || formula.op === '-') {
    const second = formula.op === '+' ? b : scaled(b, number(-1));
    if (second === null) return null;
    return { rest: binary('+', a.rest, second.rest), terms: [...a.terms, ...second.terms] };
  }
  if (formula.op === '*' && b.terms.length === 0) return scaled(a, b.rest);
  if (formula.op === '*' && a.terms.length === 0) return scaled(b, a.rest);
  if (formula.op === '/' && b.terms.length === 0) return scaled(a, binary('/', number(1), b.rest));
  return null;
}

/** Its factors must be constants: sources that are controlled by what changes with time are none. */
function scaled(form: LinearForm | null, by: Formula): LinearForm | null {
  if (form === null) return null;
  if (form.terms.length > 0 && has(by, (part) => part.kind === 'name' && part.name === 'time')) return null;
  return {
    rest: binary('*', form.rest, by),
    terms: form.terms.map(({ probe: of, factor }) => ({ probe: of, factor: binary('*', factor, by) })),
  };
}

/** Value of a formula in which all parameters have theirs; NaN where it depends on more. */
export function valueOf(formula: Formula, lookUp: (parameter: string) => number): number {
  const of = (part: Formula): number => valueOf(part, lookUp);
  switch (formula.kind) {
    case 'number':
      return formula.value;
    case 'name':
      if (formula.name === 'pi') return Math.PI;
      if (formula.name === 'e') return Math.E;
      return formula.name === 'time' ? NaN : lookUp(formula.name);
    case 'unary':
      return formula.op === '-' ? -of(formula.a) : Number(of(formula.a) === 0);
    case 'binary':
      return apply(formula.op, of(formula.a), of(formula.b));
    case 'choice':
      return of(formula.c) !== 0 ? of(formula.a) : of(formula.b);
    default:
      return NaN;
  }
}
