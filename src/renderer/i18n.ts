/** Texts of the window: one place, looked up by key. */
import { createI18n } from 'vue-i18n';
import { formatCount } from './components/numbers';
import { en } from './locales/en';

type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Leaves<T[K]>}`;
}[keyof T & string];

/** Key of a text, e.g. `run.start`. */
export type TextKey = Leaves<typeof en>;

export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: 'en',
  messages: { en },
});

/**
 * The text of a key, with `{name}` places filled from `values`. Reactive where it is called in a template.
 */
export function text(key: TextKey, values: Record<string, string | number> = {}): string {
  return i18n.global.t(key, values);
}

/** The text of a key that has a singular and a plural, with the count in the place of `{number}`. */
export function counted(
  key: TextKey,
  count: number,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return i18n.global.t(key, { ...values, number: formatCount(count) }, count);
}
