/** Worker thread that reads the recordings of all runs. */
import { parentPort } from 'node:worker_threads';
import type { ReaderRequest } from './reader';
import { RecordingReaders } from './reader-impl';

const port = parentPort;
if (port === null) throw new Error('reader.worker is the entry of a worker thread');

const readers = new RecordingReaders();
port.on('message', (request: ReaderRequest) => {
  const { reply, transfer } = readers.answer(request);
  port.postMessage(reply, transfer);
});
