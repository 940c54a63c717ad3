/** What steps with contact forces (`D1MinusLinear`) can treat of 3D bodies. */
import type { SimulationSettings } from '../../document/settings';
import type { DocumentIssue } from '../../document/types';
import { momentNumbers } from '../../contact-dynamics/contacts/contact-list';
import type { ContactMaterial } from '../../model/contact-laws/registry';
import { createContactLaw } from '../../model/contact-laws/registry';
import { newtonImpacts } from '../../model/settings/impacts';
import { d1MinusLinear } from '../../model/settings/integrators';
import type { CompiledSpace } from './compile';

/** @param places pointers of elements by id */
export function checkSpaceForces(
  space: CompiledSpace,
  { integrators: [integrator], scheme, impacts }: SimulationSettings,
  places: ReadonlyMap<string, string>,
  issues: DocumentIssue[],
): void {
  if (scheme !== 'time-stepping' || integrator.type !== d1MinusLinear.type) return;
  const report = (code: string, pointer: string, message: string, remedy: string, element?: string): void => {
    issues.push({
      ...{ severity: 'error', code, pointer, message, remedy },
      ...(element === undefined ? {} : { element }),
    });
  };
  const refuse = (code: string, id: string, key: string, what: string, remedy: string): void => {
    const place = places.get(id) ?? '';
    report(code, key === '' ? place : `${place}/${key}`, `Half-explicit Galerkin steps ${what}`, remedy, id);
  };
  if (impacts.type !== newtonImpacts.type)
    report(
      'impacts-without-forces',
      '/simulation/impacts/type',
      `Half-explicit Galerkin steps know Newton’s law of impact; ${impacts.type} is another one.`,
      'Choose Newton, or another integrator.',
    );
  for (const { id, law } of space.contacts)
    if (law !== null && !hasForces(law))
      refuse(
        'law-without-forces',
        id,
        'law',
        `know contacts of bodies with Newton’s law of impact and Coulomb’s friction; “${id}” is another one, or has rolling or spinning friction.`,
        'Choose Moreau’s half steps or Moreau–Jean, or leave these moments out.',
      );
  for (const { id } of space.scripted)
    refuse(
      'contact-without-forces',
      id,
      'relation',
      `know contacts of shapes; the contact of “${id}” is given by a script.`,
      'Choose Moreau’s half steps or Moreau–Jean.',
    );
  for (const { body } of space.system.changing)
    refuse(
      'body-without-forces',
      body.id,
      'inertia',
      `need a constant inertia, and that of “${body.id}” is a function of time.`,
      'Choose Moreau’s half steps or Moreau–Jean.',
    );
}

function hasForces(law: ContactMaterial): boolean {
  const { isRigid, pull, adhesion, percussion = 0, anticipates } = createContactLaw(law);
  const isPlain = isRigid && pull === 0 && adhesion === undefined && percussion === 0 && !anticipates;
  return isPlain && momentNumbers([law]) === null;
}
