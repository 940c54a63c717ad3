/** A host with real workers for tests, and waiting without sleeping. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MoreauError } from '@contract/errors';
import type { Dispatcher, HostEvent, RunInfo } from '@contract/methods';
import { EngineHost, type EngineHostOptions } from '@main/host/host';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const worker = (name: string): URL => pathToFileURL(join(ROOT, 'out/test', name));

/** What the entry files of the program know of their place. */
export const SWEEP_WORKER = worker('sweep-worker.js');

export const PLACE: EngineHostOptions = {
  engineWorkerUrl: worker('engine-worker.js'),
  readerWorkerUrl: worker('reader-worker.js'),
  sweepWorkerUrl: SWEEP_WORKER,
  analysisWorkerUrl: worker('analysis-worker.js'),
  examplesDirectory: join(ROOT, 'resources/examples'),
  version: '0.0.0-test',
  door: 'test',
};

export const createHost = (options: Partial<EngineHostOptions> = {}): EngineHost =>
  new EngineHost({ ...PLACE, ...options });

/** An empty folder that `remove` deletes, also while a program writes its last file there. */
export function temporaryFolder(): { path: string; remove: () => Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'moreau-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 }) };
}

/** The first event that fits. */
export function nextEvent(host: Dispatcher, fits: (event: HostEvent) => boolean): Promise<HostEvent> {
  return new Promise((resolve) => {
    const end = host.onEvent((event) => {
      if (!fits(event)) return;
      end();
      resolve(event);
    });
  });
}

/** The run as soon as it is in a state that fits; events tell, and the present state is looked at first. */
export async function runWhen(
  host: Dispatcher,
  runId: string,
  fits: (run: RunInfo) => boolean,
): Promise<RunInfo> {
  const coming = nextEvent(
    host,
    (event) => event.event === 'run.progress' && event.data.run.runId === runId && fits(event.data.run),
  );
  const now = await host.dispatch('run.get', { runId });
  if (fits(now)) return now;
  const event = await coming;
  return event.event === 'run.progress' ? event.data.run : now;
}

export const isOver = (run: RunInfo): boolean => ['done', 'failed', 'cancelled'].includes(run.state);

/** Details of the error a call fails with. */
export async function failure(call: Promise<unknown>): Promise<MoreauError['details']> {
  try {
    await call;
  } catch (error) {
    return (error as MoreauError).details;
  }
  throw new Error('the call was expected to fail');
}
