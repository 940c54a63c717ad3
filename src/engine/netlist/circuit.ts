/**
 * A netlist in its parts: definitions by scope, and the elements that its instances of sub-circuits amount
 * to, each with a name by its path. Definitions stay what they are, so that instances can be kept as such.
 */
import { closest } from '../closest';
import { type Formula, has, isConstant, name as nameOf, number, replace } from './formula';
import { type Issues, NetlistError, type Place, readLines, Source } from './source';
import { type Definition, type Item, numberOf, parseStatement, type Statement } from './statements';

/** Sub-circuits in each other. */
const MAX_LEVELS = 50;
/** As many elements as a document may have. */
const MAX_ELEMENTS = 100_000;
/** Files that include each other. */
const MAX_FILES = 200;

export interface Model {
  readonly name: string;
  /** `d`, `sw`, … */
  readonly type: string;
  readonly settings: readonly Item[];
  readonly place: Place;
}

interface FunctionDefinition {
  readonly arguments: readonly string[];
  readonly formula: Formula;
}

interface Subcircuit {
  readonly ports: readonly string[];
  readonly defaults: readonly Definition[];
  readonly scope: Scope;
  readonly place: Place;
}

/** What is defined in a sub-circuit, or in the netlist itself. */
class Scope {
  readonly subcircuits = new Map<string, Subcircuit>();
  readonly models = new Map<string, Model>();
  readonly functions = new Map<string, FunctionDefinition>();
  readonly parameters = new Map<string, Definition>();
  readonly elements: Statement[] = [];

  constructor(readonly parent: Scope | null) {}
}

/** An element of the flat netlist, in its surroundings. */
export interface Element {
  readonly statement: Statement;
  /** name by its path, such as `x1.r1`, as it is written */
  readonly path: string;
  /** names of its surroundings: nodes and elements by the names they have outside */
  readonly names: Surroundings;
}

interface Surroundings {
  /** name of a node in the flat netlist, in small letters; `0` is ground */
  node(written: string): string;
  /** path of an element beside it, in small letters */
  element(written: string): string;
  model(written: string): Model | null;
  /** names of models that there are */
  readonly modelNames: readonly string[];
  /** a formula in parameters of the netlist alone */
  resolve(formula: Formula): Formula;
  isParameter(written: string): boolean;
}

/** A file that the netlist asks for. */
export interface WantedFile {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface FlatNetlist {
  readonly title: string;
  readonly parameters: readonly Definition[];
  readonly elements: readonly Element[];
  /** statements with a dot that are no definitions */
  readonly commands: readonly Statement[];
  readonly wanted: readonly WantedFile[];
  /** surroundings of the netlist itself */
  readonly top: Surroundings;
}

const GROUND: ReadonlySet<string> = new Set(['0', 'gnd']);

/** @param files texts of included files by name, without their folders, in small letters */
export function readCircuit(source: Source, files: ReadonlyMap<string, string>, issues: Issues): FlatNetlist {
  const reader = new Reader(files, issues);
  const title = reader.read(source, true);
  const flat = new Flattening(issues, reader.globals);
  const top = flat.expand(reader.top);
  return {
    title,
    parameters: [...reader.top.parameters.values()],
    elements: flat.elements,
    commands: reader.commands,
    wanted: reader.wanted,
    top,
  };
}

class Reader {
  readonly top = new Scope(null);
  readonly commands: Statement[] = [];
  readonly wanted: WantedFile[] = [];
  /** nodes that are the same in all sub-circuits */
  readonly globals = new Set<string>();
  #scope = this.top;
  readonly #open: { name: string; place: Place }[] = [];
  #files = 0;

  constructor(
    private readonly files: ReadonlyMap<string, string>,
    private readonly issues: Issues,
  ) {}

