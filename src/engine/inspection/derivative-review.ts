/**
 * Every Jacobian of a model: those that are given, compared with what would be derived, and for the rest how
 * they are obtained. What `jacobian-check.ts` reports of a document is the defects among them; this is the
 * whole, asked for.
 */
import type { DerivedJacobian, GivenJacobian } from '../document/derivatives';
import type { Derivatives, ModelDocument } from '../document/types';
import type { EngineErrorDetails, ScriptPlace } from '../errors';
import type { BuiltElements } from '../script/builder';
import {
  DIFFERENCE_TOLERANCE,
  EXACT_TOLERANCE,
  type JacobianDifference,
} from '../script/differentiate/finite-differences';
import type { FunctionScripts } from '../script/function-scripts';
import { Examination, type ScriptEnvironment } from '../preparation/examination';
import { jacobianPoints } from '../preparation/jacobian-check';
import type { PreparedModel } from '../preparation/prepare';

/** What every line of the review says of its Jacobian. */
interface JacobianName {
  readonly element: string;
  /** JSON pointer to the field the Jacobian is, or could be, given in */
  readonly pointer: string;
  /** script function it is the derivative of */
  readonly function: string;
  readonly by: string;
  /** where the script has it, or its function */
  readonly place: ScriptPlace | null;
}

interface EntryDifference extends JacobianDifference {
  /** the state in words */
  readonly at: string;
}

interface ReviewedJacobian extends JacobianName {
  /** script function that fills it; null for a constant matrix */
  readonly jacobian: string | null;
  readonly status: 'agrees' | 'differs' | 'unchecked';
  /** states at which both could be evaluated */
  readonly points: number;
  /** largest difference of an entry, relative to the largest entry */
  readonly error: number;
  /** entries that differ, the worst first; of many only these */
  readonly differences: readonly EntryDifference[];
  /** all entries that differ */
  readonly differing: number;
}

interface ReviewedDerivation extends JacobianName {
  readonly how: 'automatic' | 'finite-differences' | 'refused';
  /** why it cannot be derived from the source; absent where it can */
  readonly reason?: string;
}

export interface DerivativeReview {
  readonly derivatives: Derivatives;
  readonly given: readonly ReviewedJacobian[];
  readonly derived: readonly ReviewedDerivation[];
  /** why the scripts could not be executed; null when they could */
  readonly error: EngineErrorDetails | null;
}

/** Differences told of one Jacobian. */
const MOST_DIFFERENCES = 5;

/** @param built elements its builder script produced, when that has been run */
export function reviewDerivatives(
  document: ModelDocument,
  built: BuiltElements | undefined,
  environment: ScriptEnvironment,
): DerivativeReview {
  const derivatives = document.simulation.derivatives ?? 'automatic';
  const examination = new Examination(document, built);
  const { scripts, derived, given: pairs } = examination;
  const review = { derivatives, derived: derivationsOf(derived, scripts, derivatives) };
  const [first] = pairs;
  if (first === undefined || scripts.issues.length > 0) return { ...review, given: [], error: null };
  const names = pairs.map((pair) => ({ ...nameOf(pair, scripts), jacobian: pair.jacobian }));
  const unchecked = names.map((name): ReviewedJacobian => ({ ...name, ...NOT_CHECKED }));
  const { element, pointer } = first;
  try {
    const prepared = examination.load({ function: null, element, pointer }, environment);
    if (prepared === null) return { ...review, given: unchecked, error: null };
    const tolerance = derivatives === 'finite-differences' ? DIFFERENCE_TOLERANCE : EXACT_TOLERANCE;
    const given = pairs.map((pair) => compared(pair, scripts, prepared, tolerance, environment));
    return { ...review, given: distinct(given), error: null };
  } catch (error) {
    const { sandbox } = examination;
    if (sandbox === null) throw error;
    return { ...review, given: unchecked, error: sandbox.explain(error, {}).details };
  }
}

const NOT_CHECKED = { status: 'unchecked', points: 0, error: 0, differences: [], differing: 0 } as const;

function nameOf(
  {
    element,
    pointer,
    function: name,
    by,
    jacobian = null,
  }: Omit<DerivedJacobian, 'issue'> & { jacobian?: string | null },
  scripts: FunctionScripts,
): JacobianName {
  return { element, pointer, function: name, by, place: scripts.placeOf(jacobian ?? name) };
}

/** Of a thousand contacts that share a function, only the first is reported. */
function distinct<T extends JacobianName & { jacobian?: string | null }>(all: readonly T[]): T[] {
  const told = new Map<string, T>();
  for (const one of all) {
    const own = one.jacobian === null ? one.pointer : (one.jacobian ?? '');
    const key = `${one.by}:${one.function}:${own}`;
    if (!told.has(key)) told.set(key, one);
  }
  return [...told.values()];
}

function derivationsOf(
  derived: readonly DerivedJacobian[],
  scripts: FunctionScripts,
  derivatives: Derivatives,
): ReviewedDerivation[] {
  const all = derived.map((one): ReviewedDerivation => {
    const name = nameOf(one, scripts);
    if (derivatives === 'finite-differences') return { ...name, how: 'finite-differences' };
    if (one.issue === null) return { ...name, how: 'automatic' };
    const { message, script } = one.issue;
    return { ...name, how: 'refused', reason: message, ...(script === undefined ? {} : { place: script }) };
  });
  return distinct(all);
}

function compared(
  pair: GivenJacobian,
  scripts: FunctionScripts,
  { model, settings }: PreparedModel,
  tolerance: number,
  environment: ScriptEnvironment,
): ReviewedJacobian {
  const { element, pointer, jacobian, rows, columns } = pair;
  const name = { ...nameOf(pair, scripts), jacobian };
  const wanted = new Float64Array(rows * columns);
  const found = new Float64Array(rows * columns);
  const worst = new Map<number, EntryDifference & { size: number }>();
  let points = 0;
  let error = 0;
  for (const { clock, a, b, text } of jacobianPoints(model, pair, settings.t0, settings.h)) {
    if (!environment.begin({ function: pair.function, element, pointer })) break;
    try {
      // Each call gets copies: a script must not move the point for the next.
      pair.derived.evaluate(clock, a.slice(), b.slice(), wanted);
      pair.given.evaluate(clock, a.slice(), b.slice(), found);
    } catch {
      continue; // outside the domain of one of them; a run would tell
    }
    points++;
    const scale = wanted.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
    for (let i = 0; i < wanted.length; i++) {
      const size = Math.abs(found[i] - wanted[i]) / scale;
      error = Math.max(error, size);
      if (size <= tolerance || size <= (worst.get(i)?.size ?? 0)) continue;
      const column = i % columns;
      const place = { row: (i - column) / columns, column, given: found[i], derived: wanted[i] };
      worst.set(i, { ...place, at: text.trim(), size });
    }
  }
  if (points === 0) return { ...name, ...NOT_CHECKED };
  const differences = [...worst.values()].sort((one, other) => other.size - one.size);
  return {
    ...name,
    status: differences.length === 0 ? 'agrees' : 'differs',
    points,
    error,
    differing: differences.length,
    differences: differences
      .slice(0, MOST_DIFFERENCES)
      .map(({ row, column, given, derived, at }) => ({ row, column, given, derived, at })),
  };
}
