/**
 * The host's side of what is asked of documents: requests in turn to one worker, with a time limit, and a new
 * worker when one has died.
 */
import type { Worker } from 'node:worker_threads';
import { MoreauError, type RemoteError } from '@contract/errors';
import type { DocumentIssue, DocumentReport, ModelDocument } from '@engine/document/types';
import type { BuiltElements } from '@engine/script/builder';
import type { DerivativeReview } from '@engine/inspection/derivative-review';
import type { InitialProjection } from '@engine/preparation/initial-check';
import type { ScriptCall } from '@engine/preparation/examination';
import type { InitialState } from '@engine/run/initial-state';
import type { ProfileResult } from '@engine/inspection/profile';
import type { RunSpecification } from '@engine/run/session';
import type { NoProblem, RecordedRow, StepProblem } from '@engine/inspection/step-problem';
import type { MomentContacts } from '@engine/inspection/contacts-at';
import type { TopologyReport } from '@engine/inspection/topology-report';
import type { InspectionReply, InspectionRequest } from './inspection';
import { GrowthMeter, WATCH_MS } from './memory';
import { notCopied, outOfMemory, workerError } from './worker-errors';
import type { WorkerSupply } from './worker-supply';

/** Milliseconds. */
export interface InspectionLimits {
  /**
   * for what is known without executing scripts, the start of the worker included: seconds for the largest
   * models
   */
  readonly inspection: number;
  /** for one call of a script function, which fills one matrix */
  readonly call: number;
  /** for the start of a run, which is as long as the model is large */
  readonly start: number;
}

const LIMITS: InspectionLimits = { inspection: 60_000, call: 3000, start: 20_000 };

/** What a document's inspection is asked for. */
type Question = Omit<InspectionRequest, 'id'>;

interface Answer {
  report: DocumentReport;
  topology: TopologyReport;
  projection: InitialProjection;
  contacts: MomentContacts | null;
  problem: StepProblem | NoProblem | null;
  derivatives: DerivativeReview;
  profile: ProfileResult;
}

export class InspectionClient {
  readonly #supply: WorkerSupply;
  readonly #limits: InspectionLimits;
  #worker: Worker | null = null;
  #nextId = 0;
  /** end of the request before: the worker answers one at a time, so that a limit is that of one request */
  #last: Promise<unknown> = Promise.resolve();
  /** ends the request that is being answered */
  #abort: ((error: MoreauError) => void) | null = null;
  #disposed = false;

  /** @param workers give it one at the first request */
  constructor(workers: WorkerSupply, limits: InspectionLimits = LIMITS) {
    this.#supply = workers;
    this.#limits = limits;
  }

  /** @throws {MoreauError} `inspection-timeout`, `worker-crashed`, `invalid-document` */
  report(document: ModelDocument, built?: BuiltElements): Promise<DocumentReport> {
    return this.#ask<'report'>({ kind: 'report', document, built });
  }

  /** @throws {MoreauError} as `report` */
  topology(document: ModelDocument, built?: BuiltElements): Promise<TopologyReport> {
    return this.#ask<'topology'>({ kind: 'topology', document, built });
  }

  /** @throws {MoreauError} as `report` */
  projection(document: ModelDocument, built?: BuiltElements): Promise<InitialProjection> {
    return this.#ask<'projection'>({ kind: 'projection', document, built });
  }

  /** Contacts of a run in the step from a recorded state. @throws {MoreauError} as `report` */
  contacts(
    document: ModelDocument,
    moment: NonNullable<InspectionRequest['moment']>,
    built?: BuiltElements,
  ): Promise<MomentContacts | null> {
    return this.#ask<'contacts'>({ kind: 'contacts', document, built, moment });
  }

  /** The one-step problem of the step from a recorded row. @throws {MoreauError} as `report` */
  problem(
    document: ModelDocument,
    row: RecordedRow,
    built?: BuiltElements,
  ): Promise<StepProblem | NoProblem | null> {
    return this.#ask<'problem'>({ kind: 'problem', document, built, row });
  }

  /** @throws {MoreauError} as `report` */
  derivatives(document: ModelDocument, built?: BuiltElements): Promise<DerivativeReview> {
    return this.#ask<'derivatives'>({ kind: 'derivatives', document, built });
  }

  /** Replays parts of a run and times its functions. @throws {MoreauError} as `report` */
  profile(specification: RunSpecification, moments: readonly InitialState[]): Promise<ProfileResult> {
    const { document } = specification;
    return this.#ask<'profile'>({ kind: 'profile', document, built: undefined, specification, moments });
  }

