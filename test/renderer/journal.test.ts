/** The journal of unsaved edits: what it holds is the document as its user left it. */
import type { ModelDocument } from '@engine/document/types';
import fc from 'fast-check';
import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { useDocumentStore } from '@renderer/stores/document';
import { useFilesStore } from '@renderer/stores/files';
import { replayed, useJournalStore } from '@renderer/stores/journal';
import { useNoticesStore } from '@renderer/stores/notices';
import { installHost } from '@renderer/transport/host';
import { MoreauError } from '@contract/errors';
import { camFollower } from './fake/cam-follower';
import { fakeHost, type FakeHost } from './fake/host';
import type { FakeJournal } from './fake/journals';
import { openCamFollower } from './setup';

let journals: Map<string, FakeJournal>;
let host: FakeHost;
beforeEach(async () => {
  journals = new Map();
  host = await openCamFollower({ journals });
});
afterEach(() => vi.useRealTimers());

const retitle = (title: string): void =>
  useDocumentStore().edit('Change title', (draft) => void (draft.title = title));
const held = (): ModelDocument[] => [...journals.values()].map(replayed);

/** Another window on the same host, after this one is gone. */
async function nextWindow(): Promise<FakeHost> {
  const next = fakeHost({ journals });
  installHost(next);
  setActivePinia(createPinia());
  await useCatalogueStore().load();
  vi.spyOn(crypto, 'randomUUID').mockReturnValueOnce('00000000-0000-4000-8000-000000000001');
  return next;
}

describe('the journal of a document', () => {
  it('begins with the first unsaved edit, follows the others and ends when it is saved', async () => {
    const journal = useJournalStore();
    await journal.flush();
    expect(journals.size).toBe(0);
    retitle('One');
    await journal.flush();
    retitle('Two');
    useDocumentStore().undo();
    useDocumentStore().redo();
    retitle('Three');
    await journal.flush();
    expect(host.calls.filter(({ method }) => method === 'journal.begin')).toHaveLength(1);
    expect([...journals.values()][0]?.entries).toHaveLength(4);
    expect(held()).toEqual([useDocumentStore().model]);
    host.shellAnswers['shell.saveAs'] = { handle: 'h', name: 'a.moreau.json' };
    await useFilesStore().save();
    await journal.flush();
    expect(journals.size).toBe(0);
  });

  it('holds what the document holds, whatever was edited, undone and written in between', async () => {
    const documents = useDocumentStore();
    const journal = useJournalStore();
    const step = fc.oneof(
      fc.record({ kind: fc.constant('title' as const), to: fc.string({ maxLength: 4 }) }),
      fc.record({ kind: fc.constant('parameter' as const), to: fc.string({ maxLength: 4 }) }),
      fc.record({
        kind: fc.constantFrom('drop' as const, 'undo' as const, 'redo' as const, 'flush' as const),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        documents.load(camFollower(), null);
        for (const one of steps) {
          if (one.kind === 'undo' || one.kind === 'redo') documents[one.kind]();
          else if (one.kind === 'flush') await journal.flush();
          else if (one.kind === 'drop') documents.edit('Drop', (draft) => void draft.parameters.shift());
          else if (one.kind === 'title') retitle(one.to);
          else if (one.kind === 'parameter') {
            const { to: name } = one;
            documents.edit('Add', (draft) => void draft.parameters.push({ name, value: 1 }));
          }
        }
        await journal.flush();
        const mine = documents.bySession(documents.session);
        const written = journals.get(mine?.journal ?? '');
        if (mine?.dirty === true) expect(replayed(written!)).toEqual(documents.model);
        else expect(written).toBeUndefined();
        documents.close(documents.session, camFollower);
      }),
      { numRuns: 60 },
    );
  });

  it('ends with the tab whose user gave it up', async () => {
    retitle('One');
    await useJournalStore().flush();
    useDocumentStore().close(useDocumentStore().session, camFollower);
    await useJournalStore().flush();
    expect(journals.size).toBe(0);
  });

  it('is written some seconds after an edit without being asked for', async () => {
    vi.useFakeTimers();
    useJournalStore();
    retitle('One');
    await vi.advanceTimersByTimeAsync(1000);
    expect(journals.size).toBe(0);
    await vi.advanceTimersByTimeAsync(1500);
    expect(held()[0]?.title).toBe('One');
  });

  it('begins again after a disk that was full, which is reported once', async () => {
    const journal = useJournalStore();
    const { dispatch } = host.dispatcher;
    let full = true;
    installHost(host);
    vi.spyOn(host.dispatcher, 'dispatch').mockImplementation((method, params) =>
      full && method === 'journal.begin'
        ? Promise.reject(new MoreauError({ code: 'disk-full', message: 'The disk is full.' }))
        : dispatch.call(host.dispatcher, method, params),
    );
    setActivePinia(createPinia());
    await useCatalogueStore().load();
    const again = useJournalStore();
    expect(again).not.toBe(journal);
    retitle('One');
    await again.flush();
    retitle('Two');
    await again.flush();
    expect(useNoticesStore().notices.map(({ message }) => message)).toEqual(['The disk is full.']);
    full = false;
    retitle('Three');
    await again.flush();
    expect(held().map(({ title }) => title)).toEqual(['Three']);
  });
});

