/**
 * What expressions are made of: constants, functions and operators, each with its meaning, and the operations
 * that they are computed by. The reference page is written from these tables.
 */

interface Constant {
  readonly value: number;
  readonly meaning: string;
}

// Euler's number is left out: `e` is what the field calls a coefficient of restitution; `exp(1)` gives it.
export const CONSTANTS: Readonly<Record<string, Constant>> = {
  pi: { value: Math.PI, meaning: 'half a turn, rad' },
  tau: { value: 2 * Math.PI, meaning: 'a full turn, rad' },
};

/** What a function gives, in words of its arguments, and what computes it. */
type Unary = readonly [meaning: string, of: (x: number) => number];
type Binary = readonly [meaning: string, of: (x: number, y: number) => number];

const UNARY = {
  abs: ['absolute value of x', Math.abs],
  sqrt: ['square root of x; NaN where x is negative', Math.sqrt],
  cbrt: ['cube root of x, also of a negative one', Math.cbrt],
  exp: ['Euler’s number to the power x', Math.exp],
  log: ['natural logarithm of x; NaN where x is negative', Math.log],
  log10: ['logarithm of x to base 10', Math.log10],
  log2: ['logarithm of x to base 2', Math.log2],
  sin: ['sine of x, rad', Math.sin],
  cos: ['cosine of x, rad', Math.cos],
  tan: ['tangent of x, rad', Math.tan],
  asin: ['arcsine of x, from −π/2 to π/2 rad; NaN beyond ±1', Math.asin],
  acos: ['arccosine of x, from 0 to π rad; NaN beyond ±1', Math.acos],
  atan: ['arctangent of x, between −π/2 and π/2 rad', Math.atan],
  sinh: ['hyperbolic sine of x', Math.sinh],
  cosh: ['hyperbolic cosine of x', Math.cosh],
  tanh: ['hyperbolic tangent of x', Math.tanh],
  floor: ['largest whole number not above x', Math.floor],
  ceil: ['smallest whole number not below x', Math.ceil],
  round: ['whole number next to x; halves go up', Math.round],
  sign: ['−1, 0 or 1: the sign of x', Math.sign],
} as const satisfies Record<string, Unary>;

/** Names of both arguments where they are not x and y. */
const BINARY_ARGUMENTS: Readonly<Record<string, string>> = { atan2: 'y, x' };
const BINARY = {
  atan2: ['angle from the x axis to the point (x, y), from −π to π rad', Math.atan2],
  min: ['the smaller of x and y', Math.min],
  max: ['the larger of x and y', Math.max],
  pow: ['x to the power y, as x^y', Math.pow],
  hypot: ['square root of x² + y²', Math.hypot],
} as const satisfies Record<string, Binary>;

interface Shape {
  readonly arguments: string;
  /** how many of the last arguments may be left out, with their values */
  readonly defaults?: readonly string[];
  readonly meaning: string;
  /** what it stands for, in the language itself */
  readonly of: string;
}

/** Part of the period that has passed. */
const PASSED = '((t/period + phase) mod 1)';

/** Courses of time: each is written out before anything else reads the expression. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  step: { arguments: 't, at', meaning: '0 before the time at, 1 from it on', of: 't >= at ? 1 : 0' },
  ramp: {
    arguments: 't, from, to',
    meaning: '0 up to the time from, 1 from the time to on, straight between them',
    of: 't <= from ? 0 : (t >= to ? 1 : (t - from)/(to - from))',
  },
  pulse: {
    arguments: 't, from, to, height',
    defaults: ['1'],
    meaning: 'height from the time from until the time to, else 0; of height 1 where it is left out',
    of: 't >= from ? (t < to ? height : 0) : 0',
  },
  square: {
    arguments: 't, period, duty, phase',
    defaults: ['0.5', '0'],
    meaning: '1 in the first part duty of each period, else 0; half of it where duty is left out',
    of: `${PASSED} < duty ? 1 : 0`,
  },
  sawtooth: {
    arguments: 't, period, phase',
    defaults: ['0'],
    meaning: 'rises from 0 to 1 in each period, and falls back at its end',
    of: PASSED,
  },
  triangle: {
    arguments: 't, period, phase',
    defaults: ['0'],
    meaning: 'rises from 0 to 1 in the first half of each period, and falls to 0 in the second',
    of: `1 - abs(2*${PASSED} - 1)`,
  },
};

/** A function an expression may call. */
export interface ExpressionFunction {
  readonly name: string;
  /** as they stand in the call, such as `y, x` */
  readonly arguments: string;
  /** how many of them must be given, where the last may be left out */
  readonly least?: number;
  /** what it gives */
  readonly meaning: string;
}

