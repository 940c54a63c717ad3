/** Tables of data in the window: imported, drawn small, renamed, given a period, deleted, undone. */
import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import type { ModelDocument } from '@engine/document/types';
import { emptyDocument } from '@renderer/document/factory';
import { renameTable, tablePath, tableUses } from '@renderer/document/tables';
import { dataTables, tableNames } from '@figures/data/data-table';
import { readTable } from '@figures/data/table';
import { seriesOf } from '@figures/data/series';
import { useDataImportStore } from '@renderer/exchange/data-import';
import { useDocumentStore } from '@renderer/stores/document';
import { useNoticesStore } from '@renderer/stores/notices';
import { usePlacesStore } from '@renderer/stores/places';
import { removeNode, renameNode, renameTrouble } from '@renderer/tree/edits';
import { modelTree, type TreeNode } from '@renderer/tree/nodes';
import { inspect } from './mounted';

let wrapper: VueWrapper;
afterEach(() => wrapper.unmount());

const model = (): ModelDocument => useDocumentStore().model;

const document = (): ModelDocument => ({
  ...emptyDocument(catalogue(), 3, 'plane'),
  tables: [
    { id: 'drive', t: [0, 1, 2], y: [0, 4, 1] },
    { id: 'other', t: [0, 1], y: [1, 1] },
  ],
  components: [
    { id: 'V1', type: 'TableVoltage', table: 'drive' },
    { id: 'V2', type: 'VoltageSource', voltage: '2*table(drive, t) + drive' },
  ],
  observables: [{ name: 'wanted', expression: 'slope(other, t)' }],
});

async function typed(label: string, value: string): Promise<void> {
  const field = wrapper.get<HTMLInputElement>(`[aria-label="${label}"]`);
  await field.setValue(value);
  await field.trigger('change');
  await flushPromises();
}

it('shows their course, and renames them wherever they are read', async () => {
  wrapper = await inspect(document(), { kind: 'model' });
  const plots = wrapper.findAll('[data-testid="tables"] svg[role="img"]');
  expect(plots.map((one) => one.attributes('aria-label'))).toEqual([
    'drive: 3 points from 0 to 2, values from 0 to 4',
    'other: 2 points from 0 to 1, values from 1 to 1',
  ]);
  await typed('Name of the table', 'wave');
  expect(model().tables?.[0]?.id).toBe('wave');
  expect(model().components).toMatchObject([{ table: 'wave' }, { voltage: '2*table(wave, t) + drive' }]);
  await typed('Name of the table', 'other');
  expect(model().tables?.[0]?.id).toBe('wave');
  useDocumentStore().undo();
  expect(model().components).toMatchObject([{ table: 'drive' }, { voltage: '2*table(drive, t) + drive' }]);
});

it('takes a unit and a period, and takes them away', async () => {
  wrapper = await inspect(document(), { kind: 'model' });
  await typed('Unit of the table drive', 'V');
  await typed('Period of the table drive', '2.5');
  expect(model().tables?.[0]).toMatchObject({ unit: 'V', period: 2.5 });
  await typed('Period of the table drive', '20 ms');
  expect(model().tables?.[0]?.period).toBe(0.02);
  await typed('Period of the table drive', '');
  await typed('Unit of the table drive', '');
  expect(model().tables?.[0]).toEqual({ id: 'drive', t: [0, 1, 2], y: [0, 4, 1] });
});

it('keeps what is no period or name in its field with the reason, and the table as it was', async () => {
  wrapper = await inspect(document(), { kind: 'model' });
  await typed('Period of the table drive', '2.5');
  for (const [label, wrong, reason] of [
    ['Period of the table drive', 'none', '“none” is no period'],
    ['Period of the table drive', '-1', '“-1” is no period'],
    ['Name of the table', 'two words', 'letters'],
    ['Name of the table', 'other', 'other'],
  ] as const) {
    await typed(label, wrong);
    const field = wrapper.get<HTMLInputElement>(`[aria-label="${label}"]`);
    expect(field.element.value).toBe(wrong);
    expect(field.attributes('aria-invalid')).toBe('true');
    expect(wrapper.get(`[id="${field.attributes('aria-describedby')}"]`).text()).toContain(reason);
    expect(model().tables?.[0]).toMatchObject({ id: 'drive', period: 2.5 });
    await field.trigger('keydown', { key: 'Escape' });
    expect(wrapper.find('[role="alert"]').exists()).toBe(false);
  }
  await typed('Period of the table drive', 'x');
  await typed('Period of the table drive', '3');
  expect(model().tables?.[0]?.period).toBe(3);
  expect(wrapper.find('[role="alert"]').exists()).toBe(false);
});

