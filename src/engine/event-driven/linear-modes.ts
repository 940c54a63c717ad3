/**
 * In which modes the motion between events is linear with constant coefficients, ẋ = A x + b, and multipliers are affine in x.
 *
 * All systems have to be so without interactions, or driven by forces of time of which it is known that they follow linear
 * equations themselves (`AnalyticForces`): these are further components of x. A row that is ACTIVE adds to that what keeps its output at zero: λ solves
 * W λ + b = 0 with b affine in x, where relations are linear and do not depend on time by themselves. A row at a bound adds a
 * constant, where directions are constant. An open contact adds nothing, whatever its gap depends on. One relation that is not
 * linear is enough to have all modes with closed contacts integrated: the flow evaluates all relations there.
 */
import type { FirstOrderForm, LagrangianForm } from '../model/forms';
import type { Interaction, NonSmoothDynamicalSystem } from '../model/nsds';
import type { RowLaws } from './row-laws';
import { ACTIVE, LOWER } from './row-modes';

/** Of a function of time of which only values are known. */
const UNKNOWN = ' and is not known to be a sum of polynomials, exponentials, sines and cosines';

/** What stands against linear motion, in words of the model. */
export interface Obstacle {
  /** id of the element */
  readonly where: string;
  readonly what: string;
}

/** @param isKnown whether forces and sources that depend on time are known to follow linear equations */
function obstacleOf(form: FirstOrderForm | LagrangianForm, isKnown: boolean): string | null {
  if (form.order === 1) {
    if (form.rateKind !== 'constant') return 'its rate is not linear in the state with a constant matrix';
    return form.isAutonomous || isKnown ? null : `its rate depends on time${UNKNOWN}`;
  }
  if (form.constantMass === null) return 'its mass depends on the coordinates';
  if (form.linear === null) return 'its forces are not linear with constant matrices';
  if (form.linear.force !== null && !isKnown) return `its force depends on time${UNKNOWN}`;
  return form.linear.base === null ? null : 'it is measured from a base that moves';
}

export class LinearModes {
  /** null where modes can be linear; otherwise what prevents that in all of them */
  readonly obstacle: Obstacle | null;
  /** interaction whose output does not depend linearly, or not only, on the state; null where there is none */
  readonly #curved: string | null;
  /** 1 for rows whose output is linear in the state and the multipliers, with constants */
  readonly #steady: Uint8Array;
  /** interaction whose multiplier acts in a direction that changes; null where there is none */
  readonly #turning: string | null;

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly laws: RowLaws,
    /** number of the system whose description of its forces of time is wrong; −1 where there is none */
    deviating = -1,
  ) {
    // λ of degree 0 follows from the output itself, of others from a derivative.
    const hasDegreeZero = laws.degree.includes(0);
    const isCurved = ({ relation }: Interaction): boolean =>
      relation.C === null || relation.isTimeDependent || (hasDegreeZero && !relation.isAffine);
    this.#curved = model.interactions.find(isCurved)?.id ?? null;
    this.#steady = new Uint8Array(laws.count);
    model.interactions.forEach(({ relation }, i) => {
      const isSteady = relation.C !== null && relation.isAffine && !relation.isTimeDependent;
      if (isSteady) this.#steady.fill(1, laws.offsets[i], laws.offsets[i + 1]);
    });
    this.#turning = model.interactions.find(({ relation }) => relation.C === null)?.id ?? null;
    this.obstacle = this.#find(model, deviating);
  }

  #find(model: NonSmoothDynamicalSystem, deviating: number): Obstacle | null {
    const { laws } = this;
    for (const [s, { id, form }] of model.systems.entries()) {
      const what = obstacleOf(form, form.analytic !== undefined && s !== deviating);
      if (what !== null) return { where: id, what };
    }
    const isBound = (value: number): boolean => value !== 0 && Number.isFinite(value);
    for (let row = 0; row < laws.count; row++) {
      if (laws.kind[row] === 'joint' && this.#curved !== null)
        return { where: this.#curved, what: 'its relation is not linear, or depends on time' };
      if ((isBound(laws.lower[row]) || isBound(laws.upper[row])) && this.#turning !== null)
        return { where: this.#turning, what: 'its relation is not linear' };
    }
    return null;
  }

  /** Whether the output of a row is a linear form of the state in linear modes, and does not depend on time besides. */
  isSteady(row: number): boolean {
    return this.#steady[row] === 1;
  }

  /** Whether the motion is linear in these modes. @param modes by row */
  isLinear(modes: Int8Array): boolean {
    const { laws } = this;
    if (this.obstacle !== null) return false;
    for (let row = 0; row < laws.count; row++) {
      if (modes[row] === ACTIVE) {
        if (this.#curved !== null) return false;
        continue;
      }
      const bound = modes[row] === LOWER ? laws.lower[row] : laws.upper[row];
      if (bound !== 0 && this.#turning !== null) return false;
    }
    return true;
  }
}
