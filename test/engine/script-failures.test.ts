/**
 * Failures of script functions tell of the call they happened in: who called, with what, and which statement
 * went wrong.
 */
import { describe, expect, it } from 'vitest';
import type { EngineErrorDetails } from '@engine/errors';
import { createSandbox } from '@engine/script/sandbox';
import { model, particle, withFunctions } from './support/models';
import { refusal, runFailure } from './support/run';

const sandbox = createSandbox;

/** A particle with an internal force, h = 1/8 s. */
const pushed = (...body: string[]): ReturnType<typeof model> => {
  const document = withFunctions(
    model([particle('ball', 1, 2, { type: 'LagrangianNonLinear', fInt: { function: 'pull' } })], [], {
      h: 0.125,
      tEnd: 1,
    }),
    'export const pull: InternalForce = (t, q, v, out, p) => {',
    ...body,
    '};',
  );
  document.parameters.push({ name: 'k', value: 3 }, { name: 'unused', value: 1 });
  return document;
};

const valuesOf = ({ call }: EngineErrorDetails): Record<string, string> =>
  Object.fromEntries((call?.values ?? []).map(({ name, value }) => [name, value]));

describe('a script function that throws', () => {
  it('is reported with its element, step, arguments, parameters and variables', () => {
    const { error } = runFailure(
      pushed('const stretch = q[0] * p.k;', "if (t > 0.5) throw new Error('torn');", 'out[0] = stretch;'),
      { sandbox },
    );
    expect(error).toMatchObject({
      code: 'script-error',
      where: 'ball',
      script: { name: 'functions.ts', line: 3 },
      call: { function: 'pull', element: 'ball' },
    });
    expect(error.call?.step).toBeGreaterThanOrEqual(4);
    const values = valuesOf(error);
    expect(Number(values.t)).toBeGreaterThan(0.5);
    expect(values.q).toMatch(/^\[-?[\d.e-]+\]$/);
    expect(values.v).toMatch(/^\[/);
    expect(values['p.k']).toBe('3');
    expect(values).not.toHaveProperty('p.unused');
    expect(Number(values.stretch)).toBeCloseTo(3 * Number(values.q.slice(1, -1)), 12);
  });

  it('is reported at the start, too', () => {
    const error = refusal(pushed('throw new Error("cold");'), { sandbox });
    expect(error).toMatchObject({ script: { line: 2 }, call: { element: 'ball', step: 0 } });
  });
});

describe('a script function that gives what is not finite', () => {
  it('is reported with the first statement that does', () => {
    const { error } = runFailure(
      pushed(
        'const root = Math.sqrt(0.5 - t);',
        'let smallest = Infinity;',
        'smallest = 1;',
        'out[0] = root * smallest;',
      ),
      { sandbox },
    );
    expect(error).toMatchObject({
      code: 'script-not-finite',
      where: 'ball',
      script: { name: 'functions.ts', line: 2, column: 7 },
      call: { statement: 'root = Math.sqrt(0.5 - t) gives NaN' },
    });
    expect(valuesOf(error)).toMatchObject({ root: 'NaN', smallest: '1' });
  });

  it('and reads beyond a vector is reported', () => {
    const error = refusal(pushed('out[0] = p.k *', '  q[3];'), { sandbox });
    expect(error.code).toBe('script-not-finite');
    expect(error.message).toContain('q[3] was read, but q has 1 entry');
    expect(error.script).toMatchObject({ name: 'functions.ts', line: 2 });
  });

  it('in its derivative alone is placed at the function', () => {
    const document = pushed('out[0] = Math.cbrt(q[0] - 1);');
    document.systems[0].v0 = [0];
    const { error } = runFailure(document, { sandbox });
    expect(error).toMatchObject({
      code: 'script-not-finite',
      call: { isDerivative: true, function: 'pull' },
    });
    expect(error.script).toMatchObject({ name: 'functions.ts', line: 1 });
  });

  it('cuts long vectors', () => {
    const document = pushed('out[0] = q[0] / 0;');
    const n = 30;
    document.systems[0] = {
      ...document.systems[0],
      ndof: n,
      mass: Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_x, k) => (i === k ? 1 : 0))),
      q0: Array.from({ length: n }, (_, i) => i),
      v0: new Array<number>(n).fill(0),
    };
    const error = refusal(document, { sandbox });
    expect(valuesOf(error).q).toMatch(/^\[0, 1, .*11, …\] \(30 entries\)$/);
  });
});

describe('an observable function', () => {
  const watched = (body: string): ReturnType<typeof model> => {
    const document = withFunctions(
      model([particle('ball', 1, 2)], [], { h: 0.125, tEnd: 1 }),
      'export const height: Observable = (t, q, v, p) => {',
      body,
      '};',
    );
    document.observables.push({ name: 'top', function: 'height', system: 'ball' });
    return document;
  };

  it.each([
    ['throws', "if (t > 0.5) throw new Error('gone'); return q[0];", 'script-error'],
    ['gives NaN', 'return Math.sqrt(0.5 - t);', 'script-not-finite'],
  ])('that %s is reported with its values', (_, body, code) => {
    const { error } = runFailure(watched(body), { sandbox });
    expect(error).toMatchObject({
      code,
      where: 'ball',
      script: { name: 'functions.ts', line: 2 },
      call: { function: 'height', element: 'ball', step: 5 },
    });
    expect(valuesOf(error).t).toBe('0.625');
  });
});

describe('what scripts say', () => {
  it('comes with level and line', () => {
    const said: unknown[] = [];
    const quiet = createSandbox(({ script, level, text, line }) =>
      said.push({ script, level, text, line: line() }),
    );
    const code = '\nconsole.warn("slow", Float64Array.of(1, 2), { a: 1 });\n  console.error("stop");';
    quiet.evaluate({ name: 'talk.ts', code, exports: [] });
    expect(said).toEqual([
      { script: 'talk.ts', level: 'warn', text: 'slow [1, 2] {"a":1}', line: 2 },
      { script: 'talk.ts', level: 'error', text: 'stop', line: 3 },
    ]);
  });
});
