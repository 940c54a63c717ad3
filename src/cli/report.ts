/** Failures and defects as lines for people. */
import { MoreauError, type RemoteError } from '@contract/errors';
import type { DocumentIssue } from '@engine/document/types';
import { diskFullError } from '@main/files/file-errors';
import { UsageError } from './command';

/** A failure with its place and remedy. */
export function failureText(error: RemoteError): string {
  const place = [
    ...(error.where === undefined || error.where === '' ? [] : [`at ${error.where}`]),
    ...(error.script === undefined
      ? []
      : [`in script ${error.script.name}, line ${error.script.line}, column ${error.script.column}`]),
    ...(error.time === undefined ? [] : [`at t = ${error.time} s`]),
  ].join(', ');
  return [
    `moreau: ${error.message}${place === '' ? '' : ` (${place})`}`,
    ...(error.remedy === undefined ? [] : [`  ${error.remedy}`]),
    '',
  ].join('\n');
}

/** A defect of a document: severity, pointer, element, sentence, remedy. */
export function issueText(issue: DocumentIssue): string {
  const element = issue.element === undefined ? '' : ` (${issue.element})`;
  const script =
    issue.script === undefined
      ? ''
      : `, script ${issue.script.name}, line ${issue.script.line}, column ${issue.script.column}`;
  const ways = (issue.mends ?? []).map(({ label }) => `  · ${label}\n`).join('');
  return `${issue.severity}: ${issue.pointer || '/'}${element}${script}: ${issue.message}\n  ${issue.remedy}\n${ways}`;
}

/** Anything thrown, as details. */
export function detailsOf(error: unknown): RemoteError {
  if (error instanceof MoreauError) return error.details;
  const full = diskFullError(error);
  if (full !== null) return full.details;
  if (error instanceof UsageError) return { code: 'invalid-arguments', message: error.message };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}
