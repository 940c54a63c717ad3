/**
 * Functions that do not do what their kind asks for, and would pass for a force of zero: those that return
 * what they should write into `out`, that wait to be asked for it, or that put another array in its place;
 * and those that read a parameter that the model has not.
 */
import type * as ast from 'acorn';
import { closest } from '../../closest';
import type { PluginSignature } from '../../model/plugin-signatures';
import { ABSENT } from '../sandbox';
import { childrenOf, type FunctionNode, isFunction } from '../source/scopes';
import { parametersRead } from './read-parameters';
import { ScriptFunctions, type ArgumentUse, returnedBy, useOf, valuesOf } from './written-argument';

export interface ShapeDefect {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  /** place in the code that runs, 1-based */
  readonly line: number;
  readonly column: number;
  /** place in it */
  readonly offset: number;
}

const at = ({ loc, start }: ast.Node): Pick<ShapeDefect, 'line' | 'column' | 'offset'> => ({
  line: loc?.start.line ?? 1,
  column: (loc?.start.column ?? 0) + 1,
  offset: start,
});

const contains = (outer: ast.AnyNode, inner: ast.AnyNode): boolean =>
  outer.start <= inner.start && inner.end <= outer.end;

/**
 * Whether a function comes to no end by itself: it goes round for ever, or fails. Nothing comes of it that
 * could be wrong.
 */
function isEndless({ body }: FunctionNode): boolean {
  if (body.type !== 'BlockStatement') return fails(body);
  const last = body.body.at(-1);
  if (last?.type === 'ForStatement' && !last.test) return true;
  if (last?.type === 'WhileStatement' && last.test.type === 'Literal') return Boolean(last.test.value);
  return body.body.some(
    (statement) =>
      statement.type === 'ThrowStatement' ||
      (statement.type === 'ExpressionStatement' && fails(statement.expression)),
  );
}

/** Whether an expression reaches for what the sandbox does not give: that is reported where it happens. */
function fails(node: ast.AnyNode): boolean {
  if (isFunction(node)) return false;
  if (node.type === 'Identifier') return ABSENT.includes(node.name);
  if (node.type === 'MemberExpression') {
    const { property, computed } = node;
    if (!computed && property.type === 'Identifier' && property.name === 'constructor') return true;
    return fails(node.object) || (computed && fails(property));
  }
  return childrenOf(node).some(fails);
}

/**
 * A function without a statement computes nothing that could be lost: all it can mean is zero, which `out`
 * holds.
 */
const isEmpty = ({ body }: FunctionNode): boolean => body.type === 'BlockStatement' && body.body.length === 0;

class ShapeCheck {
  readonly #use: ArgumentUse | null;
  /** what the function calls the array that it fills */
  readonly #out: string;

  constructor(
    private readonly script: ScriptFunctions,
    private readonly node: FunctionNode,
    private readonly name: string,
    private readonly signature: PluginSignature,
  ) {
    const out = signature.parameters.indexOf('out');
    const given = node.params.at(out);
    this.#out = given?.type === 'Identifier' ? given.name : 'out';
    this.#use = out < 0 ? null : useOf(script, node, out);
  }

  defect(): ShapeDefect | null {
    const { node, name, signature } = this;
    const { typeName, returns } = signature;
    if (node.generator || node.async)
      return {
        code: node.generator ? 'script-generator' : 'script-async',
        message: node.generator
          ? `“${name}” is a generator (function*): a call of it does nothing.`
          : `“${name}” is async: what it computes comes after the step that asks for it.`,
        remedy: `Write it as a plain function of the kind ${typeName}, without “${node.generator ? '*' : 'async'}”.`,
        ...at(node),
      };
    return returns === 'number' ? this.#returning() : this.#filling();
  }

