/**
 * Scripts whose conditions can be held. In the source, comparisons, steps and choices that can change with
 * time or state,
 *
 *     a < b, a === b, a % b, if (a), Math.floor(a), Math.sign(a), Math.abs(a), Math.max(a, b), …
 *
 * become calls of a trace that the sandbox hands in (`model/conditions.ts`). It either lets the values
 * decide, or decides as before: the function is smooth in its arguments then, floor gives the same integer,
 * abs the same sign, max the same argument. Both ways it learns how far each condition is from its other
 * outcome. Lines stay lines, and derivatives follow the changed source as any other.
 */
import { parse } from 'acorn';
import type * as ast from 'acorn';
import type { ConditionSite } from '../../model/conditions';
import { calleeOf } from '../differentiate/analysis/callees';
import { type Binding, type Names, childrenOf, isFunction, resolveNames, staticKey } from '../source/scopes';
import { lineAt, scriptText } from '../differentiate/refusal';
import { type TranspiledScript, placeIn } from '../transpile';
import { COMPARISONS, STEPS, Taint } from './taint';

/** A script with conditions that can be held. */
export interface HeldScript {
  readonly script: TranspiledScript;
  /** name under which it expects the trace */
  readonly trace: string;
  readonly sites: readonly ConditionSite[];
  /** what cannot be followed, in the order of the text */
  readonly unfollowed: readonly ConditionSite[];
}

/** Names of the trace's functions, by operator. */
const COMPARING: Readonly<Record<string, string>> = {
  '<': 'less',
  '<=': 'atMost',
  '>': 'greater',
  '>=': 'atLeast',
  '==': 'equal',
  '===': 'equal',
  '!=': 'unequal',
  '!==': 'unequal',
};
const INTEGERS: ReadonlySet<string> = new Set([
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array'],
  'Uint32Array',
]);
/** Methods and functions that compare numbers inside. */
const COMPARING_METHODS: ReadonlySet<string> = new Set([
  ...['sort', 'toSorted', 'indexOf', 'lastIndexOf', 'includes', 'toFixed', 'toPrecision', 'isInteger'],
  ...['isSafeInteger', 'is'],
]);
const ROUNDING_FUNCTIONS: ReadonlySet<string> = new Set(['parseInt', 'parseFloat', 'BigInt']);
const ROUNDING_MATH: ReadonlySet<string> = new Set(['clz32', 'imul', 'random']);
const BITS: ReadonlySet<string> = new Set(['&', '|', '^', '<<', '>>', '>>>']);
const MOST_TEXT = 60;

/** Position of an operator between its operands, beyond comments. */
function operatorAt(code: string, from: number, operator: string): number {
  let at = from;
  for (;;) {
    if (code.startsWith('//', at)) at = code.indexOf('\n', at);
    else if (code.startsWith('/*', at)) at = code.indexOf('*/', at) + 2;
    else if (code.startsWith(operator, at)) return at;
    else at++;
  }
}

class Instrumentation {
  readonly sites: ConditionSite[] = [];
  readonly unfollowed: ConditionSite[] = [];
  readonly trace: string;
  /** what the code uses of the functions appended to it */
  readonly used = new Set<string>();
  readonly #code: string;
  readonly #taint: Taint;
  readonly #lines: ReturnType<typeof scriptText>;
  #depth = 0;

  constructor(
    private readonly script: TranspiledScript,
    private readonly program: ast.Program,
    private readonly names: Names,
    /** number of the first site */
    private readonly first: number,
  ) {
    this.#code = script.code;
    this.#lines = scriptText(script.code);
    this.#taint = new Taint(program, names);
    let trace = '$held';
    while (script.code.includes(trace)) trace += '$';
    this.trace = trace;
  }

  run(): string {
    return this.#emit(this.program);
  }

  #siteOf(node: ast.AnyNode): ConditionSite {
    const text = this.#code.slice(node.start, node.end).replaceAll(/\s+/g, ' ');
    const line = lineAt(this.#lines, node.start);
    const shown = text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
    return { text: shown, place: placeIn(this.script, this.script.lines?.[line - 1] ?? line, 1) };
  }

