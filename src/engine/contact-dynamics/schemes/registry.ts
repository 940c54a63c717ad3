/** Schemes by their settings. */
import type { SpatialSystem } from '../../spatial/system';
import { SpatialHalfSteps, type BodyMotionSettings } from './half-steps';
import { SpatialMoreauJean, type MoreauJeanSettings } from './moreau-jean';
import type { StepScheme } from './scheme';

/** By half steps, or with a θ. */
export type SchemeSettings = BodyMotionSettings | MoreauJeanSettings;

export const createScheme = (system: SpatialSystem, settings: SchemeSettings): StepScheme =>
  'theta' in settings ? new SpatialMoreauJean(system, settings) : new SpatialHalfSteps(system, settings);
