/** Names the element that the worst figure of the certificate belongs to. */
import { type ContactDynamicsCertificate, JUDGED } from '../../contact-dynamics/certificate';
import { isDrive } from '../../spatial/system';
import type { CompiledSpace } from './compile';

type Judged = (typeof JUDGED)[number];

/** Element by what was judged and the place that the certificate gives. */
const ELEMENTS: Readonly<Record<Judged, (space: CompiledSpace, place: number) => string | undefined>> = {
  cone: contactOf,
  law: contactOf,
  moments: contactOf,
  momentum: ({ model, moving }, body) => model.bodies[moving[body]].id,
  joints: jointOf,
  limits: () => undefined,
  drives: () => undefined,
};

/** @returns id of an interaction or body; null where the certificate has not singled one out */
export function worstElement(
  { worst, places }: ContactDynamicsCertificate,
  space: CompiledSpace,
): string | null {
  let which = 0;
  for (let k = 1; k < JUDGED.length; k++) if (!(worst[k] <= worst[which])) which = k;
  return places[which] < 0 ? null : (ELEMENTS[JUDGED[which]](space, places[which]) ?? null);
}

function contactOf({ contacts }: CompiledSpace, material: number): string | undefined {
  return contacts[material].id;
}

/** Joint of a row: those of all equations come first, then those of the speeds that motors prescribe. */
function jointOf({ system }: CompiledSpace, row: number): string | undefined {
  const equations = system.joints.flatMap(({ id, rows }) =>
    rows.flatMap(({ labels }) => labels.map(() => id)),
  );
  const drives = system.joints.flatMap(({ id, motors }) => motors.filter(isDrive).map(() => id));
  return [...equations, ...drives][row];
}
