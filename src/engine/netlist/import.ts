/**
 * A model of a netlist in the language of SPICE: its circuit as components and wires, the end and step of
 * `.tran`, and views of its voltages and currents.
 *
 * Elements are ideal: diodes are complementarities and switches jump, so that parameters of semiconductors
 * have no place in the model. What is left out is said at its line; a netlist that would become another
 * circuit is refused.
 */
import { compileExpression, runExpression } from '../document/expressions';
import type {
  ComponentDocument,
  Expression,
  LayoutDocument,
  ModelDocument,
  ParameterDocument,
  TableDocument,
  TypedElement,
  WireDocument,
} from '../document/types';
import { componentTypes } from '../model/components/registry';
import {
  baseName,
  type Element,
  type FlatNetlist,
  formulaOfItem,
  readCircuit,
  type WantedFile,
} from './circuit';
import { addElement, type Drawing, isConstantFormula } from './components';
import { expressionOf, type Formula, valueOf } from './formula';
import { Issues, NetlistError, type NetlistIssue, type Place, Source } from './source';
import type { Item, Statement } from './statements';

export type { NetlistIssue } from './source';

/** What has become of a netlist. */
export interface ImportedNetlist {
  /** null where an issue is an error */
  readonly document: ModelDocument | null;
  readonly issues: readonly NetlistIssue[];
  /** files that it asks for and that have not been given */
  readonly wanted: readonly WantedFile[];
}

/** Where a schematic has its elements and wires, by the names in its netlist. */
export interface Places {
  /** of a component by its path in small letters, for its pins */
  place(path: string, type: string): { x: number; y: number; turns?: number; mirrored?: boolean } | null;
  /** polylines by node */
  wires(node: string): { x: number; y: number }[][];
  /** places of grounds */
  readonly grounds: readonly { x: number; y: number }[];
}

const LIMIT = { expression: 2000, id: 64 };

/**
 * @param text the netlist
 * @param name of its file
 * @param files texts of the files that it includes, by their names
 */
export function importNetlist(
  text: string,
  name: string,
  files: Readonly<Record<string, string>> = {},
): ImportedNetlist {
  return importSource(new Source(name, text), files, null);
}

/** The same of a source whose lines stand for others, with places. */
export function importSource(
  source: Source,
  files: Readonly<Record<string, string>>,
  places: Places | null,
): ImportedNetlist {
  const issues = new Issues();
  const byName = new Map(Object.entries(files).map(([file, text]) => [baseName(file).toLowerCase(), text]));
  const flat = readCircuit(source, byName, issues);
  const start: Place = { source, offset: 0 };
  const building = new Building(flat, issues, start);
  for (const element of flat.elements) issues.guard(() => building.element(element));
  if (flat.elements.length === 0 && !issues.hasErrors)
    issues.add(
      'error',
      'netlist-empty',
      'There is no element in this netlist.',
      'Its first line is its title; elements follow.',
      start,
    );
  const document = building.finish(baseName(source.name), places);
  const list = [...issues.list].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  return { document: issues.hasErrors ? null : document, issues: list, wanted: flat.wanted };
}

/** Names that expressions and documents keep for themselves. */
const RESERVED: readonly string[] = ['t', 'pi', 'tau', 'time', '__proto__', ''];

/** Gives identifiers; different texts never get the same. */
class Identifiers {
  readonly #taken = new Set(RESERVED);
  /** number that was given last, by what it stands behind */
  readonly #last = new Map<string, number>();

