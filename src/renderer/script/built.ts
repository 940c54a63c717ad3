/** Elements that builder scripts add, and the line that each comes from. */
import type { ScriptPlace } from '@engine/errors';
import type {
  ComponentDocument,
  DocumentReport,
  InstanceDocument,
  InteractionDocument,
  SystemDocument,
  WireDocument,
} from '@engine/document/types';

export type Built = NonNullable<DocumentReport['built']>;

const known = new WeakMap<Built, ReadonlyMap<string, ScriptPlace>>();

/** Lines by id, gathered once for each report. */
export function originsOf(built: Built): ReadonlyMap<string, ScriptPlace> {
  const found = known.get(built);
  if (found !== undefined) return found;
  const origins = new Map<string, ScriptPlace>();
  const add = (elements: readonly { id: string }[], places: readonly (ScriptPlace | null)[] = []): void =>
    places.forEach((place, i) => {
      const id = elements[i]?.id;
      if (id !== undefined && place !== null) origins.set(id, place);
    });
  add(built.systems, built.origins?.systems);
  add(built.interactions, built.origins?.interactions);
  // What is drawn is known by its script only.
  for (const { script, components, instances, wires } of built.drawings ?? [])
    for (const { id } of [...components, ...instances, ...wires])
      if (!origins.has(id)) origins.set(id, { name: script, line: 1, column: 1 });
  known.set(built, origins);
  return origins;
}

/** Whether a script once built and no longer does: only builders have a default export. */
export const isSwitchedOff = ({ role, source }: { role: string; source: readonly string[] }): boolean =>
  role === 'functions' && source.some((line) => /^\s*export\s+default\b/.test(line));

/** What a script adds to the model. */
export interface BuiltBy {
  systems: SystemDocument[];
  interactions: InteractionDocument[];
  components: ComponentDocument[];
  instances: InstanceDocument[];
  wires: WireDocument[];
}

/**
 * The elements of one script.
 * @param scripts builder scripts of the document; what has no known line is the first one's
 */
export function builtBy(built: Built, script: string, scripts: readonly string[]): BuiltBy {
  const own = <T extends { id: string }>(elements: readonly T[]): T[] =>
    elements.filter(({ id }) => (originsOf(built).get(id)?.name ?? scripts[0]) === script);
  const drawn = built.drawings?.find((one) => one.script === script);
  return {
    systems: own(built.systems),
    interactions: own(built.interactions),
    components: drawn?.components ?? [],
    instances: drawn?.instances ?? [],
    wires: drawn?.wires ?? [],
  };
}
