/** Commands of the graph editor. Their keys hold while the focus is in the graph. */
import {
  Activity,
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceAround,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceAround,
  BoxSelect,
  ClipboardPaste,
  Copy,
  CopyPlus,
  FlipHorizontal2,
  Focus,
  Link2,
  ListTree,
  LogIn,
  LogOut,
  Maximize,
  Package,
  PackageOpen,
  PackagePlus,
  Plus,
  RotateCw,
  Route,
  Scissors,
  Search,
  Trash2,
  Waypoints,
} from '@lucide/vue';
import type { Component } from 'vue';
import { align, type Alignment, distribute } from '../../graph/arrangement/arrangement';
import { copyChosen, cutChosen, duplicateChosen, pasteCopied } from '../../graph/editing/copying';
import {
  chosenComponents,
  chosenLaid,
  mirrorChosen,
  turnChosen,
  unlayChosen,
} from '../../graph/editing/circuit-edits';
import { useCircuitStore } from '../../graph/circuit/circuit-store';
import { beginWire } from '../../graph/circuit/wiring-keys';
import { deleteChosen } from '../../graph/editing/deletion';
import {
  chosenInstance,
  duplicateOfChosen,
  makeOfChosen,
  movableChosen,
  unlinkChosen,
} from '../../graph/editing/submodel-edits';
import { useGraphStore } from '../../graph/graph-store';
import { useNodePlaces } from '../../graph/arrangement/node-places';
import { text, type TextKey } from '../../i18n';
import { useDrawingStore } from '../../stores/drawing';
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
  const documents = useDrawingStore();
  const hasSome = (least: number) => (): boolean => graph.chosen.size >= least;
  /** the element that a link would start from: the one with the focus, or the one that is chosen */
  const linkStart = (): string | null => {
    const [only] = graph.chosen;
    const id = graph.chosen.size === 1 ? only : graph.active;
    const { systems, interactions } = documents.model;
    const isOwn = systems.some((other) => other.id === id) || interactions.some((other) => other.id === id);
    return id !== undefined && id !== null && isOwn ? id : null;
  };
  /** the component that a wire by keys begins at: the one with the focus, else the chosen one */
  const wireStart = (): string | null => {
    const focused = document.activeElement?.closest<HTMLElement>('.vue-flow__node')?.dataset['id'];
    const id = focused ?? chosenComponents()[0];
    return id !== undefined && useCircuitStore().components.has(id) ? id : null;
  };
  const common = { group: 'edit', context: 'graph' } as const;
  return [
    {
      ...common,
      id: 'graph.add',
      title: title('graphEditor.command.add'),
      icon: Plus,
      shortcut: 'Insert',
      run: () => (graph.panel = { kind: 'palette', at: null, search: '' }),
    },
    {
      ...common,
      id: 'graph.link',
      title: title('graphEditor.command.link'),
      icon: Link2,
      shortcut: 'Ctrl+L',
      enabled: () => linkStart() !== null,
      run: () => {
        const from = linkStart();
        if (from !== null) graph.panel = { kind: 'link', from };
      },
    },
    {
      ...common,
      id: 'graph.copy',
      title: title('graphEditor.command.copy'),
      icon: Copy,
      shortcut: 'Ctrl+C',
      enabled: hasSome(1),
      run: copyChosen,
    },
    {
      ...common,
      id: 'graph.cut',
      title: title('graphEditor.command.cut'),
      icon: Scissors,
      shortcut: 'Ctrl+X',
      enabled: hasSome(1),
      run: cutChosen,
    },
    {
      ...common,
      id: 'graph.paste',
      title: title('graphEditor.command.paste'),
      icon: ClipboardPaste,
      shortcut: 'Ctrl+V',
      run: pasteCopied,
    },
    {
      ...common,
      id: 'graph.duplicate',
      title: title('graphEditor.command.duplicate'),
      icon: CopyPlus,
      shortcut: 'Ctrl+D',
      enabled: hasSome(1),
      run: duplicateChosen,
    },
    {
      ...common,
      group: 'view',
      id: 'graph.search',
      title: title('graphEditor.command.search'),
      icon: Search,
      shortcut: 'Ctrl+F',
      run: () => (graph.panel = { kind: 'search' }),
    },
    {
      ...common,
      id: 'graph.selectAll',
      title: title('graphEditor.command.selectAll'),
      icon: BoxSelect,
      shortcut: 'Ctrl+A',
      run: () =>
        graph.choose(
          [...places.drawn.systems, ...places.drawn.interactions, ...(documents.model.components ?? [])].map(
            ({ id }) => id,
          ),
        ),
    },
    {
      ...common,
      id: 'graph.makeComponent',
      title: title('submodels.command.make'),
      icon: Package,
      shortcut: 'Ctrl+Shift+D',
      enabled: () => movableChosen().length > 0,
      run: makeOfChosen,
    },
    {
      ...common,
      id: 'graph.goIn',
      title: title('submodels.command.enter'),
      icon: LogIn,
      enabled: () => chosenInstance() !== null,
      run: () => void documents.enter(chosenInstance() ?? ''),
    },
    {
      ...common,
      id: 'graph.goOut',
      title: title('submodels.command.leave'),
      icon: LogOut,
      enabled: () => documents.submodel !== null,
      run: () => documents.leave(),
    },
    {
      ...common,
      id: 'graph.unlink',
      title: title('submodels.command.unlink'),
      icon: PackageOpen,
      enabled: () => chosenInstance() !== null,
      run: unlinkChosen,
    },
    {
      ...common,
      id: 'graph.duplicateDefinition',
      title: title('submodels.command.duplicate'),
      icon: PackagePlus,
      enabled: () => chosenInstance() !== null,
      run: duplicateOfChosen,
    },
    {
      ...common,
      id: 'graph.wire',
      title: title('circuit.command.wire'),
      icon: Waypoints,
      shortcut: 'W',
      enabled: () => wireStart() !== null,
      run: () => {
        const from = wireStart();
        if (from !== null) beginWire(from);
      },
    },
    {
      ...common,
      id: 'graph.unlay',
      title: title('circuit.command.unlay'),
      icon: Route,
      enabled: () => chosenLaid().length > 0,
      run: unlayChosen,
    },
    {
      ...common,
      id: 'graph.turn',
      title: title('circuit.command.turn'),
      icon: RotateCw,
      shortcut: 'R',
      enabled: () => chosenComponents().length > 0,
      run: turnChosen,
    },
    {
      ...common,
      id: 'graph.mirror',
      title: title('circuit.command.mirror'),
      icon: FlipHorizontal2,
      shortcut: 'F',
      enabled: () => chosenComponents().length > 0,
      run: mirrorChosen,
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
      group: 'view',
      id: 'graph.live',
      title: () => text(graph.showsLive ? 'graphEditor.command.noLive' : 'graphEditor.command.live'),
      plainTitle: title('graphEditor.command.live'),
      icon: Activity,
      run: graph.toggleLive,
    },
    {
      group: 'view',
      id: 'graph.legend',
      title: () => text(graph.showsLegend ? 'graphEditor.command.noLegend' : 'graphEditor.command.legend'),
      plainTitle: title('graphEditor.command.legend'),
      icon: ListTree,
      enabled: () => graph.showsLive,
      run: graph.toggleLegend,
    },
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
