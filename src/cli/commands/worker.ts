import { hostname } from 'node:os';
import { plural } from '@engine/plural';
import { type CliCommand, EXIT, UsageError } from '../command';
import { Interruption } from '../interruption';
import { QUEUE, QUEUE_NOTE, queueAddress } from '../queue-options';
import { wholeNumber, workerCount } from '../sweep-options';

/** Without a sign of life for so long a worker counts as lost, s. */
const LEASE_S = 30;

/** `moreau worker`: computes for sweeps of other machines. */
export const workerCommand: CliCommand = {
  name: 'worker',
  summary: 'compute for sweeps that others submit to a queue',
  positionals: [],
  flags: {
    queue: QUEUE,
    workers: {
      type: 'string',
      value: 'N',
      help: 'number of parallel computations; default: the number of cores',
    },
    name: {
      type: 'string',
      value: 'NAME',
      help: 'name shown to others; default: the machine and process',
    },
    lease: {
      type: 'string',
      value: 'S',
      help: `seconds without a heartbeat after which it counts as lost; default: ${LEASE_S}`,
    },
  },
  notes: [
    'It waits for sweeps until Ctrl-C, which hands back unfinished points. Sweeps of another version of Moreau are refused.',
    `${QUEUE_NOTE} Models in it may have scripts; they run in the same sandbox as those of files.`,
  ],
  run: async (args, context) => {
    const address = queueAddress(args);
    if (address === null) throw new UsageError('A worker needs --queue URL.');
    const workers = workerCount(args);
    const { host } = context.place;
    const { sweepWorkerUrl } = host;
    const interruption = new Interruption(context);
    try {
      // Other commands need none of it.
      const { QueueWorker } = await import('@main/sweep/queue/queue-worker');
      const name = args.text('name') ?? `${hostname()}-${process.pid}`;
      const lease = wholeNumber(args, 'lease', 1) ?? LEASE_S;
      const worker = await QueueWorker.open({
        ...{ address, name, workers, lease, sweepWorkerUrl },
        version: host.version,
        note: context.note,
      });
      context.note(
        `${name}, version ${host.version}: ${plural(workers, 'computation')} at a time for sweeps at ${address.toString()}; Ctrl-C ends it\n`,
      );
      interruption.react(() => worker.stop());
      if (interruption.asked) worker.stop();
      await worker.run();
      return EXIT.done;
    } finally {
      interruption.end();
    }
  },
};
