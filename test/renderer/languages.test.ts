/** The languages of the window: each has all texts, and a change of the setting changes what is shown. */
import { flushPromises } from '@vue/test-utils';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { nextTick } from 'vue';
import { LANGUAGES } from '@contract/settings';
import { useCommands } from '@renderer/commands/definitions';
import { i18n, languageOf, languages, settingText, speak, text, counted } from '@renderer/i18n';
import type { Texts } from '@renderer/locales/texts';
import { en } from '@renderer/locales/en';
import { settingWords } from '@renderer/locales/en-settings';
import { french } from '@renderer/locales/fr';
import { german } from '@renderer/locales/de';
import { openCamFollower } from './setup';

const TRANSLATIONS: [string, Texts][] = [
  ['de', german],
  ['fr', french],
];

/** Texts by their keys. */
function* leaves(texts: object, path = ''): Generator<[string, string]> {
  for (const [key, value] of Object.entries(texts)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'string') yield [at, value];
    else yield* leaves(value as object, at);
  }
}
const all = ({ texts, settings }: Texts): Map<string, string> =>
  new Map([...leaves(texts), ...leaves(settings, 'setting')]);
const english = all({ texts: en, settings: settingWords });
const placeholders = (words: string): string[] => [...new Set(words.match(/\{\w+\}/g))].sort();
const forms = (words: string): number => words.split(' | ').length;

/** Letters of a text without its placeholders, signs and units: what could be said in another way. */
const wordsOf = (words: string): string[] =>
  words
    .replaceAll(/\{\w+\}/g, '')
    .match(/\p{L}{4,}/gu)
    ?.filter((word) => /\p{Ll}/u.test(word)) ?? [];

beforeEach(async () => {
  await openCamFollower();
  await speak('en');
});

// Other tests in this process read English.
afterAll(() => speak('en'));

describe.each(TRANSLATIONS)('the texts in %s', (_, translation) => {
  const texts = all(translation);

  it('are all there, with the same places for values and as many plurals', () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
    const wrong = [...english].filter(([key, words]) => {
      const own = texts.get(key) ?? '';
      return placeholders(own).join() !== placeholders(words).join() || forms(own) !== forms(words);
    });
    expect(wrong.map(([key, words]) => [key, words, texts.get(key)])).toEqual([]);
    expect([...texts].filter(([, words]) => words.trim() === '').map(([key]) => key)).toEqual(
      [...english].filter(([, words]) => words.trim() === '').map(([key]) => key),
    );
  });

  it('are translated: only names and words of both languages stay as they are', () => {
    const same = [...english].filter(([key, words]) => texts.get(key) === words && wordsOf(words).length > 2);
    expect(same).toEqual([]);
  });
});

describe('the language of the window', () => {
  it('is that of the system where there are texts of it', () => {
    expect(languages()).toEqual([...LANGUAGES]);
    expect(languageOf(['de-CH', 'en'])).toBe('de');
    expect(languageOf(['nl', 'fr-CA'])).toBe('fr');
    expect(languageOf(['nl', 'sv'])).toBe('en');
  });

  it.each(TRANSLATIONS)(
    'changes to %s at once: commands, tabs, counts and settings',
    async (language, texts) => {
      const run = useCommands().get('run.start')?.title();
      await speak(language as 'de' | 'fr');
      await nextTick();
      await flushPromises();
      expect(i18n.global.locale.value).toBe(language);
      expect(document.documentElement.lang).toBe(language);
      expect(text('layout.inspector')).toBe(texts.texts.layout.inspector);
      expect(useCommands().get('run.start')?.title()).not.toBe(run);
      expect(counted('status.errors', 2)).toBe(
        texts.texts.status.errors.split(' | ')[1]?.replace('{number}', '2'),
      );
      expect(settingText('appearance.theme').title).toBe(texts.settings['appearance.theme'].title);
    },
  );
});
