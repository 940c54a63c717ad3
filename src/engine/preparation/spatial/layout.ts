/**
 * The state vector of a simulation of 3D bodies, and the signals in it:
 *
 *     t | x, Q or x̄, F by body | V, Ω or x̄˙, Ḟ by body | joints | scripted relations | contacts |
 *     energies | bodies whose motion is prescribed | outputs of control blocks | observables | parameters
 *
 * Of a joint there are its coordinates, their rates, and what it does to the last of its bodies; of an
 * interaction of contact what happens at all its contacts together.
 */
import type { ENERGY } from '../../contact-dynamics/energy-terms';
import type { SchemeName, SignalInfo } from '../../document/types';
import { createContactLaw } from '../../model/contact-laws/registry';
import type { SpaceBody, SpaceInteraction, SpaceModel } from '../../model/space/space';
import { AFFINE } from '../../spatial/bodies/pseudo-rigid';
import { POSITIONS, VELOCITIES } from '../../spatial/bodies/rigid-body';
import { type ObservableSignal, SignalList, type StateLayout } from '../layout';

/** Numbers recorded of each interaction of contact, in this order. */
const CONTACT_SIGNALS = [
  { name: 'contacts', kind: 'output', unit: '', description: 'Number of closed contacts' },
  { name: 'overlap', kind: 'gap', unit: 'm', description: 'Deepest overlap where the step finds contacts' },
  {
    name: 'normalImpulse',
    kind: 'impulse',
    unit: 'N s',
    description: 'Sum of normal impulses over the step',
  },
  {
    name: 'frictionImpulse',
    kind: 'impulse',
    unit: 'N s',
    description: 'Sum of tangential impulses over the step',
  },
  { name: 'slip', kind: 'gapVelocity', unit: 'm/s', description: 'Fastest slip of a closed contact' },
] as const satisfies readonly Omit<SignalInfo, 'element'>[];

/** Places of them among the numbers of a contact. */
export const [COUNT, OVERLAP, NORMAL, TANGENTIAL, SLIP] = CONTACT_SIGNALS.keys();

/**
 * Behind them in the event-driven scheme, whose impulses are those of an event, and which has forces in
 * between.
 */
const FORCE_SIGNALS = [
  { name: 'normalForce', kind: 'multiplier', unit: 'N', description: 'Sum of normal forces' },
  { name: 'frictionForce', kind: 'multiplier', unit: 'N', description: 'Sum of tangential forces' },
] as const satisfies readonly Omit<SignalInfo, 'element'>[];
const OF_EVENT: Readonly<Record<string, string>> = {
  normalImpulse: 'Sum of normal impulses of the event',
  frictionImpulse: 'Sum of tangential impulses of the event',
};

/** Behind them where the law has the moment. */
const ROLLING_SIGNAL: Omit<SignalInfo, 'element'> = {
  name: 'rollingImpulse',
  kind: 'impulse',
  unit: 'N m s',
  description: 'Sum of moments of rolling friction over the step',
};
const SPINNING_SIGNAL: Omit<SignalInfo, 'element'> = {
  name: 'spinningImpulse',
  kind: 'impulse',
  unit: 'N m s',
  description: 'Sum of moments of spinning friction over the step',
};

/** Behind them where the law has bonds: of those that were made at the start, lost ones counted as zero. */
const INTENSITY_SIGNAL: Omit<SignalInfo, 'element'> = {
  name: 'intensity',
  kind: 'output',
  unit: '',
  description: 'Mean intensity of adhesion',
};
const LEAST_INTENSITY_SIGNAL: Omit<SignalInfo, 'element'> = {
  name: 'leastIntensity',
  kind: 'output',
  unit: '',
  description: 'Least intensity of adhesion',
};

/**
 * Places of the signals of an interaction of contact in the state vector; the others follow from `first` in
 * the order of the list.
 */
export interface ContactPlaces {
  readonly first: number;
  /** −1 where there is none */
  readonly rolling: number;
  readonly spinning: number;
  readonly intensity: number;
  readonly leastIntensity: number;
  /** −1 by time-stepping */
  readonly normalForce: number;
}

