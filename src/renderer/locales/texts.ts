/** All texts of a language. */
import type { en } from './en';
import type { settingWords } from './en-settings';
import type { Translated } from './translated';

export interface Texts {
  texts: Translated<typeof en>;
  settings: Translated<typeof settingWords>;
}