  of(text: string, prefix: string): string {
    const plain = text.replace(/[^A-Za-z0-9_]/g, '_').slice(0, LIMIT.id - 8);
    const base = /^[A-Za-z_]/.test(plain) ? plain : `${prefix}${plain}`;
    let id = base;
    let k = this.#last.get(base) ?? 1;
    while (this.#taken.has(id)) id = `${base}_${++k}`;
    this.#last.set(base, k);
    this.#taken.add(id);
    return id;
  }
}

interface Transient {
  readonly step: Expression;
  readonly end: Expression;
  readonly usesInitial: boolean;
}

const DEFAULT_TRANSIENT: Transient = { step: 1e-5, end: 1e-2, usesInitial: false };

/** Commands that ask a simulator for something which a model has otherwise. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['.options', '.option', '.opt', '.save', '.print', '.plot', '.probe', '.meas', '.measure', '.four'],
  ...['.width', '.backanno', '.temp', '.nodeset', '.op', '.ac', '.dc', '.noise', '.tf', '.sens', '.pz'],
  ...['.disto', '.step', '.wave', '.title', '.end', '.endl', '.net', '.ferret', '.machine', '.text'],
]);

class Building implements Drawing {
  readonly #components: ComponentDocument[] = [];
  readonly #tables: TableDocument[] = [];
  /** pins by node */
  readonly #nets = new Map<string, string[]>();
  readonly #ids = new Identifiers();
  readonly #parameterIds = new Map<string, string>();
  readonly #parameterFormulas = new Map<string, Formula>();
  /** ids of components by path in small letters */
  readonly #byPath = new Map<string, ComponentDocument>();
  readonly #pathOf = new Map<string, string>();
  readonly #netIds = new Map<string, string>();
  readonly #later: (() => void)[] = [];
  readonly #senses: { path: string; component: string; place: Place }[] = [];
  readonly #initial = new Map<string, Expression>();
  readonly #transient: Transient;
  #inner = 0;
  #element: Element | null = null;
  #lacksInitial = false;
  #startsDriven = false;

