/** Contacts as the animation draws them, and where they come from. */
import type { ContactMatrix } from '@engine/inspection/contacts-at';

/** All contacts at one time, in the world; quantities of contact i at the places of i. */
export interface ContactSnapshot {
  /** of the row they belong to, s */
  readonly time: number;
  readonly count: number;
  /** 3 a contact, m */
  readonly points: Float64Array;
  /** 3 a contact, unit, from the first body to the second */
  readonly normals: Float64Array;
  /** 1 a contact, m */
  readonly gaps: Float64Array;
  /** 3 a contact, on the second body, N·s */
  readonly impulses: Float64Array;
  /** coefficients of friction, 1 a contact */
  readonly frictions: Float64Array;
  /** 2 a contact: places in `Scene.bodies`; −1 for the ground */
  readonly bodies: Int32Array;
  /** what their impulses do to their velocities */
  readonly matrix: ContactMatrix;
}

/** Says what touches at a time of a run. */
export interface ContactProvider {
  /**
   * @param time s
   * @returns null where nothing is known of that time
   */
  contactsAt(time: number): Promise<ContactSnapshot | null>;
}

/** Makes the provider of a run; null for a run whose contacts are not known. */
export type DrawnContactSource = (runId: string) => ContactProvider | null;

let source: DrawnContactSource = () => null;

/** Sets where contacts come from, once for the window. */
export function provideContacts(next: DrawnContactSource): void {
  source = next;
}

/** The contacts of a run; null where there are none to be known. */
export const drawnContactsOf = (runId: string): ContactProvider | null => source(runId);
