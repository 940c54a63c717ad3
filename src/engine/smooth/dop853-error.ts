/**
 * Error of a step of DOP853 (source: `dop853-stages.ts`). With the estimates e₅ and e₃ of orders 5 and 3 it is |e₅|²/√(|e₅|² +
 * |e₃|²/100), which behaves like h⁸ and does not vanish where e₅ does by accident.
 */
import type { Dop853Stages } from './dop853-stages';
import { LENGTH } from './step-data';

/**
 * Error of the new point relative to the tolerances, into `out[0]`.
 * @param absolute tolerance of each component
 */
export function measureError(stages: Dop853Stages, absolute: Float64Array, out: Float64Array): void {
  // Weights of the estimate of order 5.
  const E1 = 0.01312004499419488;
  const E6 = -1.2251564463762044;
  const E7 = -0.4957589496572502;
  const E8 = 1.6643771824549864;
  const E9 = -0.35032884874997366;
  const E10 = 0.3341791187130175;
  const E11 = 0.08192320648511571;
  const E12 = -0.022355307863886294;
  // Weights of the formula of order 3; the estimate is the difference to it.
  const H1 = 0.24409448818897638;
  const H9 = 0.7338466882816118;
  const H12 = 0.022058823529411766;
  const { k1, k6, k7, k8, k9, k10, k11, k12, mean } = stages;
  const { tolerances, span, x0, x1 } = stages.data;
  const { relative } = tolerances;
  const n = x0.length;
  let fifth = 0;
  let third = 0;
  for (let i = 0; i < n; i++) {
    const scale = 1 / (absolute[i] + relative * Math.max(Math.abs(x0[i]), Math.abs(x1[i])));
    const e5 =
      scale *
      (E1 * k1[i] +
        E6 * k6[i] +
        E7 * k7[i] +
        E8 * k8[i] +
        E9 * k9[i] +
        E10 * k10[i] +
        E11 * k11[i] +
        E12 * k12[i]);
    const e3 = scale * (mean[i] - H1 * k1[i] - H9 * k9[i] - H12 * k12[i]);
    fifth += e5 * e5;
    third += e3 * e3;
  }
  const sum = fifth + 0.01 * third;
  out[0] = sum === 0 ? 0 : (span[LENGTH] * fifth) / Math.sqrt(sum * n);
}
