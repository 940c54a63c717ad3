/**
 * Script functions as the models call them. Whatever arguments a plug-in kind takes, a model calls
 *
 *     evaluate(clock, a, b, out)      a = x or q,  b = v or λ
 *
 * and the arguments that the kind does not have are passed over. `out` is zeroed before the call, so that a
 * function need not write the entries that are zero, and must be finite after it.
 */
import { EngineError, type EngineErrorDetails, type ScriptCallDetails, type ScriptValue } from '../errors';
import { type BoundConditions, bindConditions } from './conditions';
import type { PluginArgument } from './plugin-signatures';

/*
 * What is kept of a call of a script function that failed. It is gathered when the failure has happened, so
 * that calls that succeed pay nothing for it.
 */

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

/**
 * The call a failure belongs to; null where it has another reason. A script may throw what cannot be asked
 * anything.
 */
export function failedCallOf(error: unknown): FailedCall | null {
  try {
    return error instanceof PluginFailure || error instanceof NotFiniteResult ? error.call : null;
  } catch {
    return null;
  }
}

/** Fills `out` from the time clock[0] and up to two vectors. @throws {NotFiniteResult | PluginFailure} */
export type ModelFunction = (
  clock: Float64Array,
  a: Float64Array,
  b: Float64Array,
  out: Float64Array,
) => void;

/** A matrix that is constant or depends on time and state; row-major. */
export interface MatrixFunction {
  /** null when it is not constant */
  readonly constant: Float64Array | null;
  readonly evaluate: ModelFunction;
}

/** Stands for an argument that a function does not have. */
export const NOTHING = new Float64Array(0);
/** Stands for the time of a function that does not depend on it. */
export const NO_TIME = Float64Array.of(Number.NaN);

/** A function of a script, or a derivative of one. */
export type ScriptFunction = (...args: unknown[]) => unknown;

/**
 * A script function that a model is built on before its script has been executed: which derivatives the
 * script is to be loaded with, only the building says. Until it is loaded it does nothing.
 */
export class LateFunction {
  readonly #users: ((call: ScriptFunction | null) => void)[] = [];

  /** @param use receives the function once scripts have been loaded; null where what they export is none */
  await(use: (call: ScriptFunction | null) => void): void {
    this.#users.push(use);
  }

