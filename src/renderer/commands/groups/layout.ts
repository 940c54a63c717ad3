/** Commands on the panes of the window. */
import { DOCK_PANES, type DockPane } from '@contract/settings';
import { Maximize2, PanelBottom, PanelLeft, PanelRight, RotateCcw } from '@lucide/vue';
import type { Component } from 'vue';
import { text } from '../../i18n';
import { LAYOUT_PRESETS, useLayoutStore } from '../../stores/layout';
import type { Command } from '../registry';
import { title } from './title';

const PANES: Readonly<Record<DockPane, { id: string; icon?: Component; shortcut?: string }>> = {
  side: { id: 'view.toggleSide', icon: PanelLeft, shortcut: 'Ctrl+B' },
  model: { id: 'view.toggleModel' },
  lower: { id: 'view.toggleLower', icon: PanelBottom, shortcut: 'Ctrl+J' },
  plots: { id: 'view.togglePlots', icon: PanelRight, shortcut: 'Ctrl+Alt+B' },
};

/** Commands on the panes of the window. */
export function layoutCommands(): Command[] {
  const layout = useLayoutStore();
  const toggles = DOCK_PANES.map((pane): Command => {
    const { id, icon, shortcut } = PANES[pane];
    const isLast = (): boolean => layout.isShown(pane) && layout.shown.length === 1;
    return {
      id,
      group: 'view',
      title: () => text('docks.show', { pane: text(`docks.panes.${pane}`) }),
      ...(icon === undefined ? {} : { icon }),
      ...(shortcut === undefined ? {} : { shortcut }),
      enabled: () => !isLast(),
      reason: () => (isLast() ? text('docks.lastPane') : null),
      run: () => layout.toggle(pane),
    };
  });
  const presets = LAYOUT_PRESETS.map((preset): Command => ({
    id: `view.layout${preset[0].toUpperCase()}${preset.slice(1)}`,
    group: 'view',
    title: () => text(`docks.preset.${preset}`),
    run: () => layout.apply(preset),
  }));
  return [
    ...toggles,
    {
      id: 'view.maximisePane',
      group: 'view',
      title: () => text(layout.maximised === null ? 'docks.maximise' : 'docks.restore'),
      plainTitle: title('docks.maximise'),
      icon: Maximize2,
      shortcut: 'Ctrl+Alt+M',
      run: () => layout.toggleMaximised(),
    },
    { id: 'view.moveSide', group: 'view', title: title('docks.moveSide'), run: layout.moveSide },
    { id: 'view.moveLower', group: 'view', title: title('docks.moveLower'), run: layout.moveLower },
    ...presets,
    {
      id: 'view.layoutReset',
      group: 'view',
      title: title('docks.reset'),
      icon: RotateCcw,
      run: layout.reset,
    },
  ];
}
