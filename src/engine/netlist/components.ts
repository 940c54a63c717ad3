/** Elements of a flat netlist as components, one function for each letter. */
import type { Expression, TypedElement } from '../document/types';
import type { Element, Model } from './circuit';
import { formulaOfItem } from './circuit';
import { binary, type Formula, has, linearForm, type LinearForm, number, probe } from './formula';
import { closest } from '../closest';
import { NetlistError, type Place } from './source';
import { type SourceContext, sourceShape } from './sources';
import type { Item, Statement } from './statements';

/** What elements are added to. */
export interface Drawing extends SourceContext {
  /**
   * @param pins nodes by the pins of the component
   * @returns its id
   */
  add(path: string, type: string, pins: Readonly<Record<string, string>>, fields?: Fields): string;
  /** a node that nothing else knows */
  inner(path: string): string;
  /** a formula as a field; @param isTimed whether it may depend on the time */
  expression(formula: Formula, isTimed?: boolean): Expression;
  numberOf(formula: Formula): number;
  /** pins between which a current is measured: put in series with the second pin of an element */
  sense(path: string, component: string, place: Place): void;
  /** expression of signals, once all elements have their names */
  gate(component: string, text: () => string): void;
  /** signal of a node; `0` of ground */
  nodeSignal(node: string): string;
  /** signal of the current of an element */
  currentSignal(path: string, place: Place): string;
  couple(component: string, inductors: readonly string[], place: Place): void;
  /** initial voltage by nodes; null where it is not given */
  initialVoltage(a: string, b: string): Expression | null;
  /** what the start of a run depends on */
  stored(hasInitial: boolean): void;
  source(startsAtZero: boolean): void;
  warn(code: string, message: string, remedy: string, place: Place): void;
}

type Fields = Omit<TypedElement, 'type'>;
type Plain = Extract<Statement, { kind: 'plain' }>;
type Setting = Extract<Item, { kind: 'setting' }>;
type Add = (element: Element, parts: Parts, drawing: Drawing) => void;

/** A statement sorted: words and values in their order, settings apart. */
class Parts {
  readonly items: readonly Item[];
  readonly settings: readonly Setting[];
  #at = 0;

  constructor(
    readonly statement: Plain,
    private readonly element: Element,
  ) {
    this.items = statement.items.filter(({ kind }) => kind !== 'setting');
    this.settings = statement.items.filter((item) => item.kind === 'setting');
  }

  get place(): Place {
    return this.statement.place;
  }

