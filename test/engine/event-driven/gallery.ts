/**
 * Models of the gallery as the document builds them, scripts and all, for simulations from event to event.
 */
import { readFileSync } from 'node:fs';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { EventDriven } from '@engine/event-driven/event-driven';
import type { EventDrivenSettings } from '@engine/event-driven/settings';
import { FunctionScripts } from '@engine/script/function-scripts';
import { createSandbox } from '@engine/script/sandbox';
import { prepare, type PreparedModel } from '@engine/preparation/prepare';

/** @param set parameters other than those of the document */
export function prepareExample(name: string, set: Readonly<Record<string, number>> = {}): PreparedModel {
  const path = new URL(`../../../resources/examples/${name}.moreau.json`, import.meta.url);
  const { document } = readDocument(readFileSync(path, 'utf8'));
  if (document === null) throw new Error(`${name} cannot be opened`);
  return prepareDocument(document, set);
}

/** A document as a run prepares it. @throws {Error} when it has defects */
export function prepareDocument(
  document: ModelDocument,
  set: Readonly<Record<string, number>> = {},
): PreparedModel {
  const scripts = new FunctionScripts(document);
  const { functionNames, analytic } = scripts;
  const options = { functionNames, analytic, set };
  prepare(document, { ...options, functions: scripts.functions, derivatives: scripts.request });
  const functions = document.scripts.length > 0 ? scripts.evaluate(createSandbox()) : null;
  const { prepared, issues } = prepare(document, {
    ...options,
    functions: functions?.functions ?? scripts.functions,
    derivatives: functions?.derivatives ?? scripts.request,
  });
  if (prepared === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return prepared;
}

export const simulateExample = (
  { model, layout }: PreparedModel,
  settings: Partial<EventDrivenSettings>,
): EventDriven => new EventDriven(model, layout, { t0: 0, tEnd: 1, h: 1e-3, ...settings });
