/**
 * One stretch of the motion: its series, and the state anywhere on it. The flow may be changed between
 * stretches.
 */
import { DenseOutput, LENGTH } from '../smooth/step-method';
import type { Flow } from './flow';
import { ROW } from './linear-system';

export class Arc {
  /** c_k,i at [ROW i + k] */
  readonly coefficients: Float64Array;
  /** majorant, likewise */
  readonly majorant: Float64Array;
  /** last power of τ */
  order = 0;
  /** factors r of the remainder (`Flow.remainder`), n entries */
  readonly remainder: Float64Array;
  readonly #length = new Float64Array(1);

  /** @param span of the step data: where the stretch starts and how long it is */
  constructor(
    public flow: Flow,
    readonly span: Float64Array,
  ) {
    this.coefficients = new Float64Array(ROW * flow.size);
    this.majorant = new Float64Array(ROW * flow.size);
    this.remainder = new Float64Array(flow.size);
  }

  /** The motion from z, over the length in the span. */
  expand(z: Float64Array): void {
    const { flow, coefficients, majorant } = this;
    this.#length[0] = this.span[LENGTH];
    this.order = flow.orderFor(this.#length);
    flow.expand(z, this.order, coefficients, majorant);
    flow.remainder(majorant, this.order, this.#length, this.remainder);
  }

  /** State at τ = `place[0]`, s from the start, into `out`. */
  evaluate(place: Float64Array, out: Float64Array): void {
    this.flow.evaluate(this.coefficients, this.order, place, out);
  }
}

/**
 * The arc where the search for zeros of general functions expects the polynomial of a step: by θ = τ/h. Its
 * first two coefficients, from which that search reads how large the components are, are the state at the
 * start and its change.
 */
export class ArcOutput extends DenseOutput {
  readonly #tau = new Float64Array(1);
  /** the second row of the coefficients */
  readonly #change: Float64Array;

  constructor(private readonly arc: Arc) {
    super(arc.flow.size);
    this.#change = this.coefficients.subarray(this.size, 2 * this.size);
  }

  /** After `Arc.expand`. */
  refresh(): void {
    const { arc, size } = this;
    this.#tau[0] = arc.span[LENGTH];
    for (let i = 0; i < size; i++) this.coefficients[i] = arc.coefficients[ROW * i];
    arc.evaluate(this.#tau, this.#change);
    for (let i = 0; i < size; i++) this.#change[i] -= this.coefficients[i];
  }

  override evaluate(place: Float64Array, out: Float64Array): void {
    this.#tau[0] = place[0] * this.arc.span[LENGTH];
    this.arc.evaluate(this.#tau, out);
  }
}
