/**
 * A call that failed, made once more with a script that tells of every value it assigns: which statement was
 * the first to give a value that is not finite, and what its variables held. The script that runs knows
 * nothing of this.
 */
import { parse } from 'acorn';
import type * as ast from 'acorn';
import type { ScriptPlace } from '../errors';
import { type KeptArgument, valueText } from '../model/plugin';
import type { PluginArgument } from '../model/plugin-signatures';
import { childrenOf, isFunction } from './source/scopes';
import { lineAt, scriptText } from './differentiate/refusal';
import type { ScriptSandbox } from './sandbox';
import { type TranspiledScript, placeIn } from './transpile';

/** What a repeated call has shown. */
export interface Trace {
  /**
   * the first statement whose value is not finite, or that reached beyond an array; null where there is none
   */
  readonly place: ScriptPlace | null;
  readonly statement: string | null;
  /** `q[2] was read, but q has 2 entries`; null where no array was left */
  readonly reach: string | null;
  /** variables of the function, with the value each was given last */
  readonly locals: readonly { readonly name: string; readonly value: string }[];
}

/** Name under which an instrumented script reports values; of no use to a script, which cannot know of it. */
const PROBE = '$probe';
/** Variables that are shown. */
const MOST_LOCALS = 16;
/** Longest statement that is quoted, characters. */
const MOST_TEXT = 80;

/** A place in the code whose value is reported. */
interface Site {
  readonly offset: number;
  readonly text: string;
  /** variable it is assigned to; null where it is none */
  readonly name: string | null;
  /** written as a value that is not finite, so that this is what its author wants */
  readonly isMeant: boolean;
}

const isMeant = (text: string): boolean => /^[-+(\s]*(?:Number\.\w+|Infinity|NaN)[)\s]*$/.test(text);

/** Places whose values are reported: what is assigned and what is returned. */
function sitesOf(code: string, program: ast.Program): { site: Site; start: number; end: number }[] {
  const found: { site: Site; start: number; end: number }[] = [];
  const add = (
    value: ast.AnyNode,
    statement: ast.AnyNode,
    name: string | null,
    given: ast.AnyNode = value,
  ): void => {
    const text = code.slice(statement.start, statement.end).replaceAll(/\s+/g, ' ');
    const site = {
      offset: statement.start,
      text: text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text,
      name,
      isMeant: isMeant(code.slice(given.start, given.end)),
    };
    found.push({ site, start: value.start, end: value.end });
  };
  const visit = (node: ast.AnyNode): void => {
    if (
      node.type === 'VariableDeclarator' &&
      node.init &&
      node.id.type === 'Identifier' &&
      !isFunction(node.init)
    )
      add(node.init, node, node.id.name);
    else if (node.type === 'AssignmentExpression' && !isFunction(node.right))
      add(node, node, node.left.type === 'Identifier' ? node.left.name : null, node.right);
    else if (node.type === 'ReturnStatement' && node.argument) add(node.argument, node, null);
    else if (node.type === 'ArrowFunctionExpression' && node.expression) add(node.body, node.body, null);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return found;
}

/** The code with every such value handed to the probe; lines stay where they are. */
function instrument(code: string): { code: string; sites: Site[] } {
  const program = parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'script',
    allowReturnOutsideFunction: true,
  });
  const found = sitesOf(code, program);
  const insertions = found.flatMap(({ start, end }, i) => [
    { at: start, order: end, text: `${PROBE}(${i}, (`, opens: true },
    { at: end, order: start, text: '))', opens: false },
  ]);
  // Of several at one place, ends come before beginnings, and what encloses more opens first and closes last.
  insertions.sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens) || b.order - a.order);
  let written = '';
  let from = 0;
  for (const { at, text } of insertions) {
    written += code.slice(from, at) + text;
    from = at;
  }
  return { code: written + code.slice(from), sites: found.map(({ site }) => site) };
}

const isIndex = (key: string | symbol): key is string =>
  typeof key === 'string' && /^(?:0|[1-9]\d*)$/.test(key);