export const EXPRESSION_FUNCTIONS: readonly ExpressionFunction[] = [
  ...Object.entries(UNARY).map(([name, [meaning]]) => ({ name, arguments: 'x', meaning })),
  ...Object.entries(BINARY).map(([name, [meaning]]) => ({
    name,
    arguments: BINARY_ARGUMENTS[name] ?? 'x, y',
    meaning,
  })),
  ...Object.entries(SHAPES).map(([name, { arguments: listed, defaults = [], meaning }]) => ({
    name,
    arguments: listed,
    least: listed.split(', ').length - defaults.length,
    meaning,
  })),
  {
    name: 'table',
    arguments: 'name, t',
    meaning: 'value at t of the table of that name, straight from point to point',
  },
  { name: 'slope', arguments: 'name, t', meaning: 'slope of the table of that name behind t' },
];
export const EXPRESSION_CONSTANTS: readonly (Constant & { readonly name: string })[] = Object.entries(
  CONSTANTS,
).map(([name, constant]) => ({ name, ...constant }));

export const UNARY_NAMES = Object.keys(UNARY);
export const BINARY_NAMES = Object.keys(BINARY);
export const unaryFunctions: readonly Unary[1][] = Object.values(UNARY).map(([, of]) => of);
export const binaryFunctions: readonly Binary[1][] = Object.values(BINARY).map(([, of]) => of);

// Opcodes. Loads push one value; the others replace their operands by their result.
export const LOAD_CONSTANT = 0;
export const LOAD_SLOT = 1;
export const NEGATE = 2;
export const ADD = 3;
export const SUBTRACT = 4;
export const MULTIPLY = 5;
export const DIVIDE = 6;
export const POWER = 7;
export const MODULO = 8;
export const CALL_UNARY = 9;
export const CALL_BINARY = 10;
export const LESS = 11;
export const LESS_EQUAL = 12;
export const LARGER = 13;
export const LARGER_EQUAL = 14;
/** pops otherwise, then, condition; pushes then where the condition is not 0 */
export const SELECT = 15;
/** of one operand; the argument is the place among the tables of the program */
export const TABLE = 16;
export const SLOPE = 17;

const UNARY_CODES: ReadonlySet<number> = new Set([NEGATE, CALL_UNARY, TABLE, SLOPE]);

/** How many operands an operation replaces by its result. */
export const operandsOf = (opcode: number): number =>
  UNARY_CODES.has(opcode) ? 1 : opcode === SELECT ? 3 : 2;

/** How an operator is written, and what it gives. */
export interface ExpressionOperator {
  readonly written: string;
  readonly meaning: string;
  /** an expression that shows its order among the others */
  readonly example: string;
}

/** Those of two operands by their names in mathjs, in the order in which they bind. */
export const OPERATORS: Readonly<Record<string, ExpressionOperator & { readonly opcode: number }>> = {
  pow: { opcode: POWER, written: 'a^b', meaning: 'power; from right to left', example: '2^3^2' },
  multiply: {
    opcode: MULTIPLY,
    written: 'a*b',
    meaning: 'product; the sign may be left out between a number and a name',
    example: '2 pi',
  },
  divide: { opcode: DIVIDE, written: 'a/b', meaning: 'quotient; from left to right', example: '8/4/2' },
  mod: {
    opcode: MODULO,
    written: 'a mod b',
    meaning: 'remainder with the sign of b, so that angles wrap to one turn; also a % b',
    example: '-1 mod 3',
  },
  add: { opcode: ADD, written: 'a + b', meaning: 'sum', example: '1 + 2*3' },
  subtract: {
    opcode: SUBTRACT,
    written: 'a - b',
    meaning: 'difference; from left to right',
    example: '7 - 4 - 2',
  },
  smaller: { opcode: LESS, written: 'a < b', meaning: '1 where a is smaller, else 0', example: '1 + 1 < 3' },
  smallerEq: {
    opcode: LESS_EQUAL,
    written: 'a <= b',
    meaning: '1 where a is not larger, else 0',
    example: '2 <= 1',
  },
  larger: { opcode: LARGER, written: 'a > b', meaning: '1 where a is larger, else 0', example: '2 > 1' },
  largerEq: {
    opcode: LARGER_EQUAL,
    written: 'a >= b',
    meaning: '1 where a is not smaller, else 0',
    example: '1 >= 2',
  },
};

/** Computed numbers are seldom equal, so that there is no operator that compares for it. */
export const OPERATOR_REMEDY = 'Operators are + - * / ^ mod, and <, <=, > and >= in “condition ? a : b”.';

const SIGNS: ExpressionOperator = {
  written: '-a, +a',
  meaning: 'sign; a power binds more tightly',
  example: '-2^2',
};
const CHOICE: ExpressionOperator = {
  written: 'a ? b : c',
  meaning: 'b where a is not 0, else c',
  example: '1 < 2 ? 10 : 20',
};

const { pow, ...behindPower } = OPERATORS;

/** All operators; the first binds most tightly. */
export const EXPRESSION_OPERATORS: readonly ExpressionOperator[] = [
  pow,
  SIGNS,
  ...Object.values(behindPower),
  CHOICE,
];
