import { mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { describe, expect, it } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import { link, moveLink } from '@renderer/document/links';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import type { ModelDocument } from '@engine/document/types';
import { useDrawingStore } from '@renderer/stores/drawing';
import { useDocumentStore } from '@renderer/stores/document';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { moveNode, removeNode, renameNode, renameTrouble } from '@renderer/tree/edits';
import ModelTree from '@renderer/tree/ModelTree.vue';
import { modelTree, type TreeNode } from '@renderer/tree/nodes';
import { filteredRows, issueCounts, openRows } from '@renderer/tree/rows';
import { camFollower } from './fake/cam-follower';
import { openCamFollower } from './setup';

const roots = (document = camFollower()): TreeNode[] =>
  modelTree({
    document,
    report: { exports: { 'cam.ts': ['camGap'] }, values: {}, parameters: {} },
    title: (_group, type) => type,
  });

describe('the tree of a document', () => {
  it('has a node with a pointer for everything the document lists', () => {
    const document = camFollower();
    const all = new Set(roots(document).map(({ key }) => key));
    const rows = openRows(roots(document), new Set([...all, 'interaction:cam', 'script:cam.ts']));
    const keys = rows.map(({ node }) => node.key);
    expect(keys).toContain('parameter:rpm');
    expect(keys).toContain('system:follower');
    expect(keys).toContain('link:cam:follower');
    expect(keys).toContain('law:cam');
    expect(keys).toContain('observable:lift');
    const law = rows.find(({ node }) => node.key === 'law:cam');
    expect(law?.node.pointer).toBe('/interactions/0/law');
    expect(law).toMatchObject({ level: 3, position: 3, setSize: 3, parent: 'interaction:cam' });
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('lists what a builder script made under it, read-only', () => {
    const document = camFollower();
    document.scripts.push({ name: 'column.ts', role: 'builder', source: [''] });
    const tree = modelTree({
      document,
      report: {
        exports: {},
        values: {},
        parameters: {},
        built: { systems: [{ id: 'bead0', type: 'T' }], interactions: [] },
      },
      title: (_group, type) => type,
    });
    const rows = openRows(tree, new Set(['section:scripts', 'script:column.ts']));
    const bead = rows.find(({ node }) => node.key === 'system:bead0');
    expect(bead).toMatchObject({ parent: 'script:column.ts', node: { isBuilt: true, pointer: null } });
  });

  it('filters by every word, and keeps the nodes above what it finds', () => {
    const keys = filteredRows(roots(), 'follower').map(({ node }) => node.key);
    expect(keys).toEqual(expect.arrayContaining(['section:systems', 'system:follower', 'link:cam:follower']));
    expect(keys).not.toContain('section:parameters');
    expect(filteredRows(roots(), 'no such thing')).toEqual([]);
  });

  it('counts issues at every place above them', () => {
    const counts = issueCounts([
      { severity: 'error', code: 'a', pointer: '/systems/0/mass/0', message: '', remedy: '' },
      { severity: 'warning', code: 'b', pointer: '/systems/0', message: '', remedy: '' },
    ]);
    expect(counts.get('/systems/0')).toEqual({ errors: 1, warnings: 1 });
    expect(counts.get('/systems')).toEqual({ errors: 1, warnings: 1 });
    expect(counts.get('/systems/0/mass')).toEqual({ errors: 1, warnings: 0 });
  });
});

describe('edits in the tree', () => {
  it('reorder parameters, and undo brings the order back', async () => {
    await openCamFollower();
    const documents = useDocumentStore();
    const before = documents.model.parameters.map(({ name }) => name);
    const [, parameters] = roots(documents.model);
    const first = parameters?.children()[0];
    expect(first !== undefined && moveNode(first, parameters, 2)).toBe(true);
    expect(documents.model.parameters.map(({ name }) => name).indexOf(before[0] ?? '')).toBe(2);
    expect(first !== undefined && moveNode(first, parameters, -1)).toBe(false);
    documents.undo();
    expect(documents.model.parameters.map(({ name }) => name)).toEqual(before);
  });

  it('take the columns of the matrices with a linked system', async () => {
    await openCamFollower();
    const { catalogue } = useCatalogueStore();
    const document = camFollower();
    const [follower] = document.systems;
    if (follower === undefined) throw new Error('the cam has a follower');
    document.systems.push({ ...follower, id: 'second' });
    document.interactions.push({
      id: 'gap',
      systems: ['follower'],
      relation: { type: 'LagrangianLinear', H: [[1]] },
      law: { type: 'NewtonImpact', e: 0 },
    });
    link(document, catalogue, 'second', 'gap');
    const relation = document.interactions[1]?.relation;
    if (relation === undefined) throw new Error('there is a relation');
    relation['H'] = [[3, -4]];
    moveLink(document, catalogue, 'gap', 1, 0);
    expect(document.interactions[1]?.systems).toEqual(['second', 'follower']);
    expect(relation['H']).toEqual([[-4, 3]]);
  });

  it('refuse names that are taken or cannot stand in an expression', async () => {
    await openCamFollower();
    const system = roots()
      .find(({ key }) => key === 'section:systems')
      ?.children()[0];
    if (system === undefined) throw new Error('the cam has a follower');
    expect(renameTrouble(system, 'cam')).toContain('taken');
    expect(renameTrouble(system, 'a-b')).toContain('letters, digits and _');
    expect(renameTrouble(system, 'rocker')).toBe('');
  });
});

describe('the tree by keyboard', () => {
  async function mounted(): Promise<VueWrapper> {
    await openCamFollower();
    const host = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(ModelTree) }));
    return mount(host, { attachTo: document.body });
  }

  it('goes to rows, selects, and renames in place', async () => {
    const wrapper = await mounted();
    const tree = wrapper.get('[role="tree"]');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft', 'f', 'o', 'l'])
      await tree.trigger('keydown', { key });
    const active = tree.attributes('aria-activedescendant') ?? '';
    expect(document.getElementById(active)?.textContent).toContain('follower');
    await tree.trigger('keydown', { key: 'Enter' });
    expect(useWorkspaceStore().selection).toEqual({ kind: 'element', id: 'follower' });
    await tree.trigger('keydown', { key: 'F2' });
    await nextTick();
    const input = wrapper.get('[data-testid="tree-rename"]');
    await input.setValue('rocker');
    await input.trigger('keydown', { key: 'Enter' });
    expect(useDocumentStore().model.systems[0]?.id).toBe('rocker');
    expect(useWorkspaceStore().selection).toEqual({ kind: 'element', id: 'rocker' });
    await tree.trigger('keydown', { key: 'Delete' });
    expect(useDocumentStore().model.systems).toEqual([]);
    wrapper.unmount();
  });
});

