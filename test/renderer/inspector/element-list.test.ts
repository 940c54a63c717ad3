/** The shapes of a body in the inspector. */
import type { DOMWrapper, VueWrapper } from '@vue/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { nextTick } from 'vue';
import type { SystemDocument, TypedElement } from '@engine/document/types';
import { useDocumentStore } from '@renderer/stores/document';
import { choose, examine, inspect, open, spatial, type } from './mounted';

const box: TypedElement = { type: 'Box', size: [0.2, 0.2, 0.2] };
const sphere: TypedElement = { type: 'Sphere', radius: 0.1 };
const rod: TypedElement = { type: 'Capsule', radius: 0.05, length: 0.2 };

/** A body that stands still, whose form is the shorter one. */
const body = (...shapes: TypedElement[]): SystemDocument => ({
  id: 'body',
  type: 'FixedBody',
  ...(shapes.length === 0 ? {} : { shapes }),
});

const moving: SystemDocument = {
  id: 'body',
  type: 'RigidBody',
  density: 1,
  position: [0, 0, 0],
  shapes: [{ type: 'Plane' }, { ...sphere, position: [1, 0, 0] }],
};

let wrapper: VueWrapper;
afterEach(() => wrapper.unmount());

async function show(...shapes: TypedElement[]): Promise<void> {
  wrapper = await inspect(spatial([body(...shapes)]), { kind: 'element', id: 'body' });
}

const get = (id: string): Omit<DOMWrapper<Element>, 'exists'> => wrapper.get(`[data-testid="${id}"]`);
const has = (id: string): boolean => wrapper.find(`[data-testid="${id}"]`).exists();
const shapes = (): unknown => useDocumentStore().model.systems[0]?.['shapes'];
const isOpen = (index: number): string | undefined =>
  get(`element-${index}-toggle`).attributes('aria-expanded');

