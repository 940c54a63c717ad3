/** Independent sources: what they give in time. */
import { pulseOf } from '../model/components/electrical/waveforms';
import type { Expression } from '../document/types';
import { pieces } from './formula';
import { NetlistError, type Place } from './source';
import type { Item } from './statements';

/** What sources ask of the netlist that they stand in. */
export interface SourceContext {
  /** a value as a field of a document */
  value(item: Item): Expression;
  note(code: string, message: string, remedy: string, place: Place): void;
  /** number of a value, NaN where it is not known before the run */
  number(value: Expression): number;
  /** keeps points of time and value in a table of the document; @returns its name */
  table(points: readonly (readonly [number, number])[]): string;
  /** end of the run, s */
  readonly end: Expression;
}

export interface SourceShape {
  readonly shape: 'constant' | 'sine' | 'pulse' | 'table' | 'expression';
  /** fields of the component; of a constant or an expression `value` */
  readonly fields: Readonly<Record<string, Expression>>;
  /** settings that are left */
  readonly settings: readonly Extract<Item, { kind: 'setting' }>[];
  /** whether it is known to be zero at the start */
  readonly startsAtZero: boolean;
}

type Shape = Pick<SourceShape, 'shape' | 'fields'> & { start: Expression };

const FUNCTIONS: Readonly<
  Record<string, (values: readonly Expression[], context: SourceContext, place: Place) => Shape>
> = {
  sin: sine,
  sine,
  pulse,
  pwl,
  exp: exponential,
  sffm,
  am,
};

const NOT_KNOWN: ReadonlySet<string> = new Set(['trnoise', 'trrandom', 'external', 'wavefile']);

/** In parentheses where it is more than a number that is not negative. */
const term = (value: Expression): string =>
  typeof value === 'number' && value >= 0 ? String(value) : `(${value})`;

/** @throws {NetlistError} for functions that there are not, and arguments that are missing */
export function sourceShape(items: readonly Item[], context: SourceContext, place: Place): SourceShape {
  let constant: Expression | null = null;
  let shape: Shape | null = null;
  const settings: Extract<Item, { kind: 'setting' }>[] = [];
  for (let k = 0; k < items.length; k++) {
    const item = items[k];
    const word = item.kind === 'word' ? item.text.toLowerCase() : '';
    if (item.kind === 'setting') settings.push(item);
    else if (word === 'dc') continue;
    else if (word === 'ac') {
      context.note('netlist-ac', 'Small signals (AC) are left out.', 'Nothing is lost in a run.', item.place);
      while (k + 1 < items.length && isNumber(items[k + 1])) k++;
    } else if (Object.hasOwn(FUNCTIONS, word)) {
      const rest = items.slice(k + 1);
      const [group] = rest;
      const inGroup = group?.kind === 'group';
      const given = inGroup ? group.items : rest.filter(({ kind }) => kind !== 'setting');
      settings.push(...settingsOf(inGroup ? [...group.items, ...rest] : rest));
      const values = given.filter(({ kind }) => kind !== 'setting').map((one) => context.value(one));
      shape = FUNCTIONS[word](values, context, item.place);
      break;
    } else if (NOT_KNOWN.has(word)) {
      throw new NetlistError(
        'netlist-source',
        `The source function “${word}” is not modelled.`,
        'Use DC, SIN, PULSE, PWL, EXP, SFFM or AM.',
        item.place,
      );
    } else constant = context.value(item);
  }
  if (shape === null) {
    if (constant === null && !settings.some(({ key }) => key === 'dc'))
      throw new NetlistError('netlist-source', 'This source has no value.', 'Give it one.', place);
    const dc = settings.find(({ key }) => key === 'dc');
    const value = constant ?? (dc === undefined ? 0 : context.value(dc.value));
    shape = { shape: 'constant', fields: { value }, start: value };
  }
  const left = settings.filter(({ key }) => key !== 'dc' && key !== 'ac');
  return { ...shape, settings: left, startsAtZero: context.number(shape.start) === 0 };
}

const settingsOf = (items: readonly Item[]): Extract<Item, { kind: 'setting' }>[] =>
  items.filter((item) => item.kind === 'setting');

const isNumber = (item: Item): boolean =>
  item.kind === 'formula' || (item.kind === 'word' && /^[-+.\d]/.test(item.text));

function need(values: readonly Expression[], least: number, what: string, place: Place): void {
  if (values.length >= least) return;
  throw new NetlistError(
    'netlist-source',
    `${what} takes at least ${least} values, not ${values.length}.`,
    'Give all that have no default.',
    place,
  );
}

const RADIANS = Math.PI / 180;
const radians = (degrees: Expression): Expression =>
  typeof degrees === 'number' ? degrees * RADIANS : `(${degrees})*pi/180`;

