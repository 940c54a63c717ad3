/** Observed orders of convergence. */

/** Slope of log(error) over log(h) by least squares. */
export function observedOrder(steps: readonly number[], errors: readonly number[]): number {
  const x = steps.map(Math.log);
  const y = errors.map(Math.log);
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = x.reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0);
  return covariance / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

/** Largest entry by magnitude. */
export const maximum = (values: Iterable<number>): number => {
  let worst = 0;
  for (const value of values) if (!(Math.abs(value) <= worst)) worst = Math.abs(value);
  return worst;
};
