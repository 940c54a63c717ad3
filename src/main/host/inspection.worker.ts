/** Worker thread that examines documents. */
import { parentPort } from 'node:worker_threads';
import { createSandbox } from '@engine/script/sandbox';
import { reviewDerivatives } from '@engine/simulation/derivative-review';
import { checkInitialState, projectDocument } from '@engine/simulation/initial-check';
import { checkJacobians } from '@engine/simulation/jacobian-check';
import { profileRun } from '@engine/simulation/profile';
import { reportDocument } from '@engine/simulation/report';
import { ContactProbes } from '@engine/simulation/space/contacts-at';
import { stepProblem } from '@engine/simulation/step-problem';
import { reportTopology } from '@engine/simulation/topology-report';
import type { InspectionRequest } from './inspection';
import { inspect } from './inspection-impl';

const port = parentPort;
if (port === null) throw new Error('inspection.worker is the entry of a worker thread');

const probes = new ContactProbes();
const engine = {
  reportDocument,
  reportTopology,
  checkJacobians,
  checkInitialState,
  projectDocument,
  contactsAt: probes.at.bind(probes),
  stepProblem,
  reviewDerivatives,
  profileRun,
  createSandbox,
};
port.on('message', (request: InspectionRequest) => {
  inspect(
    request,
    engine,
    (reply) => port.postMessage(reply),
    () => performance.now(),
  );
});
