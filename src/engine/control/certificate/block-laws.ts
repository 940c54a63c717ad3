/**
 * What the output of each kind of block has to be at a sample, said once more: of its fields, its inputs at
 * this sample and the one before, and its outputs as they were recorded. Nothing of the blocks is used.
 *
 * A law gives an interval for each entry of the output, one point where the law is a function. Implicit laws
 * are not solved: what they predict follows from the output that was found, and the output has to be one that
 * the law allows at that,
 *
 *     u − u_eq ∈ −α Sgn(C (Φ x_k + Ψ u)),
 *
 * or, of twisting, u ∈ G ⟨c, F⟩ with F the face of K that −x_{k+1} points at.
 */
import type { FieldReader } from '../../model/field-reader';
import { type HeldModel, heldModel, identity, invert, normOf, times } from './held-model';

/** One sample of a block. */
export interface BlockSample {
  /** samples of it so far */
  count: number;
  /** its inputs at this sample, and at the one before */
  readonly inputs: Float64Array;
  readonly last: Float64Array;
  /** its output up to this sample, and from it on, as recorded */
  readonly held: Float64Array;
  readonly found: Float64Array;
  /** what a law has noted of samples before */
  readonly memory: Float64Array;
  /** what the law allows, and what roundings may come to */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly slack: Float64Array;
}

export interface BlockLaw {
  /** keys of its inputs, in the order in which a sample has them */
  readonly inputs: readonly string[];
  /** entries of its memory, 0 at the start */
  readonly memory: number;
  judge(sample: BlockSample): void;
}

type Maker = (fields: FieldReader, period: number) => BlockLaw;

const EPSILON = Number.EPSILON;
/** Roundings of a few operations. */
const FEW = 16 * EPSILON;

/** Of a sum: its value, the sum of its magnitudes, its terms, and what else its roundings may come to. */
const [VALUE, SIZE, TERMS, MORE] = [0, 1, 2, 3];

/** Written for the loop of samples: numbers stand in an array, and products are added where they are. */
class Sum {
  readonly #numbers = new Float64Array(4);

  begin(): this {
    const numbers = this.#numbers;
    numbers[VALUE] = 0;
    numbers[SIZE] = 0;
    numbers[TERMS] = 0;
    numbers[MORE] = 0;
    return this;
  }

  add(value: number): this {
    const numbers = this.#numbers;
    numbers[VALUE] += value;
    numbers[SIZE] += Math.abs(value);
    numbers[TERMS]++;
    return this;
  }

  /** A row of M times x, which begins within a longer vector. */
  product(M: Float64Array, row: number, columns: number, x: Float64Array, at = 0, sign = 1): this {
    const numbers = this.#numbers;
    let value = 0;
    let size = 0;
    for (let j = 0; j < columns; j++) {
      const term = M[row * columns + j] * x[at + j];
      value += term;
      size += Math.abs(term);
    }
    numbers[VALUE] += sign * value;
    numbers[SIZE] += size;
    numbers[TERMS] += columns;
    return this;
  }

  /** Nothing but roundings. */
  blur(error: number): this {
    this.#numbers[MORE] += error;
    return this;
  }

  get value(): number {
    return this.#numbers[VALUE];
  }

  /** sum of the magnitudes */
  get size(): number {
    return this.#numbers[SIZE];
  }

  get slack(): number {
    const numbers = this.#numbers;
    return (FEW + 4 * numbers[TERMS] * EPSILON) * numbers[SIZE] + numbers[MORE];
  }
}

const sum = new Sum();

/** A single value that the output is to have. */
function expect(sample: BlockSample, i: number, value: number, slack: number): void {
  sample.lower[i] = value;
  sample.upper[i] = value;
  sample.slack[i] = slack;
}

/** −α Sgn σ, where σ is zero up to its slack: all in between. */
function relay(sample: BlockSample, i: number, from: number, alpha: number, sigma: Sum, slack: number): void {
  const isZero = Math.abs(sigma.value) <= 16 * sigma.slack;
  sample.lower[i] = from - (sigma.value > 0 || isZero ? alpha : -alpha);
  sample.upper[i] = from + (sigma.value < 0 || isZero ? alpha : -alpha);
  sample.slack[i] = slack + FEW * (alpha + Math.abs(from));
}

const sizeOf = (x: Float64Array, from: number, count: number): number => {
  let size = 0;
  for (let k = from; k < from + count; k++) size += Math.abs(x[k]);
  return size;
};

const countOf = (fields: FieldReader, key: string): number => fields.signals(key).length;

