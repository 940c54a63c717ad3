/** Commands on the models that are open in tabs. */
import { useDocumentStore } from '../../stores/document';
import type { Command } from '../registry';
import { title } from './title';

/** Commands on the models that are open in tabs. */
export function documentCommands(): Command[] {
  const documents = useDocumentStore();
  return [
    {
      id: 'view.nextDocument',
      group: 'view',
      title: title('command.nextDocument'),
      shortcut: 'Ctrl+PageDown',
      enabled: () => documents.tabs.length > 1,
      run: () => documents.showBeside(1),
    },
    {
      id: 'view.previousDocument',
      group: 'view',
      title: title('command.previousDocument'),
      shortcut: 'Ctrl+PageUp',
      enabled: () => documents.tabs.length > 1,
      run: () => documents.showBeside(-1),
    },
    {
      id: 'view.moveTabLeft',
      group: 'view',
      title: title('command.moveTabLeft'),
      shortcut: 'Ctrl+Shift+PageUp',
      enabled: () => documents.tabs.length > 1,
      run: () => documents.moveBy(-1),
    },
    {
      id: 'view.moveTabRight',
      group: 'view',
      title: title('command.moveTabRight'),
      shortcut: 'Ctrl+Shift+PageDown',
      enabled: () => documents.tabs.length > 1,
      run: () => documents.moveBy(1),
    },
  ];
}
