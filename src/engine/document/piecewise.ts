/**
 * Expressions of the time that are affine between breaks, as gates of converters are: remainders, smaller and
 * larger values, comparisons, whole parts and tables of what is affine itself, and products with what goes by
 * steps.
 * On each piece such an expression is c + s t with a time at which the piece ends at the latest, all of which
 * follow from the operations, so that no change of sign is missed however far it is ahead. The numbers of a
 * piece do not depend on where the
 * search for it began.
 */
import type { PieceOfTime } from '../model/piece-forms';
import type { TimedSign } from '../model/timed-sign';
import {
  ADD,
  BINARY_NAMES,
  CALL_BINARY,
  CALL_UNARY,
  DIVIDE,
  LARGER,
  LARGER_EQUAL,
  LESS,
  LESS_EQUAL,
  LOAD_CONSTANT,
  LOAD_SLOT,
  MODULO,
  MULTIPLY,
  NEGATE,
  SELECT,
  SLOPE,
  SUBTRACT,
  TABLE,
  UNARY_NAMES,
  binaryFunctions,
  operandsOf,
  unaryFunctions,
} from './expression-language';
import type { ExpressionProgram } from './expressions';
import { pieceAt, type Table } from './tables';

/** What cancels in a value leaves this part of it, and counts as zero. */
const ROUNDING = 16 * Number.EPSILON;
/** Places of START and END in a span (`smooth/step-method.ts`). */
const START = 0;
const END = 3;

const NAMES = { min: 0, max: 0, abs: 0, floor: 0, ceil: 0, round: 0, sign: 0 };
const isOf = (names: readonly string[], index: number, ...wanted: (keyof typeof NAMES)[]): boolean =>
  wanted.some((name) => names[index] === name);

/** How something varies: not, by steps, affinely between breaks, or in another way. */
const NOT = 0;
const STEPS = 1;
const AFFINE = 2;
const OTHERWISE = 3;

/** How the result of an operation varies, of operands that vary as said. */
function variationOf(opcode: number, argument: number, operands: readonly number[]): number {
  const most = Math.max(...operands);
  if (most === NOT) return NOT;
  switch (opcode) {
    case ADD:
    case SUBTRACT:
    case NEGATE:
    case SELECT:
    case TABLE:
      return most;
    case SLOPE:
    case LESS:
    case LESS_EQUAL:
    case LARGER:
    case LARGER_EQUAL:
      return STEPS;
    case MULTIPLY:
      return Math.min(...operands) <= STEPS ? most : OTHERWISE;
    case DIVIDE:
    case MODULO:
      return operands[1] === NOT ? most : OTHERWISE;
    case CALL_BINARY:
      return isOf(BINARY_NAMES, argument, 'min', 'max') ? most : OTHERWISE;
    case CALL_UNARY:
      if (isOf(UNARY_NAMES, argument, 'floor', 'ceil', 'round', 'sign')) return STEPS;
      return isOf(UNARY_NAMES, argument, 'abs') ? most : OTHERWISE;
    default:
      return OTHERWISE;
  }
}

/** Whether a compiled expression is affine in one of its slots between breaks, by its operations. */
function isPiecewiseAffine({ code }: ExpressionProgram, slot: number): boolean {
  const stack: number[] = [];
  for (let i = 0; i < code.length; i += 2) {
    const opcode = code[i];
    if (opcode === LOAD_CONSTANT) stack.push(NOT);
    else if (opcode === LOAD_SLOT) stack.push(code[i + 1] === slot ? AFFINE : NOT);
    else {
      const operands = stack.splice(stack.length - operandsOf(opcode));
      const variation = variationOf(opcode, code[i + 1], operands);
      if (variation === OTHERWISE) return false;
      stack.push(variation);
    }
  }
  return true;
}

/**
 * @param values of the slots, all but that of the time
 * @returns null where it is not affine between breaks, by its operations
 */
export const timedSign = (
  program: ExpressionProgram,
  values: Float64Array,
  slot: number,
): PiecewiseAffine | null =>
  isPiecewiseAffine(program, slot) ? new PiecewiseAffine(program, values, slot) : null;

class PiecewiseAffine implements TimedSign, PieceOfTime {
  /** c, s and magnitude of what cancels, by place of the stack */
  readonly #constants: Float64Array;
  readonly #slopes: Float64Array;
  readonly #sizes: Float64Array;
  /** [0] time just behind which the piece is asked for, [1] where it ends at the latest */
  readonly #piece = new Float64Array(2);