const matrixOf = (fields: FieldReader, key: string, rows: number, columns: number): Float64Array =>
  (fields.has(key) ? fields.matrix(key, rows, columns) : null) ?? new Float64Array(rows * columns);

const boundsOf = (fields: FieldReader): readonly [number, number] => [
  fields.has('lower') ? fields.number('lower') : -Infinity,
  fields.has('upper') ? fields.number('upper') : Infinity,
];

/** Whatever is above the one bound, or below the other, becomes the bound. */
const between = (x: number, lower: number, upper: number): number =>
  x > upper ? upper : x < lower ? lower : x;

/** Laws of one signal after the other. */
const signalwise = (judge: (sample: BlockSample, i: number, x: number) => void): BlockLaw => ({
  inputs: ['x'],
  memory: 0,
  judge(sample) {
    for (let i = 0; i < sample.inputs.length; i++) judge(sample, i, sample.inputs[i]);
  },
});

const sampleAndHold: Maker = () =>
  signalwise((sample, i, x) => {
    expect(sample, i, x, FEW * Math.abs(x));
  });

const saturation: Maker = (fields) => {
  const [lower, upper] = boundsOf(fields);
  return signalwise((sample, i, x) => {
    expect(sample, i, between(x, lower, upper), FEW * Math.abs(x));
  });
};

const quantiser: Maker = (fields) => {
  const step = fields.number('step');
  return signalwise((sample, i, x) => {
    // Halves are rounded up; what is a half up to rounding, either way.
    const steps = x / step;
    const blur = FEW * (1 + Math.abs(steps));
    sample.lower[i] = step * Math.round(steps - blur);
    sample.upper[i] = step * Math.round(steps + blur);
    sample.slack[i] = FEW * Math.abs(x);
  });
};

const rateLimiter: Maker = (fields, period) => {
  const rise = fields.number('rise');
  const fall = fields.has('fall') ? fields.number('fall') : rise;
  return signalwise((sample, i, x) => {
    const before = sample.held[i];
    const slack = FEW * (Math.abs(before) + Math.abs(x));
    expect(
      sample,
      i,
      sample.count === 0 ? x : between(x, before - fall * period, before + rise * period),
      slack,
    );
  });
};

/** Inputs of the last samples, the oldest at the place that the next one takes. */
const delay: Maker = (fields) => {
  const n = countOf(fields, 'x');
  const samples = fields.number('samples');
  const initial = fields.number('initial');
  return {
    inputs: ['x'],
    memory: n * samples,
    judge(sample) {
      const { count, memory, inputs } = sample;
      const at = n * (count % samples);
      for (let i = 0; i < n; i++) {
        const value = count < samples ? initial : memory[at + i];
        expect(sample, i, value, FEW * Math.abs(value));
        memory[at + i] = inputs[i];
      }
    },
  };
};

/** y = M x + N r with inputs of these names. */
const combination =
  (keys: readonly [string, string], matrices: readonly [string, string], sign: number): Maker =>
  (fields) => {
    const rows = fields.matrixRows(matrices[0]);
    const [n, m] = keys.map((key) => countOf(fields, key));
    const [M, N] = [matrixOf(fields, matrices[0], rows, n), matrixOf(fields, matrices[1], rows, m)];
    return {
      inputs: keys,
      memory: 0,
      judge(sample) {
        const { inputs } = sample;
        for (let i = 0; i < rows; i++) {
          sum.begin().product(M, i, n, inputs, 0, sign).product(N, i, m, inputs, n);
          expect(sample, i, sum.value, sum.slack);
        }
      },
    };
  };

/** Memory: the integral, the last error, and what roundings of the integral may have come to. */
const pid: Maker = (fields, period) => {
  const [kp, ki, kd] = ['kp', 'ki', 'kd'].map((key) => fields.number(key));
  const [lower, upper] = boundsOf(fields);
  return {
    inputs: ['measured', 'reference'],
    memory: 3,
    judge(sample) {
      const { inputs, memory } = sample;
      const integral = memory[0];
      const before = memory[1];
      const error = inputs[1] - inputs[0];
      const increment = ki * error * period;
      sum
        .begin()
        .add(kp * error)
        .add(integral)
        .add((kd * (error - before)) / period)
        .blur(memory[2]);
      const others = sum.value;
      sum.add(increment);
      expect(sample, 0, between(sum.value, lower, upper), sum.slack);
      // No more of the increment than there is room for before a bound.
      const room = increment > 0 ? upper - others : others - lower;
      const taken = Math.min(Math.abs(increment), Math.max(0, room));
      memory[0] = integral + Math.sign(increment) * taken;
      memory[1] = error;
      memory[2] += FEW * sum.size;
    },
  };
};

