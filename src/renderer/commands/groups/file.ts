/** Commands on files. */
import {
  BookOpen,
  FilePlus2,
  FolderOpen,
  History,
  FileImage,
  ImageDown,
  Images,
  RotateCw,
  Save,
  SaveAll,
  Settings,
  X,
} from '@lucide/vue';
import { exportAnimation } from '../../animation/animation-registry';
import { exportDashboard } from '../../dashboard/figures/export-dashboard';
import { exportAllPlots, exportPlot } from '../../dashboard/plot/plot-registry';
import { useDialogsStore, WHOLE_DASHBOARD } from '../../stores/dialogs';
import { useDocumentStore } from '../../stores/document';
import { useFilesStore } from '../../stores/files';
import { useJournalStore } from '../../stores/journal';
import { useNoticesStore } from '../../stores/notices';
import { text } from '../../i18n';
import { useHost } from '../../transport/host';
import type { Command } from '../registry';
import { title } from './title';

/** Commands on files. */
export function fileCommands(): Command[] {
  const files = useFilesStore();
  const dialogs = useDialogsStore();
  const documents = useDocumentStore();
  // Browsers keep Ctrl+N for themselves.
  const newShortcut = useHost().door === 'browser' ? 'Ctrl+Alt+N' : 'Ctrl+N';
  return [
    {
      id: 'file.new',
      group: 'file',
      title: title('command.new'),
      icon: FilePlus2,
      shortcut: newShortcut,
      run: files.createNew,
    },
    {
      id: 'file.open',
      group: 'file',
      title: title('command.open'),
      icon: FolderOpen,
      shortcut: 'Ctrl+O',
      run: files.open,
    },
    {
      id: 'file.openExample',
      group: 'file',
      title: title('command.openExample'),
      icon: BookOpen,
      shortcut: 'Ctrl+Shift+O',
      run: () => (dialogs.open = 'gallery'),
    },
    {
      id: 'file.save',
      group: 'file',
      title: title('command.save'),
      icon: Save,
      shortcut: 'Ctrl+S',
      run: () => files.save(),
    },
    {
      id: 'file.saveAs',
      group: 'file',
      title: title('command.saveAs'),
      icon: SaveAll,
      shortcut: 'Ctrl+Shift+S',
      run: () => files.saveAs(),
    },
    {
      id: 'file.saveAll',
      group: 'file',
      title: title('command.saveAll'),
      icon: SaveAll,
      enabled: () => documents.tabs.some(({ dirty }) => dirty),
      run: files.saveAll,
    },
    {
      id: 'file.reload',
      group: 'file',
      title: title('command.reloadFile'),
      icon: RotateCw,
      enabled: () => (documents.file?.handle ?? null) !== null,
      available: () => useHost().door === 'desktop',
      run: () => files.reload(),
    },
    {
      id: 'file.recover',
      group: 'file',
      title: title('recovery.command'),
      icon: History,
      run: async () => {
        const journal = useJournalStore();
        await journal.search();
        if (journal.found.length > 0) dialogs.open = 'recovery';
        else useNoticesStore().info(text('recovery.none'));
      },
    },
    {
      id: 'file.close',
      group: 'file',
      title: title('command.closeDocument'),
      icon: X,
      // Browsers keep Ctrl+W for themselves.
      shortcut: useHost().door === 'browser' ? 'Ctrl+Alt+W' : 'Ctrl+W',
      run: () => files.close(),
    },
    {
      id: 'file.closeOthers',
      group: 'file',
      title: title('command.closeOthers'),
      enabled: () => documents.tabs.length > 1,
      run: () => files.closeOthers(),
    },
    {
      id: 'file.exportFigure',
      group: 'file',
      title: title('figure.command'),
      icon: FileImage,
      run: () => dialogs.showFigure(),
    },
    {
      id: 'file.exportDashboardFigure',
      group: 'file',
      title: title('figure.commandDashboard'),
      icon: FileImage,
      inMenu: false,
      run: () => dialogs.showFigure(WHOLE_DASHBOARD),
    },
    {
      id: 'file.exportImage',
      group: 'file',
      title: title('command.exportImage'),
      icon: ImageDown,
      run: () => exportPlot('png'),
    },
    {
      id: 'file.exportVector',
      group: 'file',
      title: title('command.exportVector'),
      icon: ImageDown,
      run: () => exportPlot('svg'),
    },
    {
      id: 'file.exportPdf',
      group: 'file',
      title: title('command.exportPdf'),
      icon: ImageDown,
      run: () => exportPlot('pdf'),
    },
    {
      id: 'file.exportAllPdf',
      group: 'file',
      title: title('plot.allPdf'),
      icon: ImageDown,
      run: exportAllPlots,
    },
    ...(['png', 'svg', 'pdf'] as const).map((format): Command => ({
      id: `file.exportDashboard${format[0].toUpperCase()}${format.slice(1)}`,
      group: 'file',
      title: title(`dashboard.export.${format}`),
      icon: ImageDown,
      inMenu: format === 'png',
      run: () => exportDashboard(format),
    })),
    {
      id: 'file.exportAnimation',
      group: 'file',
      title: title('command.exportFilm'),
      icon: Images,
      run: exportAnimation,
    },
    {
      id: 'file.settings',
      group: 'file',
      title: title('command.settings'),
      icon: Settings,
      shortcut: 'Ctrl+,',
      run: () => dialogs.showSettings(),
    },
  ];
}
