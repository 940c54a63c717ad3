/** Texts of the window: one place, looked up by key, in the language of the user. */
import { LANGUAGES, type Language } from '@contract/settings';
import { shallowReactive } from 'vue';
import { createI18n } from 'vue-i18n';
import { formatCount } from './components/numbers';
import { en } from './locales/en';
import { type SettingText, settingWords, type ShownSetting } from './locales/en-settings';
import type { Texts } from './locales/texts';
import type { Translated } from './locales/translated';

type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Leaves<T[K]>}`;
}[keyof T & string];

/** Key of a text, e.g. `run.start`. */
export type TextKey = Leaves<typeof en>;

/** Languages other than English, which is always there: each is loaded when it is first needed. */
const LOADERS: Readonly<Partial<Record<Language, () => Promise<Texts>>>> = {
  de: async () => (await import('./locales/de')).german,
  fr: async () => (await import('./locales/fr')).french,
};

export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: 'en',
  messages: { en } as Record<Language, Translated<typeof en>>,
  // French has the singular with zero.
  pluralRules: { fr: (count, forms) => Math.min(Math.abs(count) < 2 ? 0 : 1, forms - 1) },
});

const settingTexts = shallowReactive(new Map<Language, Texts['settings']>([['en', settingWords]]));
/** the language asked for last: what is still loading for an earlier one is not shown */
let wanted: Language = 'en';

/** Languages that there are texts of. */
export const languages = (): Language[] => LANGUAGES.filter((one) => one === 'en' || one in LOADERS);

/** The first of `preferred`, tags such as `de-CH`, that there are texts of; English where there is none. */
export function languageOf(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const found = languages().find((one) => one === tag.toLowerCase().split('-')[0]);
    if (found !== undefined) return found;
  }
  return 'en';
}

/**
 * Puts the window into a language, once its texts are there. Numbers keep the decimal point in all of them:
 * it is how models, scripts and data files are written, and what is shown can be typed again.
 * @param choice a language, or `system` for that of the browser or the operating system
 * @throws what the loading of the texts throws; the language is then the one before
 */
export async function speak(choice: Language | 'system'): Promise<void> {
  const language = choice === 'system' ? languageOf(navigator.languages) : choice;
  wanted = language;
  const load = LOADERS[language];
  if (load !== undefined && !settingTexts.has(language)) {
    const { texts, settings } = await load();
    i18n.global.setLocaleMessage(language, texts);
    settingTexts.set(language, settings);
  }
  if (wanted !== language) return;
  i18n.global.locale.value = language;
  document.documentElement.lang = language;
}

/**
 * The text of a key, with `{name}` places filled from `values`. It is in the language of the moment: in a
 * template or a computed value it follows the language, kept in a constant it would not.
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

/** Name, explanation and options of a setting. */
export const settingText = (key: ShownSetting): SettingText =>
  (settingTexts.get(i18n.global.locale.value) ?? settingWords)[key];
