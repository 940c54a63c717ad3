/** Which law stands on which relation in which scheme, found by running the smallest model of each. */
import type { FieldValue, ModelDocument, SystemDocument, TypedElement } from '@engine/document/types';
import { catalogue } from '@engine/model/registry';
import type { EngineErrorDetails } from '@engine/errors';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun } from '@engine/run/session';
import type { ScriptSandbox } from '@engine/script/sandbox';
import { model, withFunctions } from './models';
import { SPACE } from './space';

type Fields = Readonly<Record<string, FieldValue>>;

/** A scheme, or an integrator of time-stepping, by its letter in the tables. */
interface Way {
  readonly letter: string;
  readonly integrator?: TypedElement;
}

/** A law or relation with the fields that make it the smallest, and what is said of these in the tables. */
interface Kind {
  readonly type: string;
  readonly note?: string;
  fields(rows: number): Fields;
  /** rows that a law takes at once, or that a relation has whatever its law */
  readonly rows?: number;
}

export interface Core {
  readonly title: string;
  readonly about: string;
  readonly systems: readonly SystemDocument[];
  readonly ways: readonly Way[];
  readonly relations: readonly Kind[];
  readonly laws: readonly Kind[];
  /** laws that stand on none of the relations */
  readonly refused: readonly Kind[];
}

const stepping = (letter: string, type: string, fields: Fields = {}): Way => ({
  letter,
  integrator: { type, ...fields },
});
const EVENTS: Way = { letter: 'E' };
const GALERKIN = stepping('G', 'D1MinusLinear', { level: 'velocity' });

const DOF = 3;
const columns = Array.from({ length: DOF }, (_, k) => k);
const identity = (rows: number, size: number): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: size }, (__, k) => Number(i === k)));
const call = (name: string): FieldValue => ({ function: name });
const kind = (type: string, fields: Fields = {}, more: { note?: string; rows?: number } = {}): Kind => ({
  type,
  fields: () => fields,
  ...more,
});
const sized = (type: string, fields: (rows: number) => Fields, note?: string): Kind => ({
  type,
  fields,
  ...(note === undefined ? {} : { note }),
});

const FILL = 'for (let i = 0; i < out.length; i++) out[i] =';
const FUNCTIONS = [
  `export const gaps = (q, out) => { ${FILL} q[i]; };`,
  `export const moving = (t, q, out) => { ${FILL} q[i]; };`,
  `export const yielding = (q, lambda, out) => { ${FILL} q[i] + lambda[i]; };`,
  `export const states = (x, out) => { ${FILL} x[i]; };`,
  `export const inputs1 = (lambda, out) => { ${FILL} lambda[i] ?? 0; };`,
  `export const outputs = (t, x, lambda, out) => { ${FILL} x[i] + lambda[i]; };`,
  `export const inputs2 = (t, lambda, out) => { ${FILL} lambda[i] ?? 0; };`,
  `export const inputs = (t, x, lambda, out) => { ${FILL} lambda[i] ?? 0; };`,
  'export const touching = (q, out) => { out.set([q[0], q[1], 4, q[0], q[1], q[2] - 0.5, 0, 0, 1]); };',
  'export const heights = (q, out) => { out[0] = q[2] - 5; };',
];

/* Laws of coordinates and of states. */

const BOTH_WAYS = (rows: number): number[][] => [
  ...identity(rows, rows),
  ...identity(rows, rows).map((row) => row.map((entry) => -entry)),
];
const polytope = (confines: string, note: string, level: Fields): Kind =>
  sized(
    'NormalConePolytope',
    (rows) => ({ A: BOTH_WAYS(rows), b: new Array<number>(2 * rows).fill(1), confines, ...level }),
    note,
  );
const SATURATION: Fields = {
  points: [
    [-1, 1],
    [1, -1],
  ],
  start: [1, 0],
  end: [1, 0],
};
const STAIR: Fields = {
  points: [
    [0.5, 0],
    [0.5, -1],
  ],
  start: [1, 0],
  end: [1, 0],
};

