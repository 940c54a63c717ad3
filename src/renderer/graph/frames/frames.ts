/** Groups and notes as nodes of the drawing: their ids, and where they stand. Pure. */
import type { GroupDocument, LayoutDocument, NoteDocument } from '@engine/document/types';
import { FRAME_HEAD, FRAME_ROOM, groupNode, groupOf, isGroupNode } from '../nodes/group-node';
import { NODE_SIZE, type Point } from '../arrangement/layout';
import { boundsOf, type Rectangle } from './rectangles';

export { FRAME_HEAD, groupNode, isGroupNode } from '../nodes/group-node';

const NOTE = 'note:';

/** Id of the node that stands for a note. */
export const noteNode = (id: string): string => NOTE + id;
export const isNoteNode = (node: string): boolean => node.startsWith(NOTE);

/** Id in the document of what a node stands for. */
export const documentId = (node: string): string =>
  isGroupNode(node) ? groupOf(node) : isNoteNode(node) ? node.slice(NOTE.length) : node;

export type Places = Readonly<Record<string, Point>>;

const noteTables = new WeakMap<readonly NoteDocument[], ReadonlyMap<string, NoteDocument>>();
const NO_NOTES: ReadonlyMap<string, NoteDocument> = new Map();

/** Notes by id. */
export function notesById({ notes }: LayoutDocument): ReadonlyMap<string, NoteDocument> {
  if (notes === undefined) return NO_NOTES;
  let table = noteTables.get(notes);
  if (table === undefined) noteTables.set(notes, (table = new Map(notes.map((note) => [note.id, note]))));
  return table;
}

/** Nodes that are being dragged, and how far they are. */
export interface Drag {
  readonly dragged: ReadonlySet<string>;
  readonly by: Point;
}

/** Where the members of a group stand that there are. */
function memberBoxes(
  { members }: GroupDocument,
  positions: Places,
  notes: ReadonlyMap<string, NoteDocument>,
  drag?: Drag,
): Rectangle[] {
  return members.flatMap((id): Rectangle[] => {
    const place = positions[id];
    const box = place === undefined ? notes.get(id) : { ...NODE_SIZE, ...place };
    if (box === undefined) return [];
    const isDragged = drag?.dragged.has(place === undefined ? noteNode(id) : id) === true;
    return [isDragged ? { ...box, x: box.x + drag.by.x, y: box.y + drag.by.y } : box];
  });
}

/**
 * The frame around the members of a group, or the card in its middle while it is collapsed; null without
 * members.
 */
export function groupBox(
  group: GroupDocument,
  positions: Places,
  notes: ReadonlyMap<string, NoteDocument>,
  drag?: Drag,
): Rectangle | null {
  const boxes = memberBoxes(group, positions, notes, drag);
  if (boxes.length === 0) return null;
  const box = boundsOf(boxes);
  if (group.collapsed === true)
    return {
      x: Math.round(box.x + 0.5 * (box.width - NODE_SIZE.width)),
      y: Math.round(box.y + 0.5 * (box.height - NODE_SIZE.height)),
      ...NODE_SIZE,
    };
  return {
    x: box.x - FRAME_ROOM,
    y: box.y - FRAME_HEAD,
    width: box.width + 2 * FRAME_ROOM,
    height: box.height + FRAME_HEAD + FRAME_ROOM,
  };
}

/**
 * Where elements and notes stand after nodes have been moved: a group takes its members along.
 * @param moved new places of nodes
 */
export function resolveMoves(
  moved: Places,
  layout: LayoutDocument,
  positions: Places,
): { nodes: Record<string, Point>; notes: Record<string, Point> } {
  const result: { nodes: Record<string, Point>; notes: Record<string, Point> } = { nodes: {}, notes: {} };
  const notes = notesById(layout);
  for (const group of layout.groups ?? []) {
    const to = moved[groupNode(group.id)];
    const from = to === undefined ? null : groupBox(group, positions, notes);
    if (to === undefined || from === null) continue;
    const by = { x: to.x - from.x, y: to.y - from.y };
    for (const id of group.members) {
      const note = notes.get(id);
      const place = positions[id] ?? note;
      if (place === undefined) continue;
      const target = positions[id] === undefined ? result.notes : result.nodes;
      target[id] = { x: place.x + by.x, y: place.y + by.y };
    }
  }
  for (const [node, place] of Object.entries(moved)) {
    if (isGroupNode(node)) continue;
    if (isNoteNode(node)) result.notes[documentId(node)] = place;
    else result.nodes[node] = place;
  }
  return result;
}

/** Ids in the document of what nodes stand for: groups are taken with their members. */
export function withMembers(nodes: Iterable<string>, layout: LayoutDocument): Set<string> {
  const groups = new Map((layout.groups ?? []).map((group) => [groupNode(group.id), group]));
  const ids = new Set<string>();
  for (const node of nodes) {
    const group = groups.get(node);
    ids.add(documentId(node));
    for (const id of group?.members ?? []) ids.add(id);
  }
  return ids;
}
