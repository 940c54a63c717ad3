/** The settings as the dialog lists them, and how their values are written. */
import {
  settingDefinition,
  settingDefinitions,
  type SettingControl,
  type SettingKey,
  type SettingSection,
} from '@contract/settings';
import { settingText, text } from '../i18n';
import { settingWords, type ShownSetting } from '../locales/en-settings';

export type ShownSection = Exclude<SettingSection, 'window'>;
export const SECTIONS: readonly ShownSection[] = ['appearance', 'editor', 'runs', 'files', 'keyboard'];

export interface SettingEntry {
  key: ShownSetting;
  section: SettingSection;
  title: string;
  help: string;
  control: SettingControl;
  options: { value: string; label: string }[];
}

const isShown = (key: SettingKey): key is ShownSetting => Object.hasOwn(settingWords, key);

const SHOWN = (Object.keys(settingDefinitions) as SettingKey[]).filter(isShown);

/** Settings with words, in the order of their table. */
export const settingEntries = (): SettingEntry[] =>
  SHOWN.map((key) => {
    const { section, control } = settingDefinition(key);
    const { title, help, options } = settingText(key);
    const values = control.kind === 'choice' ? control.options : [];
    return {
      key,
      section,
      title,
      help,
      control,
      options: values.map((value) => ({ value, label: options?.[value] ?? value })),
    };
  });

/** Settings whose words hold every word of the search. */
export function findSettings(search: string): SettingEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return settingEntries().filter(({ title, help, key, options }) => {
    const all = [title, help, key, ...options.map(({ label }) => label)].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** A value as the dialog writes it. */
export function valueWords({ options, control }: SettingEntry, value: unknown): string {
  if (typeof value === 'boolean') return text(value ? 'settings.on' : 'settings.off');
  const label = options.find((option) => option.value === value)?.label ?? String(value);
  return control.kind === 'number' && control.unit !== undefined ? `${label} ${control.unit}` : label;
}
