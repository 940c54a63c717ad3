/**
 * First-order schemes as the certificate sees them. In a system whose terms cancel, as of a circuit that has
 * nothing left to do, what is left is rounding; therefore that of each term, CANCELLATION of its magnitude,
 * is taken off the residual.
 */
import { CheckedProduct } from '../../certificate/checked-product';
import {
  DYNAMICS,
  LargestResidual,
  type WrittenResidual,
  writeRelative,
} from '../../certificate/residual-maxima';
import type { AssignedIntegrator } from '../../integrators/registry';
import { gammaOf } from '../../model/settings/integrators';
import { sparseFromPattern } from '../../linalg/sparse';
import type { FirstOrderForm } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { DynamicsMemory } from '../state';
import { CANCELLATION, type DynamicsCheck, type StepMaxima } from './dynamics-check';
import type { StepWriter, Term } from '../../straight-line/writer';
import type { CheckContext } from './relations';

interface Member {
  readonly system: number;
  readonly form: FirstOrderForm;
  readonly dof: number;
  readonly x: Float64Array;
  /** f at the start and the end of the step */
  readonly rate0: Float64Array;
  readonly rate1: Float64Array;
  /** A where it is constant: what cancels in f; null of others, of which nothing but values is known */
  readonly matrix: CheckedProduct | null;
  /** A x, and the sums of its terms' magnitudes at the start and the end of the step */
  readonly product: Float64Array;
  readonly rateSize0: Float64Array;
  readonly rateSize1: Float64Array;
  /** r at the start of the step, and the sums of its terms' magnitudes */
  readonly input0: Float64Array;
  readonly inputSize0: Float64Array;
  readonly residual: LargestResidual;
}

function members(
  context: CheckContext,
  model: NonSmoothDynamicalSystem,
  systems: readonly number[],
): Member[] {
  return systems.map((s) => {
    const form = model.systems[s].form as FirstOrderForm;
    const vector = (): Float64Array => new Float64Array(form.size);
    return {
      system: s,
      form,
      dof: context.offsets[s],
      x: vector(),
      rate0: vector(),
      rate1: vector(),
      matrix: constantMatrix(form, context.clock),
      product: vector(),
      rateSize0: vector(),
      rateSize1: vector(),
      input0: vector(),
      inputSize0: vector(),
      residual: new LargestResidual(),
    };
  });
}

function constantMatrix(form: FirstOrderForm, clock: Float64Array): CheckedProduct | null {
  const { size: n } = form;
  if (form.rateKind !== 'constant') return null;
  if (form.entries !== undefined) return new CheckedProduct(form.entries);
  const A = new Float64Array(n * n);
  form.rateJacobian(clock, new Float64Array(n), A);
  const places = Array.from({ length: n }, (_, i) => [...Array(n).keys()].filter((j) => A[i * n + j] !== 0));
  const matrix = sparseFromPattern(places);
  matrix.values.set(places.flatMap((columns, i) => columns.map((j) => A[i * n + j])));
  return new CheckedProduct(matrix);
}

function saveScales(all: readonly Member[], { momentum }: DynamicsMemory): void {
  for (const { system, residual } of all) momentum[system] = residual.entry[1];
}

function loadScales(all: readonly Member[], { momentum }: DynamicsMemory): void {
  for (const { system, residual } of all) residual.entry[1] = momentum[system];
}

/** x of a member from a state, into its work array. */
function gather({ x, dof }: Member, state: Float64Array, q: number): void {
  for (let i = 0; i < x.length; i++) x[i] = state[q + dof + i];
}

/** M (x⁺ − x⁻) = h [θ f⁺ + (1−θ) f⁻ + θ_r r⁺ + (1−θ_r) r⁻], with a γ r_{k+γ} in place of the inputs */
export class EulerMoreauCheck implements DynamicsCheck {
  readonly #members: Member[];
  readonly #theta: number;
  readonly #thetaR: number;

  constructor(
    private readonly context: CheckContext,
    model: NonSmoothDynamicalSystem,
    { systems, numbers }: AssignedIntegrator,
  ) {
    this.#members = members(context, model, systems);
    this.#theta = numbers.theta;
    // With a γ the input of the step acts throughout.
    this.#thetaR = gammaOf(numbers) === null ? numbers.thetaR : 1;
  }

