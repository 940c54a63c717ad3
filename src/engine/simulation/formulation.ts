/** Whether the one-step problem that a model asks for can express its laws. */
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
  if (row.kind === 'friction') return false;
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
    if (law.rows.every((row) => fits(row, formulation))) continue;
    const what =
      formulation === 'QP'
        ? 'A quadratic programme cannot express a law that is given by a graph'
        : `The formulation ${formulation} takes ${TAKES[formulation as keyof typeof TAKES]} only`;
    throw new EngineError({
      code: 'problem-unsuitable',
      message: `${what}; the law of “${id}” (${law.type}) is none of these.`,
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
