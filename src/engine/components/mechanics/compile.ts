/** A mechanism becomes a Lagrangian system for each part that springs and dampers join, and interactions. */
import type { EvaluationContext } from '../../document/field-values';
import type { ComponentDocument, Mend, WireDocument } from '../../document/types';
import { MOTIONS } from '../../model/components/mechanical/domains';
import type { Domain } from '../../model/definition';
import { componentTypes } from '../../model/components/registry';
import { addForm, combine, type LinearForm } from '../linear-form';
import type { Mender } from '../mends';
import { listed } from '../network';
import type { CompiledComponents, OutputSignal, Report } from '../result';
import type { Assembly, MechanismRecord, ReadMeasure } from './assembly';
import { mechanismElements } from './elements';
import { jumpOf } from './jumps';
import { type MechanismDefect, type ReducedMechanism, reduceMechanism } from './reduction';

export interface DrawnMechanism {
  readonly assembly: Assembly;
  readonly components: readonly ComponentDocument[];
  /** JSON pointers to where they stand in the document */
  readonly componentPointers: readonly string[];
  readonly wires: readonly WireDocument[];
  /** ids by which each wire is known */
  readonly wireIds: readonly (readonly string[])[];
  /** of each wire; null where it joins no flanges */
  readonly flangeOfWire: readonly (number | null)[];
  readonly domainOf: (wire: number) => 'translational' | 'rotational';
  readonly mender: Mender;
}

interface Surroundings {
  readonly taken: ReadonlySet<string>;
  /** of the run, s */
  readonly span: readonly [t0: number, tEnd: number];
  readonly context: EvaluationContext;
  readonly report: Report;
}

/** Whether no motion that is given jumps; else that is said. */
export function areSteady(
  { motions }: Assembly,
  components: readonly ComponentDocument[],
  { span, context, report }: Omit<Surroundings, 'taken'>,
): boolean {
  return motions.every(({ value, component }) => {
    const time = typeof value === 'number' ? null : jumpOf(value.text, span, context);
    if (time === null) return true;
    report(
      'error',
      `/components/${component}/value`,
      components[component].id,
      'motion-jumps',
      `The motion of “${components[component].id}” jumps at t = ${Number(time.toPrecision(6))} s: nothing that has a mass could follow it.`,
      'Let it pass from one position to the other in a time, such as by a ramp or half a cosine.',
    );
    return false;
  });
}

/** @returns nothing after reported defects */
export function compileMechanism(
  drawn: DrawnMechanism,
  { taken, span, context, report }: Surroundings,
): CompiledComponents | null {
  const { assembly, components, componentPointers, mender } = drawn;
  if (!areSteady(assembly, components, { span, context, report })) return null;
  const reduction = reduceMechanism(assembly);
  if (!reduction.ok) {
    for (const defect of reduction.defects) explain(defect, drawn, report);
    return null;
  }
  const { reduced } = reduction;
  if (reduced.coordinates.length === 0) {
    const first = [...assembly.parts, ...assembly.records].at(0);
    const place = first === undefined ? 0 : first.component;
    report(
      'error',
      `/components/${place}`,
      components[place].id,
      'no-mass',
      'Nothing in the mechanism has a mass that can move.',
      'Add a mass or an inertia.',
      freePin(components[place].id, drawn).flatMap(({ end, domain }) => mender.body(end, domain)),
    );
    return null;
  }
  const signals = signalsOf(drawn, reduced);
  return mechanismElements(assembly, reduced, {
    ...{ components, componentPointers, signals, taken, context, report },
    isRotary: (component) =>
      componentTypes.get(components[component].type)?.definition.pins[0].domain === 'rotational',
  });
}

function signalsOf(
  { assembly, components, wireIds, flangeOfWire, domainOf }: DrawnMechanism,
  reduced: ReducedMechanism,
): OutputSignal[] {
  const isKnown = (form: LinearForm): boolean =>
    [...form.keys()].every((input) => reduced.inputs[input].kind !== 'unknown');
  const signals: OutputSignal[] = [];
  const add = (
    element: string,
    name: string,
    unit: string,
    description: string,
    form: LinearForm | null,
  ): void => {
    if (form === null || !isKnown(form)) return;
    signals.push({ name: `${element}.${name}`, unit, description, element, form, times: null });
  };
  for (const record of assembly.records) {
    const { id, type } = components[record.component];
    const quantity = componentTypes.get(type)?.definition.quantities.find(({ name }) => name === record.name);
    const what = `${quantity?.description ?? record.name} of ${id}`;
    add(id, record.name, quantity?.unit ?? '', what, formOf(record, reduced));
  }
  // At the outside the interaction has the name of the component, and its impulse is a signal anyway.
  assembly.laws.forEach(({ component, law, rows }, k) => {
    const { id, type } = components[component];
    if (law.type !== 'NewtonImpact' || !id.includes('.')) return;
    const isRotary = componentTypes.get(type)?.definition.pins[0].domain === 'rotational';
    rows.forEach((_, row) => {
      const name = rows.length === 1 ? 'impulse' : `impulse[${row}]`;
      add(id, name, isRotary ? 'N m s' : 'N s', `Impulse of ${id}`, reduced.multiplier(k, row));
    });
  });
  wireIds.forEach((ids, w) => {
    const flange = flangeOfWire[w];
    if (flange === null) return;
    const { position, velocity } = MOTIONS[domainOf(w)];
    const at = { terms: [{ flange, factor: 1 }], offset: 0 };
    for (const id of ids) {
      add(id, position.name, position.unit, `${position.description} of ${id}`, reduced.position(at));
      add(id, velocity.name, velocity.unit, `${velocity.description} of ${id}`, reduced.velocity(at));
    }
  });
  return signals;
}

