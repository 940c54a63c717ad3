/** The sandbox of user scripts: what they can reach, what they cannot, and how they fail. */
import { describe, expect, it } from 'vitest';
import { EngineError, type EngineErrorDetails } from '@engine/errors';
import { fixed, PROTOTYPES } from '@engine/script/element-stores';
import { createSandbox, type ScriptSandbox } from '@engine/script/sandbox';
import { transpileScript } from '@engine/script/transpile';

// Locks down the realm of this test file, as a worker thread's.
const shared = createSandbox();

function evaluate(
  source: string[],
  sandbox: ScriptSandbox = shared,
  name = 'forces.ts',
): Record<string, unknown> {
  const result = transpileScript({ name, role: 'functions', source }, 0);
  if (!result.ok) throw new Error(result.issue.message);
  return sandbox.evaluate(result.script);
}

/** Value of an expression inside the sandbox. */
const valueOf = (expression: string): unknown => evaluate([`export const value = (${expression});`]).value;

function failureOf(act: () => unknown): EngineErrorDetails {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return error.details;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('prototypes of arrays', () => {
  it('are frozen, property by property', () => {
    expect(fixed).toEqual(PROTOTYPES);
    for (const one of PROTOTYPES) {
      expect(Object.isFrozen(one)).toBe(true);
      const descriptors = Object.values(Object.getOwnPropertyDescriptors(one));
      expect(
        descriptors.some(({ configurable, writable }) => configurable === true || writable === true),
      ).toBe(false);
    }
  });

  it('leave freezing what it was', () => {
    expect(Object.freeze.name).toBe('freeze');
    expect(valueOf('Object.isFrozen(Object.freeze([1])) && Object.isFrozen(Float64Array.prototype)')).toBe(
      true,
    );
  });
});

describe('what a script has', () => {
  it('is the language, Math and typed arrays', () => {
    expect(valueOf('Math.hypot(3, 4) + Math.PI')).toBe(5 + Math.PI);
    expect(valueOf('[...new Float64Array([1, 2]).map((x) => 2 * x)].join()')).toBe('2,4');
    expect(valueOf('new Int32Array(2).length + new Uint8Array(3).length + new Float32Array(1).length')).toBe(
      6,
    );
    expect(valueOf('JSON.stringify({ a: [1, new Map([[1, 2]]).get(1)] })')).toBe('{"a":[1,2]}');
  });

  it('is a random generator that always starts the same', () => {
    const draw = (): unknown => valueOf('Array.from({ length: 1000 }, () => Math.random())');
    const first = draw() as number[];
    expect(draw()).toEqual(first);
    expect(new Set(first).size).toBe(1000);
    expect(Math.min(...first)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...first)).toBeLessThan(1);
    const mean = first.reduce((a, b) => a + b, 0) / 1000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
  });

  it('is console.log, whose text goes to the host', () => {
    const lines: string[] = [];
    const sandbox = createSandbox(({ script, text }) => lines.push(`${script}: ${text}`));
    evaluate(['console.log("v", 3, [1, 2], null);', 'console.log("x".repeat(1e5));'], sandbox);
    expect(lines[0]).toBe('forces.ts: v 3 [1, 2] null');
    expect(lines[1].length).toBeLessThan(3000);
  });

  it('is its own: scripts do not see each other’s variables', () => {
    evaluate(['globalThis.leak = 1;', 'var other = 2;']);
    expect(valueOf('typeof globalThis.leak + typeof globalThis.other')).toBe('undefinedundefined');
  });
});

