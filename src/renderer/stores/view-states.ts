/**
 * What a view shows that is not part of the document, such as a zoom. It belongs to the open document, so
 * that neither another document nor another tab in the place of the view takes it over or away.
 */
import { defineStore } from 'pinia';
import { type ShallowRef, shallowRef, watch } from 'vue';
import { perDocument } from './per-document';

interface Kept {
  readonly value: ShallowRef<unknown>;
  /** what the value was chosen for */
  subject: unknown;
}

const useViewStatesStore = defineStore('view-states', () => {
  const states = perDocument<Map<string, Kept>>(() => new Map());

  /** The states of the document that is shown. */
  const present = (): Map<string, Kept> => states.value;

  return { present };
});

/**
 * A state of a view, to be asked for in the set-up of its component, which lives as long as its document is
 * shown.
 * @param name of the state, among those of the view
 * @param initial what the state is at first, and again when its subject changes
 * @param subject what the state was chosen for, e.g. the quantities and units of the axes; compared by
 *   identity
 */
export function viewState<T>(
  viewId: string,
  name: string,
  initial: T,
  subject: () => unknown = () => null,
): ShallowRef<T> {
  const states = useViewStatesStore().present();
  const key = `${viewId}\n${name}`;
  let kept = states.get(key);
  if (kept === undefined || !Object.is(kept.subject, subject())) {
    kept = { value: shallowRef(initial), subject: subject() };
    states.set(key, kept);
  }
  const { value } = kept;
  const own = kept;
  watch(subject, (now) => {
    own.subject = now;
    value.value = initial;
  });
  return value as ShallowRef<T>;
}
