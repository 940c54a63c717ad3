/** Netlists become models of their own in the window; what is said of them is shown before. */
import { DOMWrapper, flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import ImportNetlistDialog from '@renderer/exchange/ImportNetlistDialog.vue';
import { isNetlistFile, useNetlistImportStore } from '@renderer/exchange/netlist-import';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useDocumentStore } from '@renderer/stores/document';
import { openCamFollower } from './setup';

let wrapper: VueWrapper;

beforeEach(async () => {
  await openCamFollower();
  const all = defineComponent(
    () => () => h(TooltipProvider, null, { default: () => h(ImportNetlistDialog) }),
  );
  wrapper = mount(all, { attachTo: document.body });
});
afterEach(() => wrapper.unmount());

const offer = async (text: string): Promise<void> => {
  await useNetlistImportStore().offer(new File([text], 'divider.cir'));
  await flushPromises();
};
const go = (): HTMLButtonElement | null => document.querySelector('[data-testid="import-netlist-go"]');

it('opens a netlist of which nothing is to be said', async () => {
  await offer('Divider\nV1 a 0 1\nR1 a 0 1k\n.tran 1u 1m\n');
  expect(useDialogsStore().open).toBeNull();
  expect(useDocumentStore().model).toMatchObject({ title: 'Divider', components: [{}, {}, {}, {}] });
});

it('shows what is said, and opens the model when that is wanted', async () => {
  await offer('Divider\nV1 a 0 1\nR1 a 0 1k\n.foo\n.tran 1u 1m\n');
  expect(document.querySelector('[data-testid="import-netlist-issues"]')?.textContent).toContain(
    'divider.cir:4:1 The command “.foo” is not known',
  );
  expect(useDocumentStore().model.title).not.toBe('Divider');
  const form = document.querySelector('[role="dialog"] form');
  if (form === null) throw new Error('the dialog is not open');
  await new DOMWrapper(form).trigger('submit');
  expect(useDocumentStore().model.title).toBe('Divider');
  expect(useDialogsStore().open).toBeNull();
});

it('asks for files, and opens nothing while there are errors', async () => {
  await offer('Divider\nV1 a 0 1\nD1 a 0 DM\n.include diodes.lib\n.tran 1u 1m\n');
  expect(document.body.textContent).toContain('Line 4 asks for the file diodes.lib.');
  expect(go()?.disabled).toBe(true);
});

it('knows netlists by their names', () => {
  expect(
    ['a.cir', 'b.NET', 'c.asc', 'd.csv', 'e.moreau.json'].map((name) => isNetlistFile({ name })),
  ).toEqual([...[true, true, true, false, false]]);
});
