import { beforeEach, describe, expect, it } from 'vitest';
import { useDocumentStore } from '@renderer/stores/document';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useFilesStore } from '@renderer/stores/files';
import { useReportStore } from '@renderer/stores/report';
import type { FakeHost } from './fake/host';
import { openCamFollower, setMass } from './setup';

let host: FakeHost;
beforeEach(async () => {
  host = await openCamFollower();
});

describe('document store', () => {
  it('edits graph, form and script through one history', () => {
    const documents = useDocumentStore();
    documents.edit('Move cam', (draft) => void (draft.layout.nodes['cam'] = { x: 1, y: 2 }));
    documents.edit('Change mass', (draft) => setMass(draft, 2));
    documents.edit(
      'Edit cam.ts',
      (draft) => void (draft.scripts[0] as { source: string[] }).source.push('// end'),
    );
    expect(documents.undoLabel).toBe('Edit cam.ts');
    documents.undo();
    documents.undo();
    expect(documents.model.systems[0]?.['mass']).toEqual([['m']]);
    expect(documents.model.layout.nodes['cam']).toEqual({ x: 1, y: 2 });
    expect(documents.redoLabel).toBe('Change mass');
  });

  it('hands out immutable states', () => {
    const { model } = useDocumentStore();
    useDocumentStore().edit('Change title', (draft) => void (draft.title = 'x'));
    expect(Object.isFrozen(useDocumentStore().model)).toBe(true);
    expect(model.title).toBe('Cam and follower');
  });

  it('starts a new history with a new document', async () => {
    const documents = useDocumentStore();
    documents.edit('Change title', (draft) => void (draft.title = 'x'));
    documents.markSaved(null);
    await useFilesStore().openExample('cam-follower');
    expect(documents.undoLabel).toBeNull();
    expect(documents.dirty).toBe(false);
  });
});

describe('saving and opening', () => {
  it('saves what is done to the document just before', async () => {
    const documents = useDocumentStore();
    const files = useFilesStore();
    documents.edit('Change title', (draft) => void (draft.title = 'Rocker arm'));
    host.shellAnswers['shell.saveAs'] = { handle: 'h1', name: 'rocker.moreau.json' };
    files.beforeSave(() => {
      documents.edit('Format', (draft) => void (draft.description = 'Formatted'));
      return Promise.resolve();
    });
    files.beforeSave(() => Promise.reject(new Error('no formatter')));
    expect(await files.save()).toBe(true);
    const saveAs = host.shellCalls.find((call) => call.method === 'shell.saveAs');
    expect(saveAs?.params).toMatchObject({ text: expect.stringContaining('Formatted') as unknown });
    expect(documents.dirty).toBe(false);
  });

  it('saves to the file it has, and is clean then', async () => {
    const documents = useDocumentStore();
    documents.edit('Change title', (draft) => void (draft.title = 'Rocker arm'));
    host.shellAnswers['shell.saveAs'] = { handle: 'h1', name: 'rocker.moreau.json' };
    expect(await useFilesStore().save()).toBe(true);
    expect(host.latest('shell.watchFiles')).toEqual({ handles: ['h1'] });
    const saveAs = host.shellCalls.find((call) => call.method === 'shell.saveAs');
    expect(saveAs?.params).toMatchObject({ suggestedName: 'rocker-arm.moreau.json' });
    expect(documents.dirty).toBe(false);
    documents.edit('Change title', (draft) => void (draft.title = 'Rocker'));
    await useFilesStore().save();
    const saved = host.shellCalls.find((call) => call.method === 'shell.save');
    expect(saved?.params).toMatchObject({
      handle: 'h1',
      text: expect.stringContaining('"title": "Rocker"') as unknown,
    });
  });

  it('asks before changes are lost, and keeps the document on cancel', async () => {
    const documents = useDocumentStore();
    documents.edit('Change title', (draft) => void (draft.title = 'Changed'));
    const closing = useFilesStore().close();
    await Promise.resolve();
    useDialogsStore().question?.answer('cancel');
    expect(await closing).toBe(false);
    expect(documents.model.title).toBe('Changed');
  });

  it('keeps the document and lists the reasons when a text cannot be opened', async () => {
    const documents = useDocumentStore();
    const opened = await useFilesStore().openFile({ handle: null, name: 'broken.json', text: '{' });
    expect(opened).toBe(false);
    expect(documents.model.title).toBe('Cam and follower');
    expect(useDialogsStore().refusal?.issues[0]?.code).toBe('not-json');
  });
});

describe('report store', () => {
  it('keeps the signals and typings of the last good version while the document is broken', async () => {
    const documents = useDocumentStore();
    const report = useReportStore();
    const { typings } = report;
    documents.edit(
      'Edit cam.ts',
      (draft) => void (draft.scripts[0] as { source: string[] }).source.push('syntax error'),
    );
    expect(report.fresh).toBe(false);
    await report.refresh();
    expect(report.errors).toHaveLength(1);
    expect(report.report.signals).toHaveLength(0);
    expect(report.signals.length).toBeGreaterThan(0);
    expect(report.typings).toBe(typings);
  });

  it('asks once for edits made while an answer is awaited', async () => {
    const documents = useDocumentStore();
    const before = host.calls.filter((call) => call.method === 'document.report').length;
    documents.edit('a', (draft) => void (draft.title = 'a'));
    const first = useReportStore().refresh();
    documents.edit('b', (draft) => void (draft.title = 'b'));
    documents.edit('c', (draft) => void (draft.title = 'c'));
    await first;
    expect(useReportStore().fresh).toBe(true);
    const asked = host.calls.filter((call) => call.method === 'document.report').length - before;
    expect(asked).toBe(2);
  });
});

describe('without a connection', () => {
  it('still saves the model', async () => {
    host.connection = { state: () => 'lost', onChange: () => () => undefined };
    host.shellAnswers['shell.saveAs'] = { handle: null, name: 'cam.moreau.json' };
    useDocumentStore().edit('Change title', (draft) => void (draft.title = 'Kept'));
    expect(await useFilesStore().save()).toBe(true);
    const call = host.shellCalls.find(({ method }) => method === 'shell.saveAs');
    const saved = JSON.parse((call?.params as { text: string }).text) as { title: string };
    expect(saved.title).toBe('Kept');
    expect(useDocumentStore().dirty).toBe(false);
  });
});
