/** The document as what stands in the drawing of the graph: places, sizes and links, without what cards show. Pure. */
import type {
  DocumentReport,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
} from '@engine/document/types';
import { severityOf } from './cards';
import { MOST_LINKS, NODE_SIZE, type Point } from './layout';

/** More built elements than this are drawn as one node, unless they are asked for. */
export const MOST_DRAWN = 3000;
/** Id of that node. */
export const SUMMARY = 'built';

export interface SceneNode {
  readonly id: string;
  readonly kind: 'system' | 'interaction' | 'summary' | 'missing';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly built: boolean;
  readonly state: 'good' | 'warning' | 'error';
  /** place in its section, own elements first */
  readonly index: number;
  readonly element: SystemDocument | InteractionDocument | null;
}

export interface SceneLink {
  readonly id: string;
  /** node at the end of the system; a stub where there is no such system */
  readonly source: string;
  /** id of the interaction */
  readonly target: string;
  /** id of the system as the interaction names it */
  readonly system: string;
  /** place of the system among the linked ones */
  readonly position: number;
  /** how many the interaction links */
  readonly of: number;
  readonly isMissing: boolean;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Scene {
  readonly nodes: readonly SceneNode[];
  readonly byId: ReadonlyMap<string, SceneNode>;
  readonly links: readonly SceneLink[];
  /** links of each node */
  readonly linksOf: ReadonlyMap<string, readonly SceneLink[]>;
}

export interface DrawnElements {
  readonly systems: readonly SystemDocument[];
  readonly interactions: readonly InteractionDocument[];
  readonly ownSystems: number;
  readonly ownInteractions: number;
  /** built elements that one node stands for; null where they are drawn */
  readonly summarised: { systems: number; interactions: number } | null;
}

/** The elements that are drawn one by one. @param isExpanded draws built ones whatever their number */
export function drawnElements(
  document: Pick<ModelDocument, 'systems' | 'interactions'>,
  report: Pick<DocumentReport, 'built'>,
  isExpanded = false,
): DrawnElements {
  const built = report.built ?? { systems: [], interactions: [] };
  const own = { ownSystems: document.systems.length, ownInteractions: document.interactions.length };
  if (!isExpanded && built.systems.length + built.interactions.length > MOST_DRAWN)
    return {
      systems: document.systems,
      interactions: document.interactions,
      ...own,
      summarised: { systems: built.systems.length, interactions: built.interactions.length },
    };
  return {
    systems: built.systems.length === 0 ? document.systems : [...document.systems, ...built.systems],
    interactions:
      built.interactions.length === 0
        ? document.interactions
        : [...document.interactions, ...built.interactions],
    ...own,
    summarised: null,
  };
}

/** Size of the node that stands for built elements, px. */
const SUMMARY_SIZE = { width: 280, height: 130 };
/** Size of the stub that stands for a system that does not exist, px. */
const STUB_SIZE = { width: 150, height: 40 };

/** Id of the stub at a link to a system that does not exist. */
export const stubId = (interaction: string, system: string): string => `missing:${interaction}:${system}`;

/** Everything in the drawing. @param positions of the elements, by id */
export function buildScene(
  drawn: DrawnElements,
  report: DocumentReport,
  positions: Readonly<Record<string, Point>>,
): Scene {
  const nodes: SceneNode[] = [];
  const byId = new Map<string, SceneNode>();
  const add = (node: SceneNode): void => {
    nodes.push(node);
    byId.set(node.id, node);
  };
  const addElement = (
    kind: 'system' | 'interaction',
    element: SystemDocument | InteractionDocument,
    index: number,
    built: boolean,
  ): void => {
    const { x, y } = positions[element.id] ?? { x: 0, y: 0 };
    const state = severityOf(report, element.id);
    add({ id: element.id, kind, x, y, ...NODE_SIZE, built, state, index, element });
  };
  drawn.systems.forEach((system, i) => addElement('system', system, i, i >= drawn.ownSystems));
  drawn.interactions.forEach((interaction, i) =>
    addElement('interaction', interaction, i, i >= drawn.ownInteractions),
  );
  if (drawn.summarised !== null) {
    const { x, y } = positions[SUMMARY] ?? belowAll(nodes);
    const rest = { built: true, state: 'good', index: 0, element: null } as const;
    add({ id: SUMMARY, kind: 'summary', x, y, ...SUMMARY_SIZE, ...rest });
  }
  const links: SceneLink[] = [];
  const linksOf = new Map<string, SceneLink[]>();
  const join = (id: string, link: SceneLink): void => {
    const list = linksOf.get(id);
    if (list === undefined) linksOf.set(id, [link]);
    else list.push(link);
  };
  for (const { id, systems } of drawn.interactions) {
    if (systems.length > MOST_LINKS) continue;
    systems.forEach((system, position) => {
      const isMissing = byId.get(system)?.kind !== 'system';
      // What a builder script makes is not there while it is summed up.
      if (isMissing && drawn.summarised !== null) return;
      const source = isMissing ? stubId(id, system) : system;
      if (isMissing) {
        const { x = 0, y = 0 } = byId.get(id) ?? {};
        const place = { x: x + 23, y: y + NODE_SIZE.height + 40 + position * (STUB_SIZE.height + 12) };
        const rest = { built: false, state: 'error', index: position, element: null } as const;
        add({ id: source, kind: 'missing', ...place, ...STUB_SIZE, ...rest });
      }
      const of = systems.length;
      const link = { id: `${id}--${system}`, source, target: id, system, position, of, isMissing };
      links.push(link);
      join(source, link);
      join(id, link);
    });
  }
  return { nodes, byId, links, linksOf };
}

function belowAll(nodes: readonly SceneNode[]): Point {
  if (nodes.length === 0) return { x: 0, y: 0 };
  const box = boundsOf(nodes);
  return { x: box.x, y: box.y + box.height + 40 };
}

/** The rectangle around some; one of no size at the origin around none. */
export function boundsOf(rectangles: Iterable<Rectangle>): Rectangle {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of rectangles) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  if (left > right) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Whether two rectangles have a point in common. */
export const overlaps = (a: Rectangle, b: Rectangle): boolean =>
  a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;

/** Whether one rectangle lies in another. */
export const contains = (outer: Rectangle, inner: Rectangle): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;

export type Side = 'left' | 'right' | 'top' | 'bottom';

/** Sides at which an edge leaves one node and enters the other: the ones that face each other. */
export function facing(from: Rectangle, to: Rectangle): [Side, Side] {
  const apart = Math.max(from.height, to.height);
  const isAbove =
    Math.abs(to.x - from.x) < Math.max(from.width, to.width) && Math.abs(to.y - from.y) >= apart;
  if (isAbove) return from.y < to.y ? ['bottom', 'top'] : ['top', 'bottom'];
  return from.x <= to.x ? ['right', 'left'] : ['left', 'right'];
}
