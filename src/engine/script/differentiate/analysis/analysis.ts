/**
 * Activity analysis: which numbers of a script depend on the argument of differentiation, and which objects
 * hold such numbers. An abstract interpreter without regard to the order of statements runs over the
 * functions that the differentiated one reaches until nothing new is learned (Griewank and Walther 2008 §6.2,
 * calls the result “varied” variables). What it cannot follow is remembered as a check: it is refused if
 * something active turns out to reach it.
 */
import type * as ast from 'acorn';
import { type Binding, type FunctionInfo, type Names, functionOf, staticKey } from '../../source/scopes';
import { Refusal } from '../refusal';
import { FLOAT_ARRAYS, INTEGER_ARRAYS } from './builtins';
import { type FunctionFacts, Store, type Thing, type Value, hasSlots } from './values';

/** A condition that must not hold once the analysis has ended. */
export type Check = () => Refusal | null;

/** The parts of the analysis that stand in files of their own. */
export interface Readers {
  expression(analysis: Analysis, node: ast.AnyNode, value: Value): void;
  pattern(analysis: Analysis, pattern: ast.Pattern, value: Value, isDeclaration: boolean): void;
  shadows(analysis: Analysis): void;
  statement(analysis: Analysis, node: ast.AnyNode): void;
  call(analysis: Analysis, node: ast.CallExpression, value: Value): void;
  construction(analysis: Analysis, node: ast.NewExpression, value: Value): void;
}

export class Analysis {
  readonly store = new Store();
  readonly facts = new Map<FunctionInfo, FunctionFacts>();
  private readonly expressions = new Map<ast.AnyNode, Value>();
  private readonly checks = new Map<ast.AnyNode, Check[]>();
  /** calls that may go to several functions, and to which */
  readonly alternatives = new Map<ast.AnyNode, readonly FunctionInfo[]>();
  /** function whose body is being read; null while the module's statements are */
  current: FunctionInfo | null = null;

  /**
   * @param channels variables of an earlier derivative's code, through which it hands results on: they
   *   outlive a call but are always written before they are read
   */
  constructor(
    readonly names: Names,
    readonly program: ast.Program,
    readonly channels: ReadonlySet<string>,
    readonly readers: Readers,
  ) {}

  /** What an expression may be, over all passes so far. */
  at(node: ast.AnyNode): Value {
    let value = this.expressions.get(node);
    if (value === undefined) {
      value = this.store.value();
      this.expressions.set(node, value);
    }
    return value;
  }

  require(node: ast.AnyNode, check: Check): void {
    const checks = this.checks.get(node);
    if (checks === undefined) this.checks.set(node, [check]);
    else checks.push(check);
  }

  forbid(node: ast.AnyNode, code: string, message: string, remedy?: string): void {
    this.require(node, () => new Refusal(node, code, message, remedy));
  }

  /** Nothing active may go into `node`, because what comes out of it cannot be followed. */
  opaque(node: ast.AnyNode, inputs: readonly Value[], what: string): void {
    this.require(node, () =>
      inputs.some((input) => input.isShadowed || this.store.reachesActive(input))
        ? new Refusal(node, 'derivative-unknown', `${what} cannot be differentiated.`)
        : null,
    );
  }

  factsOf(info: FunctionInfo): FunctionFacts {
    let facts = this.facts.get(info);
    if (facts === undefined) {
      facts = {
        info,
        parameters: info.node.params.map(() => this.store.value()),
        returns: this.store.value(),
        isReached: false,
      };
      this.facts.set(info, facts);
    }
    return facts;
  }

  /** Marks a function as called with these arguments. */
  call(info: FunctionInfo, inputs: readonly Value[]): FunctionFacts {
    const facts = this.factsOf(info);
    if (!facts.isReached) {
      facts.isReached = true;
      this.store.isChanged = true;
    }
    info.node.params.forEach((parameter, i) => {
      if (parameter.type === 'RestElement') {
        for (const input of inputs.slice(i)) this.store.merge(facts.parameters[i], input);
      } else if (i < inputs.length) {
        this.store.merge(facts.parameters[i], inputs[i]);
      }
    });
    return facts;
  }

