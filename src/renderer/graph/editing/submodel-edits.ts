/** Changes to components of one’s own, each one undoable step. */
import type {
  ChainDocument,
  Expression,
  ModelDocument,
  NodePlace,
  SubmodelDocument,
} from '@engine/document/types';
import {
  componentBox,
  endParts,
  GRID,
  pinPoint,
  type Point,
  type Rectangle,
} from '@figures/circuit/geometry';
import { placeComponents } from '@figures/circuit/arrange';
import { arrayOf, instanceComponent, ownType, submodelOf } from '@figures/circuit/own-components';
import {
  duplicateDefinition,
  type Made,
  makeSubmodel,
  middle,
  isMovable,
  renamePort,
  renameSubmodel,
  renameSubmodelParameter,
  MOST_UNLINKED,
  UNLINKED_COLUMNS,
  unlinkArray,
  unlinkInstance,
} from '../../document/submodels';
import { text } from '../../i18n';
import { useDocumentStore } from '../../stores/document';
import { useDrawingStore } from '../../stores/drawing';
import { useNoticesStore } from '../../stores/notices';
import { useWorkspaceStore } from '../../stores/workspace';
import { type DrawnComponent, useCircuitStore } from '../circuit/circuit-store';
import { boundsOf, rectanglesOverlap } from '../frames/rectangles';
import { useGraphStore } from '../graph-store';
import { alsoOutside } from './circuit-edits';
import { pinLayout } from './edits';
import type { Renamed } from '../../document/submodels';

/** The chosen components that may become part of one of one’s own. */
export function movableChosen(): string[] {
  const { components } = useCircuitStore();
  return [...useGraphStore().chosen].filter((id) => {
    const one = components.get(id)?.component;
    return one !== undefined && isMovable(one);
  });
}

/** The instance that is chosen by itself; null where none is. */
export function chosenInstance(): string | null {
  const { chosen } = useGraphStore();
  const [id = ''] = chosen;
  const type = useCircuitStore().components.get(id)?.component.type;
  return chosen.size === 1 && type !== undefined && submodelOf(type) !== null ? id : null;
}

/** Renames in the document what a change of a drawing gives other names, once it is known. */
function later(): { done: (renamed: Renamed) => void; also: (draft: ModelDocument) => void } {
  let renamed: Renamed = [];
  return { done: (found) => (renamed = found), also: (draft) => alsoOutside(renamed)(draft) };
}

/** Makes a component of one’s own of what is chosen; an instance of it stands in its place. */
export function makeOfChosen(): void {
  const ids = new Set(movableChosen());
  if (ids.size === 0) return;
  const circuit = useCircuitStore();
  const drawing = useDrawingStore();
  const pointOf = (end: string) => {
    const { component, pin: name } = endParts(end);
    const one = circuit.components.get(component);
    const pin = one?.definition?.pins?.find((candidate) => candidate.name === name);
    return one === undefined || pin === undefined ? null : pinPoint(pin, one.place);
  };
  const { submodel, model } = drawing;
  const { places } = circuit;
  const result: { made: Made | null } = { made: null };
  const { done, also } = later();
  drawing.edit(
    text('submodels.edit.make'),
    (draft) => {
      pinLayout(draft);
      result.made = makeSubmodel(draft, ids, { places, pointOf }, submodel);
      done(result.made?.renamed ?? []);
    },
    {},
    also,
  );
  const instance = result.made?.instance;
  if (instance !== undefined && model !== drawing.model)
    useWorkspaceStore().select({ kind: 'element', id: instance });
}

function placesInside({ components, instances = [], wires, layout }: SubmodelDocument) {
  const { definitions } = useCircuitStore();
  const all = [...components, ...instances.map((one) => instanceComponent(one))];
  return placeComponents(all, wires, layout?.nodes ?? {}, (type) => definitions.get(type));
}

const submodelById = (id: string | null): SubmodelDocument | undefined =>
  useDocumentStore().model.submodels?.find((one) => one.id === id);

/** Room between the members of an array that has been unlinked, px. */
const BETWEEN = 3 * GRID;

/** Step in which room is looked for, px, and how often. */
const STEP = 2 * GRID;
const MOST_STEPS = 400;

/** The place nearest below that of an instance where a block around it meets nothing else that is drawn. */
function freePlace({ component, place }: DrawnComponent, block: Rectangle): NodePlace {
  const others = [...useCircuitStore().components.values()].filter((one) => one.component !== component);
  for (let k = 0; k < MOST_STEPS; k++) {
    const y = place.y + k * STEP;
    const box = { ...block, x: place.x + block.x, y: y + block.y };
    if (!others.some((one) => rectanglesOverlap(one.box, box))) return { ...place, y };
  }
  return place;
}

/** What the members of an array take up around the first, in rows. */
const membersBlock = (count: number, pitch: Point): Rectangle => ({
  x: -0.5 * pitch.x,
  y: -0.5 * pitch.y,
  width: Math.min(count, UNLINKED_COLUMNS) * pitch.x,
  height: Math.ceil(count / UNLINKED_COLUMNS) * pitch.y,
});

