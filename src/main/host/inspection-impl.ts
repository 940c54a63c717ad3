/** What a worker does that examines documents. Knows no worker. */
import type { ScriptCall, ScriptEnvironment } from '@engine/preparation/examination';
import { toRemoteError } from './errors';
import type { InspectionEngine, InspectionReply, InspectionRequest } from './inspection';

/**
 * Time that comparing Jacobians may take in all, ms. A report is wanted at every edit, so what a large model
 * leaves over stays unchecked; a single call that does not return is ended by the host.
 */
const CHECK_MS = 1000;

/** What is executed while a run is replayed. */
const REPLAY: ScriptCall = { function: null, element: '', pointer: '/scripts' };

/**
 * Answers one request. Everything that goes wrong becomes a message; nothing is thrown.
 * @param now milliseconds, monotonic
 */
export function inspect(
  { id, kind, document, built, moment, row, specification, moments = [] }: InspectionRequest,
  engine: InspectionEngine,
  post: (reply: InspectionReply) => void,
  now: () => number,
): void {
  try {
    if (kind === 'topology') {
      post({ id, type: 'topology', topology: engine.reportTopology(document, built) });
      return;
    }
    let began = now();
    const environment: ScriptEnvironment = {
      // Making a sandbox, which takes long in a worker that is new, is no part of the comparison.
      sandbox: () => {
        const from = now();
        const sandbox = engine.createSandbox();
        began += now() - from;
        return sandbox;
      },
      begin: (call) => {
        // What refuses a run is said however long the comparison took.
        if (call.isStart !== true && now() - began > CHECK_MS) return false;
        post({ id, type: 'calling', call });
        return true;
      },
    };
    if (kind === 'projection') {
      post({ id, type: 'projection', projection: engine.projectDocument(document, built, environment) });
      return;
    }
    if (row !== undefined) {
      post({ id, type: 'problem', problem: engine.stepProblem(document, built, row, environment) });
      return;
    }
    if (kind === 'derivatives') {
      post({ id, type: 'derivatives', derivatives: engine.reviewDerivatives(document, built, environment) });
      return;
    }
    if (specification !== undefined) {
      const sandbox = environment.sandbox();
      const begin = (): boolean => {
        post({ id, type: 'calling', call: REPLAY });
        return true;
      };
      const result = engine.profileRun(specification, { sandbox: () => sandbox, now, begin }, moments);
      if (result.ok) post({ id, type: 'profile', profile: result.profile });
      else post({ id, type: 'failed', error: result.error });
      return;
    }
    if (moment !== undefined) {
      const { run, settings, state } = moment;
      const contacts = engine.contactsAt(run, document, built, settings, state, environment);
      post({ id, type: 'contacts', contacts });
      return;
    }
    const examined = engine.examine(document, built);
    post({ id, type: 'report', report: examined.report });
    post({ id, type: 'checked', issues: examined.check(environment) });
  } catch (error) {
    post({ id, type: 'failed', error: toRemoteError(error) });
  }
}