/** Laws of either order. @param level of Lagrangian relations, and its sign; none for states */
const lawsAt = (level: Fields, sign: string): Kind[] => {
  const on = (words: string): { note: string } => ({ note: [words, sign].filter(Boolean).join(', ') });
  return [
    kind('Complementarity', level, on('')),
    sized('MixedComplementarity', (rows) => ({ equalities: 0, inequalities: rows, ...level }), on('').note),
    kind('Equality', level, on('')),
    kind('Relay', level, on('')),
    kind('NormalConeBox', { lower: [-1], upper: [1], ...level }, on('')),
    polytope('y', on('of y').note, level),
    polytope('lambda', on('of λ').note, level),
    kind('PiecewiseLinear', { ...SATURATION, ...level }, on('one λ for each y')),
    kind('PiecewiseLinear', { ...STAIR, ...level }, on('with a vertical piece')),
  ];
};
const PLASTICITY = kind('MohrCoulomb', { phi: 0.5 }, { rows: 3 });
const OF_COORDINATES: readonly Kind[] = [
  kind('NewtonImpact', { e: 0.5 }),
  kind('NewtonImpactFriction', { mu: 0.5, e: 0 }, { note: 'dimension 2', rows: 2 }),
  kind('NewtonImpactFriction', { mu: 0.5, e: 0, dimension: 3 }, { note: 'dimension 3', rows: 3 }),
  kind('FremondImpactFriction', { k: 2, mu: 0, dimension: 1 }, { note: 'dimension 1' }),
  kind('FremondImpactFriction', { k: 2, mu: 0.5 }, { note: 'dimension 2', rows: 2 }),
  ...lawsAt({ level: 'velocity' }, 'on ẏ'),
  ...lawsAt({ level: 'position' }, 'on y'),
  PLASTICITY,
];
const ROW_BY_ROW = sized('PerRow', (rows) => ({
  laws: Array.from({ length: rows }, (_, r) =>
    r === 0 ? { type: 'PiecewiseLinear', ...SATURATION } : { type: 'Complementarity' },
  ),
}));
const OF_STATES: readonly Kind[] = [...lawsAt({}, ''), PLASTICITY, ROW_BY_ROW];

/* Systems and relations. */

const COORDINATES: SystemDocument = {
  id: 'first',
  type: 'LagrangianLinearTI',
  ndof: DOF,
  mass: identity(DOF, DOF),
  q0: columns.map(() => 0),
  v0: columns.map(() => 0),
};
const STATES: SystemDocument = {
  id: 'first',
  type: 'FirstOrderLinear',
  n: DOF,
  x0: columns.map(() => 0),
  A: identity(DOF, DOF).map((row) => row.map((entry) => -entry)),
};
const BODIES: readonly SystemDocument[] = ['first', 'second'].map((id) => ({
  id,
  type: 'PlanarBody',
  mass: 1,
  inertia: 1,
  q0: [0, 0, 0],
  v0: [0, 0, 0],
}));
const SOLIDS: readonly SystemDocument[] = SPACE.map((body, k) => ({ ...body, id: BODIES[k].id }));

const CONSTANT_D = 'with a matrix `D`';
const LAGRANGIAN: readonly Kind[] = [
  sized('LagrangianLinear', (rows) => ({ H: identity(rows, DOF) })),
  sized('LagrangianScleronomous', (size) => ({ size, h: call('gaps') })),
  sized('LagrangianRheonomous', (size) => ({ size, h: call('moving') })),
  sized('LagrangianCompliantLinear', (rows) => ({ H: identity(rows, DOF), D: identity(rows, rows) })),
  sized('LagrangianCompliant', (size) => ({ size, h: call('yielding') })),
  sized(
    'LagrangianCompliant',
    (size) => ({ size, h: call('yielding'), D: identity(size, size) }),
    CONSTANT_D,
  ),
];

/** Fields of relations of planar bodies, both at the origin, and rows of those that have a fixed number. */
const PLANAR: Readonly<Record<string, Fields>> = {
  Distance: { point2: [1, 0], length: 1 },
  Gear: { ratio: 1 },
  PinInHole: { clearance: 0.1, radius: 0.1, point2: [0.1, 0] },
  Spring: { point2: [1, 0], length: 1, stiffness: 1 },
};
/** Rows of those that have a fixed number. */
const ROWS: Readonly<Record<string, number>> = {
  Revolute: 2,
  Prismatic: 2,
  PinInSlot: 1,
  Distance: 1,
  Rigid: 3,
  Gear: 1,
  Driver: 1,
  Spring: 1,
};

