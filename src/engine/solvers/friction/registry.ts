/** Solvers of friction-contact problems by name: a new one is a definition and a line here. */
import { AutomaticFriction } from './automatic';
import { FrictionAdmm } from './admm';
import { deSaxce, tresca } from './convex-sets';
import { ExtrapolatedSweeps } from './extrapolation';
import { FacetedCone } from './faceted';
import { ConvexFixedPoint } from './fixed-point';
import { FrictionInteriorPoint } from './interior-point';
import { FrictionNewton } from './newton';
import { NonsmoothGaussSeidel } from './nsgs';
import { ProximalPoint } from './proximal';
import type { FrictionSettings, FrictionSolver } from './solver';

export interface FrictionSetting {
  readonly key: string;
  readonly label: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly help: string;
}

export interface FrictionSolverDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly settings: readonly FrictionSetting[];
  readonly source: string;
}

const limit = (value: number, what: string): FrictionSetting => ({
  key: 'maxIterations',
  label: 'Iteration limit',
  default: value,
  min: 1,
  max: 100_000_000,
  help: `Largest number of ${what} in one solve.`,
});

interface Entry extends FrictionSolverDefinition {
  build(setting: (key: string) => number, local: string | undefined): FrictionSolver;
}

const entries: readonly Entry[] = [
  {
    name: 'auto',
    title: 'Automatic',
    description:
      'Accelerated Gauss–Seidel first, and where it stalls the methods that factorise W; says which it took.',
    settings: [],
    source: '',
    build: () => new AutomaticFriction(),
  },
  {
    name: 'NSGS',
    title: 'Non-smooth Gauss–Seidel',
    description:
      'Solves one contact after the other, exactly, and combines the sweeps. Time per sweep is linear in the contacts.',
    settings: [
      limit(10_000, 'sweeps'),
      {
        key: 'relaxation',
        label: 'Relaxation',
        default: 1,
        min: 0.1,
        max: 1.9,
        help: 'Factor of each change of a reaction; 1 takes what the contact alone asks for.',
      },
      {
        key: 'depth',
        label: 'Steps remembered',
        default: 5,
        min: 0,
        max: 20,
        help: 'Sweeps that are combined to the next (Anderson); 0: plain sweeps.',
      },
    ],
    source: 'M. Jean and J. J. Moreau, 1987; D. G. Anderson, 1965, doi:10.1145/321296.321305',
    build: (setting, local) =>
      new NonsmoothGaussSeidel({
        maxIterations: setting('maxIterations'),
        relaxation: setting('relaxation'),
        depth: setting('depth'),
        local,
      }),
  },
  {
    name: 'ExtrapolatedNSGS',
    title: 'Gauss–Seidel with extrapolation',
    description:
      'Sweeps whose slow changes are extrapolated over hundreds of them: for large piles with much friction, where sweeps circle.',
    settings: [limit(20_000, 'sweeps')],
    source: 'M. Mešina, 1977, doi:10.1016/0045-7825(77)90004-4',
    build: (setting) => new ExtrapolatedSweeps(setting('maxIterations')),
  },
  {
    name: 'SemiSmoothNewton',
    title: 'Semi-smooth Newton (Alart–Curnier)',
    description:
      'Newton for all contacts at once, with line search and sparse factors; quadratic near a solution.',
    settings: [limit(200, 'steps')],
    source: 'P. Alart and A. Curnier, 1991, doi:10.1016/0045-7825(91)90022-X',
    build: (setting) => new FrictionNewton(setting('maxIterations')),
  },
  {
    name: 'ADMM',
    title: 'Alternating direction method of multipliers',
    description: 'One sparse factor of W + ρ I serves all steps; W may have any rank.',
    settings: [limit(5000, 'steps')],
    source: 'V. Acary, M. Brémond and O. Huber, 2018, doi:10.1007/978-3-319-75972-2_10',
    build: (setting) => new FrictionAdmm(setting('maxIterations')),
  },
  {
    name: 'InteriorPoint',
    title: 'Interior point',
    description:
      'Ten to thirty steps, each with a sparse factor; W may have any rank. Does not use the guess.',
    settings: [limit(60, 'steps')],
    source:
      'V. Acary, P. Armand, H. M. Nguyen and M. Shpakovych, Optim. Methods Softw., 2022; S. Mehrotra, 1992, doi:10.1137/0802028',
    build: (setting) => new FrictionInteriorPoint(setting('maxIterations')),
  },
  {
    name: 'Proximal',
    title: 'Proximal point',
    description:
      'Solves W + α I again and again by Newton, with α falling; few, costly steps, W may have any rank.',
    settings: [limit(100, 'steps')],
    source: 'R. T. Rockafellar, 1976, doi:10.1137/0314056',
    build: (setting) => new ProximalPoint(setting('maxIterations')),
  },
  {
    name: 'DeSaxce',
    title: 'Fixed point of De Saxcé',
    description:
      'Holds μ |u_T| and solves the convex problem that is left by accelerated projected gradients.',
    settings: [limit(50_000, 'products with W')],
    source:
      'G. de Saxcé and Z.-Q. Feng, 1991; B. O’Donoghue and E. Candès, 2015, doi:10.1007/s10208-013-9150-3',
    build: (setting) => new ConvexFixedPoint(deSaxce, setting('maxIterations')),
  },
  {
    name: 'Tresca',
    title: 'Fixed point of Tresca',
    description:
      'Holds the bound μ r_N of friction and solves the convex problem that is left by accelerated projected gradients.',
    settings: [limit(50_000, 'products with W')],
    source: 'J. Haslinger, 1983, doi:10.1002/mma.1670050127',
    build: (setting) => new ConvexFixedPoint(tresca, setting('maxIterations')),
  },
  {
    name: 'Faceted',
    title: 'Faceted cones (Lemke)',
    description:
      'Replaces the cones by pyramids and solves the linear complementarity problem, for comparison: exact in the plane only.',
    settings: [
      {
        key: 'facets',
        label: 'Facets',
        default: 8,
        min: 4,
        max: 64,
        help: 'Directions of friction at a contact in space. The error falls with their square.',
      },
    ],
    source:
      'D. E. Stewart and J. C. Trinkle, 1996; M. Anitescu and F. A. Potra, 1997, doi:10.1023/A:1008292328909',
    build: (setting) => new FacetedCone(setting('facets')),
  },
];

export const frictionSolvers: readonly FrictionSolverDefinition[] = entries;

/**
 * @param name one of `frictionSolvers`
 * @param settings values by key; those left out take their defaults
 * @param local for Gauss–Seidel: name of a solver of one contact, or nothing for the one that is written out in its sweeps
 * @throws {Error} for a name the registry does not have
 */
export function createFrictionSolver(
  name: string,
  settings: FrictionSettings = {},
  local?: string,
): FrictionSolver {
  const entry = entries.find((candidate) => candidate.name === name);
  if (entry === undefined) throw new Error(`no friction solver is called ${name}`);
  return entry.build((key) => {
    const value = settings[key] ?? entry.settings.find((setting) => setting.key === key)?.default;
    if (value === undefined) throw new Error(`the friction solver ${name} has no setting ${key}`);
    return value;
  }, local);
}
