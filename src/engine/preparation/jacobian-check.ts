/**
 * Jacobians that a model gives, compared with those that would be derived. This executes its scripts, which
 * the report itself does not: it is asked for apart, where scripts that do not end can be ended.
 *
 * A difference is reported when it shows at one of the points near the initial state. One that shows at the
 * initial state alone belongs to a kink there, at which either value is right.
 */
import type { GivenJacobian } from '../document/derivatives';
import type { DocumentIssue, ModelDocument } from '../document/types';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { NOTHING } from '../model/plugin';
import {
  DIFFERENCE_TOLERANCE,
  EXACT_TOLERANCE,
  type JacobianDifference,
  compareJacobians,
  describeDifference,
} from '../script/differentiate/finite-differences';
import type { ScriptSandbox } from '../script/sandbox';
import type { Examination, ScriptEnvironment } from './examination';
import type { PreparedModel } from './prepare';

/*
 * The states at which given Jacobians are compared with derived ones: the initial state, and a few near it.
 */

/** Arguments of a model function. */
export interface EvaluationPoint {
  readonly clock: Float64Array;
  /**
   * x of first-order systems, q of Lagrangian ones; of a relation those of its systems, one after the other
   */
  readonly a: Float64Array;
  /** v of a Lagrangian system, λ of a relation */
  readonly b: Float64Array;
  readonly isInitial: boolean;
  /** the point in words, as a sentence goes on after what was found there */
  readonly text: string;
}

/**
 * Distance of a near point in each entry, relative to the entry or, where that is small, to a unit: far
 * enough for terms of second order to show.
 */
const DISTANCE = 0.01;

/**
 * Signs of the offsets of the entries, repeated: a function that needs positive arguments is defined at one
 * of them.
 */
const SIGNS: readonly (readonly number[])[] = [[1], [-1], [1, -1, -1], [-1, 1]];

/** Digits of a near point, few enough to be printed as they are. */
const DIGITS = 6;

/** Entries up to which a vector is printed. */
const PRINTED = 4;

/**
 * Offsets of neighbouring entries differ by an irrational fraction, so that they do not cancel in
 * differences.
 */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

function nearby(values: Float64Array, signs: readonly number[], shift: number): Float64Array {
  return values.map((value, i) => {
    const weight = 0.5 + (((i + shift + 1) * GOLDEN) % 1) / 2;
    const offset = signs[i % signs.length] * weight * DISTANCE * Math.max(1, Math.abs(value));
    return Number((value + offset).toPrecision(DIGITS));
  });
}

function listed(symbol: string, values: Float64Array): string[] {
  return values.length === 0
    ? []
    : [`${symbol} = ${values.length === 1 ? values[0] : `(${values.join(', ')})`}`];
}

function describe(names: readonly [string, string], t: number, a: Float64Array, b: Float64Array): string {
  if (a.length > PRINTED || b.length > PRINTED) return ' near the initial state';
  return ` at ${[`t = ${t}`, ...listed(names[0], a), ...listed(names[1], b)].join(', ')}`;
}

/**
 * @param pointer says whether the element is a system or an interaction
 * @param t0 initial time, s
 * @param h s, by which the times of the near points differ
 */
export function jacobianPoints(
  { systems, interactions }: NonSmoothDynamicalSystem,
  { element, pointer }: Pick<GivenJacobian, 'element' | 'pointer'>,
  t0: number,
  h: number,
): EvaluationPoint[] {
  const state = stateOf(systems, interactions, element, pointer.startsWith('/systems/'));
  if (state === null) return [];
  const { names, a, b } = state;
  const initial = { clock: Float64Array.of(t0), a, b, isInitial: true, text: ' at the initial state' };
  const others = SIGNS.map((signs, k) => {
    const t = t0 + (k + 1) * h;
    const nearA = nearby(a, signs, k);
    const nearB = nearby(b, signs, k + a.length);
    return {
      clock: Float64Array.of(t),
      a: nearA,
      b: nearB,
      isInitial: false,
      text: describe(names, t, nearA, nearB),
    };
  });
  return [initial, ...others];
}

function stateOf(
  systems: NonSmoothDynamicalSystem['systems'],
  interactions: NonSmoothDynamicalSystem['interactions'],
  element: string,
  isSystem: boolean,
): { names: [string, string]; a: Float64Array; b: Float64Array } | null {
  if (isSystem) {
    const form = systems.find(({ id }) => id === element)?.form;
    if (form === undefined) return null;
    if (form.order === 1) return { names: ['x', ''], a: form.x0, b: NOTHING };
    return { names: ['q', 'v'], a: form.q0, b: form.v0 };
  }
  const interaction = interactions.find(({ id }) => id === element);
  if (interaction === undefined) return null;
  const { relation } = interaction;
  const z = interaction.systems.flatMap((i) => {
    const { form } = systems[i];
    return [...(form.order === 1 ? form.x0 : form.q0)];
  });
  return {
    names: [relation.order === 1 ? 'x' : 'q', 'λ'],
    a: Float64Array.from(z),
    b: new Float64Array(relation.size),
  };
}

/** Defects of the Jacobians that a document gives. */
export function checkJacobians(examination: Examination, environment: ScriptEnvironment): DocumentIssue[] {
  const { document, given } = examination;
  const [first] = given;
  if (examination.prepared === null || first === undefined) return [];
  const { element, pointer } = first;
  let prepared: PreparedModel | null;
  try {
    prepared = examination.load({ function: null, element, pointer }, environment);
  } catch (error) {
    if (examination.sandbox === null) throw error;
    return [failureOf(error, examination.sandbox, document)];
  }
  if (prepared === null) return [];
  const tolerance =
    document.simulation.derivatives === 'finite-differences' ? DIFFERENCE_TOLERANCE : EXACT_TOLERANCE;
  return compareAll(given, prepared, tolerance, environment);
}

function compareAll(
  pairs: readonly GivenJacobian[],
  { model, settings }: PreparedModel,
  tolerance: number,
  environment: ScriptEnvironment,
): DocumentIssue[] {
  const issues: DocumentIssue[] = [];
  /** functions found wrong: of a thousand contacts that share one, only the first is reported */
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

/**
 * A point outside the domain of a function, or at which it fails, says nothing of its Jacobian; a run would
 * tell.
 */
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
