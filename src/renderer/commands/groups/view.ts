/** Commands on what is shown. */
import {
  Box,
  GitCompareArrows,
  GitFork,
  Link2,
  Maximize,
  MessageSquareText,
  Play,
  Rainbow,
  Boxes,
  Search,
  Sigma,
  SunMoon,
  Tally4,
  TriangleAlert,
  UnfoldHorizontal,
  Waypoints,
  Zap,
  ZoomIn,
} from '@lucide/vue';
import { toggleAnimation } from '../../animation/animation-registry';
import { annotatable } from '../../dashboard/plot/annotations';
import { addView, hasErrorBands, toggleErrorBands } from '../../dashboard/edits';
import { text } from '../../i18n';
import { useCircuitStore } from '../../graph/circuit/circuit-store';
import { turnPlain } from '../../equations/turn-plain';
import { useDialogsStore } from '../../stores/dialogs';
import { usePlotCursorStore } from '../../stores/plot-cursor';
import { useLayoutStore } from '../../stores/layout';
import { useTimeAxisStore } from '../../stores/time-axis';
import { useTimeSelectionStore } from '../../stores/time-selection';
import { type LowerTab, useWorkspaceStore } from '../../stores/workspace';
import type { Command } from '../registry';
import { title } from './title';
import { zoomCommands } from './zoom';

/** Commands on what is shown. */
export function viewCommands(): Command[] {
  const workspace = useWorkspaceStore();
  const dialogs = useDialogsStore();
  const cursor = usePlotCursorStore();
  const timeAxis = useTimeAxisStore();
  const selection = useTimeSelectionStore();
  const layout = useLayoutStore();
  const showModel = (tab: typeof workspace.modelTab): void => {
    workspace.showModel(tab);
    layout.reveal('model');
  };
  const showLower = (tab: LowerTab): void => {
    workspace.lowerTab = tab;
    layout.reveal('lower');
  };
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
      id: 'view.graph',
      group: 'view',
      title: title('command.showGraph'),
      shortcut: 'Ctrl+1',
      run: () => showModel('graph'),
    },
    {
      id: 'view.script',
      group: 'view',
      title: title('command.showScript'),
      shortcut: 'Ctrl+2',
      run: () => showModel('script'),
    },
    {
      id: 'view.problems',
      group: 'view',
      title: title('command.showProblems'),
      icon: TriangleAlert,
      shortcut: 'Ctrl+Shift+M',
      run: () => showLower('problems'),
    },
    {
      id: 'view.topology',
      group: 'view',
      title: title('command.showTopology'),
      icon: Waypoints,
      run: () => showLower('topology'),
    },
    {
      id: 'view.equations',
      group: 'view',
      title: title('command.showEquations'),
      icon: Sigma,
      run: () => showLower('equations'),
    },
    {
      id: 'edit.plain',
      group: 'edit',
      title: title('equations.plain'),
      icon: Boxes,
      enabled: () => useCircuitStore().hasComponents,
      run: () => void turnPlain(),
    },
    {
      id: 'view.events',
      group: 'view',
      title: title('command.showEvents'),
      icon: Zap,
      run: () => showLower('events'),
    },
    {
      id: 'view.comparison',
      group: 'view',
      title: title('command.showComparison'),
      icon: GitCompareArrows,
      run: () => showLower('comparison'),
    },
    {
      id: 'view.analyses',
      group: 'view',
      title: title('command.showAnalyses'),
      icon: GitFork,
      run: () => showLower('analyses'),
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
      id: 'view.errorBands',
      group: 'view',
      title: () => text(hasErrorBands() ? 'command.noErrorBands' : 'command.errorBands'),
      plainTitle: title('command.errorBands'),
      icon: Rainbow,
      run: toggleErrorBands,
    },
    {
      id: 'view.annotate',
      group: 'view',
      title: title('plotOptions.addAnnotationDots'),
      icon: MessageSquareText,
      enabled: () => annotatable() !== null,
      reason: () => (annotatable() === null ? text('plotOptions.noPlotForNote') : null),
      run: () => {
        const view = annotatable();
        if (view !== null) dialogs.annotate(view);
      },
    },
    {
      id: 'view.linkTimeAxes',
      group: 'view',
      title: () => text(timeAxis.isLinked ? 'command.unlinkTimeAxes' : 'command.linkTimeAxes'),
      plainTitle: title('command.linkTimeAxes'),
      icon: Link2,
      run: timeAxis.toggle,
    },
    {
      id: 'view.selectTime',
      group: 'view',
      title: () => text(selection.isSelecting ? 'command.noSelectTime' : 'command.selectTime'),
      plainTitle: title('command.selectTime'),
      icon: UnfoldHorizontal,
      run: selection.toggle,
    },
    {
      id: 'view.zoomToSelection',
      group: 'view',
      title: title('command.zoomToSelection'),
      icon: ZoomIn,
      enabled: () => selection.span !== null,
      run: selection.zoom,
    },
    {
      id: 'view.clearSelection',
      group: 'view',
      title: title('command.clearSelection'),
      enabled: () => selection.span !== null,
      run: selection.clear,
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
      run: () => {
        workspace.select({ kind: 'simulation' });
        layout.reveal('lower');
      },
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
    ...zoomCommands(),
  ];
}
