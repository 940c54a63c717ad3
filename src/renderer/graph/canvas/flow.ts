/**
 * Nodes and edges as the drawing library takes them: pure, one direction, made only for what is looked at.
 */
import type { DocumentReport, GroupDocument, ModelDocument, NoteDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import { type Edge, MarkerType, type Node } from '@vue-flow/core';
import { hasFlatShapes } from '../../document/bodies';
import { counted, text } from '../../i18n';
import { ComponentCards } from '../circuit/component-card';
import { type CardContext, Cards, issuesOf, type NodeData } from '../nodes/cards';
import { nodePositions } from '../arrangement/layout';
import {
  buildScene,
  type DrawnElements,
  drawnElements,
  facing,
  isMovableCard,
  type GraphScene,
  type SceneLink,
  type SceneNode,
  type SceneSignal,
} from './scene';

export type { NodeData } from '../nodes/cards';

/** What belongs to an edge. */
export interface LinkData {
  interaction: string;
  system: string;
  /** number of the links that it stands for */
  bundled: number;
  /** whether it is what a node reads of another, and no link */
  isSignal?: boolean;
}

/** How a node is shown beside what it is. */
export interface NodeLook {
  readonly isSelected: boolean;
  /** the node that the Tab key leads to */
  readonly isActive: boolean;
}

const PLAIN: NodeLook = { isSelected: false, isActive: false };

interface KeptNode {
  data: NodeData;
  node: SceneNode;
  look: NodeLook;
  flow: Node<NodeData>;
}

interface KeptEdge {
  link: SceneLink;
  sides: string;
  isSelected: boolean;
  flow: Edge<LinkData>;
}

export interface FlowContext {
  document: ModelDocument;
  report: DocumentReport;
  catalogue: Catalogue | null;
}

/** Makes nodes and edges, the same objects again for what has not changed. */
export class FlowElements {
  readonly #cards = new Cards();
  readonly #components = new ComponentCards();
  readonly #nodes = new Map<string, KeptNode>();
  readonly #edges = new Map<string, KeptEdge>();
  readonly #signals = new Map<string, { link: SceneSignal; sides: string; flow: Edge<LinkData> }>();

  /** The card of a node. */
  data(context: CardContext, drawn: DrawnElements, document: ModelDocument, node: SceneNode): NodeData {
    const { element } = node;
    if (node.component !== undefined) return this.#components.of(context, node.component);
    if (element !== null)
      return this.#cards.of(
        context,
        element,
        node.kind === 'system' ? 'systems' : 'interactions',
        node.index,
        node.built,
      );
    const kept = this.#nodes.get(node.id);
    if (node.group !== undefined || node.note !== undefined)
      return frameData(node, node.group, node.note, context.report, kept?.data);
    const counts = {
      ...(drawn.summarised ?? { systems: 0, interactions: 0 }),
      script: document.scripts.find((script) => script.role === 'builder')?.name ?? '',
    };
    const fresh = node.kind === 'missing' ? stub(node) : { ...emptyCard('summary'), built: true, counts };
    // The same content is the same object: nothing is redrawn for it.
    return kept !== undefined && JSON.stringify(kept.data) === JSON.stringify(fresh) ? kept.data : fresh;
  }

  node(node: SceneNode, data: NodeData, look: NodeLook = PLAIN): Node<NodeData> {
    const kept = this.#nodes.get(node.id);
    if (
      kept?.data === data &&
      kept.node.x === node.x &&
      kept.node.y === node.y &&
      kept.look.isSelected === look.isSelected &&
      kept.look.isActive === look.isActive
    )
      return kept.flow;
    const label = nodeLabel(node.id, data);
    const movable = isMovableCard(node);
    const isFrame = data.kind === 'frame';
    const flow: Node<NodeData> & { selected: boolean } = {
      id: node.id,
      type: data.kind,
      position: { x: node.x, y: node.y },
      data,
      // Frames are taken by their names, which the drawing's own gestures do.
      draggable: movable && !isFrame,
      connectable: movable && node.element !== null,
      ...(isFrame ? { zIndex: -1 } : {}),
      selectable: false,
      selected: look.isSelected,
      ariaLabel: look.isSelected ? text('graphEditor.selectedNode', { node: label }) : label,
      domAttributes: { tabindex: look.isActive ? 0 : -1 },
    };
    this.#nodes.set(node.id, { data, node, look, flow });
    return flow;
  }

  edge(scene: GraphScene, link: SceneLink, isSelected = false): Edge<LinkData> | null {
    const from = scene.byId.get(link.source);
    const to = scene.byId.get(link.target);
    if (from === undefined || to === undefined) return null;
    const [sourceHandle, targetHandle] = facing(from, to);
    const sides = `${sourceHandle} ${targetHandle}`;
    const kept = this.#edges.get(link.id);
    if (
      kept !== undefined &&
      kept.sides === sides &&
      kept.isSelected === isSelected &&
      kept.link.source === link.source &&
      kept.link.position === link.position &&
      kept.link.of === link.of &&
      kept.link.bundled === link.bundled
    )
      return kept.flow;
    const flow: Edge<LinkData> = {
      id: link.id,
      source: link.source,
      target: link.target,
      sourceHandle,
      targetHandle,
      selectable: false,
      ...(isSelected ? { class: 'chosen' } : link.isMissing ? { class: 'broken' } : {}),
      ariaLabel: text(link.isMissing ? 'graphEditor.missingEdge' : 'graphEditor.edge', {
        interaction: link.interaction,
        system: link.system,
      }),
      // Which of several linked systems it is decides about signs and columns.
      ...(link.bundled > 1
        ? { label: `×${link.bundled}` }
        : link.of > 1
          ? { label: String(link.position + 1) }
          : {}),
      data: { interaction: link.interaction, system: link.system, bundled: link.bundled },
    };
    this.#edges.set(link.id, { link, sides, isSelected, flow });
    return flow;
  }

  signal(scene: GraphScene, link: SceneSignal): Edge<LinkData> | null {
    const from = scene.byId.get(link.source);
    const to = scene.byId.get(link.target);
    if (from === undefined || to === undefined) return null;
    const [sourceHandle, targetHandle] = facing(from, to);
    const sides = `${sourceHandle} ${targetHandle}`;
    const kept = this.#signals.get(link.id);
    if (kept !== undefined && kept.sides === sides && namesOf(kept.link.signals) === namesOf(link.signals))
      return kept.flow;
    const { id, source, target, signals } = link;
    const flow: Edge<LinkData> = {
      id,
      source,
      target,
      sourceHandle,
      targetHandle,
      selectable: false,
      class: 'signal',
      markerEnd: MarkerType.ArrowClosed,
      ariaLabel: text('graphEditor.signalEdge', { reader: target, signals: namesOf(signals) }),
      label: namesOf(signals),
      data: { interaction: '', system: source, bundled: 1, isSignal: true },
    };
    this.#signals.set(id, { link, sides, flow });
    return flow;
  }
}

