/**
 * Projection of positions as the certificate sees it. Positions that velocities lead to, q_* = q⁻ + h v_θ,
 * follow from the recorded states, and with them the way δ = q⁺ − q_* that the projection went:
 *
 *     | N⁻¹ δ − ᵗC(q_*) Λ |∞,     N⁻¹ = M(q_*) or the identity,     Λ ≥ 0 of contacts;
 *
 * and at q⁺ contacts that take part are not violated by more than the tolerance, nor open where Λ > 0; joints
 * and, with combined projection, contacts that push and do not spring back by their law, are at zero to the
 * tolerance, and contacts that do not take part are open.
 *
 * Of Λ the word of the time loop is taken, as of λ. The first is relative to the largest |N⁻¹| (|q| + |q_*|)
 * of the system so far, and the others to the largest sum of magnitudes in y.
 */
import { COMPLEMENTARITY, CONE, DYNAMICS, LargestResidual } from '../../certificate/residual-maxima';
import type { AssignedIntegrator } from '../../integrators/registry';
import type { LagrangianForm, RelationForm } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import { positionProjectionOf } from '../../model/settings/integrators';
import type { ContactCheck } from './contacts';
import type { StepMaxima } from './dynamics-check';
import type { CheckContext } from './relations';

/** Rounding of y in units of the magnitudes in it. */
const ROUNDING = 64 * Number.EPSILON;

interface Member {
  readonly form: LagrangianForm;
  readonly dof: number;
  /** M of q_*, row-major; null where it is constant or the metric is that of the coordinates */
  readonly mass: Float64Array | null;
  readonly isEuclidean: boolean;
  readonly position: Float64Array;
  /** residual by the largest magnitude so far */
  readonly residual: LargestResidual;
}

interface Projected {
  readonly relation: RelationForm;
  readonly row: number;
  readonly dofs: Int32Array;
  readonly isCombined: boolean;
  readonly tolerance: number;
  readonly z: Float64Array;
  readonly lambda: Float64Array;
  readonly y: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
}

export class ProjectionCheck {
  readonly #members: Member[] = [];
  readonly #rows: Projected[] = [];
  /** N⁻¹ δ − ᵗC Λ by coordinate */
  readonly #defect: Float64Array;
  /** largest sum of the magnitudes in y so far, by row */
  readonly #magnitude: Float64Array;
  readonly #law = new LargestResidual(1);
  readonly #bounds = new LargestResidual(1);

