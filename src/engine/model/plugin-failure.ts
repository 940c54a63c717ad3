/**
 * What is kept of a call of a script function that failed. It is gathered when the failure has happened, so that calls
 * that succeed pay nothing for it.
 */
import { EngineError, type EngineErrorDetails, type ScriptCallDetails, type ScriptValue } from '../errors';
import type { PluginArgument } from './plugin-signatures';

/** An argument as it was when the call failed: a number or a copy of the vector. */
export type KeptArgument = number | Float64Array;

/** A call that failed, complete enough to be made again. */
export interface FailedCall {
  readonly function: string;
  readonly element: string;
  readonly isDerivative: boolean;
  readonly parameters: readonly PluginArgument[];
  /** in the order of `parameters`; the entry of `out` has its length, that of `p` is empty */
  readonly values: readonly KeptArgument[];
  /** values of the model's parameters */
  readonly p: object;
}

/** Thrown in place of what a script function threw; what that was is the `cause`. */
export class PluginFailure extends Error {
  override readonly name = 'PluginFailure';
  constructor(
    override readonly cause: unknown,
    readonly call: FailedCall,
  ) {
    super('a script function failed');
  }
}

/** A script function gave a value that is not finite. */
export class NotFiniteResult extends EngineError {
  constructor(
    details: EngineErrorDetails,
    readonly call: FailedCall,
  ) {
    super(details);
  }
}

/** Entries of a vector that are shown. */
const SHOWN_ENTRIES = 12;
/** Parameters that are shown. */
const SHOWN_PARAMETERS = 12;

/** A number as JavaScript writes it, and a vector with its first entries. */
export function valueText(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const entries = Array.from(value as ArrayLike<number>).slice(0, SHOWN_ENTRIES);
  const { length } = value as ArrayLike<number>;
  if (length <= SHOWN_ENTRIES) return `[${entries.join(', ')}]`;
  return `[${entries.join(', ')}, …] (${length} entries)`;
}

const NAMES: Readonly<Partial<Record<PluginArgument, string>>> = { lambda: 'λ' };

/**
 * The values a user needs to see why a call failed.
 * @param source text of the function, which decides what parameters of many are shown
 */
export function describeCall(call: FailedCall, source?: string): ScriptCallDetails {
  const values: ScriptValue[] = [];
  call.parameters.forEach((name, i) => {
    if (name === 'p' || name === 'out') return;
    values.push({ name: NAMES[name] ?? name, kind: 'argument', value: valueText(call.values[i]) });
  });
  const known = Object.entries(call.p) as [string, number][];
  const used = known.filter(
    ([name]) =>
      source === undefined || new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(source),
  );
  for (const [name, value] of used.slice(0, SHOWN_PARAMETERS))
    values.push({ name: `p.${name}`, kind: 'parameter', value: String(value) });
  const { function: name, element, isDerivative } = call;
  return { function: name, element, isDerivative, values };
}

/** Time of a call, s; undefined of a function that does not take it. */
export function timeOf({ parameters, values }: FailedCall): number | undefined {
  const value = values[parameters.indexOf('t')];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The call a failure belongs to; null where it has another reason. A script may throw what cannot be asked anything. */
export function failedCallOf(error: unknown): FailedCall | null {
  try {
    return error instanceof PluginFailure || error instanceof NotFiniteResult ? error.call : null;
  } catch {
    return null;
  }
}
