/** Keys of properties, as far as they stand in the text. */
import type * as ast from 'acorn';

/** Name or index of a property that stands in the text; null when it is computed. */
export function staticKey(node: { property: ast.AnyNode; computed: boolean }): string | null {
  const { property, computed } = node;
  if (!computed) return property.type === 'Identifier' ? property.name : null;
  if (property.type !== 'Literal') return null;
  return typeof property.value === 'number' || typeof property.value === 'string'
    ? String(property.value)
    : null;
}

/** Key of a property in an object literal or pattern; null when it is computed. */
export function keyOf(property: ast.Property | ast.AssignmentProperty): string | null {
  if (!property.computed && property.key.type === 'Identifier') return property.key.name;
  return property.key.type === 'Literal' ? String(property.key.value) : null;
}
