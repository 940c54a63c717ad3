/** Runs for several initial values: how they are typed, the models they make, the group they become. */
import { flushPromises } from '@vue/test-utils';
import type { ModelDocument } from '@engine/document/types';
import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  componentsOf,
  MOST_INITIAL,
  parseTable,
  valuesOfOne,
  withInitialValues,
} from '@renderer/runs/initial-values';
import { startInitial } from '@renderer/runs/start-initial';
import { useNoticesStore } from '@renderer/stores/notices';
import { useDocumentStore } from '@renderer/stores/document';
import { useRunsStore } from '@renderer/stores/runs';
import { camFollower } from './fake/cam-follower';
import type { FakeHost } from './fake/host';
import { openCamFollower } from './setup';

const known = componentsOf(camFollower(), []);
const [{ name: q0 }, { name: v0 }] = known;

describe('initial values', () => {
  it('are components of the systems of the document, or of the selected ones', () => {
    expect([q0, v0]).toEqual(['follower.q0[0]', 'follower.v0[0]']);
    expect(componentsOf(camFollower(), ['none'])).toEqual([]);
  });

  it('are a list or a range of one of them', () => {
    expect(valuesOfOne(q0, '0:1:3')?.rows).toEqual([[0], [0.5], [1]]);
    expect(valuesOfOne(q0, '1, 2')?.rows).toEqual([[1], [2]]);
    expect(valuesOfOne(q0, `0:1:${MOST_INITIAL}`)?.rows).toHaveLength(MOST_INITIAL);
    for (const bad of ['', 'x', `0:1:${MOST_INITIAL + 1}`]) expect(valuesOfOne(q0, bad)).toBeNull();
  });

  it('are a table with names, whose mistakes are reported with their line', () => {
    expect(parseTable(`${q0}\t${v0}\n1\t2\n\n3; 4`, known)).toEqual({
      names: [q0, v0],
      rows: [
        [1, 2],
        [3, 4],
      ],
    });
    expect(parseTable(q0, known)).toEqual({ code: 'empty' });
    expect(parseTable('ball.x\n1', known)).toEqual({ code: 'unknown', name: 'ball.x' });
    expect(parseTable(`${q0} ${v0}\n1 2\n3`, known)).toEqual({ code: 'columns', line: 3 });
    expect(parseTable(`${q0}\none`, known)).toEqual({ code: 'number', line: 2 });
    expect(parseTable(`${q0}\n${'1\n'.repeat(MOST_INITIAL + 1)}`, known)).toEqual({ code: 'many' });
  });

  it('make a model in which nothing else differs', () => {
    const model = camFollower();
    const made = withInitialValues(model, known, { names: [v0], rows: [[7]] }, [7]);
    expect(made.systems[0]).toEqual({ ...model.systems[0], v0: [7] });
    expect(model).toEqual(camFollower());
  });
});

describe('runs for several initial values', () => {
  let host: FakeHost;
  beforeEach(async () => {
    host = await openCamFollower();
  });
  const starts = (): { document: ModelDocument; name: string; group: string }[] =>
    host.calls.filter(({ method }) => method === 'run.start').map(({ params }) => params) as never;

  it('start a few at a time, in one group, each drawn behind the first', async () => {
    const runs = useRunsStore();
    const { session } = useDocumentStore();
    const values = { names: [q0], rows: [1, 2, 3, 4, 5, 6].map((value) => [value]) };
    const all = startInitial('Heights', values, {});
    await flushPromises();
    expect(starts()).toHaveLength(4);
    host.advance(1);
    await flushPromises();
    host.advance(1);
    await all;
    expect(starts().map(({ document }) => document.systems[0]['q0'])).toEqual([[1], [2], [3], [4], [5], [6]]);
    expect(starts()[2]).toMatchObject({ name: `${q0} = 3`, group: 'Heights' });
    expect(runs.currentId).toBe('run-1');
    expect(runs.compared).toHaveLength(5);
    expect(runs.runs.every(({ runId }) => runs.owners.get(runId) === session)).toBe(true);
    void startInitial('Heights', { names: [q0], rows: [[1]] }, {});
    await flushPromises();
    expect(starts().at(-1)?.group).toBe('Heights (2)');
  });

  it('are shown together again when their document is opened in another session', async () => {
    const running = startInitial('Heights', valuesOfOne(q0, '0:1:3')!, {});
    await flushPromises();
    host.advance(1);
    await running;
    const kept = [...useRunsStore().runs];

    setActivePinia(createPinia());
    const documents = useDocumentStore();
    documents.load(camFollower(), null);
    const runs = useRunsStore();
    await runs.restore(documents.session, kept);
    expect(runs.current?.runId).toBe(kept[0]?.runId);
    expect(runs.compared.map(({ runId }) => runId)).toEqual(kept.slice(1).map(({ runId }) => runId));
  });

  it('that are cancelled are followed by no more, and it is said how many are left', async () => {
    const values = { names: [q0], rows: [1, 2, 3, 4, 5, 6].map((value) => [value]) };
    const all = startInitial('Heights', values, {});
    await flushPromises();
    await useRunsStore().cancelRun('run-2');
    host.advance(1);
    await all;
    expect(starts()).toHaveLength(4);
    expect(useNoticesStore().notices.at(-1)?.message).toBe('2 runs of “Heights” were not started.');
  });
});
