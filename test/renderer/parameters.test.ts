import './standards-mode';
import { mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import ParametersPanel from '@renderer/parameters/ParametersPanel.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { openCamFollower } from './setup';

beforeEach(async () => {
  await openCamFollower();
});

/** The panel with the details of the first parameter open. */
async function opened(): Promise<VueWrapper> {
  const host = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(ParametersPanel) }));
  const wrapper = mount(host, { attachTo: document.body });
  await wrapper.get('[aria-label="Details of rpm"]').trigger('click');
  return wrapper;
}

async function typeBound(wrapper: VueWrapper, label: string, typed: string): Promise<void> {
  const input = wrapper.get(`input[aria-label="${label}"]`);
  (input.element as HTMLInputElement).value = typed;
  await input.trigger('input');
  await nextTick();
}

describe('slider bounds', () => {
  it('are refused with a line of text where they are no numbers', async () => {
    const wrapper = await opened();
    await typeBound(wrapper, 'Least', '2*k');
    expect(wrapper.get('input[aria-label="Least"]').attributes('aria-invalid')).toBe('true');
    expect(wrapper.get('input[aria-label="Greatest"]').attributes('aria-invalid')).toBe('false');
    expect(wrapper.text()).toContain('The bounds of a slider are numbers');
    expect(useDocumentStore().model.parameters[0]?.min).toBe(100);
    await typeBound(wrapper, 'Least', '200');
    expect(wrapper.get('input[aria-label="Least"]').attributes('aria-invalid')).toBe('false');
    expect(wrapper.text()).not.toContain('The bounds of a slider are numbers');
    expect(useDocumentStore().model.parameters[0]?.min).toBe(200);
  });

  it('are marked when they are the wrong way round', async () => {
    const wrapper = await opened();
    await typeBound(wrapper, 'Least', '2000');
    expect(wrapper.text()).toContain('the least value must lie below the greatest');
    expect(wrapper.get('input[aria-label="Greatest"]').attributes('aria-invalid')).toBe('true');
  });
});