  /** Reads the script until nothing changes, from the functions marked as called. */
  readAllCalled(): void {
    do {
      this.store.isChanged = false;
      this.checks.clear();
      this.current = null;
      for (const statement of this.program.body) this.readers.statement(this, statement);
      for (const facts of this.facts.values()) if (facts.isReached) this.readFunction(facts);
    } while (this.store.isChanged);
  }

  /** What the script exports under a name, after a first reading. */
  exported(name: string): Value | undefined {
    return this.globalThings.get('exports')?.fields.get(name);
  }

  private readonly arguments: Thing[] = [];

  /** Marks a function as called from outside, with one argument to differentiate by. */
  enter(
    info: FunctionInfo,
    {
      arguments: count,
      argument,
      shape,
    }: { arguments: number; argument: number; shape: 'vector' | 'scalar' },
  ): void {
    const inputs = info.node.params.slice(0, count).map((_, i) => {
      const value = this.store.value();
      if (i === argument && shape === 'scalar') {
        value.isActive = true;
        return value;
      }
      const thing = this.store.thing('argument', null);
      if (i === argument) thing.elements.isActive = true;
      value.objects.add(thing);
      this.arguments[i] = thing;
      return value;
    });
    this.call(info, inputs);
  }

  /** Indices of the arguments that functions store in. */
  writtenArguments(): number[] {
    return this.arguments.flatMap(({ isWritten }, i) => (isWritten ? [i] : []));
  }

  /** Decides what has a shadow and whether all of it can be differentiated. @throws {Refusal} */
  conclude(): void {
    this.readers.shadows(this);
    this.report();
  }

  private readFunction({ info, parameters, returns }: FunctionFacts): void {
    this.current = info;
    const { node } = info;
    if (node.async || node.generator) {
      this.forbid(node, 'derivative-generator', 'Asynchronous functions and generators have no derivative.');
    }
    node.params.forEach((parameter, i) => this.readers.pattern(this, parameter, parameters[i], true));
    if (node.body.type === 'BlockStatement') this.readers.statement(this, node.body);
    else this.store.merge(returns, this.read(node.body));
    this.current = null;
  }

  /** The first violated check in the order of the text. */
  private report(): void {
    const nodes = [...this.checks.keys()].sort((a, b) => a.start - b.start);
    for (const node of nodes) {
      for (const check of this.checks.get(node) ?? []) {
        const refusal = check();
        if (refusal !== null) throw refusal;
      }
    }
  }

  /** Reads an expression: what it may be, and what it does to variables and objects. */
  read(node: ast.AnyNode): Value {
    const value = this.at(node);
    this.readers.expression(this, node, value);
    return value;
  }

  /**
   * Refuses a construct in functions that are differentiated or reached; the module's statements may have it.
   */
  refuseInside(node: ast.AnyNode, code: string, message: string, remedy?: string): void {
    if (this.current !== null) this.forbid(node, code, message, remedy);
  }

  private readonly globalThings = new Map<string, Thing>();

  globalThing(node: ast.Identifier): Thing {
    let thing = this.globalThings.get(node.name);
    if (thing === undefined) {
      const kind = node.name === 'Math' ? 'math' : node.name === 'exports' ? 'object' : 'constant';
      thing = this.store.thing(kind, null, { isOuter: true, builtin: node.name });
      this.globalThings.set(node.name, thing);
    }
    return thing;
  }

  private readonly builtins = new Map<string, Thing>();

  /** The function `Math.NAME`. */
  mathThing(name: string): Thing {
    let thing = this.builtins.get(name);
    if (thing === undefined) {
      thing = this.store.thing('builtin', null, { isOuter: true, builtin: `Math.${name}` });
      this.builtins.set(name, thing);
    }
    return thing;
  }

  functionThing(node: ast.AnyNode): Thing {
    const info = functionOf(this.names, node);
    const thing = this.store.thing('function', node, { info, isOuter: info.parent === null });
    if (info.ownName !== null) this.store.add(this.store.variable(info.ownName), thing);
    return thing;
  }

  /** Whether what is made here outlives a call of the differentiated function. */
  isOuterPlace(): boolean {
    return this.current === null && !this.isChannel;
  }

  /** while the initial value of a channel is read */
  isChannel = false;

  allocate(kind: 'array' | 'typed' | 'integer' | 'object', node: ast.AnyNode, value: Value): Thing {
    const thing = this.store.thing(kind, node, { isOuter: this.isOuterPlace() });
    this.store.add(value, thing);
    return thing;
  }