describe('what a script has not', () => {
  it.each([
    'process',
    'require',
    'module',
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'window',
    'document',
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
  ])('%s, with the reason', (name) => {
    const { message, code, script } = failureOf(() => valueOf(`${name}.x`));
    expect(code).toBe('script-error');
    expect(message).toContain(`“${name}” is not available`);
    expect(script).toMatchObject({ name: 'forces.ts', line: 1 });
  });

  it.each(['Date.now()', 'new Date()', 'Date()'])('a clock: %s', (expression) => {
    let value: unknown;
    try {
      value = String(valueOf(expression));
    } catch {
      value = 'refused';
    }
    expect(['refused', 'NaN', 'Invalid Date']).toContain(value);
  });

  it('modules', () => {
    const result = transpileScript({ name: 'a.ts', role: 'functions', source: ['import("node:fs")'] }, 0);
    expect(result.ok).toBe(false);
    // What the transpiler does not recognise must not get through the compartment either.
    const disguised = { name: 'a.ts', code: 'im\\u0070ort("node:fs")', exports: [] };
    expect(() => shared.evaluate(disguised)).toThrow(EngineError);
    expect(() => shared.evaluate({ name: 'a.ts', code: 'import/**/("node:fs")', exports: [] })).toThrow(
      EngineError,
    );
    expect(() => shared.evaluate({ name: 'a.ts', code: 'import.meta', exports: [] })).toThrow(EngineError);
  });
});

/** Expressions that leave weaker sandboxes; each looks for the host's `process` from where it gets to. */
const escapes: string[] = [
  '({}).constructor.constructor("return process")()',
  '[].map.constructor("return process")()',
  '(() => {}).constructor("return process")()',
  '(async () => {}).constructor("return process")()',
  '(function* () {}).constructor("return process")().next().value',
  '(async function* () {}).constructor("return process")()',
  'Object.getPrototypeOf(async function () {}).constructor("return process")()',
  'Reflect.getPrototypeOf(function* () {}).constructor("return process")()',
  'Function("return process")()',
  'new Function("return process")()',
  'eval("process")',
  '(0, eval)("process")',
  '(0, eval)("this").process',
  'globalThis.process',
  '(function () { return this; })().process',
  'Function.prototype.constructor("return this")().process',
  'console.log.constructor("return process")()',
  'Math.random.constructor("return process")()',
  'Float64Array.constructor("return process")()',
  'new Float64Array(1).subarray.constructor("return process")()',
  'exports.constructor.constructor("return process")()',
  'Symbol.iterator.constructor.constructor("return process")()',
  'Object.getOwnPropertyDescriptor(globalThis, "process").get.constructor("return process")()',
  'Reflect.construct(Function, ["return process"])()',
  'Reflect.apply(Function, null, ["return process"])()',
  '(() => { try { null.x; } catch (e) { return e.constructor.constructor("return process")(); } })()',
  '(() => { try { process; } catch (e) { return e.constructor.constructor("return process")(); } })()',
  '(() => { function f() { return f.caller; } return f()?.constructor("return process")(); })()',
  '(() => { "use strict"; return arguments.callee.caller.constructor("return process")(); })()',
  'new Proxy({}, { get: (t, k, r) => r }).x.constructor.constructor("return process")()',
  '`${{ toString() { return this.constructor.constructor("return process")(); } }}`',
  'new Error().stack.constructor.constructor("return process")()',
  'globalThis.constructor.constructor("return process")()',
  'Promise.resolve().then.constructor("return process")()',
  'JSON.parse.constructor("return process")()',
  'new (class extends Function {})("return process")()',
];

