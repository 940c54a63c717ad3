/** Changes to the analyses of the document, each one undoable step. */
import type { AnalysisDocument, FieldValue, TypedElement } from '@engine/document/types';
import type { ElementDefinition } from '@engine/model/definition';
import { newAnalysis } from '../document/analyses';
import { newElement } from '../document/factory';
import { changeType } from '../document/fields';
import { text } from '../i18n';
import { useAnalysesStore } from '../stores/analyses';
import { useCatalogueStore } from '../stores/catalogue';
import { useDocumentStore } from '../stores/document';
import type { FieldNote } from '../inspector/fields/array-field';
import { offeredStates } from './offered-states';

export const analysisName = ({ id, title }: AnalysisDocument): string => title ?? id;

function edit(label: string, recipe: (entries: AnalysisDocument[]) => void, mergeKey?: string | null): void {
  useDocumentStore().edit(
    label,
    (draft) => {
      const entries = draft.analyses ?? [];
      recipe(entries);
      if (entries.length === 0) delete draft.analyses;
      else draft.analyses = entries;
    },
    mergeKey === undefined || mergeKey === null ? {} : { mergeKey },
  );
}

/** A new one of a kind, which is then selected. */
export function addAnalysis(type: string): void {
  const documents = useDocumentStore();
  const analysis = newAnalysis(type, documents.model, offeredStates(), useCatalogueStore().catalogue);
  if (analysis === null) return;
  edit(text('analysis.edit.add'), (entries) => void entries.push(analysis));
  useAnalysesStore().select(analysis.id);
}

/** Views that show it do so no more. */
export function removeAnalysis(id: string): void {
  useDocumentStore().edit(text('analysis.edit.remove', { name: id }), (draft) => {
    const left = (draft.analyses ?? []).filter((one) => one.id !== id);
    if (left.length === 0) delete draft.analyses;
    else draft.analyses = left;
    for (const view of draft.views)
      if (view.type === 'bifurcation') view.analyses = view.analyses.filter((one) => one !== id);
  });
}

export function setAnalysisTitle(id: string, title: string): void {
  edit(
    text('analysis.edit.rename', { name: id }),
    (entries) => {
      const entry = entries.find((one) => one.id === id);
      if (entry === undefined) return;
      if (title.trim() === '') delete entry.title;
      else entry.title = title;
    },
    `analyses.${id}.title`,
  );
}

export function setAnalysisField(
  analysis: AnalysisDocument,
  key: string,
  value: FieldValue | undefined,
  note?: FieldNote,
): void {
  const name = analysisName(analysis);
  edit(
    note?.describe?.(name) ?? text('edit.field', { label: key, name }),
    (entries) => {
      const entry = entries.find((one) => one.id === analysis.id);
      if (entry === undefined) return;
      // A reference to nothing is none.
      if (value === undefined || value === '') delete entry[key];
      else entry[key] = value;
    },
    note?.mergeKey === undefined ? `analyses.${analysis.id}.${key}` : note.mergeKey,
  );
}

export function setAnalysisType(analysis: AnalysisDocument, definition: ElementDefinition): void {
  const { id, title } = analysis;
  const started: TypedElement = newElement(definition);
  const next: AnalysisDocument = {
    id,
    ...(title !== undefined && { title }),
    ...changeType(analysis, started, definition),
  };
  edit(text('edit.type', { name: analysisName(analysis), type: definition.title }), (entries) => {
    const at = entries.findIndex((one) => one.id === id);
    if (at >= 0) entries[at] = next;
  });
}
