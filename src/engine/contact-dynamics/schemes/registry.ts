/** Schemes by their settings. */
import type { SpatialSystem } from '../../spatial/system';
import { SpatialHalfSteps, type BodyMotionSettings } from './half-steps';
import type { GalerkinSettings } from './galerkin-steps';
import { SpatialMoreauJean, type MoreauJeanSettings } from './moreau-jean';
import type { StepScheme } from './scheme';

/** By half steps, with a θ, or with contact forces. */
export type SchemeSettings = BodyMotionSettings | MoreauJeanSettings | GalerkinSettings;

/** Of steps without contact forces. */
export const createScheme = (
  system: SpatialSystem,
  settings: BodyMotionSettings | MoreauJeanSettings,
): StepScheme =>
  'theta' in settings ? new SpatialMoreauJean(system, settings) : new SpatialHalfSteps(system, settings);
