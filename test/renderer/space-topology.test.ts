/**
 * The topology of models of 3D bodies: links, groups of joints, and the contacts at the time cursor.
 */
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { describe, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { MoreauError } from '@contract/errors';
import type { ModelDocument } from '@engine/document/types';
import type { MomentContacts } from '@engine/inspection/contacts-at';
import LowerPane from '@renderer/shell/LowerPane.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { usePlotCursorStore } from '@renderer/stores/plot-cursor';
import { useRunsStore } from '@renderer/stores/runs';
import { useTopologyStore } from '@renderer/stores/topology';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { actsOn, contactPairs, hasBlock, sharedBody } from '@renderer/topology/contact-pairs';
import { sceneOf, ground, spatialBody } from './animation/support/scenes';
import type { FakeHost } from './fake/host';
import { openCamFollower } from './setup';

const ball = (id: string, x: number): object => ({
  id,
  type: 'RigidBody',
  mass: 1,
  inertia: [1, 1, 1],
  position: [x, 0, 0],
  shapes: [{ type: 'Sphere', radius: 0.1 }],
});
const interaction = (id: string, systems: string[], relation: object, law: object): object => ({
  id,
  systems,
  relation,
  law,
});
const hinge = (id: string, systems: string[], x: number): object =>
  interaction(
    id,
    systems,
    { type: 'RevoluteJoint', point: [x, 0, 0], axis: [0, 0, 1] },
    { type: 'Equality' },
  );
const touch = (id: string, systems: string[]): object =>
  interaction(id, systems, { type: 'ShapeContact' }, { type: 'NewtonImpactFriction3D', mu: 0.5, e: 0 });

function spatial(systems: object[], interactions: object[]): ModelDocument {
  const { model } = useDocumentStore();
  const simulation = { ...model.simulation, integrators: [], problem: { type: 'auto' } };
  return { ...model, simulation, systems, interactions, observables: [], scripts: [], views: [] } as never;
}

/**
 * Contacts of four bodies on the ground: two between ground and a, one between a and b, one of c, which a
 * joint holds to b, and one of d, far from all of them.
 */
const contacts: MomentContacts = {
  time: 0,
  count: 5,
  points: new Float64Array(15),
  normals: new Float64Array(15),
  gaps: new Float64Array(5),
  impulses: new Float64Array(15),
  frictions: new Float64Array(5),
  bodies: Float64Array.of(-1, 1, -1, 1, 1, 2, -1, 3, -1, 4),
  interactions: ['floor_contact', 'between'],
  interactionOf: Uint32Array.of(0, 0, 1, 0, 0),
  matrix: {
    rows: 15,
    rank: 14,
    pattern: {
      rowStart: Uint32Array.of(0, 3, 6, 10, 12, 13),
      columns: Uint32Array.of(0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 2, 3, 4),
    },
  },
};
const scene = sceneOf(ground, ...['a', 'b', 'c', 'd'].map((id) => spatialBody(id)));

async function show(
  document: () => ModelDocument,
  options: Parameters<typeof openCamFollower>[0] = {},
): Promise<{ host: FakeHost; wrapper: VueWrapper }> {
  const host = await openCamFollower(options);
  useDocumentStore().load(document(), null);
  const pane = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(LowerPane) }));
  const wrapper = mount(pane, { attachTo: window.document.body });
  useWorkspaceStore().lowerTab = 'topology';
  await useTopologyStore().refresh();
  await flushPromises();
  return { host, wrapper };
}

const touching = (): ModelDocument =>
  spatial(
    ['a', 'b', 'c', 'd'].map((id, k) => ball(id, 3 * k)),
    [touch('floor_contact', ['a', 'c', 'd']), touch('between', ['a', 'b']), hinge('beam', ['b', 'c'], 4)],
  );

const words = (wrapper: VueWrapper, id: string): string =>
  wrapper.get(`[data-testid="${id}"]`).text().replace(/\s+/g, ' ');

