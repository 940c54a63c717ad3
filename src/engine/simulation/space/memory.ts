/** What a simulation of bodies in space hands over to one whose numbers have changed. */
import type { Passed } from '../../event-driven/conditions/passed-conditions';
import type { Certificate } from '../certificate/certificate';

export interface SpaceMemory {
  readonly steps: number;
  readonly q: Float64Array;
  readonly u: Float64Array;
  /** coordinates of joints, angles with whole turns */
  readonly coordinates: Float64Array;
  /** contacts that had closed */
  readonly closings: number;
  readonly solverIterations: number;
  readonly certificate: Certificate;
  /** conditions of time that steps have passed over; null where none */
  readonly passed: Passed | null;
}
