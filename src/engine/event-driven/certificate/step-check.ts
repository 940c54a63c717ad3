/**
 * Steps of generalised-α against the method's own equations. The quadrature of `motion-check.ts` would find
 * what a step of order 2 leaves out, which is no defect of the solution; here the equations of the step are
 * formed again from the model's functions at its two ends,
 *
 *     q̈₀ = M(q₀)⁻¹ (F(t₀, q₀, v₀) + p₀) − c̈₀,     q̈₁ likewise with the multipliers there,
 *     a₁ = ((1 − α_f) q̈₁ + α_f q̈₀ − α_m a₀) / (1 − α_m),
 *     r_q = q₁ − q₀ − h v₀ − h² ((½ − β) a₀ + β a₁),
 *     r_v = M(q₁) (v₁ − v₀ − h ((1 − γ) a₀ + γ a₁)),
 *
 * with an algorithmic acceleration that is carried along here, from the last event on: that of the method is
 * not asked for. Its offset a − q̈ goes with the length of the steps, at most doubled. Where the step was
 * divided by an event, the state there is compared with the cubic of Hermite through the ends. Neither
 * Newton's method nor its matrix is used. How far the steps are from the motion is what the measured accuracy
 * says.
 */
import { relative } from '../../certificate/residual-maxima';
import { factorDense, solveDense } from '../../linalg/lu';
import { larger } from '../../linalg/nan-safe';
import type { FirstOrderForm, LagrangianForm } from '../../model/forms';
import { type NonSmoothDynamicalSystem, type SystemOffsets, offsetsOf } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import type { EventCertificate } from './certificate';
import { LinkedRows, massOf } from './linked-rows';
import type { FlightStates } from './motion-check';

/** Weights as the papers give them. */
interface Weights {
  readonly m: number;
  readonly f: number;
  readonly gamma: number;
  readonly beta: number;
}

/** Chung and Hulbert 1993, (25) and (17), (20). */
function ofSecondOrder(rho: number): Weights {
  const m = (2 * rho - 1) / (rho + 1);
  const f = rho / (rho + 1);
  return { m, f, gamma: 1 / 2 - m + f, beta: (1 - m + f) ** 2 / 4 };
}

/** Jansen, Whiting and Hulbert 2000, whose α_m and α_f are one less these. */
function ofFirstOrder(rho: number): Weights {
  const m = 1 - (3 - rho) / (1 + rho) / 2;
  const f = 1 - 1 / (1 + rho);
  return { m, f, gamma: 1 / 2 - m + f, beta: 0 };
}

/** One system with its workspace. */
interface Member {
  readonly index: number;
  readonly form: FirstOrderForm | LagrangianForm;
  /** first coordinate, and first position */
  readonly first: number;
  readonly firstPosition: number;
  readonly hasConstantMass: boolean;
  /** M at the end, row-major, and factors */
  readonly mass: Float64Array;
  readonly factors: Float64Array;
  readonly pivots: Int32Array;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly force: Float64Array;
  readonly base: Float64Array;
  /** accelerations, or rates of first order, at the start and at the end */
  readonly rate0: Float64Array;
  readonly rate1: Float64Array;
  /** |F| + |p| at both ends, N */
  readonly load: Float64Array;
  /** a − q̈ at the start of the step, and at its end */
  readonly offset: Float64Array;
  readonly next: Float64Array;
  /** [0] largest momentum or impulse, [1] largest position so far */
  readonly scales: Float64Array;
}

function memberOf(
  form: FirstOrderForm | LagrangianForm,
  index: number,
  { positions, velocities }: SystemOffsets,
): Member {
  const n = form.size;
  const vector = (): Float64Array => new Float64Array(n);
  return {
    index,
    form,
    first: velocities[index],
    firstPosition: positions[index],
    hasConstantMass: form.order === 1 || form.constantMass !== null,
    mass: massOf(form),
    factors: new Float64Array(n * n),
    pivots: new Int32Array(n),
    q: vector(),
    v: vector(),
    force: vector(),
    base: vector(),
    rate0: vector(),
    rate1: vector(),
    load: vector(),
    offset: vector(),
    next: vector(),
    scales: new Float64Array(2),
  };
}

/** What of the flight is asked. */
interface SteppedFlight {
  readonly stretch: Float64Array;
  readonly stepLength: number;
  readonly x: Float64Array;
  sample(place: Float64Array, out: Float64Array): void;
}