const linear = (rows: number): Fields => ({ C: identity(rows, DOF), B: identity(DOF, rows) });
const CONSTANT_B = 'with a matrix `B`';
const CONSTANT_BD = 'with matrices `B` and `D`';
const constants = (rows: number): Fields => ({ B: identity(DOF, rows), D: identity(rows, rows) });
const type1 = (size: number): Fields => ({ size, h: call('states'), g: call('inputs1') });
const type2 = (size: number): Fields => ({ size, h: call('outputs'), g: call('inputs2') });
const nonLinear = (size: number): Fields => ({ size, h: call('outputs'), g: call('inputs') });
const OF_FIRST_ORDER: readonly Kind[] = [
  sized('FirstOrderLinearTI', linear),
  sized('FirstOrderType1', type1),
  sized('FirstOrderType1', (size) => ({ ...type1(size), B: identity(DOF, size) }), CONSTANT_B),
  sized('FirstOrderType2', type2),
  sized('FirstOrderType2', (size) => ({ ...type2(size), ...constants(size) }), CONSTANT_BD),
  sized('FirstOrderNonLinearR', nonLinear),
  sized('FirstOrderNonLinearR', (size) => ({ ...nonLinear(size), ...constants(size) }), CONSTANT_BD),
];

/** Fields of relations of 3D bodies, which stand 3 m apart. */
const SPATIAL: Readonly<Record<string, Fields>> = {
  ScriptedContact: { contact: call('touching') },
  DistanceJoint: { point: [0, 0, 5], point2: [0, 3, 5] },
  Rope: { point: [0, 0, 5], point2: [0, 3, 5], lengthMax: 4 },
  PointPlaneStop: { gapMin: -1 },
  UniversalJoint: { axis: [1, 0, 0], direction: [0, 1, 0] },
  NewtonEulerRelation: { size: 1, h: call('heights') },
};
const WITH_LIMITS: Fields = { axis: [0, 0, 1], angleMax: 1 };

const { relations, laws } = catalogue();
const OF_PLANAR: readonly Kind[] = relations
  .filter(({ links, order }) => order === 2 && links !== undefined)
  .map(({ type }) =>
    ROWS[type] === undefined
      ? sized(type, (size) => ({ ...PLANAR[type], rows: size === 1 ? 'gap' : 'gapAndSlip' }))
      : kind(type, PLANAR[type], { rows: ROWS[type] }),
  );
const OF_SPACE: readonly Kind[] = [
  ...relations
    .filter(({ order }) => order === 'body')
    .map(({ type, fields }) =>
      kind(type, {
        ...(fields.some(({ key }) => key === 'axis') ? { axis: [0, 0, 1] } : {}),
        ...SPATIAL[type],
      }),
    ),
  kind('RevoluteJoint', WITH_LIMITS, { note: 'with a stop, dry friction or a motor with a limit' }),
];
const CONTACTS_OF_SPACE: readonly Kind[] = laws
  .filter(({ order }) => order === 'body')
  .map(({ type, fields }) =>
    kind(
      type,
      Object.fromEntries(
        fields
          .filter(({ required }) => required)
          .map(({ key }) => [key, key === 'mu' || key === 'e' ? 0.5 : 1]),
      ),
    ),
  );

const WAYS_OF_COORDINATES: readonly Way[] = [
  stepping('M', 'MoreauJean'),
  stepping('P', 'SchatzmanPaoli'),
  stepping('H', 'MoreauHalfStep'),
  GALERKIN,
  EVENTS,
];

export const CORES: readonly Core[] = [
  {
    title: 'Coordinates',
    about: 'Lagrangian systems and planar bodies, by relations that are given as matrices or scripts.',
    systems: [COORDINATES],
    ways: WAYS_OF_COORDINATES,
    relations: LAGRANGIAN,
    laws: OF_COORDINATES,
    refused: [...CONTACTS_OF_SPACE, ROW_BY_ROW],
  },
  {
    title: 'Planar bodies',
    about: 'Relations that know points and directions of planar bodies.',
    systems: BODIES,
    ways: WAYS_OF_COORDINATES,
    relations: OF_PLANAR,
    laws: OF_COORDINATES,
    refused: [...CONTACTS_OF_SPACE, ROW_BY_ROW],
  },
  {
    title: '3D bodies',
    about: 'All other laws are refused here.',
    systems: SOLIDS,
    ways: [stepping('M', 'MoreauJean'), stepping('H', 'MoreauHalfStep'), GALERKIN, EVENTS],
    relations: OF_SPACE,
    laws: [...CONTACTS_OF_SPACE, kind('Equality')],
    refused: [...OF_COORDINATES.filter(({ type }) => type !== 'Equality'), ROW_BY_ROW],
  },
  {
    title: 'First-order systems',
    about: 'Circuits, control, sliding modes; laws of impact are refused here.',
    systems: [STATES],
    ways: [stepping('M', 'EulerMoreau'), stepping('Z', 'ZeroOrderHold'), EVENTS],
    relations: OF_FIRST_ORDER,
    laws: OF_STATES,
    refused: [...OF_COORDINATES.filter(({ type }) => /Impact/.test(type)), ...CONTACTS_OF_SPACE],
  },
];

