import { mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import type { ParameterDocument } from '@engine/document/types';
import ParametersPanel from '@renderer/parameters/ParametersPanel.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { seeded } from '../engine/support/random';
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
    await typeBound(wrapper, 'Minimum', '2*k');
    expect(wrapper.get('input[aria-label="Minimum"]').attributes('aria-invalid')).toBe('true');
    expect(wrapper.get('input[aria-label="Maximum"]').attributes('aria-invalid')).toBe('false');
    expect(wrapper.text()).toContain('Slider bounds must be numbers');
    expect(useDocumentStore().model.parameters[0]?.min).toBe(100);
    await typeBound(wrapper, 'Minimum', '200');
    expect(wrapper.get('input[aria-label="Minimum"]').attributes('aria-invalid')).toBe('false');
    expect(wrapper.text()).not.toContain('Slider bounds must be numbers');
    expect(useDocumentStore().model.parameters[0]?.min).toBe(200);
  });

  it('are marked when they are the wrong way round', async () => {
    const wrapper = await opened();
    await typeBound(wrapper, 'Minimum', '2000');
    expect(wrapper.text()).toContain('the minimum must be below the maximum');
    expect(wrapper.get('input[aria-label="Maximum"]').attributes('aria-invalid')).toBe('true');
  });
});

describe('a slider', () => {
  const rpm = (): ParameterDocument => useDocumentStore().model.parameters[0];
  const put = (change: Partial<ParameterDocument>): void =>
    useDocumentStore().edit('put', (draft) => void Object.assign(draft.parameters[0], change));
  const press = async (wrapper: VueWrapper, key: string): Promise<void> => {
    await wrapper.get('[role="slider"]').trigger('keydown', { key });
    await nextTick();
  };

  it('does not jump to its range from a value outside of it, and is widened by a button', async () => {
    const wrapper = await opened();
    put({ value: 100, min: 0, max: 2 });
    await nextTick();
    for (const key of ['ArrowLeft', 'ArrowRight', 'PageDown', 'Home', 'End']) await press(wrapper, key);
    expect(rpm().value).toBe(100);
    expect(wrapper.text()).toContain('Outside the slider’s range, 0 … 2 rev/min.');
    await wrapper.get('button[aria-label="Widen the range of rpm to its value"]').trigger('click');
    expect([rpm().min, rpm().value, rpm().max]).toEqual([0, 100, 200]);
    await press(wrapper, 'ArrowLeft');
    expect(rpm().value).toBe(99);
    useDocumentStore().undo();
    useDocumentStore().undo();
    expect([rpm().min, rpm().value, rpm().max]).toEqual([0, 100, 2]);
    wrapper.unmount();
  });

  it('moves by a step of its range at each key, wherever it stands in whatever range', async () => {
    const wrapper = await opened();
    const random = seeded(11);
    for (let k = 0; k < 40; k++) {
      const scale = 10 ** random.integer(-6, 5);
      const min = scale * random.uniform(-1, 1);
      const max = min + scale * random.uniform(0.1, 1.1);
      const value = min + (max - min) * random.uniform(0, 1);
      put({ min, max, value });
      await nextTick();
      const step = 10 ** Math.ceil(Math.log10((max - min) / 1000));
      await press(wrapper, random.chance(0.5) ? 'ArrowLeft' : 'ArrowRight');
      const moved = rpm().value as number;
      expect(Math.abs(moved - value)).toBeLessThanOrEqual(1.5 * step);
      expect(moved).toBeGreaterThanOrEqual(min - 1e-9 * scale);
      expect(moved).toBeLessThanOrEqual(max + 1e-9 * scale);
    }
    wrapper.unmount();
  });

  it.each([
    [{ value: -5, min: 0, max: 2 }, [-10, 2]],
    [{ value: 1, min: 3, max: 9 }, [0, 9]],
    [{ value: -1, min: -9, max: -3 }, [-9, 0]],
  ])('has room on both sides once it is widened: %j', async (change, range) => {
    const wrapper = await opened();
    put(change);
    await nextTick();
    await wrapper.get('button[aria-label="Widen the range of rpm to its value"]').trigger('click');
    expect([rpm().min, rpm().max]).toEqual(range);
    wrapper.unmount();
  });
});
