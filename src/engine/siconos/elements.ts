/** Elements that Siconos has, too: systems, relations, laws. A new one is a writer and a line at the end. */
import {
  type LawWriter,
  NoCounterpart,
  type RelationWriter,
  type SystemWriter,
  functionName,
  rowCount,
  slice,
} from './writer';
import type { InteractionDocument, TypedElement } from '../document/types';

const firstOrderLinear: SystemWriter = {
  type: 'FirstOrderLinear',
  order: 1,
  size: ({ n }) => Number(n),
  isLinear: ({ A, b }) => functionName(A) === null && functionName(b) === null,
  write: (system, to, { areLinear: isLinear }) => {
    const n = Number(system.n);
    const { A, b, mass } = system;
    const x0 = to.vector(system.x0, n);
    if (system.u !== undefined || system.T !== undefined)
      throw new NoCounterpart('It has a control term T u.', 'Put the control into A and b.');
    const isVarying = functionName(A) !== null || functionName(b) !== null;
    if (mass !== undefined && (isVarying || !isLinear))
      throw new NoCounterpart(
        'It has a mass matrix beside time-varying matrices or a non-linear relation.',
        'Multiply A and b by the inverse of the mass matrix.',
      );
    // With non-linear relations the kernel leaves r out of the residual of a time-invariant system.
    if (isVarying || !isLinear) {
      const source = to.vectorFunction(b, n) ?? `${to.helper('constant')}(${to.vector(undefined, n)})`;
      return { object: `${to.helper('TimeVaryingSystem')}(${x0}, ${to.matrixFunction(A, n, n)}, ${source})` };
    }
    const source = b === undefined ? '' : `, ${to.vector(b, n)}`;
    return {
      object: `sk.FirstOrderLinearTIDS(${x0}, ${to.matrix(A ?? [], n, n)}${source})`,
      ...(mass === undefined ? {} : { calls: [`setMPtr(${to.matrix(mass, n, n)})`] }),
    };
  },
};

const firstOrderNonLinear: SystemWriter = {
  type: 'FirstOrderNonLinear',
  order: 1,
  size: ({ n }) => Number(n),
  isLinear: () => false,
  write: (system, to) => {
    const n = Number(system.n);
    if (system.u !== undefined || system.T !== undefined || system.mass !== undefined)
      throw new NoCounterpart(
        'It has a mass matrix or a control term T u.',
        'Put both into f, multiplied by the inverse of the mass matrix.',
      );
    const rate = to.vectorFunction(system.f, n) ?? '';
    const jacobian = to.matrixFunction(system.jacobian, n, n, {
      of: system.f,
      by: 'x',
      arguments: ['t', 'x'],
    });
    return { object: `${to.helper('NonLinearSystem')}(${to.vector(system.x0, n)}, ${rate}, ${jacobian})` };
  },
};

const lagrangianLinearTI: SystemWriter = {
  type: 'LagrangianLinearTI',
  order: 2,
  size: ({ ndof }) => Number(ndof),
  isLinear: () => true,
  write: (system, to, { areLinear, atEnd }) => {
    const n = Number(system.ndof);
    if (system.basePosition !== undefined)
      throw new NoCounterpart(
        'Its coordinates are measured from a base motion, which Siconos does not have.',
        'Use absolute coordinates, with the base motion in a rheonomous relation.',
      );
    const { mass, stiffness, damping, fExt } = system;
    const start = `${to.vector(system.q0, n)}, ${to.vector(system.v0, n)}, ${to.matrix(mass ?? [], n, n)}`;
    const calls: string[] = [];
    if (
      !areLinear &&
      atEnd &&
      (stiffness !== undefined || damping !== undefined || functionName(fExt) !== null)
    )
      throw new NoCounterpart(
        'Siconos does not iterate on systems of this type: rows of relations stay at the predicted position.',
        'Set “Jacobians of relations at” to the predicted position, or make it a LagrangianNonLinear.',
      );
    if (stiffness !== undefined) calls.push(`setKPtr(${to.matrix(stiffness, n, n)})`);
    if (damping !== undefined) calls.push(`setCPtr(${to.matrix(damping, n, n)})`);
    if (functionName(fExt) !== null) {
      const force = to.vectorFunction(fExt, n) ?? '';
      return { object: `${to.helper('ForcedLinearSystem')}(${start}, ${force})`, calls };
    }
    if (fExt !== undefined) calls.push(`setFExtPtr(np.array(${to.vector(fExt, n)}))`);
    return { object: `sk.${!areLinear && atEnd ? 'LagrangianDS' : 'LagrangianLinearTIDS'}(${start})`, calls };
  },
};