export class StepCheck {
  readonly #members: readonly Member[];
  readonly #rows: LinkedRows;
  readonly #input: Float64Array;
  readonly #lambda: Float64Array;
  readonly #x: Float64Array;
  readonly #start: Float64Array;
  readonly #end: Float64Array;
  readonly #present: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #place = new Float64Array(1);
  /** [0] start of the step that was judged last, s, NaN before the first, [1] its length, s */
  readonly #step = Float64Array.of(NaN, 0);
  /** length of the step before, s; 0 where there is none since the last event */
  readonly #before = new Float64Array(1);
  readonly #second: Weights;
  readonly #first: Weights;
  readonly #has: readonly [boolean, boolean];

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly places: StatePlaces,
    private readonly flight: SteppedFlight,
    private readonly states: FlightStates,
    private readonly certificate: Pick<EventCertificate, 'motion'>,
    spectralRadius: number,
    /** start of the simulation and step of the discretisation, s */
    private readonly grid: { readonly t0: number; readonly h: number },
  ) {
    const offsets = offsetsOf(model);
    this.#members = model.systems.map(({ form }, s) => memberOf(form, s, offsets));
    this.#rows = new LinkedRows(model, places);
    this.#input = new Float64Array(places.ndof);
    this.#lambda = new Float64Array(places.rows);
    this.#x = new Float64Array(flight.x.length);
    this.#start = new Float64Array(places.size);
    this.#end = new Float64Array(places.size);
    this.#present = new Float64Array(places.size);
    this.#second = ofSecondOrder(spectralRadius);
    this.#first = ofFirstOrder(spectralRadius);
    const hasOrder = (order: 1 | 2): boolean =>
      model.interactions.some(({ relation }) => relation.order === order);
    this.#has = [hasOrder(1), hasOrder(2)];
  }

  /**
   * An event: the algorithmic acceleration is that of the motion from here on, or what a motion that is gone
   * on with has left.
   * @param memory that of the method (`SmoothIntegrator.memory`), from a state that was saved
   */
  begin(memory: Float64Array | null = null): void {
    this.#step[0] = NaN;
    this.#step[1] = memory === null ? 0 : memory[0];
    for (const { first, next } of this.#members)
      for (let k = 0; k < next.length; k++) next[k] = memory === null ? 0 : memory[first + k + 1];
  }

  /** Judges the step that the flight is on. To be called before modes, forces or the state change. */
  judge(): void {
    const { stretch, stepLength: h } = this.flight;
    if (!(stretch[1] > 0 && h > 0)) return;
    const step = this.#step;
    // A step may be judged several times, as it is passed.
    if (stretch[0] !== step[0]) {
      this.#before[0] = step[1];
      for (const { offset, next } of this.#members) offset.set(next);
      step[0] = stretch[0];
    }
    step[1] = h;
    this.#read(0, this.#start);
    this.#rates(this.#start, 0);
    this.#read(h, this.#end);
    this.#rates(this.#end, 1);
    const isDivided = stretch[1] < h;
    if (isDivided) this.#read(stretch[1], this.#present);
    for (const member of this.#members) {
      this.#compare(member, h);
      if (isDivided) this.#compareInside(member, h);
    }
  }

  /** The state at a place of the step, s behind its start, as a row of the result. */
  #read(place: number, row: Float64Array): void {
    this.#place[0] = place;
    this.flight.sample(this.#place, this.#x);
    this.#clock[0] = this.flight.stretch[0] + place;
    this.states.write(this.#clock, this.#x, row);
  }

  /** Accelerations at one end, with the multipliers there. */
  #rates(row: Float64Array, end: 0 | 1): void {
    const { places } = this;
    const input = this.#input.fill(0);
    for (let r = 0; r < places.rows; r++) this.#lambda[r] = row[places.lambda + r];
    this.#clock[0] = row[0];
    if (this.#has[0]) this.#rows.addInputs(this.#clock, row, this.#lambda, 1, input);
    if (this.#has[1]) this.#rows.addInputs(this.#clock, row, this.#lambda, 2, input);
    for (const member of this.#members) this.#accelerate(member, row, end);
  }

  #accelerate(member: Member, row: Float64Array, end: 0 | 1): void {
    const { places } = this;
    const { form, first, firstPosition, q, v, force, load, mass, factors, pivots } = member;
    const n = q.length;
    const out = end === 0 ? member.rate0 : member.rate1;
    for (let k = 0; k < n; k++) q[k] = row[places.q + firstPosition + k];
    if (form.order === 1) form.rate(this.#clock, q, force);
    else {
      for (let k = 0; k < n; k++) v[k] = row[places.v + first + k];
      form.force(this.#clock, q, v, force);
      if (!member.hasConstantMass) form.mass(q, mass);
    }
    if (end === 0) load.fill(0);
    for (let k = 0; k < n; k++) {
      const input = this.#input[first + k];
      load[k] += Math.abs(force[k]) + Math.abs(input);
      out[k] = force[k] + input;
    }
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) factors[i + n * j] = mass[i * n + j];
    if (factorDense(factors, 0, n, pivots, 0) >= 0) out.fill(NaN);
    else solveDense(factors, 0, n, pivots, 0, out);
    const base = form.order === 2 && form.linear !== null ? form.linear.base : null;
    if (base?.acceleration === undefined) return;
    base.acceleration(this.#clock, member.base);
    for (let k = 0; k < n; k++) out[k] -= member.base[k];
  }

  #compare(member: Member, h: number): void {
    const { places } = this;
    const { form, first, firstPosition, mass, v, load, rate0, rate1, offset, next, scales } = member;
    const n = v.length;
    const start = this.#start;
    const end = this.#end;
    const isSecond = form.order === 2;
    const { m, f, gamma, beta } = isSecond ? this.#second : this.#first;
    const share = this.#before[0] > 0 ? Math.min(2, h / this.#before[0]) : 0;
    const at = isSecond ? places.v + first : places.q + firstPosition;
    const from = places.q + firstPosition;
    let position = 0;
    for (let k = 0; k < n; k++) {
      const a0 = rate0[k] + share * offset[k];
      const a1 = ((1 - f) * rate1[k] + f * rate0[k] - m * a0) / (1 - m);
      next[k] = a1 - rate1[k];
      v[k] = end[at + k] - start[at + k] - h * ((1 - gamma) * a0 + gamma * a1);
      if (!isSecond) continue;
      const path = h * start[at + k] + h * h * ((0.5 - beta) * a0 + beta * a1);
      position = larger(position, Math.abs(end[from + k] - start[from + k] - path));
      scales[1] = Math.max(scales[1], Math.abs(end[from + k]), Math.abs(path));
    }
    let defect = 0;
    let heaviest = 0;
    let largest = 0;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      let term = 0.5 * h * load[i];
      largest = Math.max(largest, term);
      for (let j = 0; j < n; j++) {
        const entry = mass[i * n + j];
        sum += entry * v[j];
        heaviest = Math.max(heaviest, Math.abs(entry));
        term = Math.max(term, Math.abs(entry * end[at + j]));
      }
      scales[0] = Math.max(scales[0], term);
      defect = larger(defect, Math.abs(sum));
    }
    this.#clock[0] = end[0];
    // As in `motion-check.ts`: what a motion from rest is measured by is not kept.
    const { t0, h: step } = this.grid;
    const early = start[0] - t0 < step ? Math.max(1, step / h) : 1;
    this.certificate.motion(
      relative(defect, Math.max(scales[0], early * largest)),
      this.#clock,
      member.index,
    );
    if (!isSecond) return;
    scales[1] = Math.max(scales[1], (h * scales[0]) / heaviest);
    this.certificate.motion(relative(position, scales[1]), this.#clock, member.index);
  }

  /** The state at an event within the step against the cubic through its ends. */
  #compareInside(member: Member, h: number): void {
    const { places } = this;
    const { form, first, firstPosition, rate0, rate1, scales, mass } = member;
    const n = rate0.length;
    const theta = this.flight.stretch[1] / h;
    const from = places.q + firstPosition;
    const isSecond = form.order === 2;
    const at = places.v + first;
    let heaviest = 0;
    for (let i = 0; i < n * n; i++) heaviest = Math.max(heaviest, Math.abs(mass[i]));
    let position = 0;
    let momentum = 0;
    for (let k = 0; k < n; k++) {
      const slope0 = isSecond ? this.#start[at + k] : rate0[k];
      const slope1 = isSecond ? this.#end[at + k] : rate1[k];
      const cubic = hermite(theta, h, this.#start[from + k], slope0, this.#end[from + k], slope1);
      position = larger(position, Math.abs(this.#present[from + k] - cubic));
      if (!isSecond) continue;
      const speed = hermite(theta, h, this.#start[at + k], rate0[k], this.#end[at + k], rate1[k]);
      momentum = larger(momentum, heaviest * Math.abs(this.#present[at + k] - speed));
    }
    this.#clock[0] = this.#present[0];
    const ofPositions = isSecond ? scales[1] : scales[0] / heaviest;
    this.certificate.motion(relative(position, ofPositions), this.#clock, member.index);
    if (isSecond) this.certificate.motion(relative(momentum, scales[0]), this.#clock, member.index);
  }
}

/** The cubic with given values and slopes at the ends of a step. */
function hermite(theta: number, h: number, x0: number, slope0: number, x1: number, slope1: number): number {
  const left = (1 + 2 * theta) * (1 - theta) ** 2 * x0 + theta * (1 - theta) ** 2 * h * slope0;
  return left + theta * theta * (3 - 2 * theta) * x1 - theta * theta * (1 - theta) * h * slope1;
}