  /** @returns the title */
  read(source: Source, hasTitle: boolean, section: string | null = null): string {
    if (++this.#files > MAX_FILES) return '';
    const { title, lines } = readLines(source, hasTitle, this.issues);
    const depth = this.#open.length;
    let isInside = section === null;
    for (const line of lines) {
      this.issues.guard(() => {
        const [, begun] = /^\s*\.lib\s+"?([\w-]+)"?\s*$/i.exec(line.text) ?? [];
        // In a library a name alone begins a section.
        if (!hasTitle && begun !== undefined) {
          isInside = begun.toLowerCase() === section;
          return;
        }
        if (/^\s*\.endl\b/i.test(line.text)) isInside = section === null;
        else if (isInside) this.#statement(parseStatement(line));
      });
    }
    for (const { name, place } of this.#open.splice(depth)) {
      this.#scope = this.#scope.parent ?? this.top;
      this.issues.add(
        'error',
        'netlist-ends',
        `The sub-circuit “${name}” does not end.`,
        'Put .ends behind its last element.',
        place,
      );
    }
    return title;
  }

  #statement(statement: Statement): void {
    if (statement.kind === 'parameters') {
      for (const one of statement.definitions) this.#scope.parameters.set(one.name, one);
      return;
    }
    if (statement.kind === 'function') {
      const { called, formula } = statement;
      this.#scope.functions.set(called, { arguments: statement.arguments, formula });
      return;
    }
    if (statement.kind === 'behaviour' || !statement.head.startsWith('.')) {
      this.#scope.elements.push(statement);
      return;
    }
    this.#command(statement);
  }

  #command(statement: Extract<Statement, { kind: 'plain' }>): void {
    const { head, items, place } = statement;
    switch (head.toLowerCase()) {
      case '.subckt':
        this.#begin(items, place);
        break;
      case '.ends':
      case '.eom':
        if (this.#open.pop() === undefined)
          throw new NetlistError('netlist-ends', 'No sub-circuit ends here.', 'Remove this line.', place);
        this.#scope = this.#scope.parent ?? this.top;
        break;
      case '.model':
        this.#model(items, place);
        break;
      case '.include':
      case '.inc':
        this.#include(items, place, false);
        break;
      case '.lib':
        this.#include(items, place, true);
        break;
      case '.global':
        for (const item of items) if (item.kind === 'word') this.globals.add(item.text.toLowerCase());
        break;
      default:
        this.commands.push(statement);
    }
  }

  #begin(items: readonly Item[], place: Place): void {
    const words = items.flatMap((item) => (item.kind === 'word' ? [item.text] : []));
    const [name, ...ports] = words.filter((word) => !/^params:?$/i.test(word));
    const scope = new Scope(this.#scope);
    const defaults = items.flatMap((item) => (item.kind === 'setting' ? [definitionOf(item)] : []));
    if (name !== undefined) {
      const small = ports.map((port) => port.toLowerCase());
      this.#scope.subcircuits.set(name.toLowerCase(), { ports: small, defaults, scope, place });
    }
    this.#open.push({ name: name ?? '', place });
    this.#scope = scope;
    if (name === undefined)
      throw new NetlistError('netlist-subckt', 'This sub-circuit has no name.', 'Give it one.', place);
  }

  #model(items: readonly Item[], place: Place): void {
    const [name, type, ...rest] = items;
    if (name?.kind !== 'word' || type?.kind !== 'word')
      throw new NetlistError(
        'netlist-model',
        'A model has a name and a type.',
        'Write .model NAME D(…).',
        place,
      );
    const settings = rest.flatMap((item) => (item.kind === 'group' ? item.items : [item]));
    const model = { name: name.text, type: type.text.toLowerCase(), settings, place };
    this.#scope.models.set(name.text.toLowerCase(), model);
  }

