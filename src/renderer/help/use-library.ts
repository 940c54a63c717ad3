import { settingDefinition } from '@contract/settings';
import { shallowRef, watchEffect, type ShallowRef } from 'vue';
import { shortcutLabel } from '../commands/chords';
import { useCommands } from '../commands/definitions';
import { settingEntries, valueWords } from '../settings/setting-groups';
import { useCatalogueStore } from '../stores/catalogue';
import { HelpLibrary } from './library';

/**
 * The pages of the help, made again when definitions or shortcuts change; null before the engine has
 * answered.
 */
export function useLibrary(): Readonly<ShallowRef<HelpLibrary | null>> {
  const store = useCatalogueStore();
  const commands = useCommands();
  const library = shallowRef<HelpLibrary | null>(null);
  watchEffect(() => {
    if (store.catalogue === null) return;
    library.value = new HelpLibrary({
      catalogue: store.catalogue,
      commands: commands.list().map((command) => ({
        id: command.id,
        title: (command.plainTitle ?? command.title)(),
        shortcuts: commands.shortcutsOf(command).map(shortcutLabel),
      })),
      settings: settingEntries().map((entry) => ({
        ...entry,
        preset: valueWords(entry, settingDefinition(entry.key).default),
      })),
    });
  });
  return library;
}
