/** Compiled expressions in which operations on what does not vary are carried out, with the same bits. */
import { LOAD_CONSTANT, LOAD_SLOT, operandsOf } from './expression-language';
import { evaluateExpression, type ExpressionProgram } from './expressions';

interface Folded {
  readonly code: readonly number[];
  readonly isConstant: boolean;
}

/** @param values of the slots; those that do not vary are read */
export function foldConstants(
  program: ExpressionProgram,
  values: Float64Array,
  varies: (slot: number) => boolean,
): ExpressionProgram {
  const { code } = program;
  const constants = [...program.constants];
  const constant = (value: number): Folded => ({
    code: [LOAD_CONSTANT, constants.push(value) - 1],
    isConstant: true,
  });
  const stack: Folded[] = [];
  for (let i = 0; i < code.length; i += 2) {
    const [opcode, argument] = [code[i], code[i + 1]];
    if (opcode === LOAD_CONSTANT || opcode === LOAD_SLOT) {
      const isConstant = opcode === LOAD_CONSTANT || !varies(argument);
      if (opcode === LOAD_SLOT && isConstant) stack.push(constant(values[argument]));
      else stack.push({ code: [opcode, argument], isConstant });
      continue;
    }
    const operands = stack.splice(stack.length - operandsOf(opcode));
    const joined = [...operands.flatMap((operand) => operand.code), opcode, argument];
    const isConstant = operands.every((operand) => operand.isConstant);
    stack.push(
      isConstant
        ? constant(evaluateExpression(withCode(program, joined, constants), values))
        : { code: joined, isConstant },
    );
  }
  return withCode(program, stack[0].code, constants);
}

const withCode = (
  program: ExpressionProgram,
  code: readonly number[],
  constants: readonly number[],
): ExpressionProgram => ({
  ...program,
  code: Int32Array.from(code),
  constants: Float64Array.from(constants),
});
