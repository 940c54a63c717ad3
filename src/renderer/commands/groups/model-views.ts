/** Commands of the views of the model besides the graph and the scripts: parameters, tree, text, finding. */
import { Braces, ListTree, Replace, Ruler, Search, SlidersHorizontal } from '@lucide/vue';
import { pointer } from '../../document/pointer';
import { useDialogsStore } from '../../stores/dialogs';
import { useDocumentStore } from '../../stores/document';
import { useFindStore } from '../../stores/find';
import { useLayoutStore } from '../../stores/layout';
import { usePlacesStore } from '../../stores/places';
import { useWorkspaceStore } from '../../stores/workspace';
import type { Command } from '../registry';
import { title } from './title';

/** JSON pointer of what is selected; that of the document where nothing is. */
function selectedPlace(): string {
  const { selection, selectedIds } = useWorkspaceStore();
  const { systems, interactions } = useDocumentStore().model;
  if (selection.kind === 'simulation') return '/simulation';
  if (selection.kind === 'view') {
    const { id } = selection;
    const view = useDocumentStore().model.views.findIndex((one) => one.id === id);
    return view < 0 ? '' : pointer('views', view);
  }
  const system = systems.findIndex(({ id }) => id === selectedIds[0]);
  if (system >= 0) return pointer('systems', system);
  const interaction = interactions.findIndex(({ id }) => id === selectedIds[0]);
  return interaction < 0 ? '' : pointer('interactions', interaction);
}

export function modelViewCommands(): Command[] {
  const places = usePlacesStore();
  const layout = useLayoutStore();
  const show = (tab: typeof places.sideTab): void => {
    places.sideTab = tab;
    layout.reveal('side');
  };
  return [
    {
      id: 'view.parameters',
      group: 'view',
      title: title('command.showParameters'),
      icon: SlidersHorizontal,
      run: () => show('parameters'),
    },
    {
      id: 'view.tree',
      group: 'view',
      title: title('command.showTree'),
      icon: ListTree,
      shortcut: 'Ctrl+Shift+E',
      run: () => show('tree'),
    },
    {
      id: 'view.text',
      group: 'view',
      title: title('command.showText'),
      icon: Braces,
      shortcut: 'Ctrl+3',
      run: () => {
        useWorkspaceStore().showModel('text');
        layout.reveal('model');
      },
    },
    {
      id: 'view.displayUnits',
      group: 'view',
      title: title('units.command'),
      icon: Ruler,
      run: () => (useDialogsStore().open = 'display-units'),
    },
    {
      id: 'edit.findInModel',
      group: 'edit',
      title: title('command.findInModel'),
      icon: Search,
      shortcut: 'Ctrl+Shift+F',
      run: () => useFindStore().showText(),
    },
    {
      id: 'edit.parameterUses',
      group: 'edit',
      title: title('command.parameterUses'),
      icon: Replace,
      enabled: () => useDocumentStore().model.parameters.length > 0,
      run: () => useFindStore().showUses(useDocumentStore().model.parameters[0]?.name ?? ''),
    },
    {
      id: 'edit.showInText',
      group: 'edit',
      title: title('command.showInText'),
      icon: Braces,
      run: () => {
        layout.reveal('model');
        places.showText(selectedPlace());
      },
    },
  ];
}
