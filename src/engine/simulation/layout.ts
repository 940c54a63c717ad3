/**
 * The state vector of a simulation and the signals in it. Everything that can be recorded or named in an expression
 * stands in one Float64Array, so that recording a row is a gather and an expression reads by position.
 *
 *     t | q | v | y | ẏ | λ | kinetic, potential | observables | parameters
 *
 * First-order states x stand among the positions; their velocity slots stay zero and are no signals.
 */
import type { SignalInfo } from '../document/types';
import type { DynamicalSystem, Interaction, NonSmoothDynamicalSystem } from '../model/nsds';

/** Places in the state vector. */
export interface StatePlaces {
  /** length of the state vector */
  readonly size: number;
  /** number of coordinates: degrees of freedom and first-order states */
  readonly ndof: number;
  readonly rows: number;
  readonly q: number;
  readonly v: number;
  readonly y: number;
  readonly yDot: number;
  readonly lambda: number;
  /** −1 when no system has a kinetic energy */
  readonly kinetic: number;
  /** −1 when some system has forces that are not linear, or none has an energy */
  readonly potential: number;
  readonly observables: number;
  readonly parameters: number;
}

export interface StateLayout extends StatePlaces {
  /** signals in recording order with their positions; the first is time */
  readonly signals: readonly SignalInfo[];
  readonly slots: Int32Array;
  /** position of every name an expression may use */
  readonly slotOf: ReadonlyMap<string, number>;
}

const perSecond = (unit: string): string => (unit === '1' ? '1/s' : `${unit}/s`);
const bare = (unit: string): string => (unit === '1' ? '' : unit);

export interface ObservableSignal {
  name: string;
  unit: string;
  description: string;
}

/** Units of a gap between coordinates of one kind; left open where kinds are mixed. */
function gapUnits(coordinates: readonly string[]): {
  y: string;
  yDot: string;
  impulse: string;
  force: string;
} {
  if (coordinates.every((unit) => unit === 'm')) return { y: 'm', yDot: 'm/s', impulse: 'N s', force: 'N' };
  if (coordinates.every((unit) => unit === 'rad'))
    return { y: 'rad', yDot: 'rad/s', impulse: 'N m s', force: 'N m' };
  return { y: '', yDot: '', impulse: '', force: '' };
}

interface RowSignal {
  name: string;
  kind: SignalInfo['kind'];
  unit: string;
  description: string;
  /** which of y, ẏ and λ it is */
  part: 'y' | 'yDot' | 'lambda';
}

/** What is recorded of each row of an interaction. */
function rowSignals({ relation, law }: Interaction, units: readonly string[]): RowSignal[] {
  if (relation.order === 1) {
    return [
      { name: 'y', kind: 'output', unit: '', description: 'Output', part: 'y' },
      { name: 'lambda', kind: 'multiplier', unit: '', description: 'Multiplier', part: 'lambda' },
    ];
  }
  const { y, yDot, impulse, force } = gapUnits(units);
  const isContact = law.restitution !== null;
  const multiplier: RowSignal =
    law.multiplier === 'impulse'
      ? {
          name: 'impulse',
          kind: 'impulse',
          unit: impulse,
          description: 'Impulse over the step',
          part: 'lambda',
        }
      : { name: 'lambda', kind: 'multiplier', unit: force, description: 'Multiplier', part: 'lambda' };
  return [
    {
      name: isContact ? 'gap' : 'y',
      kind: isContact ? 'gap' : 'output',
      unit: y,
      description: isContact ? 'Gap' : 'Output',
      part: 'y',
    },
    {
      name: isContact ? 'gapVelocity' : 'yDot',
      kind: isContact ? 'gapVelocity' : 'outputVelocity',
      unit: yDot,
      description: isContact ? 'Gap velocity' : 'Velocity of the output',
      part: 'yDot',
    },
    multiplier,
  ];
}

/** Names are numbered only where there are several. */
const component = (base: string, k: number, count: number): string => (count === 1 ? base : `${base}[${k}]`);

