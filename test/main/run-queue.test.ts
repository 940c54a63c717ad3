import { readdirSync } from 'node:fs';
import type { RunInfo, RunState } from '@contract/methods';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineHost } from '@main/host/host';
import { MOST_WORKERS, type QueuedRun, RunQueue, URGENCIES, type Urgency } from '@main/host/run-queue';
import { sample } from '../support/prove';
import { bouncingBall } from './models';
import { createHost, failure, isOver, nextEvent, runWhen, temporaryFolder } from './support';

class Run implements QueuedRun {
  state: RunState = 'queued';

  constructor(
    readonly name: string,
    readonly urgency: Urgency,
  ) {}

  begin(): void {
    this.state = 'starting';
  }
}

describe('the queue of runs', () => {
  const began = (runs: readonly Run[]): string[] =>
    runs.filter(({ state }) => state !== 'queued').map(({ name }) => name);

  it('lets as many compute as there are places, in the order of their urgency and then of their start', () => {
    const queue = new RunQueue<Run>(() => 1);
    const first = new Run('first', 'group');
    const runs = [
      first,
      new Run('group 1', 'group'),
      new Run('group 2', 'group'),
      new Run('single 1', 'single'),
      new Run('single 2', 'single'),
    ];
    for (const run of runs) queue.add(run);
    const order = queue.waiting.map(({ name }) => name);
    expect(order).toEqual(['single 1', 'single 2', 'group 1', 'group 2']);
    for (const name of ['first', ...order]) {
      const present = runs.find((run) => run.name === name);
      expect(present?.state).toBe('starting');
      expect(runs.filter(({ state }) => state === 'starting')).toHaveLength(1);
      if (present !== undefined) present.state = 'done';
      queue.advance();
    }
  });

  it('lets one that follows a slider compute beside the others, and one only', () => {
    const queue = new RunQueue<Run>(() => 2);
    const runs = ['a', 'b', 'c'].map((name) => new Run(name, 'group'));
    const live = ['live 1', 'live 2'].map((name) => new Run(name, 'live'));
    for (const run of [...runs, ...live]) queue.add(run);
    expect(began([...runs, ...live])).toEqual(['a', 'b', 'live 1']);
    live[0].state = 'cancelled';
    queue.advance();
    expect(began([...runs, ...live])).toEqual(['a', 'b', 'live 1', 'live 2']);
  });

  it('gives the place of a paused run to the next one, as long as there are workers', () => {
    const queue = new RunQueue<Run>(() => 1);
    const runs = Array.from({ length: MOST_WORKERS + 1 }, (_, k) => new Run(String(k), 'single'));
    for (const run of runs) queue.add(run);
    for (const run of runs) {
      if (run.state === 'starting') run.state = 'paused';
      queue.advance();
    }
    expect(began(runs)).toHaveLength(MOST_WORKERS);
    runs[3].state = 'cancelled';
    queue.advance();
    expect(runs.at(-1)?.state).toBe('starting');
  });

  it('comes to an end with all runs, whatever they do', () => {
    let state = 3;
    const below = (most: number): number => {
      state = (1103515245 * state + 12345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * most);
    };
    for (let trial = 0; trial < sample(50, 2000); trial++) {
      const places = 1 + below(4);
      const queue = new RunQueue<Run>(() => places);
      const runs = Array.from({ length: 30 }, (_, k) => new Run(String(k), URGENCIES[below(3)]));
      let added = 0;
      for (let step = 0; step < 1000; step++) {
        if (added < runs.length && below(2) === 0) queue.add(runs[added++]);
        const run = runs[below(added)] as Run | undefined;
        if (run?.state === 'starting') run.state = below(5) === 0 ? 'cancelled' : 'running';
        else if (run?.state === 'running') run.state = 'done';
        else if (run?.state === 'queued' && below(10) === 0) run.state = 'cancelled';
        queue.advance();
        const computing = runs.filter((one) => one.state === 'starting' || one.state === 'running');
        const live = computing.filter(({ urgency }) => urgency === 'live').length;
        expect(computing.length).toBeLessThanOrEqual(places + (live > 0 ? 1 : 0));
      }
      expect(runs.every((one) => one.state === 'done' || one.state === 'cancelled')).toBe(true);
    }
  });
});