/** What the parts of a sub-model take up around their middle. */
function partsBlock(submodel: SubmodelDocument, inner: ReadonlyMap<string, NodePlace>): Rectangle {
  const { definitions } = useCircuitStore();
  const parts = [...submodel.components, ...(submodel.instances ?? []).map((one) => instanceComponent(one))];
  const places = parts.flatMap(({ id, type }) => {
    const place = inner.get(id);
    return place === undefined ? [] : [{ place, box: componentBox(definitions.get(type), place) }];
  });
  const bounds = boundsOf(places.map(({ box }) => box));
  const centre = middle(places.map(({ place }) => place));
  return { ...bounds, x: bounds.x - centre.x, y: bounds.y - centre.y };
}

/** Replaces the chosen instance by its parts, an array by its members. */
export function unlinkChosen(): void {
  const id = chosenInstance();
  const { components, definitions } = useCircuitStore();
  const one = components.get(id ?? '');
  const of = submodelOf(one?.component.type ?? '');
  const submodel = submodelById(of);
  if (id === null || of === null || one === undefined || submodel === undefined) return;
  const inner = placesInside(submodel);
  const { width = 0, height = 0 } = definitions.get(ownType(of))?.symbol ?? {};
  const pitch = { x: 2 * width + BETWEEN, y: 2 * height + BETWEEN };
  const { count } = arrayOf(one.component.type) ?? {};
  if (count !== undefined && count > MOST_UNLINKED) {
    useNoticesStore().info(text('submodels.tooManyToUnlink', { name: id, most: MOST_UNLINKED }));
    return;
  }
  const { done, also } = later();
  let parts: string[] = [];
  useDrawingStore().edit(
    text('submodels.edit.unlink', { name: id }),
    (draft) => {
      pinLayout(draft);
      const found =
        count === undefined
          ? unlinkInstance(draft, id, freePlace(one, partsBlock(submodel, inner)), inner)
          : unlinkArray(draft, id, freePlace(one, membersBlock(count, pitch)), pitch);
      parts = found?.ids ?? [];
      done(found?.renamed ?? []);
    },
    {},
    also,
  );
  useGraphStore().choose(parts);
}

/** Gives the chosen instance a definition of its own. */
export function duplicateOfChosen(): void {
  const id = chosenInstance();
  if (id === null) return;
  useDrawingStore().edit(text('submodels.edit.duplicate', { name: id }), (draft) => {
    duplicateDefinition(draft, id);
  });
}

/** Gives an instance a value of its own for a parameter, or that of the definition. */
export function setInstanceValue(id: string, name: string, value: Expression | undefined): void {
  useDrawingStore().edit(
    text('edit.field', { label: name, name: id }),
    (draft) => {
      const instance = draft.components?.find((one) => one.id === id);
      if (instance === undefined) return;
      if (value === undefined) delete instance[name];
      else instance[name] = value;
    },
    { mergeKey: `${id}.${name}` },
  );
}

/** Makes an array of an instance, or one of an array. @param chains pairs of pins that join neighbours */
export function setArray(id: string, count?: number, chains: readonly ChainDocument[] = []): void {
  const drawing = useDrawingStore();
  const at = drawing.inside;
  useDocumentStore().edit(text('submodels.edit.array', { name: id }), (draft) => {
    const list = at === null ? draft.instances : draft.submodels?.[at]?.instances;
    const instance = list?.find((one) => one.id === id);
    if (instance === undefined) return;
    delete instance.count;
    delete instance.chain;
    if (count === undefined) return;
    instance.count = count;
    const [first, ...others] = chains;
    if (first !== undefined) instance.chain = others.length === 0 ? first : [first, ...others];
  });
}

/** Changes a definition by itself. */
export function editSubmodel(
  id: string,
  label: string,
  change: (submodel: SubmodelDocument, model: ModelDocument) => void,
  mergeKey?: string,
): void {
  useDocumentStore().edit(
    label,
    (draft) => {
      const submodel = draft.submodels?.find((one) => one.id === id);
      if (submodel !== undefined) change(submodel, draft);
    },
    mergeKey === undefined ? {} : { mergeKey },
  );
}

/** Gives a sub-model another name; what shows it goes on showing it. */
export function renameOwn(from: string, to: string): void {
  const drawing = useDrawingStore();
  const { way } = drawing;
  editSubmodel(from, text('edit.rename', { from, to }), (_, model) => renameSubmodel(model, from, to));
  drawing.show(way.map((step) => (step.of === from ? { ...step, of: to } : step)));
}

export function renameOwnPort(of: string, from: string, to: string): void {
  editSubmodel(of, text('edit.rename', { from, to }), (_, model) => renamePort(model, of, from, to));
}

export function renameOwnParameter(of: string, from: string, to: string): void {
  editSubmodel(of, text('edit.rename', { from, to }), (_, model) =>
    renameSubmodelParameter(model, of, from, to),
  );
}

/** Removes a definition that nothing is an instance of. */
export function removeOwn(id: string): void {
  const drawing = useDrawingStore();
  drawing.leave(0);
  useDocumentStore().edit(text('edit.delete', { name: id }), (draft) => {
    const rest = (draft.submodels ?? []).filter((one) => one.id !== id);
    if (rest.length > 0) draft.submodels = rest;
    else delete draft.submodels;
  });
}
