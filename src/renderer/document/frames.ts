/** Groups and notes of the graph in the document: pure changes. */
import type { GroupDocument, LayoutColour, LayoutDocument, ModelDocument } from '@engine/document/types';

export const LAYOUT_COLOURS: readonly LayoutColour[] = ['grey', 'blue', 'green', 'yellow', 'red', 'purple'];

/** The group that each member stands in; the first one counts. */
export function groupsByMember({ groups = [] }: LayoutDocument): Map<string, GroupDocument> {
  const found = new Map<string, GroupDocument>();
  for (const group of groups)
    for (const member of group.members) if (!found.has(member)) found.set(member, group);
  return found;
}

/** Ids of groups and notes. */
const frameIds = ({ groups = [], notes = [] }: LayoutDocument): string[] =>
  [...groups, ...notes].map(({ id }) => id);

/** Ids of everything that stands in the graph, which no two may share. */
export const graphIds = ({
  systems,
  interactions,
  components = [],
  instances = [],
  wires = [],
  layout,
}: ModelDocument): string[] => [
  ...[systems, interactions, components, instances, wires].flatMap((list) => list.map(({ id }) => id)),
  ...frameIds(layout),
];

/** Takes members out of their groups. A group without members is gone, and so is a list without groups. */
export function leaveGroups(layout: LayoutDocument, gone: ReadonlySet<string>): void {
  if (layout.groups === undefined) return;
  if (!layout.groups.some(({ members }) => members.some((id) => gone.has(id)))) return;
  for (const group of layout.groups)
    if (group.members.some((id) => gone.has(id))) group.members = group.members.filter((id) => !gone.has(id));
  setGroups(
    layout,
    layout.groups.filter(({ members }) => members.length > 0),
  );
}

export function setGroups(layout: LayoutDocument, groups: GroupDocument[]): void {
  if (groups.length === 0) delete layout.groups;
  else layout.groups = groups;
}

/** Removes notes, also from their groups. */
export function removeNotes(layout: LayoutDocument, gone: ReadonlySet<string>): void {
  const rest = (layout.notes ?? []).filter(({ id }) => !gone.has(id));
  if (rest.length === 0) delete layout.notes;
  else if (rest.length !== layout.notes?.length) layout.notes = rest;
  leaveGroups(layout, gone);
}
