/** What a call calls. */
import type * as ast from 'acorn';
import type { Analysis } from './analysis';
import { type FunctionInfo, staticKey } from '../../source/scopes';
import type { Value } from './values';

/** A callee written `f.call(undefined, …)`, as the transpiler writes calls of exported functions. */
function exportedCallee(node: ast.CallExpression): ast.MemberExpression | null {
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || staticKey(callee) !== 'call') return null;
  const { object } = callee;
  const isExport =
    object.type === 'MemberExpression' &&
    object.object.type === 'Identifier' &&
    object.object.name === 'exports';
  const first = node.arguments.at(0);
  return isExport && first?.type === 'UnaryExpression' && first.operator === 'void' ? object : null;
}

/** Callee and arguments of a call as the user wrote it. */
export function calleeOf(node: ast.CallExpression): {
  callee: ast.AnyNode;
  inputs: (ast.Expression | ast.SpreadElement)[];
} {
  const exported = exportedCallee(node);
  return exported === null
    ? { callee: node.callee, inputs: node.arguments }
    : { callee: exported, inputs: node.arguments.slice(1) };
}

/**
 * The functions of the script a value may be; null when it may also be anything else, or is nothing known.
 */
export function calledFunctionsOf(value: Value): FunctionInfo[] | null {
  const found: FunctionInfo[] = [];
  for (const { info } of value.objects) {
    if (info === null) return null;
    found.push(info);
  }
  return found.length === 0 ? null : found;
}

/** The one function of Math a value is. */
export function mathOf(value: Value): string | null {
  const [thing] = value.objects;
  return value.objects.size === 1 && thing.kind === 'builtin' ? thing.builtin.slice('Math.'.length) : null;
}

/** Console output of a derivative would come once for each sweep: it is left out. */
export const isConsole = (analysis: Analysis, callee: ast.AnyNode): boolean =>
  analysis.globalName(callee)?.startsWith('console.') ?? false;
