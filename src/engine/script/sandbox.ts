/**
 * The sandbox of user scripts: a SES compartment in a locked-down realm. Only for worker threads: locking
 * down freezes the primordials of the whole realm and cannot be undone.
 *
 * A script sees the language, `Math`, typed arrays, a seeded random generator and `console.log`. It has no
 * clock, no network, no modules, no host objects, and cannot reach any of them through prototypes or
 * constructors.
 */
import { endLoading } from './element-stores';
import 'ses';
import { EngineError, type ScriptPlace } from '../errors';
import { PluginFailure, describeCall, timeOf } from '../model/plugin';
import { type TranspiledScript, placeIn } from './transpile';

/**
 * Names that users of other environments look for; a plain ReferenceError would not say why they are missing.
 */
export const ABSENT: readonly string[] = [
  'process',
  'require',
  'module',
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'window',
  'document',
  'self',
  'global',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'Buffer',
  'Worker',
  'SharedArrayBuffer',
  'Atomics',
  'WebAssembly',
  'performance',
  'navigator',
  'localStorage',
];

declare const lockdown: (options: Record<string, string>) => void;
declare const Compartment: new (options: { __options__: true; globals: object }) => {
  globalThis: object;
  evaluate(source: string): unknown;
};

/** Values a script exports, by name. */
type ScriptExports = Record<string, unknown>;

export interface ScriptSandbox {
  /**
   * Evaluates a script.
   * @param more names it is given beside those of every script.
   * @throws {EngineError} with the line when it throws while being evaluated
   */
  evaluate(script: TranspiledScript, more?: Readonly<Record<string, unknown>>): ScriptExports;
  /** Where in a script something was thrown, or is now; undefined where no script has a part in it. */
  placeOf(error: unknown): ScriptPlace | undefined;
  /** Turns anything thrown by a script into an error with its place. */
  explain(error: unknown, fallback: { element?: string; time?: number }): EngineError;
  /** One beside this, whose scripts say nothing on the console. */
  quiet(): ScriptSandbox;
}

endLoading();

let locked = false;

/** Mulberry32: small, seeded, the same on every machine. In the public domain. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

function lockRealm(): void {
  if (locked) return;
  lockdown({
    // Stacks are what gives a script error its line; nothing secret stands in them.
    errorTaming: 'unsafe',
    consoleTaming: 'unsafe',
    // Script values are small plain objects: freezing overrides strictly costs nothing and hides nothing.
    overrideTaming: 'moderate',
    errorTrapping: 'none',
    unhandledRejectionTrapping: 'none',
  });
  locked = true;
}

const MAX_LOG_TEXT = 2000;
/** Entries of an array that are written out. */
const MAX_LOG_ENTRIES = 50;

/** A value on the console: arrays with their entries, plain objects as JSON. */
function shown(value: unknown): string {
  const text = read(() => {
    if (typeof value !== 'object' || value === null || value instanceof Error) return String(value);
    if (ArrayBuffer.isView(value) || Array.isArray(value)) {
      const entries = Array.from(value as unknown as ArrayLike<unknown>).slice(0, MAX_LOG_ENTRIES);
      const { length } = value as unknown as ArrayLike<unknown>;
      return `[${entries.map(String).join(', ')}${length > MAX_LOG_ENTRIES ? ', …' : ''}]`;
    }
    return JSON.stringify(value);
  });
  return typeof text === 'string' ? text : 'a value that cannot be shown';
}

/** What a script threw is the script's: reading it may throw again. */
function read(property: () => unknown): unknown {
  try {
    return property();
  } catch {
    return undefined;
  }
}

/**
 * Creates the sandbox of one run, locking the realm down at first use.
 * @param log receives what scripts say on the console
 */
