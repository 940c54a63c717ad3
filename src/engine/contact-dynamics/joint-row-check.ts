/**
 * The laws of limits, dry friction and motors of a step, from rates and impulses alone; H comes from the rows again. With ρ the mass that the
 * coordinate feels of bodies without joints, which turns rates into impulses,
 *
 *     limits             |R − max(0, R − ρ (ḣ⁺ − b + e (ḣ⁻ + b)))|, b = aim h γ(q_*, u⁻) of the scheme where it has been closed in the step before; of
 *                        a limit that is open |R|
 *     friction, motors   |R − clamp(R − ρ (ż⁺ − ω), −c h, c h)|
 *
 * relative to the largest R of the row so far, or to what its velocity without impulses asks for. A row that nothing asks for still gets impulses
 * of rounding from the joints solved with it; a defect below the rounding of the fastest velocity of the step, ε |H|₁ |v|∞ ρ, is none. Nor is one below what the solver may leave
 * of rates, its tolerance times the largest of them, ρ: dry friction that sticks beside a joint that turns fast is found no better.
 */
import type { ContactDynamics } from './contact-dynamics';
import { larger } from './laws/natural-map';
import { ROUNDINGS } from './rounding';

const [LIMITS, DRIVES] = [0, 1];
/** In units of the row; far above what the noise of a thousand steps adds to a limit that pushes. */
const DOUBTFUL = 1e-6;

export class JointRowCheck {
  /** [0] of limits, [1] of friction and motors: the largest of this step, relative */
  readonly defects = new Float64Array(2);
  /** by row: the largest impulse so far */
  readonly #scales: Float64Array;
  /** by row: 1 where it took part in the step before */
  readonly #wasClosed: Uint8Array;
  readonly #row: Float64Array;
  readonly #moved: Float64Array;
  readonly #value = new Float64Array(1);
  /** m/s or rad/s, the largest of the velocities of the step */
  #fastest = 0;
  /** and of the rates without impulses, m/s, of angles at the length of their joint */
  #rate = 0;

  constructor(private readonly dynamics: ContactDynamics) {
    this.#scales = new Float64Array(dynamics.jointRows.list.length);
    this.#wasClosed = new Uint8Array(dynamics.jointRows.list.length);
    this.#row = new Float64Array(dynamics.system.velocities);
    this.#moved = new Float64Array(dynamics.system.velocities);
  }

  /** @param impulse takes up ᵗH R of the rows, by velocities of all bodies */
  judge(impulse: Float64Array): void {
    this.defects.fill(0);
    const { free, u, jointRows, activeJointRows, activeJointRowCount } = this.dynamics;
    const { list } = jointRows;
    this.#fastest = this.#rate = 0;
    for (let c = 0; c < u.length; c++)
      this.#fastest = larger(this.#fastest, larger(Math.abs(free[c]), Math.abs(u[c])));
    for (let a = 0; a < activeJointRowCount; a++)
      this.#rate = larger(
        this.#rate,
        jointRows.scales[activeJointRows[a]] * Math.abs(jointRows.rate(activeJointRows[a], free)),
      );
    for (let k = 0; k < list.length; k++) this.#judgeRow(k, impulse);
    this.#wasClosed.fill(0);
    for (let a = 0; a < activeJointRowCount; a++) this.#wasClosed[activeJointRows[a]] = 1;
  }

  #judgeRow(k: number, impulse: Float64Array): void {
    const { system, middle, u, free, before, reactions, jointRows, scheme, settings, h } = this.dynamics;
    const { kind, rows, restitution, speed, bound } = jointRows.list[k];
    const r = reactions.rowImpulses[k];
    const row = this.#row.fill(0);
    rows.jacobian(middle, row, 0, system.velocities, 'velocity');
    for (let c = 0; c < row.length; c++) impulse[c] += row[c] * r;
    this.#moved.set(row);
    system.applyInverseMass(this.#moved);
    const mobility = product(row, this.#moved);
    if (mobility === 0) return;
    let wanted = speed;
    if (kind === 'limit' && this.#wasClosed[k] === 1) {
      rows.gamma(middle, before, this.#value, 0);
      wanted = (1 - restitution) * scheme.aim * h * this.#value[0];
    }
    const asked = (product(row, free) + restitution * product(row, before) - wanted) / mobility;
    const cap = kind === 'limit' ? Number.POSITIVE_INFINITY : bound * h;
    this.#scales[k] = larger(this.#scales[k], larger(Math.abs(r), Math.min(Math.abs(asked), cap)));
    const goal = r - (product(row, u) + restitution * product(row, before) - wanted) / mobility;
    let defect;
    if (kind !== 'limit') defect = Math.abs(r - Math.max(-cap, Math.min(cap, goal)));
    else if (this.#isOpen(k)) defect = Math.abs(r);
    else defect = Math.abs(r - Math.max(0, goal));
    const which = kind === 'limit' ? LIMITS : DRIVES;
    const left = larger(
      ROUNDINGS * extentOf(row) * this.#fastest,
      (settings.tolerance * this.#rate) / jointRows.scales[k],
    );
    if (defect <= left / mobility) return;
    const relative = this.#scales[k] > 0 ? defect / this.#scales[k] : defect;
    this.defects[which] = larger(this.defects[which], relative);
  }

  /** Whether a limit is open beyond doubt; near zero, noise decides whether it takes part, and it is judged by the law if it does. */
  #isOpen(k: number): boolean {
    const { middle, before, jointRows, activeJointRows, activeJointRowCount, scheme, h } = this.dynamics;
    jointRows.list[k].rows.position(middle, this.#value, 0);
    this.#value[0] += (scheme.forecast - scheme.lag) * h * product(this.#row, before);
    if (this.#value[0] > DOUBTFUL * jointRows.units[k]) return true;
    for (let a = 0; a < activeJointRowCount; a++) if (activeJointRows[a] === k) return false;
    return this.#value[0] > ROUNDINGS * jointRows.units[k];
  }
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** |H|₁ */
function extentOf(row: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += Math.abs(row[i]);
  return sum;
}
