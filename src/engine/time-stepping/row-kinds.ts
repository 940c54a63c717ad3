/** What rows of relations are, for all who treat them by kind. */
import { EngineError } from '../errors';
import type { OneStepIntegrator } from '../integrators/step';
import type { Interaction } from '../model/nsds';

/**
 * Rounding errors of a gap in units of the magnitudes that cancel in it: a few operations of half a unit
 * each.
 */
export const GAP_ROUNDING = 8 * Number.EPSILON;

/** What a row is: flags of `RelationRows.kind`. */
export const VELOCITY_LEVEL = 1;
/** the row takes part in a step only when its contact is closed or about to close */
export const SWITCHED = 2;
/** λ is the impulse over the step */
export const IMPULSE = 4;
/** the row belongs to a Lagrangian relation */
export const LAGRANGIAN = 8;
/** restitution acts on y at the start of the step before: impacts of Schatzman–Paoli */
export const PREVIOUS_POSITION = 16;
/** friction of the contact in the row before: it takes part exactly when that does */
export const FRICTION = 32;
/** restitution acts only in a step in which the contact begins to push */
export const PERCUSSION = 64;

/* What each row of an interaction is, from its law and from the integrators of its systems. */

export interface RowClass {
  /** flags of `row-kinds.ts` */
  readonly kind: number;
  /** coefficient of restitution, e_t of friction; 0 where the law is no impact law */
  readonly restitution: number;
}

/** Newton's law links systems whose schemes treat impacts at different levels. */
function mixedImpact(id: string): EngineError {
  return new EngineError({
    code: 'impact-between-schemes',
    message: `The impact law of “${id}” links systems of integrators that treat impacts at different levels: velocities and positions.`,
    where: id,
    remedy: 'Give all systems of this interaction to Moreau–Jean, or all to Schatzman–Paoli.',
  });
}

/** Friction speaks of velocities, which a scheme that solves for positions knows only between its steps. */
const frictionOnPositions = (id: string): EngineError =>
  new EngineError({
    code: 'friction-on-positions',
    message: `The law of “${id}” has friction, which depends on velocities, but its systems are advanced by Schatzman–Paoli, which treats contacts by positions.`,
    where: id,
    remedy: 'Choose Moreau–Jean for these systems, or a law without friction.',
  });

/** Percussions have velocities before and behind, and no positions. */
const percussionOnPositions = (id: string): EngineError =>
  new EngineError({
    code: 'percussion-on-positions',
    message: `The law of “${id}” dissipates by velocities before and after an impact, but its systems are advanced by Schatzman–Paoli, which treats contacts by positions.`,
    where: id,
    remedy: 'Choose Moreau–Jean for these systems, or a law with a coefficient of restitution.',
  });

/** Half steps know their rows in the middle of a step, other integrators where it is predicted to end. */
const mixedHalfSteps = (id: string): EngineError =>
  new EngineError({
    code: 'integrators-apart',
    message: `The systems of “${id}” are advanced by half steps and by another integrator, which take its relation at different times.`,
    where: id,
    remedy: 'Give all systems of this interaction to the same integrator.',
  });

/**
 * @throws {EngineError} when integrators of its systems treat impacts at different levels, or cannot treat
 *   its friction
 */
export function classifyRows(
  interaction: Interaction,
  integratorOf: (system: number) => OneStepIntegrator,
): RowClass[] {
  const { id, relation, law } = interaction;
  const kind = kindOf(interaction, integratorOf);
  return Array.from({ length: relation.size }, (_, k): RowClass => {
    const row = law.rows[k % law.size];
    if (row.kind === 'percussion' && (kind & VELOCITY_LEVEL) === 0) throw percussionOnPositions(id);
    if (row.kind !== 'friction') return { kind, restitution: law.restitution ?? 0 };
    if ((kind & VELOCITY_LEVEL) === 0) throw frictionOnPositions(id);
    const own = row.isOfPercussion === true ? FRICTION | PERCUSSION : FRICTION;
    return { kind: (kind & ~SWITCHED) | own, restitution: row.restitution };
  });
}

/** Of rows that are no friction. */
function kindOf(
  { id, relation, law, systems }: Interaction,
  integratorOf: (system: number) => OneStepIntegrator,
): number {
  if (relation.order === 1) return 0;
  const kind = LAGRANGIAN | (law.multiplier === 'impulse' ? IMPULSE : 0);
  const onPositions = systems.filter((s) => integratorOf(s).unknown === 'position').length;
  if (law.restitution === null) return law.level === 'velocity' ? kind | VELOCITY_LEVEL : kind;
  if (onPositions === 0) return kind | VELOCITY_LEVEL | SWITCHED;
  if (onPositions === systems.length) return kind | PREVIOUS_POSITION;
  throw mixedImpact(id);
}

/** Whether all systems of an interaction are advanced by half steps. @throws {EngineError} when some are */
export function isByHalfSteps({ id, systems }: Interaction, hasMiddle: (system: number) => boolean): boolean {
  const count = systems.filter(hasMiddle).length;
  if (count > 0 && count < systems.length) throw mixedHalfSteps(id);
  return count > 0;
}

/** Relations of one interaction hold at one time. */
const mixedShares = (id: string): EngineError =>
  new EngineError({
    code: 'integrators-apart',
    message: `The systems of “${id}” are advanced with different γ, at which its relation would hold at different times.`,
    where: id,
    remedy: 'Give all systems of this interaction to one Euler–Moreau integrator, or the same γ.',
  });

/**
 * γ of a relation of first order: it holds at γ x⁺ + (1−γ) x⁻.
 * @throws {EngineError} when the integrators of its systems differ in it
 */
export function shareOfEnd(
  { id, systems }: Interaction,
  integratorOf: (system: number) => OneStepIntegrator,
): number {
  const [share, ...others] = systems.map((system) => integratorOf(system).share ?? 1);
  if (others.some((other) => other !== share)) throw mixedShares(id);
  return share;
}
