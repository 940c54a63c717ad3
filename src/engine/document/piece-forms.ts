/** Compiled expressions as smaller and larger values of sums of states, sines and pieces of time. */
import { type PieceAtom, type PieceForms, type Wave, LARGER, SMALLER } from '../model/piece-forms';
import { affineForm } from './affine-form';
import {
  ADD,
  BINARY_NAMES,
  CALL_BINARY,
  CALL_UNARY,
  DIVIDE,
  LOAD_CONSTANT,
  LOAD_SLOT,
  MULTIPLY,
  NEGATE,
  SUBTRACT,
  UNARY_NAMES,
  operandsOf,
} from './expression-language';
import { evaluateExpression, type ExpressionProgram } from './expressions';
import { timedSign } from './piecewise';

/** Atoms of one condition beyond which it is left to the general search. */
const MOST_ATOMS = 16;

/**
 * What has neither states nor sines in it is a program of its own; `isConstant` where the time is not in it
 * either.
 */
interface Sum {
  readonly kind: 'sum';
  readonly code: readonly number[];
  /** factors by slot; of the k-th sine by −1 − k */
  readonly terms: ReadonlyMap<number, number>;
  readonly isConstant: boolean;
}

interface Choice {
  readonly kind: 'choice';
  readonly operation: typeof SMALLER | typeof LARGER;
  readonly of: readonly [Part, Part];
}

type Part = Sum | Choice;

const isStateless = (part: Part): part is Sum => part.kind === 'sum' && part.terms.size === 0;

const opposite = (operation: Choice['operation']): Choice['operation'] =>
  operation === SMALLER ? LARGER : SMALLER;

class Reader {
  /** sines of amplitude 1 */
  readonly waves: Wave[] = [];

  constructor(
    private readonly program: ExpressionProgram,
    private readonly values: Float64Array,
    /** slot of the time; −1 where there is none */
    private readonly time: number,
    private readonly isState: (slot: number) => boolean,
  ) {}

  /** Null where some operation is none of a sum or a choice. */
  read(): Part | null {
    const { code } = this.program;
    const stack: Part[] = [];
    for (let i = 0; i < code.length; i += 2) {
      const [opcode, argument] = [code[i], code[i + 1]];
      const operands = this.#isLoad(opcode) ? [] : stack.splice(stack.length - operandsOf(opcode));
      const part = this.#isLoad(opcode)
        ? this.#load(opcode, argument)
        : operands.every(isStateless)
          ? this.#joined(opcode, argument, operands)
          : this.#combined(opcode, argument, operands);
      if (part === null) return null;
      stack.push(part);
    }
    return stack[0];
  }