function contactSignals(
  { law }: SpaceInteraction,
  scheme: SchemeName,
): readonly Omit<SignalInfo, 'element'>[] {
  if (scheme === 'event-driven')
    return [
      ...CONTACT_SIGNALS.map((signal) => ({
        ...signal,
        description: OF_EVENT[signal.name] ?? signal.description,
      })),
      ...FORCE_SIGNALS,
    ];
  return [
    ...CONTACT_SIGNALS,
    ...(law?.rolling === undefined ? [] : [ROLLING_SIGNAL]),
    ...(law?.spinning === undefined ? [] : [SPINNING_SIGNAL]),
    ...(law !== null && createContactLaw(law).adhesion !== undefined
      ? [INTENSITY_SIGNAL, LEAST_INTENSITY_SIGNAL]
      : []),
  ];
}

/** By interaction of contact. @param from place of the first signal */
export function placeContacts(
  model: SpaceModel,
  from: number,
  scheme: SchemeName = 'time-stepping',
): ContactPlaces[] {
  let next = from;
  return contactsOf(model).map((interaction) => {
    const signals = contactSignals(interaction, scheme);
    const first = next;
    next += signals.length;
    const placeOf = (signal: Omit<SignalInfo, 'element'>): number =>
      signals.includes(signal) ? first + signals.indexOf(signal) : -1;
    return {
      first,
      rolling: placeOf(ROLLING_SIGNAL),
      spinning: placeOf(SPINNING_SIGNAL),
      intensity: placeOf(INTENSITY_SIGNAL),
      leastIntensity: placeOf(LEAST_INTENSITY_SIGNAL),
      normalForce: placeOf(FORCE_SIGNALS[0]),
    };
  });
}

/**
 * What a joint does to the last of its bodies: mean force over the step at its point, and moment about it, in
 * the world's frame.
 */
const REACTIONS = [
  { name: 'forceX', unit: 'N', description: 'Force along x' },
  { name: 'forceY', unit: 'N', description: 'Force along y' },
  { name: 'forceZ', unit: 'N', description: 'Force along z' },
  { name: 'momentX', unit: 'N m', description: 'Moment about x' },
  { name: 'momentY', unit: 'N m', description: 'Moment about y' },
  { name: 'momentZ', unit: 'N m', description: 'Moment about z' },
] as const;

export const REACTION_NUMBERS = REACTIONS.length;

/**
 * Energies, and work since the start that has changed them: entries of `ENERGY` that each is the sum of.
 */
export const ENERGY_SIGNALS: readonly {
  readonly name: string;
  readonly description: string;
  readonly of: readonly (keyof typeof ENERGY)[];
}[] = [
  { name: 'kinetic', description: 'Kinetic energy', of: ['kinetic'] },
  { name: 'potential', description: 'Potential energy of the weight', of: ['potential'] },
  { name: 'strain', description: 'Elastic energy of pseudo-rigid bodies', of: ['strain'] },
  { name: 'loads', description: 'Work of other loads', of: ['loads'] },
  { name: 'damping', description: 'Work of damping in pseudo-rigid bodies', of: ['damping'] },
  { name: 'contactNormal', description: 'Work of normal impulses of contacts', of: ['contactNormal'] },
  {
    name: 'contactTangent',
    description: 'Work of friction at contacts, rolling and spinning included',
    of: ['contactTangent', 'contactMoments'],
  },
  { name: 'stops', description: 'Work of stops of joints', of: ['limits'] },
  { name: 'jointFriction', description: 'Work of friction in joints', of: ['friction'] },
  {
    name: 'motors',
    description: 'Work of motors, of obstacles that move, and of changes of inertia',
    of: ['motors', 'kinematicBodies', 'inertia'],
  },
  {
    name: 'numerical',
    description: 'Energy that the scheme adds or takes',
    of: ['potentialDefect', 'gyroscopic', 'joints', 'corrections'],
  },
];
/** Place of what the scheme adds among them. */
export const NUMERICAL = ENERGY_SIGNALS.length - 1;

/** Numbers recorded of a kinematic body that moves. */
export const KINEMATIC_NUMBERS = POSITIONS + VELOCITIES;

