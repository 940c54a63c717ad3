/** Running the engine in this process, without worker and window, for the benchmarks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import type { Installation } from '@main/installation';

/**
 * An example as a document.
 * @throws {Error} when it cannot be opened, which is a defect of the installation
 */
export function example(place: Installation, name: string): ModelDocument {
  const text = readFileSync(join(place.host.examplesDirectory, `${name}.moreau.json`), 'utf8');
  const { document } = readDocument(text);
  if (document === null) throw new Error(`the example ${name} cannot be opened`);
  return document;
}