const lagrangianNonLinear: SystemWriter = {
  type: 'LagrangianNonLinear',
  order: 2,
  size: ({ ndof }) => Number(ndof),
  isLinear: () => false,
  write: (system, to) => {
    const n = Number(system.ndof);
    if (system.u !== undefined || system.T !== undefined)
      throw new NoCounterpart('It has a control term T u.', 'Put the control into the internal forces.');
    const parts = [
      ['gyroscopic', to.vectorFunction(system.gyroscopic, n)],
      ['internal', to.vectorFunction(system.fInt, n)],
      ['external', to.vectorFunction(system.fExt, n)],
    ].flatMap(([name, part]) => (part === null ? [] : [`${name}=${part}`]));
    const start = [to.vector(system.q0, n), to.vector(system.v0, n), to.matrixFunction(system.mass, n, n)];
    return { object: `${to.helper('NonLinearMechanism')}(${[...start, ...parts].join(', ')})` };
  },
};

const firstOrderLinearTI: RelationWriter = {
  type: 'FirstOrderLinearTI',
  isLinear: true,
  size: ({ C }) => rowCount(C),
  write: (relation, columns, rows, to) => {
    const m = rowCount(relation.C);
    const { C, B, D, e, F, z } = relation;
    if (F !== undefined || z !== undefined)
      throw new NoCounterpart('It has an external variable z.', 'Add F z to the offset e.');
    if (functionName(e) !== null)
      throw new NoCounterpart(
        'Its offset e is a function of time, which the Python binding of Siconos cannot call.',
        'Make the source a state of a linear system, such as an oscillator.',
      );
    if (slice(rows, m) !== '') throw new Error('rows of a coupled relation are not divided');
    const object = `sk.FirstOrderLinearTIR(${to.matrix(C ?? [], m, columns)}, ${to.matrix(B ?? [], columns, m)})`;
    const calls: string[] = [];
    if (D !== undefined) calls.push(`setDPtr(${to.matrix(D, m, m)})`);
    if (e !== undefined) calls.push(`setePtr(np.array(${to.vector(e, m)}))`);
    return { object, calls };
  },
};

/* Relations made of script functions: each has a class of its own in the script. */

const size = (relation: TypedElement): number => Number(relation.size ?? 1);

function whole({ from, to }: { from: number; to: number }, all: number): void {
  if (from === 0 && to === all) return;
  throw new NoCounterpart(
    'Siconos switches the rows of such a relation together, by its first.',
    'Divide the interaction into one for each contact.',
  );
}

const lagrangianScleronomous: RelationWriter = {
  type: 'LagrangianScleronomous',
  isLinear: false,
  size,
  write: (relation, columns, rows, to) => {
    const m = size(relation);
    whole(rows, m);
    const h = to.vectorFunction(relation.h, m) ?? '';
    const jacobian = to.matrixFunction(relation.jacobian, m, columns, {
      of: relation.h,
      by: 'q',
      arguments: ['q'],
    });
    return { object: `${to.helper('Scleronomous')}(${m}, ${columns}, ${h}, ${jacobian})` };
  },
};

