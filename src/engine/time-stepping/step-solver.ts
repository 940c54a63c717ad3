/** The solver of the one-step problems of a simulation, by its settings. */
import { type NonSmoothDynamicalSystem, isConic } from '../model/nsds';
import { FRICTION_TOLERANCE, WRITTEN_OUT } from '../model/settings/friction-solvers';
import { EquilibratedSolver } from '../solvers/equilibrated';
import { Dilatant } from '../solvers/friction/dilatant';
import { NaturalUnits } from '../solvers/friction/equilibrated';
import { createFrictionSolver } from '../solvers/friction/registry';
import { createSolver } from '../solvers/registry';
import type { Solver } from '../solvers/solver';
import type { ConeSolver } from './one-step';
import type { TimeSteppingSettings } from './setup';

/** A quadratic programme is solved as one unless the model names a solver. */
const solverName = ({ solver: { type }, problem }: TimeSteppingSettings): string =>
  type === 'auto' && problem.type === 'QP' ? 'ConvexQP' : type;

/**
 * What is reached for where the document names no tolerance: few contacts let nearly always come that near,
 * and rows are certified each by its own size.
 */
const CONE_TOLERANCE = 1e-10;

/**
 * Solver of a friction-contact problem by its settings. Where the tolerance is the default, that of friction
 * is taken only in steps whose contacts let no reactions come nearer.
 */
function coneSolver({ type, numbers, choices, given }: TimeSteppingSettings['solver']): ConeSolver {
  const { tolerance, ...others } = numbers;
  const local = choices?.local;
  const isGiven = given?.has('tolerance') === true;
  return {
    solver: new NaturalUnits(
      new Dilatant(createFrictionSolver(type, others, local === WRITTEN_OUT ? undefined : local)),
    ),
    tolerance: isGiven ? tolerance : CONE_TOLERANCE,
    loosest: isGiven ? tolerance : FRICTION_TOLERANCE,
  };
}

/** @param count rows of the model */
export const createStepSolver = (
  model: NonSmoothDynamicalSystem,
  settings: TimeSteppingSettings,
  count: number,
): Solver | ConeSolver =>
  isConic(model)
    ? coneSolver(settings.solver)
    : new EquilibratedSolver(createSolver(solverName(settings), count, settings.solver.numbers));
