/**
 * Builder scripts: a function that adds systems and interactions to the model in a loop. It speaks the language of the
 * document, so what it builds is validated by the same schema and the same rules.
 *
 *     export default (model: ModelBuilder, p: Parameters) => { model.system({ … }); model.interaction({ … }); };
 */
import { EngineError, type EngineErrorDetails } from '../errors';
import { evaluateParameters } from '../document/parameters';
import { MAX_ELEMENTS } from '../document/structure';
import type { Expression, InteractionDocument, ModelDocument, SystemDocument } from '../document/types';
import type { ScriptSandbox } from './sandbox';
import { transpileScript } from './transpile';

export interface BuiltElements {
  systems: SystemDocument[];
  interactions: InteractionDocument[];
}

export type BuilderResult = { ok: true; built: BuiltElements } | { ok: false; error: EngineErrorDetails };

/** Whether a builder script takes part in the model. */
export function needsBuilder(document: ModelDocument): boolean {
  // Of a document with defects this section may be missing, or hold anything.
  const scripts: unknown = document.scripts;
  const isBuilder = (script: unknown): boolean =>
    typeof script === 'object' && script !== null && 'role' in script && script.role === 'builder';
  return Array.isArray(scripts) && scripts.some(isBuilder);
}

/**
 * Plain copy of what a script handed over: data properties only, so that no accessor or prototype of the script's
 * making is ever touched again.
 */
function plainCopy(value: unknown, what: string): Record<string, unknown> {
  const text = JSON.stringify(value) as string | undefined;
  const copy: unknown = text === undefined ? undefined : JSON.parse(text);
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) {
    throw new TypeError(`model.${what} expects an object such as the one the document holds`);
  }
  return copy as Record<string, unknown>;
}

/** Runs all builder scripts of the document, in their order. Never throws for what a script does. */
export function runBuilder(
  document: ModelDocument,
  sandbox: ScriptSandbox,
  overrides: Readonly<Record<string, Expression>> = {},
): BuilderResult {
  const built: BuiltElements = { systems: [], interactions: [] };
  const { values } = evaluateParameters(document.parameters, overrides);
  const parameters = Object.freeze({ ...values });
  const add = (list: object[], what: string, value: unknown): void => {
    if (list.length >= MAX_ELEMENTS) throw new RangeError(`a model has at most ${MAX_ELEMENTS} ${what}s`);
    list.push(plainCopy(value, what));
  };
  const model = Object.freeze({
    system: (value: unknown) => {
      add(built.systems, 'system', value);
    },
    interaction: (value: unknown) => {
      add(built.interactions, 'interaction', value);
    },
  });
  for (const [i, script] of document.scripts.entries()) {
    if (script.role !== 'builder') continue;
    const transpiled = transpileScript(script, i);
    if (!transpiled.ok) {
      const { code, message, remedy, script: place } = transpiled.issue;
      return {
        ok: false,
        error: {
          code,
          message,
          remedy,
          where: script.name,
          ...(place === undefined ? {} : { script: place }),
        },
      };
    }
    try {
      const build = sandbox.evaluate(transpiled.script).default;
      if (typeof build !== 'function') {
        throw new EngineError({
          code: 'builder-without-function',
          message: `The builder script “${script.name}” has no default export.`,
          where: script.name,
          remedy: 'Start it with “export default (model: ModelBuilder, p: Parameters) => { … }”.',
          script: { name: script.name, line: 1, column: 1 },
        });
      }
      (build as (model: object, p: object) => void)(model, parameters);
    } catch (error) {
      return { ok: false, error: sandbox.explain(error, { element: script.name }).details };
    }
  }
  return { ok: true, built };
}
