/** What is known of a document without running it: the live feedback of every view. Executes no script. */
import type { DocumentIssue, DocumentReport, ModelDocument } from '../document/types';
import type { BuiltElements } from '../script/builder';
import { transpileScript } from '../script/transpile';
import { generateTypings } from '../script/typings';
import { prepare, selectSignals } from './prepare';

const placeholder = (): undefined => undefined;

/** Reads the scripts for their exports; defects become issues. */
function inspectScripts(document: ModelDocument): {
  issues: DocumentIssue[];
  exports: Record<string, string[]>;
  functionNames: string[];
} {
  const issues: DocumentIssue[] = [];
  const exports: Record<string, string[]> = {};
  const functionNames: string[] = [];
  document.scripts.forEach((script, i) => {
    if (!Array.isArray(script.source) || !script.source.every((line) => typeof line === 'string')) return;
    const result = transpileScript(script, i);
    if (!result.ok) {
      issues.push(result.issue);
      return;
    }
    exports[script.name] = result.script.exports;
    if (script.role === 'functions')
      functionNames.push(...result.script.exports.filter((name) => name !== 'default'));
  });
  return { issues, exports, functionNames };
}

/**
 * Validates a document and says what a run of it would record.
 * @param built elements its builder script produced, when that has been run
 */
export function reportDocument(document: ModelDocument, built?: BuiltElements): DocumentReport {
  const scripts = inspectScripts(document);
  const known = new Set(scripts.functionNames);
  const broken = scripts.issues.length > 0;
  const preparation = prepare(document, {
    // While a script cannot be read its functions are unknown, which is one defect and not one for each use.
    functions: (name) => (broken || known.has(name) ? placeholder : null),
    functionNames: scripts.functionNames,
    built,
  });
  const issues = [...scripts.issues, ...preparation.issues];
  const { prepared } = preparation;
  const signals =
    prepared === null || broken
      ? []
      : selectSignals(prepared.layout, document.simulation.recording?.signals).selected.map(
          (i) => prepared.layout.signals[i],
        );
  return {
    issues,
    parameters: preparation.parameters,
    values: preparation.values,
    signals,
    exports: scripts.exports,
    typings: generateTypings(document),
    ...(built === undefined ? {} : { built }),
  };
}