const REFUSED_FOR_ROWS = 'law-size';
/** Refusals of what a table is about. Another one would say that a model of the table is a bad one. */
const REFUSALS = new Set([
  'contact-without-forces',
  'event-driven-contact',
  'event-driven-unsupported',
  'friction-on-positions',
  'impact-on-compliant-relation',
  'integrator-unsuitable',
  'joint-without-forces',
  'law-of-contact',
  'law-of-joint',
  'law-of-relation',
  'law-order',
  REFUSED_FOR_ROWS,
  'law-without-forces',
  'level-of-compliant-relation',
  'percussion-on-positions',
  'plasticity-on-compliance',
]);

/** A model of one interaction that runs for three steps. */
function smallest(core: Core, law: Kind, relation: Kind, { integrator }: Way): ModelDocument {
  const size = relation.rows ?? law.rows ?? 1;
  const isWorld = relation.type === 'ScriptedContact';
  const made = { type: relation.type, ...relation.fields(size) };
  const document = model(structuredClone([...core.systems]), [
    {
      id: 'link',
      systems: core.systems.slice(0, isWorld ? 1 : core.systems.length).map(({ id }) => id),
      relation: made,
      law: { type: law.type, ...law.fields(size) },
    },
  ]);
  const h = 1e-3;
  Object.assign(document.simulation, {
    scheme: integrator === undefined ? 'event-driven' : 'time-stepping',
    h,
    tEnd: 3 * h,
    integrators: integrator === undefined ? [] : [integrator],
    problem: { type: 'auto' },
  });
  return JSON.stringify(made).includes('"function"') ? withFunctions(document, ...FUNCTIONS) : document;
}

/** Why a document cannot be run, or is not run to its end; null when it is. */
function refusalOf(document: ModelDocument, sandbox: () => ScriptSandbox): EngineErrorDetails | null {
  const run = prepareRun({ document }, { sandbox, sink: new MemoryChunks() });
  if (!run.ok) return run.error.code === 'invalid-document' ? { ...run.error, ...run.issues[0] } : run.error;
  while (run.session.advance(100) === 'running');
  return run.session.error;
}

/**
 * The letters of the ways in which a law stands on a relation; empty where there is none.
 * @throws where a model is refused for another reason
 */
export function waysOf(core: Core, law: Kind, relation: Kind, sandbox: () => ScriptSandbox): string {
  return core.ways
    .filter((way) => {
      const refused = refusalOf(smallest(core, law, relation, way), sandbox);
      if (refused === null) return true;
      if (REFUSALS.has(refused.code)) return false;
      throw new Error(`${law.type} on ${relation.type}, ${way.letter}: ${refused.code}: ${refused.message}`);
    })
    .map(({ letter }) => letter)
    .join(' ');
}

/** Of each cell of the tables and each way the smallest model, with what it is. */
export const allSmallest = (): { readonly what: string; readonly document: ModelDocument }[] =>
  CORES.flatMap((core) =>
    core.relations.flatMap((relation) =>
      core.laws.flatMap((law) =>
        core.ways.map((way) => ({
          what: `${nameOf(law)} on ${nameOf(relation)}, ${way.letter}`,
          document: smallest(core, law, relation, way),
        })),
      ),
    ),
  );

/** The law that a new interaction has, where the definition names one. */
const namedLaw = (type: string): string | undefined => relations.find((one) => one.type === type)?.law;

/**
 * For each relation the smallest models of laws that stand on it, by steps and from event to event: of the
 * law that its definition names, or the first of its table, and of all on relations of 3D bodies.
 * @param known types of relations that are left out
 */
export function smallestModels(known: ReadonlySet<string>, sandbox: () => ScriptSandbox): ModelDocument[] {
  const found: ModelDocument[] = [];
  for (const core of CORES)
    for (const relation of core.relations) {
      if (known.has(relation.type)) continue;
      const named = core.laws.filter(({ type }) => type === namedLaw(relation.type));
      const candidates = [...named, ...core.laws.filter((law) => !named.includes(law))];
      for (const way of [core.ways[0], EVENTS]) {
        const stands = (law: Kind): boolean =>
          waysOf({ ...core, ways: [way] }, law, relation, sandbox) !== '';
        const laws =
          relation.type === 'NewtonEulerRelation'
            ? candidates.filter(stands)
            : [candidates.find(stands)].filter((law) => law !== undefined);
        found.push(...laws.map((law) => smallest(core, law, relation, way)));
      }
    }
  return found;
}

export const nameOf = ({ type, note }: Kind): string => `${type}${note ? `, ${note}` : ''}`;