/** Numbers recorded of each row of a relation that a script gives: y, ẏ, and the mean λ over the step. */
export const GENERAL_NUMBERS = 3;

export interface SpacePlaces {
  /** length of the state vector */
  readonly size: number;
  readonly q: number;
  readonly v: number;
  readonly joints: number;
  /** of relations that scripts give */
  readonly general: number;
  readonly contacts: number;
  readonly kinetic: number;
  readonly potential: number;
  /** poses and velocities of kinematic bodies that move */
  readonly kinematicBodies: number;
  /** outputs of control blocks */
  readonly held: number;
  readonly observables: number;
  readonly parameters: number;
}

/** Numbers recorded of a body of each kind: three of the mass centre first, then those of what else moves. */
const RECORDED = {
  rigid: {
    positions: POSITIONS,
    velocities: VELOCITIES,
    units: ['', 'rad/s'],
    names: ['Orientation', 'Angular velocity'],
  },
  pseudoRigid: {
    positions: AFFINE,
    velocities: AFFINE,
    units: ['', '1/s'],
    names: ['Deformation gradient', 'Rate of the deformation gradient'],
  },
} as const;
/** Position and velocity of a mass centre. */
const CENTRE = 3;

/** Interactions of each kind, in the order of the model. */
export function jointsOf({ interactions }: SpaceModel): JointInteraction[] {
  return interactions.filter((one): one is JointInteraction => one.relation.kind === 'joint');
}
export function contactsOf({ interactions }: SpaceModel): SpaceInteraction[] {
  return interactions.filter(({ relation }) => relation.kind === 'contact');
}
export function generalOf({ interactions }: SpaceModel): GeneralInteraction[] {
  return interactions.filter((one): one is GeneralInteraction => one.relation.kind === 'general');
}
/** Bodies whose motion is prescribed. */
function kinematicBodiesOf({ bodies }: SpaceModel): SpaceBody[] {
  return bodies.filter(({ motion }) => motion !== null);
}
export type GeneralInteraction = SpaceInteraction & {
  relation: Extract<SpaceInteraction['relation'], { kind: 'general' }>;
};
export type JointInteraction = SpaceInteraction & {
  relation: Extract<SpaceInteraction['relation'], { kind: 'joint' }>;
};

/** Numbers recorded of a joint. */
const jointNumbers = ({ relation }: JointInteraction): number =>
  2 * relation.coordinates.length + REACTION_NUMBERS;

export function placeSpace(
  model: SpaceModel,
  observables: number,
  parameters: number,
  scheme: SchemeName = 'time-stepping',
): SpacePlaces {
  const moving = model.bodies.flatMap(({ dynamics }) => (dynamics === null ? [] : RECORDED[dynamics.kind]));
  const q = 1;
  const v = moving.reduce((at, { positions }) => at + positions, q);
  const joints = moving.reduce((at, { velocities }) => at + velocities, v);
  const general = joints + jointsOf(model).reduce((sum, joint) => sum + jointNumbers(joint), 0);
  const contacts =
    general + generalOf(model).reduce((sum, { relation }) => sum + GENERAL_NUMBERS * relation.size, 0);
  const kinetic =
    contacts +
    contactsOf(model).reduce((sum, interaction) => sum + contactSignals(interaction, scheme).length, 0);
  const potential = kinetic + 1;
  const kinematicBodies = kinetic + ENERGY_SIGNALS.length;
  const held = kinematicBodies + KINEMATIC_NUMBERS * kinematicBodiesOf(model).length;
  const blocks = model.blocks ?? [];
  const firstObservable = held + blocks.reduce((sum, { outputSize }) => sum + outputSize, 0);
  return {
    size: firstObservable + observables + parameters,
    q,
    v,
    joints,
    general,
    contacts,
    kinetic,
    potential,
    kinematicBodies,
    held,
    observables: firstObservable,
    parameters: firstObservable + observables,
  };
}