describe('ways out', () => {
  it.each(escapes)('%s leads nowhere', (expression) => {
    let reached: unknown = null;
    try {
      reached = valueOf(expression);
    } catch {
      return;
    }
    expect(reached === process).toBe(false);
    expect(typeof reached === 'object' && reached !== null && 'versions' in reached).toBe(false);
  });

  it('stack traces do not hand out frames', () => {
    const value = valueOf(
      '(() => { try { Error.prepareStackTrace = (e, sites) => sites; } catch {} return new Error("x").stack; })()',
    );
    expect(Array.isArray(value)).toBe(false);
    expect(new Error('host').stack).toBeTypeOf('string');
  });

  it('stack traces captured on purpose do not either', () => {
    const value = valueOf(
      '(() => { const o = {}; try { Error.captureStackTrace(o); } catch { return null; } return o.stack ?? null; })()',
    );
    expect(value === null || typeof value === 'string').toBe(true);
  });

  it.each([
    'Array.prototype.map = () => [];',
    'Array.prototype.push = function () { throw new Error("hijacked"); };',
    'Float64Array.prototype.set = () => {};',
    'Float64Array.prototype.fill = () => {};',
    'Object.getPrototypeOf(Float64Array.prototype).subarray = () => null;',
    'Object.prototype.polluted = 1;',
    '({}).__proto__.polluted = 1;',
    'Object.defineProperty(Object.prototype, "polluted", { value: 1 });',
    'Function.prototype.call = () => 1;',
    'String.prototype.split = () => [];',
    'Math.sin = () => 0;',
    'Math.random.state = 3; Math.sqrt = null;',
    'JSON.parse = () => null;',
    'Object.freeze = (x) => x;',
    'Symbol.prototype.polluted = 1;',
    'Error.stackTraceLimit = 0; Error.prototype.name = "x";',
    'Reflect.setPrototypeOf(Array.prototype, null);',
    'Map.prototype.get = () => 1;',
  ])('%s changes nothing for anybody', (attack) => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    try {
      evaluate([attack]);
    } catch (error) {
      expect(error).toBeInstanceOf(EngineError);
    }
    expect([1, 2].map((x) => x + 1)).toEqual([2, 3]);
    expect([...Float64Array.of(1, 2).fill(3).subarray(1)]).toEqual([3]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Math.sin(0.5)).toBeCloseTo(0.479425538604203, 15);
    expect(valueOf('Math.sin(0.5) + [1].map((x) => x)[0]')).toBeCloseTo(1.479425538604203, 15);
    expect(JSON.parse('[1]')).toEqual([1]);
    expect('a b'.split(' ')).toHaveLength(2);
  });
});

describe('failures', () => {
  it('while a script is evaluated name its line', () => {
    const details = failureOf(() => evaluate(['const a = 1;', '', 'throw new RangeError("no such gear");']));
    expect(details).toMatchObject({
      code: 'script-error',
      where: 'forces.ts',
      script: { name: 'forces.ts', line: 3 },
    });
    expect(details.message).toContain('forces.ts, line 3');
    expect(details.message).toContain('no such gear');
    expect(details.remedy).toContain('this line');
  });

  it('name the line under types and comments', () => {
    const details = failureOf(() =>
      evaluate([
        'interface A {',
        '  x: number;',
        '}',
        '/* a',
        '   comment */',
        'function deep(a: A): number { return (a as unknown as null)!.x; }',
        'deep({ x: 1 });',
        'deep(null as unknown as A);',
      ]),
    );
    expect(details.script).toMatchObject({ line: 6 });
  });

  it.each([
    'throw 7',
    'throw null',
    'throw undefined',
    'throw "text"',
    'throw { message: 3 }',
    'throw Symbol("x")',
  ])('%s is an error like others', (statement) => {
    const details = failureOf(() => evaluate([`${statement};`]));
    expect(details.code).toBe('script-error');
    expect(details.message.length).toBeGreaterThan(10);
  });

  it('that lie about themselves are found all the same', () => {
    const details = failureOf(() =>
      evaluate([
        'throw {',
        '  get message() { throw new Error("again"); },',
        '  get stack() { throw new Error("and again"); },',
        '  toString() { throw new Error("for ever"); },',
        '};',
      ]),
    );
    expect(details.code).toBe('script-error');
  });

  it('in a script whose name ends like another’s are attributed to the right one', () => {
    const sandbox = createSandbox();
    evaluate(['export const ok = 1;'], sandbox, 'cam.ts');
    const details = failureOf(() => evaluate(['', 'throw new Error("mine");'], sandbox, 'webcam.ts'));
    expect(details.script).toMatchObject({ name: 'webcam.ts', line: 2 });
  });

  it('without end of the recursion are errors', () => {
    const details = failureOf(() => evaluate(['function f(): number { return f() + 1; }', 'f();']));
    expect(details.message).toContain('Maximum call stack');
  });
});
