/** Settings of contact dynamics, and the outcome of a step. */
import type { ImpactChoice } from '../impacts/registry';
import type { ProjectionMetric, ProjectionSettings } from '../spatial/projection';
import type { SpatialStatus } from '../spatial/status';
import type { ContactSource } from './contacts/contact-list';
import type { KinematicMotion } from './contacts/kinematic-bodies';
import type { SchemeSettings } from './schemes/registry';

export type JointPoint = 'start' | 'predicted' | 'end';

export interface ContactDynamicsSettings {
  /** s */
  readonly t0: number;
  /** length of a step, or of the first one, s */
  readonly h: number;
  /**
   * the longest step, s, where they vary (`ContactDynamics.length`); they are all of one length when left out
   */
  readonly hMax?: number;
  readonly motion: SchemeSettings;
  /** largest relative residual of the problem of a step */
  readonly tolerance: number;
  /**
   * where rows of joints are formed: at q⁻, at q_* of the scheme, or at q⁺ by iteration; at q_* when left
   * out. Combined projection has them at q_*.
   */
  readonly jointPoint?: JointPoint;
  /** whether positions are brought onto the joints after each step */
  readonly projects: boolean;
  /** in which metric; that of the mass when left out */
  readonly metric?: ProjectionMetric;
  /**
   * largest violation that it leaves, in units of the rows, and passes that it may take; see
   * `spatial/projection.ts`
   */
  readonly projection?: Pick<ProjectionSettings, 'tolerance' | 'maxIterations'>;
  /**
   * what finds contacts at positions that are projected, where these are brought onto contacts too; of the
   * projection itself, and of the certificate. They stay as they are when left out.
   */
  readonly projectedContacts?: { readonly source: ContactSource; readonly check: ContactSource };
  /** whether velocities are to satisfy the joints at those positions, too */
  readonly combined?: boolean;
  /** overlap of contacts that may stay, m; overlaps stay as they are when left out */
  readonly overlap?: number;
  /** law of impacts at several contacts at once; Newton's when left out */
  readonly impacts?: ImpactChoice;
  /** kinematic bodies that move, in the order of their numbers */
  readonly kinematicBodies?: readonly KinematicMotion[];
}

/**
 * `unsolved`: the friction-contact problem; what the solver said stands in `result`. `impactUnsolved`: the
 * law of impacts did not come to an end; what it said stands in `impacts.failure`.
 */
export type ContactDynamicsStatus = SpatialStatus | 'unsolved' | 'impactUnsolved';
