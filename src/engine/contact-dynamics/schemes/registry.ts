/** Schemes by their settings. */
import type { BodyMotionSettings } from '../../spatial/body-motion';
import type { SpatialSystem } from '../../spatial/system';
import { HalfSteps } from './half-steps';
import { MoreauJean, type MoreauJeanSettings } from './moreau-jean';
import type { StepScheme } from './scheme';

/** By half steps, or with a θ. */
export type SchemeSettings = BodyMotionSettings | MoreauJeanSettings;

export const createScheme = (system: SpatialSystem, settings: SchemeSettings): StepScheme =>
  'theta' in settings ? new MoreauJean(system, settings) : new HalfSteps(system, settings);
