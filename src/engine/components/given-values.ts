/**
 * Defects of fields in sub-models whose values instances have given are defects of these values, and what is
 * wrong with all members of an array alike is said once.
 */
import { expressionNames } from '../document/expressions';
import type { DocumentIssue, SubmodelDocument } from '../document/types';
import type { Givers } from './flatten';

const FIELD = /^\/submodels\/(\d+)\/components\/(\d+)\/(\w+)$/;

/**
 * @param givers of the components, by their paths
 * @param first of the issues that are looked at; those that are said already are taken out
 */
export function locateGiven(
  issues: DocumentIssue[],
  first: number,
  submodels: readonly SubmodelDocument[],
  givers: ReadonlyMap<string, Givers>,
): void {
  const seen = new Set<string>();
  const kept = issues.slice(first).filter((issue) => {
    const place = giverOf(issue, submodels, givers.get(issue.element ?? ''));
    if (place !== null) {
      issue.pointer = place;
      delete issue.mends;
    }
    if (issue.severity !== 'error' || !(place !== null || FIELD.test(issue.pointer))) return true;
    const key = `${issue.pointer} ${issue.code}`;
    return seen.size < seen.add(key).size;
  });
  issues.splice(first, issues.length - first, ...kept);
}

/** Where the first of the parameters of a field has its value; null where that is in the sub-model. */
function giverOf(
  { pointer }: DocumentIssue,
  submodels: readonly SubmodelDocument[],
  givers: Givers | undefined,
): string | null {
  const found = FIELD.exec(pointer);
  if (found === null || givers === undefined) return null;
  const [, at, k, key] = found;
  const text = submodels[Number(at)]?.components[Number(k)]?.[key];
  if (typeof text !== 'string') return null;
  return namesIn(text).flatMap((name) => givers.get(name) ?? [])[0] ?? null;
}

function namesIn(text: string): string[] {
  try {
    return expressionNames(text);
  } catch {
    return [];
  }
}
