/**
 * From the TypeScript of the script pane to the JavaScript the sandbox evaluates: types stripped, exports
 * collected, lines kept, so that an error's line is the line the user sees.
 */
import { transform } from 'sucrase';
import type { DocumentIssue, ScriptDocument } from '../document/types';
import type { ScriptPlace } from '../errors';
import { type TypedNode, dynamicImport, readTyped, refusedImport } from './checks/typed-source';

/* Places in the text of several scripts that are written out as one. */

/** Lines that one script has in the text of several. */
export interface ScriptPart {
  readonly name: string;
  /** position of the script in the document */
  readonly index: number;
  /** lines before it */
  readonly before: number;
  readonly source: string;
}

/** The place the user knows, of one in the text of several scripts. Lines and columns from 1. */
export function placeIn(
  { name, parts }: { readonly name: string; readonly parts?: readonly ScriptPart[] },
  line: number,
  column: number,
): ScriptPlace {
  const part = parts?.findLast(({ before }) => before < line);
  return part === undefined ? { name, line, column } : { name: part.name, line: line - part.before, column };
}

export interface TranspiledScript {
  name: string;
  /** body of a function (exports, …) => void */
  code: string;
  /** names it exports */
  exports: string[];
  /** what the user wrote; absent where code is generated */
  source?: string;
  /** for each line of `code` the line of the user's source; absent when they are the same */
  lines?: readonly number[];
  /** of several scripts in one, where each has its lines; see `link.ts` */
  parts?: readonly ScriptPart[];
  /** variables through which appended derivatives hand on results; see `differentiate/` */
  channels?: readonly string[];
}

/** Larger scripts are data, and belong into parameters. */
export const MAX_SCRIPT_LENGTH = 1_000_000;

interface Defect {
  code: string;
  message: string;
  remedy: string;
  line: number;
  column: number;
}

const FORBIDDEN: readonly { pattern: RegExp; code: string; message: string; remedy: string }[] = [
  {
    // The sandbox refuses this text anywhere, also in comments, because it cannot tell them apart.
    pattern: /\bimport\s*\(/,
    code: 'script-dynamic-import',
    message: 'Scripts cannot load modules: “import(” is refused, also in comments.',
    remedy: 'Put the code into this script, or import it by name from another script of the model.',
  },
  {
    pattern: /<!--|-->/,
    code: 'script-html-comment',
    message: 'The character sequences “<!--” and “-->” are refused: JavaScript may read them as comments.',
    remedy: 'Write “i-- > 0” with a space, or another comparison.',
  },
];

const DYNAMIC_IMPORT = FORBIDDEN[0];

const REFUSED_IMPORT = {
  code: 'script-import',
  message: 'Scripts import functions by name, from other scripts of the model, and nothing else.',
  remedy:
    'Write “import { f } from "./other"” for the script other.ts. The types of the workbench are there without an import.',
};

/** Imports that are none between scripts of a model; `link.ts` writes out those that are. */
function importDefect(program: TypedNode, source: string): Defect | null {
  const dynamic = dynamicImport(program);
  const node = dynamic ?? refusedImport(program, source);
  if (node === null) return null;
  const { code, message, remedy } = dynamic === null ? REFUSED_IMPORT : DYNAMIC_IMPORT;
  const { line, column } = node.loc.start;
  return { code, message, remedy, line, column: column + 1 };
}

function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

function forbidden(text: string): Defect | null {
  for (const { pattern, code, message, remedy } of FORBIDDEN) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const lead = match[0].length - match[0].trimStart().length;
    return { code, message, remedy, ...placeAt(text, match.index + lead) };
  }
  return null;
}

function syntaxDefect(error: unknown): Defect {
  const raw = error instanceof Error ? error.message : String(error);
  const place = /\((\d+):(\d+)\)\s*$/.exec(raw);
  const text = raw.replace(/^Error transforming [^:]*:\s*/, '').replace(/\s*\(\d+:\d+\)\s*$/, '');
  return {
    code: 'script-syntax',
    message: `The script cannot be read: ${text}.`,
    remedy: 'Correct the syntax at this place.',
    line: place === null ? 1 : Number(place[1]),
    column: place === null ? 1 : Number(place[2]),
  };
}

const stripTypes = (source: string): string =>
  transform(source, {
    transforms: ['typescript', 'imports'],
    production: true,
    preserveDynamicImport: true,
    // The sandbox speaks the language of the year: `a ?? b` stays what it is, fast and differentiable.
    disableESTransforms: true,
  }).code;

/** `(a, b): T => {` and `a => {`, whose bodies the parser reads on trial */
const ARROW_WITH_BODY = /(?:\(([^()]*)\)|\b([A-Za-z_$][\w$]*))(\s*(?::[^=(){};]*)?=>\s*)\{/g;

/**
 * The defect of a script that cannot be read, at its own place. On a defect inside the body of an arrow
 * function the parser gives up the arrow and complains about that; of a function expression there is only one
 * reading, so the same text with `function` in place of arrows tells where the defect is.
 */
function locate(source: string, error: unknown): Defect {
  const first = syntaxDefect(error);
  const withFunction = (_: string, list: string | undefined, single: string, arrow: string): string =>
    `function (${list ?? single}${'\n'.repeat(arrow.split('\n').length - 1)}) {`;
  const plain = source.replace(ARROW_WITH_BODY, withFunction);
  try {
    stripTypes(plain);
    return first;
  } catch (second) {
    const inner = syntaxDefect(second);
    return inner.line > first.line ? inner : first;
  }
}

/**
 * Transpiles one script.
 * @returns the code, and the tree of what is written where it can be had; or the first defect with its place
 */
export function transpileScript(
  script: ScriptDocument,
  index: number,
): { ok: true; script: TranspiledScript; typed: TypedNode | null } | { ok: false; issue: DocumentIssue } {
  const source = script.source.join('\n');
  const fail = (defect: Defect): { ok: false; issue: DocumentIssue } => ({
    ok: false,
    issue: {
      severity: 'error',
      code: defect.code,
      pointer: `/scripts/${index}/source/${Math.max(0, defect.line - 1)}`,
      element: script.name,
      message: defect.message,
      remedy: defect.remedy,
      script: { name: script.name, line: defect.line, column: defect.column },
    },
  });
  if (source.length > MAX_SCRIPT_LENGTH) {
    return fail({
      code: 'script-too-long',
      message: `The script has ${source.length} characters; at most ${MAX_SCRIPT_LENGTH} are supported.`,
      remedy: 'Divide it.',
      line: 1,
      column: 1,
    });
  }
  const refused = forbidden(source);
  if (refused !== null) return fail(refused);
  try {
    const code = stripTypes(source);
    const typed = readTyped(source);
    const outside = typed === null ? null : importDefect(typed, source);
    if (outside !== null) return fail(outside);
    const names = new Set<string>();
    for (const match of code.matchAll(/\bexports\.\s*([A-Za-z_$][\w$]*)\s*=/g)) names.add(match[1]);
    return { ok: true, script: { name: script.name, code, exports: [...names], source }, typed };
  } catch (error) {
    return fail(locate(source, error));
  }
}