/* Blocks that know a model of the plant. */

const squareOf = (fields: FieldReader): { readonly n: number; readonly A: Float64Array } => {
  const n = fields.matrixRows('A');
  return { n, A: matrixOf(fields, 'A', n, n) };
};

/** Φ x + Ψ u by entry, added to the sum. */
function predict(
  { phi, psi, phiError, psiError }: HeldModel,
  i: number,
  n: number,
  m: number,
  x: Float64Array,
  u: Float64Array,
  at: number,
): void {
  sum.product(phi, i, n, x).product(psi, i, m, u, at);
  sum.blur(phiError * sizeOf(x, 0, n) + psiError * sizeOf(u, at, m));
}

const observerOf = (fields: FieldReader, period: number) => {
  const { n, A } = squareOf(fields);
  const p = fields.matrixRows('C');
  const m = countOf(fields, 'control');
  const C = matrixOf(fields, 'C', p, n);
  return {
    n,
    p,
    m,
    C,
    x0: fields.has('x0') ? fields.vector('x0', n) : new Float64Array(n),
    byControl: heldModel(A, matrixOf(fields, 'B', n, m), n, m, period),
    byInnovation: heldModel(A, matrixOf(fields, 'L', n, p), n, p, period),
    inputs: ['measured', 'control'],
  };
};

/** y − C x, and what its roundings may come to, one after the other in `out`. */
function innovate(
  y: Float64Array,
  C: Float64Array,
  p: number,
  n: number,
  x: Float64Array,
  out: Float64Array,
): void {
  for (let i = 0; i < p; i++) {
    sum.begin().add(y[i]).product(C, i, n, x, 0, -1);
    out[i] = sum.value;
    out[p + i] = sum.slack;
  }
}

/** What an innovation adds to the sum. */
function correct({ psi, psiError }: HeldModel, i: number, p: number, innovation: Float64Array): void {
  sum.product(psi, i, p, innovation).blur(psiError * sizeOf(innovation, 0, p));
  for (let k = 0; k < p; k++) sum.blur(Math.abs(psi[i * p + k]) * innovation[p + k]);
}

const luenbergerObserver: Maker = (fields, period) => {
  const { n, p, m, C, x0, byControl, byInnovation, inputs } = observerOf(fields, period);
  const innovation = new Float64Array(2 * p);
  return {
    inputs,
    memory: 0,
    judge(sample) {
      const { last, held } = sample;
      innovate(last, C, p, n, held, innovation);
      for (let i = 0; i < n; i++) {
        if (sample.count === 0) {
          expect(sample, i, x0[i], FEW * Math.abs(x0[i]));
          continue;
        }
        sum.begin();
        predict(byControl, i, n, m, held, last, p);
        correct(byInnovation, i, p, innovation);
        expect(sample, i, sum.value, sum.slack);
      }
    },
  };
};

const reducedOrderObserver: Maker = (fields, period) => {
  const { n, p, m, C, x0, byControl, byInnovation, inputs } = observerOf(fields, period);
  const transposed = Float64Array.from({ length: n * p }, (_, k) => C[(k % p) * n + Math.floor(k / p)]);
  const { inverse, condition } = invert(times(C, transposed, p, n, p), p);
  const least = times(transposed, inverse, n, p, p);
  const leastError = 64 * n * EPSILON * condition * normOf(least, p);
  const first: HeldModel = { phi: C, psi: least, phiError: 0, psiError: leastError };
  const innovation = new Float64Array(2 * p);
  const predicted = new Float64Array(n);
  const slack = new Float64Array(n);
  return {
    inputs,
    memory: 0,
    judge(sample) {
      const isFirst = sample.count === 0;
      for (let i = 0; i < n; i++) {
        sum.begin();
        if (isFirst) sum.add(x0[i]);
        else predict(byControl, i, n, m, sample.held, sample.last, p);
        predicted[i] = sum.value;
        slack[i] = sum.slack;
      }
      innovate(sample.inputs, C, p, n, predicted, innovation);
      for (let k = 0; k < p; k++)
        for (let j = 0; j < n; j++) innovation[p + k] += Math.abs(C[k * n + j]) * slack[j];
      for (let i = 0; i < n; i++) {
        sum.begin().add(predicted[i]).blur(slack[i]);
        correct(isFirst ? first : byInnovation, i, p, innovation);
        expect(sample, i, sum.value, sum.slack);
      }
    },
  };
};

