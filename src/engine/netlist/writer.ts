/**
 * The writer of netlists: names and nodes, values and formulas, and lines in their order. What it writes of a
 * component says the component's own function (`export.ts`).
 */
import { flatten } from '../components/flatten';
import { ExpressionError } from '../document/expressions';
import { evaluateParameters, evaluateWith } from '../document/parameters';
import { tablesOf } from '../document/tables';
import type { ComponentDocument, Expression, ModelDocument } from '../document/types';
import type { ComponentDefinition } from '../model/components/component';
import { componentTypes } from '../model/components/registry';
import { periodsIn } from './gate-pulse';
import { Names, oneLine } from './names';
import { type TablePoint, tablePoints } from './points';
import { printed } from './printed';

/** Steps in a period of what jumps by a formula. */
const STEPS = 1000;

/** Something of a model has no counterpart in a netlist. */
export class NoCounterpart extends Error {
  constructor(
    readonly where: string,
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

/** What a component is in a netlist. */
export type Write = (component: ComponentDocument, writer: Writer) => void;

export class Writer {
  readonly warnings: string[] = [];
  readonly #lines: string[] = [];
  readonly #models: string[] = [];
  readonly #options = new Set<string>();
  readonly #names = new Names();
  readonly #modelNames = new Names();
  readonly #nodeNames = new Names(['0', 'gnd']);
  readonly #parameterNames = new Names(['time', 'temper', 'hertz', 'pi', 'e', 'i', 'v', 'temp', 'vt']);
  readonly #parameters: ReadonlyMap<string, string>;
  readonly #values: Readonly<Record<string, number>>;
  /** node by pin */
  readonly #nodes = new Map<string, string>();
  readonly #nodeOfWire = new Map<string, string>();
  /** name of the voltage source whose current is that of an element */
  readonly #ammeters = new Map<string, string>();
  readonly #components: ReadonlyMap<string, ComponentDocument>;
  readonly #wires: readonly { readonly id: string; readonly ends: readonly string[] }[];

  /** @param writers by type of component */
  constructor(
    private readonly document: ModelDocument,
    private readonly writers: Readonly<Record<string, Write | undefined>>,
  ) {
    this.#values = evaluateParameters(document.parameters).values;
    this.#parameters = new Map(document.parameters.map(({ name }) => [name, this.#parameterNames.of(name)]));
    const { components, wires } = flatten(document, () => undefined);
    this.#components = new Map(components.map((one) => [one.id, one]));
    this.#wires = wires;
  }

  write(): string {
    const { title, systems, interactions, simulation } = this.document;
    const other = [...systems, ...interactions][0];
    if (other !== undefined)
      throw new NoCounterpart(
        other.id,
        `“${other.id}” is no component.`,
        'A netlist has components only: remove it, or draw it as one.',
      );
    if (this.#components.size === 0)
      throw new NoCounterpart('', 'The model has no components.', 'A netlist is made of a drawn circuit.');
    this.#connect();
    const all = [...this.#components.values()];
    // Names of elements come first, so that sources and gates can speak of what stands below them.
    for (const component of all) this.#name(component);
    for (const component of all) {
      const writeOne = this.writers[component.type];
      if (writeOne === undefined)
        throw new NoCounterpart(
          component.id,
          `“${component.id}” has no counterpart in a netlist.`,
          'Remove it, or replace it by others.',
        );
      try {
        writeOne(component, this);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        throw new NoCounterpart(
          component.id,
          `“${component.id}”: ${error.message}.`,
          'Write it by operators and functions that SPICE has.',
        );
      }
    }
    const [t0, tEnd, h] = [simulation.t0, simulation.tEnd, simulation.h].map((one) => this.evaluate(one));
    if (t0 !== 0) this.warnings.push(`The run begins at ${t0} s; ngspice begins at 0.`);
    const parameters = [...this.#parameters].map(([name, own]) => `.param ${own}=${this.#values[name]}`);
    return [
      oneLine(title) || 'Circuit',
      ...parameters,
      ...this.#lines,
      ...this.#models,
      ...Array.from(this.#options, (option) => `.options ${option}`),
      `.tran ${h} ${tEnd} 0 ${Math.min(h, this.#longest)} UIC`,
      '.end',
      '',
    ].join('\n');
  }

  /** Nodes of pins; what only measures a current of the element beside it joins two of them. */
  #connect(): void {
    const isSignal = (end: string): boolean =>
      componentTypes
        .get(this.#components.get(ownerOf(end))?.type ?? '')
        ?.definition.pins.find(({ name }) => end === `${ownerOf(end)}.${name}`)?.domain === 'signal';
    const signal = this.#wires.find(({ ends }) => ends.some(isSignal));
    if (signal !== undefined)
      throw new NoCounterpart(
        signal.id,
        `“${signal.id}” is a signal, which has no counterpart in a netlist.`,
        'Remove it, and write what it gives as an expression of a source or a gate.',
      );
    const wireOf = new Map(this.#wires.flatMap((wire) => wire.ends.map((end) => [end, wire] as const)));
    const isGround = (wire: { ends: readonly string[] }): boolean =>
      wire.ends.some((end) => this.#components.get(ownerOf(end))?.type === 'Ground');
    const same = new Map<string, string>();
    for (const { id, type } of this.#components.values()) {
      if (!type.startsWith('CurrentControlled')) continue;
      const source = this.#inSeries(id, wireOf);
      const [from, to] = [wireOf.get(`${id}.cp`), wireOf.get(`${id}.cn`)];
      if (source === null || from === undefined || to === undefined) continue;
      this.#ammeters.set(`${id}.c`, source);
      same.set(from.id, to.id);
    }
    const root = (id: string): string => {
      let at = id;
      for (let next = same.get(at); next !== undefined; next = same.get(at)) at = next;
      return at;
    };
    const grounded = new Set(this.#wires.filter(isGround).map(({ id }) => root(id)));
    const names = new Map<string, string>();
    for (const { id } of this.#wires) {
      const own = root(id);
      if (own === id) names.set(id, grounded.has(id) ? '0' : this.#nodeNames.of(id));
    }
    for (const { id, ends } of this.#wires) {
      const node = names.get(root(id)) ?? '0';
      this.#nodeOfWire.set(id, node);
      for (const end of ends) this.#nodes.set(end, node);
    }
  }

  /** Id of the voltage source whose minus goes nowhere but into a measured current. */
  #inSeries(
    id: string,
    wireOf: ReadonlyMap<string, { readonly ends: readonly string[] }>,
    level = 0,
  ): string | null {
    const wire = wireOf.get(`${id}.cp`);
    const other = wire?.ends.find((end) => end !== `${id}.cp`);
    if (wire?.ends.length !== 2 || other === undefined || level > this.#components.size) return null;
    const [owner, pin] = [ownerOf(other), lastOf(other)];
    const component = this.#components.get(owner);
    if (component === undefined) return null;
    if (pin === 'n' && isVoltageSource(component)) return owner;
    return pin === 'cn' && component.type.startsWith('CurrentControlled')
      ? this.#inSeries(owner, wireOf, level + 1)
      : null;
  }

  readonly #own = new Map<string, string>();

  #name(component: ComponentDocument): void {
    const letter = letterOf(component);
    if (letter === null) return;
    const name = this.#names.of(component.id, letter);
    this.#own.set(component.id, name);
    if (letter === 'V') this.#ammeters.set(component.id, name);
  }

  /** name of the element of a component */
  own({ id }: ComponentDocument): string {
    return this.#own.get(id) ?? id;
  }

  /** name of a further element, such as a source in series */
  further(id: string, letter: string): string {
    return this.#names.of(id, letter);
  }

  /** a node that only this component has */
  inner(id: string): string {
    return this.#nodeNames.of(id);
  }

  node({ id }: ComponentDocument, pin: string): string {
    const known = this.#nodes.get(`${id}.${pin}`);
    if (known !== undefined) return known;
    // A pin that nothing is connected to is a node by itself.
    const node = this.#nodeNames.of(`${id}_${pin}`);
    this.#nodes.set(`${id}.${pin}`, node);
    return node;
  }

  line(...words: readonly string[]): void {
    this.#lines.push(words.join(' '));
  }

  /** @returns the name of a new model */
  model(component: ComponentDocument, type: string, settings: string): string {
    const name = this.#modelNames.of(`${type}_${component.id}`);
    this.#models.push(`.model ${name} ${type}(${settings})`);
    return name;
  }

  /** Points of a table in the time of the run. */
  points({ id }: ComponentDocument, name: string): readonly TablePoint[] {
    const { tables, simulation } = this.document;
    const table = tablesOf(tables).get(name);
    const points = table && tablePoints(table, this.evaluate(simulation.t0), this.evaluate(simulation.tEnd));
    if (points !== undefined && points !== null) return points;
    throw new NoCounterpart(
      id,
      `“${id}” follows a table that is not there, or has too many points in this run.`,
      'Name another table, or shorten the run.',
    );
  }

  /** entries of a vector */
  numbers(component: ComponentDocument, key: string): number[] {
    const given = component[key];
    return Array.isArray(given) ? (given as Expression[]).map((one) => this.evaluate(one)) : [];
  }

  evaluate(value: Expression): number {
    return evaluateWith(value, this.#values);
  }

  /** how long a step may be where formulas jump, s */
  #longest = Infinity;

  /** A formula with edges that ngspice does not know of: steps have to resolve its periods. */
  resolve({ id }: ComponentDocument, text: string): void {
    const periods = periodsIn(text, (one, t) => this.at(one, t)).filter((period) => period > 0);
    if (periods.length === 0) return;
    const step = Math.min(...periods) / STEPS;
    this.#longest = Math.min(this.#longest, step);
    this.warn(
      `“${id}” jumps by a formula, whose edges ngspice does not know ahead: it makes steps of at most ${step} s.`,
    );
  }

  /** a text of time and parameters, at a time */
  at(text: string, t: number): number {
    return evaluateWith(text, { ...this.#values, t });
  }

  raw(component: ComponentDocument, key: string): Expression {
    const given = component[key] as Expression | undefined;
    if (given !== undefined) return given;
    const field = definitionOf(component)?.fields.find((one) => one.key === key);
    const { default: absent } = field ?? {};
    return typeof absent === 'number' || typeof absent === 'string' ? absent : 0;
  }

  number(component: ComponentDocument, key: string): number {
    return this.evaluate(this.raw(component, key));
  }

  /** a value, as a formula of the parameters where it is one */
  value(component: ComponentDocument, key: string): string {
    const raw = this.raw(component, key);
    if (typeof raw === 'number') return String(raw);
    // Suffixes and units are of this program; parameters stay what they are.
    const isFormula = [...this.#parameters.keys()].some((name) => new RegExp(`\\b${name}\\b`).test(raw));
    return isFormula && !/[?<>%]|\bmod\b/.test(raw)
      ? `{${this.formula(raw, false)}}`
      : String(this.evaluate(raw));
  }

  /** @param isBehaviour whether it stands in a behavioural source */
  formula(text: string, isBehaviour = true): string {
    return printed(text, (path) => this.nameOf(path, isBehaviour));
  }

  nameOf(path: string, isBehaviour: boolean): string {
    if (path === 't') return 'time';
    if (path === 'pi') return String(Math.PI);
    if (path === 'tau') return String(2 * Math.PI);
    const parameter = this.#parameters.get(path);
    if (parameter !== undefined) return isBehaviour ? `{${parameter}}` : parameter;
    const [owner, quantity] = [ownerOf(path), lastOf(path)];
    const node = this.#nodeOfWire.get(owner);
    if (node !== undefined && quantity === 'v') return node === '0' ? '0' : `v(${node})`;
    const component = this.#components.get(owner);
    if (component !== undefined && quantity === 'v') return this.#voltage(component);
    const ammeter = this.#ammeters.get(owner);
    if (quantity === 'i' && ammeter !== undefined) return `i(${ammeter})`;
    if (quantity === 'i' && component?.type === 'Resistor')
      return `(${this.#voltage(component)}/${this.number(component, 'resistance')})`;
    throw new ExpressionError(`“${path}” is not known to a netlist; put an ammeter in series, and name that`);
  }

  #voltage(component: ComponentDocument): string {
    const pins = definitionOf(component)?.pins.map(({ name }) => name) ?? [];
    const [a, b] = pins.includes('cp') ? ['p', 'n'] : pins;
    return `v(${this.node(component, a)}, ${this.node(component, b ?? a)})`;
  }

  /** name of the source that measures the control of a component; one of zero volts where there is none */
  sense(component: ComponentDocument): string {
    const series = this.#ammeters.get(`${component.id}.c`);
    const found = series === undefined ? undefined : this.#own.get(series);
    if (found !== undefined) return found;
    const name = this.further(`V_${component.id}`, 'V');
    this.line(name, this.node(component, 'cp'), this.node(component, 'cn'), '0');
    return name;
  }

  /** a node behind a voltage in series; the same one where there is none */
  behind(component: ComponentDocument, node: string, voltage: string): string {
    if (Number(voltage) === 0) return node;
    const next = this.inner(`${component.id}_f`);
    this.line(this.further(`V_${component.id}_f`, 'V'), node, next, voltage);
    return next;
  }

  /** How ngspice is to compute. */
  option(text: string): void {
    this.#options.add(text);
  }

  warn(text: string): void {
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }
}

/** The component of a pin or a signal, which may stand in sub-models. */
const ownerOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));
const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const definitionOf = ({ type }: ComponentDocument): ComponentDefinition | undefined =>
  componentTypes.get(type)?.definition;

export const isTimed = (value: unknown): boolean => typeof value === 'string' && /\bt\b/.test(value);

const LETTERS: Readonly<Record<string, string>> = {
  ...{ Resistor: 'R', Capacitor: 'C', Inductor: 'L', Coupling: 'K', IdealTransformer: 'E', OpAmp: 'E' },
  ...{ Comparator: 'B', SineVoltage: 'V', PulseVoltage: 'V', SawtoothVoltage: 'B', SineCurrent: 'I' },
  ...{ TableVoltage: 'V', TableCurrent: 'I', PiecewiseResistor: 'B', SaturatingInductor: 'B' },
  ...{ PulseCurrent: 'I', VoltageControlledVoltage: 'E', VoltageControlledCurrent: 'G' },
  ...{ CurrentControlledVoltage: 'H', CurrentControlledCurrent: 'F', Diode: 'D', Zener: 'D', Switch: 'S' },
  ...{ Mosfet: 'S', Igbt: 'S', Thyristor: 'S', Ammeter: 'V', PowerMeter: 'V' },
};

function letterOf(component: ComponentDocument): string | null {
  if (component.type === 'VoltageSource') return isTimed(component['voltage']) ? 'B' : 'V';
  if (component.type === 'CurrentSource') return isTimed(component['current']) ? 'B' : 'I';
  if (component.type === 'OpAmp' && component['upper'] !== undefined) return 'B';
  if (component.type === 'Switch' && byCurrent(component) !== null) return 'W';
  return (LETTERS as Readonly<Record<string, string | undefined>>)[component.type] ?? null;
}

const isVoltageSource = (component: ComponentDocument): boolean =>
  letterOf(component) === 'V' && component.type !== 'Ammeter' && component.type !== 'PowerMeter';

/** `V1.i > 2`, which a switch by current is */
export function byCurrent(component: ComponentDocument): { source: string; level: string } | null {
  const { gate } = component;
  const found = typeof gate === 'string' ? /^\s*(\w+)\.i\s*>\s*(.+)$/.exec(gate) : null;
  return found === null || /[<>?]|\bt\b|\./.test(found[2].replaceAll(/\d\.\d/g, ''))
    ? null
    : { source: found[1], level: found[2] };
}
