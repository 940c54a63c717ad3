/** Parts of a graph as text: what is copied, and how it is taken in again under fresh names. Pure. */
import type {
  ComponentDocument,
  FieldValue,
  GroupDocument,
  InteractionDocument,
  ModelDocument,
  NodePlace,
  NoteDocument,
  ParameterDocument,
  ScriptDocument,
  SubmodelDocument,
  SystemDocument,
  TableDocument,
  WireDocument,
} from '@engine/document/types';
import { ownType, submodelOf } from '@figures/circuit/own-components';
import { endParts, onGrid } from '@figures/circuit/geometry';
import { numbered } from '../../document/circuits';
import { freshName } from '../../document/factory';
import { graphIds } from '../../document/frames';
import { sameJson } from '../../document/structural-edit';
import { saysTheSame, withImported, withRenamedImports } from '../../document/script-imports';
import { groupNode, noteNode } from '../frames/frames';
import { NODE_SIZE, type Point } from '../arrangement/layout';

const FORMAT = 'moreau-graph';
const IDENTIFIER = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Elements with the links among them, and what of the model they cannot be without. */
export interface Fragment {
  readonly format: typeof FORMAT;
  readonly systems: SystemDocument[];
  readonly interactions: InteractionDocument[];
  readonly components?: ComponentDocument[];
  readonly wires?: WireDocument[];
  /** definitions of components of one’s own among them, and what these are made of */
  readonly submodels?: SubmodelDocument[];
  readonly tables?: TableDocument[];
  readonly nodes: Record<string, NodePlace>;
  readonly parameters: ParameterDocument[];
  readonly scripts: ScriptDocument[];
  readonly groups?: GroupDocument[];
  readonly notes?: NoteDocument[];
}

/** Everything written in a value that may name something: functions and words of expressions. */
function namesIn(value: unknown, functions: Set<string>, words: Set<string>): void {
  if (typeof value === 'string') {
    for (const [word] of value.matchAll(/[A-Za-z_]\w*/g)) words.add(word);
  } else if (Array.isArray(value)) for (const entry of value) namesIn(entry, functions, words);
  else if (typeof value === 'object' && value !== null)
    for (const [key, entry] of Object.entries(value)) {
      if (key === 'function' && typeof entry === 'string') functions.add(entry);
      else namesIn(entry, functions, words);
    }
}

/** The definitions of components of one’s own, with those inside of them. */
function definitionsOf(components: readonly ComponentDocument[], all: readonly SubmodelDocument[]) {
  const wanted = new Set(components.flatMap(({ type }) => submodelOf(type) ?? []));
  for (const id of wanted)
    for (const { of } of all.find((one) => one.id === id)?.instances ?? []) wanted.add(of);
  return all.filter(({ id }) => wanted.has(id));
}

/** Names of the model that a definition reads: its own parameters are no names of the model. */
function namesInside({ parameters, components, instances = [] }: SubmodelDocument, words: Set<string>): void {
  const inside = new Set<string>();
  namesIn([components, instances, parameters.map(({ value }) => value)], new Set(), inside);
  for (const { name } of parameters) inside.delete(name);
  for (const word of inside) words.add(word);
}

/** Names that a script exports. */
const exportsOf = ({ source }: ScriptDocument): string[] =>
  source.flatMap((line) => /export\s+(?:const|let|function)\s+([\w$]+)/.exec(line)?.[1] ?? []);

/** Whether elements that name these functions need a script. */
const isNeeded = (script: ScriptDocument, functions: ReadonlySet<string>): boolean =>
  script.role === 'functions' && exportsOf(script).some((name) => functions.has(name));

/**
 * What is copied of some elements, groups and notes: links to others are left out.
 * @param ids in the document
 * @param positions of all elements
 * @param places of components
 */
