/** Solvers of one contact by name, in the order they are offered: the first of a size is the one to use. */
import { AlartCurnierSolver } from './alart-curnier-solver';
import { ExactSolver } from './exact-solver';
import type { LocalSolver } from './local-solver';
import { PlaneSolver } from './plane-solver';
import { ProjectionSolver } from './projection-solver';

export interface LocalSolverDefinition {
  /** name in documents */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** 2 for contacts in the plane, 3 for those in space */
  readonly size: 2 | 3;
  readonly source: string;
  readonly create: () => LocalSolver;
}

export const localSolvers: readonly LocalSolverDefinition[] = [
  {
    name: 'exact',
    title: 'Exact (quartic)',
    description:
      'Take-off, stick and the directions of sliding, which are zeros of a quartic. Of several solutions the one nearest to the guess.',
    size: 3,
    source: 'Siconos developer’s notes §12; Bonnefon and Daviet 2011',
    create: () => new ExactSolver(),
  },
  {
    name: 'alart-curnier',
    title: 'Alart–Curnier Newton',
    description:
      'Newton on the Alart–Curnier function with a line search; the exact solver where that fails. Any operator with mobility.',
    size: 3,
    source: 'Alart and Curnier 1991',
    create: () => new AlartCurnierSolver(),
  },
  {
    name: 'projection',
    title: 'Projection',
    description:
      'A fixed number of steps of projection onto the cone with a step length that adapts: a rough answer at a steady price.',
    size: 3,
    source: 'De Saxcé and Feng 1991; Khobotov 1987',
    create: () => new ProjectionSolver(),
  },
  {
    name: 'exact-plane',
    title: 'Exact (plane)',
    description:
      'Take-off, stick and two slides by formula. Of several solutions the one nearest to the guess.',
    size: 2,
    source: 'docs/theory/one-contact.md',
    create: () => new PlaneSolver(),
  },
];

/** @throws {Error} for a name the registry does not have */
export function createLocalSolver(name: string): LocalSolver {
  const definition = localSolvers.find((candidate) => candidate.name === name);
  if (definition === undefined) throw new Error(`no solver of one contact is called ${name}`);
  return definition.create();
}
