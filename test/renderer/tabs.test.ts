/** Several open models: each keeps what it shows, and nothing is lost without a question. */
import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { nextTick } from 'vue';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useDocumentStore } from '@renderer/stores/document';
import { useFilesStore } from '@renderer/stores/files';
import { useReportStore } from '@renderer/stores/report';
import { useRunsStore } from '@renderer/stores/runs';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { camFollower } from './fake/cam-follower';
import type { FakeHost } from './fake/host';
import { openCamFollower, setMass } from './setup';

let host: FakeHost;
beforeEach(async () => {
  host = await openCamFollower();
});

const titles = (): string[] => useDocumentStore().tabs.map(({ title }) => title);
const another = (title: string): void => useDocumentStore().load({ ...camFollower(), title }, null);
const answer = async (choice: string): Promise<void> => {
  await flushPromises();
  useDialogsStore().question?.answer(choice);
};

describe('open models', () => {
  it('give way only where the window opened them of its own accord', async () => {
    expect(titles()).toEqual(['Cam and follower']);
    another('Second');
    expect(titles()).toEqual(['Cam and follower', 'Second']);
    await useFilesStore().close();
    await useFilesStore().close();
    expect(titles()).toEqual(['Untitled model']);
    useDocumentStore().load(camFollower(), null, { provisional: true });
    another('Third');
    expect(titles()).toEqual(['Untitled model', 'Third']);
  });

  it('stay where they have been changed or run, however they were opened', async () => {
    const documents = useDocumentStore();
    documents.load(camFollower(), null, { provisional: true });
    await useRunsStore().start();
    another('Second');
    expect(titles()).toEqual(['Cam and follower', 'Cam and follower', 'Second']);
    documents.load({ ...camFollower(), title: 'Third' }, null, { provisional: true });
    documents.edit('Change title', (draft) => void (draft.title = 'Mine'));
    documents.undo();
    another('Fourth');
    expect(titles()).toEqual(['Cam and follower', 'Cam and follower', 'Second', 'Third', 'Fourth']);
  });

  it('keep their selection, report, runs and history while another one is shown', async () => {
    const documents = useDocumentStore();
    const workspace = useWorkspaceStore();
    const runs = useRunsStore();
    const first = documents.session;
    workspace.select({ kind: 'element', id: 'cam' });
    documents.edit('Change mass', (draft) => setMass(draft, 'nothing'));
    documents.undo();
    await runs.start();
    host.advance(3);
    const shownRun = runs.currentId;
    const { report } = useReportStore();
    another('Second');
    expect(workspace.selection).toEqual({ kind: 'model' });
    expect(runs.current).toBeNull();
    expect(documents.redoLabel).toBeNull();
    expect(runs.refusal).toBeNull();
    documents.show(first);
    expect(workspace.selection).toEqual({ kind: 'element', id: 'cam' });
    expect(runs.currentId).toBe(shownRun);
    expect(documents.redoLabel).toBe('Change mass');
    expect(useReportStore().report).toEqual(report);
    expect(useReportStore().fresh).toBe(true);
  });

  it('take the answer of the engine that belongs to them', async () => {
    const documents = useDocumentStore();
    const report = useReportStore();
    const first = documents.session;
    documents.edit('Change mass', (draft) => setMass(draft, 'nothing'));
    const asking = report.refresh();
    another('Second');
    await asking;
    expect(report.errors).toHaveLength(0);
    documents.show(first);
    expect(report.errors.length).toBeGreaterThan(0);
  });

  it('run on while another one is shown, until they are closed', async () => {
    const documents = useDocumentStore();
    const runs = useRunsStore();
    const first = documents.session;
    await runs.start();
    another('Second');
    expect(runs.isComputing(first)).toBe(true);
    expect(host.calls.some(({ method }) => method === 'run.cancel')).toBe(false);
    await useFilesStore().close(first);
    expect(host.calls.filter(({ method }) => method === 'run.cancel')).toHaveLength(1);
    expect(titles()).toEqual(['Second']);
  });

  it('are led through by steps and moved among each other', () => {
    const documents = useDocumentStore();
    another('Second');
    another('Third');
    documents.showBeside(1);
    expect(documents.model.title).toBe('Cam and follower');
    documents.showBeside(-1);
    documents.moveBy(-1);
    expect(titles()).toEqual(['Cam and follower', 'Third', 'Second']);
    documents.moveBy(-1);
    documents.moveBy(-1);
    expect(titles()).toEqual(['Third', 'Cam and follower', 'Second']);
    expect(documents.model.title).toBe('Third');
  });
});

