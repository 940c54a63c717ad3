/** Texts that are edited where they stand: Enter and leaving take them, Escape leaves them as they were. */
import { type DOMWrapper, mount } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { emptyDocument } from '@renderer/document/factory';
import NetNameInput from '@renderer/graph/circuit/NetNameInput.vue';
import ValueInput from '@renderer/graph/circuit/ValueInput.vue';
import { useGraphStore } from '@renderer/graph/graph-store';
import { useDocumentStore } from '@renderer/stores/document';
import { openCamFollower } from '../setup';

const model = (): ReturnType<typeof useDocumentStore>['model'] => useDocumentStore().model;
const resistor = catalogue().components.find(({ type }) => type === 'Resistor')!;

beforeEach(async () => {
  await openCamFollower();
  useDocumentStore().load(
    {
      ...emptyDocument(catalogue(), 3, 'new'),
      components: [
        { id: 'R1', type: 'Resistor', resistance: 1 },
        { id: 'R2', type: 'Resistor', resistance: 1 },
      ],
      wires: [{ id: 'n1', ends: ['R1.a', 'R2.a'] }],
    },
    null,
  );
});

function valueInput(): DOMWrapper<HTMLInputElement> {
  useGraphStore().editing = 'value:R1';
  const [element] = model().components!;
  const look = { definition: resistor, place: { x: 0, y: 0 }, values: '', element, index: 0 };
  const fields = resistor.fields.filter(({ key }) => key === 'resistance');
  return mount(ValueInput, { props: { look, fields }, attachTo: document.body }).find('input');
}

describe('editing in place', () => {
  it.each([
    ['Enter', 4700],
    ['Escape', 1],
  ])('a value ends with %s', async (key, value) => {
    const input = valueInput();
    expect(input.classes()).toEqual(expect.arrayContaining(['nodrag', 'nopan', 'value-input']));
    await input.setValue('4.7k');
    await input.trigger('keydown', { key });
    expect(model().components![0]['resistance']).toBe(value);
    expect(useGraphStore().editing).toBeNull();
  });

  it('a value is taken where the input is left', async () => {
    const input = valueInput();
    await input.setValue('10');
    await input.trigger('blur');
    expect(model().components![0]['resistance']).toBe(10);
  });

  it('the name of a wire follows, and one that is taken does not', async () => {
    const graph = useGraphStore();
    graph.editing = 'wire:n1';
    const first = mount(NetNameInput, { props: { id: 'n1' }, attachTo: document.body });
    await first.find('input').setValue('R2');
    await first.find('input').trigger('keydown', { key: 'Enter' });
    first.unmount();
    expect(model().wires![0].id).toBe('n1');
    graph.editing = 'wire:n1';
    const input = mount(NetNameInput, { props: { id: 'n1' }, attachTo: document.body }).find('input');
    await input.setValue('out');
    await input.trigger('keydown', { key: 'Enter' });
    expect(model().wires![0].id).toBe('out');
  });
});
