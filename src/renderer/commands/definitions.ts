/** The commands of the window. */
import {
  Box,
  BookOpen,
  FastForward,
  FilePlus2,
  FolderOpen,
  GitCompareArrows,
  History,
  ImageDown,
  Images,
  Info,
  Keyboard,
  LayoutDashboard,
  Magnet,
  Maximize,
  Pause,
  Play,
  Plus,
  Redo2,
  RotateCw,
  Save,
  SaveAll,
  Search,
  Square,
  SunMoon,
  Tally4,
  TriangleAlert,
  Undo2,
  Waypoints,
  X,
  Zap,
} from '@lucide/vue';
import { exportAnimation, toggleAnimation } from '../animation/animation-registry';
import { addView } from '../dashboard/edits';
import { exportPlot } from '../dashboard/plot-registry';
import { projectInitialState } from '../document/initial-state';
import { hasJoints } from '../document/joints';
import { addInteraction, addSystem, arrangeNodes } from '../graph/edits';
import { text, type TextKey } from '../i18n';
import { useCatalogueStore } from '../stores/catalogue';
import { useDialogsStore } from '../stores/dialogs';
import { useDocumentStore } from '../stores/document';
import { useFilesStore } from '../stores/files';
import { useJournalStore } from '../stores/journal';
import { useNoticesStore } from '../stores/notices';
import { usePlotCursorStore } from '../stores/plot-cursor';
import { useReportStore } from '../stores/report';
import { useRunsStore } from '../stores/runs';
import { useTextStore } from '../stores/text';
import { useWorkspaceStore } from '../stores/workspace';
import { useHost } from '../transport/host';
import { modelViewCommands } from './model-views';
import { exchangeCommands } from './exchange-commands';
import { type Command, CommandRegistry } from './registry';

let registry: CommandRegistry | null = null;

const title = (key: TextKey) => (): string => text(key);

function fileCommands(): Command[] {
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
      id: 'file.exportAnimation',
      group: 'file',
      title: title('command.exportFilm'),
      icon: Images,
      run: exportAnimation,
    },
  ];
}