  constructor(
    private readonly program: ExpressionProgram,
    private readonly values: Float64Array,
    private readonly slot: number,
  ) {
    const { length } = program.stack;
    this.#constants = new Float64Array(length);
    this.#slopes = new Float64Array(length);
    this.#sizes = new Float64Array(length);
  }

  pieceAt(time: number, out: Float64Array): void {
    this.#piece[0] = time;
    this.#read();
    out[0] = this.#constants[0];
    out[1] = this.#slopes[0];
    out[2] = this.#piece[1];
  }

  change(side: number, span: Float64Array, out: Float64Array): void {
    const piece = this.#piece;
    piece[0] = span[START];
    out[0] = Infinity;
    out[1] = 0;
    while (piece[0] <= span[END]) {
      this.#read();
      const [constant, slope] = [this.#constants[0], this.#slopes[0]];
      const value = constant + slope * piece[0];
      const isZero = Math.abs(value) <= ROUNDING * this.#sizes[0];
      if ((isZero ? slope : value) * side < 0) {
        out[0] = piece[0];
        out[1] = isZero ? 0 : 1;
        return;
      }
      if (slope * side < 0) {
        const zero = -constant / slope;
        // One that is at the break to rounding is what the next piece makes of it.
        const width = (ROUNDING * this.#sizes[0]) / Math.abs(slope);
        if (zero < piece[1] - width && zero > piece[0]) {
          if (zero <= span[END]) out[0] = zero;
          return;
        }
      }
      piece[0] = piece[1];
    }
  }

  /** The piece just behind a time, into the bottom of the stack. */
  #read(): void {
    const { values, slot } = this;
    const { code, constants } = this.program;
    const [c, s, sizes] = [this.#constants, this.#slopes, this.#sizes];
    const t = this.#piece[0];
    this.#piece[1] = Infinity;
    let top = -1;
    for (let i = 0; i < code.length; i += 2) {
      const opcode = code[i];
      const argument = code[i + 1];
      if (opcode === LOAD_CONSTANT || opcode === LOAD_SLOT) {
        const isTime = opcode === LOAD_SLOT && argument === slot;
        top++;
        c[top] = isTime ? 0 : opcode === LOAD_SLOT ? values[argument] : constants[argument];
        s[top] = isTime ? 1 : 0;
        sizes[top] = isTime ? Math.abs(t) : Math.abs(c[top]);
        continue;
      }
      top -= operandsOf(opcode) - 1;
      this.#operate(opcode, argument, top);
    }
  }

  /** @param at place of the first operand, which the result replaces */
  #operate(opcode: number, argument: number, at: number): void {
    const [c, s, sizes] = [this.#constants, this.#slopes, this.#sizes];
    const b = at + 1;
    switch (opcode) {
      case NEGATE:
        c[at] = -c[at];
        s[at] = -s[at];
        return;
      case ADD:
      case SUBTRACT: {
        const sign = opcode === ADD ? 1 : -1;
        c[at] += sign * c[b];
        s[at] += sign * s[b];
        sizes[at] += sizes[b];
        return;
      }
      case MULTIPLY:
        s[at] = s[at] * c[b] + c[at] * s[b];
        c[at] *= c[b];
        sizes[at] *= sizes[b];
        return;
      case DIVIDE:
        s[at] /= c[b];
        c[at] /= c[b];
        sizes[at] /= Math.abs(c[b]);
        return;
      case MODULO: {
        const divisor = c[b];
        const whole = this.#whole(c[at] / divisor, s[at] / divisor, sizes[at] / Math.abs(divisor));
        c[at] -= divisor * whole;
        return;
      }
      case CALL_BINARY:
        if (isOf(BINARY_NAMES, argument, 'min', 'max')) {
          const sign = this.#sign(c[at] - c[b], s[at] - s[b], sizes[at] + sizes[b]);
          if (isOf(BINARY_NAMES, argument, 'min') ? sign > 0 : sign < 0) this.#take(b, at);
        } else this.#constant(at, binaryFunctions[argument](c[at], c[b]));
        return;
      case CALL_UNARY:
        this.#call(argument, at);
        return;
      case SELECT:
        this.#take(c[at] !== 0 ? b : b + 1, at);
        return;
      case TABLE:
      case SLOPE:
        this.#readTable((this.program.tables ?? [])[argument], opcode === SLOPE, at);
        return;
      case LESS:
      case LARGER_EQUAL: {
        const isLess = this.#sign(c[at] - c[b], s[at] - s[b], sizes[at] + sizes[b]) < 0;
        this.#constant(at, isLess === (opcode === LESS) ? 1 : 0);
        return;
      }
      case LARGER:
      case LESS_EQUAL: {
        const isLarger = this.#sign(c[at] - c[b], s[at] - s[b], sizes[at] + sizes[b]) > 0;
        this.#constant(at, isLarger === (opcode === LARGER) ? 1 : 0);
        return;
      }
      default:
        // A power of what does not vary.
        this.#constant(at, Math.pow(c[at], c[b]));
    }
  }

  #call(argument: number, at: number): void {
    const [c, s, sizes] = [this.#constants, this.#slopes, this.#sizes];
    switch (UNARY_NAMES[argument]) {
      case 'abs':
        if (this.#sign(c[at], s[at], sizes[at]) >= 0) return;
        c[at] = -c[at];
        s[at] = -s[at];
        return;
      case 'sign':
        this.#constant(at, this.#sign(c[at], s[at], sizes[at]));
        return;
      case 'floor':
        this.#constant(at, this.#whole(c[at], s[at], sizes[at]));
        return;
      case 'ceil':
        this.#constant(at, -this.#whole(-c[at], -s[at], sizes[at]));
        return;
      case 'round':
        this.#constant(at, this.#whole(c[at] + 0.5, s[at], sizes[at] + 0.5));
        return;
      default:
        this.#constant(at, unaryFunctions[argument](c[at]));
    }
  }

  /** The piece of a table that holds just behind the present, which ends at the next point. */
  #readTable(table: Table, isSlope: boolean, at: number): void {
    const { x, y, period } = table;
    const [c, s, sizes] = [this.#constants, this.#slopes, this.#sizes];
    if (period > 0)
      c[at] -= period * this.#whole((c[at] - x[0]) / period, s[at] / period, sizes[at] / period);
    const value = c[at] + s[at] * this.#piece[0];
    const last = x.length - 1;
    const isAt = (k: number): boolean =>
      k >= 0 && k <= last && Math.abs(x[k] - value) <= ROUNDING * (sizes[at] + Math.abs(x[k]));
    let k = pieceAt(table, value);
    if (s[at] >= 0) while (isAt(k + 1)) k++;
    else while (isAt(k)) k--;
    if (s[at] > 0 && k < last) this.#endAt((x[k + 1] - c[at]) / s[at]);
    if (s[at] < 0 && k >= 0) this.#endAt((x[k] - c[at]) / s[at]);
    if (k < 0 || k === last) {
      this.#constant(at, isSlope ? 0 : y[Math.max(k, 0)]);
      return;
    }
    const slope = (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
    if (isSlope) {
      this.#constant(at, slope);
      return;
    }
    sizes[at] = Math.abs(y[k]) + Math.abs(y[k + 1]) + Math.abs(slope) * sizes[at];
    c[at] = y[k] + slope * (c[at] - x[k]);
    s[at] *= slope;
  }

  #constant(at: number, value: number): void {
    this.#constants[at] = value;
    this.#slopes[at] = 0;
    this.#sizes[at] = Math.abs(value);
  }

  #take(from: number, at: number): void {
    this.#constants[at] = this.#constants[from];
    this.#slopes[at] = this.#slopes[from];
    this.#sizes[at] = this.#sizes[from];
  }

  #endAt(time: number): void {
    if (time > this.#piece[0] && time < this.#piece[1]) this.#piece[1] = time;
  }

  /** Sign of constant + slope t just behind the present, and the piece ends where it changes. */
  #sign(constant: number, slope: number, size: number): number {
    // What does not vary is what its operations give.
    if (slope === 0) return Math.sign(constant);
    const value = constant + slope * this.#piece[0];
    if (Math.abs(value) <= ROUNDING * size) return Math.sign(slope);
    this.#endAt(-constant / slope);
    return Math.sign(value);
  }

  /** The whole part of constant + slope t just behind the present, and the piece ends where that changes. */
  #whole(constant: number, slope: number, size: number): number {
    if (slope === 0) return Math.floor(constant);
    const value = constant + slope * this.#piece[0];
    const next = Math.round(value);
    const isWhole = Math.abs(value - next) <= ROUNDING * (size + 1);
    const whole = isWhole ? (slope < 0 ? next - 1 : next) : Math.floor(value);
    this.#endAt(((slope > 0 ? whole + 1 : whole) - constant) / slope);
    return whole;
  }
}
