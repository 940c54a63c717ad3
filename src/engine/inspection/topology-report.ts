/**
 * The topology of a document: who is linked with whom, and after how many derivatives multipliers act.
 * Executes no script: degrees that depend on functions of a script are left open and named as such.
 */
import { BodyMobility } from '../contact-dynamics/mobility';
import type { DerivativeLookup } from '../document/derivatives';
import type { FunctionLookup } from '../document/field-values';
import { structuralErrors } from '../document/structure';
import type { ModelDocument } from '../document/types';
import { SemidefiniteCholesky } from '../linalg/cholesky';
import type { SpaceBody, SpaceInteraction } from '../model/space/space';
import { prepare } from '../preparation/prepare';
import type { CompiledSpace } from '../preparation/spatial/compile';
import type { BuiltElements } from '../script/builder';
import { FunctionScripts } from '../script/function-scripts';
import { OUT_OF_PLANE } from '../spatial/plane-of-motion';
import { VELOCITIES } from '../spatial/bodies/rigid-body';
import type { SpatialSystem } from '../spatial/system';
import {
  type DescribedComponent,
  type DescribedInteraction,
  type TopologyDescription,
  describeTopology,
} from '../topology/describe';
import { NotExecuted, isNotExecuted, withoutScripts } from '../topology/topology-model';

/*
 * What a model of 3D bodies links with what, before anything has touched: bodies, interactions, and the
 * groups that joints make of bodies.
 */

interface LinkedBody {
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

/**
 * Bodies that joints hold to each other or to what does not move: an impulse on one of them is felt by all.
 */
export interface JoinedGroup {
  readonly bodies: readonly string[];
  readonly equations: number;
  /**
   * of them that do not follow from others at the start; null where it is not known without scripts, or
   * without a long wait
   */
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

function describeSpace({ model, system, moving }: CompiledSpace): SpaceTopology {
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

/** Links of one interaction that are listed: a body with a thousand contacts would list a million. */
export const LISTED_LINKS = 100;
/** Blocks of the one-step matrix that are listed. */
const LISTED_BLOCKS = 200_000;

export interface ReportedInteraction extends DescribedInteraction {
  /** number of linked interactions, of which `linked` lists the first */
  readonly linkedCount: number;
}

export interface ReportedTopology extends Omit<TopologyDescription, 'interactions' | 'pattern'> {
  readonly interactions: readonly ReportedInteraction[];
  /** null when it has too many blocks */
  readonly pattern: TopologyDescription['pattern'] | null;
  /** number of blocks that are not zero */
  readonly blocks: number;
  /**
   * elements on whose script functions degrees depend: those of their components are known once the model
   * runs
   */
  readonly scripted: readonly string[];
  /** of 3D bodies, whose one-step matrix changes with the contacts; null where there are none */
  readonly space: SpaceTopology | null;
}

export interface TopologyReport {
  /** null while the document has errors */
  readonly topology: ReportedTopology | null;
}

/** @param built elements its builder script produced, when that has been run */
export function reportTopology(document: ModelDocument, built?: BuiltElements): TopologyReport {
  if (structuralErrors(document).length > 0) return { topology: null };
  const scripts = new FunctionScripts(document);
  if (scripts.issues.length > 0) return { topology: null };
  // Checks of the initial state pass over what scripts would say, as in a report; degrees and ranks must not.
  let isBuilt = false;
  const stand = (): void => {
    if (isBuilt) throw new NotExecuted();
  };
  const functions: FunctionLookup = (name) => (scripts.functions(name) === null ? null : stand);
  const derivatives: DerivativeLookup = (request) => {
    const answer = scripts.request(request);
    return answer.ok ? { ...answer, call: stand } : answer;
  };
  const { prepared } = prepare(document, {
    functions,
    functionNames: scripts.functionNames,
    generate: scripts.generate,
    derivatives,
    built,
  });
  isBuilt = true;
  if (prepared === null) return { topology: null };
  const { model, scripted } = withoutScripts(prepared.model);
  const { interactions, pattern, components, systems } = describeTopology(model, prepared.settings.t0);
  const blocks = pattern.columns.length;
  return {
    topology: {
      systems,
      interactions: interactions.map((interaction) => ({
        ...interaction,
        linked: interaction.linked.slice(0, LISTED_LINKS),
        linkedCount: interaction.linked.length,
      })),
      components: components.map((component) => explain(component, scripted)),
      pattern: blocks > LISTED_BLOCKS ? null : pattern,
      blocks,
      scripted: [...scripted].sort(),
      space: prepared.space === null ? null : describeSpace(prepared.space),
    },
  };
}

/** A component that has no degrees because a script was not executed has no defect. */
function explain(component: DescribedComponent, scripted: ReadonlySet<string>): DescribedComponent {
  const { vector } = component;
  const element = vector?.defect?.element;
  if (vector === null || element === undefined || !scripted.has(element)) return component;
  const text = `The relative degree depends on script functions of “${element}” and is known once the model runs.`;
  return { ...component, vector: { ...vector, status: 'not-decided', defect: null, text } };
}
