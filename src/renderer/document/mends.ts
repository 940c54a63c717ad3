/** Edits that the engine proposes, as changes of the document. */
import type { MendStep, ModelDocument, ParameterDocument } from '@engine/document/types';
import { connectPins, dropEnds, removeCircuit } from './circuits';
import { tokens } from './pointer';

/** @param taken names that a new wire must not have */
export function mendDocument(
  document: ModelDocument,
  steps: readonly MendStep[],
  taken: () => Iterable<string>,
): void {
  for (const step of steps)
    switch (step.do) {
      case 'add':
        document.components = [...(document.components ?? []), { ...step.component }];
        break;
      case 'join':
        connectPins(document, ...step.ends, taken());
        break;
      case 'release':
        dropEnds(document, (end) => end === step.end);
        break;
      case 'remove':
        removeCircuit(document, new Set([step.id]));
        break;
      case 'parameter':
        addParameter(document, step.list, step.parameter);
        break;
      case 'set':
        setAt(document, step.pointer, step.value);
        dropEmptyWires(document);
    }
}

/** Adds a parameter to the model or to a sub-model. */
function addParameter(document: ModelDocument, list: string, parameter: ParameterDocument): void {
  const path = tokens(list);
  const last = path.pop() ?? '';
  let at: unknown = document;
  for (const token of path) at = (at as Record<string, unknown> | undefined)?.[token];
  if (at === undefined || at === null) return;
  const owner = at as Record<string, ParameterDocument[] | undefined>;
  owner[last] = [...(owner[last] ?? []), { ...parameter }];
}

/** A wire whose only end has been taken off it is none. */
function dropEmptyWires(document: ModelDocument): void {
  const wires = document.wires?.filter(({ ends }) => ends.length > 0);
  if (wires?.length === 0) delete document.wires;
  else if (wires !== undefined && wires.length !== document.wires?.length) document.wires = wires;
}

/** Sets what is at a pointer, or takes it away. */
function setAt(document: ModelDocument, pointer: string, value: unknown): void {
  const path = tokens(pointer);
  const last = path.pop() ?? '';
  let at: unknown = document;
  for (const token of path) at = (at as Record<string, unknown> | undefined)?.[token];
  if (at === undefined || at === null) return;
  if (Array.isArray(at) && value === null) at.splice(Number(last), 1);
  else if (value === null) Reflect.deleteProperty(at, last);
  else (at as Record<string, unknown>)[last] = value;
}