  /**
   * @param isVelocity by row, whether the law holds on ẏ
   * @param multiplier Λ by row, of the time loop
   */
  constructor(
    private readonly context: CheckContext,
    { systems, interactions }: NonSmoothDynamicalSystem,
    assignmentOf: (system: number) => AssignedIntegrator | undefined,
    private readonly contacts: ContactCheck,
    isVelocity: Uint8Array,
    private readonly multiplier: Float64Array,
  ) {
    const settingsOf = (system: number): ReturnType<typeof positionProjectionOf> => {
      const assignment = assignmentOf(system);
      return assignment === undefined ? null : positionProjectionOf(assignment);
    };
    this.#defect = new Float64Array(context.size);
    this.#magnitude = new Float64Array(multiplier.length);
    systems.forEach(({ form }, s) => {
      const settings = settingsOf(s);
      if (settings === null || form.order !== 2) return;
      const isEuclidean = settings.metric === 'euclidean';
      this.#members.push({
        form,
        dof: context.offsets[s],
        mass: isEuclidean || form.constantMass !== null ? null : new Float64Array(form.size ** 2),
        isEuclidean,
        position: new Float64Array(form.size),
        residual: new LargestResidual(),
      });
    });
    let row = 0;
    for (const { relation, systems: linked } of interactions) {
      const settings = settingsOf(linked[0]);
      const { size, columns } = relation;
      if (settings !== null && relation.order === 2 && isVelocity[row] === 1)
        this.#rows.push({
          relation,
          row,
          dofs: Int32Array.from(
            linked.flatMap((s) =>
              Array.from({ length: systems[s].form.size }, (_, k) => context.offsets[s] + k),
            ),
          ),
          isCombined: settings.kind === 'combined',
          tolerance: settings.tolerance,
          z: new Float64Array(columns),
          lambda: new Float64Array(size),
          y: new Float64Array(size),
          C: relation.C?.slice() ?? new Float64Array(size * columns),
          D: relation.D?.slice() ?? new Float64Array(size * size),
        });
      row += size;
    }
  }

  /** Begins a step with the state at its end, whose positions checks of the dynamics replace. */
  begin(): void {
    const { state, reached } = this.context;
    reached.set(state.subarray(0, reached.length));
  }

  /**
   * Enters the residuals of a step.
   * @param isEquation by row, whether its law is y = 0
   * @param lambda multipliers by row
   * @param restitution e by row
   */
  check(maxima: StepMaxima, isEquation: Uint8Array, lambda: Float64Array, restitution: Float64Array): void {
    const { clock } = this.context;
    this.#law.begin(0);
    this.#bounds.begin(0);
    this.#defect.fill(0);
    for (let m = 0; m < this.#members.length; m++) this.#weigh(this.#members[m]);
    for (let r = 0; r < this.#rows.length; r++) {
      this.#subtract(this.#rows[r]);
      this.#judge(this.#rows[r], isEquation, lambda, restitution);
    }
    for (let m = 0; m < this.#members.length; m++) {
      const { residual, dof, form } = this.#members[m];
      residual.begin(dof);
      for (let i = dof; i < dof + form.size; i++) residual.take(Math.abs(this.#defect[i]), i);
      maxima.enter(DYNAMICS, residual, clock);
    }
    maxima.enter(COMPLEMENTARITY, this.#law, clock);
    maxima.enter(CONE, this.#bounds, clock);
  }

  /** N⁻¹ δ of a system. */
  #weigh({ form, dof, mass, isEuclidean, position, residual }: Member): void {
    const { state, reached, q } = this.context;
    const n = form.size;
    const { entry } = residual;
    const defect = this.#defect;
    if (mass !== null) {
      for (let i = 0; i < n; i++) position[i] = reached[q + dof + i];
      form.mass(position, mass);
    }
    for (let i = 0; i < n; i++) {
      let sum = 0;
      let size = 0;
      const add = (j: number, value: number): void => {
        const end = state[q + dof + j];
        const led = reached[q + dof + j];
        sum += value * (end - led);
        size += Math.abs(value) * (Math.abs(end) + Math.abs(led));
      };
      if (isEuclidean) add(i, 1);
      else if (mass !== null) for (let j = 0; j < n; j++) add(j, mass[i * n + j]);
      else if (form.constantMass !== null) {
        const { rowStart, columns, values } = form.constantMass;
        for (let k = rowStart[i]; k < rowStart[i + 1]; k++) add(columns[k], values[k]);
      }
      defect[dof + i] = sum;
      if (size > entry[1]) entry[1] = size;
    }
  }

  /** Takes ᵗC(q_*) Λ off. */
  #subtract({ relation, row, dofs, z, lambda, C, D }: Projected): void {
    const { reached, clock, q } = this.context;
    const { multiplier } = this;
    let acts = false;
    for (let i = 0; i < relation.size; i++) acts ||= multiplier[row + i] !== 0;
    if (!acts) return;
    for (let k = 0; k < dofs.length; k++) z[k] = reached[q + dofs[k]];
    if (relation.C === null) relation.outputJacobians(clock, z, lambda, C, D);
    for (let i = 0; i < relation.size; i++)
      for (let k = 0; k < dofs.length; k++)
        this.#defect[dofs[k]] -= C[i * dofs.length + k] * multiplier[row + i];
  }

  #judge(
    projected: Projected,
    isEquation: Uint8Array,
    pushes: Float64Array,
    restitution: Float64Array,
  ): void {
    const { relation, row, dofs, z, lambda, y, C, D, isCombined, tolerance } = projected;
    const { state, clock, q, inertia } = this.context;
    const { isContact, active, reference } = this.contacts;
    for (let k = 0; k < dofs.length; k++) z[k] = state[q + dofs[k]];
    relation.output(clock, z, lambda, y);
    if (relation.C === null) relation.outputJacobians(clock, z, lambda, C, D);
    for (let i = 0; i < relation.size; i++) {
      const at = row + i;
      const isJoint = isEquation[at] === 1;
      // Rows of friction follow their contact and have no position.
      const isUnilateral = isContact[at] === 1 && this.contacts.isNormal(at);
      if (!isJoint && !isUnilateral) continue;
      let terms = Math.abs(y[i]);
      let answer = 0;
      for (let k = 0; k < dofs.length; k++) {
        const c = C[i * dofs.length + k];
        terms += Math.abs(c * z[k]);
        answer += (c * c) / inertia[dofs[k]];
      }
      if (terms > this.#magnitude[at]) this.#magnitude[at] = terms;
      const magnitude = this.#magnitude[at] > 0 ? this.#magnitude[at] : 1;
      const allowed = tolerance + ROUNDING * magnitude;
      const takesPart = isJoint || active[at] === 1;
      const isClosed =
        isJoint || (isCombined && pushes[at] > 0 && !(restitution[at] > 0 && reference[at] < 0));
      let violation = 0;
      if (isClosed) violation = Math.abs(y[i]) - allowed;
      else if (takesPart || isCombined) violation = -y[i] - allowed;
      this.#bounds.take(Math.max(0, violation) / magnitude, at);
      if (isClosed) continue;
      const push = this.multiplier[at];
      const miss = push > 0 ? Math.max(0, y[i] - allowed) : answer * -push;
      this.#law.take(miss / magnitude, at);
    }
  }
}
