/** Commands that change the model. */
import { LayoutDashboard, Magnet, Redo2, Undo2 } from '@lucide/vue';
import { projectInitialState } from '../../document/initial-state';
import { hasJoints } from '../../document/joints';
import { useNodePlaces } from '../../graph/arrangement/node-places';
import { text } from '../../i18n';
import { useCatalogueStore } from '../../stores/catalogue';
import { useDocumentStore } from '../../stores/document';
import { useReportStore } from '../../stores/report';
import { useTextStore } from '../../stores/text';
import type { Command } from '../registry';
import { title } from './title';

/** Commands that change the model. */
export function editCommands(): Command[] {
  const documents = useDocumentStore();
  const texts = useTextStore();
  const named = (key: 'command.undo' | 'command.redo', label: string | null): string =>
    label === null ? text(key) : `${text(key)}: ${label}`;
  return [
    {
      id: 'edit.undo',
      group: 'edit',
      title: () => named('command.undo', documents.undoLabel),
      plainTitle: title('command.undo'),
      icon: Undo2,
      shortcut: 'Ctrl+Z',
      enabled: () => documents.undoLabel !== null || texts.isAhead,
      // What is typed but no part of the model yet is taken back first.
      run: () => texts.travelTyping('undo') || documents.undo(),
    },
    {
      id: 'edit.redo',
      group: 'edit',
      title: () => named('command.redo', documents.redoLabel),
      plainTitle: title('command.redo'),
      icon: Redo2,
      shortcut: 'Ctrl+Shift+Z',
      aliases: ['Ctrl+Y'],
      enabled: () => documents.redoLabel !== null || texts.isAhead,
      run: () => texts.travelTyping('redo') || documents.redo(),
    },
    {
      id: 'edit.arrange',
      group: 'edit',
      title: title('command.arrange'),
      icon: LayoutDashboard,
      run: () => useNodePlaces().arrangeAll(),
    },
    {
      id: 'edit.projectInitialState',
      group: 'edit',
      title: title('command.projectInitialState'),
      icon: Magnet,
      enabled: () => hasJoints(documents.model, useReportStore().report, useCatalogueStore().catalogue),
      run: projectInitialState,
    },
  ];
}