  /** A kind whose value is what the function returns. */
  #returning(): ShapeDefect | null {
    const { node, name } = this;
    const values = returnedBy(node).flatMap(valuesOf);
    if (values.some((value) => !isNothing(value)) || isEndless(node)) return null;
    return {
      code: 'script-returns-nothing',
      message: `“${name}” returns nothing; a function of the kind ${this.signature.typeName} returns a number.`,
      remedy: 'Return the number: “return q[0];”.',
      ...at(node),
    };
  }

  /** A kind that writes its values into `out`. */
  #filling(): ShapeDefect | null {
    const { node, name } = this;
    const use = this.#use;
    if (use === null) return null;
    const [other] = use.reassigned;
    if (other !== undefined)
      return {
        code: 'script-out-reassigned',
        message: `“${name}” gives the variable “${this.#out}” another value: the array that is to be filled stays as it is.`,
        remedy: `Write into the array: “${this.#out}[0] = …;”, or “${this.#out}.set([…]);” for all entries.`,
        ...at(other),
      };
    for (const value of returnedBy(node).flatMap(valuesOf)) {
      if (this.#isHarmless(value, use, new Set())) continue;
      return {
        code: 'script-returns-value',
        message: `“${name}” returns a value, which is read by nothing: a function of the kind ${this.signature.typeName} fills “${this.#out}”.`,
        remedy: `Write the value into the array instead of returning it: “${this.#out}[0] = …;”.`,
        ...at(value),
      };
    }
    if (use.writes.length > 0 || isEndless(node) || isEmpty(node)) return null;
    return {
      code: 'script-out-not-written',
      message: `“${name}” writes nothing into “${this.#out}”: all that it computes is lost.`,
      remedy: `The arguments of a function of this kind are ${this.signature.parameters.join(', ')}. Write the values into “${this.#out}”: “${this.#out}[0] = …;”. Where they are all zero, say so: “${this.#out}.fill(0);”.`,
      ...at(node),
    };
  }

  /** Whether a returned value tells nothing that is not in `out`: `return fill(out)`, `=> (out[0] = t)`. */
  #isHarmless(value: ast.AnyNode, { writes, aliases }: ArgumentUse, seen: Set<FunctionNode>): boolean {
    if (isNothing(value) || writes.some((place) => contains(value, place))) return true;
    if (value.type === 'Identifier') {
      const binding = this.script.names.bindings.get(value);
      return binding !== undefined && aliases.has(binding);
    }
    if (value.type !== 'CallExpression') return false;
    const { functions, isComplete } = this.script.called(value);
    return isComplete && functions.length > 0 && functions.every((one) => this.#returnsNothing(one, seen));
  }

  #returnsNothing(node: FunctionNode, seen: Set<FunctionNode>): boolean {
    if (seen.has(node)) return true;
    seen.add(node);
    if (node.async || node.generator) return false;
    const use = this.#use ?? { writes: [], reassigned: [], aliases: new Set() };
    return returnedBy(node)
      .flatMap(valuesOf)
      .every((value) => this.#isHarmless(value, use, seen));
  }
}

const isNothing = (node: ast.AnyNode): boolean =>
  (node.type === 'Identifier' && node.name === 'undefined') ||
  (node.type === 'UnaryExpression' && node.operator === 'void');

/** Parameters that a message names. */
const NAMED_PARAMETERS = 12;

/** The name that is meant, where one of those there are differs by little, or by case. */
function meant(name: string, known: readonly string[]): string | null {
  const lower = known.map((one) => one.toLowerCase());
  const found = closest(name.toLowerCase(), lower);
  return found === null ? null : known[lower.indexOf(found)];
}

/** Scripts by their code: several functions of one script are asked about. */
export class PluginShapes {
  readonly #script: ScriptFunctions | null;

  /** @param parameters names of those of the model; null where they are not known */
  constructor(
    code: string,
    private readonly parameters: readonly string[] | null,
  ) {
    this.#script = read(code);
  }

  /**
   * What is wrong with the function that is exported under a name; null where nothing is, or where it cannot
   * be told.
   */
  defect(name: string, signature: PluginSignature): ShapeDefect | null {
    const script = this.#script;
    if (script === null) return null;
    for (const node of script.exported(name).functions) {
      if (!isFunction(node)) continue;
      const defect =
        new ShapeCheck(script, node, name, signature).defect() ??
        this.#unknownParameter(script, node, name, signature);
      if (defect !== null) return defect;
    }
    return null;
  }

  #unknownParameter(
    script: ScriptFunctions,
    node: FunctionNode,
    name: string,
    signature: PluginSignature,
  ): ShapeDefect | null {
    const index = signature.parameters.indexOf('p');
    const known = this.parameters;
    if (index < 0 || known === null) return null;
    const reading = parametersRead(script, node, index).find((one) => !known.includes(one.name));
    if (reading === undefined) return null;
    const other = meant(reading.name, known);
    const listed = known.slice(0, NAMED_PARAMETERS).join(', ');
    const all = known.length > NAMED_PARAMETERS ? `${listed}, …` : listed;
    return {
      code: 'script-unknown-parameter',
      message: `“${name}” reads the parameter “${reading.name}”, which the model does not have.`,
      remedy:
        other === null
          ? `Add the parameter, or read another one${all === '' ? '' : `: there are ${all}`}. A value for a missing one is given by “p.${reading.name} ?? 1”.`
          : `It has “${other}”: correct the name, or add the parameter.`,
      ...at(reading.node),
    };
  }
}

function read(code: string): ScriptFunctions | null {
  try {
    return new ScriptFunctions(code);
  } catch (error) {
    // What cannot be read, or is nested too deeply to be followed, is reported where it is loaded.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}
