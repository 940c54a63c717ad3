/** Which laws of impacts at several contacts at once go with a model and its scheme. */
import type { ElementSettings } from '../document/field-values';
import type { SimulationSettings } from '../document/settings';
import type { DocumentIssue } from '../document/types';
import type { ImpactChoice } from '../impacts/registry';
import { createContactLaw } from '../model/contact-laws/registry';
import { newtonImpacts } from '../model/settings/impacts';
import type { SpaceModel } from '../model/space/space';

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

/**
 * Reports what the law of impacts does not go with: steps of the θ-methods know Newton's only, tangential
 * restitution is Newton's, and Frémond's percussions are a law for all contacts.
 */
export function checkImpactSettings(
  { scheme, impacts }: SimulationSettings,
  space: SpaceModel | null,
  places: ReadonlyMap<string, string>,
  issues: DocumentIssue[],
): void {
  if (impacts.type === newtonImpacts.type) return;
  if (space === null) {
    if (scheme === 'event-driven') return;
    issues.push({
      severity: 'error',
      code: 'impacts-of-stepping',
      pointer: '/simulation/impacts/type',
      message: `Time-stepping of these systems treats all impacts of a step by Newton’s law; “${impacts.type}” is for the event-driven scheme and for 3D bodies.`,
      remedy: 'Choose Newton’s law of impacts, or the event-driven scheme.',
    });
    return;
  }
  for (const { id, law } of space.interactions) {
    if (law !== null && createContactLaw(law).percussion !== undefined)
      issues.push({
        severity: 'error',
        code: 'impacts-with-percussion',
        pointer: `${places.get(id) ?? '/interactions'}/law/type`,
        element: id,
        message: `“${id}” has Frémond’s law of impact, which says itself what happens at several contacts at once; “${impacts.type}” would say it again.`,
        remedy: 'Choose Newton’s law of impacts in the simulation, or another law of contact.',
      });
    if (law?.kind !== 'impact' || law.tangentialRestitution === 0) continue;
    issues.push({
      severity: 'error',
      code: 'tangential-restitution',
      pointer: `${places.get(id) ?? '/interactions'}/law/et`,
      element: id,
      message: `“${id}” has tangential restitution, which is defined for Newton’s law of impacts only.`,
      remedy: 'Set it to zero, or choose Newton’s law of impacts.',
    });
  }
}