const lagrangianRheonomous: RelationWriter = {
  type: 'LagrangianRheonomous',
  isLinear: false,
  size,
  write: (relation, columns, rows, to) => {
    const m = size(relation);
    whole(rows, m);
    const h = to.vectorFunction(relation.h, m) ?? '';
    const derived = { of: relation.h, arguments: ['t', 'q'] } as const;
    const rate = to.matrixFunction(relation.hDot, m, 1, { ...derived, by: 't' });
    const jacobian = to.matrixFunction(relation.jacobian, m, columns, { ...derived, by: 'q' });
    return { object: `${to.helper('Rheonomous')}(${m}, ${columns}, ${h}, ${rate}, ${jacobian})` };
  },
};

const firstOrderType2: RelationWriter = {
  type: 'FirstOrderType2',
  isLinear: false,
  size,
  write: (relation, columns, rows, to) => {
    const m = size(relation);
    whole(rows, m);
    const output = { of: relation.h, arguments: ['t', 'x', 'lambda'] } as const;
    const parts = [
      to.vectorFunction(relation.h, m) ?? '',
      to.vectorFunction(relation.g, columns) ?? '',
      to.matrixFunction(relation.C, m, columns, { ...output, by: 'x' }),
      to.matrixFunction(relation.D, m, m, { ...output, by: 'lambda' }),
      to.matrixFunction(relation.B, columns, m, { of: relation.g, by: 'lambda', arguments: ['t', 'lambda'] }),
    ];
    return { object: `${to.helper('Type2')}(${m}, ${columns}, ${parts.join(', ')})` };
  },
};

const lagrangianLinear: RelationWriter = {
  type: 'LagrangianLinear',
  isLinear: true,
  size: ({ H }) => rowCount(H),
  write: (relation, columns, rows, to) => {
    const part = slice(rows, rowCount(relation.H));
    const matrix = `${to.matrix(relation.H ?? [], rowCount(relation.H), columns)}${part}`;
    if (relation.b === undefined) return { object: `sk.LagrangianLinearTIR(${matrix})` };
    return {
      object: `sk.LagrangianLinearTIR(${matrix}, ${to.vector(relation.b, rowCount(relation.H))}${part})`,
    };
  },
};

/* Laws that are cones or equations in their rows. */
/**
 * On mechanisms the kernel keeps impulses at the level of velocities; of positions there is only the
 * first-order form.
 */
function onlyFirstOrder({ relation }: InteractionDocument, { type }: TypedElement): void {
  if (relation.type.startsWith('FirstOrder')) return;
  throw new NoCounterpart(
    `Siconos has no ${type} between forces and positions of mechanisms in a time-stepping scheme.`,
    'Use an impact law, or an equality for joints.',
  );
}

const complementarity: LawWriter = {
  type: 'Complementarity',
  problem: 'LCP',
  rows: null,
  level: 0,
  write: (law, size, interaction) => {
    onlyFirstOrder(interaction, law);
    return `sk.ComplementarityConditionNSL(${size})`;
  },
};

const mixedComplementarity: LawWriter = {
  type: 'MixedComplementarity',
  problem: 'MLCP',
  rows: null,
  level: 0,
  write: (law, size, interaction, to) => {
    onlyFirstOrder(interaction, law);
    const [inequalities, equalities] = [law.inequalities, law.equalities].map((count) =>
      to.evaluate(count as number),
    );
    if (inequalities + equalities !== size)
      throw new NoCounterpart(
        'The law is repeated over several groups of rows.',
        'Divide the interaction into one for each group.',
      );
    return `sk.MixedComplementarityConditionNSL(${inequalities}, ${equalities})`;
  },
};

const equality: LawWriter = {
  type: 'Equality',
  problem: 'MLCP',
  rows: null,
  level: 0,
  write: (law, size) => {
    if (law.level === 'position')
      throw new NoCounterpart(
        'In Siconos joints hold their velocities.',
        'Choose the level of velocities, with a projection of positions.',
      );
    return `sk.EqualityConditionNSL(${size})`;
  },
};