describe('closing the others', () => {
  it('asks once about all that is unsaved, and keeps them all when that is cancelled', async () => {
    const documents = useDocumentStore();
    documents.edit('Change title', (draft) => void (draft.title = 'First changed'));
    another('Second');
    documents.edit('Change title', (draft) => void (draft.title = 'Second changed'));
    another('Third');
    const kept = useFilesStore().closeOthers();
    expect(useDialogsStore().question?.message).toContain('“First changed”, “Second changed”');
    await answer('cancel');
    expect(await kept).toBe(false);
    expect(titles()).toEqual(['First changed', 'Second changed', 'Third']);

    const closed = useFilesStore().closeOthers();
    await answer('discard');
    expect(await closed).toBe(true);
    expect(titles()).toEqual(['Third']);
    expect(documents.model.title).toBe('Third');
  });
});

describe('the end of the window', () => {
  it('asks once for several models with unsaved changes, and saves them all', async () => {
    const documents = useDocumentStore();
    documents.edit('Change title', (draft) => void (draft.title = 'First changed'));
    another('Second');
    documents.edit('Change title', (draft) => void (draft.title = 'Second changed'));
    host.shellAnswers['shell.saveAs'] = { handle: null, name: 'x.moreau.json' };
    const leaving = useFilesStore().mayLeave();
    expect(useDialogsStore().question?.message).toContain('“First changed”, “Second changed”');
    await answer('save');
    expect(await leaving).toBe(true);
    expect(documents.tabs.map(({ dirty }) => dirty)).toEqual([false, false]);
    expect(host.shellCalls.filter(({ method }) => method === 'shell.saveAs')).toHaveLength(2);
  });

  it('stays open where one of them is not saved', async () => {
    useDocumentStore().edit('Change title', (draft) => void (draft.title = 'First changed'));
    another('Second');
    useDocumentStore().edit('Change title', (draft) => void (draft.title = 'Second changed'));
    host.shellAnswers['shell.saveAs'] = null;
    const leaving = useFilesStore().mayLeave();
    await answer('save');
    expect(await leaving).toBe(false);
  });
});

describe('a file on the disk', () => {
  const opened = async (): Promise<void> => {
    const text = JSON.stringify({ ...camFollower(), title: 'On disk' });
    await useFilesStore().openFile({ handle: 'h1', name: 'cam.moreau.json', text, stamp: 'a' });
  };
  const onDisk = (title: string, stamp: string): void => {
    const text = JSON.stringify({ ...camFollower(), title });
    host.shellAnswers['shell.openRecent'] = { handle: 'h1', name: 'cam.moreau.json', text, stamp };
  };

  it('is open once', async () => {
    await opened();
    another('Second');
    await opened();
    expect(titles()).toEqual(['Cam and follower', 'On disk', 'Second']);
    expect(useDocumentStore().model.title).toBe('On disk');
  });

  it('is watched while it is open', async () => {
    await opened();
    await nextTick();
    expect(host.latest('shell.watchFiles')).toMatchObject({ handles: ['h1'] });
    await useFilesStore().close();
    await nextTick();
    expect(host.shellCalls.findLast(({ method }) => method === 'shell.watchFiles')?.params).toEqual({
      handles: [],
    });
  });

  it('is read again when another program changed it, as a step that can be undone', async () => {
    await opened();
    onDisk('Changed there', 'b');
    await useFilesStore().fileChanged('h1', 'b');
    const documents = useDocumentStore();
    expect(documents.model.title).toBe('Changed there');
    expect(documents.dirty).toBe(false);
    documents.undo();
    expect(documents.model.title).toBe('On disk');
    expect(documents.dirty).toBe(true);
  });

  it('is not read over unsaved changes without a question', async () => {
    await opened();
    const documents = useDocumentStore();
    documents.edit('Change title', (draft) => void (draft.title = 'Mine'));
    onDisk('Changed there', 'b');
    const told = useFilesStore().fileChanged('h1', 'b');
    await answer('keep');
    await told;
    expect(documents.model.title).toBe('Mine');
    const again = useFilesStore().fileChanged('h1', 'c');
    await answer('reload');
    await again;
    expect(documents.model.title).toBe('Changed there');
    documents.undo();
    expect(documents.model.title).toBe('Mine');
  });

  it('that is gone makes the model unsaved', async () => {
    await opened();
    await useFilesStore().fileChanged('h1', null);
    expect(useDocumentStore().dirty).toBe(true);
  });

  it('that another program changed meanwhile is not replaced without a question', async () => {
    await opened();
    useDocumentStore().edit('Change title', (draft) => void (draft.title = 'Mine'));
    host.shellAnswers['shell.save'] = { conflict: true };
    const cancelled = useFilesStore().save();
    await answer('cancel');
    expect(await cancelled).toBe(false);
    expect(useDocumentStore().dirty).toBe(true);
    const saving = useFilesStore().save();
    await answer('overwrite');
    expect(await saving).toBe(true);
    const saves = host.shellCalls.filter(({ method }) => method === 'shell.save');
    expect(saves.map(({ params }) => (params as { stamp?: string }).stamp)).toEqual(['a', 'a', undefined]);
  });
});
