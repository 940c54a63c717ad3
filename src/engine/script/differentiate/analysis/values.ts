/**
 * The abstract values of the activity analysis. An expression may be a number that depends on the argument of
 * differentiation (active), and it may refer to any of a set of objects, each standing for all that one place
 * of the script allocates (Andersen's points-to analysis; Andersen 1994). Values only ever grow, so the
 * analysis ends.
 */
import type * as ast from 'acorn';
import type { Binding, FunctionInfo } from '../../source/scopes';

/** What an expression, variable or slot of an object may hold. */
export class Value {
  /** a number that depends on the argument of differentiation */
  isActive = false;
  /** a string */
  isText = false;
  readonly objects = new Set<Thing>();
  /** whether it is accompanied by a shadow: it is active, or may refer to an object that is shadowed */
  isShadowed = false;
  /** @param isTransient whether it only gathers others for a moment, so that what it learns is not news */
  constructor(readonly isTransient = false) {}
}

/** A value without content. */
export const NO_CONTENT: Value = new Value(true);

/**
 * - `array`, `typed`, `integer`: array literals and the like, Float64Array and Float32Array, integer arrays
 * - `object`: object literals
 * - `function`: functions of the script
 * - `builtin`: functions of Math and of the language that the analysis knows
 * - `math`: Math itself
 * - `argument`: what the differentiated function is called with
 * - `constant`: anything else; it holds nothing active
 */
export type ThingKind =
  'array' | 'typed' | 'integer' | 'object' | 'function' | 'builtin' | 'math' | 'argument' | 'constant';

/** All objects that one place of the script makes. */
export interface Thing {
  readonly kind: ThingKind;
  /** place that makes it; null for arguments */
  readonly node: ast.AnyNode | null;
  /** slots with a name or index that stands in the text */
  readonly fields: Map<string, Value>;
  /** slots reached by a computed key; they are part of every slot */
  readonly elements: Value;
  /** made while the script is loaded, so that it outlives a call */
  readonly isOuter: boolean;
  /** of a function */
  readonly info: FunctionInfo | null;
  /** of a builtin, e.g. `Math.sin` */
  readonly builtin: string;
  /** whether something is stored in it */
  isWritten: boolean;
  /** whether slots have moved or been seen through another view, so that an index says nothing any more */
  isBlurred: boolean;
  isShadowed: boolean;
}

/** Properties of one function of the script, over all its calls. */
export interface FunctionFacts {
  readonly info: FunctionInfo;
  readonly parameters: readonly Value[];
  readonly returns: Value;
  isReached: boolean;
}

export const isArrayLike = ({ kind }: Thing): boolean =>
  kind === 'array' || kind === 'typed' || kind === 'integer' || kind === 'argument' || kind === 'constant';

/** Whether the script itself made it with slots of its own. */
export const hasSlots = ({ kind }: Thing): boolean =>
  kind === 'array' || kind === 'typed' || kind === 'integer' || kind === 'object';

/** Everything the analysis knows, and whether the last pass added to it. */
export class Store {
  readonly values: Value[] = [];
  readonly things: Thing[] = [];
  readonly variables = new Map<Binding, Value>();
  private readonly places = new Map<ast.AnyNode, Map<ThingKind, Thing>>();
  isChanged = false;

  value(): Value {
    const value = new Value();
    this.values.push(value);
    return value;
  }

  thing(
    kind: ThingKind,
    node: ast.AnyNode | null,
    options: { isOuter?: boolean; info?: FunctionInfo; builtin?: string } = {},
  ): Thing {
    const known = node === null ? undefined : this.places.get(node)?.get(kind);
    if (known !== undefined) return known;
    const thing: Thing = {
      kind,
      node,
      fields: new Map(),
      elements: this.value(),
      isOuter: options.isOuter ?? false,
      info: options.info ?? null,
      builtin: options.builtin ?? '',
      isWritten: false,
      isBlurred: false,
      isShadowed: false,
    };
    this.things.push(thing);
    if (node !== null) {
      const kinds = this.places.get(node) ?? new Map<ThingKind, Thing>();
      this.places.set(node, kinds.set(kind, thing));
    }
    return thing;
  }

  variable(binding: Binding): Value {
    let value = this.variables.get(binding);
    if (value === undefined) {
      value = this.value();
      this.variables.set(binding, value);
    }
    return value;
  }

  merge(target: Value, source: Value): void {
    if (source.isActive) this.activate(target);
    if (source.isText && !target.isText) {
      target.isText = true;
      this.note(target);
    }
    for (const thing of source.objects) this.add(target, thing);
  }

  add(target: Value, thing: Thing): void {
    if (target.objects.has(thing)) return;
    target.objects.add(thing);
    this.note(target);
  }

  activate(target: Value): void {
    if (target.isActive) return;
    target.isActive = true;
    this.note(target);
  }

  private note(target: Value): void {
    if (!target.isTransient) this.isChanged = true;
  }

  /** All that a set of values may be. */
  union(...sources: readonly Value[]): Value {
    const all = new Value(true);
    for (const source of sources) this.merge(all, source);
    return all;
  }

  /** What the slots of the arrays in `array` may hold. */
  elementsOf(array: Value): Value {
    const all = new Value(true);
    for (const thing of array.objects) this.read(all, thing, null);
    return all;
  }

  field(thing: Thing, key: string): Value {
    let value = thing.fields.get(key);
    if (value === undefined) {
      value = this.value();
      thing.fields.set(key, value);
    }
    return value;
  }

  /** What reading slot `key` may give; null is a key that is computed. */
  read(target: Value, thing: Thing, key: string | null): void {
    if (thing.kind === 'constant') {
      this.add(target, thing);
      return;
    }
    this.merge(target, thing.elements);
    if (key === null || thing.isBlurred) {
      for (const field of thing.fields.values()) this.merge(target, field);
    } else {
      const field = thing.fields.get(key);
      if (field !== undefined) this.merge(target, field);
    }
  }

  write(thing: Thing, key: string | null, source: Value): void {
    thing.isWritten = true;
    this.merge(key === null || thing.isBlurred ? thing.elements : this.field(thing, key), source);
  }

  blur(thing: Thing): void {
    if (thing.isBlurred) return;
    thing.isBlurred = true;
    this.isChanged = true;
  }

  /** Whether anything active can be reached from a value. */
  reachesActive(value: Value, seen: Set<Thing> = new Set()): boolean {
    if (value.isActive) return true;
    for (const thing of value.objects) {
      if (seen.has(thing)) continue;
      seen.add(thing);
      if (this.reachesActive(thing.elements, seen)) return true;
      for (const field of thing.fields.values()) if (this.reachesActive(field, seen)) return true;
      for (const binding of thing.info?.captured ?? []) {
        if (this.reachesActive(this.variable(binding), seen)) return true;
      }
    }
    return false;
  }
}