  #isLoad(opcode: number): boolean {
    return opcode === LOAD_CONSTANT || opcode === LOAD_SLOT;
  }

  #load(opcode: number, argument: number): Sum {
    if (opcode === LOAD_SLOT && this.isState(argument))
      return { kind: 'sum', code: [], terms: new Map([[argument, 1]]), isConstant: true };
    const isConstant = opcode === LOAD_CONSTANT || argument !== this.time;
    return { kind: 'sum', code: [opcode, argument], terms: new Map(), isConstant };
  }

  #joined(opcode: number, argument: number, operands: readonly Sum[]): Sum {
    const isConstant = operands.every((operand) => operand.isConstant);
    if (!isConstant && opcode === CALL_UNARY) {
      const wave = this.#wave(UNARY_NAMES[argument], operands[0]);
      if (wave !== null)
        return { kind: 'sum', code: [], terms: new Map([[-this.waves.push(wave), 1]]), isConstant: true };
    }
    const code = [...operands.flatMap((operand) => operand.code), opcode, argument];
    return { kind: 'sum', code, terms: new Map(), isConstant };
  }

  /** A sine or cosine of what is affine in the time. */
  #wave(name: string, { code }: Sum): Wave | null {
    if (name !== 'sin' && name !== 'cos') return null;
    const form = affineForm(this.programOf(code), this.values, (slot) => slot === this.time);
    if (form === null) return null;
    const phase = form.constant + (name === 'cos' ? Math.PI / 2 : 0);
    return { amplitude: 1, frequency: form.terms.get(this.time) ?? 0, phase };
  }

  #combined(opcode: number, argument: number, [a, b]: readonly Part[]): Part | null {
    switch (opcode) {
      case NEGATE:
        return this.#scaled(a, -1, NEGATE, []);
      case ADD:
        return this.#sum(a, b);
      case SUBTRACT:
        return this.#sum(a, this.#scaled(b, -1, NEGATE, []));
      case MULTIPLY:
      case DIVIDE: {
        const [part, factor] = opcode === MULTIPLY && isStateless(a) ? [b, a] : [a, b];
        if (!isStateless(factor) || !factor.isConstant) return null;
        const value = this.#valueOf(factor);
        return this.#scaled(part, opcode === MULTIPLY ? value : 1 / value, opcode, factor.code);
      }
      case CALL_UNARY:
        if (UNARY_NAMES[argument] !== 'abs') return null;
        return { kind: 'choice', operation: LARGER, of: [a, this.#scaled(a, -1, NEGATE, [])] };
      case CALL_BINARY: {
        const name = BINARY_NAMES[argument];
        if (name !== 'min' && name !== 'max') return null;
        return { kind: 'choice', operation: name === 'min' ? SMALLER : LARGER, of: [a, b] };
      }
      default:
        return null;
    }
  }

  #valueOf({ code }: Sum): number {
    return evaluateExpression(this.programOf(code), this.values);
  }

  programOf(code: readonly number[]): ExpressionProgram {
    return { ...this.program, code: Int32Array.from(code), stack: new Float64Array(code.length) };
  }

  /** @param by code of the factor, whose operation is `opcode` */
  #scaled(part: Part, factor: number, opcode: number, by: readonly number[]): Part {
    if (part.kind === 'choice')
      return {
        kind: 'choice',
        operation: factor < 0 ? opposite(part.operation) : part.operation,
        of: [this.#scaled(part.of[0], factor, opcode, by), this.#scaled(part.of[1], factor, opcode, by)],
      };
    return {
      kind: 'sum',
      code: part.code.length === 0 ? [] : [...part.code, ...by, opcode, 0],
      terms: new Map([...part.terms].map(([slot, value]) => [slot, factor * value])),
      isConstant: part.isConstant,
    };
  }

  #sum(a: Part, b: Part): Part {
    if (a.kind === 'choice')
      return { kind: 'choice', operation: a.operation, of: [this.#sum(a.of[0], b), this.#sum(a.of[1], b)] };
    if (b.kind === 'choice')
      return { kind: 'choice', operation: b.operation, of: [this.#sum(a, b.of[0]), this.#sum(a, b.of[1])] };
    const terms = new Map(a.terms);
    for (const [slot, value] of b.terms) terms.set(slot, (terms.get(slot) ?? 0) + value);
    const isBoth = a.code.length > 0 && b.code.length > 0;
    return {
      kind: 'sum',
      code: [...a.code, ...b.code, ...(isBoth ? [ADD, 0] : [])],
      terms,
      isConstant: a.isConstant && b.isConstant,
    };
  }
}

/**
 * @param values of the slots; those of parameters are read
 * @param time slot of the time; −1 where there is none
 * @returns null where it is no such expression by its operations
 */
export function pieceForms(
  program: ExpressionProgram,
  values: Float64Array,
  time: number,
  isState: (slot: number) => boolean,
): PieceForms | null {
  const reader = new Reader(program, values, time, isState);
  const whole = reader.read();
  if (whole === null) return null;
  const atoms: PieceAtom[] = [];
  const tree: number[] = [];
  const add = (part: Part): boolean => {
    if (part.kind === 'choice') {
      if (!part.of.every(add)) return false;
      tree.push(part.operation);
      return true;
    }
    const code = part.code.length > 0 ? reader.programOf(part.code) : NOTHING;
    const piece = timedSign(code, values, time);
    if (piece === null || atoms.length === MOST_ATOMS) return false;
    tree.push(atoms.length);
    const terms = [...part.terms].filter(([, factor]) => factor !== 0);
    atoms.push({
      terms: terms.filter(([slot]) => slot >= 0),
      waves: terms.flatMap(([slot, amplitude]) =>
        slot < 0 ? [{ ...reader.waves[-1 - slot], amplitude }] : [],
      ),
      time: piece,
    });
    return true;
  };
  return add(whole) ? { atoms, tree } : null;
}

const NOTHING: ExpressionProgram = {
  text: '0',
  code: Int32Array.of(LOAD_CONSTANT, 0),
  constants: new Float64Array(1),
  stack: new Float64Array(1),
};