describe('the list of shapes', () => {
  it('shows a card for each, open while they are few', async () => {
    await show(box, sphere);
    expect([isOpen(0), isOpen(1)]).toEqual(['true', 'true']);
    expect(get('element-0').find('[data-testid="field-size"]').exists()).toBe(true);
    await get('element-0-toggle').trigger('click');
    expect(isOpen(0)).toBe('false');
    expect(get('element-0').find('[data-testid="field-size"]').exists()).toBe(false);
    expect(get('element-0').text()).toContain('lengths of the sides 0.2, 0.2, 0.2 m');
  });

  it('shows many of them closed, and not all of very many', async () => {
    await show(...Array.from({ length: 25 }, () => sphere));
    expect(isOpen(0)).toBe('false');
    expect(has('element-19')).toBe(true);
    expect(has('element-20')).toBe(false);
    const more = wrapper.findAll('button').find((button) => button.text() === 'Show 5 more');
    await more?.trigger('click');
    expect(has('element-24')).toBe(true);
  });

  it('adds a shape that means something, as one step with a name', async () => {
    await show(box);
    await choose(get('add-shapes'), 'add-shapes-Sphere');
    expect(shapes()).toEqual([box, sphere]);
    const documents = useDocumentStore();
    expect(documents.undoLabel).toBe('Add Sphere to body');
    documents.undo();
    expect(shapes()).toEqual([box]);
  });

  it('adds the first one and removes the last, which leaves no empty list', async () => {
    await show();
    expect(get('field-shapes').text()).toContain('No shapes.');
    await choose(get('add-shapes'), 'add-shapes-Box');
    expect(shapes()).toEqual([box]);
    await get('element-0-remove').trigger('click');
    expect(useDocumentStore().model.systems[0]).not.toHaveProperty('shapes');
    expect(useDocumentStore().undoLabel).toBe('Remove shape 1 of body');
  });

  it('does not offer a plane to a body that moves, and says why', async () => {
    wrapper = await inspect(spatial([moving]), { kind: 'element', id: 'body' });
    await open(get('add-shapes'));
    const plane = document.querySelector('[data-testid="add-shapes-Plane"]');
    expect(plane?.getAttribute('aria-disabled')).toBe('true');
    expect(plane?.textContent).toContain('On fixed bodies only');
    expect(document.querySelector('[data-testid="add-shapes-Box"]')?.hasAttribute('aria-disabled')).toBe(
      false,
    );
  });

  it('does not offer a sphere to a body that deforms, and says why', async () => {
    const soft = { ...moving, type: 'PseudoRigidBody', young: 1e5, poisson: 0.3 };
    wrapper = await inspect(spatial([soft]), { kind: 'element', id: 'body' });
    await open(get('add-shapes'));
    const offered = (type: string) => document.querySelector(`[data-testid="add-shapes-${type}"]`);
    for (const type of ['Sphere', 'Disc', 'Cylinder'])
      expect(offered(type)?.textContent).toContain('Not on deformable bodies');
    expect(offered('Plane')?.textContent).toContain('On fixed bodies only');
    for (const type of ['Box', 'Polyhedron'])
      expect(offered(type)?.hasAttribute('aria-disabled')).toBe(false);
  });

  it('makes a sphere of a box of the same size', async () => {
    await show({ ...box, position: [0, 0, 0.3] });
    await choose(get('element-0-type'), 'Sphere');
    expect(shapes()).toEqual([{ ...sphere, position: [0, 0, 0.3] }]);
    expect(useDocumentStore().undoLabel).toBe('Make shape 1 of body Sphere');
  });

  it('takes a burst of typing for one step, and another field for another', async () => {
    await show(sphere, rod);
    const documents = useDocumentStore();
    const depth = documents.step;
    const radius = get('element-1').find('[data-testid="field-radius"] input');
    for (const text of ['1', '1.', '1.5']) await type(radius, text);
    await type(get('element-1').find('[data-testid="field-length"] input'), '3');
    expect(shapes()).toEqual([sphere, { ...rod, radius: 1.5, length: 3 }]);
    expect(documents.undoLabel).toBe('Change Length of shape 2 of body');
    documents.undo();
    documents.undo();
    expect(documents.step).toBe(depth);
    expect(shapes()).toEqual([sphere, rod]);
  });

  it('copies a shape next to it', async () => {
    await show(sphere, rod);
    await get('element-0-duplicate').trigger('click');
    expect(shapes()).toEqual([sphere, sphere, rod]);
    expect(useDocumentStore().undoLabel).toBe('Duplicate shape 1 of body');
  });

  it('is ordered by keys, and the focus stays with what is moved', async () => {
    await show(box, sphere, rod);
    await get('element-0-toggle').trigger('keydown', { key: 'ArrowDown', altKey: true });
    expect(shapes()).toEqual([sphere, box, rod]);
    await nextTick();
    expect(document.activeElement).toBe(get('element-1-toggle').element);
    await get('element-1-toggle').trigger('keydown', { key: 'ArrowUp', altKey: true });
    expect(shapes()).toEqual([box, sphere, rod]);
    // At an end there is nowhere to go, and without Alt the arrows belong to the page.
    const { step } = useDocumentStore();
    await get('element-0-toggle').trigger('keydown', { key: 'ArrowUp', altKey: true });
    await get('element-0-toggle').trigger('keydown', { key: 'ArrowDown' });
    expect(useDocumentStore().step).toBe(step);
    await wrapper.get('[aria-label="Move shape 1 down"]').trigger('click');
    expect(shapes()).toEqual([sphere, box, rod]);
  });

  it('is ordered by the mouse, open cards going along', async () => {
    await show(box, sphere, rod);
    await get('element-2-toggle').trigger('click');
    await get('element-2').get('.grip').trigger('dragstart');
    await get('element-0').trigger('dragover');
    await get('element-0').trigger('drop');
    expect(shapes()).toEqual([rod, box, sphere]);
    expect([isOpen(0), isOpen(1), isOpen(2)]).toEqual(['true', 'false', 'false']);
  });

  it('shows an issue at its field, and marks the closed card', async () => {
    await show(box, sphere);
    await type(get('element-1').find('[data-testid="field-radius"] input'), '0');
    await examine();
    expect(get('element-1').get('[data-testid="field-radius"]').text()).toContain('must be');
    expect(get('element-0').text()).not.toContain('must be');
    await get('element-1-toggle').trigger('click');
    expect(get('element-1').find('[aria-label="has problems"]').exists()).toBe(true);
    expect(get('element-0').find('[aria-label="has problems"]').exists()).toBe(false);
  });

  it('shows what is wrong with a shape as a whole, and with all of them', async () => {
    wrapper = await inspect(spatial([moving]), { kind: 'element', id: 'body' });
    expect(get('element-0').text()).toContain('cannot be on a body that moves');
    expect(get('element-1').text()).not.toContain('cannot be on a body that moves');
    expect(get('field-shapes').text()).toContain('The mass centre of the shapes is at (1.000, 0.000, 0.000)');
    for (const card of ['element-0', 'element-1']) expect(get(card).text()).not.toContain('The mass centre');
  });

  it('cannot be changed where a script has built the body', async () => {
    const own = body(box, sphere);
    wrapper = await inspect(
      spatial([]),
      { kind: 'element', id: 'body' },
      { systems: [own], interactions: [] },
    );
    expect(get('element-1').text()).toContain('Sphere');
    for (const id of ['add-shapes', 'element-0-remove', 'element-0-duplicate']) expect(has(id)).toBe(false);
    expect(wrapper.find('.grip').exists()).toBe(false);
    expect(get('element-1').get('[data-testid="field-radius"] input').attributes('disabled')).toBeDefined();
    await get('element-0-toggle').trigger('keydown', { key: 'ArrowDown', altKey: true });
    expect(useDocumentStore().step).toBe(0);
  });
});
