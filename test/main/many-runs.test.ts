/** A session of many runs: what each of them leaves behind in the process. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { sample } from '../support/prove';
import { bouncingBall } from './models';
import { createHost, isOver, runWhen, temporaryFolder } from './support';

const DESCRIPTORS = '/proc/self/fd';
/** Bytes of this process at most until now. */
const STATUS = '/proc/self/status';
const runCount = (): number => sample(60, 2000);
/** Recordings that a reader keeps open, and a few descriptors of threads that come and go. */
const MOST_GROWTH = 48;

// The first of the file: what the process has taken at most is to be what these runs take.
describe.runIf(existsSync(STATUS))('40 runs that are started at once', () => {
  it('wait for each other, so that the process stays below 1.2 GB', async () => {
    const host = createHost();
    const states = new Map<string, string>();
    let [computing, waited] = [0, 0];
    host.onEvent((event) => {
      if (event.event !== 'run.progress') return;
      const { runId, state } = event.data.run;
      states.set(runId, state);
      const now = [...states.values()];
      computing = Math.max(computing, now.filter((one) => one === 'running' || one === 'starting').length);
      waited = Math.max(waited, now.filter((one) => one === 'queued').length);
    });
    const document = bouncingBall({ tEnd: 2 });
    const started = await Promise.all(
      Array.from({ length: 40 }, () => host.dispatch('run.start', { document })),
    );
    const ended = await Promise.all(started.map(({ runId }) => runWhen(host, runId, isOver)));
    expect(ended.map(({ state }) => state)).toEqual(started.map(() => 'done'));
    expect(computing).toBeLessThanOrEqual(availableParallelism());
    expect(waited).toBeGreaterThan(20);
    const most = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(STATUS, 'utf8'))?.[1]) / 1024;
    console.log(`VmHWM after 40 runs at once: ${Math.round(most)} MiB`);
    expect(most).toBeLessThan(1.2 * 1024);
    await host.dispose();
  }, 120_000);
});

describe.runIf(existsSync(DESCRIPTORS))('a session of many runs', () => {
  it.each(['for this session', 'that last'])(
    `keeps no descriptor for each of ${runCount()} recordings %s, and reads all of them`,
    async (kind) => {
      const folder = temporaryFolder();
      const host = createHost(kind === 'that last' ? { stateDirectory: folder.path } : {});
      const document = bouncingBall({ tEnd: 0.02 });
      const read = async (runId: string): Promise<Float64Array> => {
        const { columns } = await host.dispatch('run.rows', {
          runId,
          signals: ['ball.q'],
          firstRow: 0,
          count: 100,
        });
        return columns[0];
      };
      const one = async (): Promise<string> => {
        const { runId } = await host.dispatch('run.start', { document });
        await runWhen(host, runId, isOver);
        return runId;
      };
      const first = await one();
      const rows = await read(first);
      expect(rows).toHaveLength(21);
      const before = readdirSync(DESCRIPTORS).length;
      const runs = [first];
      for (let k = 1; k < runCount(); k++) {
        runs.push(await one());
        if (k % 2 === 0) expect(await read(runs[k])).toEqual(rows);
      }
      expect(readdirSync(DESCRIPTORS).length - before).toBeLessThan(MOST_GROWTH);
      for (const runId of runs) expect(await read(runId)).toEqual(rows);
      expect(readdirSync(DESCRIPTORS).length - before).toBeLessThan(MOST_GROWTH);
      await host.dispose();
      await folder.remove();
    },
    sample(60_000, 1_800_000),
  );
});
