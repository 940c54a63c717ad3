/** The command palette: Enter takes what fits the letters typed, as soon as they are typed. */
import { flushPromises, mount } from '@vue/test-utils';
import { expect, it } from 'vitest';
import CommandPalette from '@renderer/shell/CommandPalette.vue';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { openCamFollower } from './setup';

it('runs what fits the letters typed, before the list is drawn again', async () => {
  await openCamFollower();
  const dialogs = useDialogsStore();
  const palette = mount(CommandPalette, { attachTo: document.body });
  dialogs.open = 'palette';
  await flushPromises();
  const all = (selector: string): Element[] => [
    ...document.querySelectorAll(`[data-testid=command-palette] ${selector}`),
  ];
  const [input] = all('input') as HTMLInputElement[];
  const type = (letters: string): void => {
    input.value = letters;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const press = (key: string): void => {
    input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  };
  // Nothing fits: nothing runs, though the list still shows what there was.
  type('zzzzqqqq');
  press('Enter');
  expect(dialogs.open).toBe('palette');

  type('Export');
  await flushPromises();
  press('ArrowDown');
  await flushPromises();
  expect(all('[data-highlighted]')).toEqual([all('[role=option]:not([aria-disabled=true])')[1]]);

  // What the arrow keys had come to does not count for other letters, and no promise is waited for.
  type('About this model');
  press('Enter');
  expect(dialogs.open).toBe('about-model');
  // Once.
  dialogs.open = null;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(dialogs.open).toBeNull();
  palette.unmount();
});
