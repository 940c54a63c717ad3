/**
 * The coupled model in first-order form, linearised at its initial state with λ = 0:
 *
 *     E ẋ = F x + K x + B λ,    y = C x + D λ,
 *
 * E, F block-diagonal over the systems. A first-order system contributes E = M, F = ∇f. A Lagrangian one has
 * the state (q, v) and contributes, because r = (0, M⁻¹p) in its first-order form (docs/theory/errata.md),
 *
 *     E = diag(I, M),   F = [0 I; ∇_q F ∇_v F],   C = [∇h 0],   B = [0; ᵗ∇h].
 *
 * K = ∇ₓg comes from relations whose input depends on the state and may couple systems. The derivative of
 * M(q) is left out: it stands in the lower left block of F, which enters C A^{r−1} B only from r = 3 on,
 * whereas a row of ∇h that is not zero has r = 2.
 */
import type { SparseRows } from '../linalg/sparse';
import type { FirstOrderForm, LagrangianForm } from '../model/forms';
import { EntryScales, MassInverse, SparseBuilder, forEachEntry } from './mass-inverse';
import type { TopologyInteraction, TopologyModel } from './topology-model';
import { TrackedVector } from './elimination';

/** Why an element could not be linearised. */
export type LinearisationDefect = 'not-finite' | 'singular-mass' | 'too-large';

/** Dense Jacobians of larger systems would not fit in memory: 2·4000² doubles are 256 MB. */
const LARGEST_DENSE = 4000;

const linearStateSize = (form: FirstOrderForm | LagrangianForm): number => form.order * form.size;

const allFinite = (values: Float64Array): boolean => values.every((value) => Number.isFinite(value));

export class Linearisation {
  /** length of the coupled state x */
  readonly states: number;
  /** first state of each system, and the end */
  readonly stateOffsets: Int32Array;
  /** length of y and λ */
  readonly rows: number;
  /** first row of each interaction, and the end */
  readonly rowOffsets: Int32Array;
  /** C, rows × states */
  readonly output: SparseRows;
  /** D, rows × rows */
  readonly feedthrough: SparseRows;
  /** B, states × rows */
  readonly input: SparseRows;
  /** K, states × states */
  readonly stateInput: SparseRows;
  /** by interaction; null where the Jacobians are sound */
  readonly interactionDefects: readonly (LinearisationDefect | null)[];
  /** by system; null where the mass matrix is sound */
  readonly massDefects: readonly (LinearisationDefect | null)[];

  readonly #masses: (MassInverse | null)[] = [];
  readonly #rates: (SparseRows | LinearisationDefect | undefined)[] = [];

  constructor(
    private readonly model: TopologyModel,
    private readonly clock: Float64Array,
  ) {
    const { systems, interactions } = model;
    this.stateOffsets = offsets(systems.map(({ form }) => linearStateSize(form)));
    this.rowOffsets = offsets(interactions.map(({ relation }) => relation.size));
    this.states = this.stateOffsets[systems.length];
    this.rows = this.rowOffsets[interactions.length];
    this.massDefects = systems.map(({ form }, i) => this.#invertMass(i, form));
    const output = new SparseBuilder(this.rows);
    const feedthrough = new SparseBuilder(this.rows);
    const input = new SparseBuilder(this.states);
    const stateInput = new SparseBuilder(this.states);
    this.interactionDefects = interactions.map((interaction, alpha) =>
      this.#addInteraction(interaction, this.rowOffsets[alpha], { output, feedthrough, input, stateInput }),
    );
    const scales = new EntryScales(this.states + this.rows);
    const n = this.states;
    const parts = [
      { matrix: stateInput.build(), row: 0, column: 0 },
      { matrix: input.build(), row: 0, column: n },
      { matrix: output.build(), row: n, column: 0 },
      { matrix: feedthrough.build(), row: n, column: n },
    ];
    for (const { matrix, row, column } of parts) scales.include(matrix, row, column);
    this.#evaluateRates(scales);
    [this.stateInput, this.input, this.output, this.feedthrough] = parts.map(({ matrix, row, column }) =>
      scales.withoutRounding(matrix, row, column),
    );
  }

  /**
   * Inverse of the mass matrix of a system; null is the identity. Lagrangian systems: of the velocities only.
   */
  massInverse(system: number): MassInverse | null {
    return this.#masses[system];
  }

  /**
   * Rows of F of a system, numbered within it. Of Lagrangian systems evaluated when first asked for: contacts
   * never do.
   */
  rate(system: number): SparseRows | LinearisationDefect {
    this.#rates[system] ??= rateOf(this.model.systems[system].form, this.clock);
    return this.#rates[system];
  }

  #evaluateRates(scales: EntryScales): void {
    this.model.systems.forEach(({ form }, i) => {
      if (form.order === 1) this.#rates[i] = rateOf(form, this.clock);
    });
    const sound = this.#rates.flatMap((rate, i) => (typeof rate === 'object' ? [{ rate, i }] : []));
    for (const { rate, i } of sound) scales.include(rate, this.stateOffsets[i], this.stateOffsets[i]);
    for (const { rate, i } of sound)
      this.#rates[i] = scales.withoutRounding(rate, this.stateOffsets[i], this.stateOffsets[i]);
  }

