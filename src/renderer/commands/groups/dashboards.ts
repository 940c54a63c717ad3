/**
 * Commands on dashboards and their panels. They stand in the menus of panels, hence in none of the window.
 */
import { LayoutDashboard, Maximize2 } from '@lucide/vue';
import {
  addDashboard,
  canMove,
  duplicatePanel,
  moveDashboard,
  movePanel,
  putPanel,
  removeDashboard,
} from '../../dashboard/board/dashboard-edits';
import { removeView } from '../../dashboard/edits';
import { besideView, type PaneSide, SIDES } from '../../document/dashboards';
import { text } from '../../i18n';
import { useDashboardsStore } from '../../stores/dashboards';
import { useLayoutStore } from '../../stores/layout';
import type { Command } from '../registry';
import { title } from './title';

type PanelAction = PaneSide | 'options' | 'maximise' | 'duplicate' | 'rename' | 'close' | 'next';

/** Commands on dashboards and their panels. */
export function dashboardCommands(): Command[] {
  const store = useDashboardsStore();
  const layout = useLayoutStore();
  const place = (): number => store.all.findIndex(({ id }) => id === store.currentId);

  /** A command on the active panel. */
  const onPanel = (
    name: PanelAction,
    run: (view: string) => void,
    obstacle: (view: string) => string | null = () => null,
  ): Command => {
    const reason = (): string | null =>
      store.target === null ? text('dashboard.noPlot') : obstacle(store.target);
    return {
      id: `panel.${name}`,
      group: 'view',
      title: title(`dashboard.panel.${name}`),
      inMenu: false,
      enabled: () => reason() === null,
      reason,
      run: () => {
        layout.reveal('plots');
        if (store.target !== null) run(store.target);
      },
    };
  };
  const atSide = (side: PaneSide) => (view: string) =>
    canMove(view, side) ? null : text('dashboard.atSide');
  const intoTab = (side: PaneSide): Command => {
    const neighbour = (view: string): string | null => besideView(store.layout, view, side)?.active ?? null;
    const command = onPanel(
      side,
      (view) => {
        const other = neighbour(view);
        if (other !== null) putPanel(view, { kind: 'tab', view: other });
      },
      (view) => (neighbour(view) === null ? text('dashboard.noneThere') : null),
    );
    return { ...command, id: `panel.tab-${side}`, title: title(`dashboard.intoTab.${side}`) };
  };
  const onDashboard = (
    id: string,
    key: 'rename' | 'remove' | 'movedLeft' | 'movedRight' | 'next' | 'previous',
    run: () => void,
    isPossible: () => boolean = () => store.all.length > 1,
  ): Command => ({
    id: `dashboard.${id}`,
    group: 'view',
    title: title(`dashboard.${key}`),
    inMenu: false,
    enabled: isPossible,
    reason: () => (store.all.length > 1 ? null : text('dashboard.onlyOne')),
    run: () => {
      layout.reveal('plots');
      run();
    },
  });
  const chooseBeside = (step: 1 | -1): void => {
    const { length } = store.all;
    const next = store.all[(place() + step + length) % length];
    if (next !== undefined) store.choose(next.id);
  };

  return [
    ...SIDES.map((side) => onPanel(side, (view) => movePanel(view, side), atSide(side))),
    ...SIDES.map(intoTab),
    { ...onPanel('maximise', (view) => store.toggleMaximised(view)), icon: Maximize2 },
    onPanel('options', (view) => {
      store.select(view);
      layout.reveal('lower');
    }),
    onPanel('duplicate', duplicatePanel),
    onPanel('rename', (id) => (store.renaming = { kind: 'view', id })),
    onPanel('close', removeView),
    { ...onPanel('next', store.focusNext), shortcut: 'F8' },
    {
      id: 'dashboard.new',
      group: 'view',
      title: title('dashboard.new'),
      icon: LayoutDashboard,
      run: () => {
        layout.reveal('plots');
        addDashboard();
      },
    },
    onDashboard('rename', 'rename', () => (store.renaming = { kind: 'dashboard', id: store.currentId })),
    onDashboard('remove', 'remove', () => removeDashboard(store.currentId)),
    onDashboard('next', 'next', () => chooseBeside(1)),
    onDashboard('previous', 'previous', () => chooseBeside(-1)),
    onDashboard(
      'moveLeft',
      'movedLeft',
      () => moveDashboard(store.currentId, place() - 1),
      () => place() > 0,
    ),
    onDashboard(
      'moveRight',
      'movedRight',
      () => moveDashboard(store.currentId, place() + 1),
      () => place() < store.all.length - 1,
    ),
  ];
}
