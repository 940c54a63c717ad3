/**
 * The document as what stands in the drawing of the graph: places, sizes and links, without what cards show.
 * Pure.
 */
import type {
  ComponentDocument,
  DocumentReport,
  GroupDocument,
  InteractionDocument,
  LayoutDocument,
  ModelDocument,
  NoteDocument,
  SystemDocument,
} from '@engine/document/types';
import { halfSize } from '@figures/circuit/geometry';
import { isOwn } from '@figures/circuit/own-components';
import { isNamedThere, mainValues } from '@figures/circuit/values';
import type { DrawnComponent } from '../circuit/circuit-store';
import { groupsByMember } from '../../document/frames';
import { signalLinks } from '../../document/signal-links';
import { severityOf } from '../nodes/cards';
import { groupBox, groupNode, noteNode, notesById } from '../frames/frames';
import { MOST_LINKS, NODE_SIZE, type Point } from '../arrangement/layout';
import { boundsOf, type Rectangle } from '../frames/rectangles';

/** More built elements than this are drawn as one node, unless they are asked for. */
const MOST_DRAWN = 3000;
/** Id of that node. */
const SUMMARY = 'built';

export interface SceneNode {
  readonly id: string;
  /** `frame` stands around the members of a group, `group` in their place */
  readonly kind: 'system' | 'interaction' | 'component' | 'summary' | 'missing' | 'frame' | 'group' | 'note';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly built: boolean;
  readonly state: 'good' | 'warning' | 'error';
  /** place in its section, own elements first */
  readonly index: number;
  readonly element: SystemDocument | InteractionDocument | ComponentDocument | null;
  readonly component?: DrawnComponent;
  readonly group?: GroupDocument;
  readonly note?: NoteDocument;
}

/** Room above and below a symbol that lies for its name, values and figures, px. */
const LABEL_HEIGHT = 40;
/** Width of a letter beside a symbol, px. */
const LETTER = 7.6;

/** What is to be seen of a node: of a component, its name and values as well. */
export function wholeOf({ id, x, y, width, height, component }: SceneNode): Rectangle {
  if (component === undefined) return { x, y, width, height };
  const { definition, place } = component;
  const half = halfSize(definition, place);
  if (definition === undefined || (!isNamedThere(definition) && !isOwn(definition.type)))
    return { x, y, width, height };
  // What an expression is worth is not known here; it takes some digits.
  const values = mainValues(component.component, definition, () => 1.25);
  const letters = LETTER * Math.max(id.length, values.length);
  if (half.x < half.y) return { x, y, width: Math.max(width, place.x - x + half.x + 8 + letters), height };
  const wide = Math.max(width, letters);
  return { x: place.x - 0.5 * wide, y: y - LABEL_HEIGHT, width: wide, height: height + 2 * LABEL_HEIGHT };
}

/** Whether a node has a place that can be changed. */
export const isMovableCard = ({ kind, built }: SceneNode): boolean =>
  !built && kind !== 'missing' && kind !== 'summary';

export interface SceneLink {
  readonly id: string;
  /** node at the end of the system; a stub where there is no such system, a group that hides it */
  readonly source: string;
  /** node of the interaction, or the group that hides it */
  readonly target: string;
  readonly interaction: string;
  /** id of the system as the interaction names it */
  readonly system: string;
  /** place of the system among the linked ones */
  readonly position: number;
  /** how many the interaction links */
  readonly of: number;
  readonly isMissing: boolean;
  /**
   * number of the links that this one stands for: those of a collapsed group are drawn once for each
   * neighbour
   */
  readonly bundled: number;
}

/** What one node reads of another. */
export interface SceneSignal {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly signals: readonly string[];
}

