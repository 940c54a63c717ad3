/**
 * The signals of a simulation, with their places in its state vector (`model/state-places.ts`): recording a
 * row is a gather, and an expression reads by position.
 */
import type { SchemeName, SignalInfo, SignalKind } from '../document/types';
import { outputNames } from '../document/held-signals';
import type { ControlBlock } from '../model/control/block';
import type { LawForm } from '../model/forms';
import { placeState, type StatePlaces } from '../model/state-places';
import {
  conditionedRows,
  type DynamicalSystem,
  type Interaction,
  type NonSmoothDynamicalSystem,
  type NonSmoothLaw,
  rowName,
} from '../model/nsds';

/*
 * Signals of a contact with friction. The two rows of its law are a gap and a slip and not two gaps, so that
 * they have names of their own, and with several contacts in one interaction the contacts are numbered, not
 * the rows: `ID.gap[0]`, `ID.slip[0]`, `ID.gap[1]`, … In space there are two slips, `ID.slip1` and
 * `ID.slip2`.
 */

interface Named {
  readonly name: string;
  readonly kind: SignalKind;
  readonly description: string;
}

/** By the name that a row of a law without friction gives it. */
const CONTACT: Readonly<Record<string, Partial<Named>>> = {
  impulse: { name: 'normalImpulse', description: 'Normal impulse' },
  lambda: { name: 'normalForce', description: 'Normal force' },
};
const FRICTION: Readonly<Record<string, Partial<Named>>> = {
  gap: { name: 'slip', kind: 'output', description: 'Displacement along the contact' },
  gapVelocity: { name: 'slipVelocity', kind: 'outputVelocity', description: 'Slip velocity' },
  impulse: { name: 'tangentialImpulse', description: 'Tangential impulse' },
  lambda: { name: 'tangentialForce', description: 'Tangential force' },
};

/** Of friction in a tangent plane, by the number of the slip. */
const inPlane = (names: Partial<Named>, slip: number): Partial<Named> => ({
  ...names,
  name: `${names.name ?? ''}${slip}`,
  description: `${names.description ?? ''}, direction ${slip}`,
});

/**
 * A signal of row `row` of an interaction with its name in the law, and the number it has among those of its
 * name.
 * @param size rows of the interaction
 */
function signalOfRow<T extends Named>(
  signal: T,
  law: LawForm,
  row: number,
  size: number,
): T & { readonly place: number; readonly count: number } {
  const place = row % law.size;
  const hasFriction = law.rows.some(({ kind }) => kind === 'friction');
  if (!hasFriction) return { ...signal, place: row, count: size };
  const isFriction = law.rows[place].kind === 'friction';
  const names = (isFriction ? FRICTION : CONTACT)[signal.name];
  const own = isFriction && law.size > 2 && names !== undefined ? inPlane(names, place) : names;
  return { ...signal, ...own, place: (row - place) / law.size, count: size / law.size };
}

export interface StateLayout extends StatePlaces {
  /** signals in recording order with their positions; the first is time */
  readonly signals: readonly SignalInfo[];
  readonly slots: Int32Array;
  /** position of every name an expression may use */
  readonly slotOf: ReadonlyMap<string, number>;
  /** places of the coordinates of each system, by id */
  readonly systemPlaces: ReadonlyMap<string, SystemPlaces>;
}

/** Where the coordinates and velocities of a system stand, and how many they are. */
export interface SystemPlaces {
  readonly q: number;
  readonly qSize: number;
  readonly v: number;
  readonly vSize: number;
}

/** Signals as they are laid out: recording order, positions, names. */
export class SignalList {
  readonly #signals: SignalInfo[] = [];
  readonly #slots: number[] = [];
  readonly #slotOf = new Map<string, number>();
  readonly #systems = new Map<string, SystemPlaces>();

  constructor() {
    this.add({ name: 't', unit: 's', kind: 'time', description: 'Time' }, 0);
  }