it('stand in the tree, are renamed and deleted there, and shown in their form', async () => {
  wrapper = await inspect(document(), { kind: 'model' });
  const nodes = (): TreeNode[] =>
    modelTree({ document: model(), report: { exports: {}, values: {}, parameters: {} }, title: String })
      .filter(({ key }) => key === 'section:tables')
      .flatMap((section) => section.children());
  expect(nodes().map(({ label, detail }) => [label, detail])).toEqual([
    ['drive', '3 points'],
    ['other', '2 points'],
  ]);
  const [drive, other] = nodes();
  expect(renameTrouble(drive, 'other')).not.toBe('');
  renameNode(drive, 'wave');
  expect(model().components).toMatchObject([{ table: 'wave' }, { voltage: '2*table(wave, t) + drive' }]);
  removeNode(other, undefined);
  expect(model().tables).toHaveLength(2);
  usePlacesStore().show('/tables/1');
  await flushPromises();
  expect((globalThis.document.activeElement as HTMLInputElement).value).toBe('other');
});

it('refuses to delete what is read, and says by what', async () => {
  wrapper = await inspect(document(), { kind: 'model' });
  await wrapper.get('[aria-label="Delete drive"]').trigger('click');
  expect(model().tables).toHaveLength(2);
  expect(useNoticesStore().notices.at(-1)?.message).toContain('is read by V1, V2');
  useDocumentStore().edit('free', (draft) => void (draft.observables = []));
  await wrapper.get('[aria-label="Delete other"]').trigger('click');
  expect(model().tables?.map(({ id }) => id)).toEqual(['drive']);
  useDocumentStore().undo();
  expect(model().tables).toHaveLength(2);
});

it('come from the columns of a file, as one step', async () => {
  wrapper = await inspect(document(), { kind: 'model' });
  const table = readTable('t [s],u [V],i (A)\n0,1,2\n1,3,4\n2,1,2\n');
  const { series } = seriesOf(table, 0, [1, 2]);
  if (series === null) throw new Error('no series');
  const columns = [
    { name: 'u', unit: 'V' },
    { name: 'i', unit: 'A' },
  ];
  const plan = { name: 'scope', fileName: 'scope.csv', columns, series, extrapolation: 'periodic' as const };
  expect(tableNames(plan)).toEqual(['scope_u', 'scope_i']);
  expect(tableNames({ name: 'one', columns: columns.slice(0, 1) })).toEqual(['one']);
  useDataImportStore().insertTables(plan);
  await flushPromises();
  expect(model().tables?.slice(2)).toEqual([
    { id: 'scope_u', description: 'u of scope.csv', unit: 'V', period: 2, t: [0, 1, 2], y: [1, 3, 1] },
    { id: 'scope_i', description: 'i of scope.csv', unit: 'A', period: 2, t: [0, 1, 2], y: [2, 4, 2] },
  ]);
  expect(dataTables({ ...plan, extrapolation: 'hold' })[0].period).toBeUndefined();
  useDocumentStore().undo();
  expect(model().tables).toHaveLength(2);
});

it('are found by name alone, and drawn without losing a spike', async () => {
  wrapper = await inspect(document(), { kind: 'model' });
  expect(tableUses(model(), 'drive')).toEqual(['V1', 'V2']);
  expect(tableUses(model(), 'other')).toEqual(['wanted']);
  const draft = structuredClone(document());
  renameTable(draft, 'other', 'drive2');
  expect(draft.observables[0].expression).toBe('slope(drive2, t)');
  const t = Array.from({ length: 10_000 }, (_, k) => k);
  const path = tablePath({ t, y: t.map((k) => (k === 5555 ? 1 : 0)) });
  expect(path.length).toBeLessThan(10_000);
  expect(path).toContain(' 2.0');
});
