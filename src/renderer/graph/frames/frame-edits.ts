/** Changes to groups and notes of the graph, each one undoable step. */
import type { LayoutColour, LayoutDocument } from '@engine/document/types';
import { groupsByMember, leaveGroups, setGroups } from '../../document/frames';
import { freshName } from '../../document/factory';
import { text } from '../../i18n';
import { useDrawingStore } from '../../stores/drawing';
import { nodeName, pinLayout, takenIds } from '../editing/edits';
import { documentId, groupNode, isGroupNode, isNoteNode, noteNode } from './frames';
import { useGraphStore } from '../graph-store';
import type { Point } from '../arrangement/layout';
import { useNodePlaces } from '../arrangement/node-places';
import { boundsOf } from './rectangles';
import { NODE_SIZE } from '../arrangement/layout';

/** Size of a new note, px, and the least of any. */
const NOTE_SIZE = { width: 220, height: 120 };
export const LEAST_NOTE = { width: 80, height: 40 };
const MOST_NOTE = 4000;

const layout = (): LayoutDocument => useDrawingStore().model.layout;

/** Chosen systems, interactions and notes of the document, by their ids there. */
export function chosenMembers(): string[] {
  const taken = new Set(takenIds());
  return [...useGraphStore().chosen]
    .filter((node) => !isGroupNode(node))
    .map(documentId)
    .filter((id) => taken.has(id));
}

/** Ids of the chosen groups. */
export const chosenGroups = (): string[] => [...useGraphStore().chosen].filter(isGroupNode).map(documentId);

/** Makes a group of what is chosen, and lets it be named; with a group among it, the rest joins that. */
export function groupChosen(): void {
  const members = chosenMembers();
  if (members.length === 0) return;
  const graph = useGraphStore();
  const documents = useDrawingStore();
  const [joined] = chosenGroups();
  const taken = takenIds();
  const id = joined ?? freshName('group', taken, '');
  const names = (layout().groups ?? []).map(({ name }) => name);
  const name = freshName(text('graphFrames.newGroup'), names, ' ');
  const label =
    joined === undefined
      ? text('graphFrames.edit.group')
      : text('graphFrames.edit.join', { name: nodeName(layout(), groupNode(joined)) });
  documents.edit(label, (draft) => {
    pinLayout(draft);
    const target = draft.layout.groups?.find((group) => group.id === joined);
    if (target === undefined) {
      leaveGroups(draft.layout, new Set(members));
      setGroups(draft.layout, [...(draft.layout.groups ?? []), { id, name, members }]);
      return;
    }
    const others = members.filter((member) => !target.members.includes(member));
    leaveGroups(draft.layout, new Set(others));
    target.members.push(...others);
  });
  graph.choose([groupNode(id)]);
  if (joined === undefined) graph.editing = groupNode(id);
}

/** Takes the frames of the chosen groups away; their members stay and are chosen. */
export function ungroupChosen(): void {
  const gone = new Set(chosenGroups());
  const groups = (layout().groups ?? []).filter(({ id }) => gone.has(id));
  if (groups.length === 0) return;
  const notes = new Set((layout().notes ?? []).map(({ id }) => id));
  useDrawingStore().edit(text('graphFrames.edit.ungroup'), (draft) =>
    setGroups(
      draft.layout,
      (draft.layout.groups ?? []).filter(({ id }) => !gone.has(id)),
    ),
  );
  useGraphStore().choose(
    groups.flatMap(({ members }) => members.map((id) => (notes.has(id) ? noteNode(id) : id))),
  );
}

/** Chosen members that stand in a group. */
export function chosenGrouped(): string[] {
  const framed = groupsByMember(layout());
  return chosenMembers().filter((id) => framed.has(id));
}

/** Takes what is chosen out of its groups. */
export function leaveChosen(): void {
  takeOutOfFrame(chosenGrouped());
}

