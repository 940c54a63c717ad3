/** What the lenses above functions do. */
import { text } from '../i18n';
import { useCatalogueStore } from '../stores/catalogue';
import { useDialogsStore } from '../stores/dialogs';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useWorkspaceStore } from '../stores/workspace';
import { addFunction } from './functions';
import { functionsOf, outlineKindOf } from './outline';
import { fieldsFor, kindOfUse, useFunction } from './usages';
import { usesNow } from './uses';

/** Choices a dialog offers at once. */
const MOST_CHOICES = 8;

function show(element: string, isObservable: boolean): void {
  const workspace = useWorkspaceStore();
  // Observables are part of the model's own form.
  workspace.select(isObservable ? { kind: 'model' } : { kind: 'element', id: element });
}

/** Selects the element that uses a function, in graph and inspector; of several the user chooses. */
export async function selectUse(name: string): Promise<void> {
  const uses = usesNow().get(name) ?? [];
  const elements = [...new Map(uses.map((use) => [use.element, use])).values()];
  const [first] = elements;
  if (first === undefined) return;
  if (elements.length === 1) {
    show(first.element, first.isObservable);
    return;
  }
  const answer = await useDialogsStore().ask(text('scripting.whichElement', { name }), '', [
    ...elements.slice(0, MOST_CHOICES).map(({ element }) => ({ value: element, label: element })),
    { value: '', label: text('common.cancel') },
  ]);
  const chosen = elements.find(({ element }) => element === answer);
  if (chosen !== undefined) show(chosen.element, chosen.isObservable);
}

/** Asks which field of which element is to use a function. */
export async function assignUse(name: string): Promise<void> {
  const documents = useDocumentStore();
  const { catalogue } = useCatalogueStore();
  const declared = functionsOf(documents.model.scripts).find((one) => one.name === name);
  const kind = outlineKindOf(catalogue, declared?.typeName ?? null);
  const fields = kind === null || catalogue === null ? [] : fieldsFor(kind, documents.model, catalogue);
  if (fields.length === 0) {
    useNoticesStore().info(text('scripting.noField'));
    return;
  }
  const answer = await useDialogsStore().ask(
    text('scripting.assignTitle', { name }),
    text('scripting.assignMessage'),
    [
      ...fields.slice(0, MOST_CHOICES).map(({ element, label: field }, i) => ({
        value: String(i),
        label: text('scripting.use', { element, field }),
      })),
      { value: '', label: text('common.cancel') },
    ],
  );
  const field = answer === '' ? undefined : fields[Number(answer)];
  if (field === undefined) return;
  documents.edit(text('edit.field', { label: field.label, name: field.element }), (draft) =>
    useFunction(draft, field, name),
  );
  show(field.element, false);
}

/** Writes a function that elements name already, of the kind they ask for. */
export function createMissing(name: string, script?: string): void {
  const { catalogue } = useCatalogueStore();
  const kind = catalogue === null ? null : kindOfUse(name, useDocumentStore().model, catalogue);
  if (kind !== null) addFunction(kind, script, name);
}