describe('runs of a host that wait', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let host: EngineHost;
  beforeEach(async () => {
    folder = temporaryFolder();
    host = createHost({ stateDirectory: folder.path });
    await host.dispatch('settings.write', { changes: { 'runs.atOnce': 1 } });
  });
  afterEach(async () => {
    await host.dispose();
    await folder.remove();
  });

  const start = (params: { tEnd?: number; live?: boolean; force?: string[] } = {}): Promise<RunInfo> => {
    const { live = false, ...model } = params;
    return host.dispatch('run.start', { document: bouncingBall(model), belongsTo: ['ball'], live });
  };
  const get = (runId: string): Promise<RunInfo> => host.dispatch('run.get', { runId });

  it('say so, can be cancelled, and begin when it is their turn', async () => {
    const endless = await start({ tEnd: 1e6 });
    const [second, third] = [await start(), await start()];
    expect([endless.state, second.state, third.state]).toEqual(['running', 'queued', 'queued']);
    expect((await host.dispatch('run.list', {})).map(({ state }) => state)).toContain('queued');
    expect(await failure(host.dispatch('run.step', { runId: third.runId }))).toMatchObject({
      code: 'run-queued',
    });
    expect((await host.dispatch('run.cancel', { runId: second.runId })).state).toBe('cancelled');
    expect((await get(third.runId)).state).toBe('queued');
    await host.dispatch('run.cancel', { runId: endless.runId });
    expect((await runWhen(host, third.runId, isOver)).state).toBe('done');
    const { columns } = await host.dispatch('run.rows', {
      runId: third.runId,
      signals: ['t'],
      firstRow: 0,
      count: 3,
    });
    expect(columns[0]).toHaveLength(3);
    await host.dispatch('run.delete', { runId: second.runId, forGood: true });
  });

  it('are refused when it is their turn, and that is reported', async () => {
    const endless = await start({ tEnd: 1e6 });
    const { runId, state } = await start({ force: ["throw new Error('the spring broke');"] });
    expect(state).toBe('queued');
    const told = nextEvent(
      host,
      ({ event, data }) =>
        event === 'run.progress' && data.run.runId === runId && data.run.state === 'failed',
    );
    await host.dispatch('run.cancel', { runId: endless.runId });
    expect(await told).toMatchObject({ data: { run: { error: { code: 'script-error' } } } });
  });

  it('do not hold up the one that follows a slider, of which only the newest waits', async () => {
    const endless = await start({ tEnd: 1e6 });
    const waiting = await start();
    const [first, second, third] = [
      await start({ tEnd: 1e6, live: true }),
      await start({ live: true }),
      await start({ live: true }),
    ];
    expect([first.state, second.state, third.state]).toEqual(['running', 'queued', 'queued']);
    expect((await get(second.runId)).state).toBe('cancelled');
    await host.dispatch('run.cancel', { runId: first.runId });
    expect((await runWhen(host, third.runId, isOver)).state).toBe('done');
    expect((await get(endless.runId)).state).toBe('running');
    expect((await get(waiting.runId)).state).toBe('queued');
  });

  it('leave nothing behind when their host ends', async () => {
    await start({ tEnd: 1e6 });
    const { runId } = await start();
    await host.dispose();
    const next = createHost({ stateDirectory: folder.path });
    const { runs, problems } = await next.dispatch('run.attend', {
      page: '00000000-0000-4000-8000-00000000000b',
      documents: ['ball'],
    });
    expect(problems).toEqual([]);
    expect(runs.map((run) => run.runId)).not.toContain(runId);
    await next.dispose();
  });
});

describe('a run of which only the last rows are wanted', () => {
  it('writes nothing to the disk, and has the values of one that is recorded', async () => {
    const folder = temporaryFolder();
    const host = createHost({ dataDirectory: folder.path });
    const document = bouncingBall({ h: 1e-5, tEnd: 2 });
    const run = async (keep: 'all' | 'last'): Promise<RunInfo> => {
      const { runId } = await host.dispatch('run.start', { document, keep });
      return runWhen(host, runId, isOver);
    };
    const rows = (runId: string, firstRow: number) =>
      host.dispatch('run.rows', { runId, signals: ['t', 'ball.q', 'ball.v'], firstRow, count: 1 });
    const last = await run('last');
    const written = (): string[] =>
      readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.includes('.rows'),
      );
    expect(written()).toEqual([]);
    expect(last).toMatchObject({ state: 'done', bytes: 0, statistics: { rows: 200_001 } });
    const all = await run('all');
    expect(written()).toHaveLength(2);
    expect((await rows(last.runId, 200_000)).columns).toEqual((await rows(all.runId, 200_000)).columns);
    expect(last.statistics.certificate).toEqual(all.statistics.certificate);
    expect((await failure(rows(last.runId, 0))).code).toBe('not-recorded');
    await host.dispose();
    await folder.remove();
  });
});
