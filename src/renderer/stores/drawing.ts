/**
 * What the graph shows: the model, or the inside of one of its sub-models, entered by an instance of it or
 * by itself. It is read and edited like a document; undo goes where the change was.
 */
import type { DocumentReport, ModelDocument, SubmodelDocument } from '@engine/document/types';
import { create, type Draft, type Patches } from 'mutative';
import { defineStore } from 'pinia';
import { computed, watch } from 'vue';
import {
  changeDrawing,
  drawingOf,
  issuesInDrawing,
  placeInDrawing,
  settleInstances,
} from '../document/drawings';
import type { EditOptions } from '../document/history';
import { useDocumentStore } from './document';
import { perDocument } from './per-document';
import { useReportStore } from './report';
import { useWorkspaceStore } from './workspace';

/** One border that was crossed. */
export interface Step {
  /** id of the sub-model */
  readonly of: string;
  /** the instance by which it was entered; null where it was opened by itself */
  readonly instance: string | null;
}

const HERE: readonly Step[] = [];

export const useDrawingStore = defineStore('drawing', () => {
  const documents = useDocumentStore();
  const reports = useReportStore();
  const workspace = useWorkspaceStore();
  const wanted = perDocument<readonly Step[]>(() => HERE);

  /** borders that were crossed, as far as they are there still */
  const way = computed<readonly Step[]>(() => {
    const { submodels = [], instances = [] } = documents.model;
    let list = instances;
    const kept: Step[] = [];
    for (const step of wanted.value) {
      const { of, instance } = step;
      const next = submodels.find(({ id }) => id === of);
      if (
        next === undefined ||
        (instance !== null && !list.some((one) => one.id === instance && one.of === of))
      )
        break;
      kept.push(step);
      list = next.instances ?? [];
    }
    return kept.length === wanted.value.length ? wanted.value : kept;
  });
  /** place of the sub-model that is shown; null for the model itself */
  const inside = computed(() => {
    const of = way.value.at(-1)?.of;
    const at = documents.model.submodels?.findIndex(({ id }) => id === of) ?? -1;
    return at < 0 ? null : at;
  });
  const submodel = computed<SubmodelDocument | null>(() =>
    inside.value === null ? null : (documents.model.submodels?.[inside.value] ?? null),
  );
  const model = computed<ModelDocument>(() => drawingOf(documents.model, submodel.value));
  /** what names of signals begin with here, e.g. `leg1.`; null where it was not entered by an instance */
  const path = computed(() =>
    way.value.some(({ instance }) => instance === null)
      ? null
      : way.value.map(({ instance }) => `${instance ?? ''}.`).join(''),
  );

  const report = computed<DocumentReport>(() => {
    const { report: all } = reports;
    const { model: document } = documents;
    if (inside.value === null && (document.instances ?? []).length === 0) return all;
    const values: Record<string, number> = {};
    for (const [place, value] of Object.entries(all.values)) {
      const at = placeInDrawing(document, inside.value, place);
      if (at !== null) values[at] = value;
    }
    const rest = inside.value === null ? all : { ...all, built: { systems: [], interactions: [] } };
    return { ...rest, values, issues: issuesInDrawing(document, inside.value, all.issues) };
  });

  /**
   * Makes a named, undoable change of what is drawn.
   * @param also what else changes in the document with it
   */
  function edit(
    label: string,
    recipe: (draft: Draft<ModelDocument>) => void,
    options: EditOptions = {},
    also: (draft: ModelDocument) => void = () => undefined,
  ): void {
    const { model: before } = documents;
    if (model.value === before) {
      documents.edit(
        label,
        (draft) => {
          recipe(draft);
          settleInstances(draft);
          also(draft);
        },
        options,
      );
      return;
    }
    const after = create(model.value, recipe);
    if (after === model.value) return;
    const at = inside.value;
    documents.edit(
      label,
      (draft) => {
        changeDrawing(draft, before, after, at);
        also(draft);
      },
      options,
    );
  }

  /** JSON pointer to what stands at a place of the drawing. */
  const pointerTo = (place: string): string =>
    inside.value === null ? place : `/submodels/${inside.value}${place}`;

  function show(next: readonly Step[]): void {
    const before = way.value;
    const isSame = next.length === before.length && next.every(({ of }, k) => of === before[k]?.of);
    wanted.value = next;
    if (!isSame) workspace.select({ kind: 'model' });
  }

  /** Goes into an instance of the drawing. @returns false where it is none */
  function enter(id: string): boolean {
    const list = submodel.value === null ? documents.model.instances : submodel.value.instances;
    const instance = list?.find((one) => one.id === id);
    if (instance === undefined || !(documents.model.submodels ?? []).some((one) => one.id === instance.of))
      return false;
    show([...way.value, { of: instance.of, instance: id }]);
    return true;
  }

  /** Goes out, so far that `depth` borders are left crossed; what was come out of is selected. */
  function leave(depth = way.value.length - 1): void {
    if (depth < 0 || depth >= way.value.length) return;
    const from = way.value[depth]?.instance;
    show(way.value.slice(0, depth));
    if (from !== undefined && from !== null) workspace.select({ kind: 'element', id: from });
  }

  /** The shortest way to a sub-model by instances. */
  function wayTo(of: string): readonly Step[] {
    const { submodels = [], instances = [] } = documents.model;
    const queue: { list: typeof instances; way: readonly Step[] }[] = [{ list: instances, way: [] }];
    const seen = new Set<string>();
    for (const { list, way: so } of queue)
      for (const instance of list) {
        const next = [...so, { of: instance.of, instance: instance.id }];
        if (instance.of === of) return next;
        if (seen.has(instance.of)) continue;
        seen.add(instance.of);
        queue.push({ list: submodels.find(({ id }) => id === instance.of)?.instances ?? [], way: next });
      }
    return [{ of, instance: null }];
  }

  /** Shows a sub-model; where it is shown already, nothing moves. */
  function open(of: string): void {
    if (way.value.at(-1)?.of !== of) show(wayTo(of));
  }

  /** Where the last change was: place of a sub-model, null in the model itself. */
  let changed: { at: string | null; patches: Patches } | null = null;
  documents.onPatches((one, _, patches) => {
    if (one.session !== documents.session) return;
    const places = patches.map(({ path: keys }) => keys as (string | number)[]);
    const [first] = places;
    const within =
      first?.[0] === 'submodels' &&
      places.every((keys) => keys[0] === 'submodels' && keys[1] === first[1] && keys.length > 2);
    changed = {
      at: within ? String(first[1]) : null,
      patches,
    };
  });
  watch(
    () => documents.travels,
    () => {
      if (changed === null) return;
      const { at } = changed;
      const of = at === null ? undefined : documents.model.submodels?.[Number(at)]?.id;
      if (of !== undefined) open(of);
      else if (way.value.length > 0) leave(0);
    },
    { flush: 'sync' },
  );
  // What is chosen elsewhere, in the tree or in a list, may stand outside.
  watch(
    () => workspace.selection,
    (selection) => {
      if (selection.kind !== 'element' || submodel.value === null) return;
      const { id } = selection;
      const has = ({ components = [], wires = [], systems, interactions }: ModelDocument): boolean =>
        [components, wires, systems, interactions].some((list) => list.some((one) => one.id === id));
      if (!has(model.value) && has(drawingOf(documents.model, null))) wanted.value = HERE;
    },
    { flush: 'sync' },
  );

  return {
    way,
    inside,
    submodel,
    model,
    path,
    report,
    session: computed(() => documents.session),
    /** tells drawings of all open documents apart */
    key: computed(() => [documents.session, ...way.value.map(({ of }) => of)].join('/')),
    edit,
    endGesture: documents.endGesture,
    pointerTo,
    show,
    enter,
    leave,
    open,
  };
});