  /** Ends the worker; everything pending is rejected. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    const worker = this.#worker;
    this.#worker = null;
    this.#abort?.(shutDown());
    await worker?.terminate();
  }

  #ask<K extends keyof Answer>(question: Question & { kind: K }): Promise<Answer[K]> {
    const answer = this.#last.then(() => {
      if (this.#disposed) throw shutDown();
      return this.#answer(question);
    }) as Promise<Answer[K]>;
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  #answer(question: Question): Promise<Answer[keyof Answer]> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker ?? this.#start();
      const id = this.#nextId++;
      let report: DocumentReport | null = null;
      let call: ScriptCall | null = null;
      let timer: NodeJS.Timeout | undefined;
      const growth = new GrowthMeter();

      const settle = (outcome: () => void): void => {
        clearTimeout(timer);
        clearInterval(watch);
        worker.off('message', listen).off('error', fail).off('exit', exit);
        this.#abort = null;
        outcome();
      };
      /** The worker is unusable. Reports what is known without scripts, with the reason why they ended. */
      const end = (error: RemoteError): void => {
        this.#lose(worker);
        settle(() => {
          if (report === null) reject(new MoreauError(error));
          else resolve({ ...report, issues: [...report.issues, issueOf(error, call)] });
        });
      };
      const expect = (limit: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => end(timedOut(limit, call)), limit);
      };
      const fail = (error: unknown): void => end(workerError(error));
      const exit = (code: number): void => fail(new Error(`its thread ended with code ${code}`));
      const listen = (reply: InspectionReply): void => {
        if (reply.id !== id) return;
        if (reply.type === 'topology') settle(() => resolve(reply.topology));
        else if (reply.type === 'projection') settle(() => resolve(reply.projection));
        else if (reply.type === 'contacts') settle(() => resolve(reply.contacts));
        else if (reply.type === 'problem') settle(() => resolve(reply.problem));
        else if (reply.type === 'derivatives') settle(() => resolve(reply.derivatives));
        else if (reply.type === 'profile') settle(() => resolve(reply.profile));
        else if (reply.type === 'failed') settle(() => reject(new MoreauError(reply.error)));
        else if (reply.type === 'report') {
          ({ report } = reply);
          growth.reset();
        } else if (reply.type === 'calling') {
          ({ call } = reply);
          expect(call.isStart === true ? this.#limits.start : this.#limits.call);
        } else {
          const known = report as DocumentReport;
          settle(() => resolve({ ...known, issues: [...known.issues, ...reply.issues] }));
        }
      };
      // A large model may need the memory, as it does when it starts; a script that fills a matrix does not.
      const watch = setInterval(() => {
        if (call !== null && call.isStart !== true && growth.exceeded()) end(outOfMemory());
      }, WATCH_MS);
      worker.on('message', listen).on('error', fail).on('exit', exit);
      this.#abort = (error) => settle(() => reject(error));
      expect(this.#limits.inspection);
      try {
        worker.postMessage({ ...question, id });
      } catch (error) {
        settle(() => reject(notCopied(error)));
      }
    });
  }

  #start(): Worker {
    const worker = this.#supply.take();
    const lost = (): void => this.#lose(worker);
    worker.on('error', lost);
    worker.on('exit', lost);
    this.#worker = worker;
    return worker;
  }

  #lose(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
    void worker.terminate();
  }
}

const START_TIMEOUT = 'start-timeout';

function whatOf({ function: name, element }: ScriptCall): string {
  return name === null ? 'The scripts, being loaded,' : `The script function “${name}” of “${element}”`;
}

function timedOut(limit: number, call: ScriptCall | null): RemoteError {
  if (call === null) {
    return {
      code: 'inspection-timeout',
      message: `The model could not be analysed within ${limit / 1000} s.`,
      remedy: 'Make the model smaller, or split long expressions in its scripts.',
    };
  }
  if (call.isStart === true) {
    return {
      code: START_TIMEOUT,
      message: `Whether the model starts was not known after ${limit / 1000} s.`,
      remedy:
        'Run it: a large model may take longer. If it never starts, look for an endless loop in its scripts.',
    };
  }
  return {
    code: 'script-timeout',
    message: `${whatOf(call)} did not return within ${limit / 1000} s and was ended.`,
    ...(call.element === '' ? {} : { where: call.element }),
    remedy: 'Look for an endless loop.',
  };
}

/** A script that ended the inspection, as a defect of the document at the field it was called for. */
function issueOf({ code, message, remedy }: RemoteError, call: ScriptCall | null): DocumentIssue {
  return {
    severity: code === START_TIMEOUT ? 'warning' : 'error',
    code,
    pointer: call?.pointer ?? '/scripts',
    ...(call === null || call.element === '' ? {} : { element: call.element }),
    message,
    remedy: remedy ?? 'Correct the script.',
  };
}

const shutDown = (): MoreauError =>
  new MoreauError({
    code: 'host-closed',
    message: 'The engine host has been shut down.',
    remedy: 'Start the application again.',
  });