const surfaceOf = (fields: FieldReader, period: number) => {
  const { n, A } = squareOf(fields);
  const m = fields.matrixColumns('B');
  const B = matrixOf(fields, 'B', n, m);
  const C = matrixOf(fields, 'C', m, n);
  return { n, m, A, B, C, model: heldModel(A, B, n, m, period), alpha: fields.number('alpha') };
};

/**
 * u_eq = E x: with x₊ = Φ x + Ψ u_eq of the plant under it, C B u_eq = −C A ((1−θ) x + θ x₊), so that
 *
 *     (C B + θ C A Ψ) u_eq = −C A ((1−θ) I + θ Φ) x.
 */
const slidingModeControl: Maker = (fields, period) => {
  const { n, m, A, B, C, model, alpha } = surfaceOf(fields, period);
  const isImplicit = fields.choice('method') === 'implicit';
  const theta = fields.number('theta');
  const CA = times(C, A, m, n, n);
  const CB = times(C, B, m, n, m);
  const CAPsi = times(CA, model.psi, m, n, m);
  const { inverse, condition } = invert(
    CB.map((value, k) => value + theta * CAPsi[k]),
    m,
  );
  const start = identity(n).map((value, k) => (1 - theta) * value + theta * model.phi[k]);
  const hasPart = fields.choice('equivalent') === 'yes';
  const gain = times(inverse, times(CA, start, m, n, n), m, m, n).map((value) => (hasPart ? -value : 0));
  const conditions = condition + invert(CB, m).condition;
  const gainError = 64 * n * EPSILON * conditions * normOf(gain, n) + model.phiError * normOf(gain, n);
  const part = new Float64Array(2 * m);
  const ahead = new Float64Array(2 * n);
  return {
    inputs: ['x'],
    memory: 0,
    judge(sample) {
      const { inputs, found } = sample;
      const size = sizeOf(inputs, 0, n);
      for (let i = 0; i < m; i++) {
        sum
          .begin()
          .product(gain, i, n, inputs)
          .blur(gainError * size);
        part[i] = sum.value;
        part[m + i] = sum.slack;
      }
      for (let i = 0; i < n; i++) {
        sum.begin();
        if (isImplicit) predict(model, i, n, m, inputs, found, 0);
        else sum.add(inputs[i]);
        // Of the parts, which may cancel.
        for (let j = 0; j < m; j++)
          sum.blur(Math.abs(model.psi[i * m + j]) * FEW * (Math.abs(part[j]) + alpha));
        ahead[i] = sum.value;
        ahead[n + i] = isImplicit ? sum.slack : 0;
      }
      for (let i = 0; i < m; i++) {
        sum.begin().product(C, i, n, ahead);
        for (let j = 0; j < n; j++) sum.blur(Math.abs(C[i * n + j]) * ahead[n + j]);
        relay(sample, i, part[i], alpha, sum, part[m + i]);
      }
    },
  };
};

const slidingModeOT2: Maker = (fields, period) => {
  const { n, m, C, model, alpha } = surfaceOf(fields, period);
  const { inverse, condition } = invert(times(C, model.psi, m, n, m), m);
  const gain = times(inverse, C, m, m, n);
  const gainError = (64 * n * EPSILON + model.psiError / normOf(model.psi, m)) * condition * normOf(gain, n);
  const wanted = new Float64Array(2 * n);
  return {
    inputs: ['x'],
    memory: 0,
    judge(sample) {
      const { inputs, last, held, count } = sample;
      for (let i = 0; i < n; i++) {
        sum
          .begin()
          .product(model.phi, i, n, inputs)
          .blur(model.phiError * sizeOf(inputs, 0, n));
        if (count > 0) {
          const known = sum.value;
          const slack = sum.slack;
          sum.begin();
          predict(model, i, n, m, last, held, 0);
          const before = sum.value;
          const beforeSlack = sum.slack;
          sum
            .begin()
            .add(known)
            .add(inputs[i])
            .add(-before)
            .blur(slack + beforeSlack);
        }
        wanted[i] = sum.value;
        wanted[n + i] = sum.slack;
      }
      for (let i = 0; i < m; i++) {
        sum
          .begin()
          .product(gain, i, n, wanted, 0, -1)
          .blur(gainError * sizeOf(wanted, 0, n));
        for (let j = 0; j < n; j++) sum.blur(Math.abs(gain[i * n + j]) * wanted[n + j]);
        expect(sample, i, between(sum.value, -alpha, alpha), sum.slack);
      }
    },
  };
};

