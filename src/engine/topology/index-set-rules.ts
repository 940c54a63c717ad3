/**
 * What the relative degree of an interaction means for the user: at which level its law is solved, when it
 * belongs to the index sets I0, I1, I2, and which integrators treat it. With r the number of derivatives
 * after which λ acts on y:
 *
 *     r = 0   λ is a function of y now; nothing jumps
 *     r = 1   λ is a function of time that may jump; y is continuous
 *     r = 2   ẏ jumps where y reaches the corner of an unbounded law, and λ is a measure with atoms there
 *     r ≥ 3   with an unbounded law λ is a distribution of order r − 1: Acary, Brogliato and
 *             Goeleven 2008
 *
 * A law that bounds λ, such as a relay, keeps it a function whatever r is. A law on the velocity ẏ meets λ
 * one derivative earlier than one on y.
 */
import { PolytopeProjection } from '../linalg/polytope-projection';
import type { LawForm, Polytope } from '../model/forms';
import type { Degree, InteractionDegree, VectorDegree } from './relative-degree';
import type { TopologyInteraction } from './topology-model';

type RuleCode =
  /** r = 0 */
  | 'algebraic'
  /** r = 1 */
  | 'function'
  /** r = 2 under an impact law */
  | 'impact'
  /** r = 2 under an impact law with Coulomb friction */
  | 'impact-with-friction'
  /** r = 2 under a law on ẏ whose multiplier is an impulse: a joint */
  | 'constraint'
  /** r = 2 under a law on ẏ whose multiplier is a force: friction */
  | 'velocity-force'
  /** r = 2 under an unbounded law on y that is no impact law */
  | 'measure'
  /** r ≥ 2 under a law on y that bounds λ */
  | 'bounded'
  /** r ≥ 3 under an unbounded law */
  | 'higher-order'
  /** an impact law where λ acts on y at once: a compliant contact */
  | 'impact-on-compliance'
  /** λ does not act on some y */
  | 'no-effect'
  /** λ does not act within the orders that are tried */
  | 'beyond-limit';

/** When the interaction belongs to an index set. */
type Membership =
  | 'always'
  /** y ≤ 0, or forecast to be so within the step; for events y = 0 and ẏ ≤ 0 */
  | 'closed'
  /** y = 0 and ẏ = 0, so that contact lasts */
  | 'resting';

/** How the multipliers of an interaction stand to those of the interactions it is coupled with. */
type Coupling =
  | { readonly code: 'independent' }
  /** y does not determine λ: rows say the same of the same bodies */
  | { readonly code: 'redundant' }
  /** some combination of the outputs feels λ only after `order` derivatives */
  | { readonly code: 'hidden'; readonly order: number }
  /** rows depend on each other, or may do so, and the component is too large to say more */
  | { readonly code: 'unknown' };

export interface IndexSetRule {
  readonly code: RuleCode;
  readonly severity: 'information' | 'warning';
  /** the largest degree of its rows */
  readonly degree: Degree;
  /** whether rows have different degrees */
  readonly mixed: boolean;
  /** whether the law is solved on y or on ẏ */
  readonly level: 'position' | 'velocity';
  /** indexSets[k]: membership of I_k; sets beyond the last are empty of it */
  readonly indexSets: readonly Membership[];
  /** types of integrators that suit, best first; none where there is none */
  readonly integrators: readonly string[];
  readonly coupling: Coupling;
}

interface RuleEntry {
  readonly warning: boolean;
  readonly level: 'position' | 'velocity';
  readonly indexSets: readonly Membership[];
  /** by order of the systems */
  readonly integrators: { readonly 1: readonly string[]; readonly 2: readonly string[] };
  readonly text: string;
}

const ALWAYS: readonly Membership[] = ['always'];
const FIRST_ORDER = ['EulerMoreau'];
/** Where λ stays a function, input that is held over a step will do, too. */
const FIRST_ORDER_OR_HELD = ['EulerMoreau', 'ZeroOrderHold'];
const VELOCITY = ['MoreauJean', 'MoreauHalfStep'];
/** Contact forces beside impulses: laws of impacts and joints only. */
const IMPACTS = [...VELOCITY, 'D1MinusLinear'];
const POSITION = ['SchatzmanPaoli'];
const NONE: readonly string[] = [];

