/** Changes to the graph, each one undoable step. */
import type {
  LayoutDocument,
  ModelDocument,
  NodePlace,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type { Catalogue, ElementDefinition } from '@engine/model/definition';
import {
  SHAPE_CONTACT,
  contactLinks,
  contactOfAll,
  FIXED,
  isBody,
  placeBeside,
  shapesOf,
} from '../../document/bodies';
import { firstLaw, freshName, newInteraction, newSystem } from '../../document/factory';
import { graphIds } from '../../document/frames';
import { removeFromGraph } from '../../document/removal';
import { link, linkRefusal, unlink } from '../../document/links';
import { systemDimension, systemOrder } from '../../document/sizes';
import { startingHold } from '../../document/space-joints';
import { suitSimulation } from '../../document/space-settings';
import { addStart, type BodyStart } from '../../document/starts';
import { showFirstBody } from '../../document/views';
import { appendFunction } from '../../script/functions';
import { counted, text } from '../../i18n';
import { useCatalogueStore } from '../../stores/catalogue';
import { useDrawingStore } from '../../stores/drawing';
import { useNoticesStore } from '../../stores/notices';
import { useWorkspaceStore } from '../../stores/workspace';
import { noteTitle } from '../canvas/flow';
import { documentId, isGroupNode, isNoteNode, resolveMoves, withMembers } from '../frames/frames';
import { useCircuitStore } from '../circuit/circuit-store';
import { endParts, onGrid } from '@figures/circuit/geometry';
import { carriedLines } from '@figures/circuit/lines';
import { pinAt } from '@figures/circuit/wires';
import { useGraphStore } from '../graph-store';
import { freeWithin, NODE_SIZE, type Point, rightOf } from '../arrangement/layout';
import { useNodePlaces } from '../arrangement/node-places';
import { contains } from '../frames/rectangles';
import { ALWAYS_CARDS } from '../canvas/viewing';

/** Ids of everything in the graph of the document. */
export const takenIds = (): string[] => graphIds(useDrawingStore().model);

/** What a node is called. */
export function nodeName({ groups, notes }: LayoutDocument, node: string): string {
  const id = documentId(node);
  if (isGroupNode(node)) return groups?.find((group) => group.id === id)?.name ?? id;
  if (!isNoteNode(node)) return id;
  return text('graphFrames.noteName', { text: noteTitle(notes?.find((note) => note.id === id)?.text ?? '') });
}

/**
 * A free place for a new node, so that it is seen at once: below what is there, in a large drawing where it
 * is looked at.
 */
function freePlace(): Point {
  const places = Object.values(useNodePlaces().positions);
  if (places.length === 0) return { x: 0, y: 0 };
  const below = {
    x: places.reduce((least, { x }) => Math.min(least, x), Infinity),
    y: places.reduce((most, { y }) => Math.max(most, y), -Infinity) + 112,
  };
  const { seen } = useGraphStore();
  // A small drawing is shown as a whole, whatever is added to it.
  if (seen === null || places.length <= ALWAYS_CARDS || contains(seen, { ...below, ...NODE_SIZE }))
    return below;
  return freeWithin(seen, places) ?? below;
}

/** Keeps computed positions in the document: otherwise one placed node would rearrange the others. */
export function pinLayout(draft: { layout: { nodes: Record<string, NodePlace> } }): void {
  const { model } = useDrawingStore();
  const { positions } = useNodePlaces();
  const placed = model.layout.nodes;
  const computed: Record<string, NodePlace> = {};
  for (const list of [model.systems, model.interactions])
    for (const { id } of list) {
      const place = positions[id];
      if (placed[id] === undefined && place !== undefined) computed[id] = place;
    }
  for (const [id, place] of useCircuitStore().places)
    if (placed[id] === undefined) computed[id] = { ...place };
  // In one go: one by one they would be as many changes.
  if (Object.keys(computed).length > 0) draft.layout.nodes = { ...placed, ...computed };
}

/** Gives a new element the script functions it cannot be without, from their templates. */
export function addFunctions(
  draft: Pick<ModelDocument, 'scripts'>,
  element: TypedElement,
  definition: ElementDefinition,
): void {
  const { catalogue } = useCatalogueStore();
  if (catalogue === null) return;
  for (const field of definition.fields) {
    const value = element[field.key];
    if (!('plugin' in field) || typeof value !== 'object' || !('function' in value)) continue;
    if (value.function === '')
      element[field.key] = { function: appendFunction(draft, catalogue, field.plugin).name };
  }
}

/** What a new system is called; a number is added to it where that is taken. */
function systemName({ type, order }: ElementDefinition): string {
  if (order !== 'body') return 'system';
  return type === FIXED ? 'floor' : 'body';
}

/** What sets the state of a first-order system begins with the first one of the model, and all of it. */
function referToState(
  system: SystemDocument,
  { fields }: ElementDefinition,
  { systems }: ModelDocument,
  catalogue: Catalogue,
): void {
  const field = fields.find((one) => one.kind === 'reference' && one.to === 'firstOrderSystem');
  const first = systems.find(({ type }) => catalogue.systems.find((one) => one.type === type)?.order === 1);
  if (field === undefined || first === undefined) return;
  system[field.key] = first.id;
  if (Array.isArray(system['map'])) system['map'] = new Array<string>(systemDimension(first)).fill('0');
}

/**
 * Adds a system of a type and selects it; a 3D body joins the contact that links all others, and the
 * first one is shown.
 */
/** @param linkedTo interaction that it is linked to */
export function addSystem(type: string, at: Point = freePlace(), linkedTo?: string): void {
  const { catalogue, definition: find } = useCatalogueStore();
  const definition = find('systems', type);
  if (definition === undefined) return;
  // Sub-models are drawn of components.
  useDrawingStore().leave(0);
  const id = freshName(systemName(definition), takenIds(), '');
  useDrawingStore().edit(text('edit.add', { name: definition.title }), (draft) => {
    pinLayout(draft);
    const system = newSystem(definition, id);
    addFunctions(draft, system, definition);
    if (catalogue !== null) referToState(system, definition, draft, catalogue);
    placeBeside(system, draft);
    const contact = shapesOf(system).length > 0 ? contactOfAll(draft) : undefined;
    if (isBody(system)) showFirstBody(draft);
    draft.systems.push(system);
    contact?.systems.push(id);
    suitSimulation(draft, catalogue);
    draft.layout.nodes[id] = at;
    if (linkedTo !== undefined) link(draft, catalogue, linkedTo, id);
  });
  useWorkspaceStore().select({ kind: 'element', id });
}

/** Adds bodies that are ready to move, with the contact between them, and selects the last. */
export function addBodies(start: BodyStart, at: Point = freePlace()): void {
  const { catalogue } = useCatalogueStore();
  useDrawingStore().leave(0);
  let last = '';
  useDrawingStore().edit(text('edit.add', { name: start.title }), (draft) => {
    pinLayout(draft);
    showFirstBody(draft);
    const { bodies, contact } = addStart(draft, start, takenIds());
    suitSimulation(draft, catalogue);
    [...bodies, ...(contact === null ? [] : [contact])].forEach((id, k) => {
      draft.layout.nodes[id] = {
        x: at.x + (id === contact ? NODE_SIZE.width + 80 : 0),
        y: at.y + 112 * (id === contact ? 0 : k),
      };
    });
    last = bodies.at(-1) ?? '';
  });
  useWorkspaceStore().select({ kind: 'element', id: last });
}

/** What a new interaction is called; a number is added to it where that is taken. */
function interactionName(relation: ElementDefinition, law: ElementDefinition): string {
  if (law.order === 2 || law.order === 'body') return 'contact';
  return relation.law === undefined ? 'relation' : 'joint';
}

/**
 * Adds an interaction with a relation of a type and the first law that suits it; links it to the selected
 * system when that is one that the relation links. The first contact of shapes links all bodies that have
 * any.
 */
export function addInteraction(relationType: string, at?: Point): void {
  const store = useCatalogueStore();
  const relation = store.definition('relations', relationType);
  const law = firstLaw(store.catalogue, relation);
  if (relation === undefined || law === undefined) return;
  useDrawingStore().leave(0);
  const documents = useDrawingStore();
  const { selection } = useWorkspaceStore();
  const system =
    selection.kind === 'element'
      ? documents.model.systems.find(
          (other) =>
            other.id === selection.id &&
            systemOrder(store.catalogue, other) === relation.order &&
            relation.links?.types.includes(other.type) !== false,
        )
      : undefined;
  const id = freshName(interactionName(relation, law), takenIds(), '');
  const { model } = documents;
  const linked =
    relation.type === SHAPE_CONTACT
      ? contactLinks(model, system?.id)
      : system === undefined
        ? []
        : [system.id];
  const place = at ?? (system === undefined ? freePlace() : rightOf(system.id, useNodePlaces().positions));
  documents.edit(text('edit.add', { name: relation.title }), (draft) => {
    pinLayout(draft);
    const width = system === undefined ? 1 : systemDimension(system);
    const interaction = newInteraction(relation, law, id, linked, width);
    Object.assign(interaction.relation, startingHold(draft, interaction));
    addFunctions(draft, interaction.relation, relation);
    draft.interactions.push(interaction);
    draft.layout.nodes[id] = place;
  });
  useWorkspaceStore().select({ kind: 'element', id });
}

/** Links two elements; says why where that is not allowed. */
export function connectElements(from: string, to: string): void {
  const documents = useDrawingStore();
  const { catalogue } = useCatalogueStore();
  const refusal = linkRefusal(documents.model, catalogue, from, to);
  if (refusal !== null) {
    const isSystem = documents.model.systems.some(({ id }) => id === from);
    const [system, interaction] = isSystem ? [from, to] : [to, from];
    useNoticesStore().info(text(`graph.refused.${refusal}`, { from, to, system, interaction }));
    return;
  }
  documents.edit(text('edit.link', { from, to }), (draft) => link(draft, catalogue, from, to));
}

/** Takes systems out of interactions. */
export function disconnectElements(pairs: readonly { interaction: string; system: string }[]): void {
  const { catalogue } = useCatalogueStore();
  useDrawingStore().edit(text('edit.unlink'), (draft) => {
    for (const { interaction, system } of pairs) unlink(draft, catalogue, interaction, system);
  });
}

/** Removes elements with their links, notes, and groups with their members. */
export function deleteElements(ids: readonly string[]): void {
  const documents = useDrawingStore();
  const { layout } = documents.model;
  const taken = new Set(takenIds());
  const own = [...withMembers(ids, layout)].filter((id) => taken.has(id));
  if (own.length === 0) return;
  const { catalogue } = useCatalogueStore();
  const [only = ''] = ids;
  const label =
    ids.length === 1
      ? text('edit.delete', { name: nodeName(layout, only) })
      : counted('edit.deleteMany', own.length);
  documents.edit(label, (draft) => {
    // What stays, stays where it is.
    pinLayout(draft);
    removeFromGraph(draft, catalogue, own);
  });
  useWorkspaceStore().select({ kind: 'model' });
}

/** Gives a component a place by the corner of its box, on the grid. */
function placeComponent(draft: ModelDocument, id: string, corner: Point): void {
  const one = useCircuitStore().components.get(id);
  const place = draft.layout.nodes[id];
  if (one === undefined || place === undefined) return;
  draft.layout.nodes[id] = {
    ...place,
    x: onGrid(corner.x + one.place.x - one.box.x),
    y: onGrid(corner.y + one.place.y - one.box.y),
  };
}

/** Lines laid by hand go where the pins at their ends have gone. */
function carryWires({ layout, wires = [] }: Pick<ModelDocument, 'layout' | 'wires'>): void {
  if (layout.wires === undefined) return;
  const { components } = useCircuitStore();
  for (const { id, ends } of wires) {
    const lines = layout.wires[id];
    if (lines === undefined) continue;
    const moves = ends.flatMap((end) => {
      const { component } = endParts(end);
      const [from, place, now] = [
        pinAt(components, end),
        components.get(component)?.place,
        layout.nodes[component],
      ];
      if (from === null || place === undefined || now === undefined) return [];
      return [{ from, by: { x: now.x - place.x, y: now.y - place.y } }];
    });
    if (moves.some(({ by }) => by.x !== 0 || by.y !== 0)) layout.wires[id] = carriedLines(lines, moves);
  }
}

/** Places nodes; with a `mergeKey`, repeated key presses are one step. */
export function moveNodes(places: Record<string, Point>, mergeKey?: string, label?: string): void {
  const ids = Object.keys(places);
  if (ids.length === 0) return;
  const documents = useDrawingStore();
  const { layout } = documents.model;
  const name = ids.length === 1 ? nodeName(layout, ids[0] ?? '') : counted('graphEditor.nodes', ids.length);
  const moved = resolveMoves(places, layout, useNodePlaces().positions);
  const own = new Set(takenIds());
  const { components } = useCircuitStore();
  documents.edit(
    label ?? text('edit.move', { name }),
    (draft) => {
      pinLayout(draft);
      for (const [id, { x, y }] of Object.entries(moved.nodes))
        if (components.has(id)) placeComponent(draft, id, { x, y });
        else if (own.has(id)) draft.layout.nodes[id] = { x: Math.round(x), y: Math.round(y) };
      carryWires(draft);
      for (const note of draft.layout.notes ?? []) {
        const place = moved.notes[note.id];
        if (place === undefined) continue;
        note.x = Math.round(place.x);
        note.y = Math.round(place.y);
      }
    },
    mergeKey === undefined ? {} : { mergeKey },
  );
}