describe('components of one’s own in the tree', () => {
  const resistor = { id: 'R1', type: 'Resistor', resistance: 1 };
  /** A bridge with two legs, each of a switch and an array; its own `R1` has the name of one inside. */
  const nested = (): ModelDocument => ({
    ...camFollower(),
    components: [resistor],
    instances: [{ id: 'bridge', of: 'Bridge' }],
    submodels: [
      {
        id: 'Bridge',
        title: 'A bridge',
        ports: [],
        parameters: [],
        components: [{ ...resistor, resistance: 2 }],
        instances: [
          { id: 'leg1', of: 'Leg' },
          { id: 'leg2', of: 'Leg', count: 3 },
        ],
        wires: [],
      },
      { id: 'Leg', ports: [], parameters: [], components: [resistor], wires: [] },
    ],
  });

  async function mounted(): Promise<VueWrapper> {
    await openCamFollower();
    const documents = useDocumentStore();
    const first = documents.session;
    documents.load(nested(), null);
    documents.close(first, nested);
    const host = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(ModelTree) }));
    return mount(host, { attachTo: document.body });
  }
  const labels = (rows: readonly { node: TreeNode }[]): string[] =>
    rows.map(({ node }) => `${node.label} ${node.detail}`.trim());

  it('are listed with what is in them, as deep as they go', () => {
    const all = filteredRows(roots(nested()), 'Resistor');
    expect(labels(all)).toEqual([
      ...['Components 2', 'R1 Resistor', 'bridge A bridge', 'R1 Resistor'],
      ...['leg1 Leg', 'R1 Resistor', 'leg2 ×3 Leg', 'R1 Resistor'],
      ...['Components of one’s own 2', 'Bridge A bridge', 'R1 Resistor'],
      ...['leg1 Leg', 'R1 Resistor', 'leg2 ×3 Leg', 'R1 Resistor', 'Leg', 'R1 Resistor'],
    ]);
    const keys = all.map(({ node }) => node.key);
    expect(new Set(keys).size).toBe(keys.length);
    const inner = all.find(({ node }) => node.key === 'inside:bridge.leg2.R1')?.node;
    expect(inner?.pointer).toBe('/submodels/1/components/0');
  });

  it('that are in themselves end there', () => {
    const document = nested();
    document.submodels?.[1]?.components.splice(0);
    if (document.submodels?.[1] !== undefined) document.submodels[1].instances = [{ id: 'in', of: 'Bridge' }];
    expect(labels(filteredRows(roots(document), 'in bridge')).length).toBeGreaterThan(3);
  });

  it('are gone into, and what is inside is chosen there', async () => {
    const wrapper = await mounted();
    const drawing = useDrawingStore();
    const inDrawing = (): string[] => drawing.way.map(({ instance }) => instance ?? '');
    const row = (key: string) => wrapper.get(`[data-testid="tree-${key}"]`);
    // Rows are drawn in the height of the pane, which a test has none of.
    const filter = wrapper.get('[data-testid="tree-filter"]');
    await filter.setValue('leg1');
    await row('inside:bridge.leg1').trigger('click');
    expect(inDrawing()).toEqual(['bridge']);
    expect(useWorkspaceStore().selectedIds).toEqual(['leg1']);
    await row('inside:bridge.leg1').trigger('dblclick');
    expect(inDrawing()).toEqual(['bridge', 'leg1']);
    await filter.setValue('R1');
    // The same name outside is another one.
    await row('component:R1').trigger('click');
    expect(inDrawing()).toEqual([]);
    await row('inside:bridge.R1').trigger('click');
    expect(inDrawing()).toEqual(['bridge']);
    expect(row('inside:bridge.R1').attributes('aria-selected')).toBe('true');
    expect(row('component:R1').attributes('aria-selected')).toBe('false');
    const components = roots(useDocumentStore().model).find(({ key }) => key === 'section:components');
    const [outer] = components?.children() ?? [];
    if (outer !== undefined) removeNode(outer, components);
    expect(useDocumentStore().model.components).toBeUndefined();
    expect(useDocumentStore().model.submodels?.[0]?.components).toHaveLength(1);
    await filter.setValue('Leg');
    expect(inDrawing()).toEqual([]);
    await row('definition:Bridge').trigger('click');
    expect(inDrawing()).toEqual(['bridge']);
    wrapper.unmount();
  });

  it('get other names with what refers to them', async () => {
    const wrapper = await mounted();
    const documents = useDocumentStore();
    documents.edit('p', (draft) => {
      draft.observables = [{ name: 'v', expression: 'bridge.R1.v + R1.v' }];
    });
    useDrawingStore().enter('bridge');
    const components = roots(documents.model).find(({ key }) => key === 'section:components');
    const [outer, bridge] = components?.children() ?? [];
    if (outer === undefined || bridge === undefined) throw new Error('both are listed');
    expect(renameTrouble(outer, 'bridge')).toContain('taken');
    renameNode(bridge, 'rectifier');
    renameNode(outer, 'load');
    expect(documents.model.observables[0]?.expression).toBe('rectifier.R1.v + load.v');
    expect(documents.model.instances?.[0]?.id).toBe('rectifier');
    expect(documents.model.submodels?.[0]?.components[0]?.id).toBe('R1');
    wrapper.unmount();
  });
});
