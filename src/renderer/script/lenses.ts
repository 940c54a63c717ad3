/**
 * What stands above the exported functions of a script: who uses them, and what they cost. Knows no editor.
 */
import type { RunProfile } from '@contract/methods';
import type { ScriptDocument } from '@engine/document/types';
import { text } from '../i18n';
import { figuresText } from './figures';
import { exportsOf } from './outline';
import type { FunctionUse } from './usages';

/** Something above a line; without a command it is only read. */
export interface Lens {
  /** 1-based */
  line: number;
  title: string;
  command: { id: 'select' | 'assign' | 'create'; argument: string } | null;
}

/**
 * Functions of a script that are told to be unused, at most: of a text that a program has written most are,
 * and the editor lays out all that stands above lines at once.
 */
const MOST_UNUSED = 300;

/** Uses that are named; more are counted. */
const NAMED_USES = 4;

const useText = ({ element, field, isObservable }: FunctionUse): string =>
  isObservable ? element : text('scripting.use', { element, field });

/** “ball (External force), contact1 (h) and 3 more” */
export function usesText(uses: readonly FunctionUse[]): string {
  const named = uses.slice(0, NAMED_USES).map(useText).join(', ');
  const more = uses.length - NAMED_USES;
  return more > 0 ? text('scripting.moreUses', { uses: named, number: more }) : named;
}

/**
 * @param missing functions that elements name and no script exports
 * @param profile what has been measured of a run of this document
 */
export function lensesOf(
  script: ScriptDocument,
  uses: ReadonlyMap<string, readonly FunctionUse[]>,
  missing: readonly string[],
  profile: RunProfile | null,
): Lens[] {
  if (script.role === 'builder') return [];
  const create = missing.map((name): Lens => ({
    line: 1,
    title: text('scripting.create', { name }),
    command: { id: 'create', argument: name },
  }));
  const exported = exportsOf(script);
  const tellsUnused = exported.length <= MOST_UNUSED;
  const above = exported.flatMap(({ name, line, typeName }): Lens[] => {
    const known = uses.get(name) ?? [];
    const costs = (profile?.functions ?? []).filter((cost) => cost.function === name);
    const measured = costs.map((cost): Lens => {
      const figures = figuresText(cost);
      const title = cost.isDerivative ? text('scripting.derivative', { figures }) : figures;
      return { line, title, command: null };
    });
    if (known.length === 0 && !tellsUnused) return measured;
    if (known.length === 0) {
      const title = text('scripting.unused');
      const assign: Lens = {
        line,
        title: text('scripting.assign'),
        command: { id: 'assign', argument: name },
      };
      return [{ line, title, command: null }, ...(typeName === null ? [] : [assign]), ...measured];
    }
    const first: Lens = {
      line,
      title: text('scripting.usedBy', { uses: usesText(known) }),
      command: { id: 'select', argument: name },
    };
    return [first, ...measured];
  });
  return [...create, ...above];
}
