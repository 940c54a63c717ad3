/** Commands of groups and notes in the graph. Their keys hold while the focus is in the graph. */
import { Group, LogOut, Palette, PencilLine, StickyNote, Ungroup, UnfoldVertical } from '@lucide/vue';
import { LAYOUT_COLOURS } from '../../document/frames';
import {
  addNote,
  chosenFrames,
  chosenGrouped,
  chosenGroups,
  chosenMembers,
  groupChosen,
  leaveChosen,
  recolourChosen,
  toggleCollapsed,
  ungroupChosen,
} from '../../graph/frames/frame-edits';
import { useGraphStore } from '../../graph/graph-store';
import { text } from '../../i18n';
import { useDrawingStore } from '../../stores/drawing';
import type { Command } from '../registry';

export function graphFrameCommands(): Command[] {
  const graph = useGraphStore();
  const documents = useDrawingStore();
  const common = { group: 'edit', context: 'graph' } as const;
  const isCollapsed = (): boolean => {
    const [id] = chosenGroups();
    return documents.model.layout.groups?.find((one) => one.id === id)?.collapsed === true;
  };
  return [
    {
      ...common,
      id: 'graph.group',
      title: () => text('graphFrames.command.group'),
      icon: Group,
      shortcut: 'Ctrl+G',
      enabled: () => chosenMembers().length > 0,
      run: groupChosen,
    },
    {
      ...common,
      id: 'graph.ungroup',
      title: () => text('graphFrames.command.ungroup'),
      icon: Ungroup,
      shortcut: 'Ctrl+Shift+G',
      enabled: () => chosenGroups().length > 0,
      run: ungroupChosen,
    },
    {
      ...common,
      id: 'graph.leave',
      title: () => text('graphFrames.command.leave'),
      icon: LogOut,
      enabled: () => chosenGrouped().length > 0,
      run: leaveChosen,
    },
    {
      ...common,
      id: 'graph.collapse',
      title: () => text(isCollapsed() ? 'graphFrames.command.expand' : 'graphFrames.command.collapse'),
      plainTitle: () => text('graphFrames.command.collapse'),
      icon: UnfoldVertical,
      shortcut: 'Ctrl+K',
      enabled: () => chosenGroups().length > 0,
      run: () => chosenGroups().forEach(toggleCollapsed),
    },
    {
      ...common,
      id: 'graph.rename',
      title: () => text('graphFrames.command.rename'),
      icon: PencilLine,
      shortcut: 'F2',
      enabled: () => chosenFrames().length === 1,
      run: () => (graph.editing = chosenFrames()[0] ?? null),
    },
    {
      ...common,
      id: 'graph.note',
      title: () => text('graphFrames.command.note'),
      icon: StickyNote,
      shortcut: 'Ctrl+M',
      run: () => addNote(graph.pointer ?? undefined),
    },
    ...LAYOUT_COLOURS.map((colour): Command => ({
      ...common,
      id: `graph.colour.${colour}`,
      title: () => text('graphFrames.command.colour', { colour: text(`graphFrames.colour.${colour}`) }),
      icon: Palette,
      inMenu: false,
      enabled: () => chosenFrames().length > 0,
      run: () => recolourChosen(colour),
    })),
  ];
}