const RULES: Record<RuleCode, RuleEntry> = {
  algebraic: {
    warning: false,
    level: 'position',
    indexSets: ALWAYS,
    integrators: { 1: FIRST_ORDER, 2: VELOCITY },
    text: 'λ acts on y at once. The law is solved on y in every step, and nothing jumps.',
  },
  function: {
    warning: false,
    level: 'position',
    indexSets: ALWAYS,
    integrators: { 1: FIRST_ORDER_OR_HELD, 2: VELOCITY },
    text: 'λ acts on the rate of y. The law is solved on y in every step; λ is a function of time that may jump, y is continuous.',
  },
  impact: {
    warning: false,
    level: 'velocity',
    indexSets: ['always', 'closed', 'resting'],
    integrators: { 1: NONE, 2: [...IMPACTS, ...POSITION] },
    text: 'λ acts on the acceleration of y, so that closing contacts need impulses. The law is solved on ẏ for the contacts that are closed, y ≤ 0 (I1); those that rest, y = 0 and ẏ = 0 (I2), have contact forces.',
  },
  'impact-with-friction': {
    warning: false,
    level: 'velocity',
    indexSets: ['always', 'closed', 'resting'],
    integrators: { 1: NONE, 2: IMPACTS },
    text: 'λ acts on the acceleration of gap and slip, so that closing contacts need impulses in both directions. The law is solved on ẏ for the contacts that are closed, y ≤ 0 (I1), friction together with its contact; those that rest, y = 0 and ẏ = 0 (I2), have contact forces, and stick or slide.',
  },
  constraint: {
    warning: false,
    level: 'velocity',
    indexSets: ['always', 'always', 'always'],
    integrators: { 1: NONE, 2: IMPACTS },
    text: 'λ acts on the acceleration of y. The law holds at all times and is solved on ẏ; λ is the impulse over a step, and y may drift by rounding and by the order of the method.',
  },
  'velocity-force': {
    warning: false,
    level: 'velocity',
    indexSets: ['always', 'always'],
    integrators: { 1: NONE, 2: VELOCITY },
    text: 'The law speaks of ẏ, on whose rate λ acts. It is solved on ẏ in every step; λ is a force that may jump, velocities are continuous.',
  },
  measure: {
    warning: true,
    level: 'position',
    indexSets: ALWAYS,
    integrators: { 1: FIRST_ORDER, 2: POSITION },
    text: 'λ acts on the second derivative of y and has no bound, so that it becomes an impulse where y is stopped; the law does not say how y rebounds. Solved on y, it rebounds as the method happens to make it: use an impact law if it is a contact.',
  },
  bounded: {
    warning: false,
    level: 'position',
    indexSets: ALWAYS,
    integrators: { 1: FIRST_ORDER_OR_HELD, 2: VELOCITY },
    text: 'λ acts on the second or a higher derivative of y and is bounded, so that nothing jumps. y = 0 is not held at once: the system swings across it, or reaches it in ever shorter swings.',
  },
  'higher-order': {
    warning: true,
    level: 'position',
    indexSets: ALWAYS,
    integrators: { 1: NONE, 2: NONE },
    text: 'λ acts on the third or a higher derivative of y and has no bound: where y is stopped λ is more singular than an impulse. No method here solves such a law; a step on y gives values that grow without bound as the step is refined.',
  },
  'impact-on-compliance': {
    warning: true,
    level: 'position',
    indexSets: ALWAYS,
    integrators: { 1: FIRST_ORDER, 2: VELOCITY },
    text: 'λ acts on y at once, as in a spring, so that there is no impact for the impact law to rule and its coefficient of restitution has no effect. Use a complementarity law, or a relation without compliance.',
  },
  'no-effect': {
    warning: true,
    level: 'position',
    indexSets: ALWAYS,
    integrators: { 1: NONE, 2: NONE },
    text: 'At least one y is not affected by any λ: the law cannot keep it, and the run stops when it would have to. Look for a missing or zero row in the relation.',
  },
  'beyond-limit': {
    warning: true,
    level: 'position',
    indexSets: ALWAYS,
    integrators: { 1: NONE, 2: NONE },
    text: 'At least one y is not affected by λ in any derivative that was tried. The law cannot be expected to keep it.',
  },
};

