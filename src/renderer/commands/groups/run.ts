/** Commands on runs. */
import {
  ArrowRightFromLine,
  CirclePause,
  FastForward,
  FileDiff,
  GitCompareArrows,
  Gauge,
  HardDrive,
  ListStart,
  Pause,
  Play,
  ReceiptText,
  Rewind,
  SlidersHorizontal,
  Square,
  StepBack,
  StepForward,
  Timer,
  Trash2,
  Settings2,
} from '@lucide/vue';
import { text } from '../../i18n';
import { SPEEDS, speedTitle } from '../../runs/speeds';
import { useCatalogueStore } from '../../stores/catalogue';
import { useDialogsStore } from '../../stores/dialogs';
import { useLayoutStore } from '../../stores/layout';
import { useModelDifferenceStore } from '../../stores/model-difference';
import { usePlotCursorStore } from '../../stores/plot-cursor';
import { useReportStore } from '../../stores/report';
import { useRunControlStore } from '../../stores/run-control';
import { useRunsStore } from '../../stores/runs';
import { useWorkspaceStore } from '../../stores/workspace';
import { clearOldRuns } from '../../runs/clear-old-runs';
import { startChecked } from '../../runs/start-checked';
import type { Command } from '../registry';

/** Commands on runs. */
export function runCommands(): Command[] {
  const runs = useRunsStore();
  const control = useRunControlStore();
  const workspace = useWorkspaceStore();
  const isActive = (): boolean => runs.active !== null;
  const whyNot = (): string | null =>
    runs.refusal === null
      ? null
      : text(`run.refused.${runs.refusal}`, { count: useReportStore().errors.length });
  return [
    {
      id: 'run.start',
      group: 'run',
      title: () => text('command.run'),
      icon: Play,
      shortcut: 'Ctrl+Enter',
      enabled: () => runs.refusal === null,
      reason: whyNot,
      run: () => startChecked(),
    },
    {
      id: 'run.startPaused',
      group: 'run',
      title: () => text('runControl.startPaused'),
      icon: CirclePause,
      enabled: () => runs.refusal === null,
      reason: whyNot,
      run: control.startPaused,
    },
    {
      id: 'run.startWith',
      group: 'run',
      title: () => text('runControl.runWith'),
      icon: Settings2,
      shortcut: 'Ctrl+Shift+F5',
      enabled: () => runs.refusal === null,
      reason: whyNot,
      run: () => control.openDialog('with', null),
    },
    {
      id: 'run.initialValues',
      group: 'run',
      title: () => text('initialValues.command'),
      icon: ListStart,
      enabled: () => runs.refusal === null,
      reason: whyNot,
      run: () => control.openDialog('initial', null),
    },
    {
      id: 'run.startOther',
      group: 'run',
      title: () => text('command.runOther', { scheme: useCatalogueStore().schemeTitle(runs.otherScheme) }),
      plainTitle: () => text('command.runOtherPlain'),
      icon: FastForward,
      shortcut: 'Ctrl+Alt+Enter',
      enabled: () => runs.refusal === null,
      reason: whyNot,
      run: () => startChecked({ scheme: runs.otherScheme }),
    },
    {
      id: 'run.details',
      group: 'run',
      title: () => text('runDetails.command'),
      icon: ReceiptText,
      enabled: () => runs.current !== null,
      run: () => control.openDialog('details', runs.current),
    },
    {
      id: 'run.modelDifference',
      group: 'run',
      title: () => text('modelDifference.command'),
      icon: FileDiff,
      enabled: () => runs.runs.length > 0,
      run: () => useModelDifferenceStore().show(),
    },
    {
      id: 'run.kept',
      group: 'run',
      title: () => text('keptRuns.command'),
      icon: HardDrive,
      run: () => (useDialogsStore().open = 'kept-runs'),
    },
    {
      id: 'run.clear',
      group: 'run',
      title: () => text('keptRuns.clear'),
      icon: Trash2,
      run: clearOldRuns,
    },
    {
      id: 'run.compareSchemes',
      group: 'run',
      title: () => text('command.compareSchemes'),
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
      enabled: () => isActive() && runs.active?.state !== 'queued',
      run: runs.togglePause,
    },
    {
      id: 'run.step',
      group: 'run',
      title: () => text('runControl.step'),
      icon: StepForward,
      shortcut: 'F10',
      enabled: () => isActive() || runs.refusal === null,
      run: () => control.step(),
    },
    {
      id: 'run.stepBack',
      group: 'run',
      title: () => text('runControl.stepBack'),
      icon: StepBack,
      shortcut: 'F9',
      enabled: () => control.canStepBack,
      run: () => control.stepBack(),
    },
    {
      id: 'run.reset',
      group: 'run',
      title: () => text('runControl.reset'),
      icon: Rewind,
      shortcut: 'Ctrl+F9',
      enabled: () => control.canStepBack,
      run: control.reset,
    },
    {
      id: 'run.runTo',
      group: 'run',
      title: () => text('runControl.runTo'),
      icon: Timer,
      shortcut: 'Ctrl+F10',
      enabled: isActive,
      run: () => control.openDialog('runTo'),
    },
    {
      id: 'run.continue',
      group: 'run',
      title: () => text('runControl.continueHere'),
      icon: ArrowRightFromLine,
      enabled: () => runs.current !== null && !['queued', 'starting', 'running'].includes(runs.current.state),
      run: () => {
        if (runs.current !== null) control.openContinue(runs.current, null);
      },
    },
    {
      id: 'run.continueAtCursor',
      group: 'run',
      title: () => text('runControl.continueAtCursor'),
      icon: ArrowRightFromLine,
      enabled: () => usePlotCursorStore().mark !== null,
      run: () => {
        const { mark } = usePlotCursorStore();
        if (runs.current !== null && mark !== null) control.openContinue(runs.current, mark.t);
      },
    },
    {
      id: 'run.parameters',
      group: 'run',
      title: () => text('runControl.parameters'),
      icon: SlidersHorizontal,
      enabled: isActive,
      run: () => control.openDialog('parameters'),
    },
    ...SPEEDS.map((speed): Command => ({
      id: `run.speed.${speed ?? 'free'}`,
      group: 'run',
      title: () => `${text('runControl.speed')}: ${speedTitle(speed)}`,
      icon: Gauge,
      inMenu: false,
      run: () => control.setSpeed(speed),
    })),
    {
      id: 'run.cancel',
      group: 'run',
      title: () => text('command.cancel'),
      icon: Square,
      shortcut: 'Ctrl+.',
      enabled: isActive,
      run: runs.cancel,
    },
  ];
}
