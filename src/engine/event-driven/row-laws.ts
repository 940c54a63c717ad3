/**
 * What the event-driven scheme makes of each row of the interactions: at which derivative of its output the multiplier
 * appears (the degree), its bounds, and which output it watches.
 *
 *     contact            y = h(t, q) ≥ 0 with Newton's impact law     degree 2, λ ∈ [0, ∞)
 *     joint              y = 0, or ẏ = 0 at velocity level            degree 2, λ free
 *     switch on ẏ        relay or box law at velocity level           degree 1 of ẏ
 *     first order        y = h(t, x, λ)                               degree 0 where y depends on λ, else 1
 */
import type { Interaction, NonSmoothDynamicalSystem } from '../model/nsds';
import type { LawRow } from '../model/forms';
import { unsupported } from './failures';

export type RowKind = 'contact' | 'joint' | 'velocitySwitch' | 'output';

export interface RowLaws {
  readonly count: number;
  /** first row of each interaction; one more entry at the end */
  readonly offsets: Int32Array;
  /** id of the interaction, by row */
  readonly names: readonly string[];
  readonly kind: readonly RowKind[];
  /** 0, 1 or 2: derivative of the output in which λ appears; of a velocity switch, whose output is ẏ, 1 */
  readonly degree: Int8Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly restitution: Float64Array;
  /** 1 for joints that ask for ẏ = 0 only: y stays what it is at the start */
  readonly isVelocityJoint: Uint8Array;
}

function boxOf(id: string, row: LawRow): { lower: number; upper: number } {
  if (row.kind === 'graph') throw unsupported(id, 'its law is a graph of several pieces');
  if (row.kind === 'friction') throw unsupported(id, 'its law has friction');
  return row;
}

const isFree = (lower: number, upper: number): boolean => lower === -Infinity && upper === Infinity;

/** @throws {EngineError} for laws and relations without modes */
function kindOf({ id, relation, law }: Interaction, lower: number, upper: number): RowKind {
  if (relation.order === 1) {
    if (relation.hasStateInput || relation.B === null)
      throw unsupported(id, 'the input of its relation is not B λ with a constant matrix B');
    if (relation.hasFeedthrough && relation.D === null)
      throw unsupported(id, 'its output does not depend on the multiplier through a constant matrix D');
    return 'output';
  }
  if (relation.hasFeedthrough) throw unsupported(id, 'its relation is compliant (y depends on λ)');
  if (law.restitution !== null) return 'contact';
  if (isFree(lower, upper)) return 'joint';
  if (law.level !== 'velocity')
    throw unsupported(id, 'its law on positions is no impact law and gives no velocity after a collision');
  if (law.multiplier !== 'force')
    throw unsupported(id, 'its multiplier is bounded as an impulse over a step');
  if (lower === -Infinity || upper === Infinity)
    throw unsupported(id, 'its law on velocities has an infinite bound and gives no impulse at a stop');
  return 'velocitySwitch';
}

/** @throws {EngineError} naming the interaction that cannot be treated */
export function readRowLaws({ interactions }: NonSmoothDynamicalSystem): RowLaws {
  const offsets = new Int32Array(interactions.length + 1);
  interactions.forEach(({ relation }, i) => (offsets[i + 1] = offsets[i] + relation.size));
  const count = offsets[interactions.length];
  const names: string[] = [];
  const kind: RowKind[] = [];
  const degree = new Int8Array(count);
  const lower = new Float64Array(count);
  const upper = new Float64Array(count);
  const restitution = new Float64Array(count);
  const isVelocityJoint = new Uint8Array(count);
  interactions.forEach((interaction, i) => {
    const { id, relation, law } = interaction;
    for (let row = offsets[i]; row < offsets[i + 1]; row++) {
      const box = boxOf(id, law.rows[(row - offsets[i]) % law.size]);
      const rowKind = kindOf(interaction, box.lower, box.upper);
      names.push(id);
      kind.push(rowKind);
      lower[row] = box.lower;
      upper[row] = box.upper;
      restitution[row] = law.restitution ?? 0;
      if (rowKind === 'output') degree[row] = relation.hasFeedthrough ? 0 : 1;
      else degree[row] = rowKind === 'velocitySwitch' ? 1 : 2;
      isVelocityJoint[row] = rowKind === 'joint' && law.level === 'velocity' ? 1 : 0;
    }
  });
  return { count, offsets, names, kind, degree, lower, upper, restitution, isVelocityJoint };
}
