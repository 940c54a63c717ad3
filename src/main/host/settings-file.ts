/** The settings of the user in the state directory, or in memory only where there is none. */
import { join } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { SettingsState } from '@contract/methods';
import {
  type ChangedSettings,
  isSettingKey,
  SETTINGS_VERSION,
  settingProblem,
  sortSettings,
} from '@contract/settings';
import { z } from 'zod';
import { JsonStore } from '../files/json-store';

/** Loose on purpose: what a newer version has written is kept, and each known value is checked on its own. */
const schema = z.looseObject({
  version: z.number().int().min(1),
  values: z.record(z.string(), z.unknown()),
});
type Content = z.infer<typeof schema>;

const NOTHING: Content = { version: SETTINGS_VERSION, values: {} };

export class SettingsFile {
  readonly #store: JsonStore<Content> | null;
  readonly #onChange: (changed: ChangedSettings) => void;
  #memory: Content = NOTHING;

  /** @param directory null keeps the settings for this session only */
  constructor(directory: string | null, onChange: (changed: ChangedSettings) => void) {
    this.#store =
      directory === null ? null : new JsonStore(join(directory, 'settings.json'), schema, NOTHING);
    this.#onChange = onChange;
  }

  /** Settings that differ from their defaults, without a look at the disk. */
  get changed(): ChangedSettings {
    return sortSettings(this.#content.values).changed;
  }

  /** Settings as they are now, another process's changes included, and what is wrong with the file. */
  read(): SettingsState {
    this.#store?.reload();
    const { changed, invalid } = sortSettings(this.#content.values);
    const problems = invalid.map(({ key, problem }) => ({
      message: `The stored setting ${key} is not valid; its default is used: ${problem}`,
      remedy: 'Set it again in the settings.',
    }));
    const setAside = this.#store?.takeSetAside() ?? null;
    if (setAside !== null) {
      problems.unshift({
        message: 'The settings file could not be read; all settings are at their defaults.',
        remedy: `Its contents are kept in ${setAside}.`,
      });
    }
    return { changed, problems };
  }

  /**
   * Changes settings; null takes one back to its default. All or none of them.
   * @throws {MoreauError} `invalid-setting` with its key
   */
  async write(changes: Readonly<Record<string, unknown>>): Promise<SettingsState> {
    for (const [key, value] of Object.entries(changes)) {
      if (!isSettingKey(key)) throw invalidSetting(key, `There is no setting ${key}.`);
      const problem = value === null ? null : settingProblem(key, value);
      if (problem !== null) throw invalidSetting(key, `The setting ${key} is not valid: ${problem}`);
    }
    const change = (content: Content): Content => ({ ...content, values: changed(content.values, changes) });
    this.#store?.reload();
    this.#memory = change(this.#content);
    const written = this.#store?.update(change);
    const sorted = sortSettings(this.#content.values);
    this.#onChange(sorted.changed);
    const problem = (await written) ?? null;
    const problems = problem === null ? [] : [notStored(problem)];
    return { changed: sorted.changed, problems };
  }

  /** Resolves when everything has been written. */
  settled(): Promise<void> {
    return this.#store?.settled() ?? Promise.resolve();
  }

  get #content(): Content {
    return this.#store?.value ?? this.#memory;
  }
}

/** @param changes null takes a value back to its default */
function changed(
  values: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result = { ...values };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete result[key];
    else result[key] = value;
  }
  return result;
}

const notStored = ({ details }: MoreauError): SettingsState['problems'][number] => ({
  message: `The setting applies only until the program ends: ${details.message}`,
  remedy: details.remedy ?? '',
});

const invalidSetting = (key: string, message: string): MoreauError =>
  new MoreauError({
    code: 'invalid-setting',
    message: message.slice(0, 400),
    where: key.slice(0, 100),
    remedy: 'The settings dialog lists all settings with their valid values.',
  });
