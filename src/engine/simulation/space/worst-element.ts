/** Names the element that the worst figure of the certificate belongs to. */
import { type ContactDynamicsCertificate, JUDGED } from '../../contact-dynamics/certificate';
import { isDrive } from '../../spatial/system';
import type { CompiledSpace } from './compile';

type Judged = (typeof JUDGED)[number];

export class WorstElement {
  /** ids by what was judged and the place that the certificate gives; empty where it singles out none */
  readonly #ids: Readonly<Record<Judged, readonly string[]>>;

  constructor({ contacts, model, moving, system }: CompiledSpace) {
    const ofContacts = contacts.map(({ id }) => id);
    const ofBodies = moving.map((body) => model.bodies[body].id);
    const { joints } = system;
    // Rows of all equations come first, then those of the speeds that motors prescribe.
    const equations = joints.flatMap(({ id, rows }) => rows.flatMap(({ labels }) => labels.map(() => id)));
    const drives = joints.flatMap(({ id, motors }) => motors.filter(isDrive).map(() => id));
    this.#ids = {
      cone: ofContacts,
      law: ofContacts,
      moments: ofContacts,
      gaps: ofContacts,
      momentum: ofBodies,
      motion: ofBodies,
      joints: [...equations, ...drives],
      positions: equations,
      limits: [],
      drives: [],
    };
  }

  /** @returns id of an interaction or body; null where the certificate has not singled one out */
  find({ worst, places }: Pick<ContactDynamicsCertificate, 'worst' | 'places'>): string | null {
    let which = 0;
    for (let k = 1; k < JUDGED.length; k++)
      if (!Number.isNaN(worst[which]) && !(worst[k] <= worst[which])) which = k;
    const ids = this.#ids[JUDGED[which]];
    return places[which] >= 0 && places[which] < ids.length ? ids[places[which]] : null;
  }
}
