/** Commands of the views of the model besides the graph and the scripts: parameters, tree. */
import { ListTree, SlidersHorizontal } from '@lucide/vue';
import { text, type TextKey } from '../i18n';
import { usePlacesStore } from '../stores/places';
import type { Command } from './registry';

const title = (key: TextKey) => (): string => text(key);

export function modelViewCommands(): Command[] {
  const places = usePlacesStore();
  return [
    {
      id: 'view.parameters',
      group: 'view',
      title: title('command.showParameters'),
      icon: SlidersHorizontal,
      run: () => (places.sideTab = 'parameters'),
    },
    {
      id: 'view.tree',
      group: 'view',
      title: title('command.showTree'),
      icon: ListTree,
      shortcut: 'Ctrl+Shift+E',
      run: () => (places.sideTab = 'tree'),
    },
  ];
}
