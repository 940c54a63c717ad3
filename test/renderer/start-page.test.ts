/** What a window opens on, the start page, and files opened lately. */
import { flushPromises, mount } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPinia, setActivePinia } from 'pinia';
import { openAtStart, rememberOpenFiles } from '@renderer/shell/open-at-start';
import { registerElementCommands } from '@renderer/commands/definitions';
import StartPage from '@renderer/shell/StartPage.vue';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { useDocumentStore } from '@renderer/stores/document';
import { useFilesStore } from '@renderer/stores/files';
import { useSettingsStore } from '@renderer/stores/settings';
import { useStartPageStore } from '@renderer/stores/start-page';
import { installHost } from '@renderer/transport/host';
import { i18n } from '@renderer/i18n';
import { camFollower } from './fake/cam-follower';
import { fakeHost, type FakeHost } from './fake/host';

let host: FakeHost;
const file = { handle: 'h1', name: 'cam.moreau.json', text: JSON.stringify(camFollower()) };

beforeEach(async () => {
  host = fakeHost();
  host.shellAnswers['shell.recent'] = [{ handle: 'h1', name: 'cam.moreau.json', folder: '/models' }];
  host.shellAnswers['shell.openRecent'] = file;
  installHost(host);
  setActivePinia(createPinia());
  await useCatalogueStore().load();
});

describe('a window that opens', () => {
  it('shows an example, the start page or the last files, as it is set', async () => {
    const documents = useDocumentStore();
    const settings = useSettingsStore();
    await settings.set('files.onStart', 'start');
    await openAtStart();
    expect(useStartPageStore().isOpen).toBe(true);
    expect(documents.session).toBe(0);
    await settings.change({ 'files.onStart': 'last', 'window.lastFiles': ['h1'] });
    await openAtStart();
    expect(documents.file?.handle).toBe('h1');
    expect(useStartPageStore().isOpen).toBe(false);
  });

  it('remembers the files that are open', async () => {
    const end = rememberOpenFiles();
    await useFilesStore().openRecent('h1');
    await flushPromises();
    expect(useSettingsStore().values['window.lastFiles']).toEqual(['h1']);
    end();
  });
});

describe('the start page', () => {
  it('gives way to what is opened or edited, and comes when the last document is closed', async () => {
    const documents = useDocumentStore();
    const start = useStartPageStore();
    start.show();
    documents.edit('title', (draft) => void (draft.title = 'Mine'));
    expect(start.isOpen).toBe(false);
    start.show();
    documents.load(camFollower(), null);
    expect(start.isOpen).toBe(false);
    documents.close(documents.documents[0]?.session ?? -1, camFollower);
    await useFilesStore().close();
    expect(start.isOpen).toBe(true);
  });

  it('leads to recent files, examples and tutorials', async () => {
    registerElementCommands();
    const page = mount(StartPage, { global: { plugins: [i18n] }, attachTo: document.body });
    await flushPromises();
    expect(page.text()).toContain('First session');
    await page.get('[data-testid=start-recent] button').trigger('click');
    await flushPromises();
    expect(useDocumentStore().file?.name).toBe('cam.moreau.json');
    page.unmount();
  });
});
