/** Script functions as models call them: each argument in its place, whatever the kind takes. */
import { describe, expect, it } from 'vitest';
import { bindPlugin, NO_TIME, NOTHING, type PluginPlace, type ScriptFunction } from '@engine/model/plugin';
import {
  PLUGIN_SIGNATURES,
  type PluginArgument,
  type PluginSignature,
} from '@engine/model/plugin-signatures';

const P = Object.freeze({ k: 2 });
const CLOCK = Float64Array.of(0.25);
const A = Float64Array.of(1, 2);
const B = Float64Array.of(3);
const place: PluginPlace = { name: 'f', element: 'body', isDerivative: false };

/** What each argument stands for in a call. */
const VALUES: Readonly<Record<Exclude<PluginArgument, 'out'>, unknown>> = {
  t: 0.25,
  x: A,
  q: A,
  v: B,
  lambda: B,
  p: P,
};

const filling = Object.entries<PluginSignature>(PLUGIN_SIGNATURES).filter(
  ([, { returns }]) => returns === 'void',
);

describe.each(filling)('a function of kind %s', (_, { parameters }) => {
  const record =
    (calls: unknown[][]): ScriptFunction =>
    (...args) => {
      calls.push(args);
    };

  it('is called with the arguments of its signature, in their order', () => {
    const calls: unknown[][] = [];
    const out = Float64Array.of(Number.NaN, 7);
    bindPlugin(record(calls), parameters, P, place, null)(CLOCK, A, B, out);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toHaveLength(parameters.length);
    parameters.forEach((name, i) => {
      expect(calls[0][i]).toBe(name === 'out' ? out : VALUES[name]);
    });
    expect([...out]).toEqual([0, 0]);
  });

  it('has derivatives that are called with the same and the Jacobian', () => {
    const calls: unknown[][] = [];
    const out = Float64Array.of(Number.NaN, 7);
    bindPlugin(record(calls), parameters, P, { ...place, isDerivative: true }, 5)(CLOCK, A, B, out);
    expect(calls[0]).toHaveLength(parameters.length + 1);
    expect(calls[0].at(-1)).toBe(out);
    parameters.forEach((name, i) => {
      if (name === 'out') expect(calls[0][i]).toEqual(new Float64Array(5));
      else expect(calls[0][i]).toBe(VALUES[name]);
    });
  });
});

describe('a value that is not finite', () => {
  const divides: ScriptFunction = (_t, out) => ((out as Float64Array)[1] = 1 / 0);

  it('is reported with function, element, entry and time', () => {
    const f = bindPlugin(divides, ['t', 'out', 'p'], P, place, null);
    expect(() => f(CLOCK, NOTHING, NOTHING, new Float64Array(2))).toThrow(
      'The script function “f” of “body” gave Infinity in entry 1 at t = 0.25 s.',
    );
  });

  it('is reported without a time where there is none', () => {
    const f = bindPlugin(
      (_q, out) => (out as Float64Array).fill(Number.NaN),
      ['q', 'out', 'p'],
      P,
      place,
      null,
    );
    expect(() => f(NO_TIME, A, NOTHING, new Float64Array(2))).toThrow(
      'The script function “f” of “body” gave NaN in entry 0.',
    );
  });

  it('of a derivative is distinguished from one of the function', () => {
    const root: ScriptFunction = (_t, _out, _p, jacobian) => (jacobian as Float64Array).fill(Number.NaN);
    const f = bindPlugin(root, ['t', 'out', 'p'], P, { ...place, isDerivative: true }, 1);
    expect(() => f(CLOCK, NOTHING, NOTHING, new Float64Array(1))).toThrow(
      'The derivative of the script function “f”',
    );
  });
});
