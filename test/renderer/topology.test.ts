import { mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import type { ModelDocument } from '@engine/document/types';
import LowerPane from '@renderer/shell/LowerPane.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { useTopologyStore } from '@renderer/stores/topology';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { drawLinks, drawPattern, MAX_CELLS } from '@renderer/topology/pattern';
import { ranges } from '@renderer/topology/wording';
import type { FakeHost } from './fake/host';
import { openCamFollower, setMass } from './setup';

let host: FakeHost;
afterEach(() => vi.useRealTimers());
beforeEach(async () => {
  host = await openCamFollower();
});

const asked = (): number => host.calls.filter(({ method }) => method === 'document.topology').length;

const contact = (id: string, systems: string[], H: number[][], b = [0]): object => ({
  id,
  systems,
  relation: { type: 'LagrangianLinear', H, b },
  law: { type: 'NewtonImpact', e: 0 },
});

/** Balls 0 … count − 1 in a row, each touching the next. */
function chain(count: number): ModelDocument {
  const { simulation } = useDocumentStore().model;
  return {
    formatVersion: 3,
    title: 'Chain',
    parameters: [],
    systems: Array.from({ length: count }, (_, k) => ({
      id: `b${k}`,
      type: 'LagrangianLinearTI',
      ndof: 1,
      mass: [[1]],
      q0: [k],
      v0: [0],
    })),
    interactions: Array.from({ length: count - 1 }, (_, k) =>
      contact(`c${k}`, [`b${k}`, `b${k + 1}`], [[-1, 1]]),
    ),
    simulation,
    observables: [],
    scripts: [],
    views: [],
    layout: { nodes: {} },
  } as unknown as ModelDocument;
}

async function show(document?: ModelDocument): Promise<VueWrapper> {
  if (document !== undefined) useDocumentStore().load(document, null);
  const pane = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(LowerPane) }));
  const wrapper = mount(pane, { attachTo: window.document.body });
  useWorkspaceStore().lowerTab = 'topology';
  await nextTick();
  await useTopologyStore().refresh();
  await nextTick();
  return wrapper;
}

const row = (wrapper: VueWrapper, id: string): string => {
  const body = wrapper.get(`[data-testid="topology-${id}"]`).element.closest('tbody');
  return (body?.textContent ?? '').replace(/\s+/g, ' ');
};

