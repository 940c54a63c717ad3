/**
 * A circuit of components as a netlist that ngspice runs. What is ideal here is nearly so there: diodes with
 * a small emission coefficient, switches with a large off-resistance.
 */
import type { ComponentDocument, ModelDocument } from '../document/types';
import { sawtoothOf } from '../model/components/electrical/waveforms';
import { gatePulse, pulseWords } from './gate-pulse';
import { printed, sidesOf } from './printed';
import { type Write, Writer, byCurrent, isTimed, NoCounterpart } from './writer';
import { byPieces, pulse, saturating, sine, tabulated } from './written';

export type ExportedNetlist =
  | { readonly ok: true; readonly text: string; readonly warnings: readonly string[] }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly where: string;
      readonly remedy: string;
    };

/** Of nearly ideal diodes: saturation current, A, and emission coefficient: 7 mV at 1 A. */
const DIODE = 'IS=1e-12 N=0.01';
/** A: what a thyristor holds itself by, above what leaks through a switch that is open */
const HOLDING = 1e-4;
/** Ω: what is nothing, and what is no connection, to a switch of ngspice */
const SWITCH = { on: 1e-6, off: 1e9 };
/** Gain of an ideal amplifier. */
const GAIN = 1e6;

/** The netlist of a document whose report has no errors. */
export function exportNetlist(document: ModelDocument): ExportedNetlist {
  try {
    const writer = new Writer(document, WRITERS);
    return { ok: true, text: writer.write(), warnings: writer.warnings };
  } catch (error) {
    if (!(error instanceof NoCounterpart)) throw error;
    const { message, where, remedy } = error;
    return { ok: false, code: 'no-netlist', message, where, remedy };
  }
}

const twoPole =
  (key: string, initial = ''): Write =>
  (component, writer) => {
    const start =
      initial === '' || component[initial] === undefined ? [] : [`IC=${writer.value(component, initial)}`];
    const nodes = [writer.node(component, 'a'), writer.node(component, 'b')];
    writer.line(writer.own(component), ...nodes, writer.value(component, key), ...start);
  };

const source =
  (of: 'v' | 'i', key: string): Write =>
  (component, writer) => {
    const nodes = [writer.node(component, 'p'), writer.node(component, 'n')];
    const raw = writer.raw(component, key);
    if (isTimed(raw)) {
      writer.resolve(component, String(raw));
      writer.line(writer.own(component), ...nodes, `${of.toUpperCase()}=${writer.formula(String(raw))}`);
    } else writer.line(writer.own(component), ...nodes, writer.value(component, key));
  };

const byVoltage =
  (key: string): Write =>
  (component, writer) => {
    const nodes = ['p', 'n', 'cp', 'cn'].map((pin) => writer.node(component, pin));
    writer.line(writer.own(component), ...nodes, writer.value(component, key));
  };

const byCurrentOf =
  (key: string): Write =>
  (component, writer) => {
    const sense = writer.sense(component);
    const nodes = ['p', 'n'].map((pin) => writer.node(component, pin));
    writer.line(writer.own(component), ...nodes, sense, writer.value(component, key));
  };

/** Resistance as a setting of a model; none where it is zero. */
const series = (component: ComponentDocument, writer: Writer): string =>
  writer.number(component, 'onResistance') === 0 ? '' : ` RS=${writer.value(component, 'onResistance')}`;

const diode: Write = (component, writer) => {
  writer.warn('Diodes are nearly ideal: 7 mV at 1 A.');
  const anode = writer.behind(
    component,
    writer.node(component, 'a'),
    writer.value(component, 'forwardVoltage'),
  );
  const breakdown =
    component.type === 'Zener' ? ` BV=${writer.value(component, 'breakdown')} NBV=0.01 IBV=1m` : '';
  const model = writer.model(component, 'D', `${DIODE}${series(component, writer)}${breakdown}`);
  writer.line(writer.own(component), anode, writer.node(component, 'k'), model);
};

