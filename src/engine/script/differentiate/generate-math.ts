/**
 * Rules of differentiation. At a kink the rule is that of the branch the value takes; |x| has derivative 0 at
 * 0, and of equal arguments max and min follow the first. Where a derivative is infinite, a zero tangent
 * stays zero.
 */
import { operand, ZERO, type Code } from './generator';
import type { FunctionWriter } from './function-writer';

type Tangents = readonly string[] | null;

const result = (value: string, shadows: Tangents): Code => ({ value, shadows, isStable: false });

/** Tangents times a factor that may be infinite. */
function guarded(writer: FunctionWriter, tangents: Tangents, factor: string): string[] | null {
  if (tangents === null) return null;
  return tangents.map((text) => {
    if (text === ZERO) return ZERO;
    const tangent = writer.atom(text);
    return `(${tangent} === 0 ? 0 : ${tangent} * ${factor})`;
  });
}

/** Binary arithmetic. */
export function arithmetic(writer: FunctionWriter, operator: string, left: Code, right: Code): Code {
  switch (operator) {
    case '+':
      return result(
        `${operand(left.value)} + ${operand(right.value)}`,
        writer.sum([left.shadows, right.shadows]),
      );
    case '-': {
      const text = `${operand(left.value)} - ${operand(right.value)}`;
      return result(
        text,
        writer.sum([left.shadows, writer.scaled(right.shadows, (tangent) => `-${tangent}`)]),
      );
    }
    case '*':
      return product(writer, left, right);
    case '/':
      return quotient(writer, left, right);
    case '%':
      return remainder(writer, left, right);
    default:
      return power(writer, left, right, (a, b) => `${operand(a)} ** ${operand(b)}`);
  }
}

function product(writer: FunctionWriter, left: Code, right: Code): Code {
  const a = left.shadows === null && right.shadows === null ? left.value : writer.atom(left.value);
  const b = writer.atom(right.value);
  return result(
    `${a} * ${b}`,
    writer.sum([
      writer.scaled(left.shadows, (tangent) => `${tangent} * ${b}`),
      writer.scaled(right.shadows, (tangent) => `${a} * ${tangent}`),
    ]),
  );
}

/** (a/b)˙ = (ȧ − (a/b) ḃ) / b */
function quotient(writer: FunctionWriter, left: Code, right: Code): Code {
  const b = writer.atom(right.value);
  const value = writer.keep(`${operand(left.value)} / ${b}`);
  const change = writer.sum([
    left.shadows,
    writer.scaled(right.shadows, (tangent) => `-(${value} * ${tangent})`),
  ]);
  return { value, shadows: writer.scaled(change, (tangent) => `${tangent} / ${b}`), isStable: false };
}

/** a % b = a − b trunc(a/b) */
function remainder(writer: FunctionWriter, left: Code, right: Code): Code {
  const a = writer.atom(left.value);
  const b = writer.atom(right.value);
  if (right.shadows === null) return result(`${a} % ${b}`, left.shadows);
  const turns = writer.keep(`Math.trunc(${a} / ${b})`);
  return result(
    `${a} % ${b}`,
    writer.sum([left.shadows, writer.scaled(right.shadows, (tangent) => `-(${turns} * ${tangent})`)]),
  );
}

const isNumber = (text: string): boolean => /^\d+(?:\.\d+)?$/.test(text);

/**
 * aᵇ: by the base, b aᵇ⁻¹, which is 0 for b = 0 even at a = 0; by the exponent, aᵇ ln a, which is taken as 0
 * at a = 0.
 */
function power(
  writer: FunctionWriter,
  left: Code,
  right: Code,
  text: (a: string, b: string) => string,
): Code {
  const a = writer.atom(left.value);
  const b = writer.atom(right.value);
  const value = writer.keep(text(a, b));
  let byBase: Tangents = null;
  if (left.shadows !== null) {
    if (b === '2') byBase = writer.scaled(left.shadows, (tangent) => `2 * ${a} * ${tangent}`);
    else if (isNumber(b) && Number(b) >= 1) {
      const factor = writer.keep(`${b} * ${operand(text(a, String(Number(b) - 1)))}`);
      byBase = writer.scaled(left.shadows, (tangent) => `${factor} * ${tangent}`);
    } else {
      const factor = writer.keep(`${b} === 0 ? 0 : ${b} * ${operand(text(a, `(${b} - 1)`))}`);
      byBase = guarded(writer, left.shadows, factor);
    }
  }
  let byExponent: Tangents = null;
  if (right.shadows !== null) {
    byExponent = guarded(writer, right.shadows, writer.keep(`${a} === 0 ? 0 : ${value} * Math.log(${a})`));
  }
  return result(value, writer.sum([byBase, byExponent]));
}

/** Derivative of a function of one argument `a` with value `v`. */
interface UnaryRule {
  readonly factor: (a: string, v: string) => string;
  /** whether it is infinite somewhere in the domain */
  readonly isSingular?: true;
}

