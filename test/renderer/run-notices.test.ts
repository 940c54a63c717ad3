/** What a run has to say beside its numbers: the badge with its list, and the sign in the list of runs. */
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { describe, expect, it } from 'vitest';
import { defineComponent, h, type VNode } from 'vue';
import RunList from '@renderer/runs/RunList.vue';
import RunNotices from '@renderer/runs/RunNotices.vue';
import { useRunsStore } from '@renderer/stores/runs';
import { openCamFollower } from './setup';

const SAID = [
  'At t = 0.008 s the contact “table” has 3 solutions.',
  '“a” and “b” overlap by 0.001 m at the start.',
];

async function shown(part: () => VNode, warnings: readonly string[]): Promise<VueWrapper> {
  const host = await openCamFollower({ warnings });
  await useRunsStore().start();
  host.advance(1);
  const within = defineComponent(() => () => h(TooltipProvider, null, { default: part }));
  const wrapper = mount(within, { attachTo: document.body });
  await flushPromises();
  return wrapper;
}

describe('the notices of a run', () => {
  it('are counted in the bar, and read when the badge is opened', async () => {
    const wrapper = await shown(() => h(RunNotices), SAID);
    const badge = wrapper.get('[data-testid="run-notices-badge"]');
    expect(badge.text()).toBe('2');
    expect(badge.attributes('aria-label')).toBe('2 notices of the run');
    expect(wrapper.get('[role="status"]').text()).toBe('2 notices of the run');
    await badge.trigger('click');
    await flushPromises();
    const list = document.querySelector('[data-testid="run-notices"]');
    expect([...(list?.querySelectorAll('li') ?? [])].map((item) => item.textContent)).toEqual(SAID);
    expect(list?.getAttribute('aria-label')).toMatch(/^Notices of Run 1/);
  });

  it('leave no badge where there are none', async () => {
    const wrapper = await shown(() => h(RunNotices), []);
    expect(wrapper.find('[data-testid="run-notices-badge"]').exists()).toBe(false);
    expect(wrapper.get('[role="status"]').text()).toBe('');
  });

  it('are shown in the list of runs', async () => {
    const signs = async (warnings: readonly string[]): Promise<(string | undefined)[]> =>
      (await shown(() => h(RunList), warnings))
        .findAll('.has-notices')
        .map((sign) => sign.attributes('aria-label'));
    expect(await signs(SAID.slice(1))).toEqual(['1 notice of the run']);
    expect(await signs([])).toEqual([]);
  });
});
