/** The MODEL argument: a file, or `example:NAME`. */
import type { Dispatcher, ReadDocumentResult } from '@contract/methods';
import { readDocumentFile } from '@main/files/document-file';
import type { PositionalDefinition } from './command';

const EXAMPLE = 'example:';

/** The argument as the commands declare it. */
export const MODEL: PositionalDefinition = {
  name: 'MODEL',
  help: 'file of the model (NAME.moreau.json), or example:NAME',
  required: true,
};

/**
 * Reads a model. Defects come in the result.
 * @throws {MoreauError} when there is no such file or example
 */
export async function readModel(dispatcher: Dispatcher, argument: string): Promise<ReadDocumentResult> {
  const text = argument.startsWith(EXAMPLE)
    ? (await dispatcher.dispatch('examples.read', { name: argument.slice(EXAMPLE.length) })).text
    : await readDocumentFile(argument);
  return dispatcher.dispatch('document.read', { text });
}
