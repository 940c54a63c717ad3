/**
 * Whether the units in an expression fit together, and the number that it gives in the unit of its field.
 * Numbers without unit and names of unknown unit are taken as they are in products; in sums a number without
 * unit beside one with a unit is an error: what it counts is not said.
 */
import type { MathNode } from 'mathjs/number';
import { ExpressionError } from './expression-error';
import {
  ANGLE_DIMENSION,
  type Dimension,
  NO_DIMENSION,
  type Quantity,
  dimensionWords,
  quantityIndex,
  sameDimension,
  unitNamed,
} from './quantities';

/** Null: not known. */
type Known = Dimension | null;

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly fn?: string | { readonly name?: string };
  readonly args?: readonly Node[];
  readonly content?: Node;
  readonly condition?: Node;
  readonly trueExpr?: Node;
  readonly falseExpr?: Node;
}

/** What the names of a model are measured in; undefined where that is not said. */
export type UnitOfName = (name: string) => string | undefined;

const RATIO: ReadonlySet<string> = new Set(['sin', 'cos', 'tan']);
const SAME: ReadonlySet<string> = new Set([
  'abs',
  'min',
  'max',
  'hypot',
  'unaryMinus',
  'unaryPlus',
  'add',
  'subtract',
]);
const COMPARING: ReadonlySet<string> = new Set(['smaller', 'smallerEq', 'larger', 'largerEq']);

class Check {
  constructor(
    private readonly text: string,
    private readonly quantities: readonly Quantity[],
    private readonly unitOfName: UnitOfName,
  ) {}

  of(node: Node): Known {
    switch (node.type) {
      case 'ConstantNode':
        return NO_DIMENSION;
      case 'SymbolNode':
        return this.#name(node.name ?? '');
      case 'ParenthesisNode':
        return node.content === undefined ? null : this.of(node.content);
      case 'ConditionalNode': {
        if (node.condition !== undefined) this.of(node.condition);
        return this.#alike([node.trueExpr, node.falseExpr]);
      }
      case 'OperatorNode':
      case 'FunctionNode': {
        const { fn, args = [] } = node;
        return this.#call(typeof fn === 'string' ? fn : (fn?.name ?? ''), args);
      }
      default:
        return null;
    }
  }