export function layoutSpace(
  model: SpaceModel,
  observables: readonly ObservableSignal[],
  parameterNames: readonly string[],
  scheme: SchemeName = 'time-stepping',
): StateLayout {
  const places = placeSpace(model, observables.length, parameterNames.length, scheme);
  const list = new SignalList();
  let { q, v } = places;
  for (const { id, dynamics } of model.bodies) {
    if (dynamics === null) continue;
    const recorded = RECORDED[dynamics.kind];
    addNumbers(list, id, recorded, q, v);
    list.addSystem(id, { q, qSize: recorded.positions, v, vSize: recorded.velocities });
    q += recorded.positions;
    v += recorded.velocities;
  }
  let slot = places.joints;
  for (const { id, relation } of jointsOf(model)) {
    const add = (name: string, kind: SignalInfo['kind'], unit: string, description: string): void =>
      list.add(
        { name: `${id}.${name}`, unit, kind, element: id, description: `${description} of ${id}` },
        slot++,
      );
    for (const { name, label, unit } of relation.coordinates) {
      add(name, 'output', unit, label);
      add(`${name}Rate`, 'outputVelocity', `${unit}/s`, `Rate of ${label.toLowerCase()}`);
    }
    for (const { name, unit, description } of REACTIONS) add(name, 'multiplier', unit, description);
  }
  const force =
    scheme === 'event-driven'
      ? 'Force (where y is an angle, moment) between events'
      : 'Mean force (where y is an angle, moment) over the step';
  for (const { id, relation, law } of generalOf(model)) {
    const isStop = law !== null;
    for (let k = 0; k < relation.size; k++) {
      const add = (base: string, kind: SignalInfo['kind'], description: string): void =>
        list.add(
          {
            name: `${id}.${relation.size === 1 ? base : `${base}[${k}]`}`,
            // A row is a length or an angle, as the script has it.
            unit: '',
            kind,
            element: id,
            description: `${description} of ${id}`,
          },
          slot++,
        );
      add(isStop ? 'gap' : 'y', isStop ? 'gap' : 'output', isStop ? 'Gap' : 'Output');
      add(
        isStop ? 'gapVelocity' : 'yDot',
        isStop ? 'gapVelocity' : 'outputVelocity',
        isStop ? 'Gap velocity' : 'Velocity of the output',
      );
      add('lambda', 'multiplier', force);
    }
  }
  slot = places.contacts;
  for (const interaction of contactsOf(model)) {
    const { id } = interaction;
    for (const { name, description, ...rest } of contactSignals(interaction, scheme))
      list.add(
        { ...rest, name: `${id}.${name}`, element: id, description: `${description} of ${id}` },
        slot++,
      );
  }
  ENERGY_SIGNALS.forEach(({ name, description }, k) => {
    list.add({ name: `energy.${name}`, unit: 'J', kind: 'energy', description }, places.kinetic + k);
  });
  kinematicBodiesOf(model).forEach(({ id }, k) => {
    const at = places.kinematicBodies + KINEMATIC_NUMBERS * k;
    addNumbers(list, id, RECORDED.rigid, at, at + POSITIONS);
  });
  list.addBlocks(model.blocks ?? [], places.held);
  list.addRest(observables, places.observables, parameterNames, places.parameters);
  const nothing = {
    ndof: 0,
    positions: 0,
    rows: 0,
    y: -1,
    yDot: -1,
    lambda: -1,
    impulse: -1,
    jointForces: -1,
    presence: -1,
    resets: -1,
  };
  return { ...nothing, ...places, ...list.build() };
}

/** Signals of the position and velocity of a body. @param q, v their first slots */
function addNumbers(
  list: SignalList,
  id: string,
  { positions, velocities, units, names }: (typeof RECORDED)[keyof typeof RECORDED],
  q: number,
  v: number,
): void {
  for (let k = 0; k < positions; k++) {
    const description = `${k < CENTRE ? 'Position' : names[0]} of ${id}`;
    const unit = k < CENTRE ? 'm' : units[0];
    list.add({ name: `${id}.q[${k}]`, unit, kind: 'position', element: id, description }, q + k);
  }
  for (let k = 0; k < velocities; k++) {
    const description = `${k < CENTRE ? 'Velocity' : names[1]} of ${id}`;
    const unit = k < CENTRE ? 'm/s' : units[1];
    list.add({ name: `${id}.v[${k}]`, unit, kind: 'velocity', element: id, description }, v + k);
  }
}
