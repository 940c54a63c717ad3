/** What a model of bodies in space links with what, before anything has touched: bodies, interactions, and the groups that joints make of bodies. */
import { BodyMobility } from '../../contact-dynamics/mobility';
import { SemidefiniteCholesky } from '../../linalg/semidefinite-cholesky';
import type { SpaceBody, SpaceInteraction } from '../../model/space/space';
import { OUT_OF_PLANE } from '../../spatial/plane-of-motion';
import { VELOCITIES } from '../../spatial/rigid-body';
import type { SpatialSystem } from '../../spatial/system';
import { isNotExecuted } from '../../topology/unevaluated';
import type { CompiledSpace } from './compile';

export interface LinkedBody {
  readonly id: string;
  readonly motion: 'free' | 'prescribed' | 'fixed';
}

export interface SpaceLink {
  readonly id: string;
  readonly kind: SpaceInteraction['relation']['kind'];
  /** of the relation */
  readonly type: string;
  /** places in `SpaceTopology.bodies` */
  readonly bodies: readonly number[];
  /** equations, or stops of a script; none of contacts, which come and go */
  readonly rows: number;
}

/** Bodies that joints hold to each other or to what does not move: an impulse on one of them is felt by all. */
export interface JoinedGroup {
  readonly bodies: readonly string[];
  readonly equations: number;
  /** of them that do not follow from others at the start; null where it is not known without scripts, or without a long wait */
  readonly independent: number | null;
  /** velocities without the joints */
  readonly velocities: number;
}

export interface SpaceTopology {
  readonly bodies: readonly LinkedBody[];
  readonly interactions: readonly SpaceLink[];
  readonly groups: readonly JoinedGroup[];
}

/** Multiplications for the ranks of all groups: some tenths of a second. */
const MOST_WORK = 1e8;

export function describeSpace({ model, system, moving }: CompiledSpace): SpaceTopology {
  return {
    bodies: model.bodies.map((body) => ({ id: body.id, motion: motionOf(body) })),
    interactions: model.interactions.map(({ id, relation, bodies }) => ({
      id,
      kind: relation.kind,
      type: relation.type,
      bodies,
      rows: relation.kind === 'joint' ? relation.rows : relation.kind === 'general' ? relation.size : 0,
    })),
    groups: groupsOf(system, (body) => model.bodies[moving[body]].id),
  };
}

function motionOf({ dynamics, motion }: SpaceBody): LinkedBody['motion'] {
  if (dynamics !== null) return 'free';
  return motion?.moves === true ? 'prescribed' : 'fixed';
}

function groupsOf(system: SpatialSystem, idOf: (body: number) => string): JoinedGroup[] {
  const mobility = new BodyMobility(system);
  const groups = [...mobility.members.keys()].map((group) => ({
    members: [...mobility.members[group]],
    entries: [...mobility.entries[group]],
    // Motors that prescribe a speed stand behind the equations.
    rows: mobility.rowsOf(group).filter((row) => row < system.equations.count),
  }));
  const joined = groups.filter(({ members, rows }) => members.length > 1 || rows.length > 0);
  const work = joined.reduce((sum, { rows, entries }) => sum + rows.length ** 2 * entries.length, 0);
  const jacobian = work > MOST_WORK ? null : jacobianAtStart(system);
  return joined.map(({ members, entries, rows }) => {
    const free = entries.filter((entry) => !system.isPlanar || !OUT_OF_PLANE.includes(entry % VELOCITIES));
    return {
      bodies: members.map(idOf),
      equations: rows.length,
      independent: jacobian === null ? null : rankOf(jacobian, system.velocities, rows, free),
      velocities: free.length,
    };
  });
}

/** G by the velocities of all bodies; null where a script would have to be executed for it. */
function jacobianAtStart(system: SpatialSystem): Float64Array | null {
  const { equations, velocities } = system;
  const jacobian = new Float64Array(equations.count * velocities);
  try {
    equations.jacobian(system.initialPositions(), jacobian, velocities, 'velocity');
    return jacobian;
  } catch (error) {
    if (isNotExecuted(error)) return null;
    throw error;
  }
}

/** Rank of some rows and columns, as that of the products of rows. */
function rankOf(
  jacobian: Float64Array,
  width: number,
  rows: readonly number[],
  columns: readonly number[],
): number {
  const n = rows.length;
  const products = new Float64Array(n * n);
  for (let r = 0; r < n; r++)
    for (let s = 0; s <= r; s++) {
      let sum = 0;
      for (const column of columns)
        sum += jacobian[rows[r] * width + column] * jacobian[rows[s] * width + column];
      products[r * n + s] = sum;
    }
  const cholesky = new SemidefiniteCholesky(n);
  cholesky.factor(products, n);
  return cholesky.rank;
}
