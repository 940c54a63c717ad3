/**
 * Forms of bodies and joints in space: groups of fields, orientations by angles, very many links, settings.
 */
import type { DOMWrapper, VueWrapper } from '@vue/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { nextTick } from 'vue';
import { catalogue } from '@engine/model/registry';
import type {
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { choose, examine, inspect, open, spatial, type } from './mounted';

const ball = (id: string, fields: Partial<TypedElement> = {}): SystemDocument => ({
  id,
  type: 'RigidBody',
  mass: 1,
  position: [0, 0, 1],
  shapes: [{ type: 'Sphere', radius: 0.1 }],
  ...fields,
});
const joint = (relation: TypedElement, ...systems: string[]): InteractionDocument => ({
  id: 'joint',
  systems,
  relation,
  law: { type: 'Equality' },
});

let wrapper: VueWrapper;
afterEach(() => wrapper.unmount());
const get = (id: string): Omit<DOMWrapper<Element>, 'exists'> => wrapper.get(`[data-testid="${id}"]`);
const has = (id: string): boolean => wrapper.find(`[data-testid="${id}"]`).exists();
const element = (id: string): { kind: 'element'; id: string } => ({ kind: 'element', id });

describe('the fields of a joint', () => {
  it('are closed while none of them is given', async () => {
    const relation = { type: 'CylindricalJoint', angleMin: -1, angleMax: 1 };
    wrapper = await inspect(spatial([ball('a')], [joint(relation, 'a')]), element('joint'));
    expect(get('group-Displacement').attributes('aria-expanded')).toBe('false');
    expect(get('group-Displacement').text()).toContain('none given');
    expect(has('field-displacementMin')).toBe(false);
    expect(get('group-Angle').attributes('aria-expanded')).toBe('true');
    expect(get('group-Angle').text()).toContain('given: 2');
    expect(get('field-angleMin').get('input').attributes('aria-label')).toBe('Angle: lower stop');
  });

  it('stay open under the hand that empties the last one, and open when undo brings one', async () => {
    const relation = { type: 'RevoluteJoint', angleMin: -1 };
    wrapper = await inspect(spatial([ball('a')], [joint(relation, 'a')]), element('joint'));
    await type(get('field-angleMin').get('input'), '');
    expect(useDocumentStore().model.interactions[0]?.relation).not.toHaveProperty('angleMin');
    expect(has('field-angleMin')).toBe(true);
    await get('group-Angle').trigger('click');
    expect(has('field-angleMin')).toBe(false);
    useDocumentStore().undo();
    await nextTick();
    expect(has('field-angleMin')).toBe(true);
  });

  it('show an issue at their place', async () => {
    const relation = { type: 'RevoluteJoint', angleMin: 1, angleMax: -1 };
    wrapper = await inspect(spatial([ball('a')], [joint(relation, 'a')]), element('joint'));
    expect(get('field-angleMax').text()).toContain('below the lower one');
  });
});

describe('the density of a body', () => {
  it('is that of an area where its shapes are discs or polygons', async () => {
    wrapper = await inspect(spatial([ball('a')]), element('a'));
    expect(get('field-density').get('.unit-button').text()).toBe('kg/m³');
    await choose(get('element-0-type'), 'Disc in the plane');
    await nextTick();
    expect(useDocumentStore().model.systems[0]?.['shapes']).toMatchObject([{ type: 'Disc' }]);
    expect(get('field-density').get('.unit-button').text()).toBe('kg/m²');
  });
});

describe('an orientation', () => {
  const turnOf = (): string => wrapper.get('[data-testid="turn"]').text();
  const inputs = (): HTMLInputElement[] => [
    ...document.querySelectorAll<HTMLInputElement>('.angles input[type="text"]'),
  ];
  const write = async (...numbers: string[]): Promise<void> => {
    for (const [i, text] of numbers.entries()) {
      const input = inputs()[i];
      if (input === undefined) throw new Error('no such number');
      input.value = text;
      input.dispatchEvent(new Event('input'));
      await nextTick();
    }
  };
  const orientation = (): unknown => useDocumentStore().model.systems[0]?.['orientation'];

  it('is said as axis and angle, with the values of its expressions', async () => {
    const document = spatial([ball('a', { orientation: ['cos(a/2)', 0, 0, 'sin(a/2)'] })]);
    document.parameters = [{ name: 'a', value: 'pi/3' }];
    wrapper = await inspect(document, element('a'));
    expect(turnOf()).toBe('60° about (0, 0, 1)');
  });

  it('is given by axis and angle', async () => {
    wrapper = await inspect(spatial([ball('a')]), element('a'));
    expect(turnOf()).toBe('no rotation');
    await get('turn-entry').trigger('click');
    expect(inputs().map(({ value }) => value)).toEqual(['0', '0', '0', '1']);
    await write('90', '2', '0', '0');
    document.querySelector<HTMLFormElement>('.angles form')?.dispatchEvent(new Event('submit'));
    await nextTick();
    expect(orientation()).toEqual([Math.cos(Math.PI / 4), Math.sin(Math.PI / 4), 0, 0]);
    expect(turnOf()).toBe('90° about (1, 0, 0)');
    expect(useDocumentStore().undoLabel).toBe('Change Orientation of a');
  });

  it('is given by angles of Euler, which start with the present ones', async () => {
    wrapper = await inspect(
      spatial([ball('a', { orientation: [Math.cos(Math.PI / 8), 0, 0, Math.sin(Math.PI / 8)] })]),
      element('a'),
    );
    await get('turn-entry').trigger('click');
    const euler = document.querySelector<HTMLInputElement>('.angles input[value="euler"]');
    euler?.click();
    await nextTick();
    expect(inputs().map(({ value }) => value)).toEqual(['45', '0', '0']);
    await write('180');
    document.querySelector<HTMLFormElement>('.angles form')?.dispatchEvent(new Event('submit'));
    await nextTick();
    expect(orientation()).toEqual([0, 0, 0, 1]);
  });

  it('is not taken from what is no number or no axis', async () => {
    wrapper = await inspect(spatial([ball('a')]), element('a'));
    await get('turn-entry').trigger('click');
    await write('90', '0', '0', '0');
    const apply = document.querySelector<HTMLButtonElement>('[data-testid="turn-apply"]');
    expect(apply?.disabled).toBe(true);
    expect(document.querySelector('.angles')?.textContent).toContain('the axis must not be zero');
    await write('ninety', '0', '0', '1');
    expect(apply?.disabled).toBe(true);
    document.querySelector<HTMLFormElement>('.angles form')?.dispatchEvent(new Event('submit'));
    expect(orientation()).toBeUndefined();
  });
});

describe('an interaction that links very many bodies', () => {
  const bodies = Array.from({ length: 60 }, (_, i) => ball(`b${i}`, { position: [i, 0, 1] }));
  const contact = (systems: string[]): InteractionDocument => ({
    id: 'contact',
    systems,
    relation: { type: 'ShapeContact' },
    law: { type: 'NewtonImpactFriction3D', mu: 0.5, e: 0 },
  });
  const chips = (): number => wrapper.findAll('.chip').length;

  it('shows some of them and says how many more there are', async () => {
    const all = bodies.map(({ id }) => id);
    wrapper = await inspect(spatial(bodies, [contact(all)]), element('contact'));
    expect(chips()).toBe(24);
    expect(get('more-links').text()).toBe('and 36 more');
    await get('more-links').trigger('click');
    expect(chips()).toBe(48);
  });

  it('links all that it can in one step', async () => {
    wrapper = await inspect(spatial(bodies, [contact(['b0', 'b1'])]), element('contact'));
    expect(get('link-all').text()).toBe('Link all (58)');
    await get('link-all').trigger('click');
    const documents = useDocumentStore();
    expect(documents.model.interactions[0]?.systems).toHaveLength(60);
    documents.undo();
    expect(documents.model.interactions[0]?.systems).toEqual(['b0', 'b1']);
  });

  it('says of a few links what is wrong, and of the others that there are more', async () => {
    const bare = bodies.slice(0, 10).map(({ shapes: _, ...rest }) => ({ ...rest, inertia: [1, 1, 1] }));
    wrapper = await inspect(spatial(bare, [contact(bare.map(({ id }) => id))]), element('contact'));
    expect(wrapper.findAll('.links .issue').map((issue) => issue.text())).toEqual([
      expect.stringContaining('b0'),
      expect.stringContaining('b1'),
      expect.stringContaining('b2'),
      'and 7 more: see Problems.',
    ]);
  });

  it('does not offer to link all to a joint, which takes two', async () => {
    wrapper = await inspect(
      spatial(bodies.slice(0, 5), [joint({ type: 'BallJoint' }, 'b0')]),
      element('joint'),
    );
    expect(has('link-all')).toBe(false);
  });
});

describe('the settings of a simulation', () => {
  const floating = (): ModelDocument => spatial([ball('a')]);
  const other = (): ModelDocument =>
    spatial([{ id: 'm', type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], q0: [0], v0: [0] }]);

  /** Titles of the types that can be chosen for a setting, and those that cannot with their reasons. */
  async function offered(what: string): Promise<{ open: string[]; closed: string[] }> {
    const trigger = wrapper.get(`[aria-label="Type: ${what}"]`);
    await open(trigger);
    const options = [...document.querySelectorAll('[role="option"]')];
    const isClosed = (option: Element): boolean => option.hasAttribute('data-disabled');
    const words = (option: Element): string => option.textContent.trim();
    return {
      open: options.filter((option) => !isClosed(option)).map(words),
      closed: options.filter(isClosed).map(words),
    };
  }

  it('of 3D bodies offers what suits them, and says of the rest that it does not', async () => {
    wrapper = await inspect(floating(), { kind: 'simulation' });
    const { open: chosen, closed } = await offered('Solver');
    const own = catalogue().solvers.filter(({ order }) => order === 'body');
    expect(chosen).toHaveLength(1 + own.length);
    expect(chosen[0]).toContain('Automatic');
    expect(chosen.join()).toContain('Non-smooth Gauss–Seidel');
    expect(closed.length).toBeGreaterThan(4);
    expect(closed.every((words) => words.endsWith('Not for 3D bodies.'))).toBe(true);
  });

  it('of other models does not offer what is for 3D bodies', async () => {
    wrapper = await inspect(other(), { kind: 'simulation' });
    const { open: chosen, closed } = await offered('Problem');
    expect(chosen[0]).toContain('Automatic');
    expect(closed).toEqual([expect.stringMatching(/^Friction-contact problem.*the model has none\.$/)]);
  });

  it('leaves out what has no meaning for 3D bodies, and says so', async () => {
    wrapper = await inspect(floating(), { kind: 'simulation' });
    expect(has('step-control')).toBe(true);
    expect(wrapper.text()).not.toContain('Newton’s methodSolves');
    expect(get('space-settings').text()).toContain('by one integrator');
    for (const key of ['derivatives', 'assembly']) expect(has(`field-${key}`)).toBe(false);
    const impacts = 'section[aria-label="Impacts at several contacts"]';
    expect(wrapper.find(impacts).exists()).toBe(true);
    expect(get('scheme-event-driven').attributes('disabled')).toBeUndefined();
    wrapper.unmount();
    wrapper = await inspect(other(), { kind: 'simulation' });
    expect(has('step-control')).toBe(true);
    expect(wrapper.find(impacts).exists()).toBe(false);
    for (const key of ['derivatives', 'assembly']) expect(has(`field-${key}`)).toBe(true);
    expect(has('space-settings')).toBe(false);
    expect(get('scheme-event-driven').attributes('disabled')).toBeUndefined();
  });

  it('switches step control of 3D bodies on and off', async () => {
    wrapper = await inspect(floating(), { kind: 'simulation' });
    await get('step-control').setValue(true);
    expect(useDocumentStore().model.simulation.stepControl).toMatchObject({ tolerance: 1e-4 });
    await get('step-control').setValue(false);
    expect(useDocumentStore().model.simulation).not.toHaveProperty('stepControl');
  });

  it('knows bodies that a builder script made', async () => {
    wrapper = await inspect(spatial([]), { kind: 'simulation' }, { systems: [ball('a')], interactions: [] });
    expect(has('space-settings')).toBe(true);
  });
});