  /** the next item; @throws {NetlistError} where the statement ends */
  next(what: string): Item {
    const item = this.items[this.#at++];
    if (item !== undefined) return item;
    throw new NetlistError(
      'netlist-missing',
      `“${this.statement.head}” has no ${what}.`,
      'Complete the statement.',
      this.place,
    );
  }

  peek(): Item | undefined {
    return this.items[this.#at];
  }

  rest(): readonly Item[] {
    const rest = this.items.slice(this.#at);
    this.#at = this.items.length;
    return rest;
  }

  word(what: string): string {
    const item = this.next(what);
    if (item.kind === 'word') return item.text;
    throw new NetlistError('netlist-missing', `A ${what} stands here.`, 'Write its name.', item.place);
  }

  node(what: string): string {
    return this.element.names.node(this.word(what));
  }

  setting(...keys: string[]): Item | undefined {
    return this.settings.find(({ key }) => keys.includes(key))?.value;
  }

  /** a value that stands in its place, or as one of the settings */
  valueItem(what: string, ...keys: string[]): Item {
    return this.setting(...keys) ?? this.next(what);
  }

  /** Says what is left; what changes the circuit is refused. */
  finish(drawing: Drawing, known: readonly string[] = []): void {
    for (const { key, place } of this.settings) {
      if (known.includes(key)) continue;
      if (HARMLESS.has(key))
        drawing.warn(
          'netlist-not-modelled',
          `“${key}” is not modelled.`,
          'The element is as if it were not given.',
          place,
        );
      else
        throw new NetlistError(
          'netlist-setting',
          `“${key}” is not known here.`,
          'Remove it, or write what it does by elements of its own.',
          place,
        );
    }
    const left = this.peek();
    if (left !== undefined)
      throw new NetlistError(
        'netlist-surplus',
        `“${this.statement.head}” is complete before this.`,
        'Remove what is too much.',
        left.place,
      );
  }
}

/** Temperature, noise, ratings: they leave the circuit at the usual temperature as it is. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['tc', 'tc1', 'tc2', 'tce', 'temp', 'dtemp', 'noisy', 'noiseless', 'ac', 'tol', 'pwr'],
  ...['v', 'irms', 'ipk', 'mfg', 'type', 'pn', 'bv_max'],
]);

/** Resistances that LTspice puts in series with an element; beyond them it is the element itself. */
function inSeries(parts: Parts, element: Element, drawing: Drawing, to: string): string {
  const given = parts.setting('rser');
  if (given === undefined) return to;
  const resistance = drawing.value(given);
  if (drawing.number(resistance) === 0) return to;
  const middle = drawing.inner(element.path);
  drawing.add(`${element.path}.rser`, 'Resistor', { a: middle, b: to }, { resistance });
  return middle;
}

function resistor(element: Element, parts: Parts, drawing: Drawing): void {
  const pins = { a: parts.node('first node'), b: parts.node('second node') };
  const resistance = drawing.value(parts.valueItem('value', 'r'));
  parts.finish(drawing, ['r']);
  drawing.add(element.path, 'Resistor', pins, { resistance });
}

function capacitor(element: Element, parts: Parts, drawing: Drawing): void {
  const [a, b] = [parts.node('first node'), parts.node('second node')];
  const capacitance = drawing.value(parts.valueItem('value', 'c'));
  const ic = parts.setting('ic');
  const v0 = ic === undefined ? drawing.initialVoltage(a, b) : drawing.value(ic);
  parts.finish(drawing, ['c', 'ic', 'rser']);
  drawing.stored(v0 !== null);
  const pins = { a, b: inSeries(parts, element, drawing, b) };
  drawing.add(element.path, 'Capacitor', pins, { capacitance, ...(v0 === null ? {} : { v0 }) });
}

function inductor(element: Element, parts: Parts, drawing: Drawing): void {
  const [a, b] = [parts.node('first node'), parts.node('second node')];
  const inductance = drawing.value(parts.valueItem('value', 'l'));
  const ic = parts.setting('ic');
  parts.finish(drawing, ['l', 'ic', 'rser']);
  drawing.stored(ic !== undefined);
  const pins = { a, b: inSeries(parts, element, drawing, b) };
  const initial = ic === undefined ? {} : { i0: drawing.value(ic) };
  drawing.add(element.path, 'Inductor', pins, { inductance, ...initial });
}

function coupling(element: Element, parts: Parts, drawing: Drawing): void {
  const all = parts.rest();
  const value = all.at(-1);
  const named = all.slice(0, -1);
  if (value === undefined || named.length < 2)
    throw new NetlistError(
      'netlist-missing',
      `“${parts.statement.head}” couples two inductors or more.`,
      'Write their names, then the coupling.',
      parts.place,
    );
  parts.finish(drawing);
  const inductors = named.map((item) => element.names.element(item.kind === 'word' ? item.text : ''));
  const id = drawing.add(element.path, 'Coupling', {}, { coupling: drawing.value(value) });
  drawing.couple(id, inductors, parts.place);
}

const SOURCE_TYPES = {
  v: {
    constant: 'VoltageSource',
    expression: 'VoltageSource',
    sine: 'SineVoltage',
    pulse: 'PulseVoltage',
    table: 'TableVoltage',
  },
  i: {
    constant: 'CurrentSource',
    expression: 'CurrentSource',
    sine: 'SineCurrent',
    pulse: 'PulseCurrent',
    table: 'TableCurrent',
  },
} as const;
const VALUE_KEY = { v: 'voltage', i: 'current' } as const;

const independent =
  (of: 'v' | 'i'): Add =>
  (element, parts, drawing) => {
    const [p, n] = [parts.node('plus node'), parts.node('minus node')];
    const items = [...parts.rest(), ...parts.settings];
    // The order of words and settings does not matter to sources, except behind their function.
    const inOrder = parts.statement.items.slice(parts.statement.items.length - items.length);
    const { shape, fields, settings, startsAtZero } = sourceShape(
      inOrder.length === items.length ? inOrder : items,
      drawing,
      parts.place,
    );
    const unknown = settings.find(({ key }) => key !== 'rser');
    if (unknown !== undefined)
      throw new NetlistError(
        'netlist-setting',
        `“${unknown.key}” of a source is not known.`,
        'Remove it, or write what it does by elements of its own.',
        unknown.place,
      );
    drawing.source(startsAtZero);
    const all = 'value' in fields ? { [VALUE_KEY[of]]: fields.value } : fields;
    const pins = { p, n: of === 'v' ? inSeries(parts, element, drawing, n) : n };
    drawing.add(element.path, SOURCE_TYPES[of][shape], pins, all);
  };

const CONTROLLED = {
  v: {
    v: { type: 'VoltageControlledVoltage', key: 'gain' },
    i: { type: 'CurrentControlledVoltage', key: 'transresistance' },
  },
  i: {
    v: { type: 'VoltageControlledCurrent', key: 'transconductance' },
    i: { type: 'CurrentControlledCurrent', key: 'gain' },
  },
} as const;

/** E and G */
const byVoltage =
  (of: 'v' | 'i'): Add =>
  (element, parts, drawing) => {
    const [p, n] = [parts.node('plus node'), parts.node('minus node')];
    const behaviour = parts.setting('value', 'vol', 'cur', of);
    if (behaviour !== undefined) {
      parts.finish(drawing, ['value', 'vol', 'cur', of]);
      behave(element, { p, n }, of, formulaOfItem(behaviour), parts.place, drawing);
      return;
    }
    const first = parts.peek();
    const word = first?.kind === 'word' ? first.text.toLowerCase() : '';
    if (word === 'value') {
      parts.next('value');
      const formula = formulaOfItem(parts.next('value'));
      parts.finish(drawing);
      behave(element, { p, n }, of, formula, parts.place, drawing);
    } else if (word === 'poly') polynomial(element, parts, of, 'v', { p, n }, drawing);
    else if (word === 'table' || word === 'laplace' || word === 'freq')
      throw notLinear(parts.place, `“${word}” of a controlled source is not modelled.`);
    else {
      const pins = {
        cp: parts.node('plus node of the control'),
        cn: parts.node('minus node of the control'),
      };
      const { type, key } = CONTROLLED[of].v;
      const factor = drawing.value(parts.valueItem('gain', 'gain'));
      parts.finish(drawing, ['gain']);
      drawing.add(element.path, type, { p, n, ...pins }, { [key]: factor });
    }
  };

/** F and H */
const byCurrent =
  (of: 'v' | 'i'): Add =>
  (element, parts, drawing) => {
    const [p, n] = [parts.node('plus node'), parts.node('minus node')];
    const first = parts.peek();
    if (first?.kind === 'word' && first.text.toLowerCase() === 'poly') {
      polynomial(element, parts, of, 'i', { p, n }, drawing);
      return;
    }
    const source = element.names.element(parts.word('voltage source that is looked at'));
    const { type, key } = CONTROLLED[of].i;
    const factor = drawing.value(parts.valueItem('gain', 'gain'));
    parts.finish(drawing, ['gain']);
    const id = drawing.add(element.path, type, { p, n }, { [key]: factor });
    drawing.sense(source, id, parts.place);
  };

/** POLY(n): its constant and linear part. */
function polynomial(
  element: Element,
  parts: Parts,
  of: 'v' | 'i',
  by: 'v' | 'i',
  pins: { p: string; n: string },
  drawing: Drawing,
): void {
  const { place } = parts.next('poly');
  const size = parts.next('number of controls');
  const count = drawing.number(drawing.value(size));
  if (!(count >= 1 && count <= 100)) throw notLinear(place, 'POLY has no number of controls.');
  const probes = Array.from({ length: count }, () =>
    probe(by, by === 'v' ? [parts.word('node'), parts.word('node')] : [parts.word('source')], place),
  );
  const coefficients = parts.rest().map(formulaOfItem);
  parts.finish(drawing);
  const higher = coefficients.slice(count + 1);
  if (higher.some((one) => one.kind !== 'number' || one.value !== 0))
    throw notLinear(place, 'Powers and products in POLY are not modelled.');
  // Of one control alone a single coefficient is its gain.
  const [offset, ...factors] = coefficients.length === 1 ? [number(0), ...coefficients] : coefficients;
  const sum = probes.reduce(
    (left, right, k) => binary('+', left, binary('*', factors[k] ?? number(0), right)),
    offset ?? number(0),
  );
  behave(element, pins, of, sum, place, drawing);
}

const notLinear = (place: Place, message: string): NetlistError =>
  new NetlistError(
    'netlist-behaviour',
    message,
    'Sources follow the time, or sums of multiples of voltages and currents. Use switches and diodes for what bends.',
    place,
  );

/** A source by a formula of the time, or by a sum of multiples of voltages and currents. */
function behave(
  element: Element,
  pins: { p: string; n: string },
  of: 'v' | 'i',
  formula: Formula,
  place: Place,
  drawing: Drawing,
): void {
  const form = linearForm(element.names.resolve(formula));
  if (form === null) throw notLinear(place, 'This formula is not linear in voltages and currents.');
  const { rest } = form;
  const terms = form.terms.filter(({ probe: one }) => !isGround(one.names, element) || one.of === 'i');
  const hasRest = terms.length === 0 || !(rest.kind === 'number' && rest.value === 0);
  const count = terms.length + Number(hasRest);
  let from = pins.p;
  let made = 0;
  // Voltages add up in series, currents side by side.
  const next = (): { path: string; p: string; n: string } => {
    made++;
    const path = made === 1 ? element.path : `${element.path}.${made}`;
    if (of === 'i') return { path, ...pins };
    const p = from;
    from = made === count ? pins.n : drawing.inner(element.path);
    return { path, p, n: from };
  };
  if (hasRest) {
    const { path, ...ends } = next();
    const value = drawing.expression(rest, true);
    drawing.source(drawing.number(value) === 0);
    drawing.add(path, SOURCE_TYPES[of].expression, ends, { [VALUE_KEY[of]]: value });
  }
  for (const { probe: looked, factor } of terms) controlled(element, of, next(), looked, factor, drawing);
}

const isGround = (names: readonly string[], { names: around }: Element): boolean =>
  names.every((one) => around.node(one) === '0');

function controlled(
  element: Element,
  of: 'v' | 'i',
  { path, ...ends }: { path: string; p: string; n: string },
  looked: LinearForm['terms'][number]['probe'],
  factor: Formula,
  drawing: Drawing,
): void {
  const { type, key } = CONTROLLED[of][looked.of];
  const fields = { [key]: drawing.expression(factor) };
  if (looked.of === 'v') {
    const [plus, minus = '0'] = looked.names;
    const control = { cp: element.names.node(plus), cn: element.names.node(minus) };
    drawing.add(path, type, { ...ends, ...control }, fields);
    return;
  }
  const id = drawing.add(path, type, ends, fields);
  drawing.sense(element.names.element(looked.names[0]), id, looked.place);
}

function modelOf(element: Element, item: Item, types: readonly string[]): Model {
  const written = item.kind === 'word' ? item.text : '';
  const found = element.names.model(written);
  if (found === null) {
    const meant = closest(written.toLowerCase(), element.names.modelNames);
    throw new NetlistError(
      'netlist-model',
      `There is no model “${written}”.`,
      meant === null
        ? `Define it, such as .model ${written === '' ? 'NAME' : written} ${types[0].toUpperCase()}(…), or include the file that does.`
        : `Did you mean ${meant}?`,
      item.place,
    );
  }
  if (!types.includes(found.type))
    throw new NetlistError(
      'netlist-model',
      `The model “${found.name}” is one of type ${found.type.toUpperCase()}, not ${types[0].toUpperCase()}.`,
      'Choose another model.',
      item.place,
    );
  return found;
}

/** Values of a model by key; those that are not taken are said at the model. */
function modelValues(
  model: Model,
  taken: readonly string[],
  element: Element,
  drawing: Drawing,
): Map<string, Expression> {
  const values = new Map<string, Expression>();
  const left: string[] = [];
  for (const item of model.settings) {
    if (item.kind !== 'setting') {
      if (item.kind === 'word') left.push(item.text);
    } else if (taken.includes(item.key))
      values.set(item.key, drawing.expression(element.names.resolve(formulaOfItem(item.value))));
    else left.push(item.key.toUpperCase());
  }
  if (left.length > 0)
    drawing.warn(
      'netlist-not-modelled',
      `Of the model “${model.name}”, ${left.join(', ')} ${left.length === 1 ? 'is' : 'are'} not modelled.`,
      model.type === 'd'
        ? 'The diode is ideal, with the on-resistance RS, the forward voltage VF and the breakdown BV where they are given.'
        : 'The switch is ideal, with the on-resistance RON, the off-resistance ROFF and the threshold.',
      model.place,
    );
  return values;
}

/** D: ideal, with resistance, forward voltage and breakdown where the model gives them. */
function diode(element: Element, parts: Parts, drawing: Drawing): void {
  const pins = { a: parts.node('anode'), k: parts.node('cathode') };
  const model = modelOf(element, parts.next('model'), ['d']);
  const area = parts.peek();
  const isArea = area?.kind === 'word' ? area.text.toLowerCase() !== 'off' : area !== undefined;
  const scale = isArea ? drawing.value(parts.next('area')) : 1;
  if (parts.peek()?.kind === 'word') parts.next('off');
  parts.finish(drawing, ['ic', 'temp', 'dtemp', 'pj', 'off']);
  const given = modelValues(model, ['rs', 'ron', 'vf', 'vfwd', 'bv', 'vrev'], element, drawing);
  const resistance = given.get('ron') ?? given.get('rs') ?? 0;
  const forward = given.get('vfwd') ?? given.get('vf') ?? 0;
  const breakdown = given.get('vrev') ?? given.get('bv');
  const fields = {
    ...(forward === 0 ? {} : { forwardVoltage: forward }),
    ...(resistance === 0 ? {} : { onResistance: scale === 1 ? resistance : over(resistance, scale) }),
  };
  if (breakdown === undefined) drawing.add(element.path, 'Diode', pins, fields);
  else drawing.add(element.path, 'Zener', pins, { breakdown, ...fields });
}

const over = (a: Expression, b: Expression): Expression =>
  typeof a === 'number' && typeof b === 'number' ? a / b : `(${a})/(${b})`;

/** S and W */
const switched =
  (by: 'v' | 'i'): Add =>
  (element, parts, drawing) => {
    const pins = { a: parts.node('first node'), b: parts.node('second node') };
    const control =
      by === 'v'
        ? [parts.node('plus node of the control'), parts.node('minus node of the control')]
        : [element.names.element(parts.word('voltage source that is looked at'))];
    const { place } = parts;
    const model = modelOf(element, parts.next('model'), by === 'v' ? ['sw', 'vswitch'] : ['csw', 'iswitch']);
    const start = parts.peek()?.kind === 'word' ? parts.word('on or off') : '';
    parts.finish(drawing, ['on', 'off']);
    const [threshold, hysteresis] = by === 'v' ? ['vt', 'vh'] : ['it', 'ih'];
    const given = modelValues(model, ['ron', 'roff', threshold, hysteresis], element, drawing);
    const apart = given.get(hysteresis) ?? 0;
    const width = drawing.number(apart);
    if (width < 0)
      drawing.warn(
        'netlist-hysteresis',
        `${hysteresis.toUpperCase()} of the model “${model.name}” is negative, which makes a switch that turns smoothly: here it turns at ${threshold.toUpperCase()}.`,
        'Nothing changes where the control passes the threshold quickly.',
        model.place,
      );
    const level = given.get(threshold) ?? 0;
    const id = drawing.add(element.path, 'Switch', pins, {
      onResistance: given.get('ron') ?? 1,
      ...(width > 0 && { hysteresis: apart }),
      ...(width > 0 && start.toLowerCase() === 'on' && { start: 'on' }),
    });
    drawing.gate(id, () => {
      const left =
        by === 'v'
          ? difference(drawing.nodeSignal(control[0]), drawing.nodeSignal(control[1]))
          : drawing.currentSignal(control[0], place);
      return `${left} > ${level}`;
    });
    const off = given.get('roff');
    if (off !== undefined && !(drawing.number(off) >= OPEN))
      drawing.add(`${element.path}.off`, 'Resistor', pins, { resistance: off });
  };

/** Ω: more than this is no connection. */
const OPEN = 1e9;

function difference(a: string, b: string): string {
  if (b === '0') return a;
  return a === '0' ? `-${b}` : `${a} - ${b}`;
}

const refused =
  (what: string, remedy: string): Add =>
  (_element, { place }) => {
    throw new NetlistError('netlist-element', `${what} is not modelled.`, remedy, place);
  };

const SWITCH_REMEDY =
  'As a switch, write S with a model SW, and a diode against it where there is one; a MOSFET in the drawing is both.';

const ELEMENTS: Readonly<Record<string, Add>> = {
  r: resistor,
  c: capacitor,
  l: inductor,
  k: coupling,
  v: independent('v'),
  i: independent('i'),
  e: byVoltage('v'),
  g: byVoltage('i'),
  f: byCurrent('i'),
  h: byCurrent('v'),
  d: diode,
  s: switched('v'),
  w: switched('i'),
  m: refused('A MOSFET (M)', SWITCH_REMEDY),
  q: refused('A bipolar transistor (Q)', SWITCH_REMEDY),
  j: refused('A junction transistor (J)', SWITCH_REMEDY),
  z: refused('A MESFET or IGBT (Z)', SWITCH_REMEDY),
  t: refused('A transmission line (T)', 'Write it as inductors and capacitors in a row.'),
  o: refused('A lossy line (O)', 'Write it as resistors, inductors and capacitors in a row.'),
  u: refused('A distributed line (U)', 'Write it as resistors and capacitors in a row.'),
  y: refused('A lossy line (Y)', 'Write it as resistors, inductors and capacitors in a row.'),
  a: refused('A code model (A)', 'Write what it does by other elements.'),
  p: refused('A coupled line (P)', 'Write it as inductors and capacitors in a row.'),
};

/** @throws {NetlistError} for elements that are not complete, not known or not modelled */
export function addElement(element: Element, drawing: Drawing): void {
  const { statement } = element;
  if (statement.kind === 'behaviour') {
    const [first, second] = statement.nodes.map((item) =>
      element.names.node(item.kind === 'word' ? item.text : ''),
    );
    const [other] = statement.settings;
    if (other !== undefined)
      throw new NetlistError(
        'netlist-setting',
        'Nothing may follow the formula of a source.',
        'Remove it, or write what it does by elements of its own.',
        other.place,
      );
    behave(element, { p: first, n: second }, statement.of, statement.formula, statement.place, drawing);
    return;
  }
  if (statement.kind !== 'plain') return;
  const letter = statement.head.charAt(0).toLowerCase();
  if (!Object.hasOwn(ELEMENTS, letter))
    throw new NetlistError(
      'netlist-element',
      statement.head === ''
        ? 'No element begins like this.'
        : `No element is called “${statement.head}”: its first letter says what it is.`,
      'Write R, C, L, K, V, I, E, F, G, H, B, D, S, W or X in front.',
      statement.place,
    );
  ELEMENTS[letter](element, new Parts(statement, element), drawing);
}

/** Whether a formula knows only numbers and parameters. */
export const isConstantFormula = (formula: Formula): boolean =>
  !has(formula, (part) => part.kind === 'probe' || (part.kind === 'name' && part.name === 'time'));