/** Nodes of a voltage that is above `level` while the gate is on. */
function gateOf(
  component: ComponentDocument,
  writer: Writer,
): { plus: string; minus: string; level: string } {
  const text = String(writer.raw(component, 'gate'));
  const hasHysteresis = hysteresisOf(component, writer) !== 0;
  const plain = /^\s*(\w+)\.v\s*(?:-\s*(\w+)\.v\s*)?>\s*([-+.\deE]+)\s*$/.exec(text);
  if (plain !== null) {
    const nodes = [plain[1], plain[2]].map((id) =>
      id === undefined ? 'v(0)' : writer.nameOf(`${id}.v`, true),
    );
    const [plus, minus] = nodes.map((node) => /^v\(([^,]+)\)$/.exec(node)?.[1]);
    if (plus !== undefined && minus !== undefined) return { plus, minus, level: plain[3] };
  }
  const pulses = hasHysteresis || !isTimed(text) ? null : gatePulse(text, (one, t) => writer.at(one, t));
  if (pulses !== null) {
    const node = writer.inner(`${component.id}_gate`);
    writer.line(writer.further(`V_${component.id}`, 'V'), node, '0', pulseWords(pulses));
    return { plus: node, minus: '0', level: '0.5' };
  }
  if (isTimed(text)) writer.resolve(component, text);
  const nameOf = (path: string): string => writer.nameOf(path, true);
  const sides = sidesOf(text, nameOf);
  const distance =
    sides === null
      ? printed(text, nameOf)
      : sides.isRising
        ? `${sides.left} - (${sides.right})`
        : `${sides.right} - (${sides.left})`;
  const difference =
    sides === null
      ? `${printed(text, nameOf)} >= 0`
      : sides.isRising
        ? `${sides.left} > ${sides.right}`
        : `${sides.left} < ${sides.right}`;
  const plus = writer.inner(`${component.id}_gate`);
  writer.line(
    writer.further(`B_${component.id}`, 'B'),
    plus,
    '0',
    `V=${hasHysteresis ? distance : `(${difference} ? 1 : 0)`}`,
  );
  return { plus, minus: '0', level: hasHysteresis ? '0' : '0.5' };
}

const hysteresisOf = (component: ComponentDocument, writer: Writer): number =>
  component.type === 'Switch' ? writer.number(component, 'hysteresis') : 0;

const onResistance = (component: ComponentDocument, writer: Writer): string =>
  writer.number(component, 'onResistance') === 0
    ? String(SWITCH.on)
    : writer.value(component, 'onResistance');

function contact(component: ComponentDocument, [a, b]: readonly string[], writer: Writer): void {
  writer.warn(`Switches that are open have ${SWITCH.off} Ω, closed ones at least ${SWITCH.on} Ω.`);
  const resistances = `RON=${onResistance(component, writer)} ROFF=${SWITCH.off}`;
  const current = component.type === 'Switch' ? byCurrent(component) : null;
  const apart = hysteresisOf(component, writer);
  const start = apart !== 0 && component['start'] === 'on' ? ['on'] : [];
  if (current !== null) {
    const ammeter = /^i\((.*)\)$/.exec(writer.nameOf(`${current.source}.i`, true))?.[1];
    const model = writer.model(
      component,
      'CSW',
      `IT=${writer.evaluate(current.level)} IH=${apart} ${resistances}`,
    );
    if (ammeter !== undefined) {
      writer.line(writer.own(component), a, b, ammeter, model, ...start);
      return;
    }
  }
  const { plus, minus, level } = gateOf(component, writer);
  const model = writer.model(component, 'SW', `VT=${level} VH=${apart} ${resistances}`);
  writer.line(writer.own(component), a, b, plus, minus, model, ...start);
}

/** A diode behind a switch that its gate closes, and its current keeps closed. */
function thyristor(component: ComponentDocument, writer: Writer): void {
  // The trapezoidal rule rings, from step to step, once a latch has cut the current of an inductor off.
  writer.option('METHOD=GEAR');
  writer.warn(`Thyristors conduct without their gate from ${HOLDING} A on.`);
  if (component['start'] === 'on')
    writer.warn(`“${component.id}” begins without conducting: ngspice has no start of it.`);
  const anode = writer.behind(
    component,
    writer.node(component, 'a'),
    writer.value(component, 'forwardVoltage'),
  );
  const [sensed, inner] = [writer.inner(`${component.id}_s`), writer.inner(`${component.id}_c`)];
  const ammeter = writer.further(`V_${component.id}`, 'V');
  writer.line(ammeter, anode, sensed, '0');
  const { plus, minus, level } = gateOf(component, writer);
  const latch = writer.inner(`${component.id}_latch`);
  const gate = `(v(${plus}) - v(${minus})) > ${level}`;
  const source = writer.further(`B_${component.id}_latch`, 'B');
  writer.line(source, latch, '0', `V=(${gate} ? 1 : (i(${ammeter}) > ${HOLDING} ? 1 : 0))`);
  const resistances = `RON=${onResistance(component, writer)} ROFF=${SWITCH.off}`;
  const model = writer.model(component, 'SW', `VT=0.5 VH=0 ${resistances}`);
  writer.line(writer.own(component), sensed, inner, latch, '0', model);
  const diode = writer.model(component, 'D', DIODE);
  writer.line(writer.further(`D_${component.id}`, 'D'), inner, writer.node(component, 'k'), diode);
}