  add(signal: SignalInfo, slot: number): void {
    this.#signals.push(signal);
    this.#slots.push(slot);
    this.#slotOf.set(signal.name, slot);
  }

  addSystem(id: string, places: SystemPlaces): void {
    this.#systems.set(id, places);
  }

  /** Outputs of control blocks and resets. @param slot of the first */
  addBlocks(
    blocks: readonly Pick<ControlBlock, 'id' | 'outputName' | 'outputSize' | 'outputDescription'>[],
    slot: number,
  ): void {
    let at = slot;
    for (const block of blocks) {
      const { id, outputDescription } = block;
      const description = `${outputDescription} of ${id}`;
      for (const name of outputNames(block))
        this.add({ name, unit: '', kind: 'held', element: id, description }, at++);
    }
  }

  /** What every model has at the end: observables, which are signals, and parameters, which are not. */
  addRest(
    observables: readonly ObservableSignal[],
    firstObservable: number,
    parameterNames: readonly string[],
    firstParameter: number,
  ): void {
    observables.forEach((observable, k) => {
      this.add(observable, firstObservable + k);
    });
    parameterNames.forEach((name, k) => this.#slotOf.set(name, firstParameter + k));
  }

  build(): Pick<StateLayout, 'signals' | 'slots' | 'slotOf' | 'systemPlaces'> {
    return {
      signals: this.#signals,
      slots: Int32Array.from(this.#slots),
      slotOf: this.#slotOf,
      systemPlaces: this.#systems,
    };
  }
}

const perSecond = (unit: string): string => (unit === '1' ? '1/s' : `${unit}/s`);
const bare = (unit: string): string => (unit === '1' ? '' : unit);

/** A signal that is computed from a row: an observable, or one of a component. */
export interface ObservableSignal {
  kind: 'observable' | 'component';
  /** id of the component */
  element?: string;
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
  part: 'y' | 'yDot' | 'lambda' | 'impulse';
}

/** What is recorded of each row of an interaction. */
function rowSignals(
  { relation, law }: Interaction,
  units: readonly string[],
  scheme: SchemeName,
  gamma: number | null,
): RowSignal[] {
  if (relation.order === 1) {
    const at = gamma === null ? '' : ` at t_{k+γ}, γ = ${gamma},`;
    return [
      { name: 'y', kind: 'output', unit: '', description: `Output${at}`, part: 'y' },
      { name: 'lambda', kind: 'multiplier', unit: '', description: `Multiplier${at}`, part: 'lambda' },
    ];
  }
  const { y, yDot, impulse, force } = gapUnits(units);
  const isContact = law.restitution !== null;
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
    ...multiplierSignals(law, impulse, force, scheme),
  ];
}

/** Time-stepping has one multiplier, an impulse or a force; from event to event there are both. */
function multiplierSignals(
  law: NonSmoothLaw,
  impulse: string,
  force: string,
  scheme: SchemeName,
): RowSignal[] {
  const ofImpulse = { name: 'impulse', kind: 'impulse', unit: impulse } as const;
  const ofForce = { name: 'lambda', kind: 'multiplier', unit: force } as const;
  if (scheme === 'event-driven') {
    return [
      { ...ofForce, description: 'Force between events', part: 'lambda' },
      { ...ofImpulse, description: 'Impulse of the event', part: 'impulse' },
    ];
  }
  if (law.multiplier === 'impulse')
    return [{ ...ofImpulse, description: 'Impulse over the step', part: 'lambda' }];
  return [{ ...ofForce, description: 'Multiplier', part: 'lambda' }];
}

/** Names are numbered only where there are several. */
const component = (base: string, k: number, count: number): string => (count === 1 ? base : `${base}[${k}]`);

function systemSignals({ id, form, unit, units }: DynamicalSystem): {
  first: SignalInfo[];
  second: SignalInfo[];
} {
  const all = (
    base: string,
    kind: SignalInfo['kind'],
    of: string,
    signalUnit: (unit: string) => string,
  ): SignalInfo[] =>
    Array.from({ length: form.size }, (_, k) => ({
      name: component(`${id}.${base}`, k, form.size),
      unit: signalUnit(units?.[k] ?? unit),
      kind,
      element: id,
      description: `${of} of ${id}`,
    }));
  if (form.order === 1) return { first: all('x', 'state', 'State', bare), second: [] };
  return {
    first: all('q', 'position', 'Position', bare),
    second: all('v', 'velocity', 'Velocity', perSecond),
  };
}

/** What a joint does to the last of the bodies it links, in the order of `RelationForm.jointForce`. */
const JOINT_FORCES = [
  { name: 'forceX', unit: 'N', description: 'Horizontal force' },
  { name: 'forceY', unit: 'N', description: 'Vertical force' },
  { name: 'moment', unit: 'N m', description: 'Moment' },
] as const;

/**
 * Places of everything, in the order of the model, and the signals that stand there.
 * @param gammaOf γ at which first-order relations of a system hold; null where that is the end of the step
 */
export function layoutState(
  model: NonSmoothDynamicalSystem,
  observables: readonly ObservableSignal[],
  parameterNames: readonly string[],
  scheme: SchemeName = 'time-stepping',
  gammaOf: (system: number) => number | null = () => null,
): StateLayout {
  const { systems, interactions } = model;
  const places = placeState(model, observables.length, parameterNames.length, scheme);
  const { q, v, y, yDot, lambda, impulse, kinetic, potential, parameters } = places;
  const list = new SignalList();
  const add = (signal: SignalInfo, slot: number): void => {
    list.add(signal, slot);
  };
  let dof = 0;
  for (const system of systems) {
    const { first, second } = systemSignals(system);
    first.forEach((signal, k) => {
      add(signal, q + dof + k);
    });
    second.forEach((signal, k) => {
      add(signal, v + dof + k);
    });
    const { size } = system.form;
    list.addSystem(system.id, { q: q + dof, qSize: size, v: v + dof, vSize: size });
    dof += size;
  }
  const starts = { y, yDot, lambda, impulse };
  let row = 0;
  for (const interaction of interactions) {
    const { id, relation, law } = interaction;
    const linked = interaction.systems.map((s) => systems[s].unit);
    for (let k = 0; k < relation.size; k++, row++) {
      const own = relation.rows?.[k].unit;
      const parts = rowSignals(
        interaction,
        own === undefined ? linked : [own],
        scheme,
        gammaOf(interaction.systems[0]),
      );
      for (const given of parts) {
        const { name, part, description, place, count, ...rest } = signalOfRow(given, law, k, relation.size);
        const signal = { ...rest, name: component(`${id}.${name}`, place, count), element: id };
        add({ ...signal, description: `${description} of ${rowName(interaction, k)}` }, starts[part] + row);
      }
    }
  }
  if (places.jointForces >= 0) {
    let slot = places.jointForces;
    for (const { id, relation } of interactions) {
      if (relation.jointForce === undefined) continue;
      for (const { name, unit, description } of JOINT_FORCES)
        add(
          {
            name: `${id}.${name}`,
            unit,
            kind: 'multiplier',
            element: id,
            description: `${description} of ${id}`,
          },
          slot++,
        );
    }
  }
  conditionedRows(model).forEach(({ name, interaction }, k) => {
    const description = `Presence of ${name}: 1 where it was there in the step, else 0`;
    const element = interactions[interaction].id;
    add({ name: `${name}.present`, unit: '', kind: 'presence', element, description }, places.presence + k);
  });
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
  list.addBlocks(model.blocks ?? [], places.held);
  list.addBlocks(model.resets ?? [], places.resets);
  list.addRest(observables, places.observables, parameterNames, parameters);
  return { ...places, ...list.build() };
}
