/** State that each open document has of its own: it is there again when the document is shown again. */
import { computed, shallowRef, triggerRef, type WritableComputedRef } from 'vue';
import { useDocumentStore } from './document';

interface Values<T> {
  get(session: number): T;
  set(session: number, value: T): void;
}

const stored = new WeakMap<object, Values<never>>();

/** The state of the document that is shown. @param initial what a document starts with */
export function perDocument<T>(initial: () => T): WritableComputedRef<T> {
  const documents = useDocumentStore();
  const values = shallowRef(new Map<number, T>());
  documents.onClose((session) => values.value.delete(session));

  function get(session: number): T {
    const known = values.value;
    if (known.has(session)) return known.get(session) as T;
    const value = initial();
    // Not told to anybody: what was read is what is there from now on.
    if (documents.sessions.has(session)) known.set(session, value);
    return value;
  }

  function set(session: number, value: T): void {
    if (!documents.sessions.has(session)) return;
    if (values.value.has(session) && Object.is(values.value.get(session), value)) return;
    values.value.set(session, value);
    triggerRef(values);
  }

  const present = computed<T>({
    get: () => get(documents.session),
    set: (value) => set(documents.session, value),
  });
  stored.set(present, { get, set } as Values<unknown> as Values<never>);
  return present;
}

const valuesOf = <T>(state: WritableComputedRef<T>): Values<T> =>
  stored.get(state) as Values<unknown> as Values<T>;

/** The state of any document. */
export const ofDocument = <T>(state: WritableComputedRef<T>, session: number): T =>
  valuesOf(state).get(session);

/** Sets the state of any document; without effect once it is closed. */
export const setOfDocument = <T>(state: WritableComputedRef<T>, session: number, value: T): void =>
  valuesOf(state).set(session, value);
