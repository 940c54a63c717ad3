/**
 * The stages of the pair of Dormand and Prince of order 8 with error estimates of order 5 and 3 (DOP853): twelve of them, and the
 * rate at the new point. E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd edition, §II.5
 * and §II.10, where the coefficients are from. Stages are counted from 1 as there; stage 13 is the rate at the new point.
 *
 * Sums are written out, with coefficients that are constants of the function that uses them: V8 then compiles them
 * into the code, which makes a step of a small system twice as fast as with loops over a table.
 */
import { END, LENGTH, START, type StepData } from './step-data';

export class Dop853Stages {
  /** rates of the stages; those of 1 and 13 are the rates at both ends of the step */
  readonly k1: Float64Array;
  readonly k2: Float64Array;
  readonly k3: Float64Array;
  readonly k4: Float64Array;
  readonly k5: Float64Array;
  readonly k6: Float64Array;
  readonly k7: Float64Array;
  readonly k8: Float64Array;
  readonly k9: Float64Array;
  readonly k10: Float64Array;
  readonly k11: Float64Array;
  readonly k12: Float64Array;
  readonly k13: Float64Array;
  /** Σ b_j k_j, the mean rate of the step */
  readonly mean: Float64Array;
  /** argument of stage 12, which lies at the end of the step like the new point */
  readonly lastArgument: Float64Array;
  /** argument of the other stages */
  readonly argument: Float64Array;
  /** [0] time of a stage */
  readonly clock = new Float64Array(1);

  constructor(readonly data: StepData) {
    const n = data.system.size;
    this.k1 = data.rate0;
    this.k13 = data.rate1;
    this.k2 = new Float64Array(n);
    this.k3 = new Float64Array(n);
    this.k4 = new Float64Array(n);
    this.k5 = new Float64Array(n);
    this.k6 = new Float64Array(n);
    this.k7 = new Float64Array(n);
    this.k8 = new Float64Array(n);
    this.k9 = new Float64Array(n);
    this.k10 = new Float64Array(n);
    this.k11 = new Float64Array(n);
    this.k12 = new Float64Array(n);
    this.mean = new Float64Array(n);
    this.lastArgument = new Float64Array(n);
    this.argument = new Float64Array(n);
  }

