/**
 * The state of a simulation between two steps: everything that the next step, the certificate and the counters depend
 * on, as plain data without functions. A simulation that is made from it goes on with the same bits as the one it was
 * taken from.
 *
 * What follows from the model and these numbers is not in it: y and ẏ, factorisations, the operator, forces and inputs
 * at the present time. Nor are the workspaces of solvers, which speed up a solution and do not decide it.
 */
import type { StepCounters } from '../integrators/step';

/** Elements in the order of the model, with the entries of the arrays that belong to each. */
export interface ElementRanges {
  readonly ids: readonly string[];
  /** entries of element i: offsets[i] … offsets[i + 1] − 1 */
  readonly offsets: Int32Array;
}

export interface SimulationState {
  /** systems with their coordinates */
  readonly systems: ElementRanges;
  /** interactions with their rows */
  readonly interactions: ElementRanges;
  /** end of the last step, s */
  readonly time: number;
  /** steps taken since t₀ */
  readonly step: number;
  /** length of the next step, s */
  readonly h: number;
  /** contacts that closed */
  readonly events: number;
  readonly counters: StepCounters;

  /** positions and first-order states, and velocities, by coordinate */
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** q_{k−1} by coordinate of systems whose scheme reaches back to it, else 0 */
  readonly previous: Float64Array;

  /** multipliers by row */
  readonly lambda: Float64Array;
  /** y one step back, by row */
  readonly previousOutput: Float64Array;
  /** gap below which a contact counts as closed, by row; ∞ where it always does */
  readonly closedGap: Float64Array;
  /** 1 for contacts whose multiplier was positive in the last step, by row */
  readonly pushed: Uint8Array;
  /** 1 for rows that took part in the last step */
  readonly active: Uint8Array;
  /** rows in the order in which the one-step problem eliminates them */
  readonly elimination: Int32Array;
  /** unknowns of the canonical one-step problem: those of row i are the entries `unknowns.offsets[i]` … */
  readonly unknowns: { readonly offsets: Int32Array; readonly values: Float64Array };

  /** null when the step is constant */
  readonly control: StepControlState | null;
  readonly certificate: CertificateState;
}

/** What the control of the step length remembers. */
export interface StepControlState {
  /** accepted states, newest first: positions by coordinate, then velocities; and their times, s */
  readonly states: readonly Float64Array[];
  readonly times: Float64Array;
  /** how many of them count */
  readonly known: number;
  /** largest magnitude that each position and velocity has had */
  readonly scale: Float64Array;
  readonly rejected: number;
}

/** What the certificate has seen. */
export interface CertificateState {
  /** worst relative residuals: dynamics, complementarity, cone */
  readonly worst: Float64Array;
  /** the largest of them, and its time, s */
  readonly overall: Float64Array;
  /** element it was found at; null before the first step */
  readonly worstElement: string | null;
  readonly energy: EnergyState;
  /** largest |y| or d |λ| by row */
  readonly rowScale: Float64Array;
  /** d λ of the last step by row */
  readonly push: Float64Array;
  /** by row of an impact law, else 0: largest sum of the magnitudes that cancel in its gap, and the gap one step back */
  readonly gapMagnitude: Float64Array;
  readonly previousGap: Float64Array;
  readonly dynamics: DynamicsMemory;
}

/** What the checks of discrete equations of motion remember. */
export interface DynamicsMemory {
  /** largest magnitude in the equation of motion and in that of the positions, by system */
  readonly momentum: Float64Array;
  readonly kinematic: Float64Array;
  /** q one step before the last, by coordinate, of systems with `hasPrevious` = 1 */
  readonly previous: Float64Array;
  readonly hasPrevious: Uint8Array;
}

export interface EnergyState {
  /** work so far, what its summation has lost, initial energy, largest energy or work, J */
  readonly total: Float64Array;
  /** present T + V, J */
  readonly energy: number;
  /** T + V − T₀ − V₀ − work, J, when the balance was last defined */
  readonly defect: number;
  /** whether the balance is defined for the model as it is */
  readonly isDefined: boolean;
}

export const createDynamicsMemory = (systems: number, coordinates: number): DynamicsMemory => ({
  momentum: new Float64Array(systems),
  kinematic: new Float64Array(systems),
  previous: new Float64Array(coordinates),
  hasPrevious: new Uint8Array(systems),
});
