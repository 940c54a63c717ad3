/** Whether time-stepping, and the one-step problem that a model asks for, can express its laws. */
import { EngineError } from '../errors';
import type { LawRow } from '../model/forms';
import type { NonSmoothDynamicalSystem } from '../model/nsds';

export type Formulation = 'auto' | 'LCP' | 'MLCP' | 'Relay' | 'AVI' | 'QP';

/** Words for what each formulation takes. */
const TAKES: Readonly<Record<Exclude<Formulation, 'auto' | 'AVI' | 'QP'>, string>> = {
  LCP: 'multipliers from 0 to ∞',
  MLCP: 'multipliers from 0 to ∞, and equations',
  Relay: 'multipliers between finite bounds',
};

function fits(row: LawRow, formulation: Formulation): boolean {
  // A graph becomes complementarity conditions and one equation.
  if (row.kind === 'graph') return formulation === 'MLCP' || formulation === 'auto' || formulation === 'AVI';
  // A contact with friction becomes complementarity conditions, of an operator that is not symmetric.
  if (row.kind === 'friction') return formulation !== 'Relay' && formulation !== 'QP';
  const { lower, upper } = row;
  const isComplementarity = lower === 0 && upper === Number.POSITIVE_INFINITY;
  const isEquation = lower === Number.NEGATIVE_INFINITY && upper === Number.POSITIVE_INFINITY;
  switch (formulation) {
    case 'LCP':
      return isComplementarity;
    case 'MLCP':
      return isComplementarity || isEquation;
    case 'Relay':
      return Number.isFinite(lower) && Number.isFinite(upper);
    case 'auto':
    case 'AVI':
    case 'QP':
      return true;
  }
}

/**
 * @param isSymmetric whether the operator is symmetric in every step
 * @throws {EngineError} naming the first interaction whose law the formulation cannot express
 */
export function checkFormulation(
  { interactions }: NonSmoothDynamicalSystem,
  formulation: Formulation,
  isSymmetric: boolean,
): void {
  for (const { id, law } of interactions) {
    if (law.hypothesis === 'poisson') throw poissonRestitution(id);
    if (law.rows.every((row) => fits(row, formulation))) continue;
    const named = `the law of “${id}” (${law.type})`;
    const message =
      formulation === 'QP'
        ? `A quadratic programme cannot express friction or a graph, as ${named} has it.`
        : `The formulation ${formulation} takes ${TAKES[formulation as keyof typeof TAKES]} only; ${named} is none of these.`;
    throw new EngineError({
      code: 'problem-unsuitable',
      message,
      where: id,
      remedy: 'Choose the automatic formulation in the simulation settings, or another law.',
    });
  }
  if (formulation === 'QP' && !isSymmetric) {
    throw new EngineError({
      code: 'problem-unsuitable',
      message: 'A quadratic programme needs a symmetric operator W, and that of this model is not symmetric.',
      remedy: 'Choose the automatic formulation in the simulation settings.',
    });
  }
}

/** A step knows the impulse of its whole duration, not which part of it compressed. */
const poissonRestitution = (id: string): EngineError =>
  new EngineError({
    code: 'poisson-restitution',
    message: `The law of “${id}” relates the impulses of compression and expansion (Poisson), which time-stepping does not tell apart.`,
    where: id,
    remedy: 'Choose Newton’s restitution for this law, or the event-driven scheme.',
  });
