/**
 * What the event-driven scheme makes of each row of the interactions: at which derivative of its output the
 * multiplier appears (the degree), its bounds, and which output it watches.
 *
 *     contact      y = h(t, q) ≥ 0 with Newton's impact law      degree 2, λ ∈ [0, ∞)
 *     joint        y = 0, or ẏ = 0 at velocity level             degree 2, λ free
 *     friction     Coulomb's law on the slip ẏ of a contact      degree 1 of ẏ, |λ| ≤ μ λ of the row before
 *     slip         the same of two slips in a tangent plane      degree 1 of ẏ, |(λ₁, λ₂)| ≤ μ λ before them
 *     switch on ẏ  relay or box law at velocity level            degree 1 of ẏ
 *     first order  y = h(t, x, λ)                                degree 0 where y depends on some λ, else 1
 *     compliant    y = h(t, q) + D λ, law on y                   degree 0, as of first order
 *     graph        a row for each of its elements                vertical ones as above, sloped ones degree 0
 */
import type { ImpactChoice } from '../../impacts/registry';
import type { LawForm, LawRow, RelationForm } from '../../model/forms';
import { rowName } from '../../model/nsds';
import { impactsWithFriction, unsupported } from '../failures';
import type { ExpandedInteraction, GraphElement } from './graph-elements';

type RowKind = 'contact' | 'friction' | 'slip' | 'joint' | 'velocitySwitch' | 'output';

export interface RowLaws {
  readonly count: number;
  /** first row of each interaction; one more entry at the end */
  readonly offsets: Int32Array;
  /** id of the interaction, by row */
  readonly names: readonly string[];
  /** interaction of each row */
  readonly ids: readonly string[];
  readonly kind: readonly RowKind[];
  /** 0, 1 or 2: derivative of the output in which λ appears; of rows whose output is ẏ, 1 */
  readonly degree: Int8Array;
  /** 1 for rows whose output is ẏ: velocity switches and friction */
  readonly followsSpeed: Uint8Array;
  /** bounds of λ; 0 on friction rows, whose bounds are those of the cone */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** of contacts e, of friction rows e_t */
  readonly restitution: Float64Array;
  /** K of contacts in the energy-based law of impact, 1 of other rows */
  readonly stiffness: Float64Array;
  /** rows with friction; the contact of each is the row before */
  readonly frictionRows: Int32Array;
  /**
   * first of the two slips of each contact with friction in its tangent plane; the contact is the row before
   */
  readonly slipRows: Int32Array;
  /** Coulomb's coefficient μ of rows of friction and of slip; 0 of others */
  readonly mu: Float64Array;
  /** whether restitution relates impulses of compression and expansion, not velocities */
  readonly isPoisson: boolean;
  /** 1 for joints that ask for ẏ = 0 only: y stays what it is at the start. Those of bodies mean y = 0 */
  readonly isVelocityJoint: Uint8Array;
  /** σ of elements of graphs whose multiplier acts against λ; 1 of other rows */
  readonly sign: Int8Array;
  /** what ẏ is compared with: y_k of vertical elements of graphs on ẏ, 0 of other rows */
  readonly speedTarget: Float64Array;
  /** 1 for sloped elements of graphs */
  readonly isSloped: Uint8Array;
  /** sloped elements of graphs on ẏ, whose output is ẏ − y_k + c_k (μ − m_k); null of other rows */
  readonly dashpots: readonly (GraphElement | null)[];
  /** rows of the vertical elements at the left and right end of a sloped one; −1 where there is none */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** row of the model that each row belongs to: its own number where no law is a graph */
  readonly owner: Int32Array;
}

interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

const CONE: Bounds = { lower: 0, upper: 0 };
/** Of a graph that is no sum of elements yet, as where only outputs are of interest. */
const ANY: Bounds = { lower: -Infinity, upper: Infinity };

function boundsOf(id: string, row: LawRow): Bounds {
  if (row.kind === 'graph') return ANY;
  if (row.kind === 'polytope') throw unsupported(id, 'its law is the normal cone to a polytope');
  if (row.kind === 'percussion') throw unsupported(id, 'its impacts dissipate by mean velocities (Frémond)');
  if (row.kind === 'cone') throw unsupported(id, 'its law is plasticity');
  return row.kind === 'friction' ? CONE : row;
}

const isFree = ({ lower, upper }: Bounds): boolean => lower === -Infinity && upper === Infinity;