export interface GraphScene {
  readonly nodes: readonly SceneNode[];
  readonly byId: ReadonlyMap<string, SceneNode>;
  readonly links: readonly SceneLink[];
  /** lines of what control blocks read and drive */
  readonly signals: readonly SceneSignal[];
  /** links of each node */
  readonly linksOf: ReadonlyMap<string, readonly SceneLink[]>;
  /** node of the collapsed group that stands for a hidden element or note, by its id */
  readonly hiddenBy: ReadonlyMap<string, string>;
}

/** The node that shows an element; that of the group which hides it. */
export const shownNode = (scene: GraphScene, id: string): SceneNode | undefined =>
  scene.byId.get(id) ?? scene.byId.get(scene.hiddenBy.get(id) ?? '');

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
const stubId = (interaction: string, system: string): string => `missing:${interaction}:${system}`;

const SEVERITY = ['good', 'warning', 'error'] as const;
const NO_FRAMES: LayoutDocument = { nodes: {} };
const NO_COMPONENTS: ReadonlyMap<string, DrawnComponent> = new Map();

/**
 * Everything in the drawing.
 * @param positions of the elements, by id
 * @param layout groups and notes
 * @param components with their places
 */
export function buildScene(
  drawn: DrawnElements,
  report: DocumentReport,
  positions: Readonly<Record<string, Point>>,
  layout: LayoutDocument = NO_FRAMES,
  components: ReadonlyMap<string, DrawnComponent> = NO_COMPONENTS,
): GraphScene {
  const nodes: SceneNode[] = [];
  const byId = new Map<string, SceneNode>();
  const add = (node: SceneNode): void => {
    nodes.push(node);
    byId.set(node.id, node);
  };
  const notes = notesById(layout);
  const hiddenBy = new Map<string, string>();
  const cards: SceneNode[] = [];
  const framed = groupsByMember(layout);
  layout.groups?.forEach((group, index) => {
    const members = group.members.filter((id) => framed.get(id) === group);
    const box = groupBox({ ...group, members }, positions, notes);
    if (box === null) return;
    const id = groupNode(group.id);
    const own = severityOf(report, group.id);
    const rest = { id, ...box, built: false, index, element: null, group } as const;
    if (group.collapsed !== true) {
      add({ kind: 'frame', ...rest, state: own });
      return;
    }
    for (const member of members) hiddenBy.set(member, id);
    const worst = [group.id, ...members].reduce(
      (most, member) => Math.max(most, SEVERITY.indexOf(severityOf(report, member))),
      0,
    );
    cards.push({ kind: 'group', ...rest, state: SEVERITY[worst] ?? 'good' });
  });
  const addElement = (
    kind: 'system' | 'interaction',
    element: SystemDocument | InteractionDocument,
    index: number,
    built: boolean,
  ): void => {
    if (hiddenBy.has(element.id)) return;
    const { x, y } = positions[element.id] ?? { x: 0, y: 0 };
    const state = severityOf(report, element.id);
    add({ id: element.id, kind, x, y, ...NODE_SIZE, built, state, index, element });
  };
  drawn.systems.forEach((system, i) => addElement('system', system, i, i >= drawn.ownSystems));
  drawn.interactions.forEach((interaction, i) =>
    addElement('interaction', interaction, i, i >= drawn.ownInteractions),
  );
  for (const [id, component] of components) {
    if (hiddenBy.has(id)) continue;
    const { box, index, component: element } = component;
    const { isBuilt: built = false } = component;
    const rest = { built, state: severityOf(report, id), index, element, component } as const;
    add({ id, kind: 'component', ...box, ...rest });
  }
  for (const card of cards) add(card);
  layout.notes?.forEach((note, index) => {
    if (hiddenBy.has(note.id)) return;
    const { x, y, width, height, id } = note;
    const rest = { built: false, state: severityOf(report, id), index, element: null, note } as const;
    add({ id: noteNode(id), kind: 'note', x, y, width, height, ...rest });
  });
  if (drawn.summarised !== null) {
    const { x, y } = positions[SUMMARY] ?? belowAll(nodes);
    const rest = { built: true, state: 'good', index: 0, element: null } as const;
    add({ id: SUMMARY, kind: 'summary', x, y, ...SUMMARY_SIZE, ...rest });
  }
  const links: { -readonly [K in keyof SceneLink]: SceneLink[K] }[] = [];
  const linksOf = new Map<string, SceneLink[]>();
  const join = (id: string, link: SceneLink): void => {
    const list = linksOf.get(id);
    if (list === undefined) linksOf.set(id, [link]);
    else list.push(link);
  };
  const known = new Set(drawn.systems.map(({ id }) => id));
  const bundles = new Map<string, number>();
  for (const { id, systems } of drawn.interactions) {
    if (systems.length > MOST_LINKS) continue;
    const target = hiddenBy.get(id) ?? id;
    systems.forEach((system, position) => {
      const isMissing = !known.has(system);
      // What a builder script makes is not there while it is summed up.
      if (isMissing && (drawn.summarised !== null || target !== id)) return;
      const source = isMissing ? stubId(id, system) : (hiddenBy.get(system) ?? system);
      if (source === target) return;
      if (isMissing) {
        const { x = 0, y = 0 } = byId.get(id) ?? {};
        const place = { x: x + 23, y: y + NODE_SIZE.height + 40 + position * (STUB_SIZE.height + 12) };
        const rest = { built: false, state: 'error', index: position, element: null } as const;
        add({ id: source, kind: 'missing', ...place, ...STUB_SIZE, ...rest });
      }
      const isBundle = source !== system && !isMissing ? true : target !== id;
      const ends = `${source} ${target}`;
      const bundled = (bundles.get(ends) ?? 0) + 1;
      if (isBundle) {
        bundles.set(ends, bundled);
        if (bundled > 1) return;
      }
      const of = systems.length;
      const rest = { interaction: id, system, position, of, isMissing, bundled: 1 };
      const link = { id: `${id}--${system}`, source, target, ...rest };
      links.push(link);
      join(source, link);
      join(target, link);
    });
  }
  for (const link of links) {
    const bundled = bundles.get(`${link.source} ${link.target}`);
    if (bundled !== undefined) link.bundled = bundled;
  }
  return { nodes, byId, links, signals: signalsOf(drawn, byId, hiddenBy), linksOf, hiddenBy };
}

