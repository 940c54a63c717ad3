/** Derivatives of script text, run in the sandbox, and an oracle for them. */
import { expect } from 'vitest';
import {
  differentiate,
  withDerivatives,
  type DerivativeDefect,
  type DerivativeRequest,
} from '@engine/script/differentiate/differentiate';
import { createSandbox } from '@engine/script/sandbox';
import { transpileScript, type TranspiledScript } from '@engine/script/transpile';

export const sandbox = createSandbox();

export type Call = (...args: unknown[]) => unknown;

export function transpile(source: string): TranspiledScript {
  const result = transpileScript({ name: 'model.ts', role: 'functions', source: source.split('\n') }, 0);
  if (!result.ok) throw new Error(`${result.issue.message} line ${result.issue.script?.line}`);
  return result.script;
}

/** The script with one derivative, evaluated. */
export function derive(source: string | TranspiledScript, request: DerivativeRequest) {
  const script = typeof source === 'string' ? transpile(source) : source;
  const result = differentiate(script, request);
  if (!result.ok) throw new Error(`${JSON.stringify(result.defect)}\n${script.code}`);
  const whole = withDerivatives(script, [result]);
  const exports = sandbox.evaluate(whole) as Record<string, Call>;
  return {
    script: whole,
    name: result.name,
    primal: exports[request.function],
    derivative: exports[result.name],
    exports,
  };
}

/** The defect of a function that must be refused. */
export function refusalOf(source: string, request: Partial<DerivativeRequest> = {}): DerivativeDefect {
  const result = differentiate(transpile(source), { function: 'f', argument: 0, result: 1, ...request });
  if (result.ok) throw new Error(`it was differentiated:\n${result.code}`);
  return result.defect;
}

/**
 * First steps of the extrapolation; the smallest is 2⁻⁷ of it, where rounding is still below the tolerance.
 */
const LARGEST_STEP = 1e-2;
const HALVINGS = 7;

/**
 * Derivative of a function of one number by central differences, extrapolated to step zero (Ridders 1982).
 * @returns the value and what it may be wrong by
 */
function ridders(f: (x: number) => number, x: number): { value: number; error: number } {
  let best = { value: Number.NaN, error: Number.POSITIVE_INFINITY };
  let above: number[] = [];
  for (let i = 0; i <= HALVINGS; i++) {
    const h = LARGEST_STEP * Math.max(1, Math.abs(x)) * 2 ** -i;
    const row = [(f(x + h) - f(x - h)) / (x + h - (x - h))];
    for (let k = 1; k <= i; k++) {
      row.push((4 ** k * row[k - 1] - above[k - 1]) / (4 ** k - 1));
      const error = Math.max(Math.abs(row[k] - row[k - 1]), Math.abs(row[k] - above[k - 1]));
      if (error <= best.error) best = { value: row[k], error };
    }
    above = row;
  }
  return best;
}

/** Jacobian of `(x, out)` by extrapolated differences, row by row, with error estimates. */
function oracle(
  f: (x: Float64Array, out: Float64Array) => void,
  x: Float64Array,
  rows: number,
): { values: Float64Array; errors: Float64Array } {
  const values = new Float64Array(rows * x.length);
  const errors = new Float64Array(rows * x.length);
  for (let j = 0; j < x.length; j++) {
    for (let i = 0; i < rows; i++) {
      const along = (at: number): number => {
        const moved = x.slice();
        moved[j] = at;
        const out = new Float64Array(rows);
        f(moved, out);
        return out[i];
      };
      const { value, error } = ridders(along, x[j]);
      values[i * x.length + j] = value;
      errors[i * x.length + j] = error;
    }
  }
  return { values, errors };
}

/** Relative accuracy of the oracle for functions of the size of one. */
const ORACLE_TOLERANCE = 1e-8;

/**
 * Differentiates `export function f(x, out)`, and expects the same bits of its value and the oracle's
 * Jacobian. Also the derivative along a direction must be the Jacobian times it.
 * @returns the Jacobian
 */
export function expectJacobian(source: string, at: readonly number[], rows: number): Float64Array {
  const request = { function: 'f', argument: 0, result: 1 } as const;
  const { primal, derivative } = derive(source, request);
  const x = Float64Array.from(at);
  const out = new Float64Array(rows);
  const own = new Float64Array(rows);
  const jacobian = new Float64Array(rows * x.length).fill(Number.NaN);
  derivative(x.slice(), out, jacobian);
  primal(x.slice(), own);
  expectSameBits(out, own, source);
  const { values, errors } = oracle((moved, filled) => void primal(moved, filled), x, rows);
  for (let i = 0; i < values.length; i++) {
    const bound = 10 * errors[i] + ORACLE_TOLERANCE * Math.max(1, Math.abs(values[i]));
    if (!(Math.abs(jacobian[i] - values[i]) <= bound)) {
      throw new Error(
        `entry ${i} of the Jacobian is ${jacobian[i]}, by differences ${values[i]} ± ${errors[i]} at ${x.join(', ')}\n${source}`,
      );
    }
  }
  expectDirection(source, x, jacobian, rows);
  return jacobian;
}

function expectSameBits(actual: Float64Array, expected: Float64Array, what = ''): void {
  for (let i = 0; i < expected.length; i++) {
    if (!Object.is(actual[i], expected[i]))
      throw new Error(`entry ${i}: ${actual[i]} instead of ${expected[i]}\n${what}`);
  }
}

function expectDirection(source: string, x: Float64Array, jacobian: Float64Array, rows: number): void {
  const { derivative } = derive(source, { function: 'f', argument: 0, result: 1, kind: 'direction' });
  const direction = Float64Array.from(x, (_, j) => 0.5 - 0.3 * j);
  const tangent = new Float64Array(rows).fill(Number.NaN);
  derivative(x.slice(), new Float64Array(rows), direction, tangent);
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    let size = 1;
    for (let j = 0; j < x.length; j++) {
      sum += jacobian[i * x.length + j] * direction[j];
      size += Math.abs(jacobian[i * x.length + j]);
    }
    expect(Math.abs(tangent[i] - sum), `row ${i} along a direction\n${source}`).toBeLessThanOrEqual(
      1e-12 * size,
    );
  }
}
