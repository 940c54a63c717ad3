/** Multipliers that event functions ask for are computed once for each state. */
import { KnownMultipliers } from '@engine/event-driven/rows/row-events';
import type { SmoothFlow } from '@engine/event-driven/flow/smooth-flow';
import { describe, expect, it } from 'vitest';

/** λ = factor · (t + x₀, x₁), and how often it was asked for. */
function counted(): { known: KnownMultipliers; calls: () => number; setFactor: (factor: number) => void } {
  let calls = 0;
  let factor = 1;
  const lambda = new Float64Array(2);
  const flow: Pick<SmoothFlow, 'size' | 'lambda' | 'rate' | 'contacts'> = {
    size: 2,
    lambda,
    contacts: null,
    rate: (clock, x) => {
      calls++;
      lambda[0] = factor * (clock[0] + x[0]);
      lambda[1] = factor * x[1];
    },
  };
  const setFactor = (value: number): void => {
    factor = value;
  };
  return { known: new KnownMultipliers(flow, 2), calls: () => calls, setFactor };
}

function at(known: KnownMultipliers, t: number, ...x: number[]): number[] {
  known.read(Float64Array.of(t), Float64Array.from(x));
  return [...known.lambda];
}

describe('multipliers at states that come again', () => {
  it('are computed once', () => {
    const { known, calls } = counted();
    for (let row = 0; row < 3; row++)
      for (let place = 0; place < 12; place++) expect(at(known, place, 1, 2)).toEqual([place + 1, 2]);
    expect(calls()).toBe(12);
  });

  it('are distinguished by the state at one time, and by the time', () => {
    const { known, calls } = counted();
    expect(at(known, 0, 1, 2)).toEqual([1, 2]);
    expect(at(known, 0, 1, 3)).toEqual([1, 3]);
    expect(at(known, 1, 1, 2)).toEqual([2, 2]);
    expect(at(known, 0, 1, 2)).toEqual([1, 2]);
    expect(calls()).toBe(3);
  });

  it('are recomputed after the modes have changed, or when they were long ago', () => {
    const { known, calls, setFactor } = counted();
    at(known, 0, 1, 2);
    setFactor(10);
    expect(at(known, 0, 1, 2)).toEqual([1, 2]);
    known.forget();
    expect(at(known, 0, 1, 2)).toEqual([10, 20]);
    for (let place = 1; place <= 100; place++) at(known, place, 1, 2);
    expect(at(known, 0, 1, 2)).toEqual([10, 20]);
    expect(calls()).toBe(103);
  });
});