/** One line for all that a node reads of another; a collapsed group reads what its members do. */
function signalsOf(
  drawn: DrawnElements,
  byId: ReadonlyMap<string, SceneNode>,
  hiddenBy: ReadonlyMap<string, string>,
): SceneSignal[] {
  const signals = new Map<string, SceneSignal>();
  for (const { from, to, signals: names } of signalLinks(drawn)) {
    const source = hiddenBy.get(from) ?? from;
    const target = hiddenBy.get(to) ?? to;
    if (source === target || !byId.has(source) || !byId.has(target)) continue;
    const id = `${source}~~${target}`;
    signals.set(id, { id, source, target, signals: [...(signals.get(id)?.signals ?? []), ...names] });
  }
  return [...signals.values()];
}

function belowAll(nodes: readonly SceneNode[]): Point {
  if (nodes.length === 0) return { x: 0, y: 0 };
  const box = boundsOf(nodes);
  return { x: box.x, y: box.y + box.height + 40 };
}

export type CardSide = 'left' | 'right' | 'top' | 'bottom';

/** Sides at which an edge leaves one node and enters the other: the ones that face each other. */
export function facing(from: Rectangle, to: Rectangle): [CardSide, CardSide] {
  const apart = Math.max(from.height, to.height);
  const isAbove =
    Math.abs(to.x - from.x) < Math.max(from.width, to.width) && Math.abs(to.y - from.y) >= apart;
  if (isAbove) return from.y < to.y ? ['bottom', 'top'] : ['top', 'bottom'];
  return from.x <= to.x ? ['right', 'left'] : ['left', 'right'];
}
