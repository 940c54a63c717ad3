/** Commands on models and data that go out and come in. */
import { FileInput, Lightbulb, Share, Table } from '@lucide/vue';
import { useDataImportStore } from '../../exchange/data-import';
import { text } from '../../i18n';
import { useDialogsStore } from '../../stores/dialogs';
import type { Command } from '../registry';

export function exchangeCommands(): Command[] {
  const dialogs = useDialogsStore();
  return [
    {
      id: 'file.exportModel',
      group: 'file',
      title: () => text('exchange.exportModel'),
      icon: Share,
      run: () => (dialogs.open = 'export-model'),
    },
    {
      id: 'file.exportData',
      group: 'file',
      title: () => text('exchange.exportData'),
      icon: Table,
      run: () => (dialogs.open = 'export-data'),
    },
    {
      id: 'file.importData',
      group: 'file',
      title: () => text('exchange.importData'),
      icon: FileInput,
      run: useDataImportStore().choose,
    },
    {
      id: 'help.aboutModel',
      group: 'help',
      title: () => text('gallery.aboutModel'),
      icon: Lightbulb,
      run: () => (dialogs.open = 'about-model'),
    },
  ];
}
