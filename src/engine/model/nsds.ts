/**
 * The non-smooth dynamical system: what the user models, before anything is computed. Siconos developer's
 * notes §2.
 */
import type { ModelConditions } from './conditions';
import type { FirstOrderForm, LagrangianForm, LawForm, LawRow, RelationForm } from './forms';

/** A dynamical system of any type; `form` is all that the computation looks at. */
export interface DynamicalSystem {
  /** type in the document, for messages */
  readonly type: string;
  readonly id: string;
  readonly form: FirstOrderForm | LagrangianForm;
  /** unit of x or q, `1` when there is none */
  readonly unit: string;
  /** unit of each coordinate, where they differ */
  readonly units?: readonly string[];
}

export interface Relation extends RelationForm {
  readonly type: string;
}

export interface NonSmoothLaw extends LawForm {
  readonly type: string;
}

/** A relation and a law on the coordinates of one or more systems. */
export interface Interaction {
  readonly id: string;
  /**
   * positions of the linked systems in `NonSmoothDynamicalSystem.systems`, in the order of the relation's
   * columns
   */
  readonly systems: readonly number[];
  readonly relation: Relation;
  readonly law: NonSmoothLaw;
}

export interface NonSmoothDynamicalSystem {
  readonly systems: readonly DynamicalSystem[];
  readonly interactions: readonly Interaction[];
  /** conditions in the functions of the elements whose outcomes can be held; absent where there are none */
  readonly conditions?: ModelConditions;
}

/** Coordinates of the linked systems together: number of columns of a relation. */
export const linkedSize = (systems: readonly DynamicalSystem[], linked: readonly number[]): number =>
  linked.reduce((sum, position) => sum + systems[position].form.size, 0);

/* Which interactions of a model are joints, and which systems joints and springs hold. */

/** Whether the multiplier of a row has no bound. */
export const isFree = (row: LawRow): boolean =>
  row.kind === 'box' && row.lower === Number.NEGATIVE_INFINITY && row.upper === Number.POSITIVE_INFINITY;

/** Whether an interaction holds ẏ = 0 by a free impulse. */
export const isHeld = ({ relation, law }: Interaction): boolean =>
  relation.order === 2 &&
  law.level === 'velocity' &&
  law.multiplier === 'impulse' &&
  law.restitution === null &&
  law.rows.every(isFree);

/**
 * Whether an interaction is a joint, a relation that means y = 0 and is held by a free impulse, or a spring
 * that pulls and pushes.
 */
const asksForHalfSteps = (interaction: Interaction): boolean => {
  const { relation, law } = interaction;
  if (relation.isSpring === true) return law.rows.every(isFree);
  return relation.isJoint === true && isHeld(interaction);
};

/** Systems that hang together with a joint or a spring between bodies through interactions. */
export function jointedSystems({ systems, interactions }: NonSmoothDynamicalSystem): ReadonlySet<number> {
  const parent = systems.map((_, s) => s);
  const root = (s: number): number => (parent[s] === s ? s : root(parent[s]));
  for (const { systems: linked } of interactions) for (const s of linked) parent[root(s)] = root(linked[0]);
  const joints = interactions.filter(asksForHalfSteps);
  const roots = new Set(joints.map(({ systems: linked }) => root(linked[0])));
  return new Set(parent.map((_, s) => s).filter((s) => roots.has(root(s))));
}
