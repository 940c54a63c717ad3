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
import { i18n, text } from '@renderer/i18n';
import { useTourStore } from '@renderer/stores/tour';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { STEPS } from '@renderer/tour/steps';
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

describe('a template', () => {
  it('is a model of its own, without the name and the story of the example', async () => {
    await useFilesStore().newFrom('cam-follower-358');
    const { model, file, dirty } = useDocumentStore();
    expect([model.title, model.description, file, dirty]).toEqual(['', undefined, null, false]);
    expect(model.systems.length).toBeGreaterThan(0);
  });
});

describe('the tour', () => {
  it('opens its model, goes through its steps and back, and ends', async () => {
    const tour = useTourStore();
    const start = useStartPageStore();
    start.show();
    await tour.start();
    expect(start.isOpen).toBe(false);
    expect(tour.step?.id).toBe('model');
    tour.next();
    tour.next();
    tour.back();
    expect(tour.step?.id).toBe('parameters');
    for (let k = tour.place ?? 0; k < STEPS.length; k++) tour.next();
    expect(tour.step).toBeNull();
  });

  it('points with each step at what there is, with words', () => {
    for (const { id, before } of STEPS) {
      before?.();
      expect(text(`tour.step.${id}.title`)).not.toContain('tour.');
      expect(text(`tour.step.${id}.text`)).not.toContain('tour.');
    }
    expect(useWorkspaceStore().lowerTab).toBe('analyses');
  });
});