function editCommands(): Command[] {
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
      run: arrangeNodes,
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

function runCommands(): Command[] {
  const runs = useRunsStore();
  const workspace = useWorkspaceStore();
  return [
    {
      id: 'run.start',
      group: 'run',
      title: title('command.run'),
      icon: Play,
      shortcut: 'Ctrl+Enter',
      enabled: () => runs.refusal === null,
      run: () => runs.start(),
    },
    {
      id: 'run.startOther',
      group: 'run',
      title: () => text('command.runOther', { scheme: useCatalogueStore().schemeTitle(runs.otherScheme) }),
      plainTitle: title('command.runOtherPlain'),
      icon: FastForward,
      shortcut: 'Ctrl+Alt+Enter',
      enabled: () => runs.refusal === null,
      run: () => runs.start({ scheme: runs.otherScheme }),
    },
    {
      id: 'run.compareSchemes',
      group: 'run',
      title: title('command.compareSchemes'),
      icon: GitCompareArrows,
      run: () => (workspace.lowerTab = 'comparison'),
    },
    {
      id: 'run.pause',
      group: 'run',
      title: () => text(runs.active?.state === 'paused' ? 'command.resume' : 'command.pause'),
      plainTitle: () => text('command.pauseOrResume'),
      icon: Pause,
      shortcut: 'Ctrl+Shift+Enter',
      enabled: () => runs.active !== null,
      run: runs.togglePause,
    },
    {
      id: 'run.cancel',
      group: 'run',
      title: title('command.cancel'),
      icon: Square,
      shortcut: 'Ctrl+.',
      enabled: () => runs.active !== null,
      run: runs.cancel,
    },
  ];
}

function viewCommands(): Command[] {
  const documents = useDocumentStore();
  const workspace = useWorkspaceStore();
  const dialogs = useDialogsStore();
  const cursor = usePlotCursorStore();
  return [
    {
      id: 'view.commandPalette',
      group: 'view',
      title: title('command.palette'),
      icon: Search,
      shortcut: 'Ctrl+Shift+P',
      run: () => (dialogs.open = 'palette'),
    },
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
    {
      id: 'view.graph',
      group: 'view',
      title: title('command.showGraph'),
      shortcut: 'Ctrl+1',
      run: () => (workspace.modelTab = 'graph'),
    },
    {
      id: 'view.script',
      group: 'view',
      title: title('command.showScript'),
      shortcut: 'Ctrl+2',
      run: () => (workspace.modelTab = 'script'),
    },
    {
      id: 'view.problems',
      group: 'view',
      title: title('command.showProblems'),
      icon: TriangleAlert,
      shortcut: 'Ctrl+Shift+M',
      run: () => (workspace.lowerTab = 'problems'),
    },
    {
      id: 'view.topology',
      group: 'view',
      title: title('command.showTopology'),
      icon: Waypoints,
      run: () => (workspace.lowerTab = 'topology'),
    },
    {
      id: 'view.events',
      group: 'view',
      title: title('command.showEvents'),
      icon: Zap,
      run: () => (workspace.lowerTab = 'events'),
    },
    {
      id: 'view.comparison',
      group: 'view',
      title: title('command.showComparison'),
      icon: GitCompareArrows,
      run: () => (workspace.lowerTab = 'comparison'),
    },
    {
      id: 'view.eventMarkers',
      group: 'view',
      title: () => text(cursor.showsEvents ? 'command.noEventMarkers' : 'command.eventMarkers'),
      plainTitle: title('command.eventMarkers'),
      icon: Tally4,
      run: cursor.toggleEvents,
    },
    {
      id: 'view.addAnimation',
      group: 'view',
      title: title('command.addAnimation'),
      icon: Box,
      run: () => addView('animation'),
    },
    {
      id: 'view.playAnimation',
      group: 'view',
      title: title('command.playAnimation'),
      icon: Play,
      run: toggleAnimation,
    },
    {
      id: 'view.simulation',
      group: 'view',
      title: title('command.showSimulation'),
      run: () => workspace.select({ kind: 'simulation' }),
    },
    {
      id: 'view.fit',
      group: 'view',
      title: title('command.fit'),
      icon: Maximize,
      shortcut: 'Ctrl+0',
      run: () => workspace.fitRequest++,
    },
    {
      id: 'view.toggleTheme',
      group: 'view',
      title: title('command.theme'),
      icon: SunMoon,
      run: workspace.toggleTheme,
    },
    {
      id: 'view.systemTheme',
      group: 'view',
      title: title('command.systemTheme'),
      run: () => workspace.setTheme('system'),
    },
    {
      id: 'help.shortcuts',
      group: 'help',
      title: title('command.shortcuts'),
      icon: Keyboard,
      run: () => (dialogs.open = 'shortcuts'),
    },
    {
      id: 'help.about',
      group: 'help',
      title: title('command.about'),
      icon: Info,
      run: () => (dialogs.open = 'about'),
    },
  ];
}

/** Commands that add an element; made from the catalogue, so they exist once it is loaded. */
export function registerElementCommands(): void {
  const { catalogue } = useCatalogueStore();
  const target = useCommands();
  const add = (id: string, name: string, run: () => void): void => {
    if (target.get(id) !== undefined) return;
    target.register({ id, group: 'edit', title: () => text('command.add', { name }), icon: Plus, run });
  };
  for (const { type, title: name } of catalogue?.systems ?? [])
    add(`add.system.${type}`, name, () => addSystem(type));
  for (const { type, title: name } of catalogue?.relations ?? []) {
    add(`add.relation.${type}`, name, () => addInteraction(type));
  }
}

/** The registry of this window; its commands are registered at first use, after Pinia is installed. */
export function useCommands(): CommandRegistry {
  if (registry === null) {
    registry = new CommandRegistry();
    registry.register(
      ...fileCommands(),
      ...editCommands(),
      ...runCommands(),
      ...viewCommands(),
      ...modelViewCommands(),
      ...exchangeCommands(),
    );
  }
  return registry;
}