const relay: LawWriter = {
  type: 'Relay',
  problem: 'Relay',
  rows: null,
  level: 0,
  write: (law, size, interaction, to) => {
    onlyFirstOrder(interaction, law);
    const bounds = ([law.lower ?? [-1], law.upper ?? [1]] as (string | number)[][]).map((values) => {
      if (new Set(values.map((value) => to.evaluate(value))).size > 1)
        throw new NoCounterpart(
          'A relay of Siconos has the same bounds in all rows.',
          'Scale the rows so that their bounds agree, or divide the interaction.',
        );
      return to.number(values[0]);
    });
    return `sk.RelayNSL(${size}, ${bounds.join(', ')})`;
  },
};

const normalConePolytope: LawWriter = {
  type: 'NormalConePolytope',
  problem: 'AVI',
  rows: null,
  level: 0,
  write: (law, size, interaction, to) => {
    onlyFirstOrder(interaction, law);
    if (law.confines !== 'lambda')
      throw new NoCounterpart(
        'The polytope of Siconos confines the multiplier, here it confines the output.',
        'State the model with y and λ in each other’s place, and let the law confine λ.',
      );
    to.warn(
      'The solver of Siconos for polytopes, by Cao and Ferris, needs a build with lp_solve, which that of Debian is not.',
    );
    const facets = rowCount(law.A);
    const A = to.matrix(law.A ?? [], facets, size);
    return `sk.NormalConeNSL(${size}, -${A}, -np.array(${to.vector(law.b, facets)}))`;
  },
};

/* Impact laws: Siconos switches an interaction by its first row, so that each contact has one of its own. */

const newtonImpact: LawWriter = {
  type: 'NewtonImpact',
  problem: 'LCP',
  rows: 1,
  level: 1,
  write: (law, size, _interaction, to) => `sk.NewtonImpactNSL(${size}, ${to.number(law.e as number)})`,
};

const newtonImpactFriction: LawWriter = {
  type: 'NewtonImpactFriction',
  problem: 'FrictionContact',
  rows: 2,
  level: 1,
  write: (law, _size, _interaction, to) => {
    if (law.et !== undefined && to.evaluate(law.et as number) !== 0)
      throw new NoCounterpart(
        'In the plane Siconos crashes with a tangential restitution.',
        'Set the tangential restitution to 0.',
      );
    if (law.hypothesis === 'poisson')
      throw new NoCounterpart('Siconos has no restitution by Poisson.', 'Choose the restitution by Newton.');
    return `sk.NewtonImpactFrictionNSL(${to.number(law.e as number)}, 0.0, ${to.number(law.mu as number)}, 2)`;
  },
};

/** In space the kernel has the same law, and problems and solvers of their own. */
const spatialFriction: LawWriter = {
  type: 'NewtonImpactFriction',
  problem: 'FrictionContact3D',
  rows: 3,
  level: 1,
  write: (law, _size, _interaction, to) => {
    const [e, et] = [law.e, law.et ?? 0].map((value) => to.number(value as number));
    return `sk.NewtonImpactFrictionNSL(${e}, ${et}, ${to.number(law.mu as number)}, 3)`;
  },
};

/* One line each. */

const byType = <W extends { readonly type: string }>(...writers: readonly W[]): ReadonlyMap<string, W> =>
  new Map(writers.map((writer) => [writer.type, writer]));

export const systemWriters = byType<SystemWriter>(
  lagrangianLinearTI,
  lagrangianNonLinear,
  firstOrderLinear,
  firstOrderNonLinear,
);
export const relationWriters = byType<RelationWriter>(
  lagrangianLinear,
  lagrangianScleronomous,
  lagrangianRheonomous,
  firstOrderLinearTI,
  firstOrderType2,
);
/** The writer of a law; undefined where Siconos has none. */
export const lawWriterOf = (law: TypedElement): LawWriter | undefined =>
  law.type === 'NewtonImpactFriction' && Number(law.dimension) === 3
    ? spatialFriction
    : lawWriters.get(law.type);

export const lawWriters = byType<LawWriter>(
  complementarity,
  mixedComplementarity,
  equality,
  relay,
  normalConePolytope,
  newtonImpact,
  newtonImpactFriction,
);
