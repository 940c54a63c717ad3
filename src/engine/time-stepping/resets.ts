/**
 * Resets at the ends of steps: where a guard has passed zero in a step, its system jumps at the end of it,
 *
 *     x_{k+1} = R(t_{k+1}, x⁻_{k+1}),
 *
 * where x⁻ is what the step leads to. The passage lies up to h before, so that times of resets, and states
 * after them, are of order 1 in h. A guard that has passed zero and come back within one step is not seen.
 *
 * How a guard moves behind a reset follows from M ẋ = f(t, x⁺) + r of first-order systems, with the
 * multipliers of the step, from the velocities of others, and from their change over the step.
 */
import { EngineError } from '../errors';
import type { StepContext } from '../integrators/step';
import type { StepRelations } from './rows';
import { factorDense, solveDense } from '../linalg/lu';
import type { FirstOrderForm, LagrangianForm } from '../model/forms';
import { type Motion, ResetGuards, type ResetMemory } from '../model/resets/guards';
import type { ResetRule } from '../model/resets/reset';
import type { StatePlaces } from '../model/state-places';

/** Steps in a row that end with the same reset before that is said. */
const MANY_IN_A_ROW = 100;

/** What judges a round of resets. */
interface Judge {
  reset(before: Float64Array, after: Float64Array): void;
}

/** A system as it moves from the present. */
interface Moving {
  readonly form: FirstOrderForm | LagrangianForm;
  /** first place of x, or of q and v, in a row, and first coordinate */
  readonly q: number;
  readonly v: number;
  readonly first: number;
  readonly x: Float64Array;
  readonly rate: Float64Array;
  /** factors of a mass matrix by columns, and their pivots; null where it is the identity or singular */
  readonly factors: Float64Array | null;
  readonly pivots: Int32Array;
}

export class StepResets implements Motion {
  readonly #guards: ResetGuards;
  readonly #before: Float64Array;
  readonly #left: Float64Array;
  #hasActed = false;
  /** steps in a row that have ended with each reset, and the most of them */
  readonly #inRow: Int32Array;
  readonly #mostInRow: Int32Array;
  readonly #counted: Float64Array;
  readonly #systems: readonly Moving[];
  /** r by coordinate */
  readonly #input: Float64Array;
  readonly #lambda: Float64Array;

  /** @returns null where no state jumps */
  static create(
    rules: readonly ResetRule[],
    systems: readonly { readonly form: FirstOrderForm | LagrangianForm }[],
    relations: Pick<StepRelations, 'addInputs'>,
    context: StepContext,
    places: StatePlaces,
  ): StepResets | null {
    return rules.length === 0 ? null : new StepResets(rules, systems, relations, context, places);
  }

