/** Worker thread that examines documents. */
import { parentPort } from 'node:worker_threads';
import { createSandbox } from '@engine/script/sandbox';
import { reviewDerivatives } from '@engine/inspection/derivative-review';
import { projectDocument } from '@engine/preparation/initial-check';
import { profileRun } from '@engine/inspection/profile';
import { examine } from '@engine/inspection/examine';
import { ContactProbes } from '@engine/inspection/contacts-at';
import { stepProblem } from '@engine/inspection/step-problem';
import { reportTopology } from '@engine/inspection/topology-report';
import type { InspectionRequest } from './inspection';
import { inspect } from './inspection-impl';

const port = parentPort;
if (port === null) throw new Error('inspection.worker is the entry of a worker thread');

const probes = new ContactProbes();
const engine = {
  examine,
  reportTopology,
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
