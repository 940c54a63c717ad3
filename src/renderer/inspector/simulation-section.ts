/** Reading and writing values by their way inside the simulation section of a document. */

type Section = Record<string, unknown>;

/** The value at the end of a way; undefined where it or a section on the way is absent. */
export function valueAt(simulation: object, path: readonly string[]): unknown {
  let value: unknown = simulation;
  for (const key of path) value = (value as Section | undefined)?.[key];
  return value;
}

/** Writes a value, or removes it; a section that loses its last value goes with it. */
export function writeAt(simulation: object, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  const target = simulation as Section;
  if (rest.length === 0) {
    if (value === undefined) delete target[key];
    else target[key] = value;
    return;
  }
  const section = (target[key] ??= {}) as Section;
  writeAt(section, rest, value);
  if (Object.keys(section).length === 0) delete target[key];
}