/** @throws {EngineError} for laws and relations without modes */
function kindOf({ id, relation, law }: ExpandedInteraction, row: LawRow, element?: GraphElement): RowKind {
  if (row.kind === 'friction') return frictionKind(id, relation, law);
  const bounds = boundsOf(id, row);
  if (relation.order === 1) {
    if (relation.hasStateInput || relation.B === null)
      throw unsupported(id, 'the input of its relation is not B λ with a constant matrix B');
    if (relation.hasFeedthrough && relation.D === null)
      throw unsupported(id, 'its output does not depend on the multiplier through a constant matrix D');
    return 'output';
  }
  if (element !== undefined && element.compliance > 0) return 'output';
  if (relation.hasFeedthrough && (element === undefined || law.level === 'position')) {
    if (relation.D === null || law.level === 'velocity' || law.restitution !== null)
      throw unsupported(id, 'its compliance is not a constant matrix D, or its law is not on y');
    return 'output';
  }
  if (law.restitution !== null) return 'contact';
  if (isFree(bounds)) return 'joint';
  if (law.level !== 'velocity')
    throw unsupported(id, 'its law on positions is no impact law and gives no velocity after a collision');
  if (law.multiplier !== 'force')
    throw unsupported(id, 'its multiplier is bounded as an impulse over a step');
  if (bounds.lower === -Infinity || bounds.upper === Infinity)
    throw unsupported(id, 'its law on velocities has an infinite bound and gives no impulse at a stop');
  return 'velocitySwitch';
}

/** Whether friction acts in a tangent plane, by two rows behind that of the contact. */
const isDisc = ({ rows }: LawForm): boolean => rows.filter(({ kind }) => kind === 'friction').length > 1;

function frictionKind(id: string, relation: RelationForm, law: LawForm): RowKind {
  if (relation.order === 1) throw unsupported(id, 'its law has friction, but its relation has no velocities');
  if (law.restitution === null) throw unsupported(id, 'its law has friction, but no restitution');
  return isDisc(law) ? 'slip' : 'friction';
}

/** A relation whose rows do not come in groups of its law, or whose slip no coordinate changes. */
function checkFriction({ id, relation, law }: ExpandedInteraction): void {
  const { size, columns, C } = relation;
  if (size % law.size !== 0)
    throw unsupported(
      id,
      `its relation has ${size} rows, which is no multiple of the ${law.size} of its law`,
    );
  if (C === null) return;
  for (let row = 0; row < size; row++) {
    if (law.rows[row % law.size].kind !== 'friction') continue;
    if (C.subarray(row * columns, (row + 1) * columns).every((entry) => entry === 0))
      throw unsupported(id, `row ${row} of its relation, the slip, does not depend on any coordinate`);
  }
}

/**
 * Impacts at one time are one problem, so that they need one hypothesis; without restitution both are the
 * same. With Newton's law for several contacts a law with friction may ask for Poisson's of its own.
 * @throws {EngineError} for a mixture
 */
function readHypothesis(
  interactions: readonly ExpandedInteraction[],
  impacts: ImpactChoice['type'],
): boolean {
  const bouncing = interactions.filter(({ law }) => (law.restitution ?? 0) > 0);
  const poisson = bouncing.find(({ law }) => impacts === 'Poisson' || law.hypothesis === 'poisson');
  if (poisson === undefined) return false;
  const newton = bouncing.find(({ law }) => law.hypothesis !== 'poisson');
  if (newton !== undefined && impacts !== 'Poisson')
    throw unsupported(
      poisson.id,
      `its restitution relates impulses (Poisson), that of “${newton.id}” velocities (Newton)`,
    );
  for (const { id, law } of bouncing) {
    if (isDisc(law)) throw unsupported(id, 'Poisson’s hypothesis with friction is known in the plane only');
    if (law.rows.some((row) => row.kind === 'friction' && row.restitution > 0))
      throw unsupported(id, 'tangential restitution is defined for Newton’s restitution only');
  }
  return true;
}

/**
 * Laws that treat one contact after the other, or follow waves of compression, know no friction.
 * @throws {EngineError} naming a contact with friction
 */
function checkFrictionless(
  interactions: readonly ExpandedInteraction[],
  impacts: ImpactChoice['type'],
): void {
  if (impacts === 'Newton' || impacts === 'Poisson') return;
  const rough = interactions.find(({ law }) =>
    law.rows.some((row) => row.kind === 'friction' && row.coefficient > 0),
  );
  if (rough !== undefined) throw impactsWithFriction(rough.id, impacts);
}

/**
 * @param impacts the law of impacts at several contacts at once
 * @throws {EngineError} naming the interaction that cannot be treated
 */