  inputsChanged(): void {
    this.start();
  }

  start(): void {
    const { clock, state, q, input, inputMagnitude } = this.context;
    for (const member of this.#members) {
      const { form, dof, x, matrix, product, rate0, rateSize0, input0, inputSize0 } = member;
      gather(member, state, q);
      form.rate(clock, x, rate0);
      matrix?.multiply(x, product, rateSize0, 0, x.length);
      for (let i = 0; i < x.length; i++) {
        input0[i] = input[dof + i];
        inputSize0[i] = inputMagnitude[dof + i];
      }
    }
  }

  check(maxima: StepMaxima): void {
    const { clock, state, before, q, input, inputMagnitude } = this.context;
    const h = this.context.h[0];
    for (let m = 0; m < this.#members.length; m++) {
      const member = this.#members[m];
      const { form, dof, x, matrix, product, rate0, rate1, rateSize0, rateSize1 } = member;
      const { input0, inputSize0, residual } = member;
      const { entry } = residual;
      const n = form.size;
      gather(member, state, q);
      form.rate(clock, x, rate1);
      matrix?.multiply(x, product, rateSize1, 0, n);
      for (let i = 0; i < n; i++) x[i] -= before[q + dof + i];
      residual.begin(dof);
      for (let i = 0; i < n; i++) {
        let inertia = x[i];
        let magnitude = Math.abs(state[q + dof + i]);
        if (form.mass !== null) {
          inertia = 0;
          magnitude = 0;
          for (let j = 0; j < n; j++) {
            inertia += form.mass[i * n + j] * x[j];
            magnitude += Math.abs(form.mass[i * n + j] * state[q + dof + j]);
          }
        }
        const rate = h * (this.#theta * rate1[i] + (1 - this.#theta) * rate0[i]);
        const r = h * (this.#thetaR * input[dof + i] + (1 - this.#thetaR) * input0[i]);
        magnitude += h * (this.#theta * rateSize1[i] + (1 - this.#theta) * rateSize0[i]);
        magnitude += h * (this.#thetaR * inputMagnitude[dof + i] + (1 - this.#thetaR) * inputSize0[i]);
        const scale = Math.max(Math.abs(inertia), Math.abs(rate), Math.abs(r));
        if (scale > entry[1]) entry[1] = scale;
        residual.take(Math.max(0, Math.abs(inertia - rate - r) - CANCELLATION * magnitude), dof + i);
        rate0[i] = rate1[i];
        rateSize0[i] = rateSize1[i];
        input0[i] = input[dof + i];
        inputSize0[i] = inputMagnitude[dof + i];
      }
      maxima.enter(DYNAMICS, residual, clock);
    }
  }

  write(w: StepWriter): WrittenResidual[] | null {
    const isConstant = ({ form }: Member): boolean => form.rateKind === 'constant' && form.isAutonomous;
    if (!this.#members.every(isConstant)) return null;
    return this.#members.flatMap((member) => this.#writeMember(w, member));
  }

  #writeMember(w: StepWriter, member: Member): WrittenResidual[] {
    const { form, dof, rate0, rateSize0, input0, inputSize0 } = member;
    const { entry } = member.residual;
    const { clock, state, before, q, input, inputMagnitude } = this.context;
    const h = this.context.h[0];
    const n = form.size;
    const { mass } = form;
    const at = Array.from({ length: n }, (_, j) => w.get(state, q + dof + j));
    const moved = at.map((x, j) => w.constant(`${x} - ${w.get(before, q + dof + j)}`));
    const A = new Float64Array(n * n);
    const b = new Float64Array(n);
    form.rateJacobian(clock, new Float64Array(n), A);
    form.rate(clock, new Float64Array(n), b);
    const scales = [w.get(entry, 1)];
    const values: WrittenResidual[] = [];
    for (let i = 0; i < n; i++) {
      const rows = (matrix: Float64Array, x: readonly string[]): Term[] =>
        x.map((name, j): Term => [matrix[i * n + j], name]);
      const inertia = mass === null ? moved[i] : w.constant(w.sum(rows(mass, moved)));
      const sizes = (terms: readonly Term[]): string =>
        terms.flatMap((term) => (term[0] === 0 ? [] : [`abs(${w.sum([term])})`])).join(' + ') || '0';
      const momentum = mass === null ? `abs(${at[i]})` : sizes(rows(mass, at));
      const rate1 = w.constant(w.add(b[i] === 0 ? '' : w.literal(b[i]), rows(A, at)));
      const mixed = (theta: number, end: string, start: string): string =>
        w.constant(
          `${w.literal(h)} * (${w.sum([
            [theta, end],
            [1 - theta, start],
          ])})`,
        );
      const rate = mixed(this.#theta, rate1, w.get(rate0, i));
      const r = mixed(this.#thetaR, w.get(input, dof + i), w.get(input0, i));
      const rateSize1 = w.constant(sizes(rows(A, at)));
      const rateSize = mixed(this.#theta, rateSize1, w.get(rateSize0, i));
      const inputSize = mixed(this.#thetaR, w.get(inputMagnitude, dof + i), w.get(inputSize0, i));
      scales.push(`abs(${inertia})`, `abs(${rate})`, `abs(${r})`);
      const rounding = `${w.literal(CANCELLATION)} * (${momentum} + ${rateSize} + ${inputSize})`;
      values.push({
        value: w.constant(`max(0, abs(${inertia} - ${rate} - ${r}) - ${rounding})`),
        place: dof + i,
      });
      w.set(rate0, i, rate1);
      w.set(rateSize0, i, rateSize1);
      w.set(input0, i, w.get(input, dof + i));
      w.set(inputSize0, i, w.get(inputMagnitude, dof + i));
    }
    return writeRelative(w, values, w.set(entry, 1, `max(${scales.join(', ')})`));
  }

  save(memory: DynamicsMemory): void {
    saveScales(this.#members, memory);
  }

  load(memory: DynamicsMemory): void {
    loadScales(this.#members, memory);
  }
}

/**
 * x⁺ = Φ x⁻ + Ψ₀ (b⁻ + r⁺) + Ψ₁ (b⁺ − b⁻), with Φ, Ψ₀ and Ψ₁ from the Taylor series of the exponential over
 * h/2ˢ and doublings: another way than the integrator's.
 */
export class ZeroOrderHoldCheck implements DynamicsCheck {
  readonly #members: Member[];
  readonly #maps: Float64Array[];
  readonly #zero: Float64Array[];

  constructor(
    private readonly context: CheckContext,
    model: NonSmoothDynamicalSystem,
    { systems }: AssignedIntegrator,
  ) {
    this.#members = members(context, model, systems);
    this.#zero = this.#members.map(({ form }) => new Float64Array(form.size));
    this.#maps = [];
    this.changeStep();
  }

  changeStep(): void {
    const { clock, h } = this.context;
    this.#members.forEach(({ form }, m) => (this.#maps[m] = heldMaps(form, clock, h[0])));
  }

  inputsChanged(): void {
    this.start();
  }

  start(): void {
    this.#members.forEach(({ form, rate0 }, m) => {
      form.rate(this.context.clock, this.#zero[m], rate0);
    });
  }

  check(maxima: StepMaxima): void {
    const { clock, state, before, q, input, inputMagnitude } = this.context;
    for (let m = 0; m < this.#members.length; m++) {
      const { form, dof, rate0, rate1, residual } = this.#members[m];
      const { entry } = residual;
      const n = form.size;
      const map = this.#maps[m];
      form.rate(clock, this.#zero[m], rate1);
      residual.begin(dof);
      for (let i = 0; i < n; i++) {
        let x = 0;
        let magnitude = 0;
        let scale = Math.abs(state[q + dof + i]);
        for (let j = 0; j < n; j++) {
          const at = i * 3 * n;
          const parts =
            map[at + j] * before[q + dof + j] +
            map[at + n + j] * (rate0[j] + input[dof + j]) +
            map[at + 2 * n + j] * (rate1[j] - rate0[j]);
          x += parts;
          magnitude += Math.abs(map[at + n + j]) * inputMagnitude[dof + j];
          scale = Math.max(scale, Math.abs(parts));
        }
        if (scale > entry[1]) entry[1] = scale;
        residual.take(Math.max(0, Math.abs(state[q + dof + i] - x) - CANCELLATION * magnitude), dof + i);
      }
      for (let i = 0; i < n; i++) rate0[i] = rate1[i];
      maxima.enter(DYNAMICS, residual, clock);
    }
  }

  save(memory: DynamicsMemory): void {
    saveScales(this.#members, memory);
  }

  load(memory: DynamicsMemory): void {
    loadScales(this.#members, memory);
  }
}

/** ‖·‖ of the scaled step at which the series needs few terms. */
const SMALL_STEP = 0.25;
/** Terms after which the series is below rounding at that size. */
const TERMS = 20;

/** [Φ Ψ₀ Ψ₁], n × 3n, by solving ẋ = M⁻¹ (A x + u + t v / h) from unit initial values with Taylor steps. */
function heldMaps(form: FirstOrderForm, clock: Float64Array, h: number): Float64Array {
  const n = form.size;
  const A = new Float64Array(n * n);
  form.rateJacobian(clock, new Float64Array(n), A);
  const solveMass = massSolver(form);
  // The series runs on M⁻¹A, whose size a small M decides.
  let largest = 0;
  for (let j = 0; j < n; j++) {
    const column = solveMass(Float64Array.from({ length: n }, (_, i) => A[i * n + j]));
    for (const value of column) largest = Math.max(largest, Math.abs(value));
  }
  const norm = largest * n * h;
  const steps = 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(norm, SMALL_STEP) / SMALL_STEP)));
  const step = h / steps;
  const map = new Float64Array(n * 3 * n);
  for (let column = 0; column < 3 * n; column++) {
    let x = new Float64Array(n);
    const u = new Float64Array(n);
    const v = new Float64Array(n);
    [x, u, v][Math.floor(column / n)][column % n] = 1;
    for (let k = 0; k < steps; k++) x = taylorStep(A, solveMass, x, u, v, k * step, step, h);
    for (let i = 0; i < n; i++) map[i * 3 * n + column] = x[i];
  }
  return map;
}

function taylorStep(
  A: Float64Array,
  solveMass: (b: Float64Array) => Float64Array,
  x: Float64Array,
  u: Float64Array,
  v: Float64Array,
  t: number,
  step: number,
  h: number,
): Float64Array<ArrayBuffer> {
  const n = x.length;
  const sum = Float64Array.from(x);
  let derivative = x;
  let factor = 1;
  for (let order = 1; order <= TERMS; order++) {
    const b = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) b[i] += A[i * n + j] * derivative[j];
      // The first derivative sees the sources, the second their slope.
      if (order === 1) b[i] += u[i] + (t / h) * v[i];
      if (order === 2) b[i] += v[i] / h;
    }
    derivative = solveMass(b);
    factor *= step / order;
    for (let i = 0; i < n; i++) sum[i] += factor * derivative[i];
  }
  return sum;
}

/** Gauss–Jordan elimination with row exchanges: short, and not the integrator's. */
function massSolver({ mass, size: n }: FirstOrderForm): (b: Float64Array) => Float64Array {
  if (mass === null) return (b) => b;
  return (b) => {
    const a = mass.slice();
    const x = b.slice();
    for (let k = 0; k < n; k++) {
      let pivot = k;
      for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]) > Math.abs(a[pivot * n + k])) pivot = i;
      for (let j = 0; j < n; j++) [a[k * n + j], a[pivot * n + j]] = [a[pivot * n + j], a[k * n + j]];
      [x[k], x[pivot]] = [x[pivot], x[k]];
      for (let i = 0; i < n; i++) {
        if (i === k) continue;
        const factor = a[i * n + k] / a[k * n + k];
        for (let j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        x[i] -= factor * x[k];
      }
    }
    for (let i = 0; i < n; i++) x[i] /= a[i * n + i];
    return x;
  };
}