  #invertMass(system: number, form: FirstOrderForm | LagrangianForm): LinearisationDefect | null {
    const mass = massOf(form);
    if (typeof mass === 'string') return mass;
    this.#masses[system] = mass === null ? null : MassInverse.of(mass, form.size);
    return mass !== null && this.#masses[system] === null ? 'singular-mass' : null;
  }

  #addInteraction(
    { relation, systems }: TopologyInteraction,
    row: number,
    to: Record<'output' | 'feedthrough' | 'input' | 'stateInput', SparseBuilder>,
  ): LinearisationDefect | null {
    const { size, columns, order } = relation;
    const forms = systems.map((i) => this.model.systems[i].form);
    const z = Float64Array.from(forms.flatMap((form) => [...(form.order === 1 ? form.x0 : form.q0)]));
    const state = systems.flatMap((i, k) =>
      Array.from({ length: forms[k].size }, (_, j) => this.stateOffsets[i] + j),
    );
    const lambda = new Float64Array(size);
    const C = new Float64Array(size * columns);
    const D = new Float64Array(size * size);
    relation.outputJacobians(this.clock, z, lambda, C, D);
    if (!relation.hasFeedthrough) D.fill(0);
    if (!allFinite(C) || !allFinite(D)) return 'not-finite';
    forEachEntry(C, columns, (j, k, value) => to.output.add(row + j, state[k], value));
    forEachEntry(D, size, (j, k, value) => to.feedthrough.add(row + j, row + k, value));
    if (order === 2) {
      const velocity = systems.flatMap((i, k) =>
        Array.from({ length: forms[k].size }, (_, j) => this.stateOffsets[i] + forms[k].size + j),
      );
      forEachEntry(C, columns, (j, k, value) => to.input.add(velocity[k], row + j, value));
      return null;
    }
    const K = new Float64Array(columns * columns);
    const B = new Float64Array(columns * size);
    relation.inputJacobians(this.clock, z, lambda, K, B);
    if (!relation.hasStateInput) K.fill(0);
    if (!allFinite(K) || !allFinite(B)) return 'not-finite';
    forEachEntry(B, size, (k, j, value) => to.input.add(state[k], row + j, value));
    forEachEntry(K, columns, (k, j, value) => to.stateInput.add(state[k], state[j], value));
    return null;
  }
}

function offsets(sizes: readonly number[]): Int32Array {
  const result = new Int32Array(sizes.length + 1);
  sizes.forEach((size, i) => (result[i + 1] = result[i] + size));
  return result;
}

/** M at the initial state; null is the identity. */
function massOf(
  form: FirstOrderForm | LagrangianForm,
): Float64Array | SparseRows | LinearisationDefect | null {
  const constant: Float64Array | SparseRows | null = form.order === 1 ? form.mass : form.constantMass;
  if (form.order === 1 || constant !== null) {
    const values = constant === null || constant instanceof Float64Array ? constant : constant.values;
    return values === null || allFinite(values) ? constant : 'not-finite';
  }
  if (form.size > LARGEST_DENSE) return 'too-large';
  const mass = new Float64Array(form.size * form.size);
  form.mass(form.q0, mass);
  return allFinite(mass) ? mass : 'not-finite';
}

function rateOf(
  form: FirstOrderForm | LagrangianForm,
  clock: Float64Array,
): SparseRows | LinearisationDefect {
  const n = form.size;
  const rows = new SparseBuilder(linearStateSize(form));
  if (form.order === 2) for (let i = 0; i < n; i++) rows.add(i, n + i, 1);
  if (form.order === 2 && form.linear !== null) {
    const { stiffness, damping } = form.linear;
    if (stiffness !== null) forEachEntry(stiffness, n, (i, j, value) => rows.add(n + i, j, -value));
    if (damping !== null) forEachEntry(damping, n, (i, j, value) => rows.add(n + i, n + j, -value));
    return rows.build();
  }
  if (n > LARGEST_DENSE) return 'too-large';
  const jacobian = new Float64Array(n * n);
  if (form.order === 1) {
    form.rateJacobian(clock, form.x0, jacobian);
    if (!allFinite(jacobian)) return 'not-finite';
    forEachEntry(jacobian, n, (i, j, value) => rows.add(i, j, value));
    return rows.build();
  }
  const byVelocity = new Float64Array(n * n);
  form.forceJacobians(clock, form.q0, form.v0, jacobian, byVelocity);
  if (!allFinite(jacobian) || !allFinite(byVelocity)) return 'not-finite';
  forEachEntry(jacobian, n, (i, j, value) => rows.add(n + i, j, value));
  forEachEntry(byVelocity, n, (i, j, value) => rows.add(n + i, n + j, value));
  return rows.build();
}

