/** The part of a document that a run depends on. */
import type { ModelDocument } from '@engine/document/types';

/** What determines a motion; titles, units, slider ranges, plots and node positions do not. */
function physics(document: ModelDocument): unknown[] {
  const { parameters, systems, interactions, components = [], instances = [], wires = [] } = document;
  const { submodels = [], simulation, observables, scripts } = document;
  return [
    parameters.map(({ name, value }) => [name, value]),
    systems,
    interactions,
    components,
    instances,
    wires,
    submodels,
    simulation,
    observables.map(({ name, expression, function: fn, system }) => [name, expression, fn, system]),
    scripts,
  ];
}

/** True when two documents describe the same computation. */
export function samePhysics(a: ModelDocument, b: ModelDocument): boolean {
  if (a === b) return true;
  const left = physics(a);
  const right = physics(b);
  // Edits share untouched parts, so most parts compare equal by identity.
  return left.every((part, index) => alike(part, right[index]));
}

/** Of lists of the same length, such as those of elements, only what differs is written out. */
function alike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return (
      a.length === b.length &&
      a.every((one, index) => one === b[index] || canonical(one) === canonical(b[index]))
    );
  return canonical(a) === canonical(b);
}

/** Text of a value with sorted keys: an undone deletion puts a key back at the end. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  );
}

/** True when every parameter that both documents have, by name, has the same value in both. */
export function sameParameterValues(a: ModelDocument, b: ModelDocument): boolean {
  if (a.parameters === b.parameters) return true;
  const values = new Map(b.parameters.map(({ name, value }) => [name, value]));
  return a.parameters.every(({ name, value }) => !values.has(name) || values.get(name) === value);
}
