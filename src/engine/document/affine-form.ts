/** Expressions that are affine in some of their names. */
import {
  ADD,
  DIVIDE,
  LOAD_CONSTANT,
  LOAD_SLOT,
  MULTIPLY,
  NEGATE,
  SUBTRACT,
  operandsOf,
} from './expression-language';
import { type ExpressionProgram, evaluateExpression } from './expressions';

/** constant + Σ factor · slot */
export interface AffineForm {
  readonly constant: number;
  readonly terms: ReadonlyMap<number, number>;
}

const scaled = ({ constant, terms }: AffineForm, factor: number): AffineForm => ({
  constant: factor * constant,
  terms: new Map([...terms].map(([slot, value]) => [slot, factor * value])),
});

function sum(a: AffineForm, b: AffineForm): AffineForm {
  const terms = new Map(a.terms);
  for (const [slot, value] of b.terms) terms.set(slot, (terms.get(slot) ?? 0) + value);
  return { constant: a.constant + b.constant, terms };
}

/** Of an operation that is affine in its operands; null where it is not. */
function affineOperation(opcode: number, a: AffineForm, b: AffineForm): AffineForm | null {
  switch (opcode) {
    case ADD:
      return sum(a, b);
    case SUBTRACT:
      return sum(a, scaled(b, -1));
    case MULTIPLY:
      if (b.terms.size === 0) return scaled(a, b.constant);
      return a.terms.size === 0 ? scaled(b, a.constant) : null;
    case DIVIDE:
      return b.terms.size === 0 ? { ...scaled(a, 1 / b.constant), constant: a.constant / b.constant } : null;
    default:
      return null;
  }
}

/**
 * A compiled expression as an affine form of the slots that vary; null where it is none by its operators.
 * @param slots values of those that do not
 */
export function affineForm(
  program: ExpressionProgram,
  slots: Float64Array,
  varies: (slot: number) => boolean,
): AffineForm | null {
  const { code, constants } = program;
  const stack: AffineForm[] = [];
  const none: ReadonlyMap<number, number> = new Map();
  for (let i = 0; i < code.length; i += 2) {
    const opcode = code[i];
    const argument = code[i + 1];
    if (opcode === LOAD_CONSTANT) stack.push({ constant: constants[argument], terms: none });
    else if (opcode === LOAD_SLOT)
      stack.push(
        varies(argument)
          ? { constant: 0, terms: new Map([[argument, 1]]) }
          : { constant: slots[argument], terms: none },
      );
    else if (opcode === NEGATE) stack.push(scaled(stack.pop() ?? { constant: 0, terms: none }, -1));
    else {
      // Of what does not vary any operation is a constant.
      const operands = stack.splice(stack.length - operandsOf(opcode));
      const result = operands.every(({ terms }) => terms.size === 0)
        ? { constant: constantResult(program, opcode, argument, operands), terms: none }
        : operands.length === 2
          ? affineOperation(opcode, operands[0], operands[1])
          : null;
      if (result === null) return null;
      stack.push(result);
    }
  }
  const [form] = stack;
  const isFinite = [form.constant, ...form.terms.values()].every(Number.isFinite);
  return isFinite ? form : null;
}

/** The value of one operation on constants. */
function constantResult(
  of: ExpressionProgram,
  opcode: number,
  argument: number,
  operands: readonly AffineForm[],
): number {
  const program: ExpressionProgram = {
    ...of,
    text: '',
    code: Int32Array.from([...operands.flatMap((_, k) => [LOAD_CONSTANT, k]), opcode, argument]),
    constants: Float64Array.from(operands, ({ constant }) => constant),
    stack: new Float64Array(operands.length),
  };
  return evaluateExpression(program, new Float64Array(0));
}
