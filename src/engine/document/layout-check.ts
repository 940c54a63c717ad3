/** Checks groups and notes of the graph. Physics never reads them: their defects are warnings, and a model with them runs. */
import type { DocumentIssue, ModelDocument } from './types';

/** Defects of the groups and notes of a document that has all its elements, those that its builder script adds included. */
export function layoutIssues({
  systems,
  interactions,
  layout: { groups = [], notes = [] },
}: Pick<ModelDocument, 'systems' | 'interactions' | 'layout'>): DocumentIssue[] {
  if (groups.length + notes.length === 0) return [];
  const issues: DocumentIssue[] = [];
  const warn = (code: string, pointer: string, element: string, message: string, remedy: string): void => {
    issues.push({ severity: 'warning', code, pointer, element, message, remedy });
  };
  const members = new Set([...systems, ...interactions, ...notes].map(({ id }) => id));
  const taken = new Set([...systems, ...interactions].map(({ id }) => id));
  const checkId = (id: string, place: string, what: string): void => {
    if (taken.has(id))
      warn(
        'duplicate-id',
        `${place}/id`,
        id,
        `The id “${id}” of a ${what} is used twice.`,
        'Give it another one.',
      );
    taken.add(id);
  };
  notes.forEach(({ id }, i) => checkId(id, `/layout/notes/${i}`, 'note'));
  const groupOf = new Map<string, string>();
  groups.forEach(({ id, name, members: list }, i) => {
    const place = `/layout/groups/${i}`;
    checkId(id, place, 'group');
    if (list.length === 0)
      warn(
        'empty-group',
        `${place}/members`,
        id,
        `The group “${name}” has no members, and is not drawn.`,
        'Name some, or remove it.',
      );
    list.forEach((member, k) => {
      const at = `${place}/members/${k}`;
      if (!members.has(member))
        warn(
          'unknown-member',
          at,
          id,
          `The group “${name}” has the member “${member}”, which does not exist.`,
          'Remove it there, or add an element of that name. A group cannot be a member.',
        );
      const other = groupOf.get(member);
      if (other !== undefined)
        warn(
          'two-groups',
          at,
          id,
          other === name
            ? `“${member}” is a member of the group “${name}” twice.`
            : `“${member}” is a member of two groups, “${other}” and “${name}”.`,
          'Leave it in one of them; the first counts.',
        );
      else groupOf.set(member, name);
    });
  });
  return issues;
}