  /** Contents of an array just made. */
  initialise(thing: Thing, contents: Value, place: ast.AnyNode): void {
    if (thing.kind === 'integer') this.requireInactive(contents, place);
    else this.store.merge(thing.elements, contents);
  }

  requireInactive(value: Value, place: ast.AnyNode): void {
    this.require(place, () =>
      value.isActive
        ? new Refusal(
            place,
            'derivative-rounding',
            'An integer array rounds what is stored in it.',
            'Use a Float64Array, or Math.trunc if rounding is meant.',
          )
        : null,
    );
  }

  /** Elements of whatever array a value may be. */
  readEach(array: Value, into: Value): void {
    for (const thing of array.objects) this.store.read(into, thing, null);
  }

  /** Objects in arithmetic go through their methods, which are not followed. */
  requireNumbers(node: ast.AnyNode, operands: readonly Value[]): void {
    this.require(node, () =>
      operands.some((value) =>
        [...value.objects].some(
          (thing) => thing.isShadowed && (hasSlots(thing) || thing.kind === 'function'),
        ),
      )
        ? new Refusal(
            node,
            'derivative-object-arithmetic',
            'An array or object stands where a number is expected.',
            'Compute with its elements.',
          )
        : null,
    );
  }

  /** Kind of the global array constructor a callee names, if it does. */
  arrayConstructor(callee: ast.AnyNode): 'array' | 'typed' | 'integer' | null {
    if (callee.type !== 'Identifier' || this.names.bindings.has(callee)) return null;
    if (callee.name === 'Array') return 'array';
    if (FLOAT_ARRAYS.has(callee.name)) return 'typed';
    return INTEGER_ARRAYS.has(callee.name) ? 'integer' : null;
  }

  /** Name of a global function or of a method of a global object, such as `Number.isFinite`. */
  globalName(callee: ast.AnyNode): string | null {
    if (callee.type === 'Identifier') return this.names.bindings.has(callee) ? null : callee.name;
    if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return null;
    const key = staticKey(callee);
    return key === null || this.names.bindings.has(callee.object) ? null : `${callee.object.name}.${key}`;
  }

  bindingOf(node: ast.Identifier): Binding | undefined {
    return this.names.bindings.get(node);
  }
}

/* The second half of the activity analysis: what is accompanied by a shadow in the derivative. */

/** If one value has a shadow, all have. */
function markAlike(values: readonly Value[], mark: (value: Value) => void): void {
  if (values.some(({ isShadowed }) => isShadowed)) values.forEach(mark);
}

/**
 * Which values and objects have shadows. Whatever may be active has one. Where a shadowed and another object
 * may stand in the same place, both have one, so that the generated code never has to ask.
 */
export function decideShadows(analysis: Analysis): void {
  const { values, things } = analysis.store;
  let isChanged = true;
  const mark = (subject: { isShadowed: boolean }): void => {
    if (subject.isShadowed) return;
    subject.isShadowed = true;
    isChanged = true;
  };
  while (isChanged) {
    isChanged = false;
    for (const thing of things) if (holdsShadow(analysis, thing)) mark(thing);
    for (const functions of analysis.alternatives.values()) {
      // Their derivatives are called with the same arguments.
      const facts = functions.map((info) => analysis.factsOf(info));
      markAlike(
        facts.map(({ returns }) => returns),
        mark,
      );
      for (const i of facts[0].parameters.keys())
        markAlike(
          facts.flatMap(({ parameters }) => parameters.slice(i, i + 1)),
          mark,
        );
    }
    for (const value of values) {
      if (!value.isShadowed && (value.isActive || [...value.objects].some(({ isShadowed }) => isShadowed)))
        mark(value);
      if (value.isShadowed) for (const thing of value.objects) mark(thing);
    }
  }
}

function holdsShadow(analysis: Analysis, thing: Thing): boolean {
  if (thing.elements.isShadowed) return true;
  for (const field of thing.fields.values()) if (field.isShadowed) return true;
  if (thing.info === null) return false;
  for (const binding of thing.info.captured) if (analysis.store.variable(binding).isShadowed) return true;
  const facts = analysis.facts.get(thing.info);
  return (
    facts !== undefined && (facts.returns.isShadowed || facts.parameters.some(({ isShadowed }) => isShadowed))
  );
}
