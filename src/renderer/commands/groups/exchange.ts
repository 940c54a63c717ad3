/** Commands on models and data that go out and come in. */
import {
  CircuitBoard,
  FileImage,
  FileInput,
  Lightbulb,
  PackageCheck,
  PackageSearch,
  Share,
  Table,
} from '@lucide/vue';
import { useDataImportStore } from '../../exchange/data-import';
import { saveLibrary, useLibraryFile } from '../../exchange/libraries';
import { useNetlistImportStore } from '../../exchange/netlist-import';
import { paneFigures } from '../../dashboard/figures/pane-figures';
import { text } from '../../i18n';
import { useAnalysesStore } from '../../stores/analyses';
import { useDocumentStore } from '../../stores/document';
import { useDialogsStore } from '../../stores/dialogs';
import type { Command } from '../registry';

export function exchangeCommands(): Command[] {
  const dialogs = useDialogsStore();
  const analyses = useAnalysesStore();
  const documents = useDocumentStore();
  const whyNotAnalysis = (): string | null => {
    const { selected } = analyses;
    if (selected === null || analyses.outcomeOf(selected.id) === null) return text('exchange.noAnalysis');
    return analyses.infoOf(selected.id)?.state === 'done' ? null : text('analysis.exportStale');
  };
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
      id: 'file.exportAnalysis',
      group: 'file',
      title: () => text('exchange.exportAnalysis'),
      plainTitle: () => text('exchange.exportAnalysis'),
      icon: Table,
      inMenu: false,
      enabled: () => whyNotAnalysis() === null,
      reason: whyNotAnalysis,
      run: () => (dialogs.open = 'export-analysis'),
    },
    {
      id: 'file.exportPaneFigure',
      group: 'file',
      title: () => text('figure.commandPane'),
      icon: FileImage,
      enabled: () => paneFigures().length > 0,
      reason: () => (paneFigures().length > 0 ? null : text('figure.noPaneFigure')),
      run: () => {
        const [first] = paneFigures();
        if (first !== undefined) dialogs.showFigure(first.id);
      },
    },
    {
      id: 'file.import',
      group: 'file',
      title: () => text('exchange.importNetlist'),
      icon: CircuitBoard,
      run: useNetlistImportStore().choose,
    },
    {
      id: 'file.saveLibrary',
      group: 'file',
      title: () => text('submodels.command.saveLibrary'),
      icon: PackageCheck,
      enabled: () => (documents.model.submodels ?? []).length > 0,
      reason: () => ((documents.model.submodels ?? []).length > 0 ? null : text('submodels.noneOfOwn')),
      run: saveLibrary,
    },
    {
      id: 'file.useLibrary',
      group: 'file',
      title: () => text('submodels.command.useLibrary'),
      icon: PackageSearch,
      run: useLibraryFile,
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