  #include(items: readonly Item[], place: Place, isLibrary: boolean): void {
    const words = items.flatMap((item) => (item.kind === 'word' || item.kind === 'text' ? [item.text] : []));
    // Paths may have spaces; of a library the last word may be a section.
    const section = isLibrary && words.length > 1 ? (words.at(-1)?.toLowerCase() ?? null) : null;
    const path = (section === null ? words : words.slice(0, -1)).join(' ');
    const base = baseName(path);
    if (base === '')
      throw new NetlistError('netlist-include', 'This names no file.', 'Name the file.', place);
    const text = this.files.get(base.toLowerCase());
    if (text === undefined) {
      const { line, column } = place.source.position(place.offset);
      if (!this.wanted.some(({ name }) => name.toLowerCase() === base.toLowerCase()))
        this.wanted.push({ name: base, file: place.source.name, line, column });
      throw new NetlistError(
        'netlist-include',
        `The netlist asks for the file “${base}”.`,
        'Choose it in the window, or give it to moreau import by --include FILE.',
        place,
      );
    }
    if (this.#files >= MAX_FILES)
      throw new NetlistError(
        'netlist-include-circle',
        `More than ${MAX_FILES} files are included.`,
        'Two of them may include each other.',
        place,
      );
    this.read(new Source(base, text), false, section);
  }
}

/** The name of a file without its folders, of any system. */
export const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).trim();

function definitionOf(item: Extract<Item, { kind: 'setting' }>): Definition {
  return { name: item.key, formula: formulaOfItem(item.value), place: item.place };
}

/** A value as a formula: a number, a name, or what stands in braces. @throws {NetlistError} */
export function formulaOfItem(item: Item): Formula {
  if (item.kind === 'formula') return item.formula;
  if (item.kind === 'group' && item.items.length === 1) return formulaOfItem(item.items[0]);
  if (item.kind === 'word') {
    const value = numberOf(item.text);
    if (value !== null && Number.isFinite(value)) return number(value);
    if (/^[a-z_][\w.]*$/i.test(item.text)) return nameOf(item.text, item.place);
  }
  const written = item.kind === 'word' || item.kind === 'text' ? `“${item.text}” is` : 'This is';
  throw new NetlistError(
    'netlist-number',
    `${written} no number.`,
    'Write a number such as 4.7k, or a formula in braces.',
    item.place,
  );
}

/** Values of parameters in a sub-circuit: formulas in those of the netlist. */
class Values {
  readonly #known = new Map<string, Formula>();
  readonly #open = new Set<string>();

  constructor(
    private readonly scope: Scope,
    /** what the instance gives */
    private readonly given: ReadonlyMap<string, Formula>,
    private readonly outer: Values | null,
  ) {}

  isParameter(name: string): boolean {
    if (this.given.has(name) || this.scope.parameters.has(name)) return true;
    return this.outer?.isParameter(name) ?? false;
  }

  #functionOf(name: string): FunctionDefinition | undefined {
    for (let scope: Scope | null = this.scope; scope !== null; scope = scope.parent) {
      const found = scope.functions.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** @throws {NetlistError} for names that are not known, and parameters that depend on themselves */
  resolve(formula: Formula, level = 0): Formula {
    return replace(formula, (part) => {
      if (part.kind === 'name' && !isConstant(part.name)) return this.#value(part.name, part.place, level);
      if (part.kind === 'call') {
        const defined = this.#functionOf(part.name);
        if (defined !== undefined) return this.#called(defined, part, level);
      }
      return part;
    });
  }

  #called(
    defined: FunctionDefinition,
    { name, args, place }: Extract<Formula, { kind: 'call' }>,
    level: number,
  ): Formula {
    if (level > 20)
      throw new NetlistError(
        'netlist-circle',
        `The function “${name}” calls itself.`,
        'Write it without.',
        place,
      );
    if (args.length !== defined.arguments.length)
      throw new NetlistError(
        'netlist-arguments',
        `“${name}” takes ${defined.arguments.length} arguments, not ${args.length}.`,
        'Correct its arguments.',
        place,
      );
    // Arguments are resolved already, where they stand; names of the function itself are still to be.
    const filled = replace(defined.formula, (part) => {
      if (part.kind === 'name' && !isConstant(part.name)) {
        const at = defined.arguments.indexOf(part.name);
        return at < 0 ? this.#value(part.name, part.place, level) : args[at];
      }
      const inner = part.kind === 'call' ? this.#functionOf(part.name) : undefined;
      return part.kind === 'call' && inner !== undefined ? this.#called(inner, part, level + 1) : part;
    });
    if (filled.depth > 400 || sizeOf(filled) > 2000)
      throw new NetlistError('netlist-depth', `“${name}” grows too long.`, 'Write it in parts.', place);
    return filled;
  }