const WRITERS: Readonly<Record<string, Write>> = {
  Ground: () => undefined,
  Resistor: twoPole('resistance'),
  Capacitor: twoPole('capacitance', 'v0'),
  Inductor: twoPole('inductance', 'i0'),
  Coupling: (component, writer) => {
    const inductors = (component['inductors'] as unknown as string[]).map((id) =>
      writer.own({ id, type: 'Inductor' }),
    );
    // ngspice couples two at a time.
    const pairs = inductors.flatMap((first, k) => inductors.slice(k + 1).map((second) => [first, second]));
    pairs.forEach((pair, k) => {
      const name = k === 0 ? writer.own(component) : writer.further(component.id, 'K');
      writer.line(name, ...pair, writer.value(component, 'coupling'));
    });
  },
  IdealTransformer: (component, writer) => {
    const [a1, b1, a2, b2] = ['a1', 'b1', 'a2', 'b2'].map((pin) => writer.node(component, pin));
    const ratio = writer.number(component, 'ratio');
    const middle = writer.inner(`${component.id}_m`);
    const sense = writer.further(`V_${component.id}`, 'V');
    writer.line(writer.own(component), a1, middle, a2, b2, String(ratio));
    writer.line(sense, middle, b1, '0');
    writer.line(writer.further(`F_${component.id}`, 'F'), a2, b2, sense, String(-ratio));
  },
  VoltageSource: source('v', 'voltage'),
  CurrentSource: source('i', 'current'),
  SineVoltage: sine,
  SineCurrent: sine,
  PulseVoltage: pulse,
  PulseCurrent: pulse,
  PiecewiseResistor: byPieces,
  SaturatingInductor: saturating,
  TableVoltage: tabulated,
  TableCurrent: tabulated,
  SawtoothVoltage: (component, writer) => {
    const text = sawtoothOf((key) => `(${writer.raw(component, key)})`);
    const nodes = [writer.node(component, 'p'), writer.node(component, 'n')];
    writer.resolve(component, text);
    writer.line(writer.own(component), ...nodes, `V=${writer.formula(text)}`);
  },
  VoltageControlledVoltage: byVoltage('gain'),
  VoltageControlledCurrent: byVoltage('transconductance'),
  CurrentControlledVoltage: byCurrentOf('transresistance'),
  CurrentControlledCurrent: byCurrentOf('gain'),
  Diode: diode,
  Zener: diode,
  Switch: (component, writer) => {
    contact(component, [writer.node(component, 'a'), writer.node(component, 'b')], writer);
  },
  Mosfet: (component, writer) => {
    const [d, s] = [writer.node(component, 'd'), writer.node(component, 's')];
    contact(component, [d, s], writer);
    const anode = writer.behind(component, s, writer.value(component, 'forwardVoltage'));
    writer.line(writer.further(`D_${component.id}`, 'D'), anode, d, writer.model(component, 'D', DIODE));
  },
  Igbt: (component, writer) => {
    const [c, e] = [writer.node(component, 'c'), writer.node(component, 'e')];
    const model = writer.model(component, 'D', DIODE);
    const from = writer.behind(component, c, writer.value(component, 'threshold'));
    const channel = writer.inner(`${component.id}_c`);
    writer.line(writer.further(`D_${component.id}_c`, 'D'), from, channel, model);
    contact(component, [channel, e], writer);
    const anode = writer.behind(component, e, writer.value(component, 'forwardVoltage'));
    writer.line(writer.further(`D_${component.id}`, 'D'), anode, c, model);
  },
  Thyristor: thyristor,
  OpAmp: (component, writer) => {
    const [p, n, out] = ['p', 'n', 'out'].map((pin) => writer.node(component, pin));
    writer.warn(`Operational amplifiers have a gain of ${GAIN}.`);
    if (component['upper'] === undefined) {
      writer.line(writer.own(component), out, '0', p, n, String(GAIN));
      return;
    }
    const [lower, upper] = [writer.number(component, 'lower'), writer.number(component, 'upper')];
    const bounded = `max(${lower}, min(${upper}, ${GAIN}*(v(${p}) - v(${n}))))`;
    writer.line(writer.own(component), out, '0', `V=${bounded}`);
  },
  Comparator: (component, writer) => {
    const [p, n, out] = ['p', 'n', 'out'].map((pin) => writer.node(component, pin));
    const [lower, upper] = [writer.number(component, 'lower'), writer.number(component, 'upper')];
    writer.line(writer.own(component), out, '0', `V=(v(${p}) > v(${n}) ? ${upper} : ${lower})`);
  },
  Voltmeter: () => undefined,
  Ammeter: (component, writer) => {
    writer.line(writer.own(component), writer.node(component, 'a'), writer.node(component, 'b'), '0');
  },
  PowerMeter: (component, writer) => {
    writer.line(writer.own(component), writer.node(component, 'a'), writer.node(component, 'b'), '0');
  },
};
