/** Which laws of impacts at several contacts at once go with a model and its scheme. */
import type { ElementSettings } from '../document/element-settings';
import type { SimulationSettings } from '../document/settings';
import type { DocumentIssue } from '../document/types';
import type { ImpactChoice } from '../impacts/registry';
import { newtonImpacts } from '../model/settings-impacts';

/** The fields of a law's definition in the terms of `impacts/`. */
export function impactChoice({ type, numbers }: ElementSettings): ImpactChoice {
  const { exponent, tolerance, maxIterations } = numbers;
  switch (type as ImpactChoice['type']) {
    case 'Newton':
      return { type: 'Newton' };
    case 'Poisson':
      return { type: 'Poisson' };
    case 'Sequential':
      return { type: 'Sequential', maxImpacts: maxIterations };
    case 'Energetic':
      return { type: 'Energetic', exponent, tolerance, maxSteps: maxIterations };
  }
}

/** Reports a law that the simulation does not have: steps know Newton's only. */
export function checkImpactSettings({ scheme, impacts }: SimulationSettings, issues: DocumentIssue[]): void {
  if (scheme === 'event-driven' || impacts.type === newtonImpacts.type) return;
  issues.push({
    severity: 'error',
    code: 'impacts-of-stepping',
    pointer: '/simulation/impacts/type',
    message: `Time-stepping treats all impacts of a step by Newton’s law; “${impacts.type}” is for the event-driven scheme.`,
    remedy: 'Choose Newton’s law of impacts, or the event-driven scheme.',
  });
}
