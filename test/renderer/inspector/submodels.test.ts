/** Inspector of instances, arrays and definitions of components of one’s own. */
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import InspectorPane from '@renderer/inspector/InspectorPane.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { useDrawingStore } from '@renderer/stores/drawing';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from '../setup';

let wrapper: VueWrapper;
const model = () => useDocumentStore().model;

beforeEach(async () => {
  await openCamFollower();
  useDocumentStore().edit('add', (draft) => {
    draft.instances = [
      { id: 'one', of: 'Half' },
      { id: 'other', of: 'Half', values: { R: 3 } },
    ];
    draft.submodels = [
      {
        id: 'Half',
        ports: [
          { name: 'a', wire: 'top' },
          { name: 'b', wire: 'end' },
        ],
        parameters: [{ name: 'R', value: 10, unit: 'Ω' }],
        components: [{ id: 'R1', type: 'Resistor', resistance: 'R/2' }],
        wires: [
          { id: 'top', ends: ['R1.a'] },
          { id: 'end', ends: ['R1.b'] },
        ],
      },
    ];
  });
  useWorkspaceStore().select({ kind: 'element', id: 'other' });
  const all = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(InspectorPane) }));
  wrapper = mount(all, { attachTo: document.body });
  await flushPromises();
});
afterEach(() => wrapper.unmount());

async function type(testId: string, value: string): Promise<void> {
  await wrapper.get(`[data-testid="${testId}"]`).setValue(value);
  await flushPromises();
}

it('shows and sets values of an instance, beside those of its definition', async () => {
  const field = wrapper.get<HTMLInputElement>('[data-testid="instance-value-R"]');
  expect(field.element.value).toBe('3');
  expect(field.element.placeholder).toBe('10');
  expect(wrapper.get('[data-testid="used"]').text()).toBe('Used 2 times in the model.');
  await type('instance-value-R', '4.7k');
  expect(model().instances?.[1]?.values).toEqual({ R: 4700 });
  await type('instance-value-R', '');
  expect(model().instances?.[1]?.values).toBeUndefined();
});

it('makes an array, with its chain', async () => {
  await type('instance-count', '5');
  expect(model().instances?.[1]).toMatchObject({ count: 5 });
  const press = async (testId: string): Promise<void> => {
    await wrapper.get(testId).trigger('click');
    await flushPromises();
  };
  expect(wrapper.text()).toContain('Neighbours joined');
  await press('[data-testid="add-chain"]');
  expect(model().instances?.[1]?.chain).toEqual({ from: 'b', to: 'a' });
  await press('[data-testid="add-chain"]');
  const both = [
    { from: 'b', to: 'a' },
    { from: 'a', to: 'b' },
  ];
  expect(model().instances?.[1]?.chain).toEqual(both);
  await type('instance-count', 'many');
  await type('instance-count', '7');
  expect(model().instances?.[1]).toMatchObject({ count: 7, chain: both });
  await press('[data-testid="chain-0"] button[aria-label="Remove b → a"]');
  expect(model().instances?.[1]?.chain).toEqual({ from: 'a', to: 'b' });
  await type('instance-count', '');
  expect(model().instances?.[1]?.count).toBeUndefined();
});

it('has the definition inside, with its ports and parameters', async () => {
  useDrawingStore().enter('one');
  // Its inspector is loaded when it is first needed.
  await vi.waitFor(() => wrapper.get('[data-testid="submodel-title"]'), { timeout: 10_000 });
  await type('submodel-title', 'Half a resistor');
  await type('default-R', '20');
  await wrapper.get('[data-testid="add-port"]').trigger('click');
  await wrapper.get('[data-testid="add-own-parameter"]').trigger('click');
  expect(model().submodels?.[0]).toMatchObject({
    title: 'Half a resistor',
    ports: [{ name: 'a' }, { name: 'b' }, { name: 'p1' }],
    parameters: [{ name: 'R', value: 20 }, { name: 'a1' }],
  });
});