export function readRowLaws(
  { interactions }: { readonly interactions: readonly ExpandedInteraction[] },
  impacts: ImpactChoice['type'] = 'Newton',
): RowLaws {
  checkFrictionless(interactions, impacts);
  const offsets = new Int32Array(interactions.length + 1);
  interactions.forEach(({ relation }, i) => (offsets[i + 1] = offsets[i] + relation.size));
  const count = offsets[interactions.length];
  const names: string[] = [];
  const ids: string[] = [];
  const kind: RowKind[] = [];
  const degree = new Int8Array(count);
  const followsSpeed = new Uint8Array(count);
  const lower = new Float64Array(count);
  const upper = new Float64Array(count);
  const restitution = new Float64Array(count);
  const stiffness = new Float64Array(count).fill(1);
  const frictionRows: number[] = [];
  const slipRows: number[] = [];
  const mu = new Float64Array(count);
  const isVelocityJoint = new Uint8Array(count);
  const sign = new Int8Array(count).fill(1);
  const speedTarget = new Float64Array(count);
  const isSloped = new Uint8Array(count);
  const dashpots = new Array<GraphElement | null>(count).fill(null);
  const left = new Int32Array(count).fill(-1);
  const right = new Int32Array(count).fill(-1);
  const owner = new Int32Array(count);
  let recorded = 0;
  interactions.forEach((interaction, i) => {
    const { id, relation, law, elements } = interaction;
    const last = elements?.at(-1)?.row ?? relation.size - 1;
    for (let row = offsets[i]; row < offsets[i + 1]; row++) {
      const own = law.rows[(row - offsets[i]) % law.size];
      const element = elements?.[row - offsets[i]];
      owner[row] = recorded + (element?.row ?? row - offsets[i]);
      const rowKind = kindOf(interaction, own, element);
      const bounds = boundsOf(id, own);
      names.push(rowName(interaction, element?.row ?? row - offsets[i]));
      ids.push(id);
      kind.push(rowKind);
      lower[row] = bounds.lower;
      upper[row] = bounds.upper;
      restitution[row] = law.restitution ?? 0;
      stiffness[row] = law.stiffness ?? 1;
      followsSpeed[row] = rowKind === 'velocitySwitch' || own.kind === 'friction' ? 1 : 0;
      if (rowKind === 'output') degree[row] = yields(interaction, row - offsets[i]) ? 0 : 1;
      else degree[row] = followsSpeed[row] === 1 ? 1 : 2;
      const isRelative = law.level === 'velocity' && relation.isJoint !== true;
      isVelocityJoint[row] = rowKind === 'joint' && isRelative ? 1 : 0;
      if (element !== undefined) {
        const isOnSpeed = relation.order === 2 && law.level === 'velocity';
        sign[row] = element.sign;
        if (rowKind === 'velocitySwitch') speedTarget[row] = element.target;
        isSloped[row] = element.compliance > 0 ? 1 : 0;
        if (isOnSpeed && element.compliance > 0) dashpots[row] = element;
        if (element.left >= 0) left[row] = offsets[i] + element.left;
        if (element.right >= 0) right[row] = offsets[i] + element.right;
      }
      if (own.kind !== 'friction') continue;
      if (rowKind === 'friction') frictionRows.push(row);
      else if (law.rows[((row - offsets[i]) % law.size) - 1].kind !== 'friction') slipRows.push(row);
      mu[row] = own.coefficient;
      restitution[row] = own.restitution;
    }
    recorded += last + 1;
    if (law.rows.some((row) => row.kind === 'friction')) checkFriction(interaction);
  });
  return {
    count,
    offsets,
    names,
    ids,
    kind,
    degree,
    followsSpeed,
    lower,
    upper,
    restitution,
    stiffness,
    frictionRows: Int32Array.from(frictionRows),
    slipRows: Int32Array.from(slipRows),
    mu,
    isPoisson: readHypothesis(interactions, impacts),
    isVelocityJoint,
    sign,
    speedTarget,
    isSloped,
    dashpots,
    left,
    right,
    owner,
  };
}

/** Whether the output of a row contains its multiplier. @param k its number among the rows of its relation */
function yields({ relation, elements }: ExpandedInteraction, k: number): boolean {
  const { order, hasFeedthrough, D, size } = relation;
  if (D === null || (elements === undefined && order === 2)) return hasFeedthrough;
  return D.subarray(k * size, (k + 1) * size).some((entry) => entry !== 0);
}

/*
 * Modes of a row: on which piece of its law it is. The index sets of the Siconos manual follow from them: I0
 * holds all contacts, I2 the ACTIVE ones, and I1, contacts that are closed and do not separate, is formed at
 * an impact.
 */

/** λ at its lower bound, output positive: an open contact, a blocking diode, a relay on y > 0 */
export const LOWER = 0;
/** output kept at zero by λ: a contact of I2, a conducting diode, a relay that slides */
export const ACTIVE = 1;
/** λ at its upper bound, output negative */
export const UPPER = 2;
/** the row does not exist at present, and λ = 0 */
export const ABSENT = 3;

/** λ of a row that is not ACTIVE. */
export function boundOf(
  { lower, upper }: Pick<RowLaws, 'lower' | 'upper'>,
  modes: Int8Array,
  row: number,
): number {
  if (modes[row] === ABSENT) return 0;
  return modes[row] === LOWER ? lower[row] : upper[row];
}
