/** Definitions of the solvers of friction-contact problems, in the order they are offered. */
import type { ElementDefinition, FieldDefinition } from '../definition';
import { iterationsField, toleranceField } from './common';

const NATURAL_MAP = 'R = \\Pi_{K_\\mu}(R - \\rho\\, (W R + q + \\mu |U_T| n))';

/**
 * Contacts that are redundant ask for velocities that no reactions of rigid bodies give exactly, as soon as
 * restitution or a tilt at rounding level is in them: a tighter tolerance than this makes many of them
 * insoluble.
 */
export const FRICTION_TOLERANCE = 1e-8;

/**
 * The certificate judges each contact and each body by itself, with masses in place of the mobilities that
 * solvers measure with: a body is felt by a contact at its corner as a fourth of its mass, one of a slender
 * stone as a twentieth. So what is solved to a tolerance may be off by that many.
 */
const TOLERANCES_OFF = 30;
/** Nothing is satisfied that is off by more, whatever was asked for. */
const MOST_RESIDUAL = 1e-3;

/** Figures of a certificate up to which a problem solved to a tolerance counts as satisfied. */
export const certifiedLimit = (of: number): number => Math.min(TOLERANCES_OFF * of, MOST_RESIDUAL);

const tolerance = toleranceField(
  FRICTION_TOLERANCE,
  'Largest residual of the natural map accepted, relative to the data of the problem.',
);

const solver = (
  type: string,
  title: string,
  summary: string,
  fields: readonly FieldDefinition[],
  source: string,
): ElementDefinition => ({
  category: 'solver',
  type,
  title,
  summary,
  order: 'body',
  equations: [NATURAL_MAP],
  fields: [tolerance, ...fields],
  source,
});

/**
 * Solvers that need a symmetric W, which contacts with rolling or spinning friction do not have: alternating
 * directions and the fixed points over convex problems descend ½ rᵀ W r, and the interior point factors W as
 * a symmetric matrix. Sweeps solve a block at a time, Newton, the proximal point and Lemke equations of any
 * W.
 */
export const SYMMETRIC_ONLY: ReadonlySet<string> = new Set([
  'ADMM',
  'FrictionInteriorPoint',
  'DeSaxce',
  'Tresca',
]);

/** The solver of one contact that sweeps have when none is named: the code written out in them. */
export const WRITTEN_OUT = 'sweeps';

/**
 * The others are solvers of a contact with three rows, by their names (`solvers/one-contact/registry.ts`):
 * contacts in a plane have three here, too.
 */
const local: FieldDefinition = {
  key: 'local',
  kind: 'choice',
  options: [
    {
      value: WRITTEN_OUT,
      label: 'written out',
      help: 'Exact, in the code of the sweeps itself: the fastest. Without mobility along its normal a contact keeps its impulse.',
    },
    {
      value: 'exact',
      label: 'exact (quartic)',
      help: 'All solutions of the contact by the quartic; the one nearest to the last impulse is taken.',
    },
    {
      value: 'alart-curnier',
      label: 'Alart–Curnier Newton',
      help: 'Newton with a line search; the quartic where that fails.',
    },
    {
      value: 'projection',
      label: 'projection',
      help: 'Some projections onto the cone: a rough answer that further sweeps improve.',
    },
  ],
  label: 'Solver of one contact',
  symbol: '',
  unit: '',
  required: false,
  default: WRITTEN_OUT,
  help: 'How a sweep solves each contact. All lead to the same answer, in more time or less.',
};

export const frictionSolverDefinitions: readonly ElementDefinition[] = [
  solver(
    'NSGS',
    'Non-smooth Gauss–Seidel',
    'Solves one contact after the other, exactly, and combines the sweeps. Time per sweep is linear in the contacts.',
    [
      iterationsField(10_000, 'sweeps'),
      {
        key: 'relaxation',
        kind: 'number',
        min: 0.1,
        max: 1.9,
        label: 'Relaxation',
        symbol: '\\omega',
        unit: '',
        required: false,
        default: 1,
        help: 'Factor of each change of an impulse; 1 takes what the contact alone asks for.',
      },
      {
        key: 'depth',
        kind: 'integer',
        min: 0,
        max: 20,
        label: 'Steps remembered',
        symbol: 'm',
        unit: '',
        required: false,
        default: 5,
        help: 'Sweeps that are combined to the next (Anderson); 0: plain sweeps.',
      },
      local,
    ],
    'Jean and Moreau 1987; Anderson 1965',
  ),
  solver(
    'ExtrapolatedNSGS',
    'Gauss–Seidel with extrapolation',
    'Sweeps whose slow changes are extrapolated over hundreds of them: for large piles with much friction, where sweeps circle.',
    [iterationsField(20_000, 'sweeps')],
    'Mešina 1977',
  ),
  solver(
    'SemiSmoothNewton',
    'Semi-smooth Newton (Alart–Curnier)',
    'Newton for all contacts at once, with line search and sparse factors; quadratic near a solution.',
    [iterationsField(200, 'steps')],
    'Alart and Curnier 1991',
  ),
  solver(
    'ADMM',
    'Alternating direction method of multipliers',
    'One sparse factor of W + ρ I serves all steps; W may have any rank.',
    [iterationsField(5000, 'steps')],
    'Acary, Brémond and Huber 2018',
  ),
  solver(
    'FrictionInteriorPoint',
    'Interior point for friction',
    'Twenty to fifty steps, hundreds for a few large piles, each with a sparse factor; W may have any rank. Does not use the impulses of the last step.',
    [iterationsField(500, 'steps')],
    'Acary et al. 2022; Mehrotra 1992',
  ),
  solver(
    'Proximal',
    'Proximal point',
    'Solves W + α I again and again by Newton, with α falling; few, costly steps, W may have any rank.',
    [iterationsField(100, 'steps')],
    'Rockafellar 1976',
  ),
  solver(
    'DeSaxce',
    'Fixed point of De Saxcé',
    'Holds μ |u_T| and solves the convex problem that is left by accelerated projected gradients.',
    [iterationsField(50_000, 'products with W')],
    'De Saxcé and Feng 1991; O’Donoghue and Candès 2015',
  ),
  solver(
    'Tresca',
    'Fixed point of Tresca',
    'Holds the bound μ r_N of friction and solves the convex problem that is left by accelerated projected gradients.',
    [iterationsField(50_000, 'products with W')],
    'Haslinger 1983',
  ),
  solver(
    'Faceted',
    'Faceted cones (Lemke)',
    'Replaces the cones by pyramids and solves the linear complementarity problem, for comparison: what it finds is accepted only where it satisfies the cones.',
    [
      {
        key: 'facets',
        kind: 'integer',
        min: 4,
        max: 64,
        label: 'Facets',
        symbol: 'd',
        unit: '',
        required: false,
        default: 8,
        help: 'Directions of friction at a contact. The error falls with their square.',
      },
    ],
    'Stewart and Trinkle 1996; Anitescu and Potra 1997',
  ),
];