const twisting: Maker = (fields, period) => {
  const gain = fields.number('gain');
  const beta = fields.number('beta');
  const A = fields.has('A') ? matrixOf(fields, 'A', 2, 2) : Float64Array.of(0, 1, 0, 0);
  const model = heldModel(A, Float64Array.of(0, 1), 2, 1, period);
  const isImplicit = fields.choice('method') === 'implicit';
  const half = period / 2;
  // Corners of K, one after the other around it.
  const corners = Float64Array.of(1, half + 1, 1, half - 1, -1, -half - 1, -1, 1 - half);
  const ahead = new Float64Array(4);
  const pull = new Float64Array(4);
  return {
    inputs: ['x'],
    memory: 0,
    judge(sample) {
      const { inputs, found } = sample;
      if (!isImplicit) {
        expect(sample, 0, -gain * (Math.sign(inputs[0]) + beta * Math.sign(inputs[1])), FEW * gain);
        return;
      }
      for (let i = 0; i < 2; i++) {
        sum.begin();
        predict(model, i, 2, 1, inputs, found, 0);
        // A control near zero has the roundings of its two parts.
        sum.blur(Math.abs(model.psi[i]) * 4 * FEW * gain * (2 + half));
        ahead[i] = sum.value;
        ahead[2 + i] = 16 * sum.slack;
      }
      let most = -Infinity;
      for (let k = 0; k < 4; k++) {
        pull[k] = -ahead[0] * corners[2 * k] - ahead[1] * corners[2 * k + 1];
        most = Math.max(most, pull[k]);
      }
      sample.lower[0] = Infinity;
      sample.upper[0] = -Infinity;
      const slack = 2 * (ahead[2] + ahead[3] * (1 + half));
      for (let k = 0; k < 4; k++) {
        if (pull[k] < most - slack) continue;
        const value = gain * (corners[2 * k] + beta * corners[2 * k + 1]);
        sample.lower[0] = Math.min(sample.lower[0], value);
        sample.upper[0] = Math.max(sample.upper[0], value);
      }
      sample.slack[0] = 4 * FEW * gain * (2 + half);
    },
  };
};

/** Memory: w, and what its roundings may have come to. */
const superTwisting: Maker = (fields, period) => {
  const k1 = fields.number('k1');
  const k2 = fields.number('k2');
  const isImplicit = fields.choice('method') === 'implicit';
  return {
    inputs: ['sigma'],
    memory: 2,
    judge(sample) {
      const { memory, inputs } = sample;
      const sigma = inputs[0];
      const w = memory[0];
      const error = memory[1];
      const jump = period * k2;
      let sign = Math.sign(sigma);
      let root = Math.sqrt(Math.abs(sigma));
      let blur = error;
      let isFree = true;
      let off = 0;
      if (isImplicit) {
        // σ̃ is zero, or on the side of what it would be without the signs.
        const free = sigma + period * w;
        const rest = Math.abs(free) - period * jump;
        off = FEW * (Math.abs(sigma) + period * Math.abs(w) + period * jump) + period * error;
        isFree = rest > 0;
        sign = isFree ? Math.sign(free) : free / (period * jump);
        // z² + T k₁ z = rest
        const middle = (period * k1) / 2;
        const near = Math.sqrt(middle * middle + Math.max(0, rest));
        root = isFree ? near - middle : 0;
        // What z is off by where the rest is off by so much.
        blur += k1 * (off / Math.max(near, Math.sqrt(off)) + FEW * near) + off / period;
        if (rest > off) off = 0;
      }
      sum
        .begin()
        .add(-k1 * root * sign)
        .add(w)
        .blur(blur);
      if (isImplicit) sum.add(-jump * sign);
      expect(sample, 0, sum.value, sum.slack);
      memory[0] = w - jump * sign;
      // Where σ̃ is zero, w becomes −σ/T, whatever it was.
      const rounding = FEW * (Math.abs(w) + jump + Math.abs(sigma) / period);
      memory[1] = isFree ? error + rounding + off / period : rounding;
    },
  };
};

/** By type of block. */
export const blockLaws: Readonly<Record<string, Maker>> = {
  SampleAndHold: sampleAndHold,
  LinearSensor: combination(['x', 'u'], ['C', 'D'], 1),
  StateFeedback: combination(['x', 'reference'], ['K', 'N'], -1),
  PID: pid,
  Delay: delay,
  Quantiser: quantiser,
  RateLimiter: rateLimiter,
  Saturation: saturation,
  LuenbergerObserver: luenbergerObserver,
  SlidingReducedOrderObserver: reducedOrderObserver,
  SlidingModeControl: slidingModeControl,
  SlidingModeOT2: slidingModeOT2,
  Twisting: twisting,
  SuperTwisting: superTwisting,
};
