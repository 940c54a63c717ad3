/** Libraries in the window: saved, used in another model, and taken again when the file has changed. */
import { libraryHash, libraryIssues, readLibrary, writeLibrary } from '@engine/document/libraries';
import type { SubmodelDocument } from '@engine/document/types';
import { flushPromises } from '@vue/test-utils';
import { beforeEach, expect, it } from 'vitest';
import { saveLibrary, useLibraryFile } from '@renderer/exchange/libraries';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import type { FakeHost } from './fake/host';
import { openCamFollower } from './setup';

const half = (resistance: number): SubmodelDocument => ({
  id: 'Half',
  ports: [{ name: 'a', wire: 'top' }],
  parameters: [],
  components: [{ id: 'R1', type: 'Resistor', resistance }],
  wires: [{ id: 'top', ends: ['R1.a'] }],
});

let host: FakeHost;

beforeEach(async () => {
  host = await openCamFollower();
});

/** Chooses a file as its user does. */
async function choose(text: string): Promise<void> {
  const done = useLibraryFile();
  await flushPromises();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (input === null) throw new Error('no file is asked for');
  Object.defineProperty(input, 'files', { value: [new File([text], 'halves.moreau-library.json')] });
  input.dispatchEvent(new Event('change'));
  await flushPromises();
  useDialogsStore().question?.answer('replace');
  await done;
}

const model = () => useDocumentStore().model;

it('is used, pinned, and taken again', async () => {
  await choose(writeLibrary('Halves', [half(1)]));
  expect(model().submodels).toEqual([half(1)]);
  expect(model().libraries).toEqual([{ name: 'Halves', hash: libraryHash([half(1)]), submodels: ['Half'] }]);
  await choose(writeLibrary('Halves', [half(2)]));
  expect(model().submodels).toEqual([half(2)]);
  expect(model().libraries).toEqual([{ name: 'Halves', hash: libraryHash([half(2)]), submodels: ['Half'] }]);
  useDocumentStore().undo();
  expect(model().submodels).toEqual([half(1)]);
  // A change of the copy is seen.
  useDocumentStore().edit('change', (draft) => {
    const [own] = draft.submodels ?? [];
    if (own !== undefined) own.title = 'Own';
  });
  const issues = libraryIssues(model());
  expect(issues.map(({ code }) => code)).toEqual(['library-changed']);
});

it('that is none is refused', async () => {
  await choose('{}');
  expect(model().submodels).toBeUndefined();
  expect(
    useNoticesStore()
      .notices.map(({ message }) => message)
      .join(' '),
  ).toContain('no scripts');
});

it('is saved', async () => {
  useDocumentStore().edit('add', (draft) => {
    draft.submodels = [half(3)];
  });
  await saveLibrary();
  const [call] = host.shellCalls.filter(({ method }) => method === 'shell.exportFile');
  const { data } = call?.params as { data: Uint8Array };
  expect(readLibrary(new TextDecoder().decode(data))).toMatchObject({
    ok: true,
    hash: libraryHash([half(3)]),
  });
});
