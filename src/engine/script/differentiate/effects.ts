/** What evaluating an expression changes, as far as the generated code must know. */
import type * as ast from 'acorn';
import type { Analysis } from './analysis/analysis';
import { TESTS } from './analysis/builtins';
import { calleeOf, calledFunctionsOf, mathOf } from './analysis/callees';
import { type FunctionInfo, childrenOf, isFunction, namesIn, staticKey } from '../source/scopes';
import { isArrayLike } from './analysis/values';

const MUTATING: ReadonlySet<string> = new Set(['fill', 'set', 'push', 'pop', 'shift', 'unshift', 'reverse']);
const CALLING_BACK: ReadonlySet<string> = new Set([
  'map',
  'forEach',
  'reduce',
  'every',
  'some',
  'findIndex',
  'from',
]);

/** Answers about nodes, by analysis: an expression is asked about once for each expression around it. */
type Answers = WeakMap<Analysis, Map<ast.AnyNode, boolean>>;

function remember(answers: Answers, analysis: Analysis, node: ast.AnyNode, find: () => boolean): boolean {
  const known = answers.get(analysis) ?? new Map<ast.AnyNode, boolean>();
  answers.set(analysis, known);
  let answer = known.get(node);
  if (answer === undefined) {
    answer = find();
    known.set(node, answer);
  }
  return answer;
}

const changes: Answers = new WeakMap();

/** Whether anything evaluated inside may change a variable or object. For an analysis that has ended. */
export const mayChange = (analysis: Analysis, node: ast.AnyNode): boolean =>
  remember(changes, analysis, node, () => findChange(analysis, node));

function findChange(analysis: Analysis, node: ast.AnyNode): boolean {
  if (isFunction(node)) return false;
  if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression') return true;
  if (node.type === 'CallExpression') {
    const { callee } = calleeOf(node);
    const name = analysis.globalName(callee);
    const isPure =
      (name !== null && (TESTS.has(name) || name.startsWith('Math.'))) ||
      mathOf(analysis.at(callee)) !== null;
    if (!isPure) return true;
  }
  if (node.type === 'UnaryExpression' && node.operator === 'delete') return true;
  if (node.type === 'NewExpression') return true;
  return childrenOf(node).some((child) => mayChange(analysis, child));
}

const isTargetShadowed = (analysis: Analysis, target: ast.AnyNode): boolean => {
  if (target.type === 'Identifier') {
    const binding = analysis.bindingOf(target);
    return binding !== undefined && analysis.store.variable(binding).isShadowed;
  }
  if (target.type === 'MemberExpression') return analysis.at(target.object).isShadowed;
  return target.type === 'ParenthesizedExpression' && isTargetShadowed(analysis, target.expression);
};

/** Functions whose calls change shadows that their callers can see, by analysis. */
const writerSets = new WeakMap<Analysis, Set<FunctionInfo>>();

/** They are found by going round until no function is added, because functions may call each other. */
function writersOf(analysis: Analysis): ReadonlySet<FunctionInfo> {
  const known = writerSets.get(analysis);
  if (known !== undefined) return known;
  const found = new Set<FunctionInfo>();
  writerSets.set(analysis, found);
  let size: number;
  do {
    size = found.size;
    for (const info of analysis.facts.keys()) {
      if (!found.has(info) && findShadowChange(analysis, info.node.body, info)) found.add(info);
    }
  } while (found.size > size);
  return found;
}

const writes = (analysis: Analysis, info: FunctionInfo): boolean => writersOf(analysis).has(info);

const shadowChanges: Answers = new WeakMap();

/** Whether evaluating a node changes a shadow. For an analysis that has ended. */
export const changesShadows = (analysis: Analysis, node: ast.AnyNode): boolean =>
  remember(shadowChanges, analysis, node, () => findShadowChange(analysis, node, null));

/** @param inside the function whose body the node stands in, when only what its caller can see matters */
function findShadowChange(analysis: Analysis, node: ast.AnyNode, inside: FunctionInfo | null): boolean {
  if (isFunction(node)) return false;
  switch (node.type) {
    case 'AssignmentExpression':
      if (changesTarget(analysis, node.left, inside)) return true;
      break;
    case 'UpdateExpression':
      if (changesTarget(analysis, node.argument, inside)) return true;
      break;
    case 'CallExpression':
      if (callChangesShadows(analysis, node)) return true;
      break;
    default:
  }
  return childrenOf(node).some((child) =>
    inside === null ? changesShadows(analysis, child) : findShadowChange(analysis, child, inside),
  );
}

function changesTarget(analysis: Analysis, target: ast.AnyNode, inside: FunctionInfo | null): boolean {
  if (target.type === 'ArrayPattern' || target.type === 'ObjectPattern') {
    return childrenOf(target).length > 0 && patternChanges(analysis, target, inside);
  }
  if (!isTargetShadowed(analysis, target)) return false;
  return target.type !== 'Identifier' || !isOwn(analysis, target, inside);
}

const isOwn = (analysis: Analysis, name: ast.Identifier, inside: FunctionInfo | null): boolean =>
  inside !== null && analysis.bindingOf(name)?.owner === inside;

function patternChanges(analysis: Analysis, pattern: ast.Pattern, inside: FunctionInfo | null): boolean {
  const hasMembers = (node: ast.AnyNode): boolean =>
    node.type === 'MemberExpression' || childrenOf(node).some(hasMembers);
  return (
    hasMembers(pattern) ||
    namesIn(pattern).some((name) => isTargetShadowed(analysis, name) && !isOwn(analysis, name, inside))
  );
}

function callChangesShadows(analysis: Analysis, node: ast.CallExpression): boolean {
  const { callee, inputs } = calleeOf(node);
  const isDual =
    analysis.at(node).isShadowed || [callee, ...inputs].some((part) => analysis.at(part).isShadowed);
  if (callee.type === 'MemberExpression') {
    const name = staticKey(callee);
    const receiver = analysis.at(callee.object);
    if (name !== null && [...receiver.objects].some(isArrayLike)) {
      if (MUTATING.has(name) && receiver.isShadowed) return true;
    }
    if (name !== null && CALLING_BACK.has(name)) {
      return inputs.some((input) =>
        (calledFunctionsOf(analysis.at(input)) ?? []).some((info) => writes(analysis, info)),
      );
    }
  }
  const functions = calledFunctionsOf(analysis.at(callee));
  return isDual && functions !== null && functions.some((info) => writes(analysis, info));
}