/** As many names stand on a line; more are counted. */
const MOST_NAMES = 3;

const namesOf = (signals: readonly string[]): string =>
  signals.length > MOST_NAMES ? `${signals.slice(0, MOST_NAMES).join(', ')}, …` : signals.join(', ');

/** What a screen reader says of a node. */
export function nodeLabel(id: string, data: NodeData): string {
  const { group, note } = data.frame ?? {};
  if (group !== undefined) {
    const label = counted('graphFrames.groupLabel', group.members.length, { name: group.name });
    return data.kind === 'group' ? text('graphFrames.collapsedLabel', { group: label }) : label;
  }
  if (note !== undefined) return text('graphFrames.noteLabel', { text: noteTitle(note.text) });
  if (data.kind === 'missing') return `${data.title}: ${data.messages.join(' ')}`;
  const values = data.component?.values ?? '';
  const label = `${data.kind} ${id}, ${data.title}${values === '' ? '' : `, ${values}`}`;
  return data.state === 'good' ? label : `${label}: ${data.messages.join(' ')}`;
}

/** The words a note begins with. */
export function noteTitle(source: string): string {
  const line = source.split('\n').find((one) => /[\p{Letter}\p{Number}]/u.test(one)) ?? '';
  const words = line.replace(/^[#>*\-\s]+/, '').trim();
  return words === '' ? text('graphFrames.emptyNote') : words.slice(0, 80);
}

/** What a group or note shows; the same object again while that stays the same. */
function frameData(
  { kind, width, height, state }: SceneNode,
  group: GroupDocument | undefined,
  note: NoteDocument | undefined,
  report: DocumentReport,
  kept: NodeData | undefined,
): NodeData {
  const messages = issuesOf(report, (group ?? note)?.id ?? '').map(({ message }) => message);
  const look = kept?.frame;
  const isSame =
    kept?.kind === kind &&
    look?.group === group &&
    look?.note === note &&
    look?.width === width &&
    look.height === height &&
    kept.state === state &&
    kept.messages.join() === messages.join();
  if (isSame) return kept;
  const frame = { width, height, ...(group && { group }), ...(note && { note }) };
  return { ...emptyCard(kind), state, messages, frame };
}

const emptyCard = (kind: NodeData['kind']): NodeData => ({
  kind,
  glyph: 'system',
  title: '',
  dimension: 0,
  symbols: [],
  state: 'good',
  messages: [],
  built: false,
  ports: [],
});

/** The card of a system that an interaction names and that does not exist. */
function stub({ id }: SceneNode): NodeData {
  const [, interaction = '', system = ''] = id.split(':');
  return {
    ...emptyCard('missing'),
    title: text('graphEditor.missing', { system }),
    state: 'error',
    messages: [text('graphEditor.missingWhy', { interaction, system })],
  };
}

/** What cards depend on beside their element. */
export const cardContext = ({ document, report, catalogue }: FlowContext): CardContext => ({
  report,
  catalogue,
  inPlane: hasFlatShapes(document.systems) || hasFlatShapes(report.built?.systems ?? []),
});

/**
 * Nodes and edges of the whole document and of what its builder script adds, at the places of a small
 * drawing.
 */
export function flowElements(context: FlowContext): { nodes: Node<NodeData>[]; edges: Edge<LinkData>[] } {
  const { document, report } = context;
  const drawn = drawnElements(document, report);
  const scene = buildScene(drawn, report, nodePositions(drawn, document.layout.nodes), document.layout);
  const cards = cardContext(context);
  const elements = new FlowElements();
  return {
    nodes: scene.nodes.map((node) => elements.node(node, elements.data(cards, drawn, document, node))),
    edges: [
      ...scene.links.flatMap((link) => elements.edge(scene, link) ?? []),
      ...scene.signals.flatMap((link) => elements.signal(scene, link) ?? []),
    ],
  };
}
