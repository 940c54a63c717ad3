import { MoreauError } from '@contract/errors';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watch } from 'vue';
import { commitParameterValue, setParameterValue, slideParameterValue } from '@renderer/parameters/edits';
import { parameterChanges } from '@renderer/runs/differences';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { useRunsStore } from '@renderer/stores/runs';
import { seeded } from '../engine/support/random';
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
    await runs.togglePin(first);
    await runs.remove(first);
    expect(runs.runs.map((run) => run.runId)).toEqual([second]);
    expect(runs.compared).toHaveLength(0);
    expect(host.latest('run.delete')).toEqual({ runId: first, forGood: false });
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

describe('live runs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const starts = (): number => host.calls.filter((call) => call.method === 'run.start').length;

  it('runs again after undo and redo, each run in the place of the one that an edit started before', async () => {
    const first = await finishedRun();
    const runs = useRunsStore();
    slideParameterValue(0, 400);
    await vi.runAllTimersAsync();
    host.advance(1);
    const second = runs.currentId;
    useDocumentStore().undo();
    await vi.runAllTimersAsync();
    expect(runs.current?.parameters['rpm']).toBe(358);
    expect(runs.runs.map((run) => run.runId)).toEqual([first, runs.currentId]);
    expect(runs.currentId).not.toBe(second);
    expect(runs.previousId).toBe(first);
    host.advance(1);
    useDocumentStore().redo();
    await vi.runAllTimersAsync();
    expect(runs.current?.parameters['rpm']).toBe(400);
    expect(starts()).toBe(4);
    for (let k = 0; k < 30; k++) {
      if (k % 2 === 0) useDocumentStore().undo();
      else useDocumentStore().redo();
      await vi.runAllTimersAsync();
      host.advance(1);
    }
    expect(starts()).toBe(34);
    expect(runs.runs.map((run) => run.runId)).toEqual([first, runs.currentId]);
  });

  it('leaves one run, whatever the edits are that started it, beside those that were asked for', async () => {
    const runs = useRunsStore();
    const asked = [await finishedRun()];
    const random = seeded(7);
    for (let k = 0; k < 60; k++) {
      const value = random.integer(300, 700);
      const kind = random.integer(0, 6);
      if (kind < 2) slideParameterValue(0, value);
      else if (kind === 2) setParameterValue(0, value);
      else if (kind === 3) useDocumentStore().undo();
      else if (kind === 4) useDocumentStore().redo();
      else if (kind === 5) runs.show(asked[0]);
      else {
        slideParameterValue(0, value);
        commitParameterValue();
      }
      await vi.runAllTimersAsync();
      host.advance(1);
      await vi.runAllTimersAsync();
      const live = runs.runs.filter(({ runId }) => !asked.includes(runId));
      expect(live.length).toBeLessThanOrEqual(1);
      if (k % 20 === 19) {
        // What is asked for is a run of its own, and stays.
        slideParameterValue(0, value + 0.5);
        await runs.start();
        host.advance(1);
        asked.push(runs.currentId!);
        await vi.runAllTimersAsync();
      }
    }
    expect(runs.runs.map(({ runId }) => runId)).toEqual(expect.arrayContaining(asked));
    expect(starts()).toBeGreaterThan(20);
  });

  it('keeps the run of an undone movement that is pinned when a value is typed next', async () => {
    const first = await finishedRun();
    const runs = useRunsStore();
    slideParameterValue(0, 400);
    await vi.runAllTimersAsync();
    host.advance(1);
    runs.live = false;
    useDocumentStore().undo();
    runs.live = true;
    const moved = runs.currentId!;
    await runs.togglePin(moved);
    setParameterValue(0, 700);
    await vi.runAllTimersAsync();
    expect(runs.current?.parameters['rpm']).toBe(700);
    expect(runs.runs.map((run) => run.runId)).toContain(moved);
    expect(runs.compared.map((run) => run.runId)).toContain(moved);
    expect(runs.previousId).toBe(first);
  });

  it('does not run for edits that leave the motion as it is, nor for an undo of them', async () => {
    await finishedRun();
    const documents = useDocumentStore();
    documents.edit('title', (draft) => void (draft.title = 'Another'));
    documents.undo();
    await vi.runAllTimersAsync();
    expect(starts()).toBe(1);
    expect(useRunsStore().stale).toBe(false);
  });

  it('waits for typing to pause, and for nothing once the value is committed', async () => {
    await finishedRun();
    setParameterValue(0, 7);
    await vi.advanceTimersByTimeAsync(300);
    setParameterValue(0, 70);
    await vi.advanceTimersByTimeAsync(300);
    expect(starts()).toBe(1);
    setParameterValue(0, 700);
    commitParameterValue();
    await vi.advanceTimersByTimeAsync(1);
    expect(starts()).toBe(2);
    expect(useRunsStore().current?.parameters['rpm']).toBe(700);
    await vi.runAllTimersAsync();
    expect(starts()).toBe(2);
  });

  it('does not run again for a value that is typed back to what it was', async () => {
    await finishedRun();
    setParameterValue(0, 35);
    setParameterValue(0, 358);
    await vi.runAllTimersAsync();
    expect(starts()).toBe(1);
  });

  it('never shows an older run while the next one of a movement is being started', async () => {
    const first = await finishedRun();
    const runs = useRunsStore();
    const shown: (string | null)[] = [];
    const end = watch(
      () => runs.currentId,
      (id) => shown.push(id),
      { flush: 'sync' },
    );
    for (const rpm of [400, 420, 440]) {
      slideParameterValue(0, rpm);
      await vi.runAllTimersAsync();
    }
    end();
    expect(shown).toHaveLength(3);
    expect(shown).not.toContain(first);
    expect(runs.replacedId).toBe(shown[1]);
    expect(runs.runs.map((run) => run.runId)).toEqual([first, shown[2]]);
  });

  it('says when the model is no longer the one that was run', async () => {
    await finishedRun();
    const runs = useRunsStore();
    const documents = useDocumentStore();
    expect(runs.stale).toBe(false);
    documents.edit('mass', (draft) => setMass(draft, 3));
    expect(runs.stale).toBe(true);
    documents.undo();
    expect(runs.stale).toBe(false);
    documents.edit('move', (draft) => void (draft.layout.nodes['cam'] = { x: 1, y: 2 }));
    expect(runs.stale).toBe(false);
  });
});

describe('run list', () => {
  it('names the parameters that differ from the run before', async () => {
    const first = await finishedRun();
    setParameterValue(1, 0.56);
    const second = await finishedRun();
    const { runs } = useRunsStore();
    const of = (id: string): unknown => {
      const run = runs.find((other) => other.runId === id);
      return run === undefined ? null : parameterChanges(run, runs);
    };
    expect(of(first)).toEqual([]);
    expect(of(second)).toEqual([{ name: 'e', value: 0.56 }]);
  });
});

describe('an empty model', () => {
  it('asks for a system before it asks to mend its errors', async () => {
    useDocumentStore().edit('empty', (draft) => {
      draft.systems = [];
      for (const interaction of draft.interactions) interaction.systems = [];
    });
    await useReportStore().refresh();
    expect(useReportStore().errors.length).toBeGreaterThan(0);
    expect(useRunsStore().refusal).toBe('empty');
  });
});
