/** What the methods of the host work with. */
import type { AppInfo, Dispatcher, MethodName, MethodParams, MethodResult } from '@contract/methods';
import type { Analyses } from '../analysis/analyses';
import type { BuilderService } from './builder-service';
import type { DataExports } from './data-exports';
import type { EditJournals } from './edit-journals';
import type { Examples } from './examples';
import type { InspectionClient } from './inspection-client';
import type { ReaderClient } from './reader-client';
import type { RunRegistry } from './run-registry';
import type { SettingsFile } from './settings-file';

export interface HostContext {
  readonly version: string;
  readonly door: AppInfo['door'];
  readonly examples: Examples;
  /** folder for what lasts from one session to the next; null: nothing does */
  readonly stateDirectory: string | null;
  readonly settings: SettingsFile;
  readonly journals: EditJournals;
  readonly runs: RunRegistry;
  readonly reader: ReaderClient;
  readonly builders: BuilderService;
  readonly inspections: InspectionClient;
  readonly exports: DataExports;
  readonly analyses: Analyses;
  /** the host itself, for methods that are made of others */
  readonly dispatcher: Dispatcher;
}

/** Implementation of one method; its parameters have passed the contract's schema. */
export type MethodHandler<M extends MethodName> = (
  context: HostContext,
  params: MethodParams<M>,
) => MethodResult<M> | Promise<MethodResult<M>>;

/** A group of implementations, one file for each subject. */
export type MethodHandlers<M extends MethodName> = { readonly [K in M]: MethodHandler<K> };