  constructor(
    private readonly flat: FlatNetlist,
    private readonly issues: Issues,
    private readonly start: Place,
  ) {
    const parameterNames = new Identifiers();
    for (const { name } of flat.parameters) this.#parameterIds.set(name, parameterNames.of(name, 'p'));
    for (const { name, formula } of flat.parameters)
      issues.guard(() => this.#parameterFormulas.set(name, flat.top.resolve(formula)));
    this.#transient = this.#commands();
  }

  get end(): Expression {
    return this.#transient.end;
  }

  element(element: Element): void {
    this.#element = element;
    addElement(element, this);
  }

  value(item: Item): Expression {
    const { names } = this.#element ?? { names: this.flat.top };
    return this.#placed(item.place, () => this.expression(names.resolve(formulaOfItem(item))));
  }

  /** What is wrong with a text is said at its place. */
  #placed<T>(place: Place, action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (error instanceof NotConstant)
        throw new NetlistError(
          'netlist-behaviour',
          'This value changes with time, or with voltages and currents.',
          'Values of elements are constants; use sources, switches and diodes.',
          place,
        );
      throw error;
    }
  }

  expression(formula: Formula, isTimed = false): Expression {
    if (formula.kind === 'number') return formula.value;
    if (!isTimed && !isConstantFormula(formula)) throw new NotConstant();
    const text = expressionOf(formula, (part) => {
      if (part.kind === 'name') return this.#parameterIds.get(part.name) ?? part.name;
      throw new NotConstant();
    });
    const plain = text.startsWith('(') && isOnePair(text) ? text.slice(1, -1) : text;
    if (plain.length > LIMIT.expression) throw new NotConstant();
    return plain;
  }

  numberOf(formula: Formula): number {
    return this.#number(formula, 0);
  }

  #number(formula: Formula, level: number): number {
    if (level > 100) return NaN;
    return valueOf(formula, (name) => {
      const inner = this.#parameterFormulas.get(name);
      return inner === undefined ? NaN : this.#number(inner, level + 1);
    });
  }

  number(value: Expression): number {
    if (typeof value === 'number') return value;
    try {
      const names: string[] = [];
      const program = compileExpression(value, (name) => names.push(name) - 1);
      const byId = new Map([...this.#parameterIds].map(([name, id]) => [id, name]));
      const slots = Float64Array.from(names, (id) => {
        const formula = this.#parameterFormulas.get(byId.get(id) ?? '');
        return formula === undefined ? NaN : this.#number(formula, 0);
      });
      runExpression(program, slots);
      return program.stack[0];
    } catch {
      return NaN;
    }
  }

  add(
    path: string,
    type: string,
    pins: Readonly<Record<string, string>>,
    fields: Omit<TypedElement, 'type'> = {},
  ): string {
    const key = path.toLowerCase();
    if (this.#byPath.has(key)) {
      const { statement } = this.#element ?? { statement: null };
      throw new NetlistError(
        'netlist-twice',
        `“${path}” stands twice in the netlist.`,
        'Give one of them another name.',
        statement?.place ?? this.start,
      );
    }
    const id = this.#ids.of(path, 'x');
    const component = { id, type, ...fields };
    this.#components.push(component);
    this.#byPath.set(key, component);
    this.#pathOf.set(id, key);
    for (const [pin, node] of Object.entries(pins)) this.#join(node, `${id}.${pin}`);
    return id;
  }

  #join(node: string, end: string): void {
    const ends = this.#nets.get(node);
    if (ends === undefined) this.#nets.set(node, [end]);
    else ends.push(end);
  }

  inner(path: string): string {
    this.#inner++;
    return `${path.toLowerCase()}:${this.#inner}`;
  }

  sense(path: string, component: string, place: Place): void {
    this.#senses.push({ path, component, place });
  }

  gate(component: string, text: () => string): void {
    this.#later.push(() => {
      const found = this.#byPath.get(this.#pathOf.get(component) ?? '');
      if (found !== undefined) found['gate'] = text();
    });
  }

  nodeSignal(node: string): string {
    if (node === '0') return '0';
    if (!this.#nets.has(node)) this.#nets.set(node, []);
    return `${this.#netId(node)}.v`;
  }

  currentSignal(path: string, place: Place): string {
    return `${this.#found(path, place).id}.i`;
  }

  couple(component: string, inductors: readonly string[], place: Place): void {
    this.#later.push(() => {
      const ids = inductors.map((path) => this.#found(path, place).id);
      const found = this.#byPath.get(this.#pathOf.get(component) ?? '');
      if (found !== undefined) found['inductors'] = ids;
    });
  }

  #found(path: string, place: Place): ComponentDocument {
    const found = this.#byPath.get(path);
    if (found !== undefined) return found;
    throw new NetlistError(
      'netlist-missing',
      `There is no element “${path}”.`,
      'Name one that stands in the same circuit.',
      place,
    );
  }

  initialVoltage(a: string, b: string): Expression | null {
    const of = (node: string): Expression | undefined =>
      node === '0' ? 0 : (this.#initial.get(node) ?? (this.#transient.usesInitial ? 0 : undefined));
    if (!this.#initial.has(a) && !this.#initial.has(b)) return null;
    const [va, vb] = [of(a), of(b)];
    if (va === undefined || vb === undefined) return null;
    if (vb === 0) return va;
    return typeof va === 'number' && typeof vb === 'number' ? va - vb : `(${va}) - (${vb})`;
  }

  table(points: readonly (readonly [number, number])[]): string {
    const id = `points${this.#tables.length + 1}`;
    this.#tables.push({ id, t: points.map(([t]) => t), y: points.map(([, y]) => y) });
    return id;
  }

  stored(hasInitial: boolean): void {
    if (!hasInitial) this.#lacksInitial = true;
  }

  source(startsAtZero: boolean): void {
    if (!startsAtZero) this.#startsDriven = true;
  }

  warn(code: string, message: string, remedy: string, place: Place): void {
    this.issues.add('warning', code, message, remedy, place);
  }

  note(code: string, message: string, remedy: string, place: Place): void {
    this.issues.add('note', code, message, remedy, place);
  }

  #commands(): Transient {
    let transient: Transient | null = null;
    for (const command of this.flat.commands) {
      if (command.kind !== 'plain') continue;
      const head = command.head.toLowerCase();
      this.issues.guard(() => {
        if (head === '.tran') transient = this.#transientOf(command);
        else if (head === '.ic') this.#initialOf(command);
        else if (LEFT_OUT.has(head))
          this.note(
            'netlist-command',
            `“${head}” is left out.`,
            head === '.step'
              ? 'Sweep the parameter in the analyses of the model.'
              : 'What it asks for is found in views and analyses of the model.',
            command.place,
          );
        else
          this.warn(
            'netlist-command',
            `The command “${command.head}” is not known, and left out.`,
            'Look whether the circuit needs it.',
            command.place,
          );
      });
    }
    if (transient === null) {
      this.warn(
        'netlist-tran',
        'The netlist has no .tran: nothing says how long a run is.',
        'Set the end and the step of the run in the model.',
        this.start,
      );
      return DEFAULT_TRANSIENT;
    }
    return transient;
  }

  /** `.tran step end [start [largest]] [UIC]`; a single time is the end. */
  #transientOf({ items, place }: Extract<Statement, { kind: 'plain' }>): Transient {
    const words = items.flatMap((item) => (item.kind === 'word' ? [item.text.toLowerCase()] : []));
    const usesInitial = words.includes('uic');
    const times = items.filter(
      (item) => item.kind === 'formula' || (item.kind === 'word' && /^[-+.\d]/.test(item.text)),
    );
    const [first, second, from, largest] = times.map((item) => this.value(item));
    const end = second ?? first;
    if (end === undefined || !(this.number(end) > 0))
      throw new NetlistError(
        'netlist-tran',
        'This run has no end after its start.',
        'Write .tran STEP END.',
        place,
      );
    if (from !== undefined && this.number(from) > 0)
      this.note(
        'netlist-tran',
        'What comes before the first time of .tran is recorded too.',
        'Nothing is lost.',
        place,
      );
    const length = this.number(end);
    const given = [second === undefined ? undefined : first, largest]
      .flatMap((value) => (value === undefined ? [] : [this.number(value)]))
      .filter((value) => value > 0);
    // A step of SPICE is adapted; this one is as long all the way.
    const step = Math.max(Math.min(...given, length / 1000), length / 10_000_000);
    return { step, end, usesInitial };
  }

  /** `.ic v(node)=value …` */
  #initialOf({ items, place }: Extract<Statement, { kind: 'plain' }>): void {
    for (const item of items) {
      const [inner] = item.kind === 'setting' && item.key === 'v' ? (item.group ?? []) : [];
      if (item.kind !== 'setting' || inner?.kind !== 'word')
        throw new NetlistError(
          'netlist-ic',
          'An initial condition is the voltage of a node.',
          'Write .ic v(NODE)=VALUE.',
          item.place ?? place,
        );
      this.#initial.set(this.flat.top.node(inner.text), this.value(item.value));
    }
  }

  #netId(node: string): string {
    const known = this.#netIds.get(node);
    if (known !== undefined) return known;
    const id = this.#ids.of(node, 'n');
    this.#netIds.set(node, id);
    return id;
  }

  /** Puts the controls of sources by a current behind the element whose current it is. */
  #insertSenses(): void {
    for (const { path, component, place } of this.#senses) {
      this.issues.guard(() => {
        const { id, type } = this.#found(path, place);
        const pins = componentTypes.get(type)?.definition.pins ?? [];
        const second = pins.at(-1)?.name ?? 'n';
        const end = `${id}.${pins.length === 2 ? second : 'n'}`;
        const found = [...this.#nets].find(([, ends]) => ends.includes(end));
        if (found === undefined)
          throw new NetlistError(
            'netlist-missing',
            `The current of “${path}” cannot be measured.`,
            'Put a voltage source of 0 V in series, and name that.',
            place,
          );
        const [node, ends] = found;
        ends[ends.indexOf(end)] = `${component}.cn`;
        this.#nets.set(this.inner(path), [end, `${component}.cp`]);
        if (!this.#nets.has(node)) this.#nets.set(node, ends);
      });
    }
  }

  finish(file: string, places: Places | null): ModelDocument {
    // Signals of nodes are named as they are written: their ids come before those of inner nodes.
    for (const node of this.#nets.keys()) if (node !== '0' && !node.includes(':')) this.#netId(node);
    this.#insertSenses();
    for (const action of this.#later) this.issues.guard(action);
    this.#checkStart();
    const layout: LayoutDocument = { nodes: {} };
    const wires: WireDocument[] = [];
    for (const [node, ends] of this.#nets) {
      if (node === '0' || ends.length === 0) continue;
      wires.push({ id: this.#netId(node), ends });
    }
    wires.push(...this.#grounded(places, layout));
    if (places !== null) this.#place(places, layout);
    return {
      formatVersion: 3,
      title: this.flat.title === '' ? file.replace(/\.[^.]*$/, '') : this.flat.title.slice(0, 200),
      description: `Imported from ${file}.`,
      parameters: this.#parameters(),
      ...(this.#tables.length > 0 && { tables: this.#tables }),
      systems: [],
      interactions: [],
      components: this.#components,
      wires,
      simulation: {
        scheme: 'time-stepping',
        t0: 0,
        tEnd: this.#transient.end,
        h: this.#transient.step,
        integrators: [{ type: 'EulerMoreau', theta: 1, thetaR: 1 }],
        problem: { type: 'auto' },
        solver: { type: 'auto' },
      },
      observables: [],
      scripts: [],
      views: this.#views(),
      layout,
    };
  }

  /** A ground for each pin at zero, so that no wire runs through the whole drawing. */
  #grounded(places: Places | null, layout: LayoutDocument): WireDocument[] {
    const ends = this.#nets.get('0') ?? [];
    if (ends.length === 0) {
      this.issues.add(
        'error',
        'netlist-ground',
        'No element is connected to ground.',
        'Call one node 0: voltages are measured from it.',
        this.start,
      );
      return [];
    }
    if (places !== null && places.grounds.length > 0) {
      const grounds = places.grounds.map(({ x, y }) => {
        const id = this.#ids.of('GND', 'x');
        this.#components.push({ id, type: 'Ground' });
        layout.nodes[id] = { x, y: y + 20 };
        return `${id}.p`;
      });
      return [{ id: this.#netId('0'), ends: [...ends, ...grounds] }];
    }
    return ends.map((end) => {
      const id = this.#ids.of('GND', 'x');
      this.#components.push({ id, type: 'Ground' });
      return { id: this.#ids.of('gnd', 'n'), ends: [end, `${id}.p`] };
    });
  }

  #place(places: Places, layout: LayoutDocument): void {
    for (const { id, type } of this.#components) {
      const place = places.place(this.#pathOf.get(id) ?? '', type);
      if (place !== null) layout.nodes[id] = place;
    }
    const wires: NonNullable<LayoutDocument['wires']> = {};
    for (const [node, id] of this.#netIds) {
      const lines = places.wires(node);
      if (lines.length > 0) wires[id] = lines;
    }
    if (Object.keys(wires).length > 0) layout.wires = wires;
  }

  /** SPICE looks for the state in which nothing moves, unless UIC is given. */
  #checkStart(): void {
    if (this.#transient.usesInitial || !this.#lacksInitial || !this.#startsDriven) return;
    this.warn(
      'netlist-start',
      'SPICE would begin in the state of rest under the sources at the start; here capacitors and inductors without IC= begin at zero.',
      'Give them IC=, and .tran the word UIC; or let the circuit settle first.',
      this.start,
    );
  }

  #parameters(): ParameterDocument[] {
    return [...this.#parameterFormulas].flatMap(([name, formula]) => {
      const id = this.#parameterIds.get(name) ?? name;
      try {
        return [{ name: id, value: this.expression(formula) }];
      } catch (error) {
        if (!(error instanceof NotConstant) && !(error instanceof NetlistError)) throw error;
        const place = this.flat.parameters.find((one) => one.name === name)?.place ?? this.start;
        if (error instanceof NetlistError) this.issues.fail(error);
        else
          this.issues.add(
            'error',
            'netlist-parameter',
            `The parameter “${name}” is no constant.`,
            'Write what changes with time at the source.',
            place,
          );
        return [];
      }
    });
  }

  #views(): ModelDocument['views'] {
    const nodes = [...this.#netIds].filter(
      ([node]) => node !== '0' && !node.includes(':') && !node.includes('.'),
    );
    const currents = this.#components.filter(
      ({ type, id }) => hasCurrent(type) && !(this.#pathOf.get(id) ?? '').includes('.'),
    );
    const shown = (type: string): number => ORDER.findIndex((one) => type.includes(one));
    const chosen = [...currents].sort((a, b) => shown(a.type) - shown(b.type)).slice(0, 8);
    return [
      {
        type: 'time-series',
        id: 'voltages',
        title: 'Node voltages',
        signals: nodes.slice(0, 8).map(([, id]) => `${id}.v`),
      },
      { type: 'time-series', id: 'currents', title: 'Currents', signals: chosen.map(({ id }) => `${id}.i`) },
    ].filter(({ signals }) => signals.length > 0) as ModelDocument['views'];
  }
}

/** What is looked at first. */
const ORDER = ['Inductor', 'Diode', 'Switch', 'Voltage', 'Resistor', 'Capacitor', ''];

const hasCurrent = (type: string): boolean =>
  componentTypes.get(type)?.definition.quantities.some(({ name }) => name === 'i') ?? false;

/** A value that is to be a constant is none, or is too long. */
class NotConstant extends Error {}

/** Whether the first parenthesis is closed by the last. */
function isOnePair(text: string): boolean {
  let depth = 0;
  for (let k = 0; k < text.length; k++) {
    if (text[k] === '(') depth++;
    if (text[k] === ')') depth--;
    if (depth === 0) return k === text.length - 1;
  }
  return false;
}