describe('the topology pane', () => {
  it('tells systems, links, degree and what it means of each interaction', async () => {
    const wrapper = await show(chain(4));
    const text = row(wrapper, 'c1');
    expect(text).toContain('b1, b2');
    expect(text).toContain('c0, c2');
    expect(row(wrapper, 'c0')).toContain('The law is solved on ẏ for the contacts that are closed');
    expect(row(wrapper, 'c0')).toContain('I0 always, I1 while closed, I2 while resting.');
    // What is the same for the next one is not said again.
    expect(row(wrapper, 'c1')).toContain('As above.');
    expect(wrapper.findAll('[data-testid="topology-component"]')).toHaveLength(1);
    expect(wrapper.get('[data-testid="block-matrix"] svg').attributes('aria-label')).toBe(
      'Pattern of the one-step matrix, blocks that are not zero: 7 of 9',
    );
  });

  it('warns of rows that say the same', async () => {
    const document = chain(2);
    const twice = contact(
      'twice',
      ['b0', 'b1'],
      [
        [-1, 1],
        [-2, 2],
      ],
      [0, 0],
    );
    const wrapper = await show({
      ...document,
      interactions: [...document.interactions, twice],
    } as ModelDocument);
    const component = wrapper.get('[data-testid="topology-component"]');
    expect(component.text()).toContain('Dependent rows: c0, twice (1–2).');
    expect(component.find('[aria-label="Warning"]').exists()).toBe(true);
    expect(row(wrapper, 'twice')).toContain('Its own multipliers act on 1 of 2 rows at first');
  });

  it('selects an element with a button, and stays open', async () => {
    const wrapper = await show(chain(4));
    const workspace = useWorkspaceStore();
    const button = wrapper.get('[data-testid="topology-c2"]');
    await button.trigger('click');
    expect(workspace.selection).toEqual({ kind: 'element', id: 'c2' });
    expect(workspace.lowerTab).toBe('topology');
    expect(button.attributes('aria-pressed')).toBe('true');
    expect(wrapper.get('[data-testid="topology-c1"]').attributes('aria-pressed')).toBe('false');
    expect(button.element.tagName).toBe('BUTTON');
    // The matrix marks row and column of what is selected.
    expect(wrapper.findAll('[data-testid="block-matrix"] rect')).toHaveLength(2);
  });

  it('selects the interaction of the row that is clicked in the matrix and says what a block couples', async () => {
    const wrapper = await show(chain(4));
    const svg = wrapper.get('[data-testid="block-matrix"] svg');
    svg.element.getBoundingClientRect = () => new DOMRect(10, 20, 90, 90);
    await svg.trigger('mousemove', { clientX: 10 + 45, clientY: 20 + 75 });
    expect(wrapper.get('[data-testid="block-matrix"]').text()).toContain('c2 and c1 share b2.');
    await svg.trigger('mousemove', { clientX: 10 + 5, clientY: 20 + 75 });
    expect(wrapper.get('[data-testid="block-matrix"]').text()).toContain('c2 and c0 share no system.');
    await svg.trigger('click', { clientX: 10 + 5, clientY: 20 + 75 });
    expect(useWorkspaceStore().selection).toEqual({ kind: 'element', id: 'c2' });
  });

  it('draws a hundred of a thousand interactions at a time', async () => {
    const wrapper = await show(chain(1001));
    const bodies = (): number => wrapper.findAll('[data-testid="topology-table"] tbody').length;
    expect(bodies()).toBe(100);
    const more = wrapper.get('[data-testid="topology-more"]');
    expect(more.text()).toBe('Show 100 more of 900');
    await more.trigger('click');
    expect(bodies()).toBe(200);
    // Selecting one that is not drawn yet draws it.
    useWorkspaceStore().selection = { kind: 'element', id: 'c255' };
    await nextTick();
    await nextTick();
    expect(bodies()).toBe(300);
    expect(wrapper.get('[data-testid="topology-c255"]').attributes('aria-pressed')).toBe('true');
    expect(wrapper.get('[data-testid="block-matrix"]').text()).toContain(
      'Each cell stands for 9 × 9 blocks.',
    );
  });

  it('says so where there is nothing to tell', async () => {
    const document = chain(2);
    const wrapper = await show({ ...document, interactions: [] });
    expect(wrapper.get('[data-testid="topology-pane"]').text()).toContain('No interactions yet');
    useDocumentStore().load({ ...document, systems: [] }, null);
    await useTopologyStore().refresh();
    await nextTick();
    expect(wrapper.get('[data-testid="topology-pane"]').text()).toContain('Fix them first');
  });

  it('asks only while it is looked at, and again after an edit', async () => {
    useWorkspaceStore().lowerTab = 'inspector';
    await show();
    expect(asked()).toBe(1);
    await useTopologyStore().refresh();
    expect(asked()).toBe(1);
    const documents = useDocumentStore();
    documents.edit('Change mass', (draft) => {
      setMass(draft, 3);
    });
    await useTopologyStore().refresh();
    expect(asked()).toBe(2);
    vi.useFakeTimers();
    const edit = async (mass: number): Promise<void> => {
      documents.edit('Change mass', (draft) => {
        setMass(draft, mass);
      });
      await nextTick();
      await vi.advanceTimersByTimeAsync(60_000);
    };
    await edit(4);
    expect(asked()).toBe(3);
    useWorkspaceStore().lowerTab = 'inspector';
    await edit(5);
    expect(asked()).toBe(3);
  });
});

describe('the drawing of a pattern', () => {
  const path = (drawn: string): number => drawn.split('M').length - 1;

  it('has one square for each block of a small matrix', () => {
    const drawn = drawPattern({ rowStart: [0, 2, 4, 5], columns: [0, 1, 0, 1, 2] });
    expect(drawn).toMatchObject({ rows: 3, columns: 3, rowScale: 1, columnScale: 1 });
    expect(path(drawn.interaction)).toBe(3);
    expect(drawn.accent).toBe('M1 0h1v1h-1zM0 1h1v1h-1z');
  });

  it('gathers the blocks of a large one in cells', () => {
    const size = 10 * MAX_CELLS;
    const rowStart = Array.from({ length: size + 1 }, (_, k) => 2 * k);
    const columns = Array.from({ length: size }, (_, k) => [
      Math.min(k, size - 1 - k),
      Math.max(k, size - 1 - k),
    ]).flat();
    const drawn = drawPattern({ rowStart, columns });
    expect(drawn).toMatchObject({ rows: MAX_CELLS, columns: MAX_CELLS, rowScale: 10, columnScale: 10 });
    expect(path(drawn.interaction)).toBe(MAX_CELLS);
    expect(path(drawn.accent)).toBe(MAX_CELLS);
  });

  it('of links has the colour of each row, and sides of their own', () => {
    const drawn = drawLinks(
      [
        { columns: [0, 2], colour: 'interaction' },
        { columns: [3 * MAX_CELLS - 1], colour: 'accent' },
      ],
      3 * MAX_CELLS,
    );
    expect(drawn).toMatchObject({ rows: 2, columns: MAX_CELLS, rowScale: 1, columnScale: 3 });
    expect(drawn.interaction).toBe('M0 0h1v1h-1z');
    expect(drawn.accent).toBe(`M${MAX_CELLS - 1} 1h1v1h-1z`);
  });
});

describe('row numbers', () => {
  it.each([
    [[1], '1'],
    [[1, 2, 3, 7], '1–3, 7'],
    [[2, 4, 5], '2, 4–5'],
  ])('%j are written %s', (numbers, text) => {
    expect(ranges(numbers)).toBe(text);
  });
});
