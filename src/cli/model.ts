/** The MODEL argument: a file, or `example:NAME`. */
import { MoreauError } from '@contract/errors';
import type { Dispatcher, ReadDocumentResult } from '@contract/methods';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import { readDocumentFile } from '@main/files/document-file';
import { closest } from '@engine/closest';
import type { CliContext, PositionalDefinition } from './command';
import { issueText } from './report';

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
 * Reads a model that is to be computed.
 * @throws {MoreauError} the first defect of a text that is no model, after all have been printed
 */
export async function openModel(
  dispatcher: Dispatcher,
  argument: string,
  context: Pick<CliContext, 'note'>,
): Promise<ModelDocument> {
  return (await openWithIssues(dispatcher, argument, context)).document;
}

/** The same, with what opening has found beside the model. @throws {MoreauError} as `openModel` */
export async function openWithIssues(
  dispatcher: Dispatcher,
  argument: string,
  context: Pick<CliContext, 'note'>,
): Promise<{ document: ModelDocument; issues: DocumentIssue[] }> {
  const { document, issues } = await readModel(dispatcher, argument);
  if (document !== null) return { document, issues };
  for (const issue of issues) context.note(issueText(issue));
  const { code, message, pointer, remedy, script } = issues[0];
  throw new MoreauError({
    code,
    message,
    where: pointer,
    remedy,
    ...(script === undefined ? {} : { script }),
  });
}

/** What opening and checking have found of a model; both may find the same defect. */
export function distinctIssues(issues: readonly DocumentIssue[]): DocumentIssue[] {
  const seen = new Set<string>();
  return issues.filter(({ code, pointer, message }) => {
    const key = JSON.stringify([code, pointer, message]);
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * What `moreau validate` warns of in a model that is computed; never rejects, as a model that cannot be
 * checked is refused by its run.
 * @param opened issues of opening it
 * @param isProjected whether the run begins elsewhere than in the initial state of the document
 */
export async function modelWarnings(
  dispatcher: Dispatcher,
  document: ModelDocument,
  opened: readonly DocumentIssue[],
  isProjected: boolean,
): Promise<string[]> {
  const report = await dispatcher.dispatch('document.report', { document }).catch(() => null);
  return distinctIssues([...opened, ...(report?.issues ?? [])])
    .filter(({ severity, code }) => severity === 'warning' && !(isProjected && code.startsWith('initial-')))
    .map(({ message, remedy }) => (remedy === '' ? message : `${message} ${remedy}`));
}

/**
 * Text of an example.
 * @throws {MoreauError} `unknown-example` with the names there are
 */
export async function readExample(dispatcher: Dispatcher, name: string): Promise<string> {
  try {
    return (await dispatcher.dispatch('examples.read', { name })).text;
  } catch (error) {
    const names = (await dispatcher.dispatch('examples.list', {})).map((example) => example.name);
    if (names.includes(name)) throw error;
    const meant = closest(name, names);
    throw new MoreauError({
      code: 'unknown-example',
      message: `There is no example named “${name}”.`,
      where: `${EXAMPLE}${name}`,
      remedy: `${meant === null ? '' : `Did you mean ${meant}? `}The examples are: ${names.join(', ')}.`,
    });
  }
}