  #site(node: ast.AnyNode): number {
    return this.first + this.sites.push(this.#siteOf(node)) - 1;
  }

  /** Notes a place whose switching is not seen. */
  #leave(node: ast.AnyNode): void {
    if (this.#depth > 0) this.unfollowed.push(this.#siteOf(node));
  }

  #changes(node: ast.AnyNode): boolean {
    return this.#depth > 0 && this.#taint.changes(node);
  }

  /** Text of a node with everything in it changed. */
  #emit(node: ast.AnyNode): string {
    if (isFunction(node)) {
      this.#depth++;
      const text = this.#plain(node);
      this.#depth--;
      return text;
    }
    switch (node.type) {
      case 'BinaryExpression':
        return this.#binary(node);
      case 'UnaryExpression':
        return this.#unary(node);
      case 'CallExpression':
        return this.#call(node);
      case 'AssignmentExpression':
        return this.#assignment(node);
      case 'NewExpression':
        if (this.#isIntegers(node.callee) && node.arguments.some((input) => this.#isArray(input)))
          this.#leave(node);
        return this.#plain(node);
      case 'IfStatement':
      case 'ConditionalExpression':
      case 'WhileStatement':
      case 'DoWhileStatement':
        return this.#plain(node, node.test);
      case 'ForStatement':
        return this.#plain(node, node.test ?? undefined);
      default:
        return this.#plain(node);
    }
  }

  /** @param test child whose truth counts */
  #plain(node: ast.AnyNode, test?: ast.AnyNode): string {
    let text = '';
    let from = node.start;
    const children = childrenOf(node).sort((a, b) => a.start - b.start);
    for (const child of children) {
      // Key and value of a property written in short are one text.
      if (child.start < from) continue;
      text += this.#code.slice(from, child.start) + (child === test ? this.#test(child) : this.#emit(child));
      from = child.end;
    }
    return text + this.#code.slice(from, node.end);
  }

  /** An expression of which only the truth counts. */
  #test(node: ast.AnyNode): string {
    if (node.type === 'LogicalExpression' && node.operator !== '??') {
      const { left, right } = node;
      const between = this.#code.slice(left.end, right.start);
      const [before, after] = [
        this.#code.slice(node.start, left.start),
        this.#code.slice(right.end, node.end),
      ];
      return before + this.#test(left) + between + this.#test(right) + after;
    }
    const isTruth =
      (node.type === 'BinaryExpression' && COMPARISONS.has(node.operator)) ||
      (node.type === 'UnaryExpression' && node.operator === '!') ||
      (node.type === 'CallExpression' && this.#taint.functionOf(calleeOf(node).callee) === null);
    if (isTruth || !this.#changes(node)) return this.#emit(node);
    return `${this.trace}.truth(${this.#site(node)}, (${this.#emit(node)}))`;
  }

  /** Operands as arguments of a function of the trace, or of one that is appended. */
  #operands(node: ast.BinaryExpression, call: string): string {
    const { left, right, operator } = node;
    const at = operatorAt(this.#code, left.end, operator);
    const before = this.#code.slice(node.start, left.start) + this.#emit(left);
    const gap = `${this.#code.slice(left.end, at)},${this.#code.slice(at + operator.length, right.start)}`;
    return `${call}(${this.#site(node)}, ${before}${gap}${this.#emit(right)}${this.#code.slice(right.end, node.end)})`;
  }

  #binary(node: ast.BinaryExpression): string {
    const { left, right, operator } = node;
    if (!this.#changes(left) && !this.#changes(right)) return this.#plain(node);
    if (COMPARISONS.has(operator)) {
      const isText = [left, right].some((side) => side.type === 'Literal' && typeof side.value !== 'number');
      return isText ? this.#plain(node) : this.#operands(node, `${this.trace}.${COMPARING[operator]}`);
    }
    if (operator === '%') return this.#operands(node, this.#helper('remainder'));
    if (!BITS.has(operator)) return this.#plain(node);
    const isWhole =
      (operator === '|' || operator === '>>' || operator === '>>>') &&
      right.type === 'Literal' &&
      right.value === 0;
    if (isWhole) return this.#operands(node, `${this.trace}.trunc`);
    this.#leave(node);
    return this.#plain(node);
  }

  #unary(node: ast.UnaryExpression): string {
    const { operator, argument } = node;
    if (operator === '!') return this.#plain(node, argument);
    if (operator !== '~' || !this.#changes(argument)) return this.#plain(node);
    if (argument.type === 'UnaryExpression' && argument.operator === '~') {
      const inner = argument.argument;
      const between = this.#code.slice(argument.start + 1, inner.start);
      const site = this.#site(node);
      return `${this.trace}.trunc(${site}, ${between}${this.#emit(inner)}${this.#code.slice(inner.end, node.end)})`;
    }
    this.#leave(node);
    return this.#plain(node);
  }

  #helper(name: string): string {
    this.used.add(name);
    return `${this.trace}_${name}`;
  }

  #call(node: ast.CallExpression): string {
    const { callee, inputs } = calleeOf(node);
    const isChanging = inputs.some((input) => this.#changes(input));
    const math = this.#taint.mathOf(callee);
    if (math !== null) {
      if (!isChanging) {
        if (math === 'random') this.#leave(node);
        return this.#plain(node);
      }
      if (STEPS.has(math)) return this.#replaceCallee(node, `${this.trace}.${math}(`);
      if (math === 'abs') return this.#replaceCallee(node, `${this.#helper('abs')}(`);
      if (math === 'min' || math === 'max') return this.#extreme(node, math);
      if (ROUNDING_MATH.has(math)) this.#leave(node);
      return this.#plain(node);
    }
    this.#checkCall(node, callee, isChanging);
    return this.#plain(node);
  }

  #checkCall(node: ast.CallExpression, callee: ast.AnyNode, isChanging: boolean): void {
    if (callee.type === 'Identifier') {
      if (isChanging && ROUNDING_FUNCTIONS.has(callee.name)) this.#leave(node);
      return;
    }
    if (callee.type !== 'MemberExpression') return;
    const name = staticKey(callee);
    const isMath = callee.object.type === 'Identifier' && callee.object.name === 'Math';
    if (isMath || (isChanging && this.#isIntegers(callee.object))) this.#leave(node);
    else if (name !== null && COMPARING_METHODS.has(name) && (isChanging || this.#changes(callee.object)))
      this.#leave(node);
  }

  #isIntegers(node: ast.AnyNode): boolean {
    return node.type === 'Identifier' && INTEGERS.has(node.name) && !this.names.bindings.has(node);
  }

  #isArray(node: ast.AnyNode): boolean {
    return node.type !== 'Literal' && this.#changes(node);
  }

  #replaceCallee(node: ast.CallExpression, call: string): string {
    const open = operatorAt(this.#code, node.callee.end, '(');
    return `${call}${this.#site(node)}, ${this.#plainFrom(node, open + 1)}`;
  }

  /** Text of a call from behind its opening bracket. */
  #plainFrom(node: ast.CallExpression, start: number): string {
    let text = '';
    let from = start;
    for (const input of node.arguments) {
      text += this.#code.slice(from, input.start) + this.#emit(input);
      from = input.end;
    }
    return text + this.#code.slice(from, node.end);
  }

  /** Math.max(a, b, c) is the larger of c and of the larger of a and b. */
  #extreme(node: ast.CallExpression, name: 'min' | 'max'): string {
    const count = node.arguments.length;
    if (count < 2 && node.arguments[0].type !== 'SpreadElement') return this.#plain(node);
    if (node.arguments.some(({ type }) => type === 'SpreadElement'))
      return this.#replaceCallee(node, `${this.trace}.${name}(`);
    const open = operatorAt(this.#code, node.callee.end, '(');
    const call = `${this.#helper(name)}(${this.#site(node)}, `;
    let text = call.repeat(count - 1);
    let from = open + 1;
    node.arguments.forEach((input, i) => {
      text += this.#code.slice(from, input.start) + this.#emit(input);
      from = input.end;
      if (i > 0 && i < count - 1)
        text += this.#closing(from, node.arguments[i + 1].start, (at) => (from = at));
    });
    return text + this.#code.slice(from, node.end);
  }

  /** What stands between an argument and the comma behind it, and a bracket. */
  #closing(from: number, to: number, move: (at: number) => void): string {
    const comma = operatorAt(this.#code, from, ',');
    move(Math.min(comma, to));
    return `${this.#code.slice(from, comma)})`;
  }

  #assignment(node: ast.AssignmentExpression): string {
    const { left, right, operator } = node;
    this.#checkStore(left, right);
    if (!/^(?:%|&|\||\^|<<|>>>?)=$/.test(operator) || !(this.#changes(left) || this.#changes(right)))
      return this.#plain(node);
    if (operator !== '%=' || (left.type !== 'Identifier' && left.type !== 'MemberExpression')) {
      this.#leave(node);
      return this.#plain(node);
    }
    const target = this.#code.slice(left.start, left.end);
    const at = operatorAt(this.#code, left.end, operator);
    const between = this.#code.slice(at + operator.length, right.start);
    const call = `${this.#helper('remainder')}(${this.#site(node)}, ${target}, `;
    return `${target} = ${call}${between}${this.#emit(right)}${this.#code.slice(right.end, node.end)})`;
  }

  /** What is stored where it is rounded, or for another call. */
  #checkStore(left: ast.Pattern, right: ast.AnyNode): void {
    if (this.#depth === 0) return;
    if (left.type === 'Identifier') {
      const binding = this.names.bindings.get(left);
      if (binding?.owner === null && binding.kind !== 'function') this.#leave(left);
      return;
    }
    if (left.type !== 'MemberExpression' || left.object.type !== 'Identifier' || !this.#changes(right))
      return;
    const binding = this.names.bindings.get(left.object);
    if (binding !== undefined && this.#holdsIntegers(binding)) this.#leave(left);
  }

  readonly #integers = new Map<Binding, boolean>();

  #holdsIntegers(binding: Binding): boolean {
    if (this.#integers.size === 0) this.#findIntegers(this.program);
    return this.#integers.get(binding) ?? false;
  }

  #findIntegers(node: ast.AnyNode): void {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') {
      const binding = this.names.bindings.get(node.id);
      const { init } = node;
      if (binding !== undefined)
        this.#integers.set(binding, init?.type === 'NewExpression' && this.#isIntegers(init.callee));
    }
    for (const child of childrenOf(node)) this.#findIntegers(child);
  }
}

/** Functions of the script that hold a condition and give a number that depends on the arguments. */
const helpers = (trace: string): Readonly<Record<string, string>> => ({
  abs: `function ${trace}_abs(site, a) { return ${trace}.side(site, a) * a; }`,
  min: `function ${trace}_min(site, a, b) { return ${trace}.below(site, a, b) ? b : a; }`,
  max: `function ${trace}_max(site, a, b) { return ${trace}.above(site, a, b) ? b : a; }`,
  remainder: `function ${trace}_remainder(site, a, b) { return a - ${trace}.quotient(site, a, b) * b; }`,
});

/**
 * @param first number of the first site of this script
 * @returns null for a script without conditions that can change; never throws for a script
 */
export function holdConditions(script: TranspiledScript, first: number): HeldScript | null {
  try {
    const program = parse(script.code, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
    });
    const instrumentation = new Instrumentation(script, program, resolveNames(program), first);
    const code = instrumentation.run();
    const { trace, sites, unfollowed, used } = instrumentation;
    if (sites.length === 0 && unfollowed.length === 0) return null;
    const all = helpers(trace);
    const appended = [...used].map((name) => all[name]).join(' ');
    const count = code.split('\n').length;
    const lines = [...(script.lines ?? Array.from({ length: count }, (_, i) => i + 1)), count];
    return { script: { ...script, code: `${code}\n${appended}`, lines }, trace, sites, unfollowed };
  } catch (error) {
    // Expressions are followed by recursion; so are they by the parser, which has errors of its own.
    if (error instanceof RangeError || error instanceof SyntaxError) return null;
    throw error;
  }
}
