/**
 * What is known of a document: at once, and once its scripts have been executed and a run of it has been
 * begun.
 */
import type { DocumentIssue, DocumentReport, ModelDocument } from '../document/types';
import { Examination, type ScriptEnvironment } from '../preparation/examination';
import { checkInitialState } from '../preparation/initial-check';
import { checkJacobians } from '../preparation/jacobian-check';
import { reportOf } from '../preparation/report';
import { placesOf } from '../preparation/spatial/compile';
import { expandDocument } from '../preparation/prepare';
import { beginningOf } from '../run/start-refusal';
import { needsBuilder } from '../document/builder-scripts';
import type { BuiltElements } from '../script/builder';

export interface Examined {
  readonly report: DocumentReport;
  /** Executes scripts. @returns what that has shown beside the report */
  check(environment: ScriptEnvironment): DocumentIssue[];
}

/** @param built elements its builder script produced, when that has been run */
export function examine(document: ModelDocument, built: BuiltElements | undefined): Examined {
  const examination = new Examination(document, built);
  return {
    report: reportOf(examination),
    check: (environment) => {
      const issues = [
        ...checkInitialState(examination, environment),
        ...checkJacobians(examination, environment),
      ];
      if (!issues.some(isError)) issues.push(...checkStart(examination, environment));
      return issues;
    },
  };
}

const isError = ({ severity }: DocumentIssue): boolean => severity === 'error';

const endIssue = (message: string): DocumentIssue => ({
  severity: 'warning',
  code: 'end-moves',
  pointer: '/simulation/tEnd',
  message,
  remedy: 'Take an end time that is a whole number of steps behind the start, or another step.',
});

/** What a run of the document would be refused for before its first step, or warned of. */
function checkStart(examination: Examination, environment: ScriptEnvironment): DocumentIssue[] {
  const { document, built } = examination;
  if (built === undefined && needsBuilder(document)) return [];
  const { error, end } = beginningOf(examination, environment);
  if (error === null) return end.map(endIssue);
  const { code, message, where, remedy = '', script } = error;
  const pointer = where === undefined ? undefined : placeOf(where, code, document, built);
  return [
    {
      severity: 'error',
      code,
      pointer: pointer ?? '/simulation',
      ...(where === undefined ? {} : { element: where }),
      message,
      remedy,
      ...(script === undefined ? {} : { script }),
    },
  ];
}

/** A component of several laws is where each of these is; what is wrong with its condition, at its gate. */
function placeOf(
  where: string,
  code: string,
  document: ModelDocument,
  built: BuiltElements | undefined,
): string | undefined {
  const own = placesOf(expandDocument(document, built)).get(where);
  const components = document.components ?? [];
  const place = components.findIndex(({ id }) => where === id || where.startsWith(`${id}.`));
  if (own !== undefined || place < 0) return own;
  const isGate = code === 'presence-unsuitable' && components[place].gate !== undefined;
  return `/components/${place}${isGate ? '/gate' : ''}`;
}