/** Takes members out of their groups. */
export function takeOutOfFrame(ids: readonly string[]): void {
  const gone = new Set(ids);
  if (gone.size === 0) return;
  useDrawingStore().edit(text('graphFrames.edit.leave'), (draft) => leaveGroups(draft.layout, gone));
}

/** Collapses a group to one card, or opens it again. */
export function toggleCollapsed(id: string): void {
  const group = layout().groups?.find((one) => one.id === id);
  if (group === undefined) return;
  const { name, collapsed = false } = group;
  const label = text(collapsed ? 'graphFrames.edit.expand' : 'graphFrames.edit.collapse', { name });
  useDrawingStore().edit(label, (draft) => {
    pinLayout(draft);
    const target = draft.layout.groups?.find((one) => one.id === id);
    if (target === undefined) return;
    if (collapsed) delete target.collapsed;
    else target.collapsed = true;
  });
}

export function renameGroup(id: string, name: string): void {
  const to = name.trim();
  const from = layout().groups?.find((group) => group.id === id)?.name;
  if (from === undefined || to === '' || to === from) return;
  useDrawingStore().edit(text('edit.rename', { from, to }), (draft) => {
    const target = draft.layout.groups?.find((group) => group.id === id);
    if (target !== undefined) target.name = to.slice(0, 200);
  });
}

/** Chosen groups and notes: what has a colour. */
export const chosenFrames = (): string[] =>
  [...useGraphStore().chosen].filter((node) => isGroupNode(node) || isNoteNode(node));

/** Gives the chosen groups and notes a colour. */
export function recolourChosen(colour: LayoutColour): void {
  const ids = new Set(chosenFrames().map(documentId));
  useDrawingStore().edit(text('graphFrames.edit.colour'), (draft) => {
    for (const list of [draft.layout.groups ?? [], draft.layout.notes ?? []])
      for (const one of list) if (ids.has(one.id)) one.colour = colour;
  });
}

/** Where a note goes that was not placed: below everything. */
function belowAll(): Point {
  const { positions } = useNodePlaces();
  const boxes = [
    ...Object.values(positions).map((place) => ({ ...place, ...NODE_SIZE })),
    ...(layout().notes ?? []),
  ];
  const box = boundsOf(boxes);
  return { x: box.x, y: boxes.length === 0 ? 0 : box.y + box.height + 40 };
}

/** Adds an empty note and lets it be written. */
export function addNote(at: Point = belowAll()): void {
  const id = freshName('note', takenIds(), '');
  useDrawingStore().edit(text('graphFrames.edit.note'), (draft) => {
    pinLayout(draft);
    const note = { id, text: '', x: Math.round(at.x), y: Math.round(at.y), ...NOTE_SIZE };
    draft.layout.notes = [...(draft.layout.notes ?? []), note];
  });
  const graph = useGraphStore();
  graph.choose([noteNode(id)]);
  graph.editing = noteNode(id);
}

export function writeNote(id: string, words: string): void {
  useDrawingStore().edit(text('graphFrames.edit.write'), (draft) => {
    const note = draft.layout.notes?.find((one) => one.id === id);
    if (note !== undefined && note.text !== words) note.text = words.slice(0, 20_000);
  });
}

/** Gives a note another size; with a `mergeKey`, repeated key presses are one step. */
export function resizeNote(id: string, size: { width: number; height: number }, mergeKey?: string): void {
  const fit = (value: number, least: number): number =>
    Math.round(Math.min(MOST_NOTE, Math.max(least, value)));
  useDrawingStore().edit(
    text('graphFrames.edit.resize'),
    (draft) => {
      const note = draft.layout.notes?.find((one) => one.id === id);
      if (note === undefined) return;
      note.width = fit(size.width, LEAST_NOTE.width);
      note.height = fit(size.height, LEAST_NOTE.height);
    },
    mergeKey === undefined ? {} : { mergeKey },
  );
}