  #value(name: string, place: Place, level: number): Formula {
    const given = this.given.get(name);
    if (given !== undefined) return given;
    const defined = this.scope.parameters.get(name);
    if (defined === undefined) {
      if (this.outer !== null) return this.outer.#value(name, place, level);
      const meant = closest(name, [...this.scope.parameters.keys()]);
      throw new NetlistError(
        'netlist-parameter',
        `There is no parameter “${name}”.`,
        meant === null ? 'Define it by .param, or write a number.' : `Did you mean ${meant}?`,
        place,
      );
    }
    // Parameters of the netlist itself are those of the model.
    if (this.outer === null) return nameOf(name, place);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#open.has(name))
      throw new NetlistError(
        'netlist-circle',
        `The parameter “${name}” depends on itself.`,
        'Give it a number.',
        defined.place,
      );
    this.#open.add(name);
    try {
      const value = this.resolve(defined.formula, level);
      if (sizeOf(value) > 2000)
        throw new NetlistError(
          'netlist-depth',
          `The parameter “${name}” is too long a formula.`,
          'Write it with fewer parts.',
          defined.place,
        );
      this.#known.set(name, value);
      return value;
    } finally {
      this.#open.delete(name);
    }
  }
}

function sizeOf(formula: Formula): number {
  let size = 0;
  has(formula, () => ++size > 5000);
  return size;
}

class Flattening {
  readonly elements: Element[] = [];

  constructor(
    private readonly issues: Issues,
    private readonly globals: ReadonlySet<string>,
  ) {}

  expand(top: Scope): Surroundings {
    const values = new Values(top, new Map(), null);
    const surroundings = this.#surroundings(top, '', new Map(), values);
    // What the netlist itself defines is checked once, where it stands.
    for (const { formula } of top.parameters.values()) this.issues.guard(() => values.resolve(formula));
    for (const one of top.parameters.values()) this.issues.guard(() => refuseCircle(one, top.parameters));
    this.#elements(top, '', new Map(), values, []);
    return surroundings;
  }

