/** Nodes and edges as the drawing library takes them: pure, one direction, made only for what is looked at. */
import type { DocumentReport, ModelDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import type { Edge, Node } from '@vue-flow/core';
import { hasFlatShapes } from '../document/bodies';
import { text } from '../i18n';
import { type CardContext, Cards, type NodeData } from './cards';
import { nodePositions } from './layout';
import {
  buildScene,
  type DrawnElements,
  drawnElements,
  facing,
  type Scene,
  type SceneLink,
  type SceneNode,
} from './scene';

export type { NodeData } from './cards';

/** What belongs to an edge. */
export interface LinkData {
  interaction: string;
  system: string;
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
  readonly #nodes = new Map<string, KeptNode>();
  readonly #edges = new Map<string, KeptEdge>();

  /** The card of a node. */
  data(context: CardContext, drawn: DrawnElements, document: ModelDocument, node: SceneNode): NodeData {
    const { element } = node;
    if (element !== null)
      return this.#cards.of(
        context,
        element,
        node.kind === 'system' ? 'systems' : 'interactions',
        node.index,
        node.built,
      );
    const kept = this.#nodes.get(node.id);
    const counts = {
      ...(drawn.summarised ?? { systems: 0, interactions: 0 }),
      script: document.scripts.find((script) => script.role === 'builder')?.name ?? '',
    };
    const fresh = node.kind === 'missing' ? stub(node) : { ...emptyCard('summary'), built: true, counts };
    // The same content is the same object: nothing is drawn anew for it.
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
    const movable = !data.built && data.kind !== 'missing';
    const flow: Node<NodeData> & { selected: boolean } = {
      id: node.id,
      type: data.kind,
      position: { x: node.x, y: node.y },
      data,
      draggable: movable,
      connectable: movable,
      selectable: false,
      selected: look.isSelected,
      ariaLabel: look.isSelected ? text('graphEditor.selectedNode', { node: label }) : label,
      domAttributes: { tabindex: look.isActive ? 0 : -1 },
    };
    this.#nodes.set(node.id, { data, node, look, flow });
    return flow;
  }

  edge(scene: Scene, link: SceneLink, isSelected = false): Edge<LinkData> | null {
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
      kept.link.of === link.of
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
        interaction: link.target,
        system: link.system,
      }),
      // Which of several linked systems it is decides about signs and columns.
      ...(link.of > 1 ? { label: String(link.position + 1) } : {}),
      data: { interaction: link.target, system: link.system },
    };
    this.#edges.set(link.id, { link, sides, isSelected, flow });
    return flow;
  }
}

/** What a screen reader says of a node. */
export function nodeLabel(id: string, data: NodeData): string {
  if (data.kind === 'missing') return `${data.title}: ${data.messages.join(' ')}`;
  const label = `${data.kind} ${id}, ${data.title}`;
  return data.state === 'good' ? label : `${label}: ${data.messages.join(' ')}`;
}

const emptyCard = (kind: 'summary' | 'missing'): NodeData => ({
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

/** Nodes and edges of the whole document and of what its builder script adds, at the places of a small drawing. */
export function flowElements(context: FlowContext): { nodes: Node<NodeData>[]; edges: Edge<LinkData>[] } {
  const { document, report } = context;
  const drawn = drawnElements(document, report);
  const scene = buildScene(drawn, report, nodePositions(drawn, document.layout.nodes));
  const cards = cardContext(context);
  const elements = new FlowElements();
  return {
    nodes: scene.nodes.map((node) => elements.node(node, elements.data(cards, drawn, document, node))),
    edges: scene.links.flatMap((link) => elements.edge(scene, link) ?? []),
  };
}
