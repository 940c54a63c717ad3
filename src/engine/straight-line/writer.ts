/**
 * Straight-line code: a step of a small model written out as one function without loops, in which every place
 * in an array is a constant. What a loop over one contact costs in bookkeeping is many times its arithmetic.
 *
 * The text is made of operators and of names and places that are given out here; nothing of a document gets
 * into it, so it can only compute. Arrays and objects of the simulation are bound by identity, and the
 * numbers of the model stand in a table, so that models of one structure have one text and share the machine
 * code that the host makes of it.
 *
 * Values of array entries are kept in constants while they are known, so that each is loaded once. Code that
 * lets something else write into an array says so with `forget`.
 */

// Taken when the module is loaded: scripts freeze and replace what is global.
const FunctionOfText = Function;

/** Statements beyond which a loop is no slower, and the compiler of the host takes long. */
const LONGEST = 1600;

/** An entry of a matrix and the text it multiplies. */
export type Term = readonly [coefficient: number, value: string];

export class StepWriter {
  readonly #bound = new Map<object, string>();
  readonly #known = new Map<object, Map<number, string>>();
  readonly #lines: string[] = [];
  /** numbers of the model by their place in the table */
  readonly #numbers = new Map<number, number>();
  #constants = 0;

  /** The name of an array or object of the simulation in the code. */
  bind(value: object): string {
    const known = this.#bound.get(value);
    if (known !== undefined) return known;
    const name = `$${this.#bound.size}`;
    this.#bound.set(value, name);
    return name;
  }

  /** A number: those that stand for structure as text, others as entries of a table. */
  literal(x: number): string {
    if (x === 0) return Object.is(x, -0) ? '(-0)' : '0';
    if (Math.abs(x) === 1) return x < 0 ? '(-1)' : '1';
    if (!Number.isFinite(x)) return Number.isNaN(x) ? '(0 / 0)' : x < 0 ? '(-1 / 0)' : '(1 / 0)';
    let place = this.#numbers.get(x);
    if (place === undefined) this.#numbers.set(x, (place = this.#numbers.size));
    return `number[${place}]`;
  }

  /**
   * Σ coefficient · value from left to right, as a loop that starts from zero adds them. Zeros are left out.
   */
  sum(terms: readonly Term[]): string {
    return this.add('', terms);
  }

  /** first + Σ coefficient · value, from left to right. @param first text; empty for zero */
  add(first: string, terms: readonly Term[]): string {
    let text = first;
    for (const [coefficient, value] of terms) {
      if (coefficient === 0) continue;
      const product = coefficient === 1 ? value : `${this.literal(coefficient)} * ${value}`;
      text = text === '' ? product : `${text} + ${product}`;
    }
    return text === '' ? '0' : text;
  }

  line(text: string): void {
    this.#lines.push(text);
  }

  /** A new constant. @returns its name */
  constant(expression: string): string {
    const name = `c${this.#constants++}`;
    this.#lines.push(`const ${name} = ${expression};`);
    return name;
  }

  /** A new variable. @returns its name */
  variable(expression: string): string {
    const name = `v${this.#constants++}`;
    this.#lines.push(`let ${name} = ${expression};`);
    return name;
  }

  /** The present value of an entry. */
  get(array: Float64Array | Uint8Array, i: number): string {
    let known = this.#known.get(array);
    if (known === undefined) this.#known.set(array, (known = new Map<number, string>()));
    let name = known.get(i);
    if (name === undefined) known.set(i, (name = this.constant(`${this.bind(array)}[${i}]`)));
    return name;
  }

  /** Stores a value into an entry. @returns the name of the value */
  set(array: Float64Array | Uint8Array, i: number, expression: string): string {
    const name = /^c\d+$/.test(expression) ? expression : this.constant(expression);
    this.#lines.push(`${this.bind(array)}[${i}] = ${name};`);
    let known = this.#known.get(array);
    if (known === undefined) this.#known.set(array, (known = new Map<number, string>()));
    known.set(i, name);
    return name;
  }

  /** Known values of arrays no longer hold. */
  forget(...arrays: readonly object[]): void {
    for (const array of arrays) this.#known.delete(array);
  }

  /**
   * The function.
   * @param parameter name of its parameter
   * @returns null when it would be too long, or where the host lets no code be made from text
   */
  compile(parameter: string): StepFunction | null {
    if (this.#lines.length > LONGEST) return null;
    const names = [...this.#bound.values()];
    const text = [
      '"use strict";',
      ...names.map((name) => `const ${name} = given[${name.slice(1)}];`),
      'const abs = Math.abs, max = Math.max, min = Math.min, sqrt = Math.sqrt;',
      `return function step(${parameter}) {`,
      ...this.#lines,
      '};',
    ].join('\n');
    const make = factoryOf(text);
    return make === null ? null : make([...this.#bound.keys()], Float64Array.from(this.#numbers.keys()));
  }
}

export type StepFunction = (value: number) => number;
type Factory = (given: readonly object[], number: Float64Array) => StepFunction;

/**
 * Texts seen before: runs of one model share what the host's compiler has made of its step, whatever the
 * parameters.
 */
const factories = new Map<string, Factory>();
const MOST_FACTORIES = 64;

function factoryOf(text: string): Factory | null {
  const known = factories.get(text);
  if (known !== undefined) return known;
  try {
    const factory = FunctionOfText('given', 'number', text) as Factory;
    for (const oldest of factories.keys()) {
      if (factories.size < MOST_FACTORIES) break;
      factories.delete(oldest);
    }
    factories.set(text, factory);
    return factory;
  } catch (error) {
    if (error instanceof EvalError) return null;
    throw error;
  }
}