  load(call: ScriptFunction | null): void {
    for (const use of this.#users) use(call);
  }
}

/** Where a value that is not finite came from. */
export interface PluginPlace {
  /** name of the script function */
  readonly name: string;
  /** id of the element that calls it */
  readonly element: string;
  /** whether it is the derivative of the function */
  readonly isDerivative: boolean;
  /** what the field is called that says it by expressions; absent where it names a function */
  readonly field?: string | undefined;
}

const SLOT: Readonly<Record<PluginArgument, string>> = {
  t: 't',
  x: 'a',
  q: 'a',
  v: 'b',
  lambda: 'b',
  out: '',
  p: '',
};

type Call = ScriptFunction;

/**
 * One adapter for each list of arguments. `rest` are the arguments that follow `out`: the parameters, and for
 * a derivative the array it fills.
 */
type Adapter = (
  call: Call,
  p: object,
  scratch: Float64Array | null,
) => (...given: Parameters<ModelFunction>) => unknown;

/**
 * With `scratch` null the function fills `out` itself; else it fills `scratch`, and its derivative fills
 * `out`.
 */
const ADAPTERS: Readonly<Record<string, Adapter>> = {
  t: (call, p, scratch) =>
    scratch === null
      ? (clock, _a, _b, out) => call(clock[0], out, p)
      : (clock, _a, _b, out) => call(clock[0], scratch, p, out),
  a: (call, p, scratch) =>
    scratch === null
      ? (_clock, a, _b, out) => call(a, out, p)
      : (_clock, a, _b, out) => call(a, scratch, p, out),
  b: (call, p, scratch) =>
    scratch === null
      ? (_clock, _a, b, out) => call(b, out, p)
      : (_clock, _a, b, out) => call(b, scratch, p, out),
  ta: (call, p, scratch) =>
    scratch === null
      ? (clock, a, _b, out) => call(clock[0], a, out, p)
      : (clock, a, _b, out) => call(clock[0], a, scratch, p, out),
  tb: (call, p, scratch) =>
    scratch === null
      ? (clock, _a, b, out) => call(clock[0], b, out, p)
      : (clock, _a, b, out) => call(clock[0], b, scratch, p, out),
  ab: (call, p, scratch) =>
    scratch === null
      ? (_clock, a, b, out) => call(a, b, out, p)
      : (_clock, a, b, out) => call(a, b, scratch, p, out),
  tab: (call, p, scratch) =>
    scratch === null
      ? (clock, a, b, out) => call(clock[0], a, b, out, p)
      : (clock, a, b, out) => call(clock[0], a, b, scratch, p, out),
};

/** What a script function was called with, as it was found when the call had failed. */
function failedCall(
  parameters: readonly PluginArgument[],
  p: object,
  place: PluginPlace,
  clock: Float64Array,
  a: Float64Array,
  b: Float64Array,
  length: number,
): FailedCall {
  const kept: Readonly<Record<string, KeptArgument>> = { t: clock[0], a: a.slice(), b: b.slice() };
  const values = parameters.map((name) =>
    name === 'out' ? new Float64Array(length) : (kept[SLOT[name]] ?? 0),
  );
  return {
    function: place.name,
    element: place.element,
    isDerivative: place.isDerivative,
    parameters,
    values,
    p,
  };
}

function reportNotFinite(
  out: Float64Array,
  place: PluginPlace,
  clock: Float64Array,
  call: FailedCall,
): never {
  const i = out.findIndex((value) => !Number.isFinite(value));
  const time = clock[0];
  const at = Number.isNaN(time) ? '' : ` at t = ${time} s`;
  const what =
    place.field === undefined ? `script function “${place.name}”` : `expression of “${place.field}”`;
  const whose = place.isDerivative ? `derivative of the ${what}` : what;
  const details = {
    code: 'script-not-finite',
    message: `The ${whose} of “${place.element}” gave ${out[i]} in entry ${i}${at}.`,
    where: place.element,
    entry: i,
    ...(Number.isNaN(time) ? {} : { time }),
    remedy: 'Check it for a division by zero or a square root of a negative number at this time.',
  };
  throw new NotFiniteResult(details, call);
}

const LOST =
  'the function returned a value and wrote nothing into “out”; values are written, as in “out[0] = …”, and nothing is returned';

/**
 * Whether a function returned what it should have written. Mostly the source shows that before a run
 * (`script/checks/plugin-shape.ts`); of functions that other functions make only the call does.
 */
function isLost(returned: unknown, out: Float64Array): boolean {
  if (returned === null || returned === out || returned === 0) return false;
  // Arrays, promises and generators; and numbers, as of `=> (out[0] = t)`.
  if (typeof returned !== 'object' && typeof returned !== 'number') return false;
  for (let i = 0; i < out.length; i++) if (out[i] !== 0) return false;
  return out.length > 0;
}

const NOT_LOADED = (): undefined => undefined;

/**
 * @param given the function, or one that is still to be loaded
 * @param parameters of the plug-in kind
 * @param p frozen values of the model's parameters
 * @param rows length of the function's result when `call` is its derivative; null when it is the function
 *   itself
 */
export function bindPlugin(
  given: ScriptFunction | LateFunction,
  parameters: readonly PluginArgument[],
  p: object,
  place: PluginPlace,
  rows: number | null,
): ModelFunction {
  const slots = parameters.map((name) => SLOT[name]).join('');
  const scratch = rows === null ? null : new Float64Array(rows);
  const adapt = ADAPTERS[slots];
  // Changes once at most: when the function has been loaded.
  let run = given instanceof LateFunction ? NOT_LOADED : adapt(given, p, scratch);
  if (given instanceof LateFunction)
    given.await((call) => {
      if (call !== null) run = adapt(call, p, scratch);
    });
  const conditions = bindConditions(given, p, place.element, place.name);
  if (conditions !== null) return holding(() => run, conditions, parameters, p, place, scratch);
  return (clock, a, b, out) => {
    // Loops: the arrays have an entry or two, and a call of `fill` takes longer than most scripts.
    for (let i = 0; i < out.length; i++) out[i] = 0;
    // A derivative runs the function, which may rely on the zeros it finds.
    if (scratch !== null) for (let i = 0; i < scratch.length; i++) scratch[i] = 0;
    let returned: unknown;
    try {
      returned = run(clock, a, b, out);
    } catch (error) {
      throw new PluginFailure(error, failedCall(parameters, p, place, clock, a, b, (scratch ?? out).length));
    }
    if (returned !== undefined && scratch === null && isLost(returned, out)) {
      const call = failedCall(parameters, p, place, clock, a, b, out.length);
      throw new PluginFailure(new Error(LOST), call);
    }
    for (let i = 0; i < out.length; i++)
      if (!Number.isFinite(out[i])) {
        const call = failedCall(parameters, p, place, clock, a, b, (scratch ?? out).length);
        reportNotFinite(out, place, clock, call);
      }
  };
}

const isFinite = (out: Float64Array): boolean => {
  for (let i = 0; i < out.length; i++) if (!Number.isFinite(out[i])) return false;
  return true;
};

/**
 * The function with conditions whose outcomes may be held. Behind a condition that holds no more, a branch
 * may be called for what it is not made for, as the root of a negative number: values decide there.
 */
function holding(
  present: () => (...given: Parameters<ModelFunction>) => unknown,
  { trace, sequence }: BoundConditions,
  parameters: readonly PluginArgument[],
  p: object,
  place: PluginPlace,
  scratch: Float64Array | null,
): ModelFunction {
  return (clock, a, b, out) => {
    const run = present();
    for (let attempt = 0; ; attempt++) {
      for (let i = 0; i < out.length; i++) out[i] = 0;
      if (scratch !== null) for (let i = 0; i < scratch.length; i++) scratch[i] = 0;
      if (attempt === 0) trace.enter(sequence, scratch !== null);
      let failure: unknown = null;
      let isFailed = false;
      try {
        run(clock, a, b, out);
      } catch (error) {
        failure = error;
        isFailed = true;
      }
      const isHeld = attempt === 0 && trace.leave();
      if (!isFailed && isFinite(out)) return;
      if (isHeld) continue;
      const call = failedCall(parameters, p, place, clock, a, b, (scratch ?? out).length);
      if (isFailed) throw new PluginFailure(failure, call);
      reportNotFinite(out, place, clock, call);
    }
  };
}

/** The matrix function whose value never changes. */
export function constantMatrix(constant: Float64Array): MatrixFunction {
  return {
    constant,
    evaluate: (_clock, _a, _b, out) => {
      out.set(constant);
    },
  };
}
