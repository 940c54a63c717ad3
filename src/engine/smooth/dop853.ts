/**
 * The stages of the pair of Dormand and Prince of order 8 with error estimates of order 5 and 3 (DOP853):
 * twelve of them, and the rate at the new point. Hairer, Nørsett and Wanner 1993 §II.5 and §II.10, where the
 * coefficients are from. Stages are counted from 1 as there; stage 13 is the rate at the new point.
 *
 * Sums are written out, with coefficients that are constants of the function that uses them: V8 then compiles
 * them into the code, which makes a step of a small system twice as fast as with loops over a table.
 */
import { type DenseOutput, END, LENGTH, START, type StepData } from './step-method';

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

/* The continuous extension of order 7 of DOP853 (source above), for which it needs three more stages. */

export class Dop853Extension {
  readonly #k14: Float64Array;
  readonly #k15: Float64Array;
  readonly #k16: Float64Array;

  constructor(private readonly stages: Dop853Stages) {
    const n = stages.data.system.size;
    this.#k14 = new Float64Array(n);
    this.#k15 = new Float64Array(n);
    this.#k16 = new Float64Array(n);
  }

  interpolate(dense: DenseOutput): void {
    this.#addStages();
    this.#combine(dense);
  }

  #addStages(): void {
    const C14 = 0.1;
    const C15 = 0.2;
    const C16 = 0.7777777777777778;
    const A14_1 = 0.056167502283047954;
    const A14_7 = 0.25350021021662483;
    const A14_8 = -0.2462390374708025;
    const A14_9 = -0.12419142326381637;
    const A14_10 = 0.15329179827876568;
    const A14_11 = 0.00820105229563469;
    const A14_12 = 0.007567897660545699;
    const A14_13 = -0.008298;
    const A15_1 = 0.03183464816350214;
    const A15_6 = 0.028300909672366776;
    const A15_7 = 0.053541988307438566;
    const A15_8 = -0.05492374857139099;
    const A15_11 = -0.00010834732869724932;
    const A15_12 = 0.0003825710908356584;
    const A15_13 = -0.00034046500868740456;
    const A15_14 = 0.1413124436746325;
    const A16_1 = -0.42889630158379194;
    const A16_6 = -4.697621415361164;
    const A16_7 = 7.683421196062599;
    const A16_8 = 4.06898981839711;
    const A16_9 = 0.3567271874552811;
    const A16_13 = -0.0013990241651590145;
    const A16_14 = 2.9475147891527724;
    const A16_15 = -9.15095847217987;
    const { k1, k6, k7, k8, k9, k10, k11, k12, k13, clock } = this.stages;
    const { system, counters, span, x0 } = this.stages.data;
    const k14 = this.#k14;
    const k15 = this.#k15;
    const k16 = this.#k16;
    const x = this.stages.argument;
    const n = system.size;
    const t = span[START];
    const h = span[LENGTH];
    for (let i = 0; i < n; i++) {
      x[i] =
        x0[i] +
        h *
          (A14_1 * k1[i] +
            A14_7 * k7[i] +
            A14_8 * k8[i] +
            A14_9 * k9[i] +
            A14_10 * k10[i] +
            A14_11 * k11[i] +
            A14_12 * k12[i] +
            A14_13 * k13[i]);
    }
    clock[0] = t + C14 * h;
    system.rate(clock, x, k14);
    for (let i = 0; i < n; i++) {
      x[i] =
        x0[i] +
        h *
          (A15_1 * k1[i] +
            A15_6 * k6[i] +
            A15_7 * k7[i] +
            A15_8 * k8[i] +
            A15_11 * k11[i] +
            A15_12 * k12[i] +
            A15_13 * k13[i] +
            A15_14 * k14[i]);
    }
    clock[0] = t + C15 * h;
    system.rate(clock, x, k15);
    for (let i = 0; i < n; i++) {
      x[i] =
        x0[i] +
        h *
          (A16_1 * k1[i] +
            A16_6 * k6[i] +
            A16_7 * k7[i] +
            A16_8 * k8[i] +
            A16_9 * k9[i] +
            A16_13 * k13[i] +
            A16_14 * k14[i] +
            A16_15 * k15[i]);
    }
    clock[0] = t + C16 * h;
    system.rate(clock, x, k16);
    counters.rates += 3;
  }

  #combine(dense: DenseOutput): void {
    const D4_6 = 0.5667149535193777;
    const D4_7 = -3.0689499459498917;
    const D4_8 = 2.38466765651207;
    const D4_9 = 2.117034582445028;
    const D4_10 = -0.871391583777973;
    const D4_11 = 2.2404374302607883;
    const D4_12 = 0.6315787787694688;
    const D4_14 = 18.148505520854727;
    const D4_15 = -9.194632392478356;
    const D4_16 = -4.436036387594894;
    const D5_6 = 242.28349177525817;
    const D5_7 = 165.20045171727028;
    const D5_8 = -374.5467547226902;
    const D5_9 = -22.113666853125306;
    const D5_10 = 7.733432668472264;
    const D5_11 = -30.674084731089398;
    const D5_12 = -9.332130526430229;
    const D5_14 = -31.139403219565178;
    const D5_15 = -9.35292435884448;
    const D5_16 = 35.81684148639408;
    const D6_6 = -387.0373087493518;
    const D6_7 = -189.17813819516758;
    const D6_8 = 527.8081592054236;
    const D6_9 = -11.57390253995963;
    const D6_10 = 6.8812326946963;
    const D6_11 = -1.0006050966910838;
    const D6_12 = 0.7777137798053443;
    const D6_14 = -60.19669523126412;
    const D6_15 = 84.32040550667716;
    const D6_16 = 11.99229113618279;
    const D7_6 = -154.18974869023643;
    const D7_7 = -231.5293791760455;
    const D7_8 = 357.6391179106141;
    const D7_9 = 93.40532418362432;
    const D7_10 = -37.45832313645163;
    const D7_11 = 104.0996495089623;
    const D7_12 = 29.8402934266605;
    const D7_14 = 96.32455395918828;
    const D7_15 = -39.17726167561544;
    const D7_16 = -149.72683625798564;
    const { k1, k6, k7, k8, k9, k10, k11, k12, k13 } = this.stages;
    const { span, x0, x1 } = this.stages.data;
    const k14 = this.#k14;
    const k15 = this.#k15;
    const k16 = this.#k16;
    const n = x0.length;
    const h = span[LENGTH];
    const f = dense.coefficients;
    dense.degree = 7;
    for (let i = 0; i < n; i++) {
      // F₀ … F₃ are Hermite's interpolation of states and rates at both ends.
      const rise = x1[i] - x0[i];
      const start = k1[i];
      const change = k13[i] - start;
      const bend = h * start - rise;
      f[i] = x0[i];
      f[n + i] = rise;
      f[2 * n + i] = bend;
      f[3 * n + i] = rise - h * k13[i] - bend;
      // The others vanish for rates that are linear in time, Σ d_j = Σ d_j c_j = 0. The d_j are as large as
      // 528, so that the linear part is taken off first: it cancels exactly, and not to 528 units of
      // rounding.
      const r6 = k6[i] - start - 0.3333333333333333 * change;
      const r7 = k7[i] - start - 0.25 * change;
      const r8 = k8[i] - start - 0.3076923076923077 * change;
      const r9 = k9[i] - start - 0.6512820512820513 * change;
      const r10 = k10[i] - start - 0.6 * change;
      const r11 = k11[i] - start - 0.8571428571428571 * change;
      const r12 = k12[i] - start - change;
      const r14 = k14[i] - start - 0.1 * change;
      const r15 = k15[i] - start - 0.2 * change;
      const r16 = k16[i] - start - 0.7777777777777778 * change;
      f[4 * n + i] =
        h *
        (D4_6 * r6 +
          D4_7 * r7 +
          D4_8 * r8 +
          D4_9 * r9 +
          D4_10 * r10 +
          D4_11 * r11 +
          D4_12 * r12 +
          D4_14 * r14 +
          D4_15 * r15 +
          D4_16 * r16);
      f[5 * n + i] =
        h *
        (D5_6 * r6 +
          D5_7 * r7 +
          D5_8 * r8 +
          D5_9 * r9 +
          D5_10 * r10 +
          D5_11 * r11 +
          D5_12 * r12 +
          D5_14 * r14 +
          D5_15 * r15 +
          D5_16 * r16);
      f[6 * n + i] =
        h *
        (D6_6 * r6 +
          D6_7 * r7 +
          D6_8 * r8 +
          D6_9 * r9 +
          D6_10 * r10 +
          D6_11 * r11 +
          D6_12 * r12 +
          D6_14 * r14 +
          D6_15 * r15 +
          D6_16 * r16);
      f[7 * n + i] =
        h *
        (D7_6 * r6 +
          D7_7 * r7 +
          D7_8 * r8 +
          D7_9 * r9 +
          D7_10 * r10 +
          D7_11 * r11 +
          D7_12 * r12 +
          D7_14 * r14 +
          D7_15 * r15 +
          D7_16 * r16);
    }
  }
}

/*
 * Error of a step of DOP853 (source above). With the estimates e₅ and e₃ of orders 5 and 3 it is
 * |e₅|²/√(|e₅|² +
 * |e₃|²/100), which behaves like h⁸ and does not vanish where e₅ does by accident.
 */

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
