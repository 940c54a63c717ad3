import { type DOMWrapper, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import InspectorPane from '@renderer/inspector/InspectorPane.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from './setup';

beforeEach(async () => {
  await openCamFollower();
});

/** The inspector showing an element. */
async function inspect(id: string): Promise<VueWrapper> {
  useWorkspaceStore().select({ kind: 'element', id });
  const host = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(InspectorPane) }));
  const wrapper = mount(host, { attachTo: document.body });
  await nextTick();
  return wrapper;
}

/** Types a text without leaving the field. */
async function type(field: Omit<DOMWrapper<Element>, 'exists'>, text: string): Promise<void> {
  (field.element as HTMLInputElement).value = text;
  await field.trigger('input');
}

describe('inspector', () => {
  it('shows the fields of the definition with symbol, unit and value of expressions', async () => {
    const wrapper = await inspect('follower');
    const mass = wrapper.get('[data-testid="field-mass"]');
    expect(mass.text()).toContain('Mass matrix');
    expect(mass.text()).toContain('kg');
    expect(mass.text()).toContain('= 1.221');
    expect((mass.get('input').element as HTMLInputElement).value).toBe('m');
  });

  it('edits the document as it is typed, as one step', async () => {
    const documents = useDocumentStore();
    const wrapper = await inspect('follower');
    const input = wrapper.get('[data-testid="field-mass"] input');
    await type(input, '2');
    await type(input, '2.');
    await type(input, '2.5');
    expect(documents.model.systems[0]?.['mass']).toEqual([[2.5]]);
    expect((input.element as HTMLInputElement).value).toBe('2.5');
    documents.undo();
    await nextTick();
    expect(documents.model.systems[0]?.['mass']).toEqual([['m']]);
    expect((input.element as HTMLInputElement).value).toBe('m');
  });

  it('lets an interaction come and go by a condition, and be always there again', async () => {
    const documents = useDocumentStore();
    const [{ id } = { id: '' }] = documents.model.interactions;
    const wrapper = await inspect(id);
    const box = wrapper.get<HTMLInputElement>('[data-testid="presence"]');
    expect(box.element.checked).toBe(false);
    await box.setValue(true);
    expect(documents.model.interactions[0]?.while).toEqual({ type: 'Condition', condition: ['0'] });
    await type(wrapper.get('[data-testid="field-condition"] input'), '1 - t');
    expect(documents.model.interactions[0]?.while?.['condition']).toEqual(['1 - t']);
    await useReportStore().refresh();
    expect(useReportStore().errors).toEqual([]);
    await wrapper.get<HTMLInputElement>('[data-testid="presence"]').setValue(false);
    expect(documents.model.interactions[0]?.while).toBeUndefined();
    documents.undo();
    expect(documents.model.interactions[0]?.while?.['condition']).toEqual(['1 - t']);
  });

  it('shows an issue at its field', async () => {
    const wrapper = await inspect('follower');
    await type(wrapper.get('[data-testid="field-mass"] input'), 'nothing');
    await useReportStore().refresh();
    await nextTick();
    const mass = wrapper.get('[data-testid="field-mass"]');
    expect(mass.text()).toContain('names no parameter');
    expect(mass.get('input').attributes('aria-invalid')).toBe('true');
    expect(wrapper.get('[data-testid="field-stiffness"]').text()).not.toContain('names no parameter');
  });

  it('brings matrices to the size the degrees of freedom ask for', async () => {
    const documents = useDocumentStore();
    const wrapper = await inspect('follower');
    await type(wrapper.get('[data-testid="field-ndof"] input'), '2');
    expect(documents.model.systems[0]?.['mass']).toEqual([
      ['m', 0],
      [0, 1],
    ]);
    expect(documents.model.systems[0]?.['q0']).toEqual([0.4, 0]);
    documents.undo();
    expect(documents.model.systems[0]?.['q0']).toEqual([0.4]);
  });

  it('renames an element with its references', async () => {
    const documents = useDocumentStore();
    const wrapper = await inspect('follower');
    const field = wrapper.get('[data-testid="field-id"] input');
    await type(field, 'rocker');
    await field.trigger('change');
    expect(documents.model.interactions[0]?.systems).toEqual(['rocker']);
    expect(useWorkspaceStore().selection).toEqual({ kind: 'element', id: 'rocker' });
  });

  it('refuses a name that is taken', async () => {
    const wrapper = await inspect('follower');
    const field = wrapper.get('[data-testid="field-id"] input');
    await type(field, 'cam');
    expect(wrapper.get('[data-testid="field-id"]').text()).toContain('cam is taken');
    await field.trigger('change');
    expect(useDocumentStore().model.systems[0]?.id).toBe('follower');
  });

  it('names the function of a field that is given by one', async () => {
    const wrapper = await inspect('cam');
    expect(wrapper.get('[data-testid="field-h"]').text()).toContain('gap');
  });

  it('does not show an empty entry as a zero, which it is not', async () => {
    const wrapper = await inspect('follower');
    const input = wrapper.get('[data-testid="field-mass"] input');
    await type(input, '');
    await useReportStore().refresh();
    await nextTick();
    expect(input.attributes('placeholder') ?? '').toBe('');
  });
});
