/** What can be drawn beside the bodies, and what each needs. */
import type { AnimationOverlay } from '@engine/document/types';

/** In the order of the menu. */
export const OVERLAYS: readonly AnimationOverlay[] = [
  'grid',
  'axes',
  'shadows',
  'ids',
  'frames',
  'joints',
  'trails',
  'contacts',
  'forces',
  'cones',
];

/** Drawn from the contacts of a run. */
const OF_CONTACTS: ReadonlySet<AnimationOverlay> = new Set(['contacts', 'forces', 'cones']);

/** Why an overlay cannot be shown; null where it can. */
export function overlayObstacle(
  overlay: AnimationOverlay,
  known: { contacts: boolean; joints: boolean },
): 'contacts' | 'joints' | null {
  if (OF_CONTACTS.has(overlay) && !known.contacts) return 'contacts';
  return overlay === 'joints' && !known.joints ? 'joints' : null;
}

export const needsContacts = (overlays: readonly AnimationOverlay[]): boolean =>
  overlays.some((overlay) => OF_CONTACTS.has(overlay));

/** The overlays with one of them the other way round, in the order of the menu. */
export function toggled(overlays: readonly AnimationOverlay[], one: AnimationOverlay): AnimationOverlay[] {
  return OVERLAYS.filter((overlay) => overlays.includes(overlay) !== (overlay === one));
}
