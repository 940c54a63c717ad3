/**
 * One contact with Coulomb friction as a question: which forces satisfy the law, and what does the contact do
 * under each? Where the operator is not definite, or friction is large, the answer may be none or several
 * (Painlevé's paradox); both are values.
 */
import { ContactSolutions } from './contact-solutions';
import { SLIDE, TAKE_OFF } from './local-solver';
import { PlaneContactSolutions } from './plane-solver';
import { contactResidual } from './residual';

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
