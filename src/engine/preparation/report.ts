/** What is known of a document without running it: the live feedback of every view. Executes no script. */
import type { DocumentReport, ModelDocument } from '../document/types';
import type { BuiltElements } from '../script/builder';
import { FunctionScripts } from '../script/function-scripts';
import { generateTypings } from '../script/typings';
import { prepare, selectSignals } from './prepare';
import { sceneOf } from './spatial/scene-of';

/**
 * Validates a document and says what a run of it would record.
 * @param built elements its builder script produced, when that has been run
 */
export function reportDocument(document: ModelDocument, built?: BuiltElements): DocumentReport {
  const scripts = new FunctionScripts(document);
  const preparation = prepare(document, {
    functions: scripts.functions,
    functionNames: scripts.functionNames,
    check: scripts.check,
    derivatives: scripts.request,
    built,
  });
  const issues = [...scripts.issues, ...preparation.issues];
  const { prepared } = preparation;
  const broken = scripts.issues.length > 0;
  const signals =
    prepared === null || broken
      ? []
      : selectSignals(prepared.layout, document.simulation.recording?.signals).selected.map(
          (i) => prepared.layout.signals[i],
        );
  const scene = prepared === null || broken ? null : sceneOf(prepared);
  return {
    issues,
    parameters: preparation.parameters,
    values: preparation.values,
    signals,
    exports: scripts.exports,
    typings: generateTypings(document, {
      parameters: preparation.parameters,
      functions: scripts.functionNames,
      ...(prepared === null ? {} : { sizes: prepared.layout.systemPlaces }),
    }),
    ...(scene === null ? {} : { scene }),
    ...(built === undefined ? {} : { built }),
  };
}
