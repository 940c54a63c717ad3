import { describe, expect, it } from 'vitest';
import { commonFields, membersOf, setCommonField } from '@renderer/document/common-fields';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { useDocumentStore } from '@renderer/stores/document';
import { selectionOf, useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from './setup';

async function withSecondSystem(): Promise<void> {
  await openCamFollower();
  useDocumentStore().edit('second', (draft) => {
    const [first] = draft.systems;
    if (first !== undefined) draft.systems.push({ ...first, id: 'second', q0: [0.25] });
  });
}

describe('several elements', () => {
  it('show their common fields, and which of them differ', async () => {
    await withSecondSystem();
    const { catalogue } = useCatalogueStore();
    const ids = new Set(['follower', 'second']);
    const members = membersOf(useDocumentStore().model, catalogue, ids, 'system');
    expect(members.map(({ index }) => index)).toEqual([0, 1]);
    const mixed = new Map(commonFields(members).map(({ field, mixed: differ }) => [field.key, differ]));
    expect(mixed.get('q0')).toBe(true);
    expect(mixed.get('mass')).toBe(false);
    expect(membersOf(useDocumentStore().model, catalogue, ids, 'law')).toEqual([]);
  });

  it('are set together, as one step that one undo takes back', async () => {
    await withSecondSystem();
    const documents = useDocumentStore();
    const { catalogue } = useCatalogueStore();
    const before = JSON.stringify(documents.model);
    const members = membersOf(documents.model, catalogue, new Set(['follower', 'second']), 'system');
    documents.edit('set', (draft) => setCommonField(draft, catalogue, members, 'system', 'q0', ['k']));
    expect(documents.model.systems.map(({ q0 }) => q0)).toEqual([['k'], ['k']]);
    expect(documents.model.systems[0]?.['q0']).not.toBe(documents.model.systems[1]?.['q0']);
    documents.undo();
    expect(JSON.stringify(documents.model)).toBe(before);
  });

  it('are one selection, of which none and one are the ordinary ones', async () => {
    await withSecondSystem();
    const workspace = useWorkspaceStore();
    workspace.selectElements(['follower', 'second']);
    expect(workspace.selection).toEqual({ kind: 'elements', ids: ['follower', 'second'] });
    expect(workspace.selectedIds).toEqual(['follower', 'second']);
    expect(selectionOf(['cam'])).toEqual({ kind: 'element', id: 'cam' });
    expect(selectionOf([])).toEqual({ kind: 'model' });
  });
});
