/** Changes to the parameters, each one undoable step. */
import type { Expression, ParameterDocument } from '@engine/document/types';
import { freshName } from '../document/factory';
import { renameParameter } from '../document/rename';
import { text } from '../i18n';
import { useCatalogueStore } from '../stores/catalogue';
import { useDocumentStore } from '../stores/document';
import { useRunsStore } from '../stores/runs';
import { putDisplayUnit } from '../units/edits';

/** Adds a parameter with a slider from 0 to 2. */
export function addParameter(): void {
  const documents = useDocumentStore();
  const name = freshName(
    'p',
    documents.model.parameters.map((parameter) => parameter.name),
    '',
  );
  documents.edit(text('edit.add', { name }), (draft) => {
    draft.parameters.push({ name, value: 1, min: 0, max: 2 });
  });
}

export function removeParameter(index: number): void {
  const documents = useDocumentStore();
  const name = documents.model.parameters[index]?.name ?? '';
  documents.edit(text('edit.delete', { name }), (draft) => {
    draft.parameters.splice(index, 1);
    putDisplayUnit(draft, 'parameters', name, null);
  });
}

/**
 * Sets the value; all changes until the gesture ends are one step. A model that has been run runs again once
 * the values pause.
 */
export function setParameterValue(index: number, value: Expression): void {
  const documents = useDocumentStore();
  const name = documents.model.parameters[index]?.name ?? '';
  documents.edit(
    text('edit.parameter', { name }),
    (draft) => {
      const parameter = draft.parameters[index];
      if (parameter !== undefined) parameter.value = value;
    },
    { mergeKey: `parameter.${index}.value` },
  );
}

/** Sets the value as a slider does: the model follows with hardly a pause. */
export function slideParameterValue(index: number, value: number): void {
  const { version } = useDocumentStore();
  setParameterValue(index, value);
  if (version !== useDocumentStore().version) useRunsStore().rerun();
}

/** Ends the gesture: the value is meant as it stands. */
export function commitParameterValue(): void {
  useDocumentStore().endGesture();
  useRunsStore().commit();
}

/** Sets or, with undefined, removes one of the describing members. */
export function setParameterDetail<K extends 'unit' | 'min' | 'max' | 'description'>(
  index: number,
  key: K,
  value: ParameterDocument[K] | undefined,
): void {
  const documents = useDocumentStore();
  const name = documents.model.parameters[index]?.name ?? '';
  documents.edit(
    text('edit.field', { label: key, name }),
    (draft) => {
      const parameter = draft.parameters[index] as ParameterDocument | undefined;
      if (parameter === undefined) return;
      if (value === undefined) delete parameter[key];
      else parameter[key] = value;
    },
    { mergeKey: `parameter.${index}.${key}` },
  );
}

/** Moves the bound of a slider that keeps it from a value, so that there is room on both sides. */
export function widenParameterRange(index: number, value: number): void {
  const documents = useDocumentStore();
  const name = documents.model.parameters[index]?.name ?? '';
  documents.edit(text('edit.range', { name }), (draft) => {
    const parameter = draft.parameters[index];
    if (parameter === undefined) return;
    const { min = value, max = value } = parameter;
    if (value > max) parameter.max = value > 0 ? 2 * value : 0;
    if (value < min) parameter.min = value < 0 ? 2 * value : 0;
  });
}

/** Renames a parameter and its uses in expressions and scripts. */
export function changeParameterName(from: string, to: string): void {
  const documents = useDocumentStore();
  const { catalogue } = useCatalogueStore();
  const { model } = documents;
  documents.edit(text('edit.rename', { from, to }), (draft) =>
    renameParameter(draft, from, to, catalogue, model),
  );
}
