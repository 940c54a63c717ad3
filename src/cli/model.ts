/** The MODEL argument: a file, or `example:NAME`. */
import { MoreauError } from '@contract/errors';
import type { Dispatcher, ReadDocumentResult } from '@contract/methods';
import { readDocumentFile } from '@main/files/document-file';
import { closest } from './closest';
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
    ? await readExample(dispatcher, argument.slice(EXAMPLE.length))
    : await readDocumentFile(argument);
  return dispatcher.dispatch('document.read', { text });
}

/**
 * Text of an example.
 * @throws {MoreauError} `unknown-example` with the names there are
 */
export async function readExample(dispatcher: Dispatcher, name: string): Promise<string> {
  const names = (await dispatcher.dispatch('examples.list', {})).map((example) => example.name);
  if (names.includes(name)) return (await dispatcher.dispatch('examples.read', { name })).text;
  const meant = closest(name, names);
  throw new MoreauError({
    code: 'unknown-example',
    message: `There is no example named “${name}”.`,
    where: `${EXAMPLE}${name}`,
    remedy: `${meant === null ? '' : `Did you mean ${meant}? `}The examples are: ${names.join(', ')}.`,
  });
}
