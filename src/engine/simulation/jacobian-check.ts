/**
 * Jacobians that a model gives, compared with those that would be derived. This executes its scripts, which the report
 * itself does not: it is asked for apart, where scripts that do not end can be ended.
 *
 * A difference is reported when it shows at one of the points near the initial state. One that shows at the initial
 * state alone belongs to a kink there, at which either value is right.
 */
import type { GivenJacobian } from '../document/given-jacobians';
import type { DocumentIssue, ModelDocument } from '../document/types';
import type { BuiltElements } from '../script/builder';
import {
  compareJacobians,
  describeDifference,
  DIFFERENCE_TOLERANCE,
  EXACT_TOLERANCE,
  type JacobianDifference,
} from '../script/differentiate/check-jacobian';
import { FunctionScripts, type LoadedFunctions } from '../script/function-scripts';
import type { ScriptSandbox } from '../script/sandbox';
import { type EvaluationPoint, jacobianPoints } from './jacobian-points';
import { type PreparedModel, prepare } from './prepare';

/** What is about to be executed: it is to be named when it does not return. */
export interface ScriptCall {
  /** script function; null while the scripts are loaded, which executes what stands outside functions */
  readonly function: string | null;
  /** id of the element whose Jacobian is compared */
  readonly element: string;
  /** JSON pointer to the field of that Jacobian */
  readonly pointer: string;
}

export interface ScriptEnvironment {
  /** called only when the document has Jacobians to be compared */
  sandbox(): ScriptSandbox;
  /** Told before each call into the scripts. @returns false when no more may be executed; the rest stays unchecked */
  begin(call: ScriptCall): boolean;
}

/** @param built elements its builder script produced, when that has been run */
export function checkJacobians(
  document: ModelDocument,
  built: BuiltElements | undefined,
  environment: ScriptEnvironment,
): DocumentIssue[] {
  if (!Array.isArray(document.scripts) || document.scripts.length === 0) return [];
  const scripts = new FunctionScripts(document);
  const gather = ({ functions, derivatives }: LoadedFunctions): Gathered => {
    const pairs: GivenJacobian[] = [];
    const { functionNames } = scripts;
    const options = { functions, functionNames, derivatives, built, givenJacobians: pairs };
    return { pairs, prepared: prepare(document, options).prepared };
  };
  // Without executing anything: which derivatives are needed.
  const draft = gather({ functions: scripts.functions, derivatives: scripts.request });
  const [first] = draft.pairs;
  if (draft.prepared === null || scripts.issues.length > 0 || first === undefined) return [];
  const sandbox = environment.sandbox();
  const { element, pointer } = first;
  if (!environment.begin({ function: null, element, pointer })) return [];
  let loaded: LoadedFunctions;
  try {
    loaded = scripts.evaluate(sandbox);
  } catch (error) {
    return [failureOf(error, sandbox, document)];
  }
  const { pairs, prepared } = gather(loaded);
  if (prepared === null) return [];
  const tolerance =
    document.simulation.derivatives === 'finite-differences' ? DIFFERENCE_TOLERANCE : EXACT_TOLERANCE;
  return compareAll(pairs, prepared, tolerance, environment);
}

interface Gathered {
  readonly pairs: readonly GivenJacobian[];
  readonly prepared: PreparedModel | null;
}

function compareAll(
  pairs: readonly GivenJacobian[],
  { model, settings }: PreparedModel,
  tolerance: number,
  environment: ScriptEnvironment,
): DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  /** functions found wrong: of a thousand contacts that share one, the first is told */
  const told = new Set<string>();
  for (const pair of pairs) {
    const { element, pointer, jacobian, by } = pair;
    const key = `${by}:${pair.function}:${jacobian ?? ''}`;
    if (jacobian !== null && told.has(key)) continue;
    const points = jacobianPoints(model, pair, settings.t0, settings.h);
    const begin = (name: string): boolean => environment.begin({ function: name, element, pointer });
    const found = worstOf(pair, points, tolerance, begin);
    if (found === 'ended') return issues;
    if (found === null) continue;
    told.add(key);
    issues.push(issueOf(pair, found.difference, found.point));
  }
  return issues;
}

interface Found {
  readonly difference: JacobianDifference;
  readonly point: EvaluationPoint;
}

/**
 * The difference to be told of one Jacobian.
 * @returns null where the two agree; `ended` where no more may be executed
 */
function worstOf(
  { given, derived, rows, columns, function: name, jacobian }: GivenJacobian,
  points: readonly EvaluationPoint[],
  tolerance: number,
  begin: (name: string) => boolean,
): Found | null | 'ended' {
  const length = rows * columns;
  const wanted = new Float64Array(length);
  const found = new Float64Array(length);
  let initial: Found | null = null;
  let near: Found | null = null;
  let compared = 0;
  for (const point of points) {
    const { clock, a, b, isInitial } = point;
    if (!begin(name)) return 'ended';
    // Each call gets copies: a script must not move the point for the next.
    if (!succeeds(() => derived.evaluate(clock, a.slice(), b.slice(), wanted))) continue;
    if (jacobian !== null && !begin(jacobian)) return 'ended';
    if (!succeeds(() => given.evaluate(clock, a.slice(), b.slice(), found))) continue;
    if (!isInitial) compared++;
    const difference = compareJacobians(found, wanted, columns, tolerance);
    if (difference === null) continue;
    if (isInitial) initial = { difference, point };
    else near ??= { difference, point };
  }
  if (near === null && compared > 0) return null;
  return initial ?? near;
}

/** A point outside the domain of a function, or at which it fails, says nothing of its Jacobian; a run would tell. */
function succeeds(evaluate: () => void): boolean {
  try {
    evaluate();
    return true;
  } catch {
    return false;
  }
}

function issueOf(
  { element, pointer, function: name, by, jacobian }: GivenJacobian,
  difference: JacobianDifference,
  point: EvaluationPoint,
): DocumentIssue {
  const what = by === 't' ? 'time derivative' : 'Jacobian';
  const argument = by === 't' ? '' : ` by ${by === 'lambda' ? 'λ' : by}`;
  const subject = `Your ${what} ${jacobian === null ? '' : `“${jacobian}” `}of “${name}”${argument}`;
  return {
    severity: 'warning',
    code: 'jacobian-differs',
    pointer,
    element,
    message: describeDifference(difference, subject, point.text),
    remedy:
      'Correct this entry (rows and columns are counted from 0), or leave the field empty: it is then derived.',
  };
}

/** Scripts that fail while they are loaded: a run of the model would fail in the same way. */
function failureOf(error: unknown, sandbox: ScriptSandbox, document: ModelDocument): DocumentIssue {
  const { code, message, remedy, script } = sandbox.explain(error, {}).details;
  const index = document.scripts.findIndex(({ name }) => name === script?.name);
  return {
    severity: 'error',
    code,
    pointer: index < 0 ? '/scripts' : `/scripts/${index}`,
    ...(script === undefined ? {} : { element: script.name, script }),
    message,
    remedy: remedy ?? 'Correct the script at this line.',
  };
}
