/**
 * The fields of a form in the order they are shown: single ones, lists of elements, and groups under a
 * heading.
 */
import type { TypedElement } from '@engine/document/types';
import type { FieldDefinition } from '@engine/model/definition';
import type { ElementShape, ListField, PlainField } from './array-field';

export type FieldPart =
  | { readonly kind: 'field'; readonly key: string; readonly field: PlainField }
  | { readonly kind: 'list'; readonly key: string; readonly field: ListField }
  | { readonly kind: 'element'; readonly key: string; readonly field: ElementShape }
  | { readonly kind: 'group'; readonly key: string; readonly heading: string; readonly fields: PlainField[] };

/** Fields of one group that follow each other stand together. */
export function fieldParts(fields: readonly FieldDefinition[]): FieldPart[] {
  const parts: FieldPart[] = [];
  for (const field of fields) {
    const { key, group } = field;
    const last = parts.at(-1);
    if (field.kind === 'elements') parts.push({ kind: 'list', key, field });
    else if (field.kind === 'element') parts.push({ kind: 'element', key, field });
    else if (group === undefined) parts.push({ kind: 'field', key, field });
    else if (last?.kind === 'group' && last.heading === group) last.fields.push(field);
    else parts.push({ kind: 'group', key: `group-${key}`, heading: group, fields: [field] });
  }
  return parts;
}

/** How many of the fields have a value. */
export const givenCount = (fields: readonly PlainField[], element: TypedElement): number =>
  fields.filter(({ key }) => element[key] !== undefined).length;

/** A label without the heading that it stands under: “Angle: lower stop” under “Angle” is “Lower stop”. */
export function captionOf({ label, group }: PlainField): string {
  if (group === undefined || !label.startsWith(`${group}: `)) return label;
  const rest = label.slice(group.length + 2);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
