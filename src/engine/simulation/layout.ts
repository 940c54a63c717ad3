/**
 * The state vector of a simulation and the signals in it. Everything that can be recorded or named in an expression
 * stands in one Float64Array, so that recording a row is a gather and an expression reads by position.
 *
 *     t | q | v | gap | gapVelocity | impulse | kinetic, potential | observables | parameters
 */
import type { SignalInfo } from '../document/types';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { DynamicalSystem } from '../model/registry';

export interface StateLayout {
  /** length of the state vector */
  readonly size: number;
  readonly ndof: number;
  readonly rows: number;
  readonly q: number;
  readonly v: number;
  readonly gap: number;
  readonly gapVelocity: number;
  readonly impulse: number;
  readonly kinetic: number;
  readonly potential: number;
  readonly observables: number;
  readonly parameters: number;
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
function gapUnits(coordinates: readonly string[]): { gap: string; velocity: string; impulse: string } {
  if (coordinates.every((unit) => unit === 'm')) return { gap: 'm', velocity: 'm/s', impulse: 'N s' };
  if (coordinates.every((unit) => unit === 'rad')) return { gap: 'rad', velocity: 'rad/s', impulse: 'N m s' };
  return { gap: '', velocity: '', impulse: '' };
}

/** Places of everything, in the order of the model. */
export function layoutState(
  model: NonSmoothDynamicalSystem,
  observables: readonly ObservableSignal[],
  parameterNames: readonly string[],
): StateLayout {
  const ndof = model.systems.reduce((sum, system) => sum + system.ndof, 0);
  const rows = model.interactions.reduce((sum, { relation }) => sum + relation.size, 0);
  const q = 1;
  const v = q + ndof;
  const gap = v + ndof;
  const gapVelocity = gap + rows;
  const impulse = gapVelocity + rows;
  const kinetic = impulse + rows;
  const potential = kinetic + 1;
  const firstObservable = potential + 1;
  const parameters = firstObservable + observables.length;

  const signals: SignalInfo[] = [];
  const slots: number[] = [];
  const slotOf = new Map<string, number>();
  const add = (signal: SignalInfo, slot: number): void => {
    signals.push(signal);
    slots.push(slot);
    slotOf.set(signal.name, slot);
  };
  const component = (base: string, k: number, count: number): string =>
    count === 1 ? base : `${base}[${k}]`;

  add({ name: 't', unit: 's', kind: 'time', description: 'Time' }, 0);
  let dof = 0;
  for (const system of model.systems) {
    addSystem(system, dof);
    dof += system.ndof;
  }
  let row = 0;
  for (const { id, relation, systems } of model.interactions) {
    const units = gapUnits(systems.map((s) => model.systems[s].coordinateUnit));
    for (let k = 0; k < relation.size; k++, row++) {
      const name = (base: string): string => component(`${id}.${base}`, k, relation.size);
      add(
        { name: name('gap'), unit: units.gap, kind: 'gap', element: id, description: `Gap of ${id}` },
        gap + row,
      );
      add(
        {
          name: name('gapVelocity'),
          unit: units.velocity,
          kind: 'gapVelocity',
          element: id,
          description: `Gap velocity of ${id}`,
        },
        gapVelocity + row,
      );
      add(
        {
          name: name('impulse'),
          unit: units.impulse,
          kind: 'impulse',
          element: id,
          description: `Contact impulse of ${id} over the step`,
        },
        impulse + row,
      );
    }
  }
  add({ name: 'energy.kinetic', unit: 'J', kind: 'energy', description: 'Kinetic energy' }, kinetic);
  add(
    { name: 'energy.potential', unit: 'J', kind: 'energy', description: 'Potential energy of the springs' },
    potential,
  );
  observables.forEach((observable, k) => {
    add({ ...observable, kind: 'observable' }, firstObservable + k);
  });
  parameterNames.forEach((name, k) => slotOf.set(name, parameters + k));

  function addSystem(system: DynamicalSystem, first: number): void {
    const { id, ndof: n, coordinateUnit } = system;
    for (let k = 0; k < n; k++) {
      const name = component(`${id}.q`, k, n);
      add(
        { name, unit: bare(coordinateUnit), kind: 'position', element: id, description: `Position of ${id}` },
        q + first + k,
      );
    }
    for (let k = 0; k < n; k++) {
      const name = component(`${id}.v`, k, n);
      add(
        {
          name,
          unit: perSecond(coordinateUnit),
          kind: 'velocity',
          element: id,
          description: `Velocity of ${id}`,
        },
        v + first + k,
      );
    }
  }

  return {
    size: parameters + parameterNames.length,
    ndof,
    rows,
    q,
    v,
    gap,
    gapVelocity,
    impulse,
    kinetic,
    potential,
    observables: firstObservable,
    parameters,
    signals,
    slots: Int32Array.from(slots),
    slotOf,
  };
}
