/** The accuracy of runs at the host: measured when they are over, told with them, kept with them. */
import { randomUUID } from 'node:crypto';
import type { RunInfo } from '@contract/methods';
import { verdictOf } from '@contract/verdict';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENCE } from '../support/patience';
import { bouncingBall } from './models';
import { createHost, temporaryFolder } from './support';

let folder: ReturnType<typeof temporaryFolder>;
const hosts: ReturnType<typeof createHost>[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.dispose()));
  await folder.remove();
});

function host(): ReturnType<typeof createHost> {
  const created = createHost({ dataDirectory: folder.path, stateDirectory: folder.path, door: 'browser' });
  hosts.push(created);
  return created;
}

const BELONGS = ['doc-1'];

describe('the accuracy of a run', () => {
  it('is measured when the run is over, told, and there in the next session', async () => {
    const first = host();
    const states: (string | undefined)[] = [];
    first.onEvent((event) => {
      if (event.event === 'run.progress' && event.data.run.state === 'done')
        states.push(event.data.run.accuracy?.state);
    });
    const { runId } = await first.dispatch('run.start', { document: bouncingBall({}), belongsTo: BELONGS });
    let run: RunInfo = await first.dispatch('run.get', { runId });
    await expect
      .poll(async () => {
        run = await first.dispatch('run.get', { runId });
        return run.accuracy?.state;
      }, PATIENCE)
      .toBe('measured');
    expect(states).toContain('measuring');
    expect(verdictOf(run).solved).toBe('holds');
    await first.dispose();
    hosts.length = 0;
    const second = host();
    const { runs } = await second.dispatch('run.attend', { page: randomUUID(), documents: BELONGS });
    expect(runs.map(({ accuracy }) => accuracy)).toEqual([run.accuracy]);
  });

  it('is made on request, and is not measured of groups, of live runs, and where it is not wanted', async () => {
    const one = host();
    const quiet = [{ measure: false }, { group: 'both schemes' }, { live: true }];
    for (const options of quiet) {
      const { runId } = await one.dispatch('run.start', { document: bouncingBall({}), ...options });
      await expect.poll(async () => (await one.dispatch('run.get', { runId })).state, PATIENCE).toBe('done');
      expect((await one.dispatch('run.get', { runId })).accuracy).toBeUndefined();
      expect((await one.dispatch('run.accuracy', { runId })).accuracy?.state).toBe('measured');
    }
  });

  it('of a long run is measured when it is asked for', async () => {
    const one = host();
    const document = bouncingBall({ h: 2e-6 });
    const { runId } = await one.dispatch('run.start', { document, keep: 'last' });
    await expect.poll(async () => (await one.dispatch('run.get', { runId })).state, PATIENCE).toBe('done');
    const unasked = await one.dispatch('run.accuracy', { runId, long: false });
    expect(unasked.accuracy).toMatchObject({ state: 'unknown', reason: 'too-long' });
    expect((await one.dispatch('run.accuracy', { runId })).accuracy?.state).toBe('measured');
  });

  it('is not that of a run under way', async () => {
    const one = host();
    const { runId } = await one.dispatch('run.start', { document: bouncingBall({}), paused: true });
    await expect(one.dispatch('run.accuracy', { runId })).rejects.toMatchObject({
      details: { code: 'run-not-over' },
    });
  });

  it('keeps no host from its end, whenever that comes', async () => {
    for (let wait = 0; wait < 60; wait += 6) {
      const one = host();
      const { runId } = await one.dispatch('run.start', { document: bouncingBall({}) });
      await expect.poll(async () => (await one.dispatch('run.get', { runId })).state, PATIENCE).toBe('done');
      await new Promise((resolve) => setTimeout(resolve, wait));
      await one.dispose();
    }
  });
});