describe('the type of a body', () => {
  it('changes between plane and space in one step, which undo takes back', async () => {
    const planar: SystemDocument = {
      id: 'a',
      type: 'PlanarBody',
      mass: 3,
      inertia: 1,
      q0: [0, 1, 0],
      v0: [0, 0, 0],
      gravity: [0, -9.81],
    };
    const before = spatial([planar]);
    before.simulation.solver = { type: 'Lemke' };
    wrapper = await inspect(before, element('a'));
    await choose(wrapper.get('[aria-label="Type: System"]'), 'Rigid 3D body');
    const documents = useDocumentStore();
    expect(documents.model.systems[0]).toMatchObject({
      type: 'RigidBody',
      mass: 3,
      position: [0, 0, 1],
      gravity: [0, 0, -9.81],
    });
    expect(documents.model.simulation.solver).toEqual({ type: 'auto' });
    await examine();
    expect(useReportStore().errors).toEqual([]);
    await choose(wrapper.get('[aria-label="Type: System"]'), 'Rigid body in the plane');
    expect(documents.model.systems[0]).toMatchObject({ mass: 3, q0: [0, 1, 0], gravity: [0, -9.81] });
    documents.undo();
    documents.undo();
    expect(documents.model).toEqual(before);
  });
});

describe('the relation of an interaction', () => {
  it('in space cannot become one of the plane, nor a joint of three bodies; both in words', async () => {
    const systems = ['a', 'b', 'c'].map((id, i) => ball(id, { position: [i, 0, 1] }));
    const contact: InteractionDocument = {
      id: 'contact',
      systems: ['a', 'b', 'c'],
      relation: { type: 'ShapeContact' },
      law: { type: 'NewtonImpactFriction3D', mu: 0.5, e: 0 },
    };
    wrapper = await inspect(spatial(systems, [contact]), element('contact'));
    const option = async (what: string, title: string): Promise<Element | undefined> => {
      await open(wrapper.get(`[aria-label="Type: ${what}"]`));
      return [...document.querySelectorAll('[role="option"]')].find((one) =>
        one.textContent.trim().startsWith(title),
      );
    };
    expect((await option('Relation', 'Ball joint in space'))?.textContent).toContain(
      'For at most two bodies.',
    );
    expect((await option('Relation', 'Lagrangian, linear'))?.textContent).toContain(
      'For Lagrangian systems only.',
    );
    expect(wrapper.get('[aria-label="Law"]').text()).not.toContain('Level');
  });
});