const UNARY_RULES: Readonly<Record<string, UnaryRule>> = {
  abs: { factor: (a) => `Math.sign(${a})` },
  sqrt: { factor: (_a, v) => `0.5 / ${v}`, isSingular: true },
  cbrt: { factor: (_a, v) => `1 / (3 * ${v} * ${v})`, isSingular: true },
  exp: { factor: (_a, v) => v },
  // Not v + 1, which loses all digits for large negative arguments.
  expm1: { factor: (a) => `Math.exp(${a})` },
  log: { factor: (a) => `1 / ${a}`, isSingular: true },
  log1p: { factor: (a) => `1 / (1 + ${a})`, isSingular: true },
  log2: { factor: (a) => `1 / (${a} * Math.LN2)`, isSingular: true },
  log10: { factor: (a) => `1 / (${a} * Math.LN10)`, isSingular: true },
  // Rounding to single precision is meant as a representation of the number, not as a staircase.
  fround: { factor: () => '1' },
  sin: { factor: (a) => `Math.cos(${a})` },
  cos: { factor: (a) => `-Math.sin(${a})` },
  tan: { factor: (_a, v) => `1 + ${v} * ${v}` },
  // (1 − a)(1 + a) is exact to rounding at the ends, where 1 − a² is not.
  asin: { factor: (a) => `1 / Math.sqrt((1 - ${a}) * (1 + ${a}))`, isSingular: true },
  acos: { factor: (a) => `-1 / Math.sqrt((1 - ${a}) * (1 + ${a}))`, isSingular: true },
  atan: { factor: (a) => `1 / (1 + ${a} * ${a})` },
  sinh: { factor: (a) => `Math.cosh(${a})` },
  cosh: { factor: (a) => `Math.sinh(${a})` },
  // Not 1 − v², which is zero far out where the derivative is merely small; 2 / (eᵃ + e⁻ᵃ) is 1 / cosh a.
  tanh: { factor: (a) => `1 / Math.cosh(${a}) ** 2` },
  asinh: { factor: (a) => `1 / Math.hypot(1, ${a})` },
  acosh: { factor: (a) => `1 / (Math.sqrt(${a} - 1) * Math.sqrt(${a} + 1))`, isSingular: true },
  atanh: { factor: (a) => `1 / ((1 - ${a}) * (1 + ${a}))`, isSingular: true },
};

/**
 * A function of Math.
 * @param callee its text in the script
 * @param inputs evaluated arguments
 */
export function mathFunction(
  writer: FunctionWriter,
  name: string,
  callee: string,
  inputs: readonly Code[],
): Code {
  if (inputs.length > 0 && name in UNARY_RULES) return unary(writer, UNARY_RULES[name], callee, inputs[0]);
  switch (name) {
    case 'pow':
      if (inputs.length === 2) return power(writer, inputs[0], inputs[1], (a, b) => `${callee}(${a}, ${b})`);
      break;
    case 'atan2':
      if (inputs.length === 2) return atan2(writer, callee, inputs[0], inputs[1]);
      break;
    case 'hypot':
      return hypot(writer, callee, inputs);
    case 'min':
    case 'max':
      return extremum(writer, callee, inputs);
    default:
  }
  return result(`${callee}(${inputs.map(({ value }) => value).join(', ')})`, null);
}

function unary(writer: FunctionWriter, rule: UnaryRule, callee: string, input: Code): Code {
  const a = writer.atom(input.value);
  const value = writer.keep(`${callee}(${a})`);
  const factor = writer.keep(rule.factor(a, value));
  const shadows = rule.isSingular
    ? guarded(writer, input.shadows, factor)
    : writer.scaled(input.shadows, (tangent) => `${factor} * ${tangent}`);
  return result(value, shadows);
}

/** atan2(y, x)˙ = (x ẏ − y ẋ)/(x² + y²), without squares that overflow; 0 at the origin. */
function atan2(writer: FunctionWriter, callee: string, first: Code, second: Code): Code {
  const y = writer.atom(first.value);
  const x = writer.atom(second.value);
  const value = writer.keep(`${callee}(${y}, ${x})`);
  const r = writer.keep(`Math.hypot(${x}, ${y})`);
  const by = (sign: string, side: string): string =>
    writer.keep(`${r} === 0 ? 0 : ${sign}${side} / ${r} / ${r}`);
  const parts: Tangents[] = [];
  if (first.shadows !== null) {
    const factor = by('', x);
    parts.push(writer.scaled(first.shadows, (tangent) => `${factor} * ${tangent}`));
  }
  if (second.shadows !== null) {
    const factor = by('-', y);
    parts.push(writer.scaled(second.shadows, (tangent) => `${factor} * ${tangent}`));
  }
  return result(value, writer.sum(parts));
}

/** √(Σ aᵢ²)˙ = Σ (aᵢ/v) ȧᵢ; 0 at the origin, as for |x|. */
function hypot(writer: FunctionWriter, callee: string, inputs: readonly Code[]): Code {
  const atoms = inputs.map(({ value }) => writer.atom(value));
  const value = writer.keep(`${callee}(${atoms.join(', ')})`);
  const parts = inputs.map(({ shadows }, i) => {
    if (shadows === null) return null;
    const factor = writer.keep(`${value} === 0 ? 0 : ${atoms[i]} / ${value}`);
    return writer.scaled(shadows, (tangent) => `${factor} * ${tangent}`);
  });
  return result(value, writer.sum(parts));
}

/** The tangent of the first argument that is the value. */
function extremum(writer: FunctionWriter, callee: string, inputs: readonly Code[]): Code {
  const atoms = inputs.map(({ value }) => writer.atom(value));
  const value = writer.keep(`${callee}(${atoms.join(', ')})`);
  const shadows = writer.module.each((lane) => {
    const tangents = inputs.map((input) => writer.tangents(input)[lane]);
    return tangents.reduceRight(
      (rest, tangent, i) =>
        i === inputs.length - 1
          ? operand(tangent)
          : `(${value} === ${atoms[i]} ? ${operand(tangent)} : ${rest})`,
      ZERO,
    );
  });
  return result(value, shadows);
}