  #elements(
    scope: Scope,
    path: string,
    ports: ReadonlyMap<string, string>,
    values: Values,
    stack: readonly Subcircuit[],
  ): void {
    const names = this.#surroundings(scope, path, ports, values);
    for (const statement of scope.elements) {
      this.issues.guard(() => {
        if (this.elements.length >= MAX_ELEMENTS)
          throw new NetlistError(
            'netlist-large',
            `The netlist has more than ${MAX_ELEMENTS} elements.`,
            'Take a part of it.',
            statement.place,
          );
        if (statement.kind === 'plain' && /^x/i.test(statement.head))
          this.#instance(statement, scope, path, names, values, stack);
        else this.elements.push({ statement, path: `${path}${statement.head}`, names });
      });
    }
  }

  #instance(
    { head, items, place }: Extract<Statement, { kind: 'plain' }>,
    scope: Scope,
    path: string,
    names: Surroundings,
    values: Values,
    stack: readonly Subcircuit[],
  ): void {
    const words = items.flatMap((item) => (item.kind === 'word' ? [item] : []));
    const listed = words.filter(({ text }) => !/^params:?$/i.test(text));
    const called = listed.at(-1);
    if (called === undefined)
      throw new NetlistError(
        'netlist-instance',
        `“${head}” names no sub-circuit.`,
        'Write its nodes, then the name of the sub-circuit.',
        place,
      );
    const found = subcircuitOf(scope, called.text.toLowerCase());
    if (found === null) {
      const known = subcircuitNames(scope);
      const meant = closest(called.text.toLowerCase(), known);
      throw new NetlistError(
        'netlist-subckt',
        `There is no sub-circuit “${called.text}”.`,
        meant === null ? 'Define it by .subckt, or include the file that does.' : `Did you mean ${meant}?`,
        called.place,
      );
    }
    const nodes = listed.slice(0, -1);
    if (nodes.length !== found.ports.length)
      throw new NetlistError(
        'netlist-ports',
        `The sub-circuit “${called.text}” has ${found.ports.length} nodes, and “${head}” gives ${nodes.length}.`,
        'Give one node for each.',
        place,
      );
    if (stack.includes(found) || stack.length >= MAX_LEVELS)
      throw new NetlistError(
        'netlist-circle',
        `The sub-circuit “${called.text}” contains itself.`,
        'Take the instance out of it.',
        place,
      );
    const ports = new Map(found.ports.map((port, k) => [port, names.node(nodes[k].text)]));
    const given = new Map<string, Formula>();
    for (const item of items) {
      if (item.kind !== 'setting') continue;
      given.set(item.key, values.resolve(formulaOfItem(item.value)));
    }
    const inner = new Values(found.scope, given, values);
    const defaults = new Scope(found.scope.parent);
    for (const one of found.defaults) defaults.parameters.set(one.name, one);
    const withDefaults = new Values(defaults, given, values);
    for (const one of found.defaults)
      if (!given.has(one.name)) given.set(one.name, withDefaults.resolve(one.formula));
    this.#elements(found.scope, `${path}${head}.`, ports, inner, [...stack, found]);
  }

  #surroundings(
    scope: Scope,
    path: string,
    ports: ReadonlyMap<string, string>,
    values: Values,
  ): Surroundings {
    return {
      node: (written) => {
        const small = written.toLowerCase();
        if (GROUND.has(small)) return '0';
        if (this.globals.has(small)) return small;
        return ports.get(small) ?? `${path.toLowerCase()}${small}`;
      },
      element: (written) => `${path}${written}`.toLowerCase(),
      model: (written) => {
        for (let s: Scope | null = scope; s !== null; s = s.parent) {
          const found = s.models.get(written.toLowerCase());
          if (found !== undefined) return found;
        }
        return null;
      },
      get modelNames() {
        const names: string[] = [];
        for (let s: Scope | null = scope; s !== null; s = s.parent) names.push(...s.models.keys());
        return names;
      },
      resolve: (formula) => values.resolve(formula),
      isParameter: (written) => values.isParameter(written.toLowerCase()),
    };
  }
}

/** @throws {NetlistError} where a parameter of the netlist depends on itself */
function refuseCircle(start: Definition, all: ReadonlyMap<string, Definition>): void {
  const seen = new Set<string>();
  const waiting = [start.formula];
  for (let formula = waiting.pop(); formula !== undefined; formula = waiting.pop()) {
    has(formula, (part) => {
      if (part.kind !== 'name') return false;
      if (part.name === start.name)
        throw new NetlistError(
          'netlist-circle',
          `The parameter “${start.name}” depends on itself.`,
          'Give it a number.',
          start.place,
        );
      const next = seen.has(part.name) ? undefined : all.get(part.name);
      seen.add(part.name);
      if (next !== undefined) waiting.push(next.formula);
      return false;
    });
  }
}

function subcircuitOf(scope: Scope, name: string): Subcircuit | null {
  for (let s: Scope | null = scope; s !== null; s = s.parent) {
    const found = s.subcircuits.get(name);
    if (found !== undefined) return found;
  }
  return null;
}

function subcircuitNames(scope: Scope): string[] {
  const names: string[] = [];
  for (let s: Scope | null = scope; s !== null; s = s.parent) names.push(...s.subcircuits.keys());
  return names;
}
