/** The commands of the window: one file for each group. */
import { Plus } from '@lucide/vue';
import { defineStore } from 'pinia';
import { markRaw } from 'vue';
import { addInteraction, addSystem } from '../graph/editing/edits';
import { text } from '../i18n';
import { useCatalogueStore } from '../stores/catalogue';
import { useSettingsStore } from '../stores/settings';
import { dashboardCommands } from './groups/dashboards';
import { documentCommands } from './groups/documents';
import { editCommands } from './groups/edit';
import { exchangeCommands } from './groups/exchange';
import { fileCommands } from './groups/file';
import { graphCommands } from './groups/graph';
import { graphFrameCommands } from './groups/graph-frames';
import { helpCommands } from './groups/help';
import { modelViewCommands } from './groups/model-views';
import { layoutCommands } from './groups/layout';
import { runCommands } from './groups/run';
import { scriptCommands } from './groups/script';
import { viewCommands } from './groups/view';
import { type Command, CommandRegistry } from './registry';

/** Each group registers its commands in the order of its menu; a new group is one file and one line. */
const GROUPS: readonly (() => Command[])[] = [
  fileCommands,
  exchangeCommands,
  editCommands,
  graphCommands,
  graphFrameCommands,
  viewCommands,
  layoutCommands,
  dashboardCommands,
  modelViewCommands,
  documentCommands,
  runCommands,
  scriptCommands,
  helpCommands,
];
/** Commands the palette offers first. */
const MOST_RECENT = 8;

/** Commands that add an element; made from the catalogue, so they exist once it is loaded. */
export function registerElementCommands(): void {
  const { catalogue } = useCatalogueStore();
  const target = useCommands();
  const add = (id: string, name: string, run: () => void): void => {
    if (target.get(id) !== undefined) return;
    target.register({
      id,
      group: 'edit',
      title: () => text('command.add', { name }),
      icon: Plus,
      inMenu: false,
      run,
    });
  };
  for (const { type, title: name } of catalogue?.systems ?? [])
    add(`add.system.${type}`, name, () => addSystem(type));
  for (const { type, title: name } of catalogue?.relations ?? []) {
    add(`add.relation.${type}`, name, () => addInteraction(type));
  }
}

/** Remembers what ran, newest first, for the palette. */
function noteRecent(id: string): void {
  if (id === 'view.commandPalette') return;
  const settings = useSettingsStore();
  const recent = settings.values['window.recentCommands'];
  if (recent[0] === id) return;
  void settings.set(
    'window.recentCommands',
    [id, ...recent.filter((other) => other !== id)].slice(0, MOST_RECENT),
  );
}

/** One for a window; its commands are registered at first use, when the stores that they ask are there. */
const useRegistry = defineStore('commands', () => {
  const settings = useSettingsStore();
  const registry = markRaw(new CommandRegistry(() => settings.values['keyboard.bindings'], noteRecent));
  registry.register(...GROUPS.flatMap((group) => group()));
  return { registry };
});

/** The registry of this window. */
export const useCommands = (): CommandRegistry => useRegistry().registry;