/** SIN(offset amplitude frequency delay damping phase) */
function sine(values: readonly Expression[], context: SourceContext, place: Place): Shape {
  need(values, 2, 'SIN', place);
  const [offset, amplitude, given = 0, delay = 0, damping = 0, degrees = 0, cycles = 0] = values;
  const frequency = given === 0 ? reciprocal(context.end) : given;
  const phase = radians(degrees);
  const isPlain = [delay, damping, cycles].every((value) => context.number(value) === 0);
  if (isPlain) {
    const start = context.number(phase) === 0 ? offset : NaN;
    return { shape: 'sine', fields: { amplitude, frequency, offset, phase }, start };
  }
  const since = context.number(delay) === 0 ? 't' : `(t - ${term(delay)})`;
  const decay = context.number(damping) === 0 ? '' : `*exp(-${term(damping)}*${since})`;
  const waving = `${term(amplitude)}*sin(2*pi*${term(frequency)}*${since} + ${term(phase)})${decay}`;
  const before = `${term(offset)} + ${term(amplitude)}*sin(${term(phase)})`;
  let value = `t < ${term(delay)} ? ${before} : (${term(offset)} + ${waving})`;
  if (context.number(cycles) !== 0)
    value = `t > ${term(delay)} + ${term(cycles)}/${term(frequency)} ? ${before} : (${value})`;
  return { shape: 'expression', fields: { value }, start: context.number(phase) === 0 ? offset : NaN };
}

const reciprocal = (value: Expression): Expression =>
  typeof value === 'number' ? 1 / value : `1/(${value})`;

/** PULSE(low high delay rise fall width period pulses); an edge of no duration is a jump. */
function pulse(values: readonly Expression[], context: SourceContext, place: Place): Shape {
  need(values, 2, 'PULSE', place);
  const { end } = context;
  const [low, high, delay = 0, rise = 0, fall = 0, ...rest] = values;
  const [width = end, period = end, pulses = 0] = rest.map((value) =>
    context.number(value) === 0 ? undefined : value,
  );
  const fields = { low, high, period, width, delay, rise, fall };
  if (context.number(pulses) === 0) return { shape: 'pulse', fields, start: low };
  const all = pulseOf((key) => term(fields[key as keyof typeof fields]));
  const last = `${term(delay)} + ${term(pulses)}*${term(period)}`;
  return {
    shape: 'expression',
    fields: { value: `t < ${last} ? (${all}) : ${term(low)}` },
    start: low,
  };
}

/** Points that are written as an expression, which a user can read and change; more become a table. */
const FEW = 12;

/** PWL(t1 v1 t2 v2 …) */
function pwl(values: readonly Expression[], context: SourceContext, place: Place): Shape {
  need(values, 2, 'PWL', place);
  if (values.length % 2 === 1)
    throw new NetlistError(
      'netlist-source',
      'PWL takes pairs of a time and a value; the last time has none.',
      'Give the last value.',
      place,
    );
  const points = Array.from(
    { length: values.length / 2 },
    (_, k) => [term(values[2 * k]), term(values[2 * k + 1])] as const,
  );
  const wrong = values.findIndex((value, k) => k % 2 === 0 && k > 0 && Number(value) < Number(values[k - 2]));
  if (wrong >= 0)
    throw new NetlistError(
      'netlist-source',
      `The times of PWL must rise, and ${values[wrong]} follows ${values[wrong - 2]}.`,
      'Put its points into the order of time.',
      place,
    );
  if (points.length > FEW && values.every((value) => typeof value === 'number')) {
    const id = context.table(points.map((_, k) => [values[2 * k], values[2 * k + 1]]));
    return { shape: 'table', fields: { table: id }, start: values[1] };
  }
  return { shape: 'expression', fields: { value: pieces('t', points) }, start: values[1] };
}

/** EXP(v1 v2 delay1 tau1 delay2 tau2) */
function exponential(values: readonly Expression[], _context: SourceContext, place: Place): Shape {
  need(values, 6, 'EXP', place);
  const [v1, v2, rise, tau1, fall, tau2] = values.map(term);
  const up = (at: string, tau: string): string => `(1 - exp(-(t - ${at})/${tau}))`;
  const first = `${v1} + (${v2} - ${v1})*${up(rise, tau1)}`;
  const second = `${first} + (${v1} - ${v2})*${up(fall, tau2)}`;
  const value = `t < ${rise} ? ${v1} : (t < ${fall} ? ${first} : ${second})`;
  return { shape: 'expression', fields: { value }, start: values[0] };
}

/** SFFM(offset amplitude carrier index signal) */
function sffm(values: readonly Expression[], _context: SourceContext, place: Place): Shape {
  need(values, 5, 'SFFM', place);
  const [offset, amplitude, carrier, index, signal] = values.map(term);
  const inner = `${index}*sin(2*pi*${signal}*t)`;
  const value = `${offset} + ${amplitude}*sin(2*pi*${carrier}*t + ${inner})`;
  return { shape: 'expression', fields: { value }, start: values[0] };
}

/** AM(amplitude offset modulation carrier delay) */
function am(values: readonly Expression[], _context: SourceContext, place: Place): Shape {
  need(values, 4, 'AM', place);
  const [amplitude, offset, modulation, carrier, delay = '0'] = values.map(term);
  const of = (frequency: string): string => `sin(2*pi*${frequency}*(t - ${delay}))`;
  const value = `t < ${delay} ? 0 : ${amplitude}*(${offset} + ${of(modulation)})*${of(carrier)}`;
  return { shape: 'expression', fields: { value }, start: 0 };
}
