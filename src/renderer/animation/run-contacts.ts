/** Contacts of runs, from the engine host. */
import { useHost } from '../transport/host';
import type { DrawnContactSource } from './contacts';

export const runContacts: DrawnContactSource = (runId) => ({
  contactsAt: async (time) => {
    const { contacts } = await useHost().dispatcher.dispatch('run.contacts', { runId, time });
    return contacts === null ? null : { ...contacts, bodies: Int32Array.from(contacts.bodies) };
  },
});