function systemSignals({ id, form, unit }: DynamicalSystem): { first: SignalInfo[]; second: SignalInfo[] } {
  const all = (base: string, kind: SignalInfo['kind'], of: string, signalUnit: string): SignalInfo[] =>
    Array.from({ length: form.size }, (_, k) => ({
      name: component(`${id}.${base}`, k, form.size),
      unit: signalUnit,
      kind,
      element: id,
      description: `${of} of ${id}`,
    }));
  if (form.order === 1) return { first: all('x', 'state', 'State', bare(unit)), second: [] };
  return {
    first: all('q', 'position', 'Position', bare(unit)),
    second: all('v', 'velocity', 'Velocity', perSecond(unit)),
  };
}

/** Places of everything, in the order of the model. @param observables, parameterCount how many there are */
export function placeState(
  { systems, interactions }: NonSmoothDynamicalSystem,
  observables = 0,
  parameterCount = 0,
): StatePlaces {
  const ndof = systems.reduce((sum, { form }) => sum + form.size, 0);
  const rows = interactions.reduce((sum, { relation }) => sum + relation.size, 0);
  const q = 1;
  const v = q + ndof;
  const y = v + ndof;
  const yDot = y + rows;
  const lambda = yDot + rows;
  const energies = lambda + rows;
  const hasKinetic = systems.some(({ form }) => form.order === 2);
  const hasPotential = hasKinetic && systems.every(({ form }) => form.order === 1 || form.linear !== null);
  const kinetic = hasKinetic ? energies : -1;
  const potential = hasPotential ? energies + 1 : -1;
  const firstObservable = energies + (hasKinetic ? 1 : 0) + (hasPotential ? 1 : 0);
  const parameters = firstObservable + observables;
  return {
    size: parameters + parameterCount,
    ndof,
    rows,
    q,
    v,
    y,
    yDot,
    lambda,
    kinetic,
    potential,
    observables: firstObservable,
    parameters,
  };
}

/** The same with the signals. */
export function layoutState(
  model: NonSmoothDynamicalSystem,
  observables: readonly ObservableSignal[],
  parameterNames: readonly string[],
): StateLayout {
  const { systems, interactions } = model;
  const places = placeState(model, observables.length, parameterNames.length);
  const { q, v, y, yDot, lambda, kinetic, potential, parameters } = places;
  const signals: SignalInfo[] = [];
  const slots: number[] = [];
  const slotOf = new Map<string, number>();
  const add = (signal: SignalInfo, slot: number): void => {
    signals.push(signal);
    slots.push(slot);
    slotOf.set(signal.name, slot);
  };

  add({ name: 't', unit: 's', kind: 'time', description: 'Time' }, 0);
  let dof = 0;
  for (const system of systems) {
    const { first, second } = systemSignals(system);
    first.forEach((signal, k) => {
      add(signal, q + dof + k);
    });
    second.forEach((signal, k) => {
      add(signal, v + dof + k);
    });
    dof += system.form.size;
  }
  const starts = { y, yDot, lambda };
  let row = 0;
  for (const interaction of interactions) {
    const { id, relation } = interaction;
    const parts = rowSignals(
      interaction,
      interaction.systems.map((s) => systems[s].unit),
    );
    for (let k = 0; k < relation.size; k++, row++) {
      for (const { name, part, description, ...rest } of parts) {
        const signal = { ...rest, name: component(`${id}.${name}`, k, relation.size), element: id };
        add({ ...signal, description: `${description} of ${id}` }, starts[part] + row);
      }
    }
  }
  if (kinetic >= 0)
    add({ name: 'energy.kinetic', unit: 'J', kind: 'energy', description: 'Kinetic energy' }, kinetic);
  if (potential >= 0)
    add(
      {
        name: 'energy.potential',
        unit: 'J',
        kind: 'energy',
        description: 'Potential energy of the springs',
      },
      potential,
    );
  observables.forEach((observable, k) => {
    add({ ...observable, kind: 'observable' }, places.observables + k);
  });
  parameterNames.forEach((name, k) => slotOf.set(name, parameters + k));

  return { ...places, signals, slots: Int32Array.from(slots), slotOf };
}