describe('a recovery', () => {
  it('brings back what the window that is gone left, in a tab of its own, unsaved', async () => {
    retitle('One');
    await useJournalStore().flush();
    retitle('Two');
    await useJournalStore().flush();
    const left = useDocumentStore().model;
    const [info] = [...journals.values()].map((one) => one.info);
    if (info !== undefined) info.page = 'another page';
    await nextWindow();
    const journal = useJournalStore();
    await journal.search();
    expect(journal.found).toHaveLength(1);
    await journal.recover(journal.found[0]);
    const documents = useDocumentStore();
    expect(documents.model).toEqual(left);
    expect(documents.dirty).toBe(true);
    expect(journal.found).toHaveLength(0);
    // It is under a new name already, so a second end would lose nothing either.
    expect(held()).toEqual([left]);
    expect(journals.has(info.journal)).toBe(false);
  });

  it('does not offer what this window itself writes', async () => {
    retitle('One');
    await useJournalStore().flush();
    await useJournalStore().search();
    expect(useJournalStore().found).toHaveLength(0);
  });

  it('does not offer what a window of another profile holds, before that window is gone', async () => {
    retitle('One');
    await useJournalStore().flush();
    const [{ info }] = [...journals.values()];
    info.page = 'another page';
    info.held = { profile: 'another profile' };
    await nextWindow();
    const journal = useJournalStore();
    await journal.search();
    expect(journal.found).toHaveLength(0);
    expect(journals.size).toBe(1);
    delete info.held;
    // The next sign of life looks again.
    await journal.attend();
    expect(journal.found).toHaveLength(1);
  });

  it('leaves a journal whose window has come back, and says so', async () => {
    retitle('One');
    await useJournalStore().flush();
    const [{ info }] = [...journals.values()];
    info.page = 'another page';
    const next = await nextWindow();
    const journal = useJournalStore();
    await journal.search();
    expect(journal.found).toHaveLength(1);
    info.held = { profile: 'another profile' };
    const { dispatch } = next.dispatcher;
    vi.spyOn(next.dispatcher, 'dispatch').mockImplementation((method, params) =>
      method === 'journal.end'
        ? Promise.reject(new MoreauError({ code: 'journal-in-use', message: 'In use.' }))
        : dispatch.call(next.dispatcher, method, params),
    );
    setActivePinia(createPinia());
    await useCatalogueStore().load();
    const later = useJournalStore();
    await later.discard(info);
    expect(journals.size).toBe(1);
    expect(later.found).toHaveLength(0);
    expect(useNoticesStore().notices.map(({ message }) => message)).toEqual(['In use.']);
  });

  it('journals again what another window has taken for left behind while this one slept', async () => {
    const journal = useJournalStore();
    retitle('One');
    await journal.flush();
    await journal.attend();
    expect(journals.size).toBe(1);
    journals.clear();
    await journal.attend();
    expect(held()).toEqual([useDocumentStore().model]);
  });

  it('can be declined for good', async () => {
    retitle('One');
    await useJournalStore().flush();
    for (const { info } of journals.values()) info.page = 'another page';
    await nextWindow();
    const journal = useJournalStore();
    await journal.search();
    await journal.discard(journal.found[0]);
    expect(journals.size).toBe(0);
    expect(journal.found).toHaveLength(0);
  });

  it('stops at an edit that does not fit', () => {
    const document = camFollower();
    const replay = replayed({
      document,
      entries: [
        { label: 'a', patches: [{ op: 'replace', path: ['title'], value: 'Kept' }] },
        { label: 'b', patches: [{ op: 'replace', path: ['nowhere', 3, 'x'], value: 1 }] },
        { label: 'c', patches: [{ op: 'replace', path: ['title'], value: 'Lost' }] },
      ],
    });
    expect(replay.title).toBe('Kept');
  });
});