  private constructor(
    rules: readonly ResetRule[],
    systems: readonly { readonly form: FirstOrderForm | LagrangianForm }[],
    private readonly relations: Pick<StepRelations, 'addInputs'>,
    private readonly context: StepContext,
    private readonly places: StatePlaces,
  ) {
    const { state, offsets } = context;
    this.#lambda = state.subarray(places.lambda, places.lambda + places.rows);
    this.#guards = new ResetGuards(rules, systems.length);
    this.#before = new Float64Array(state.length);
    this.#left = new Float64Array(state.length);
    this.#inRow = new Int32Array(rules.length);
    this.#mostInRow = new Int32Array(rules.length);
    this.#counted = new Float64Array(rules.length);
    this.#input = new Float64Array(offsets[systems.length]);
    this.#systems = systems.map(({ form }, s) => ({
      form,
      q: places.q + offsets[s],
      v: places.v + offsets[s],
      first: offsets[s],
      x: new Float64Array(form.size),
      rate: new Float64Array(form.size),
      ...factorsOf(form),
    }));
  }

  /** @throws {EngineError} for a step in which samples would be missed */
  #checkStep(): void {
    for (const rule of this.#guards.rules)
      if (rule.every !== null && this.step > LONGEST * rule.every)
        throw stepTooLong(rule, this.step, this.context.state[0]);
  }

  start(): void {
    this.#checkStep();
    this.#guards.start(this.context.state);
    this.write();
  }

  write(): void {
    this.#guards.write(this.context.state, this.places.resets);
  }

  save(): ResetMemory {
    return this.#guards.save();
  }

  /** Goes on from what was; of a model with other resets nothing is known. */
  load(memory: ResetMemory | null): void {
    if (memory?.counts.length === this.#guards.counts.length) this.#guards.load(memory);
  }

  /**
   * Resets what is due at the present state.
   * @returns whether something has jumped
   * @throws {EngineError} see `ResetGuards`
   */
  apply(judge: Judge): boolean {
    const { state } = this.context;
    const guards = this.#guards;
    this.#checkStep();
    guards.begin();
    this.#counted.set(guards.counts);
    const isDue = guards.look(state, true);
    this.#hasActed = isDue;
    if (isDue) this.#left.set(state);
    if (isDue) this.#fire(judge);
    for (let k = 0; k < this.#inRow.length; k++) {
      const isCounted = guards.rules[k].every === null && guards.counts[k] > this.#counted[k];
      this.#inRow[k] = isCounted ? this.#inRow[k] + 1 : 0;
      this.#mostInRow[k] = Math.max(this.#mostInRow[k], this.#inRow[k]);
    }
    return isDue;
  }

  #fire(judge: Judge): void {
    const { state } = this.context;
    const guards = this.#guards;
    do {
      this.#before.set(state);
      guards.fire(this.#before, this, (system, x) => {
        state.set(x, this.#systems[system].q);
      });
      this.write();
      judge.reset(this.#before, state);
    } while (guards.settle(state, this));
  }

  /** The state before all resets at the end of the last step; null where there were none. */
  get left(): Float64Array | null {
    return this.#hasActed ? this.#left : null;
  }

  get step(): number {
    return this.context.h[0];
  }

  readMotion(motion: Float64Array): void {
    const { state, start, clock, h } = this.context;
    const input = this.#input.fill(0);
    this.relations.addInputs(clock, state, this.#lambda, false, input);
    motion[0] = 1;
    for (const { form, q, v, first, x, rate, factors, pivots } of this.#systems) {
      const n = form.size;
      if (form.order === 2) {
        for (let i = 0; i < n; i++) {
          motion[q + i] = state[v + i];
          motion[v + i] = (state[v + i] - start[v + i]) / h[0];
        }
        continue;
      }
      for (let i = 0; i < n; i++) x[i] = state[q + i];
      form.rate(clock, x, rate);
      for (let i = 0; i < n; i++) rate[i] += input[first + i];
      if (factors !== null) solveDense(factors, 0, n, pivots, 0, rate);
      motion.set(rate, q);
    }
  }

  /** Resets that a finer step would repeat more often: their number is none of the model. */
  get findings(): readonly string[] {
    return this.#guards.rules.flatMap(({ id }, k) =>
      this.#mostInRow[k] < MANY_IN_A_ROW
        ? []
        : [
            `“${id}” has acted at the end of ${this.#mostInRow[k]} steps in a row: its map leaves the guard where it is passed again at once, and the number of resets is that of steps. Bring the guard back from zero.`,
          ],
    );
  }
}

function factorsOf(form: FirstOrderForm | LagrangianForm): Pick<Moving, 'factors' | 'pivots'> {
  const n = form.size;
  const pivots = new Int32Array(n);
  if (form.order === 2 || form.mass === null) return { factors: null, pivots };
  const factors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) factors[i + n * j] = form.mass[i * n + j];
  return { factors: factorDense(factors, 0, n, pivots, 0) < 0 ? factors : null, pivots };
}

/** Times the least time between passages up to which a step is one of that length. */
const LONGEST = 1 + 1e-10;

const stepTooLong = ({ id, every }: ResetRule, h: number, time: number): EngineError =>
  new EngineError({
    code: 'reset-step',
    message: `A step of ${h} s is longer than the ${every} s from one reset of “${id}” to the next, and would miss some of them.`,
    where: id,
    time,
    remedy: `Take a step of at most ${every} s, best a whole part of it, or simulate from event to event.`,
  });