/** @param alpha position of the interaction in the model, as `vector` names it */
export function indexSetRule(
  interaction: TopologyInteraction,
  alpha: number,
  { rows }: InteractionDegree,
  vector: VectorDegree,
): IndexSetRule {
  const degrees = rows.map(({ degree }) => degree);
  const finite = degrees.filter((degree) => typeof degree === 'number');
  const degree = degrees.find((d) => typeof d === 'string') ?? Math.max(...finite);
  const code = ruleCode(interaction, degree);
  const { warning, level, indexSets, integrators } = RULES[code];
  const coupling = couplingOf(alpha, vector);
  const hidden = coupling.code === 'hidden' && coupling.order > Math.max(1, ...finite);
  return {
    code,
    severity: warning || hidden ? 'warning' : 'information',
    degree,
    mixed: new Set(degrees).size > 1,
    level,
    indexSets,
    integrators: integrators[interaction.relation.order],
    coupling,
  };
}

function ruleCode({ law, relation }: TopologyInteraction, degree: Degree): RuleCode {
  if (degree === 'none') return 'no-effect';
  if (degree === 'beyond-limit') return degree;
  const isImpact = relation.order === 2 && law.restitution !== null;
  if (degree === 0) return isImpact ? 'impact-on-compliance' : 'algebraic';
  if (degree === 1) return 'function';
  const onVelocity = relation.order === 2 && law.level === 'velocity';
  if (degree === 2 && isImpact) return hasFriction(law) ? 'impact-with-friction' : 'impact';
  if (degree === 2 && onVelocity) return law.multiplier === 'impulse' ? 'constraint' : 'velocity-force';
  if (boundsMultiplier(law)) return 'bounded';
  return degree === 2 ? 'measure' : 'higher-order';
}

const hasFriction = ({ rows }: LawForm): boolean => rows.some(({ kind }) => kind === 'friction');

/** Length of a projection of a unit vector that rounding does not leave. */
const RAY = 1e-9;

/** Whether λ stays bounded whatever y does. */
export function boundsMultiplier({ rows }: LawForm): boolean {
  return rows.every((row) => {
    // Its bound grows with the multiplier of a contact or a pressure, which has none.
    if (row.kind === 'friction' || row.kind === 'cone' || row.kind === 'percussion') return false;
    if (row.kind === 'box') return Number.isFinite(row.lower) && Number.isFinite(row.upper);
    if (row.kind === 'polytope') return row.polytope.confines === 'multiplier' && isBounded(row.polytope);
    return row.graph.startDirection[1] === 0 && row.graph.endDirection[1] === 0;
  });
}

/** Whether a polytope has no ray, a z ≠ 0 with A z ≤ 0: one would show in the projection of some ± e_k. */
function isBounded({ A, b, size }: Polytope): boolean {
  const rays = new PolytopeProjection(A, new Float64Array(b.length));
  const axis = new Float64Array(size);
  for (let k = 0; k < size; k++)
    for (const sign of [1, -1]) {
      axis.fill(0);
      axis[k] = sign;
      rays.project(axis);
      if (Math.hypot(...rays.point) > RAY) return false;
    }
  return true;
}

function couplingOf(alpha: number, vector: VectorDegree): Coupling {
  if (vector.status === 'exists') return { code: 'independent' };
  if (vector.status === 'not-decided') return { code: 'unknown' };
  if (!vector.rows.some(({ interaction }) => interaction === alpha)) return { code: 'independent' };
  const { structure } = vector;
  if (structure === null || structure.limited) return { code: 'unknown' };
  if (!structure.invertible) return { code: 'redundant' };
  return { code: 'hidden', order: Math.max(...structure.zeros.map(({ order }) => order)) };
}

/** The rule in words for the user. */
export function ruleText({ code, mixed, coupling }: IndexSetRule): string {
  const sentences = [RULES[code].text];
  if (mixed) sentences.push('Its rows differ in this; what is said holds for the highest.');
  const about = couplingText(coupling);
  if (about !== null && code !== 'no-effect') sentences.push(about);
  return sentences.join(' ');
}

function couplingText(coupling: Coupling): string | null {
  switch (coupling.code) {
    case 'independent':
      return null;
    case 'redundant':
      return 'Together with rows of the same or of linked interactions it is redundant: several values of λ have the same effect, and the solver gives one of them.';
    case 'hidden':
      return `Counted for all linked interactions together the relative degree is undefined: a combination of their y feels λ only in derivative ${coupling.order}, and behaves accordingly.`;
    case 'unknown':
      return 'Whether its rows are independent of those of linked interactions was not determined.';
  }
}
