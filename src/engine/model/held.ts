/** Which interactions of a model are joints, and which systems joints and springs hold. */
import type { LawRow } from './forms';
import type { Interaction, NonSmoothDynamicalSystem } from './nsds';

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

/** Whether an interaction is a joint, a relation that means y = 0 and is held by a free impulse, or a spring that pulls and pushes. */
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
