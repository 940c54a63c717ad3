/** What a script exports, read from its lines: enough for lenses and links, at every key that is pressed. */
import type { ScriptDocument } from '@engine/document/types';
import type { Catalogue, PluginKind } from '@engine/model/definition';

/** An exported function. */
export interface ExportedFunction {
  name: string;
  script: string;
  /** 1-based */
  line: number;
  /** 1-based column of its name */
  column: number;
  /** type it is declared with, e.g. `ExternalForce`; null where it has none */
  typeName: string | null;
}

const EXPORT =
  /^(\s*export\s+(?:async\s+)?(?:const|let|var|function)\s+)([A-Za-z_$][\w$]*)(?:\s*:\s*([A-Za-z_$][\w$]*))?/;

/** Exported functions and constants of a script, in their order. */
export function exportsOf({ name: script, source }: ScriptDocument): ExportedFunction[] {
  return source.flatMap((text, i) => {
    const match = EXPORT.exec(text);
    if (match === null) return [];
    const [, head = '', name = '', typeName = null] = match;
    return [{ name, script, line: i + 1, column: head.length + 1, typeName }];
  });
}

/** Exported functions of all scripts of functions; of two of one name the later counts, as in a run. */
export function functionsOf(scripts: readonly ScriptDocument[]): ExportedFunction[] {
  const byName = new Map<string, ExportedFunction>();
  for (const script of scripts)
    if (script.role === 'functions') for (const one of exportsOf(script)) byName.set(one.name, one);
  return [...byName.values()];
}

/** The kind a function is declared to be; null where its type is not one of the plug-ins. */
export function outlineKindOf(catalogue: Catalogue | null, typeName: string | null): PluginKind | null {
  if (catalogue === null || typeName === null) return null;
  const kinds = Object.entries(catalogue.plugins).find(([, plugin]) => plugin.typeName === typeName);
  return (kinds?.[0] ?? null) as PluginKind | null;
}
