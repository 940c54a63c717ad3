/** Models compiled without a recorder around them, to look into single steps. */
import type { ModelDocument } from '@engine/document/types';
import { type PreparedModel, prepare } from '@engine/preparation/prepare';
import { TimeStepping } from '@engine/time-stepping/time-stepping';

/** @throws when the document, which must have no scripts, has defects */
export function compile(document: ModelDocument): PreparedModel {
  const { prepared, issues } = prepare(document, {
    functions: () => null,
    functionNames: [],
    derivatives: () => ({ ok: true, call: () => undefined }),
  });
  if (prepared === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return prepared;
}

/** The simulation of a document at its initial state. */
export function timeStepping(document: ModelDocument): TimeStepping {
  const { model, layout, settings } = compile(document);
  return new TimeStepping(model, layout, settings);
}
