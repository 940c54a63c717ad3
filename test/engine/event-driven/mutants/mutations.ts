/** Slips that the formulas of the scheme from event to event invite, as changes of the engine's own code. */
import type { Mutation } from '../../../support/mutation';
import type { checks } from './checks';

export type EventMutation = Mutation<keyof typeof checks>;

const FRICTION = '@engine/event-driven/decision/friction-coupling';
const CONTACTS = '@engine/event-driven/decision/contact-problem';
const IMPACT = '@engine/event-driven/impact/impact';
const ROWS = '@engine/event-driven/rows/relation-rows';
const FORCES = '@engine/event-driven/flow/analytic-forces';
const FORCING = '@engine/smooth-arcs/analytic-forcing';
const ENERGY = '@engine/event-driven/certificate/flight-energy';

const friction: readonly EventMutation[] = [
  {
    name: 'friction-along-the-slip',
    slip: 'f = +μ where ẏ_t > 0: friction drives what it should brake',
    module: FRICTION,
    find: 'modes[row] === LOWER ? -mu[row] : mu[row]',
    replace: 'modes[row] === LOWER ? mu[row] : -mu[row]',
    killedBy: 'slidingBlock',
  },
  {
    name: 'sliding-friction-without-its-column',
    slip: 'the column of λ_n without f c_t',
    module: FRICTION,
    find: 'work[dofs[k]] += f * response[k];',
    replace: 'work[dofs[k]] += 0 * f * response[k];',
    killedBy: 'slidingRod',
  },
  {
    name: 'no-tangential-restitution',
    slip: 'ẏ_t⁺ + e_t ẏ_t⁻ with e_t = 0',
    module: IMPACT,
    find: 'problem.q[i] = (1 + e) * outputs.speed[row];',
    replace: "problem.q[i] = (laws.kind[row] === 'friction' ? 1 : 1 + e) * outputs.speed[row];",
    killedBy: 'spinThatTurnsRound',
  },
  {
    name: 'normal-restitution-of-the-slip',
    slip: 'e in place of e_t',
    module: IMPACT,
    find: 'return isLast || isPlastic[contact] === 1 ? 0 : restitution[row];',
    replace: 'return isLast || isPlastic[contact] === 1 ? 0 : restitution[contact];',
    killedBy: 'spinThatTurnsRound',
  },
  {
    name: 'half-a-cone',
    slip: '0 ≤ μ λ_n − σ for 0 ≤ 2μ λ_n − σ',
    module: CONTACTS,
    find: '2 * this.laws.mu[this.list[place]] * d',
    replace: 'this.laws.mu[this.list[place]] * d',
    killedBy: 'obliqueImpacts',
  },
  {
    name: 'cone-without-its-shift',
    slip: 'λ_t = σ for λ_t = σ − μ λ_n',
    module: CONTACTS,
    find: 'Math.min(bound, z[place] - bound)',
    replace: 'Math.min(bound, z[place])',
    killedBy: 'obliqueImpacts',
  },
  {
    name: 'other-side-of-the-cone',
    slip: '2μ λ_n + σ for 2μ λ_n − σ',
    module: CONTACTS,
    find: 'values[omega * size + place] = -d;',
    replace: 'values[omega * size + place] = d;',
    killedBy: 'obliqueImpacts',
  },
  {
    name: 'painleve-with-the-other-sign',
    slip: '(W_nn − f W_nt)/W_nn: the end of sliding is not seen',
    module: FRICTION,
    find: 'out[0] = 1 + (f * tangential) / normal;',
    replace: 'out[0] = 1 - (f * tangential) / normal;',
    killedBy: 'growingFriction',
  },
  {
    name: 'painleve-unwatched',
    slip: 'sliding on a surface that changes, without the event of its end',
    module: '@engine/event-driven/rows/row-events',
    find: 'sticks || (slides && !this.rows.isConstant) ? FALLING',
    replace: 'sticks ? FALLING',
    killedBy: 'growingFriction',
  },
];

const joints: readonly EventMutation[] = [
  {
    name: 'curvature-with-the-other-sign',
    slip: 'ÿ = C v̇ − γ',
    module: ROWS,
    find: 'for (let r = 0; r < relation.size; r++) out[row + r] = y[r];',
    replace: 'for (let r = 0; r < relation.size; r++) out[row + r] = -y[r];',
    killedBy: 'swingingPendulum',
  },
  {
    name: 'stabilisation-without-the-two',
    slip: 'γ − α Φ̇ − β² Φ',
    module: ROWS,
    find: 'out[row] += 2 * this.#gains[0] * rates[row]',
    replace: 'out[row] += this.#gains[0] * rates[row]',
    killedBy: 'criticalDecay',
  },
  {
    name: 'stabilisation-without-the-square',
    slip: 'γ − 2α Φ̇ − β Φ',
    module: ROWS,
    find: 'this.#gains[1] = beta * beta;',
    replace: 'this.#gains[1] = beta;',
    killedBy: 'criticalDecay',
  },
  {
    name: 'partition-that-is-kept',
    slip: 'the dependent coordinates are never chosen again',
    module: '@engine/event-driven/joints/partitioned',
    find: 'if (!partition.review(clock, this.#q, false)) return false;',
    replace: 'if (clock[0] >= 0) return false;',
    killedBy: 'turningPendulum',
  },
  {
    name: 'partition-the-other-way-round',
    slip: 'the last columns of full pivoting are taken for the dependent ones',
    module: '@engine/multibody/partition',
    find: 'this.#take(dependent ?? this.#elimination.columnOrder);',
    replace: 'this.#take(dependent ?? this.#elimination.columnOrder.slice().reverse());',
    killedBy: 'turningPendulum',
  },
];

