/** Running the engine in this process, without worker and window, for the benchmarks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MoreauError } from '@contract/errors';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import type { ChunkLayout, ChunkSink } from '@engine/recording/chunks';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun, type RunSession, type RunSpecification } from '@engine/run/session';
import type { Installation } from '@main/installation';

/** An example as a document. @throws {Error} when it cannot be opened, which is a defect of the installation */
export function example(place: Installation, name: string): ModelDocument {
  const text = readFileSync(join(place.host.examplesDirectory, `${name}.moreau.json`), 'utf8');
  const { document } = readDocument(text);
  if (document === null) throw new Error(`the example ${name} cannot be opened`);
  return document;
}

/** Records into one buffer over and over: the cost of recording without that of keeping. */
class RecycledChunk implements ChunkSink {
  #chunk = new Float64Array(0);

  open({ columns, rowsPerChunk }: ChunkLayout): Float64Array {
    this.#chunk = new Float64Array(columns * rowsPerChunk);
    return this.#chunk;
  }

  next(): Float64Array {
    return this.#chunk;
  }

  publish(): void {
    // Nobody reads.
  }
}

/** A session ready to be advanced. @throws {MoreauError} when the model cannot be run */
export function session(specification: RunSpecification): RunSession {
  const prepared = prepareRun(specification, { sandbox: () => createSandbox(), sink: new RecycledChunk() });
  if (!prepared.ok) throw new MoreauError(prepared.error);
  return prepared.session;
}
