/** The continuous extension of order 7 of DOP853 (source: `dop853-stages.ts`), for which it needs three more stages. */
import type { DenseOutput } from './dense-output';
import type { Dop853Stages } from './dop853-stages';
import { LENGTH, START } from './step-data';

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
      // The others vanish for rates that are linear in time, Σ d_j = Σ d_j c_j = 0. The d_j are as large as 528, so that
      // the linear part is taken off first: it cancels exactly, and not to 528 units of rounding.
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