export function createSandbox(log: (said: ConsoleLine) => void = () => undefined): ScriptSandbox {
  lockRealm();
  /** evaluated scripts by name */
  const names = new Map<string, TranspiledScript>();

  function evaluate(script: TranspiledScript, more: Readonly<Record<string, unknown>> = {}): ScriptExports {
    names.set(script.name, script);
    const random = seededRandom(1);
    // `Math` comes as a parameter: as a free global of a compartment each access costs up to 400 ns.
    const entries = Object.getOwnPropertyNames(Math).map((key) => [
      key,
      (Math as unknown as Record<string, unknown>)[key],
    ]);
    const math = Object.freeze({ ...(Object.fromEntries(entries) as object), random });
    const say =
      (level: ConsoleLevel) =>
      (...values: unknown[]): void => {
        log({
          // Of several scripts written as one only the stack tells which of them speaks.
          script: (script.parts === undefined ? undefined : placeOf(new Error('here'))?.name) ?? script.name,
          level,
          text: values.map(shown).join(' ').slice(0, MAX_LOG_TEXT),
          // A stack costs more than the line itself: it is asked for only where the line goes on.
          line: () => placeOf(new Error('here'))?.line ?? null,
        });
      };
    const console = Object.freeze({
      log: say('log'),
      info: say('info'),
      debug: say('log'),
      warn: say('warn'),
      error: say('error'),
    });
    const compartment = new Compartment({ __options__: true, globals: {} });
    for (const name of ABSENT) {
      Object.defineProperty(compartment.globalThis, name, {
        get() {
          throw new TypeError(
            `“${name}” is not available: scripts run in a sandbox without access to the machine`,
          );
        },
      });
    }
    const exports: ScriptExports = {};
    try {
      const factory = compartment.evaluate(
        `(function (exports, Math, console, Float64Array, Float32Array, Int32Array, Uint8Array${Object.keys(
          more,
        )
          .map((name) => `, ${name}`)
          .join('')}) {${script.code}\n})\n` + `//# sourceURL=${script.name}`,
      ) as (...endowments: unknown[]) => void;
      factory(
        exports,
        math,
        console,
        Float64Array,
        Float32Array,
        Int32Array,
        Uint8Array,
        ...Object.values(more),
      );
    } catch (error) {
      throw explain(error, { element: script.name });
    }
    return exports;
  }

  function placeOf(error: unknown): ScriptPlace | undefined {
    const stack =
      typeof error === 'object' && error !== null
        ? read(() => (error as { stack?: unknown }).stack)
        : undefined;
    if (typeof stack !== 'string') return undefined;
    // A frame names the script alone; the program's own files of that name come with their folder.
    for (const [, name, line, column] of stack.matchAll(/[\s(]([A-Za-z0-9_-]+\.ts):(\d+):(\d+)/g)) {
      const script = names.get(name);
      if (script === undefined) continue;
      const own = script.lines?.[Number(line) - 1];
      // In generated code the column means nothing to the user.
      const isOwn = own === undefined || own === Number(line);
      return placeIn(script, own ?? Number(line), isOwn ? Number(column) : 1);
    }
    return undefined;
  }

  function textOf(error: unknown): string {
    const text = read(() => {
      if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
      return String(error);
    });
    return typeof text === 'string' ? text : 'it threw a value that cannot be shown';
  }

  function explain(error: unknown, fallback: { element?: string; time?: number }): EngineError {
    const failure = read(() => (error instanceof PluginFailure ? error : undefined)) as
      PluginFailure | undefined;
    if (failure !== undefined) {
      const call = describeCall(failure.call);
      const time = fallback.time ?? timeOf(failure.call);
      const { details } = explain(failure.cause, {
        element: call.element,
        ...(time === undefined ? {} : { time }),
      });
      return new EngineError({ ...details, call });
    }
    // A script may throw an object whose every operation throws.
    if (read(() => error instanceof EngineError) === true) return error as EngineError;
    const place = placeOf(error);
    const where = fallback.element ?? place?.name;
    const line = place === undefined ? '' : ` in ${place.name}, line ${place.line}`;
    const time = fallback.time === undefined ? '' : ` at t = ${fallback.time} s`;
    return new EngineError({
      code: 'script-error',
      message: `The script failed${line}${time}: ${textOf(error)}`,
      ...(where === undefined ? {} : { where }),
      ...(fallback.time === undefined ? {} : { time: fallback.time }),
      remedy: 'Correct the script at this line.',
      ...(place === undefined ? {} : { script: place }),
    });
  }

  return { evaluate, explain, placeOf, quiet: () => createSandbox() };
}

/* What scripts say on the console. */

type ConsoleLevel = 'log' | 'info' | 'warn' | 'error';

/** A line as a script says it. */
export interface ConsoleLine {
  readonly script: string;
  readonly level: ConsoleLevel;
  readonly text: string;
  /** 1-based line of the call; to be asked for at once, null where it cannot be told */
  readonly line: () => number | null;
}

/** A line as it is kept and shown. */
export interface ConsoleMessage {
  script: string;
  level: ConsoleLevel;
  text: string;
  /** 1-based line of the call in the script */
  line: number | null;
  /** end of the last complete step when it was said, s; null before a run has begun */
  time: number | null;
}
