/** Which runs a comparison of the schemes is made of. */
import type { ModelDocument, SchemeName } from '@engine/document/types';

/** Step lengths that can be compared: an order needs two, and each further one doubles the work. */
export const LEVELS = [2, 3, 4, 5, 6] as const;
export const DEFAULT_LEVELS = 3;

export interface PlannedComparison {
  scheme: SchemeName;
  /** s */
  h: number;
}

/** The event-driven run first, which the others are measured by; then time-stepping with h, h/2, h/4 … */
export function planComparison(h: number, levels: number): PlannedComparison[] {
  const stepping = Array.from({ length: levels }, (_, k): PlannedComparison => ({
    scheme: 'time-stepping',
    h: h / 2 ** k,
  }));
  return [{ scheme: 'event-driven', h }, ...stepping];
}

/**
 * The model with steps of one length: an order of convergence is that of a step which is halved everywhere.
 */
export function withConstantStep(document: ModelDocument): ModelDocument {
  const simulation = { ...document.simulation };
  delete simulation.stepControl;
  return { ...document, simulation };
}
