/** Schemes by their settings. */
import type { SpatialSystem } from '../../spatial/system';
import { SpatialHalfSteps, type BodyMotionSettings } from './half-steps';
import type { GalerkinSettings } from './galerkin-steps';
import { SpatialMoreauJean, type MoreauJeanSettings } from './moreau-jean';
import type { StepScheme } from './scheme';

/** By half steps, or with a θ. */
export type ImpulseSchemeSettings = BodyMotionSettings | MoreauJeanSettings;
/** The same, or with contact forces. */
export type SchemeSettings = ImpulseSchemeSettings | GalerkinSettings;

/** Of steps without contact forces. */
export const createScheme = (system: SpatialSystem, settings: ImpulseSchemeSettings): StepScheme =>
  'theta' in settings ? new SpatialMoreauJean(system, settings) : new SpatialHalfSteps(system, settings);