/** The vector as a script sees it, with a word on every entry asked for that it does not have. */
function guarded(
  vector: Float64Array,
  onReach: (index: string, what: 'read' | 'written') => void,
): Float64Array {
  return new Proxy(vector, {
    get(target, key) {
      if (isIndex(key) && Number(key) >= target.length) onReach(key, 'read');
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
    set(target, key, value) {
      if (isIndex(key) && Number(key) >= target.length) onReach(key, 'written');
      return Reflect.set(target, key, value, target);
    },
  });
}

const shownLocal = (value: unknown): string | null => {
  if (typeof value === 'number') return valueText(value);
  if (typeof value === 'boolean') return String(value);
  const isVector = Array.isArray(value)
    ? value.every((entry) => typeof entry === 'number')
    : ArrayBuffer.isView(value);
  return isVector ? valueText(value) : null;
};

/** 1-based column at which the text stands in the line that the user wrote; 1 where types changed it. */
function columnIn(source: string | undefined, line: number, text: string): number {
  const head = text.split(/\s*[-+*/]?=/)[0];
  const at = (source?.split('\n')[line - 1] ?? '').indexOf(head);
  return at < 0 ? 1 : at + 1;
}

/**
 * @param parameters of the plug-in kind
 * @param values in the same order
 * @returns null where the call cannot be repeated
 */
export function traceCall(
  script: TranspiledScript,
  name: string,
  {
    parameters,
    values,
    p,
  }: { parameters: readonly PluginArgument[]; values: readonly KeptArgument[]; p: object },
  sandbox: ScriptSandbox,
): Trace | null {
  let first: { site: Site; value: number } | null = null;
  let reach: { text: string; place: ScriptPlace | null } | null = null;
  let isActive = false;
  const locals = new Map<string, string>();
  const { code, sites } = instrument(script.code);
  const probe = (i: number, value: unknown): unknown => {
    if (!isActive) return value;
    const site = sites[i];
    if (site.name !== null) {
      const shown = shownLocal(value);
      if (shown !== null) locals.set(site.name, shown);
    }
    if (typeof value !== 'number' || Number.isFinite(value) || site.isMeant) return value;
    // A NaN tells more than an infinity, with which a search for the smallest may have begun.
    if (first === null || (Number.isNaN(value) && !Number.isNaN(first.value))) first = { site, value };
    return value;
  };
  try {
    const call = sandbox.evaluate({ ...script, code }, { [PROBE]: probe })[name];
    if (typeof call !== 'function') return null;
    const args = parameters.map((argument, i) => {
      if (argument === 'p') return p;
      const value = values[i];
      if (typeof value === 'number') return value;
      const length = value.length;
      return guarded(value.slice(), (index, what) => {
        const text = `${argument}[${index}] was ${what}, but ${argument} has ${length} ${length === 1 ? 'entry' : 'entries'}`;
        reach ??= { text, place: sandbox.placeOf(new Error(text)) ?? null };
      });
    });
    isActive = true;
    (call as (...args: unknown[]) => unknown)(...args);
  } catch {
    // The failure is known; what led to it is what was asked for.
  }
  return traceOf(script, first, reach, locals);
}

function traceOf(
  script: TranspiledScript,
  first: { site: Site; value: number } | null,
  reach: { text: string; place: ScriptPlace | null } | null,
  locals: ReadonlyMap<string, string>,
): Trace {
  const shown = [...locals].slice(-MOST_LOCALS).map(([name, value]) => ({ name, value }));
  const left = { reach: reach?.text ?? null, locals: shown };
  if (first === null) {
    const place = reach?.place ?? null;
    return { ...left, statement: null, place: place === null ? null : { ...place, column: 1 } };
  }
  const { site, value } = first;
  const read = lineAt(scriptText(script.code), site.offset);
  const line = script.lines?.[read - 1] ?? read;
  return {
    ...left,
    place: placeIn(script, line, columnIn(script.source, line, site.text)),
    statement: `${site.text} gives ${value}`,
  };
}

/** Where a function is exported in a script, 1-based; null where that cannot be told. */
export function exportPlace(script: TranspiledScript, name: string): ScriptPlace | null {
  const { source, code } = script;
  const escaped = name.replaceAll('$', '\\$');
  const declared = new RegExp(`export\\s+(?:async\\s+)?(?:const|let|var|function)\\s+(${escaped})(?![\\w$])`);
  const lines = (source ?? code).split('\n');
  for (const [i, line] of lines.entries()) {
    const match = declared.exec(line);
    if (match !== null) return placeIn(script, i + 1, match.index + match[0].length - name.length + 1);
  }
  return null;
}
