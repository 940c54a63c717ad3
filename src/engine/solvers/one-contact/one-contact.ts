/**
 * One contact with Coulomb friction as a question: which forces satisfy the law, and what does the contact do
 * under each? Where the operator is not definite, or friction is large, the answer may be none or several
 * (Painlevé's paradox); both are values.
 */
import { projectOntoCone } from '../../linalg/friction-cone';
import { ContactSolutions } from './contact-solutions';
import { SLIDE, TAKE_OFF } from './local-solver';
import { PlaneContactSolutions } from './plane-solver';

/** One contact, u = M r + q; component 0 is along the normal. */
export interface OneContactProblem {
  /** 2 × 2 or 3 × 3, row-major; velocity per force, or per impulse */
  readonly M: readonly (readonly number[])[];
  /** velocity without the contact's force, 2 or 3 components */
  readonly q: readonly number[];
  /** coefficient of friction, μ ≥ 0 */
  readonly mu: number;
}

type ContactKind = 'take-off' | 'stick' | 'slide';

export interface OneContactSolution {
  readonly kind: ContactKind;
  readonly r: readonly number[];
  readonly u: readonly number[];
  /** α of u_T = −α r_T for slides, ∞ without friction; null for others */
  readonly alpha: number | null;
  /** see `contactResidual` */
  readonly residual: number;
  /** false for one point of what may be a continuum of solutions */
  readonly isIsolated: boolean;
}

export interface OneContactAnswer {
  /** `invalid`: an entry is not finite, μ is negative, or the sizes do not fit */
  readonly outcome: 'one' | 'several' | 'none' | 'invalid';
  /** take-off, stick, then slides */
  readonly solutions: readonly OneContactSolution[];
}

/** All solutions of one contact in space or in the plane. A continuum is represented by one of its points. */
export function solveOneContact({ M, q, mu }: OneContactProblem): OneContactAnswer {
  const size = q.length;
  const entries = Float64Array.from(M.flat());
  const free = Float64Array.from(q);
  const isSquare = (size === 2 || size === 3) && M.length === size && M.every((row) => row.length === size);
  if (!isSquare || ![...entries, ...free, mu].every(Number.isFinite) || mu < 0)
    return { outcome: 'invalid', solutions: [] };
  const found = size === 3 ? new ContactSolutions() : new PlaneContactSolutions();
  found.find(entries, 0, free, mu, new Float64Array(size));
  const solutions = Array.from({ length: found.count }, (_, k): OneContactSolution => {
    const r = found.r.slice(size * k, size * (k + 1));
    const isSlide = found.kinds[k] === SLIDE;
    return {
      kind: isSlide ? 'slide' : found.kinds[k] === TAKE_OFF ? 'take-off' : 'stick',
      r: [...r],
      u: M.map((row, i) => row.reduce((sum, entry, j) => sum + entry * r[j], q[i])),
      alpha: isSlide ? found.slip[k] / Math.hypot(r[1], size === 3 ? r[2] : 0) : null,
      residual: contactResidual(size, entries, 0, free, mu, r),
      isIsolated: found.continua[k] === 0,
    };
  });
  const isOne = solutions.length === 1 && solutions[0].isIsolated;
  return { outcome: solutions.length === 0 ? 'none' : isOne ? 'one' : 'several', solutions };
}

/*
 * How far a force is from a solution of one contact, by the natural map in units that do not matter:
 *
 *     d |r − P_K(r − û/d)| / max(|q|, d |r|),     û = M r + q + μ |u_T| e_N,
 *
 * where d, the largest |entry| of M, turns a force into a velocity. It is 0 at solutions only.
 */

/**
 * @param size 3, or 2 for a contact in the plane
 * @param M size × size from entry `at`, row-major
 * @param q, r size entries
 */
export function contactResidual(
  size: 2 | 3,
  M: Float64Array,
  at: number,
  q: Float64Array,
  mu: number,
  r: Float64Array,
): number {
  let d = 0;
  for (let k = 0; k < size * size; k++) d = Math.max(d, Math.abs(M[at + k]));
  // Without mobility any unit of force will do.
  if (d === 0) d = 1;
  const point = new Float64Array(3);
  let [ofQ, ofR] = [0, 0];
  for (let i = 0; i < size; i++) {
    let u = q[i];
    for (let j = 0; j < size; j++) u += M[at + size * i + j] * r[j];
    point[i] = u / d;
    ofQ = Math.hypot(ofQ, q[i]);
    ofR = Math.hypot(ofR, r[i]);
  }
  const slip = Math.hypot(point[1], point[2]);
  for (let i = 0; i < size; i++) point[i] = r[i] - point[i];
  point[0] -= mu * slip;
  projectOntoCone(point, 0, mu);
  let defect = 0;
  for (let i = 0; i < size; i++) defect = Math.hypot(defect, r[i] - point[i]);
  const scale = Math.max(ofQ, d * ofR);
  return scale > 0 ? (d * defect) / scale : d * defect;
}
