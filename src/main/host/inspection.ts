/**
 * What the host and a worker of the engine say to each other about documents. One worker examines them, one
 * after the other: what a report or a topology computes, and the scripts that are executed for it, must not
 * hold up the host.
 */
import type { RemoteError } from '@contract/errors';
import type { DocumentIssue, DocumentReport, ModelDocument } from '@engine/document/types';
import type { BuiltElements } from '@engine/script/builder';
import type { ScriptSandbox } from '@engine/script/sandbox';
import type { DerivativeReview } from '@engine/inspection/derivative-review';
import type { InitialProjection } from '@engine/preparation/initial-check';
import type { Examined } from '@engine/inspection/examine';
import type { ScriptEnvironment, ScriptCall } from '@engine/preparation/examination';
import type { InitialState } from '@engine/run/initial-state';
import type { ProfileEnvironment, ProfileResult } from '@engine/inspection/profile';
import type { RunSpecification } from '@engine/run/session';
import type { MomentContacts, RecordedMoment, RunSettings } from '@engine/inspection/contacts-at';
import type { NoProblem, RecordedRow, StepProblem } from '@engine/inspection/step-problem';
import type { TopologyReport } from '@engine/inspection/topology-report';

/** Host to worker. */
export interface InspectionRequest {
  readonly id: number;
  readonly kind: 'report' | 'topology' | 'projection' | 'contacts' | 'problem' | 'derivatives' | 'profile';
  readonly document: ModelDocument;
  /** elements its builder script produced, when that has been run */
  readonly built: BuiltElements | undefined;
  /** of a question about contacts: the run and the recorded state it is asked of */
  readonly moment?: {
    readonly run: string;
    readonly settings: RunSettings;
    readonly state: RecordedMoment;
  };
  /** of a one-step problem: where its step begins */
  readonly row?: RecordedRow;
  /** of a profile: the run; its document is that of the request */
  readonly specification?: RunSpecification;
  /** of a profile: states that the run came through */
  readonly moments?: readonly InitialState[];
}

/** Worker to host. */
export type InspectionReply = { readonly id: number } & (
  | { readonly type: 'topology'; readonly topology: TopologyReport }
  | { readonly type: 'projection'; readonly projection: InitialProjection }
  | { readonly type: 'contacts'; readonly contacts: MomentContacts | null }
  | { readonly type: 'problem'; readonly problem: StepProblem | NoProblem | null }
  | { readonly type: 'derivatives'; readonly derivatives: DerivativeReview }
  | { readonly type: 'profile'; readonly profile: ProfileResult }
  /** all that is known without executing scripts; `checked` follows */
  | { readonly type: 'report'; readonly report: DocumentReport }
  /** a script is about to be called: silence from here on is the script's */
  | { readonly type: 'calling'; readonly call: ScriptCall }
  /** what executing the scripts has shown beside the report */
  | { readonly type: 'checked'; readonly issues: DocumentIssue[] }
  | { readonly type: 'failed'; readonly error: RemoteError }
);

/** The parts of the engine the worker uses, so that its work can be tested without a worker. */
export interface InspectionEngine {
  examine(document: ModelDocument, built: BuiltElements | undefined): Examined;
  reportTopology(document: ModelDocument, built: BuiltElements | undefined): TopologyReport;
  projectDocument(
    document: ModelDocument,
    built: BuiltElements | undefined,
    environment: ScriptEnvironment,
  ): InitialProjection;
  contactsAt(
    run: string,
    document: ModelDocument,
    built: BuiltElements | undefined,
    settings: RunSettings,
    state: RecordedMoment,
    environment: ScriptEnvironment,
  ): MomentContacts | null;
  stepProblem(
    document: ModelDocument,
    built: BuiltElements | undefined,
    row: RecordedRow,
    environment: ScriptEnvironment,
  ): StepProblem | NoProblem | null;
  reviewDerivatives(
    document: ModelDocument,
    built: BuiltElements | undefined,
    environment: ScriptEnvironment,
  ): DerivativeReview;
  profileRun(
    specification: RunSpecification,
    environment: ProfileEnvironment,
    moments: readonly InitialState[],
  ): { ok: true; profile: ProfileResult } | { ok: false; error: RemoteError };
  createSandbox(): ScriptSandbox;
}