  /** Stages 2 … 12, the new point into x1 and the rate there. */
  advance(): void {
    const C2 = 0.05260015195876773;
    const C3 = 0.0789002279381516;
    const C4 = 0.1183503419072274;
    const C5 = 0.2816496580927726;
    const C6 = 0.3333333333333333;
    const C7 = 0.25;
    const C8 = 0.3076923076923077;
    const C9 = 0.6512820512820513;
    const C10 = 0.6;
    const C11 = 0.8571428571428571;
    const A2_1 = 0.05260015195876773;
    const A3_1 = 0.0197250569845379;
    const A3_2 = 0.0591751709536137;
    const A4_1 = 0.02958758547680685;
    const A4_3 = 0.08876275643042054;
    const A5_1 = 0.2413651341592667;
    const A5_3 = -0.8845494793282861;
    const A5_4 = 0.924834003261792;
    const A6_1 = 0.037037037037037035;
    const A6_4 = 0.17082860872947386;
    const A6_5 = 0.12546768756682242;
    const A7_1 = 0.037109375;
    const A7_4 = 0.17025221101954405;
    const A7_5 = 0.06021653898045596;
    const A7_6 = -0.017578125;
    const A8_1 = 0.03709200011850479;
    const A8_4 = 0.17038392571223998;
    const A8_5 = 0.10726203044637328;
    const A8_6 = -0.015319437748624402;
    const A8_7 = 0.008273789163814023;
    const A9_1 = 0.6241109587160757;
    const A9_4 = -3.3608926294469414;
    const A9_5 = -0.868219346841726;
    const A9_6 = 27.59209969944671;
    const A9_7 = 20.154067550477894;
    const A9_8 = -43.48988418106996;
    const A10_1 = 0.47766253643826434;
    const A10_4 = -2.4881146199716677;
    const A10_5 = -0.590290826836843;
    const A10_6 = 21.230051448181193;
    const A10_7 = 15.279233632882423;
    const A10_8 = -33.28821096898486;
    const A10_9 = -0.020331201708508627;
    const A11_1 = -0.9371424300859873;
    const A11_4 = 5.186372428844064;
    const A11_5 = 1.0914373489967295;
    const A11_6 = -8.149787010746927;
    const A11_7 = -18.52006565999696;
    const A11_8 = 22.739487099350505;
    const A11_9 = 2.4936055526796523;
    const A11_10 = -3.0467644718982196;
    const A12_1 = 2.273310147516538;
    const A12_4 = -10.53449546673725;
    const A12_5 = -2.0008720582248625;
    const A12_6 = -17.9589318631188;
    const A12_7 = 27.94888452941996;
    const A12_8 = -2.8589982771350235;
    const A12_9 = -8.87285693353063;
    const A12_10 = 12.360567175794303;
    const A12_11 = 0.6433927460157636;
    const B1 = 0.054293734116568765;
    const B6 = 4.450312892752409;
    const B7 = 1.8915178993145003;
    const B8 = -5.801203960010585;
    const B9 = 0.3111643669578199;
    const B10 = -0.1521609496625161;
    const B11 = 0.20136540080403034;
    const B12 = 0.04471061572777259;
    const { system, counters, span, x0, x1 } = this.data;
    const { k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, mean, clock } = this;
    const x = this.argument;
    const last = this.lastArgument;
    const n = system.size;
    const t = span[START];
    const h = span[LENGTH];
    for (let i = 0; i < n; i++) {
      x[i] = x0[i] + h * (A2_1 * k1[i]);
    }
    clock[0] = t + C2 * h;
    system.rate(clock, x, k2);
    for (let i = 0; i < n; i++) {
      x[i] = x0[i] + h * (A3_1 * k1[i] + A3_2 * k2[i]);
    }
    clock[0] = t + C3 * h;
    system.rate(clock, x, k3);
    for (let i = 0; i < n; i++) {
      x[i] = x0[i] + h * (A4_1 * k1[i] + A4_3 * k3[i]);
    }
    clock[0] = t + C4 * h;
    system.rate(clock, x, k4);
    for (let i = 0; i < n; i++) {
      x[i] = x0[i] + h * (A5_1 * k1[i] + A5_3 * k3[i] + A5_4 * k4[i]);
    }
    clock[0] = t + C5 * h;
    system.rate(clock, x, k5);
    for (let i = 0; i < n; i++) {
      x[i] = x0[i] + h * (A6_1 * k1[i] + A6_4 * k4[i] + A6_5 * k5[i]);
    }
    clock[0] = t + C6 * h;
    system.rate(clock, x, k6);
    for (let i = 0; i < n; i++) {
      x[i] = x0[i] + h * (A7_1 * k1[i] + A7_4 * k4[i] + A7_5 * k5[i] + A7_6 * k6[i]);
    }
    clock[0] = t + C7 * h;
    system.rate(clock, x, k7);
    for (let i = 0; i < n; i++) {
      x[i] = x0[i] + h * (A8_1 * k1[i] + A8_4 * k4[i] + A8_5 * k5[i] + A8_6 * k6[i] + A8_7 * k7[i]);
    }
    clock[0] = t + C8 * h;
    system.rate(clock, x, k8);
    for (let i = 0; i < n; i++) {
      x[i] =
        x0[i] + h * (A9_1 * k1[i] + A9_4 * k4[i] + A9_5 * k5[i] + A9_6 * k6[i] + A9_7 * k7[i] + A9_8 * k8[i]);
    }
    clock[0] = t + C9 * h;
    system.rate(clock, x, k9);
    for (let i = 0; i < n; i++) {
      x[i] =
        x0[i] +
        h *
          (A10_1 * k1[i] +
            A10_4 * k4[i] +
            A10_5 * k5[i] +
            A10_6 * k6[i] +
            A10_7 * k7[i] +
            A10_8 * k8[i] +
            A10_9 * k9[i]);
    }
    clock[0] = t + C10 * h;
    system.rate(clock, x, k10);
    for (let i = 0; i < n; i++) {
      x[i] =
        x0[i] +
        h *
          (A11_1 * k1[i] +
            A11_4 * k4[i] +
            A11_5 * k5[i] +
            A11_6 * k6[i] +
            A11_7 * k7[i] +
            A11_8 * k8[i] +
            A11_9 * k9[i] +
            A11_10 * k10[i]);
    }
    clock[0] = t + C11 * h;
    system.rate(clock, x, k11);
    for (let i = 0; i < n; i++) {
      last[i] =
        x0[i] +
        h *
          (A12_1 * k1[i] +
            A12_4 * k4[i] +
            A12_5 * k5[i] +
            A12_6 * k6[i] +
            A12_7 * k7[i] +
            A12_8 * k8[i] +
            A12_9 * k9[i] +
            A12_10 * k10[i] +
            A12_11 * k11[i]);
    }
    clock[0] = span[END];
    system.rate(clock, last, k12);
    for (let i = 0; i < n; i++) {
      mean[i] =
        B1 * k1[i] +
        B6 * k6[i] +
        B7 * k7[i] +
        B8 * k8[i] +
        B9 * k9[i] +
        B10 * k10[i] +
        B11 * k11[i] +
        B12 * k12[i];
      x1[i] = x0[i] + h * mean[i];
    }
    system.rate(clock, x1, k13);
    counters.rates += 12;
  }

  /** First component of a rate that is not finite, −1 if all are; its time into `out`. */
  firstNotFinite(out: Float64Array): number {
    const { k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13 } = this;
    const nodes = [
      0.0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726,
      0.3333333333333333, 0.25, 0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0, 1,
    ];
    const rates = [k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13];
    const { span } = this.data;
    for (const [j, rate] of rates.entries()) {
      const bad = rate.findIndex((value) => !Number.isFinite(value));
      if (bad < 0) continue;
      out[0] = span[START] + nodes[j] * span[LENGTH];
      return bad;
    }
    return -1;
  }
}
