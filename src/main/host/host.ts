/**
 * The engine host: the single validated entrance to the engine, behind Electron IPC, WebSocket, command line
 * and tests. Computing happens in worker threads; the thread of the host stays free.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { MoreauError } from '@contract/errors';
import {
  type AppInfo,
  type Dispatcher,
  type HostEvent,
  type MethodName,
  methodParams,
  type MethodParams,
  type MethodResult,
} from '@contract/methods';
import { type ChangedSettings, completeUserSettings } from '@contract/settings';
import type { z } from 'zod';
import { Analyses } from '../analysis/analyses';
import { AnalysisStore } from '../analysis/analysis-store';
import { BuilderService } from './builder-service';
import type { HostContext, MethodHandler } from './context';
import { DataExports } from './data-exports';
import { EditJournals } from './edit-journals';
import { invalidParams, toRemoteError } from './errors';
import { Examples } from './examples';
import { InspectionClient } from './inspection-client';
import { hostMethods } from './methods';
import { RunStore } from './kept/run-store';
import { ReaderClient } from './reader-client';
import { RunRegistry } from './run-registry';
import { SettingsFile } from './settings-file';
import { WorkerSupply } from './worker-supply';
import { Workspace } from './workspace';

export interface EngineHostOptions {
  /** bundled `engine.worker.ts` */
  engineWorkerUrl: URL;
  /** bundled `reader.worker.ts` */
  readerWorkerUrl: URL;
  /** bundled `sweep.worker.ts` and `analysis.worker.ts` */
  sweepWorkerUrl: URL;
  analysisWorkerUrl: URL;
  /** a thread of `engineWorkerUrl` that has been started already */
  engineThread?: Worker;
  /** folder in which recordings get a folder of their own; the system's temporary folder when absent */
  dataDirectory?: string;
  /**
   * folder for what lasts from one session to the next: settings, the journal of edits; absent: nothing
   * lasts, as for the command line and tests
   */
  stateDirectory?: string;
  version: string;
  door: AppInfo['door'];
  /** folder of the `NAME.moreau.json` examples */
  examplesDirectory: string;
}

export class EngineHost implements Dispatcher {
  readonly #listeners = new Set<(event: HostEvent) => void>();
  readonly #workspace: Workspace;
  readonly #workers: WorkerSupply;
  readonly #context: HostContext;
  #disposed = false;

  constructor(options: EngineHostOptions) {
    this.#workspace = new Workspace(options.dataDirectory);
    const reader = new ReaderClient(options.readerWorkerUrl);
    const interactive = options.door === 'desktop' || options.door === 'browser';
    this.#workers = new WorkerSupply(options.engineWorkerUrl, interactive, options.engineThread);
    const store =
      options.stateDirectory === undefined ? null : new RunStore(options.stateDirectory, options.version);
    this.#context = {
      version: options.version,
      door: options.door,
      examples: new Examples(options.examplesDirectory),
      stateDirectory: options.stateDirectory ?? null,
      settings: new SettingsFile(options.stateDirectory ?? null, (changed) =>
        this.#emit({ event: 'settings.changed', data: { changed } }),
      ),
      journals: new EditJournals(options.stateDirectory ?? null),
      runs: new RunRegistry(
        options.version,
        this.#workspace,
        store,
        reader,
        this.#workers,
        () => completeUserSettings(this.changedSettings)['runs.diskLimit'] * 2 ** 30,
        () => completeUserSettings(this.changedSettings)['runs.atOnce'] || availableParallelism(),
        (event) => this.#emit(event),
      ),
      reader,
      builders: new BuilderService(this.#workers),
      inspections: new InspectionClient(this.#workers),
      exports: new DataExports(this.#workspace.directory, (exportId, part) =>
        this.#emit({ event: 'data.progress', data: { exportId, part } }),
      ),
      analyses: new Analyses(
        new AnalysisStore(
          join(options.stateDirectory ?? this.#workspace.directory, 'analyses'),
          options.version,
        ),
        options,
        (analysis) => this.#emit({ event: 'analysis.progress', data: { analysis } }),
      ),
      dispatcher: this,
    };
  }

  /** Settings that differ from their defaults, for the shell around the window. */
  get changedSettings(): ChangedSettings {
    return this.#context.settings.changed;
  }

  /** Where a data file lies that was written for a window; null for a ticket that is none. */
  exportedFile(ticket: string): string | null {
    return this.#context.exports.file(ticket);
  }

  /**
   * Validates a call and performs it.
   * @throws {MoreauError} for everything that fails: `unknown-method`, `invalid-params`, or what the method
   *   reports
   */
  async dispatch<M extends MethodName>(method: M, params: MethodParams<M>): Promise<MethodResult<M>> {
    try {
      if (this.#disposed) throw hostClosed();
      if (!Object.hasOwn(methodParams, method)) throw unknownMethod(method);
      const schema = methodParams[method] as unknown as z.ZodType<MethodParams<M>>;
      const checked = schema.safeParse(params);
      if (!checked.success) throw invalidParams(method, checked.error);
      const handler: MethodHandler<M> = hostMethods[method];
      return await handler(this.#context, checked.data);
    } catch (error) {
      throw error instanceof MoreauError ? error : new MoreauError(toRemoteError(error));
    }
  }

  onEvent(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends all workers and removes the recordings. */
  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#listeners.clear();
    const { runs, builders, inspections, reader, settings, journals, analyses } = this.#context;
    await Promise.all([
      runs.dispose(),
      analyses.dispose(),
      builders.dispose(),
      inspections.dispose(),
      this.#workers.dispose(),
      settings.settled(),
      journals.dispose(),
    ]);
    await reader.dispose();
    this.#workspace.remove();
  }

  #emit(event: HostEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        // A listener that fails, such as a window that has just closed, must not stop the others or the run.
      }
    }
  }
}

const unknownMethod = (method: string): MoreauError =>
  new MoreauError({
    code: 'unknown-method',
    message: `The engine host has no method named ${method.slice(0, 100)}.`,
    remedy: 'The caller and the engine host may be of different versions; start the application again.',
  });

const hostClosed = (): MoreauError =>
  new MoreauError({
    code: 'host-closed',
    message: 'The engine host has been shut down.',
    remedy: 'Start the application again.',
  });
