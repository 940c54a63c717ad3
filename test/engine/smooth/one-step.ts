/** Single steps of a method with a given length: local errors and their orders. */
import { DenseOutput, END, LENGTH, START, StepData, type StepMethod } from '@engine/smooth/step-method';
import { type OdeSystem, SmoothCounters } from '@engine/smooth/ode-system';

export interface OneStep {
  end: Float64Array;
  /** state at θ */
  at: (theta: number) => Float64Array;
  data: StepData;
}

/** One step from (t, x) that the method must accept. */
export function oneStep(
  make: (data: StepData) => StepMethod,
  ode: OdeSystem,
  x: readonly number[],
  h: number,
  tolerance = 1,
): OneStep {
  const data = new StepData(
    ode,
    { relative: tolerance, absolute: new Float64Array(ode.size).fill(tolerance) },
    new SmoothCounters(),
  );
  data.x0.set(x);
  data.span[START] = 0.3;
  data.span[LENGTH] = h;
  data.span[END] = 0.3 + h;
  ode.rate(data.span, data.x0, data.rate0);
  const method = make(data);
  const attempt = method.attempt();
  if (attempt !== 'accepted') throw new Error(attempt);
  const dense = new DenseOutput(ode.size);
  method.interpolate(dense);
  return {
    end: data.x1,
    at: (theta) => {
      const out = new Float64Array(ode.size);
      dense.evaluate(Float64Array.of(theta), out);
      return out;
    },
    data,
  };
}