function partOf(measure: ReadMeasure, reduced: ReducedMechanism): LinearForm | null {
  switch (measure.of) {
    case 'position':
      return reduced.position(measure.combination);
    case 'velocity':
      return reduced.velocity(measure.combination);
    case 'multiplier':
      return reduced.multiplier(measure.law, measure.row);
    case 'value':
      return reduced.source(measure.value);
  }
}

/** Null where a part has no value. */
function formOf({ measures }: MechanismRecord, reduced: ReducedMechanism): LinearForm | null {
  const sum: LinearForm = new Map();
  for (const measure of measures) {
    const part = partOf(measure, reduced);
    if (part === null) return null;
    addForm(sum, combine([part, measure.factor]));
  }
  return sum;
}

/** The first pin of a component that nothing fixes. */
function freePin(
  id: string,
  { components, wires, mender }: DrawnMechanism,
): { end: string; domain: Domain }[] {
  const type = new Map(components.map((one) => [one.id, one.type]));
  const isFixed = (end: string): boolean =>
    wires.some(
      ({ ends }) =>
        ends.includes(end) &&
        ends.some((other) => FIXED.has(type.get(other.slice(0, other.lastIndexOf('.'))) ?? '')),
    );
  const pins = componentTypes.get(type.get(id) ?? '')?.definition.pins ?? [];
  const free = mender.ends(id).flatMap((end, k) => (isFixed(end) ? [] : [{ end, domain: pins[k].domain }]));
  return free.slice(0, 1);
}

const FIXED = new Set(['Wall', 'Housing', 'Motion', 'RotaryMotion']);

export function explain(defect: MechanismDefect, drawn: DrawnMechanism, report: Report): void {
  const { components, wires, flangeOfWire, domainOf, mender } = drawn;
  const nameOf = (component: number): string => components[component].id;
  const at = (component: number, code: string, message: string, remedy: string, mends: Mend[]): void => {
    report('error', `/components/${component}`, nameOf(component), code, message, remedy, mends);
  };
  const remove = (component: number): Mend[] => mender.remove(nameOf(component));
  switch (defect.kind) {
    case 'locked':
      at(
        defect.component,
        'gears-lock',
        `“${nameOf(defect.component)}” closes a loop of gears whose ratios do not fit: it can only stand still.`,
        'Correct a ratio, or remove it.',
        remove(defect.component),
      );
      return;
    case 'undriven':
      at(
        defect.component,
        'impact-driven',
        `“${nameOf(defect.component)}” is geared in itself, and a mechanism that signals or machines drive, or in which something comes and goes from event to event, is computed without that.`,
        'Take a spring by pieces in its place, drive the mechanism by expressions of time, or let gates come and go by time-stepping.',
        remove(defect.component),
      );
      return;
    case 'overlap':
      at(
        defect.component,
        'starts-within',
        `The gap of “${nameOf(defect.component)}” is ${-defect.size} at the start, below zero.`,
        'Correct the positions at the start, or the gap.',
        remove(defect.component),
      );
      return;
    case 'impacts': {
      const [first, second] = defect.components;
      at(
        first,
        'impacts-driven',
        `“${nameOf(first)}” and “${nameOf(second)}” hold one mass, and impacts of a restitution at one of several contacts are not computed in a mechanism that signals or machines drive, or in which something comes and goes from event to event.`,
        'Give them the restitution 0, take a spring by pieces in the place of one, drive the mechanism by expressions of time, or let gates come and go by time-stepping.',
        remove(first),
      );
      return;
    }
    case 'motions': {
      const [first, second] = defect.components;
      at(
        second,
        'two-motions',
        `“${nameOf(first)}” and “${nameOf(second)}” both give the motion of one flange.`,
        'Remove one, or put a spring between them.',
        [...remove(second), ...remove(first)],
      );
      return;
    }
    case 'start': {
      const last = defect.components[defect.components.length - 1];
      at(
        last,
        'start-disagrees',
        `${listed(defect.components.map(nameOf))} move as one, and start at different ${defect.of === 'position' ? 'positions' : 'velocities'}.`,
        `Give one of them only, or values that fit the gears between them.`,
        mender.forget(nameOf(last), defect.of),
      );
      return;
    }
    case 'massless': {
      const wire = flangeOfWire.indexOf(defect.flange);
      const names = listed(defect.components.map(nameOf));
      const where = wire < 0 ? `a flange of ${names}` : `“${wires[wire].id}”`;
      report(
        'error',
        wire < 0 ? `/components/${defect.components[0]}` : `/wires/${wire}`,
        wire < 0 ? nameOf(defect.components[0]) : wires[wire].id,
        'massless',
        `Nothing at ${where} has a mass, and ${names} would move it at once.`,
        'Give it a mass, if only a small one, or join it with something that has one.',
        wire < 0
          ? freePin(nameOf(defect.components[0]), drawn).flatMap(({ end, domain }) =>
              mender.body(end, domain),
            )
          : mender.body(wires[wire].ends[0], domainOf(wire)),
      );
      return;
    }
    case 'idle':
      at(
        defect.component,
        'nothing-moves',
        `“${nameOf(defect.component)}” is between flanges whose motion is given: it can act on nothing.`,
        'Join it with a mass, or remove it.',
        remove(defect.component),
      );
  }
}
