/** Commands of the graph editor. Their keys hold while the focus is in the graph. */
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceAround,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceAround,
  BoxSelect,
  Focus,
  Maximize,
  Trash2,
} from '@lucide/vue';
import type { Component } from 'vue';
import { align, type Alignment, distribute } from '../../graph/arrangement';
import { deleteChosen } from '../../graph/deletion';
import { useGraphStore } from '../../graph/graph-store';
import { useNodePlaces } from '../../graph/node-places';
import { text, type TextKey } from '../../i18n';
import type { Command } from '../registry';

const ALIGNMENTS: readonly (readonly [Alignment, Component])[] = [
  ['left', AlignStartVertical],
  ['centre', AlignCenterVertical],
  ['right', AlignEndVertical],
  ['top', AlignStartHorizontal],
  ['middle', AlignCenterHorizontal],
  ['bottom', AlignEndHorizontal],
];

const title = (key: TextKey) => (): string => text(key);

export function graphCommands(): Command[] {
  const graph = useGraphStore();
  const places = useNodePlaces();
  const hasSome = (least: number) => (): boolean => graph.chosen.size >= least;
  const common = { group: 'edit', context: 'graph' } as const;
  return [
    {
      ...common,
      id: 'graph.selectAll',
      title: title('graphEditor.command.selectAll'),
      icon: BoxSelect,
      shortcut: 'Ctrl+A',
      run: () => graph.choose([...places.drawn.systems, ...places.drawn.interactions].map(({ id }) => id)),
    },
    {
      ...common,
      id: 'graph.delete',
      title: title('graphEditor.command.delete'),
      icon: Trash2,
      enabled: () => graph.chosen.size > 0 || graph.chosenLink !== null,
      run: deleteChosen,
    },
    ...ALIGNMENTS.map(([way, icon]): Command => ({
      ...common,
      id: `graph.align.${way}`,
      title: title(`graphEditor.align.${way}`),
      icon,
      enabled: hasSome(2),
      run: () => align(way),
    })),
    ...(['x', 'y'] as const).map((along): Command => ({
      ...common,
      id: `graph.distribute.${along}`,
      title: title(`graphEditor.distribute.${along}`),
      icon: along === 'x' ? AlignHorizontalSpaceAround : AlignVerticalSpaceAround,
      enabled: hasSome(3),
      run: () => distribute(along),
    })),
    {
      ...common,
      group: 'view',
      id: 'graph.fit',
      title: title('graphEditor.command.fit'),
      icon: Maximize,
      shortcut: 'Ctrl+9',
      run: () => graph.show(null),
    },
    {
      ...common,
      group: 'view',
      id: 'graph.zoomSelection',
      title: title('graphEditor.command.zoomSelection'),
      icon: Focus,
      shortcut: 'Ctrl+8',
      enabled: hasSome(1),
      run: () => graph.show([...graph.chosen]),
    },
  ];
}
