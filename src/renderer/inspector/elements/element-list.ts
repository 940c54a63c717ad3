/** Changes to a list of elements: each gives the next list, and where what was touched stands in it. */
import type { FieldValue, TypedElement } from '@engine/document/types';

export type ListedElements = readonly TypedElement[];

/** The list as the document keeps it: an empty one is left out. */
export const keptList = (list: ListedElements): TypedElement[] | undefined =>
  list.length === 0 ? undefined : [...list];

export const replaced = (list: ListedElements, index: number, element: TypedElement): TypedElement[] =>
  list.map((other, i) => (i === index ? element : other));

export const inserted = (list: ListedElements, index: number, element: TypedElement): TypedElement[] => [
  ...list.slice(0, index),
  element,
  ...list.slice(index),
];

export const removed = (list: ListedElements, index: number): TypedElement[] =>
  list.filter((_, i) => i !== index);

/** Anything in the order that a list has when what stands at `from` goes to `to`. */
export function movedElement<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [element] = next.splice(from, 1);
  if (element !== undefined) next.splice(to, 0, element);
  return next;
}

/** An element with a field written or taken out. */
export function withField(element: TypedElement, key: string, value: FieldValue | undefined): TypedElement {
  const next = { ...element };
  if (value === undefined) delete next[key];
  else next[key] = value;
  return next;
}
