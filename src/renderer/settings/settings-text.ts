/** Settings as a text that can be kept, sent and read back. */
import { type ChangedSettings, SETTINGS_VERSION, sortSettings } from '@contract/settings';
import { text } from '../i18n';

/** What the window remembers by itself is of this machine: it is not handed on. */
const isOfUser = ([key]: [string, unknown]): boolean => !key.startsWith('window.');

export function settingsText(changed: ChangedSettings): string {
  const values = Object.fromEntries(Object.entries(changed).filter(isOfUser));
  return `${JSON.stringify({ version: SETTINGS_VERSION, values }, null, 2)}\n`;
}

export type ReadSettings = { ok: true; changed: ChangedSettings } | { ok: false; problems: string[] };

/** Reads such a text. All of it is taken or nothing. */
export function readSettingsText(source: string): ReadSettings {
  let content: unknown;
  try {
    content = JSON.parse(source);
  } catch {
    return { ok: false, problems: [`${text('settings.notJson')} ${text('settings.notJsonRemedy')}`] };
  }
  const values: unknown =
    typeof content === 'object' && content !== null ? Reflect.get(content, 'values') : null;
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return { ok: false, problems: [`${text('settings.notSettings')} ${text('settings.notJsonRemedy')}`] };
  const { changed, invalid, unknown } = sortSettings(values as Record<string, unknown>);
  const problems = [
    ...unknown.map((key) => text('settings.unknown', { key })),
    ...invalid.map(({ key, problem }) => text('settings.invalid', { key, problem })),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, changed: Object.fromEntries(Object.entries(changed).filter(isOfUser)) };
}