describe('what a model in space links', () => {
  it('is given for each interaction, and no system is said to move on its own', async () => {
    const { wrapper } = await show(touching);
    expect(words(wrapper, 'topology-pane')).not.toContain('moves on its own');
    const rows = wrapper.findAll('[data-testid="link-table"] tbody').map((row) => row.text());
    expect(rows).toEqual([
      'floor_contactContact of shapesa, c, das contacts close',
      'betweenContact of shapesa, bas contacts close',
      'beamRevolute joint in spaceb, c5',
    ]);
    const matrix = wrapper.get('[data-testid="link-matrix"] svg');
    expect(matrix.attributes('aria-label')).toBe('Pattern of interactions by bodies: 3 by 4, links: 7');
    matrix.element.getBoundingClientRect = () => new DOMRect(0, 0, 80, 60);
    await matrix.trigger('mousemove', { clientX: 30, clientY: 50 });
    expect(words(wrapper, 'link-matrix')).toContain('beam links b.');
    await matrix.trigger('mousemove', { clientX: 70, clientY: 50 });
    expect(words(wrapper, 'link-matrix')).toContain('beam does not link d.');
    await matrix.trigger('click', { clientX: 70, clientY: 30 });
    expect(useWorkspaceStore().selection).toEqual({ kind: 'element', id: 'between' });
    expect(wrapper.get('[data-testid="topology-between"]').attributes('aria-pressed')).toBe('true');
  });

  it('has the freedoms that joints leave', async () => {
    const { wrapper } = await show(touching);
    expect(words(wrapper, 'topology-group')).toBe(
      'b, c · equations: 5, velocities: 12. 7 degrees of freedom remain.',
    );
  });

  it('names equations that follow from others', async () => {
    const { wrapper } = await show(() =>
      spatial([ball('a', 0)], [hinge('one', ['a'], 0), hinge('two', ['a'], 0)]),
    );
    expect(words(wrapper, 'topology-group')).toContain(
      '1 degree of freedom remains. 5 equations follow from the others.',
    );
    // Nothing is said of contacts where there can be none.
    expect(wrapper.find('[data-testid="contact-blocks"]').exists()).toBe(false);
  });

  it('says of bodies alone that each moves on its own', async () => {
    const { wrapper } = await show(() => spatial([ball('a', 0), ball('b', 1)], []));
    expect(words(wrapper, 'topology-pane')).toBe('No interactions yet: every body moves on its own.');
  });
});