/*
 * Rows of the Markov parameters of a linear(ised) model,
 *
 *     m_j(0) = D_j,    m_j(r) = C_j A^{r−1} E⁻¹B,    A = E⁻¹(F + K),
 *
 * by row vectors: from c = C_j, w = c E⁻¹, m = w B, c ← w (F + K), and so on. A row touches only the states
 * that act on y_j within r derivatives, so its cost does not depend on the size of the model. Each row is
 * scaled as it goes, which is allowed because neither whether a row is zero nor the rank of a matrix of rows
 * depends on it.
 */

export class MarkovRows {
  /** the Markov row at the present order, indexed by multiplier */
  readonly markov: TrackedVector;
  /** r: order of the row in `markov` */
  order = 0;
  /** set when the rate of a system was needed and is not sound */
  defect: { readonly defect: LinearisationDefect; readonly system: number } | null = null;
  /** c, by state */
  readonly row: TrackedVector;
  /** w = c E⁻¹ */
  readonly #divided: TrackedVector;
  /** system of each state */
  readonly #systemOf: Int32Array;

  constructor(
    private readonly model: TopologyModel,
    private readonly linear: Linearisation,
  ) {
    this.markov = new TrackedVector(linear.rows);
    this.row = new TrackedVector(linear.states);
    this.#divided = new TrackedVector(linear.states);
    this.#systemOf = new Int32Array(linear.states);
    model.systems.forEach((_, i) =>
      this.#systemOf.fill(i, linear.stateOffsets[i], linear.stateOffsets[i + 1]),
    );
  }

  /** Begins with row j of C and D: order 0. */
  start(j: number): void {
    this.order = 0;
    this.markov.clear();
    this.row.clear();
    addRow(this.linear.feedthrough, j, 1, 1, 0, this.markov);
    addRow(this.linear.output, j, 1, 1, 0, this.row);
  }

  /**
   * Goes on to the next order.
   * @returns false when this and all further Markov rows are zero, or a Jacobian is not sound (see `defect`)
   */
  advance(): boolean {
    if (this.order > 0 && !this.differentiate()) return false;
    this.order++;
    this.row.rescale();
    this.multiplyByInput();
    return this.row.count > 0;
  }

  /** w = c E⁻¹ and m = w B, for c in `row`. */
  multiplyByInput(): void {
    this.#divideByMass();
    this.markov.clear();
    const w = this.#divided;
    for (let k = 0; k < w.count; k++) {
      const i = w.support[k];
      addRow(this.linear.input, i, w.value[i], w.magnitude[i], 0, this.markov);
    }
  }

  /** c ← w (F + K). @returns false when a Jacobian is not sound */
  differentiate(): boolean {
    const w = this.#divided;
    const { row, linear } = this;
    row.clear();
    for (let k = 0; k < w.count; k++) {
      const i = w.support[k];
      const system = this.#systemOf[i];
      const { form } = this.model.systems[system];
      const offset = linear.stateOffsets[system];
      addRow(linear.stateInput, i, w.value[i], w.magnitude[i], 0, row);
      // q̇ = v needs no Jacobian; without this line every contact would have the forces of its bodies
      // differentiated.
      if (form.order === 2 && i < offset + form.size) {
        row.add(i + form.size, w.value[i], w.magnitude[i]);
        continue;
      }
      const rate = linear.rate(system);
      if (typeof rate === 'string') {
        this.defect = { defect: rate, system };
        return false;
      }
      addRow(rate, i - offset, w.value[i], w.magnitude[i], offset, row);
    }
    return true;
  }

  #divideByMass(): void {
    const c = this.row;
    const w = this.#divided;
    const divided = new Set<number>();
    w.clear();
    for (let k = 0; k < c.count; k++) {
      const i = c.support[k];
      const system = this.#systemOf[i];
      const { form } = this.model.systems[system];
      const inverse = this.linear.massInverse(system);
      const massOffset = this.linear.stateOffsets[system] + linearStateSize(form) - form.size;
      if (inverse === null || i < massOffset) w.add(i, c.value[i], c.magnitude[i]);
      else if (!divided.has(system)) {
        divided.add(system);
        inverse.apply(c, massOffset, w);
      }
    }
  }
}

/** out += value · (row i), with the columns shifted by `offset` */
function addRow(
  matrix: SparseRows,
  i: number,
  value: number,
  magnitude: number,
  offset: number,
  out: TrackedVector,
): void {
  for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++) {
    const entry = matrix.values[k];
    out.add(offset + matrix.columns[k], value * entry, magnitude * Math.abs(entry));
  }
}