  #name(name: string): Known {
    const index = quantityIndex(name);
    if (index >= 0) return this.quantities[index].unit?.dimension ?? NO_DIMENSION;
    if (name === 'pi' || name === 'tau') return NO_DIMENSION;
    const unit = this.unitOfName(name);
    if (unit === undefined || unit === '') return null;
    const known = unitNamed(unit);
    if (known !== null && known.scale !== 1)
      throw new ExpressionError(
        `“${name}” counts in ${unit}, and “${this.#first()}” is taken in units of SI`,
        `Write the numbers of this expression without units, or give “${name}” in a unit of SI.`,
      );
    return known?.dimension ?? null;
  }

  #first(): string {
    return this.quantities.find(({ unit }) => unit !== null)?.text ?? '';
  }

  #call(name: string, args: readonly Node[]): Known {
    if (SAME.has(name)) return this.#alike(args);
    if (COMPARING.has(name)) {
      this.#alike(args);
      return NO_DIMENSION;
    }
    // Units of tables are words.
    if (name === 'table' || name === 'slope') return null;
    const given = args.map((one) => this.of(one));
    if (name === 'multiply' || name === 'divide') {
      const [a, b] = given;
      const sign = name === 'multiply' ? 1 : -1;
      return a === null || b === null ? null : a.map((exponent, i) => exponent + sign * b[i]);
    }
    if (name === 'pow') return this.#power(given, args[1]);
    if (name === 'sqrt' || name === 'cbrt') {
      const root = name === 'sqrt' ? 2 : 3;
      return given[0]?.map((exponent) => exponent / root) ?? null;
    }
    if (name === 'mod') return this.#alike(args);
    if (name === 'atan2') {
      this.#alike(args);
      return null;
    }
    if (name === 'sign') return NO_DIMENSION;
    if (RATIO.has(name)) return this.#plain(given, name, [NO_DIMENSION, ANGLE_DIMENSION]);
    return this.#plain(given, name, [NO_DIMENSION]);
  }

  #power([base, exponent]: readonly Known[], node: Node | undefined): Known {
    if (exponent !== null && exponent !== undefined && !sameDimension(exponent, NO_DIMENSION))
      throw new ExpressionError(`an exponent in “${this.text}” has a unit`);
    if (base === null || base === undefined) return null;
    if (sameDimension(base, NO_DIMENSION)) return NO_DIMENSION;
    const power = Number(node?.value);
    return Number.isFinite(power) ? base.map((one) => one * power) : null;
  }

  /** What a function of pure numbers gives. */
  #plain(given: readonly Known[], name: string, allowed: readonly Dimension[]): Known {
    for (const one of given)
      if (one !== null && !allowed.some((other) => sameDimension(one, other)))
        throw new ExpressionError(`“${name}” takes a number without unit, not ${dimensionWords(one)}`);
    return NO_DIMENSION;
  }

  /** The dimension that all operands have; those that are not known are passed over. */
  #alike(nodes: readonly (Node | undefined)[]): Known {
    const known = nodes.flatMap((node) => {
      if (node === undefined || isZero(node)) return [];
      const dimension = this.of(node);
      return dimension === null ? [] : [dimension];
    });
    const [first] = known;
    const other = known.find((dimension) => !sameDimension(dimension, first));
    if (other !== undefined)
      throw new ExpressionError(
        `${dimensionWords(first)} and ${dimensionWords(other)} do not go together in “${this.text}”`,
        'Give all parts the same unit.',
      );
    return known.length === 0
      ? nodes.every((node) => node === undefined || isZero(node))
        ? NO_DIMENSION
        : null
      : first;
  }
}

const isZero = (node: Node): boolean => node.type === 'ConstantNode' && node.value === 0;

/**
 * By what the value of an expression, in units of SI, is to be divided to be in the unit of its field.
 * @param unit of the field; '' where it is a number, undefined where it is not known
 * @throws {ExpressionError} where units do not go together, or have another dimension than the field
 */
export function checkUnits(
  text: string,
  tree: MathNode,
  quantities: readonly Quantity[],
  unitOfName: UnitOfName,
  unit: string | undefined,
): number {
  const target = unit === undefined ? null : unitNamed(unit);
  for (const { alike, text: written } of quantities)
    if (alike !== null && target !== null && sameDimension(alike.dimension, target.dimension))
      throw new ExpressionError(
        `“${written}” could be a number with a suffix or one with a unit`,
        `Write ${written.replace(/^([\d.eE+-]+)/, '$1 ')} with a space for the unit, or a power of ten such as 1e-3.`,
      );
  const withUnit = quantities.find((one) => one.unit !== null);
  if (withUnit === undefined) return 1;
  if (unit === '')
    throw new ExpressionError(
      `“${withUnit.text}” has a unit, and what stands here is a number without one`,
      'Write the number alone; a parameter takes units when it is given its own.',
    );
  const found = new Check(text, quantities, unitOfName).of(tree);
  if (target === null) return 1;
  if (found === null) {
    if (target.scale === 1) return 1;
    throw new ExpressionError(
      `it cannot be said in which unit “${text}” counts, and ${unit ?? ''} is wanted`,
      'Write the numbers of this expression without units.',
    );
  }
  if (!sameDimension(found, target.dimension))
    throw new ExpressionError(
      `“${text}” is in ${dimensionWords(found)}, and ${unit ?? ''} is wanted`,
      `Give a value in ${unit ?? ''}, or in a unit that converts into it.`,
    );
  return target.scale;
}
