/**
 * Solvers by the name a document gives them: one line each; their definitions are in
 * `model/settings/solvers.ts`.
 */
import { solverDefinitions } from '../model/settings/solvers';
import { AutomaticSolver } from './automatic';
import { ConvexQp } from './convex-qp';
import { EnumerationSolver } from './pivoting/enumeration';
import { ProjectedGaussSeidel } from './gauss-seidel';
import { InteriorPoint } from './interior-point';
import { Lemke } from './pivoting/lemke';
import { PrincipalPivoting } from './pivoting/principal-pivoting';
import { ConjugateProjectedGradient } from './projected-gradient';
import { SemiSmoothNewton } from './semi-smooth-newton';
import type { Solver, SolverSettings } from './solver';

/** The setting of a key, or the default of its definition. */
type Setting = (key: string) => number;

const factories: Readonly<Record<string, (capacity: number, setting: Setting) => Solver>> = {
  auto: (capacity) => new AutomaticSolver(capacity),
  PrincipalPivoting: (capacity) => new PrincipalPivoting(capacity),
  Lemke: () => new Lemke(),
  LeastIndex: (capacity, setting) =>
    new PrincipalPivoting(capacity, 'LeastIndex', 'leastIndex', setting('maxIterations')),
  PGS: (_, setting) =>
    new ProjectedGaussSeidel({
      maxIterations: setting('maxIterations'),
      relaxation: setting('relaxation'),
      regularization: setting('regularization'),
    }),
  CPG: (_, setting) => new ConjugateProjectedGradient(setting('maxIterations')),
  ConvexQP: (capacity, setting) => new ConvexQp(capacity, setting('maxIterations')),
  InteriorPoint: (capacity, setting) => new InteriorPoint(capacity, setting('maxIterations')),
  NewtonFischerBurmeister: (capacity, setting) =>
    new SemiSmoothNewton(capacity, 'NewtonFischerBurmeister', setting('maxIterations')),
  NewtonMin: (capacity, setting) => new SemiSmoothNewton(capacity, 'NewtonMin', setting('maxIterations')),
  Enumeration: (_, setting) => new EnumerationSolver(setting('maxIterations')),
};

/**
 * @param name type of a solver's definition
 * @param capacity number of unknowns to make room for; larger problems grow the workspace
 * @param settings values by field; those left out take their defaults
 * @throws {Error} for a name the registry does not have; the document's schema has refused it before
 */
export function createSolver(name: string, capacity: number, settings: SolverSettings = {}): Solver {
  if (!Object.hasOwn(factories, name)) throw new Error(`no solver is called ${name}`);
  const definition = solverDefinitions.find(({ type }) => type === name);
  const setting: Setting = (key) => {
    const value = settings[key] ?? definition?.fields.find((field) => field.key === key)?.default;
    if (typeof value !== 'number') throw new Error(`the solver ${name} has no numeric setting ${key}`);
    return value;
  };
  return factories[name](capacity, setting);
}