describe('the contacts at the time cursor', () => {
  const asked = (host: FakeHost): number[] =>
    host.calls
      .filter(({ method }) => method === 'run.contacts')
      .map(({ params }) => (params as { time: number }).time);

  it('are asked for when there is a run, and only while the pane is looked at', async () => {
    const { host, wrapper } = await show(touching, { scene, contacts });
    expect(words(wrapper, 'contact-state')).toContain('Run the model');
    await useRunsStore().start();
    host.advance(4);
    await flushPromises();
    const end = useRunsStore().current!.statistics.simulatedTime;
    expect(asked(host).at(-1)).toBe(end);
    expect(words(wrapper, 'contact-state')).toMatch(
      /^5 contacts at t = [\d.]+ s\. 15 rows, rank 14: impulses are not unique\.$/,
    );
    usePlotCursorStore().moveTo(0.01);
    await flushPromises();
    expect(asked(host).at(-1)).toBe(0.01);
    expect(words(wrapper, 'contact-state')).toContain('t = 0.01 s');
    useWorkspaceStore().lowerTab = 'inspector';
    await flushPromises();
    usePlotCursorStore().moveTo(0.02);
    await flushPromises();
    expect(asked(host).at(-1)).toBe(0.01);
  });

  it('are given by pairs, whose bodies are buttons, and marked where a body is selected', async () => {
    const { host, wrapper } = await show(touching, { scene, contacts });
    await useRunsStore().start();
    host.advance(4);
    await flushPromises();
    const rows = wrapper.findAll('[data-testid="pair-table"] tbody').map((row) => row.text());
    expect(rows).toEqual([
      'fixed – afloor_contact1–23',
      'a – bbetween31–2, 4',
      'fixed – cfloor_contact43',
      'fixed – dfloor_contact5none',
    ]);
    const button = wrapper.findAll('[data-testid="pair-table"] button').find((one) => one.text() === 'b')!;
    await button.trigger('click');
    expect(useWorkspaceStore().selection).toEqual({ kind: 'element', id: 'b' });
    expect(button.attributes('aria-pressed')).toBe('true');
    // Row and column of its only contact.
    expect(wrapper.findAll('[data-testid="contact-matrix"] rect')).toHaveLength(2);
  });

  it('are drawn as blocks of W, each of which says what it couples', async () => {
    const { host, wrapper } = await show(touching, { scene, contacts });
    await useRunsStore().start();
    host.advance(4);
    await flushPromises();
    const svg = wrapper.get('[data-testid="contact-matrix"] svg');
    expect(svg.attributes('aria-label')).toBe('Pattern of W by contacts, blocks that are not zero: 13 of 25');
    svg.element.getBoundingClientRect = () => new DOMRect(0, 0, 100, 100);
    const at = async (row: number, column: number): Promise<string> => {
      await svg.trigger('mousemove', { clientX: 20 * column + 10, clientY: 20 * row + 10 });
      return words(wrapper, 'contact-matrix');
    };
    expect(await at(2, 2)).toContain('Contact 3 of between: a – b');
    expect(await at(0, 2)).toContain('Contacts 1 and 3 share a.');
    expect(await at(2, 3)).toContain('Contacts 3 and 4 act on each other through joints.');
    expect(await at(0, 4)).toContain('Contacts 1 and 5 do not act on each other.');
    await svg.trigger('click', { clientX: 10, clientY: 90 });
    expect(useWorkspaceStore().selection).toEqual({ kind: 'element', id: 'd' });
  });

  it('that are not known are said not to be', async () => {
    const { host, wrapper } = await show(touching, { scene });
    await useRunsStore().start();
    host.advance(4);
    await flushPromises();
    expect(words(wrapper, 'contact-state')).toContain('are not known');
    expect(wrapper.find('[data-testid="pair-table"]').exists()).toBe(false);
  });

  it('that cannot be asked for are news once, however often the cursor moves', async () => {
    const { host, wrapper } = await show(touching, { scene, contacts });
    const { dispatch } = host.dispatcher;
    host.dispatcher.dispatch = (method, params) =>
      method === 'run.contacts'
        ? Promise.reject(new MoreauError({ code: 'broken', message: 'The state cannot be read.' }))
        : dispatch(method, params);
    await useRunsStore().start();
    host.advance(4);
    for (const time of [0.01, 0.02, 0.03]) {
      usePlotCursorStore().moveTo(time);
      await flushPromises();
    }
    expect(words(wrapper, 'contact-state')).toContain('are not known');
    expect(
      useNoticesStore().notices.filter(({ message }) => message.includes('cannot be read')),
    ).toHaveLength(1);
  });
});

describe('contacts by pairs', () => {
  it('are those of one interaction between two bodies, and act on the others of their blocks', () => {
    const pairs = contactPairs(contacts);
    expect(pairs.map(({ contacts: numbers }) => numbers)).toEqual([[0, 1], [2], [3], [4]]);
    expect(pairs.map((pair) => actsOn(pair, contacts.matrix.pattern!))).toEqual([[2], [0, 1, 3], [2], []]);
    expect(hasBlock(contacts.matrix.pattern!, 4, 3)).toBe(false);
  });

  it('share bodies that can be pushed, not obstacles that move as prescribed', () => {
    expect(sharedBody(contacts, 0, 2, () => true)).toBe(1);
    expect(sharedBody(contacts, 0, 2, () => false)).toBe(-1);
    expect(sharedBody(contacts, 0, 3, () => true)).toBe(-1);
  });
});
