/** A session of many runs: what each of them leaves behind in the process. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sample } from '../support/prove';
import { bouncingBall } from './models';
import { createHost, isOver, runWhen, temporaryFolder } from './support';

const DESCRIPTORS = '/proc/self/fd';
const RUNS = sample(60, 2000);
/** Recordings that a reader keeps open, and a few descriptors of threads that come and go. */
const MOST_GROWTH = 48;

describe.runIf(existsSync(DESCRIPTORS))('a session of many runs', () => {
  it.each(['for this session', 'that last'])(
    `keeps no descriptor for each of ${RUNS} recordings %s, and reads all of them`,
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
      for (let k = 1; k < RUNS; k++) {
        runs.push(await one());
        if (k % 2 === 0) expect(await read(runs[k])).toEqual(rows);
      }
      expect(readdirSync(DESCRIPTORS).length - before).toBeLessThan(MOST_GROWTH);
      for (const runId of runs) expect(await read(runId)).toEqual(rows);
      expect(readdirSync(DESCRIPTORS).length - before).toBeLessThan(MOST_GROWTH);
      await host.dispose();
      folder.remove();
    },
    sample(60_000, 1_800_000),
  );
});
