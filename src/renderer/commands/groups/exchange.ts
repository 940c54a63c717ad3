/** Commands on models and data that go out and come in. */
import { Share } from '@lucide/vue';
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
  ];
}
