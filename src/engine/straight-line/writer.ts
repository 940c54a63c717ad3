/**
 * Straight-line code: the step of a small model written out as one function, in which every place in an array
 * is a constant. What a loop over one contact costs in bookkeeping is many times its arithmetic.
 *
 * The text is made of operators and of names and places that are given out here; nothing of a document gets
 * into it, so it can only compute. Arrays and objects of the simulation are bound by identity, and the
 * numbers of the model stand in a table, so that models of one structure have one text and share the machine
 * code that the host makes of it.
 *
 * The function repeats the step as often as it is told. Entries of arrays are variables meanwhile: each is
 * loaded before the first step and stored after the last one, and the step itself touches no memory. What is
 * called on the way finds the entries in their arrays (`call`, `branch`), and code that lets something else
 * write into an array says so.
 */

// Taken when the module is loaded: scripts freeze and replace what is global.
const FunctionOfText = Function;

/** Statements beyond which a loop is no slower, and the compiler of the host takes long. */
const LONGEST = 1600;

/** An entry of a matrix and the text it multiplies. */
export type Term = readonly [coefficient: number, value: string];

type Entries = Float64Array | Uint8Array | Int32Array;

/** An entry of an array while the text is being written. */
interface Entry {
  /** text of the entry in its array */
  readonly home: string;
  /** the variable that carries its value from step to step; null while none is needed */
  variable: string | null;
  /** whether the variable is loaded before the first step */
  isLoaded: boolean;
  /** name of the present value; null where only the array has it */
  name: string | null;
  /** whether the array has it: unknown until the step ends while nothing has been stored or called */
  place: 'as before' | 'variable' | 'array';
}

