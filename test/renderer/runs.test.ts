import { MoreauError } from '@contract/errors';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setParameterValue } from '@renderer/parameters/edits';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { useRunsStore } from '@renderer/stores/runs';
import type { FakeHost } from './fake/host';
import { openCamFollower, setMass } from './setup';

let host: FakeHost;
beforeEach(async () => {
  host = await openCamFollower();
});

async function finishedRun(): Promise<string> {
  const runs = useRunsStore();
  await runs.start();
  host.advance(3);
  return runs.currentId ?? '';
}

describe('runs', () => {
  it('follows a run to its end', async () => {
    const runs = useRunsStore();
    await runs.start();
    expect(runs.refusal).toBe('active');
    host.advance(2);
    expect(runs.current?.state).toBe('done');
    expect(runs.refusal).toBeNull();
  });

  it('compares with the run before', async () => {
    const first = await finishedRun();
    await finishedRun();
    expect(useRunsStore().compared.map((run) => run.runId)).toEqual([first]);
  });

  it('refuses to run a document with errors, and says why', async () => {
    useDocumentStore().edit('break', (draft) => setMass(draft, 'nothing'));
    await useReportStore().refresh();
    const runs = useRunsStore();
    expect(runs.refusal).toBe('errors');
    await runs.start();
    expect(host.calls.some((call) => call.method === 'run.start')).toBe(false);
  });

  it('re-runs when a slider moves, keeping one run a movement and the one before it', async () => {
    vi.useFakeTimers();
    try {
      const first = await finishedRun();
      const runs = useRunsStore();
      setParameterValue(0, 400);
      await vi.runAllTimersAsync();
      const second = runs.currentId;
      expect(second).not.toBe(first);
      setParameterValue(0, 420);
      await vi.runAllTimersAsync();
      host.advance(2);
      expect(runs.currentId).not.toBe(second);
      expect(runs.previousId).toBe(first);
      expect(runs.runs.map((run) => run.runId)).toEqual([first, runs.currentId]);
      expect(host.calls.filter((call) => call.method === 'run.cancel')).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not run by itself before the first run', async () => {
    vi.useFakeTimers();
    try {
      setParameterValue(0, 400);
      await vi.runAllTimersAsync();
      expect(host.calls.some((call) => call.method === 'run.start')).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('forgets a deleted run everywhere', async () => {
    const first = await finishedRun();
    const second = await finishedRun();
    const runs = useRunsStore();
    runs.togglePin(first);
    await runs.remove(first);
    expect(runs.runs.map((run) => run.runId)).toEqual([second]);
    expect(runs.compared).toHaveLength(0);
    expect(host.calls.at(-1)).toEqual({ method: 'run.delete', params: { runId: first } });
  });

  it('shows a run that could not start as failed, until the next one starts', async () => {
    const dispatch = host.dispatcher.dispatch.bind(host.dispatcher);
    const refused = new MoreauError({
      code: 'script-error',
      message: 'The script failed.',
      script: { name: 'cam.ts', line: 2, column: 1 },
    });
    host.dispatcher.dispatch = (method, params) =>
      method === 'run.start' ? Promise.reject(refused) : dispatch(method, params);
    const runs = useRunsStore();
    await runs.start();
    expect(runs.failure?.script?.line).toBe(2);
    host.dispatcher.dispatch = dispatch;
    await runs.start();
    expect(runs.failure).toBeNull();
  });
});