const arcs: readonly EventMutation[] = [
  {
    name: 'turning-the-other-way',
    slip: 'ḟ = −ω Im for +ω Im in the components of a sinusoid',
    module: FORCING,
    find: '(at - first) % 2 === 0 ? frequency : -frequency',
    replace: '(at - first) % 2 === 0 ? -frequency : frequency',
    killedBy: 'forcedMasses',
  },
  {
    name: 'derivative-without-its-factor',
    slip: 't² for 2 t in the components of a polynomial',
    module: FORCING,
    find: 'work[0] *= k - i;',
    replace: 'work[0] *= 1;',
    killedBy: 'forcedMasses',
  },
  {
    name: 'forces-that-share-a-function-are-equal',
    slip: 'a force that is −3 times another is taken for the same',
    module: FORCES,
    find: 'const factor = multiple(known, found) ?? 0;',
    replace: 'const factor = 1;',
    killedBy: 'forcedMasses',
  },
  {
    name: 'constant-force-forgotten',
    slip: 'the constant part of a force beside functions of time left out',
    module: FORCES,
    find: 'this.constant[target.coordinate] += found.cosine[0];',
    replace: 'this.constant[target.coordinate] += 0 * found.cosine[0];',
    killedBy: 'forcedMasses',
  },
  {
    name: 'leap-without-the-constant',
    slip: 'ψ_{k+1} = ψ_k for Φ_k ψ_k + ψ_k',
    module: '@engine/smooth-arcs/flow',
    find: 'moved += factor * last.offset[k];',
    replace: 'moved += 0 * factor * last.offset[k];',
    killedBy: 'longFlight',
  },
  {
    name: 'constant-at-each-order',
    slip: 'b in each term of the series, not in the first alone',
    module: '@engine/smooth-arcs/flow',
    find: 'let sum = k === 0 ? this.#constant[i] : 0;',
    replace: 'let sum = this.#constant[i];',
    killedBy: 'longFlight',
  },
];

const energy: readonly EventMutation[] = [
  {
    name: 'work-counted-twice',
    slip: 'the work of an arc that is judged twice is summed up twice',
    module: ENERGY,
    find: '? Math.min(done, stretch[1]) : 0;',
    replace: '? 0 : 0;',
    killedBy: 'energyAtATouch',
  },
  {
    name: 'impulse-times-the-velocity-after',
    slip: 'ᵗv⁺ ᵗC P for ½ ᵗ(v⁻ + v⁺) ᵗC P',
    module: ENERGY,
    find: '0.5 * (before[from + k] + after[from + k])',
    replace: '(0 * before[from + k] + after[from + k])',
    killedBy: 'energyOfImpacts',
  },
];

const graphs: readonly EventMutation[] = [
  {
    name: 'graph-that-rises-as-one-that-falls',
    slip: 'σ = 1 of all pieces',
    module: '@engine/event-driven/rows/graph-elements',
    find: 'const sign = dLambda < 0 ? 1 : -1;',
    replace: 'const sign = dLambda < 0 ? 1 : 1;',
    killedBy: 'weakeningFriction',
  },
  {
    name: 'graph-of-speeds-about-zero',
    slip: 'ẏ = 0 for ẏ = y_k on a vertical piece',
    module: ROWS,
    find: 'walls[row] - this.laws.speedTarget[row]',
    replace: 'walls[row] - 0 * this.laws.speedTarget[row]',
    killedBy: 'weakeningFriction',
  },
  {
    name: 'corner-on-the-other-side',
    slip: 'the slope before a vertical piece is the one that follows it',
    module: '@engine/event-driven/decision/graph-corners',
    find: 'const own = isRight ? UPPER : LOWER;',
    replace: 'const own = isRight ? LOWER : UPPER;',
    killedBy: 'leavingAVerticalPiece',
  },
];

const parts: readonly EventMutation[] = [
  {
    name: 'part-that-never-goes',
    slip: 'a part of a law is there whatever its condition',
    module: '@engine/event-driven/impact/event-presence',
    find: 'isAbsent.fill(1, first, end)',
    replace: 'isAbsent.fill(0, first, end)',
    killedBy: 'partsOfALaw',
  },
  {
    name: 'events-by-the-law-of-the-first-part',
    slip: 'all rows have the law of the first',
    module: '@engine/event-driven/rows/row-laws',
    find: 'const own = law.rows[(row - offsets[i]) % law.size];',
    replace: 'const own = law.rows[0];',
    killedBy: 'partsOfALaw',
  },
];

export const eventMutations: readonly EventMutation[] = [
  ...parts,
  ...friction,
  ...joints,
  ...arcs,
  ...energy,
  ...graphs,
];