export class StepWriter {
  readonly #bound = new Map<object, string>();
  readonly #entries = new Map<object, Map<number, Entry>>();
  readonly #lines: (string | ((isRepeated: boolean) => string))[] = [];
  /** numbers of the model by their place in the table */
  readonly #numbers = new Map<number, number>();
  /** places of those that have a name */
  readonly #often = new Set<number>();
  /** whether something has been called for which all entries were stored, and what it has changed */
  #hasCalled = false;
  readonly #changed = new Set<object>();
  #constants = 0;
  #variables = 0;

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
    const place = this.#placeOf(x);
    this.#often.add(place);
    return `number${place}`;
  }

  /** A number that few steps ask for: it is read from the table. */
  seldom(x: number): string {
    return Math.abs(x) === 1 || x === 0 || !Number.isFinite(x)
      ? this.literal(x)
      : `number[${this.#placeOf(x)}]`;
  }

  #placeOf(x: number): number {
    let place = this.#numbers.get(x);
    if (place === undefined) this.#numbers.set(x, (place = this.#numbers.size));
    return place;
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

  #entry(array: Entries, i: number): Entry {
    let entries = this.#entries.get(array);
    if (entries === undefined) this.#entries.set(array, (entries = new Map<number, Entry>()));
    let entry = entries.get(i);
    if (entry === undefined) {
      const home = `${this.bind(array)}[${i}]`;
      const place = this.#hasCalled ? 'array' : 'as before';
      entries.set(i, (entry = { home, variable: null, isLoaded: false, name: null, place }));
    }
    return entry;
  }

  /** The present value of an entry. */
  get(array: Entries, i: number): string {
    const entry = this.#entry(array, i);
    if (entry.name !== null) return entry.name;
    // One that nothing has changed since the step began is in its variable.
    if (entry.variable === null && !this.#changed.has(array)) {
      entry.variable = `e${this.#variables++}`;
      entry.isLoaded = true;
      return (entry.name = this.constant(entry.variable));
    }
    return (entry.name = this.constant(entry.home));
  }

  /** Gives an entry a value. @returns the name of the value */
  set(array: Entries, i: number, expression: string): string {
    const name = /^c\d+$/.test(expression) ? expression : this.constant(expression);
    const entry = this.#entry(array, i);
    entry.name = name;
    entry.place = 'variable';
    return name;
  }

  /** An entry that is read from its array each time, because what is called in branches changes it. */
  read(array: Entries, i: number): string {
    return `${this.bind(array)}[${i}]`;
  }

  /** Calls something that may read all arrays. @param changes arrays that it writes into */
  call(text: string, ...changes: readonly object[]): void {
    this.#lines.push(this.#stores(null), text);
    this.#hasCalled = true;
    for (const entries of this.#entries.values()) for (const entry of entries.values()) entry.place = 'array';
    for (const array of changes) {
      this.#changed.add(array);
      for (const entry of this.#entries.get(array)?.values() ?? []) entry.name = null;
    }
  }

  /**
   * Calls something where a condition holds, which is seldom; what it changes is got with `read` only.
   * @param reads the arrays that it reads; all of them when left out
   */
  branch(condition: string, text: string, reads: readonly object[] | null = null): void {
    this.#lines.push(`if (${condition}) {`, this.#stores(reads), text, '}');
  }

  /** Stores entries that only their variables have at this place, as the end of the step will tell. */
  #stores(arrays: readonly object[] | null): (isRepeated: boolean) => string {
    const present = new Map<Entry, Pick<Entry, 'name' | 'place'>>();
    for (const entries of this.#entries.values())
      for (const entry of entries.values()) present.set(entry, { ...entry });
    const later: Entry['place'] = this.#hasCalled ? 'array' : 'as before';
    return (isRepeated) => {
      const texts: string[] = [];
      for (const [array, entries] of this.#entries) {
        if (arrays !== null && !arrays.includes(array)) continue;
        for (const entry of entries.values()) {
          const { name, place } = present.get(entry) ?? { name: null, place: later };
          // Left over from the step before.
          const isOld = isRepeated && place === 'as before' && entry.place === 'variable';
          if (place !== 'variable' && !isOld) continue;
          // In the first step that is what the array has.
          if (name === null) entry.isLoaded = true;
          texts.push(`${entry.home} = ${name ?? entry.variable};`);
        }
      }
      return texts.join(' ');
    };
  }

  /**
   * The functions.
   * @param parameters names of their parameters
   * @param again condition under which the step is repeated, in which names of the step may stand
   * @returns null when they would be too long, or where the host lets no code be made from text
   */
  compileSteps(parameters: string, again: string): StepFunctions | null {
    if (this.#lines.length > LONGEST) return null;
    const all = [...this.#entries.values()].flatMap((entries) => [...entries.values()]);
    const due = all.filter(({ place }) => place === 'variable');
    const loads = (): string[] =>
      all.flatMap(({ variable, isLoaded, home }) => (isLoaded ? [`let ${variable} = ${home};`] : []));
    const body = (isRepeated: boolean): string[] =>
      this.#lines.map((line) => (typeof line === 'string' ? line : line(isRepeated)));
    const numbers = this.#hoisted;
    const one = [
      ...numbers,
      ...loads(),
      ...body(false),
      ...due.map(({ home, name }) => `${home} = ${name};`),
    ];
    for (const entry of due) entry.variable ??= `e${this.#variables++}`;
    const carried = all.filter(({ variable }) => variable !== null);
    const repeated = body(true);
    const many = [
      ...numbers,
      ...loads(),
      ...carried.flatMap(({ variable, isLoaded }) => (isLoaded ? [] : [`let ${variable} = 0;`])),
      'for (;;) {',
      ...repeated,
      ...carried.map(({ variable, name, home }) => `${variable} = ${name ?? home};`),
      `if (!(${again})) break;`,
      '}',
      ...due.map(({ home, variable }) => `${home} = ${variable};`),
    ];
    return this.#make([
      ...['return {', `one(${parameters}) {`, ...one, '},'],
      ...[`many(${parameters}) {`, ...many, '},', '};'],
    ]) as StepFunctions | null;
  }

  /**
   * A function that is no step: its lines return what it gives, and have no entries but those of arrays that
   * they name themselves.
   * @param parameter name of its parameter
   * @returns null as `compileSteps`
   */
  compile(parameter: string): StepFunction | null {
    if (this.#lines.length > LONGEST) return null;
    const lines = this.#lines.map((line) => (typeof line === 'string' ? line : line(false)));
    const head = `return function step(${parameter}) {`;
    return this.#make([head, ...this.#hoisted, ...lines, '};']) as StepFunction | null;
  }

  get #hoisted(): string[] {
    return [...this.#often].map((place) => `const number${place} = number[${place}];`);
  }

  #make(lines: readonly string[]): unknown {
    const text = [
      '"use strict";',
      ...[...this.#bound.values()].map((name) => `const ${name} = given[${name.slice(1)}];`),
      'const { abs, max, min, sqrt, cos, sin } = Math;',
      ...lines,
    ].join('\n');
    const make = factoryOf(text);
    return make === null ? null : make([...this.#bound.keys()], Float64Array.from(this.#numbers.keys()));
  }
}

/** What they have computed stands in the arrays. */
export interface StepFunctions {
  /** the step */
  one(...values: number[]): void;
  /** the step, repeated: for one step it takes longer */
  many(...values: number[]): void;
}
export type StepFunction = (value: number) => number;
type Factory = (given: readonly object[], number: Float64Array) => unknown;

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