export function fragmentOf(
  document: ModelDocument,
  ids: ReadonlySet<string>,
  positions: Readonly<Record<string, Point>>,
  places: ReadonlyMap<string, NodePlace> = new Map(),
): Fragment {
  const systems = document.systems.filter(({ id }) => ids.has(id));
  const interactions = document.interactions
    .filter(({ id }) => ids.has(id))
    .map((interaction) => ({
      ...interaction,
      systems: interaction.systems.filter((id) => ids.has(id)),
    }));
  const functions = new Set<string>();
  const words = new Set<string>();
  const components = (document.components ?? []).filter(({ id }) => ids.has(id));
  // Wires come along with the components at their ends.
  const wires = (document.wires ?? []).flatMap((wire): WireDocument[] => {
    const ends = wire.ends.filter((end) => ids.has(endParts(end).component));
    return ends.length < 2 ? [] : [{ ...wire, ends }];
  });
  namesIn([systems, interactions, components], functions, words);
  const submodels = definitionsOf(components, document.submodels ?? []);
  for (const submodel of submodels) namesInside(submodel, words);
  const scripts = withImported(
    document.scripts.filter((script) => isNeeded(script, functions)),
    document.scripts,
  );
  namesIn(
    scripts.map(({ source }) => source),
    functions,
    words,
  );
  const parameters: ParameterDocument[] = [];
  // Parameters name others, which may stand before or after them.
  for (let found = -1; found !== parameters.length;) {
    found = parameters.length;
    for (const parameter of document.parameters) {
      if (parameters.includes(parameter) || !words.has(parameter.name)) continue;
      parameters.push(parameter);
      namesIn(parameter.value, functions, words);
    }
  }
  const tables = (document.tables ?? []).filter(({ id }) => words.has(id));
  const nodes: Record<string, NodePlace> = Object.fromEntries([
    ...[...systems, ...interactions].flatMap(({ id }) => {
      const place = positions[id];
      return place === undefined ? [] : [[id, { x: place.x, y: place.y }] as const];
    }),
    ...components.flatMap(({ id }) => {
      const place = places.get(id);
      return place === undefined ? [] : [[id, { ...place }] as const];
    }),
  ]);
  const notes = (document.layout.notes ?? []).filter(({ id }) => ids.has(id));
  // A group comes along when it is chosen, or all that stands in it is.
  const groups = (document.layout.groups ?? []).filter(
    ({ id, members }) => ids.has(id) || (members.length > 0 && members.every((member) => ids.has(member))),
  );
  return structuredClone({
    format: FORMAT,
    systems,
    interactions,
    ...(components.length > 0 && { components }),
    ...(wires.length > 0 && { wires }),
    ...(submodels.length > 0 && { submodels }),
    ...(tables.length > 0 && { tables }),
    nodes,
    parameters,
    scripts,
    ...(groups.length > 0 && { groups }),
    ...(notes.length > 0 && { notes }),
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTyped = (value: unknown): boolean => isRecord(value) && typeof value['type'] === 'string';
const isNamed = (value: unknown, key: string): boolean =>
  isRecord(value) && typeof value[key] === 'string' && IDENTIFIER.test(value[key]);

function isSystem(value: unknown): boolean {
  return isTyped(value) && isNamed(value, 'id');
}

function isWire(value: unknown): boolean {
  if (!isRecord(value) || !isNamed(value, 'id')) return false;
  const { ends } = value;
  return Array.isArray(ends) && ends.every((end) => typeof end === 'string');
}

function isSubmodel(value: unknown): boolean {
  if (!isRecord(value) || !isNamed(value, 'id')) return false;
  const { ports, parameters, components, instances, wires, layout } = value;
  return (
    listOf(ports, (port) => isNamed(port, 'name') && isNamed(port, 'wire')) &&
    listOf(parameters, (parameter) => isNamed(parameter, 'name')) &&
    listOf(components, isSystem) &&
    listOf(instances ?? [], (instance) => isNamed(instance, 'id') && isNamed(instance, 'of')) &&
    listOf(wires, isWire) &&
    (layout === undefined ||
      (isRecord(layout) && isRecord(layout['nodes']) && Object.values(layout['nodes']).every(isPoint)))
  );
}

function isTable(value: unknown): boolean {
  const isNumber = (entry: unknown): boolean => Number.isFinite(entry);
  return (
    isRecord(value) && isNamed(value, 'id') && listOf(value['t'], isNumber) && listOf(value['y'], isNumber)
  );
}

function isInteraction(value: unknown): boolean {
  return (
    isRecord(value) &&
    isNamed(value, 'id') &&
    Array.isArray(value['systems']) &&
    value['systems'].every((id) => typeof id === 'string') &&
    isTyped(value['relation']) &&
    isTyped(value['law']) &&
    (value['while'] === undefined || isTyped(value['while']))
  );
}

function isScript(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    value['role'] === 'functions' &&
    Array.isArray(value['source']) &&
    value['source'].every((line) => typeof line === 'string')
  );
}

function isGroup(value: unknown): boolean {
  if (!isRecord(value) || !isNamed(value, 'id') || typeof value['name'] !== 'string') return false;
  const { members } = value;
  return Array.isArray(members) && members.every((id) => typeof id === 'string');
}

function isNote(value: unknown): boolean {
  const sides = ['x', 'y', 'width', 'height'];
  return (
    isRecord(value) &&
    isNamed(value, 'id') &&
    typeof value['text'] === 'string' &&
    sides.every((side) => Number.isFinite(value[side]))
  );
}

const listOf = (value: unknown, holds: (entry: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(holds);

function isPoint(value: unknown): boolean {
  return isRecord(value) && Number.isFinite(value['x']) && Number.isFinite(value['y']);
}

/**
 * Reads copied elements. What their fields hold is judged as that of a document is: as issues at their
 * places.
 * @returns null where the text is none of ours, or has been damaged
 */
export function readFragment(text: string): Fragment | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const isFragment =
    isRecord(value) &&
    value['format'] === FORMAT &&
    listOf(value['systems'], isSystem) &&
    listOf(value['interactions'], isInteraction) &&
    listOf(value['components'] ?? [], isSystem) &&
    listOf(value['wires'] ?? [], isWire) &&
    listOf(value['submodels'] ?? [], isSubmodel) &&
    listOf(value['tables'] ?? [], isTable) &&
    listOf(value['parameters'], (entry) => isNamed(entry, 'name')) &&
    listOf(value['scripts'], isScript) &&
    listOf(value['groups'] ?? [], isGroup) &&
    listOf(value['notes'] ?? [], isNote) &&
    isRecord(value['nodes']) &&
    Object.values(value['nodes']).every(isPoint);
  return isFragment ? (value as Fragment) : null;
}

/** Ids, words and functions that stand for others after pasting. */
type Renaming = ReadonlyMap<string, string>;

/** Expressions that speak of pasted elements, such as `ball.q`, go on speaking of them. */
function renamedIn(value: FieldValue | undefined, names: Renaming): FieldValue | undefined {
  if (typeof value === 'string')
    return value.replace(/([A-Za-z_]\w*)(?=\.)/g, (word) => names.get(word) ?? word);
  if (Array.isArray(value)) return value.map((entry) => renamedIn(entry as FieldValue, names)) as FieldValue;
  return value;
}

export interface Pasted {
  /** ids of the new elements */
  readonly ids: string[];
  /** nodes of the new groups and notes */
  readonly frames: string[];
  /** names of parameters, tables, definitions and scripts that came with them */
  readonly brought: string[];
}

/**
 * Adds copied elements to a document under fresh ids, with the parameters and script functions it lacks.
 * @param at upper left corner they get; below their old places when it is left out
 */
export function pasteInto(document: ModelDocument, fragment: Fragment, at: Point | null): Pasted {
  const {
    systems,
    interactions,
    parameters,
    scripts,
    nodes,
    components = [],
    wires = [],
    submodels = [],
    tables = [],
    groups = [],
    notes = [],
  } = structuredClone(fragment);
  const taken = new Set(graphIds(document));
  const names = new Map<string, string>();
  const isNumbered = new Set([...components, ...wires].map(({ id }) => id));
  for (const { id } of [...systems, ...interactions, ...components, ...wires, ...notes, ...groups]) {
    const base = id.replace(/\d+$/, '') || id;
    const fresh = isNumbered.has(id) ? numbered(base, taken) : freshName(base, taken, '');
    const name = taken.has(id) ? fresh : id;
    taken.add(name);
    names.set(id, name);
  }
  for (const system of systems) {
    system.id = names.get(system.id) ?? system.id;
    for (const key of Object.keys(system))
      if (key !== 'id' && key !== 'type') system[key] = renamedIn(system[key], names);
    document.systems.push(system);
  }
  for (const interaction of interactions) {
    interaction.id = names.get(interaction.id) ?? interaction.id;
    interaction.systems = interaction.systems.flatMap((id) => names.get(id) ?? []);
    document.interactions.push(interaction);
  }
  const definitions = bringDefinitions(document, submodels);
  for (const component of components) {
    const of = submodelOf(component.type) ?? '';
    const name = definitions.names.get(of);
    if (name !== undefined) component.type = ownType(name) + component.type.slice(ownType(of).length);
  }
  pasteCircuit(document, components, wires, names);
  const places = [...Object.values(nodes), ...notes];
  const corner = {
    x: places.reduce((least, { x }) => Math.min(least, x), Infinity),
    y: places.reduce((least, { y }) => Math.min(least, y), Infinity),
  };
  const lowest = places.reduce((most, { y }) => Math.max(most, y), -Infinity);
  const shift =
    at === null
      ? { x: 0, y: lowest - corner.y + NODE_SIZE.height + 36 }
      : { x: at.x - corner.x, y: at.y - corner.y };
  // Components stay on their grid.
  if (components.length > 0) [shift.x, shift.y] = [onGrid(shift.x), onGrid(shift.y)];
  for (const [id, place] of Object.entries(nodes)) {
    const name = names.get(id);
    if (name !== undefined)
      document.layout.nodes[name] = {
        ...place,
        x: Math.round(place.x + shift.x),
        y: Math.round(place.y + shift.y),
      };
  }
  const named = (id: string): string => names.get(id) ?? id;
  for (const note of notes) {
    const place = { x: Math.round(note.x + shift.x), y: Math.round(note.y + shift.y) };
    document.layout.notes = [...(document.layout.notes ?? []), { ...note, id: named(note.id), ...place }];
  }
  for (const group of groups) {
    const members = group.members.flatMap((id) => names.get(id) ?? []);
    if (members.length === 0) continue;
    document.layout.groups = [...(document.layout.groups ?? []), { ...group, id: named(group.id), members }];
  }
  const functions = new Set<string>();
  namesIn([systems, interactions], functions, new Set());
  return {
    ids: [...systems, ...interactions, ...components].map(({ id }) => id),
    frames: [...notes.map(({ id }) => noteNode(named(id))), ...groups.map(({ id }) => groupNode(named(id)))],
    brought: [
      ...definitions.added,
      ...bringTables(document, tables),
      ...bring(document, parameters, scripts, functions),
    ],
  };
}

/** Adds components and the wires between them, under their new names. */
function pasteCircuit(
  document: ModelDocument,
  components: ComponentDocument[],
  wires: WireDocument[],
  names: Renaming,
): void {
  const named = (id: string): string => names.get(id) ?? id;
  for (const component of components) {
    component.id = named(component.id);
    for (const [key, value] of Object.entries(component)) {
      if (key === 'id' || key === 'type') continue;
      component[key] = Array.isArray(value)
        ? ((value as FieldValue[]).map((one) => (typeof one === 'string' ? named(one) : one)) as FieldValue)
        : renamedIn(value, names);
    }
  }
  for (const wire of wires) {
    wire.id = named(wire.id);
    wire.ends = wire.ends.map((end) => {
      const { component, pin } = endParts(end);
      return `${named(component)}.${pin}`;
    });
  }
  if (components.length > 0) document.components = [...(document.components ?? []), ...components];
  if (wires.length > 0) document.wires = [...(document.wires ?? []), ...wires];
}

/** Whether two definitions say the same, wherever their parts are drawn. */
const isSameDefinition = (a: SubmodelDocument | undefined, b: SubmodelDocument): boolean =>
  sameJson({ ...a, layout: null }, { ...b, layout: null });

/**
 * Adds the definitions that a document lacks. One that says the same as that of the document is that one,
 * and one that says something else gets another name.
 * @returns names under which they stand, by those that they had, and which are new
 */
function bringDefinitions(
  document: ModelDocument,
  submodels: readonly SubmodelDocument[],
): { names: Renaming; added: string[] } {
  const own = new Map((document.submodels ?? []).map((one) => [one.id, one]));
  const taken = new Set([...own.keys(), ...submodels.map(({ id }) => id)]);
  const isOther = new Set(
    submodels.filter((one) => own.has(one.id) && !isSameDefinition(own.get(one.id), one)),
  );
  // What holds one that has another name here is another itself.
  for (let size = -1; size !== isOther.size;) {
    size = isOther.size;
    const others = new Set([...isOther].map(({ id }) => id));
    for (const one of submodels)
      if (own.has(one.id) && one.instances?.some(({ of }) => others.has(of)) === true) isOther.add(one);
  }
  const names = new Map<string, string>();
  for (const { id } of isOther) {
    const name = numbered(id.replace(/\d+$/, '') || id, taken);
    taken.add(name);
    names.set(id, name);
  }
  const added = submodels.filter((one) => !own.has(one.id) || isOther.has(one));
  const renamed = added.map((one): SubmodelDocument => {
    const instances = one.instances?.map((part) => ({ ...part, of: names.get(part.of) ?? part.of }));
    return { ...one, id: names.get(one.id) ?? one.id, ...(instances !== undefined && { instances }) };
  });
  if (renamed.length > 0) document.submodels = [...(document.submodels ?? []), ...renamed];
  return { names, added: renamed.map(({ id }) => id) };
}

/** Adds the tables that a document lacks. @returns their names */
function bringTables(document: ModelDocument, tables: readonly TableDocument[]): string[] {
  const known = new Set((document.tables ?? []).map(({ id }) => id));
  const added = tables.filter(({ id }) => !known.has(id));
  if (added.length > 0) document.tables = [...(document.tables ?? []), ...added];
  return added.map(({ id }) => id);
}

function bring(
  document: ModelDocument,
  parameters: readonly ParameterDocument[],
  scripts: readonly ScriptDocument[],
  functions: ReadonlySet<string>,
): string[] {
  const brought: string[] = [];
  const known = new Set(document.parameters.map(({ name }) => name));
  for (const parameter of parameters) {
    if (known.has(parameter.name)) continue;
    document.parameters.push(parameter);
    brought.push(parameter.name);
  }
  return [...brought, ...bringScripts(document, scripts, functions)];
}

/**
 * Adds the scripts whose functions a document lacks, with what they import. What is imported keeps its name
 * where the document has the very same script, and gets a fresh one where another stands under that name.
 * @param functions that the new elements name @returns names of the new scripts
 */
function bringScripts(
  document: ModelDocument,
  scripts: readonly ScriptDocument[],
  functions: ReadonlySet<string>,
): string[] {
  const exported = new Set(document.scripts.flatMap(exportsOf));
  const lacking = scripts.filter(
    (script) => isNeeded(script, functions) && !exportsOf(script).every((name) => exported.has(name)),
  );
  const names = new Map<string, string>();
  const added: ScriptDocument[] = [];
  for (const script of withImported(lacking, scripts)) {
    const same = document.scripts.find((one) => saysTheSame(one, script));
    if (same !== undefined && !lacking.includes(script)) {
      names.set(script.name, same.name);
      continue;
    }
    const base = script.name.replace(/\.ts$/, '');
    const others = [...document.scripts, ...added].map(({ name }) => name.replace(/\.ts$/, ''));
    const name = `${freshName(base, others)}.ts`;
    names.set(script.name, name);
    added.push({ ...script, name });
  }
  document.scripts.push(...added.map((script) => withRenamedImports(script, names)));
  return added.map(({ name }) => name);
}
