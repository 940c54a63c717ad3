/** The function under generation: its temporary variables, and the steps of the expression being written. */
import type * as ast from 'acorn';
import type { FunctionInfo } from '../source/scopes';
import type { Thing, Value } from './analysis/values';
import { changesShadows, mayChange } from './effects';
import { type Code, type Generator, type Line, ZERO, isSimple, operand, sequence } from './generator';

/** The parts of the generator that stand in files of their own. */
export interface Rules {
  expression(writer: FunctionWriter, node: ast.AnyNode, isUsed: boolean): Code;
  /** the derivative of a function, with what stands before and behind its parameter list */
  derivative(module: Generator, info: FunctionInfo, header: string, arrow: string): Line[];
}

export class FunctionWriter {
  private readonly temporaries: string[] = [];
  /** expressions to be evaluated before the one being written */
  steps: string[] = [];

  constructor(
    readonly module: Generator,
    readonly info: FunctionInfo,
    readonly rules: Rules,
  ) {}

  /** Any expression. With `isUsed` false its value is not needed, only what it does. */
  generate(node: ast.AnyNode, isUsed = true): Code {
    return this.rules.expression(this, node, isUsed);
  }

  get analysis(): Generator['analysis'] {
    return this.module.analysis;
  }

  valueOf(node: ast.AnyNode): Value {
    return this.analysis.at(node);
  }

  isShadowed(node: ast.AnyNode): boolean {
    return this.analysis.at(node).isShadowed;
  }

  /** Declarations of all temporaries used. */
  declarations(): string {
    return this.temporaries.length === 0
      ? ''
      : `let ${this.temporaries.map((name) => `${name} = 0`).join(', ')};`;
  }

  private temporary(): string {
    const name = `${this.module.prefix}t${this.temporaries.length}`;
    this.temporaries.push(name);
    return name;
  }

  temporaryForLanes(): string[] {
    return this.module.each(() => this.temporary());
  }

  /** A fresh variable that is set to `text` now. */
  keep(text: string): string {
    const name = this.temporary();
    this.steps.push(`${name} = ${text}`);
    return name;
  }

  /** A fresh variable without a value. */
  reserve(): string {
    return this.temporary();
  }

  /** A text that may be repeated. */
  atom(text: string): string {
    return isSimple(text) ? text : this.keep(text);
  }

  keepShadows(shadows: readonly string[] | null): string[] | null {
    return shadows === null ? null : shadows.map((text) => (text === ZERO ? ZERO : this.keep(text)));
  }

  /** The same with nothing left that could change before it is used. */
  stabilise(code: Code): Code {
    if (code.isStable) return code;
    const shadows = this.keepShadows(code.shadows);
    return { value: this.keep(code.value), shadows, isStable: true };
  }

  /** Shadows of a number for each lane, zero where there are none. */
  tangents(code: Code): readonly string[] {
    return code.shadows ?? this.module.each(() => ZERO);
  }

  /**
   * The same with shadows. An object that has none, because it holds nothing active, gets one made of zeros.
   * @param value what the code may give
   */
  complete(code: Code, value: Value): Code {
    if (code.shadows !== null) return code;
    if (value.objects.size === 0) return { ...code, shadows: this.module.each(() => ZERO) };
    const text = this.atom(code.value);
    const zero = this.module.zero();
    return { value: text, shadows: this.module.each(() => `${zero}(${text})`), isStable: false };
  }

  /** Runs `write` with steps of its own. @returns what it gives, and the steps */
  apart<T>(write: () => T): { result: T; steps: string[] } {
    const outer = this.steps;
    this.steps = [];
    const result = write();
    const steps = this.steps;
    this.steps = outer;
    return { result, steps };
  }

  /** Text for each lane of `factor · tangent`, null when there is no tangent. */
  scaled(shadows: readonly string[] | null, factor: (tangent: string) => string): string[] | null {
    return shadows === null
      ? null
      : shadows.map((tangent) => (tangent === ZERO ? ZERO : factor(operand(tangent))));
  }

  /** Sum of tangents, lane by lane. */
  sum(parts: readonly (readonly string[] | null)[]): string[] | null {
    const present = parts.filter((part) => part !== null);
    if (present.length === 0) return null;
    return this.module.each((lane) => {
      const terms = present.map((part) => part[lane]).filter((text) => text !== ZERO);
      return terms.length === 0 ? ZERO : terms.map(operand).join(' + ');
    });
  }

  /**
   * Tangents of what the function called last has returned.
   * @param owner of the channels when it returns objects, null for numbers
   */
  takeOver(owner: string | null): string[] {
    if (owner !== null) return this.module.objectChannels(owner).map((name) => this.keep(name));
    const channel = this.module.numberChannel();
    return this.module.each((lane) => this.keep(`${channel}[${lane}]`));
  }

  /**
   * Whether a store into these things has to go into their shadows too, be it a zero: those of literals grow
   * with them, so that positions and keys agree. Null is a computed key.
   */
  isStoreShadowed(things: Iterable<Thing>, key: string | null): boolean {
    for (const thing of things) {
      if (thing.isShadowed && (thing.kind === 'array' || thing.kind === 'object')) return true;
    }
    return this.isSlotShadowed(things, key);
  }

  /** Whether what a slot of these things holds has a shadow. Null is a computed key. */
  isSlotShadowed(things: Iterable<Thing>, key: string | null): boolean {
    for (const thing of things) {
      if (thing.elements.isShadowed) return true;
      if (key === null || thing.isBlurred) {
        for (const field of thing.fields.values()) if (field.isShadowed) return true;
      } else if (thing.fields.get(key)?.isShadowed) return true;
    }
    return false;
  }
}

/* Expressions as parts of others: in order, for their value alone, or for what they do. */

/** An expression without tangents whose text may be evaluated later. */
export const constant = (value: string): Code => ({ value, shadows: null, isStable: false });

/** The value of an expression, where its tangents are of no use. */
export function writtenValue(writer: FunctionWriter, node: ast.AnyNode): string {
  return changesShadows(writer.analysis, node)
    ? writer.generate(node).value
    : `(${writer.module.slice(node)})`;
}

/** Several expressions, evaluated from left to right. */
export function generateInOrder(writer: FunctionWriter, nodes: readonly ast.AnyNode[]): Code[] {
  return nodes.map((node, i) => {
    const code = writer.generate(node);
    const rest = nodes.slice(i + 1);
    if (rest.length === 0) return code;
    // What changes something, or would be changed, must not wait until the others have been evaluated.
    const isOrdered = [node, ...rest].some((part) => mayChange(writer.analysis, part));
    return isOrdered ? writer.stabilise(code) : code;
  });
}

/** Evaluates an expression for what it does. */
export function perform(writer: FunctionWriter, node: ast.AnyNode): void {
  if (!writer.isShadowed(node) && !changesShadows(writer.analysis, node)) {
    writer.steps.push(`(${writer.module.slice(node)})`);
    return;
  }
  const { value } = writer.generate(node, false);
  // A bare name does nothing; everything that does something is a step by now or stands in the value.
  if (mayChange(writer.analysis, node) && value.includes('(')) writer.steps.push(value);
}

/** An expression with its own steps, as one text for its value. */
export function generateWhole(writer: FunctionWriter, node: ast.AnyNode): string {
  const { result, steps } = writer.apart(() => writtenValue(writer, node));
  return sequence(steps, result);
}
