/** Commands on runs. */
import { FastForward, GitCompareArrows, Pause, Play, Square } from '@lucide/vue';
import { text } from '../../i18n';
import { useCatalogueStore } from '../../stores/catalogue';
import { useLayoutStore } from '../../stores/layout';
import { useReportStore } from '../../stores/report';
import { useRunsStore } from '../../stores/runs';
import { useWorkspaceStore } from '../../stores/workspace';
import { mayRunLong } from '../ask-long-run';
import type { Command } from '../registry';
import { title } from './title';

/** Commands on runs. */
export function runCommands(): Command[] {
  const runs = useRunsStore();
  const workspace = useWorkspaceStore();
  const whyNot = (): string | null =>
    runs.refusal === null
      ? null
      : text(`run.refused.${runs.refusal}`, { count: useReportStore().errors.length });
  return [
    {
      id: 'run.start',
      group: 'run',
      title: title('command.run'),
      icon: Play,
      shortcut: 'Ctrl+Enter',
      enabled: () => runs.refusal === null,
      reason: whyNot,
      run: async () => {
        if (await mayRunLong()) await runs.start();
      },
    },
    {
      id: 'run.startOther',
      group: 'run',
      title: () => text('command.runOther', { scheme: useCatalogueStore().schemeTitle(runs.otherScheme) }),
      plainTitle: title('command.runOtherPlain'),
      icon: FastForward,
      shortcut: 'Ctrl+Alt+Enter',
      enabled: () => runs.refusal === null,
      reason: whyNot,
      run: async () => {
        if (await mayRunLong()) await runs.start({ scheme: runs.otherScheme });
      },
    },
    {
      id: 'run.compareSchemes',
      group: 'run',
      title: title('command.compareSchemes'),
      icon: GitCompareArrows,
      run: () => {
        workspace.lowerTab = 'comparison';
        useLayoutStore().reveal('lower');
      },
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
