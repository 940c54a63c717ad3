import type { StepModel } from './step-run';

/**
 * Beads overlap by a power of two: contacts that touch exactly would be closed or open by the sign of a
 * rounding error.
 */
const OVERLAP = 2 ** -20;

/**
 * Beads on each other with every contact closed: the one-step problem at its full size.
 * @param solvers of Siconos that finish in reasonable time; for a thousand beads Lemke's algorithm takes a
 *   second a step
 */
function column(
  beads: number,
  warmUp: number,
  steps: number,
  solvers: readonly ['Lemke' | 'PGS' | 'NSGS', string][],
): StepModel {
  return {
    name: `bead-column-${beads}`,
    summary: `time per step of ${beads} beads on each other`,
    example: 'bead-column',
    parameters: { N: beads, m: 1, radius: 0.125, g: 9.81, e: 0, spacing: -OVERLAP },
    h: 5e-3,
    theta: 0.5,
    warmUp,
    steps,
    state: ['bead0.q', `bead${beads - 1}.q`, 'contact0.impulse', `contact${beads - 1}.impulse`],
    scale: 1,
    program: 'bead-column',
    twin: 'bead-column',
    mostTwins: 11,
    variants: solvers.map(([name, storage]) => ({
      label: `${name}, ${storage}`,
      given: { solver: name.toLowerCase() },
    })),
  };
}

export const beadColumns: readonly StepModel[] = [
  column(10, 1000, 10_000, [
    ['Lemke', 'dense'],
    ['PGS', 'dense'],
    ['NSGS', 'sparse'],
  ]),
  column(100, 100, 1000, [
    ['Lemke', 'dense'],
    ['PGS', 'dense'],
    ['NSGS', 'sparse'],
  ]),
  column(1000, 10, 100, [
    ['PGS', 'dense'],
    ['NSGS', 'sparse'],
  ]),
  // The dense matrix alone would take 800 MB.
  column(10_000, 10, 20, [['NSGS', 'sparse']]),
];
