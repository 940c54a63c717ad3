/**
 * A model of first-order systems and relations with constant matrices, as electrical networks are,
 *
 *     ẋ = A x + b(t) + B λ,     y = C x + D λ + e(t),     −y ∈ N_[l,u](λ) row by row,
 *
 * where M⁻¹ is part of A, b and B. Which derivative of y its multiplier acts on depends on the mode there: D
 * may be singular, and is skew where currents of some elements go with voltages of others.
 */
import type { LawForm } from '../../model/forms';
import type { Interaction, NonSmoothDynamicalSystem } from '../../model/nsds';
import type { AnalyticForces } from '../flow/analytic-forces';
import type { FreeMotion, IntegratedPlaces } from '../flow/free-motion';
import type { EventRelations } from '../rows/relation-rows';
import type { RowLaws } from '../rows/row-laws';

/** When the modes of a model are those of a network: in all of its motion, or where an event asks for it. */
const USES = ['always', 'singular', 'jumps'] as const;
export type NetworkUse = (typeof USES)[number];

/** Eigenvalues of D + ᵗD below this part of its diagonal entries are zero. */
const DEFINITE = 1e-12;

/** Whether D + ᵗD is positive definite: then D is regular in all modes. @param D m × m */
function isDefinite(D: Float64Array, m: number): boolean {
  const a = Float64Array.from(D, (value, k) => value + D[(k % m) * m + Math.floor(k / m)]);
  const sizes = Float64Array.from({ length: m }, (_, i) => Math.abs(a[i * m + i]));
  for (let k = 0; k < m; k++) {
    const pivot = a[k * m + k];
    if (!(pivot > DEFINITE * sizes[k])) return false;
    for (let i = k + 1; i < m; i++) {
      const factor = a[i * m + k] / pivot;
      for (let j = k; j < m; j++) a[i * m + j] -= factor * a[k * m + j];
    }
  }
  return true;
}

/** Whether rows of a law have bounds of several kinds. */
const isMixed = ({ rows }: LawForm): boolean =>
  new Set(
    rows.map((row) =>
      row.kind === 'box' ? `${Number.isFinite(row.lower)} ${Number.isFinite(row.upper)}` : '',
    ),
  ).size > 1;

/** Rows without feedthrough in a relation that may have it. */
const hasEmptyRow = (D: Float64Array, m: number): boolean =>
  Array.from({ length: m }, (_, r) => D.subarray(r * m, (r + 1) * m)).some((row) =>
    row.every((entry) => entry === 0),
  );

/** Whether no row has two bounds, as diodes have none. */
export const isOneSided = ({ rows }: LawForm): boolean =>
  rows.every((row) => row.kind === 'box' && !(Number.isFinite(row.lower) && Number.isFinite(row.upper)));

/** What the rows of an interaction ask for. */
function useOf({ relation: { D, size }, law }: Interaction, isDriven: boolean): NetworkUse | null {
  const isDrawn = law.parts !== undefined;
  // Where sources drive it, several rows may change at once whatever D is.
  if (isDrawn && isDriven && isOneSided(law)) return 'always';
  if (D !== null && isDefinite(D, size)) return null;
  if (isDrawn || isMixed(law) || (D !== null && hasEmptyRow(D, size))) return 'always';
  return D === null ? 'jumps' : 'singular';
}

/** Whether sources that depend on time drive a model, its states or its outputs. */
const isDrivenModel = ({ systems, interactions }: NonSmoothDynamicalSystem): boolean =>
  systems.some(({ form }) => form.order === 1 && !form.isAutonomous) ||
  interactions.some(({ relation }) => relation.isTimeDependent);

/** Whether D of some interaction of first-order systems may be singular in a mode. */
export const isNetwork = (model: NonSmoothDynamicalSystem): boolean => {
  const isDriven = isDrivenModel(model);
  return model.interactions.some((interaction) => {
    if (interaction.relation.order === 2 || !interaction.relation.isAffine) return false;
    const use = useOf(interaction, isDriven);
    return use === 'always' || use === 'singular';
  });
};

/** How a model is a network; null where it is none, or D is regular in all modes. */
export function networkUse(model: NonSmoothDynamicalSystem, laws: RowLaws): NetworkUse | null {
  const { systems, interactions } = model;
  if (interactions.length === 0) return null;
  if (systems.some(({ form }) => form.order !== 1 || form.rateKind !== 'constant')) return null;
  if (interactions.some(({ relation }) => !relation.isAffine || relation.C === null || relation.B === null))
    return null;
  if (laws.kind.some((kind) => kind !== 'output') || laws.isSloped.includes(1)) return null;
  const isDriven = isDrivenModel(model);
  const uses = interactions.map((one) => useOf(one, isDriven));
  return USES.find((use) => uses.includes(use)) ?? null;
}

export class LinearNetwork {
  readonly size: number;
  readonly rows: number;
  /** n × n, n × m, m × n and m × m, row-major */
  readonly A: Float64Array;
  readonly B: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
  /** whether motion is a matrix exponential, so that states have nothing but rounding */
  isExact = false;
  /** whether b or e depend on time */
  readonly isTimed: boolean;
  readonly #b: Float64Array;
  readonly #e: Float64Array;
  readonly #x: Float64Array;
  readonly #lambda: Float64Array;
  /** M⁻¹, n × n */
  readonly #inverse: Float64Array;
  readonly #given: Float64Array;
  readonly #terms: Float64Array;
  readonly #isRateTimed: boolean;
  readonly #isOutputTimed: boolean;
  #isRead = false;

  constructor(
    model: NonSmoothDynamicalSystem,
    laws: RowLaws,
    private readonly relations: EventRelations,
    private readonly motion: FreeMotion,
    { size, offsets }: IntegratedPlaces,
  ) {
    const m = laws.count;
    this.size = size;
    this.rows = m;
    this.A = new Float64Array(size * size);
    this.B = new Float64Array(size * m);
    this.C = new Float64Array(m * size);
    this.D = new Float64Array(m * m);
    this.#b = new Float64Array(size);
    this.#e = new Float64Array(m);
    this.#x = new Float64Array(size);
    this.#lambda = new Float64Array(m);
    this.#inverse = new Float64Array(size * size);
    this.#given = new Float64Array(size);
    this.#terms = new Float64Array(size);
    const column = new Float64Array(size);
    for (let j = 0; j < size; j++) {
      column.fill(0);
      column[j] = 1;
      for (let s = 0; s + 1 < offsets.length; s++) motion.applyInverse(s, column, offsets[s]);
      for (let i = 0; i < size; i++) this.#inverse[i * size + j] = column[i];
    }
    this.#isRateTimed = model.systems.some(({ form }) => form.order === 1 && !form.isAutonomous);
    this.#isOutputTimed = model.interactions.some(({ relation }) => relation.isTimeDependent);
    this.isTimed = this.#isRateTimed || this.#isOutputTimed;
    model.interactions.forEach(({ relation: { D, size: count } }, i) => {
      if (D === null) return;
      const first = laws.offsets[i];
      for (let r = 0; r < count; r++)
        for (let s = 0; s < count; s++) this.D[(first + r) * m + first + s] = D[r * count + s];
    });
  }

  /** Reads the matrices, which are the same at all times, once. */
  prepare(clock: Float64Array): void {
    if (this.#isRead) return;
    this.#isRead = true;
    const { size: n, rows: m, A, B, C, relations, motion } = this;
    const x = new Float64Array(n);
    const columns = new Float64Array(n * n);
    motion.rateJacobian(clock, x, columns);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) A[i * n + j] = columns[i + n * j];
    relations.update(clock, x);
    for (let row = 0; row < m; row++) {
      for (let k = relations.rowStart[row]; k < relations.rowStart[row + 1]; k++) {
        const at = relations.dofs[k];
        C[row * n + at] += relations.C[k];
        B[at * m + row] += relations.response[k];
      }
    }
    motion.rate(clock, this.#x, this.#b);
    relations.outputs(clock, this.#x, this.#lambda, this.#e);
  }

  /** b(t) */
  rates(clock: Float64Array, out: Float64Array): void {
    if (this.#isRateTimed) this.motion.rate(clock, this.#x, out);
    else for (let i = 0; i < out.length; i++) out[i] = this.#b[i];
  }

  /** e(t) */
  offsets(clock: Float64Array, out: Float64Array): void {
    if (this.#isOutputTimed) this.relations.outputs(clock, this.#x, this.#lambda, out);
    else for (let r = 0; r < out.length; r++) out[r] = this.#e[r];
  }

  /**
   * b and e without known functions of time.
   * @param forces what is known of these; null where there are none
   */
  steady(clock: Float64Array, forces: AnalyticForces | null, b: Float64Array, e: Float64Array): void {
    const { motion, relations } = this;
    if (forces !== null) {
      motion.probe = forces.constant;
      relations.probe = { offsets: forces.rowConstant, drifts: forces.rowConstant };
    }
    this.rates(clock, b);
    this.offsets(clock, e);
    motion.probe = null;
    relations.probe = null;
  }

  /** what is known of b and e besides their values; null where nothing is */
  get known(): AnalyticForces | null {
    return this.relations.known;
  }

  /**
   * M⁻¹ f, and |M⁻¹| on what cancels in f.
   * @param f by coordinate
   * @param out n entries, which may be those of f
   * @param sizes replaced
   */
  respond(f: Float64Array, out: Float64Array, sizes: Float64Array): void {
    const { size: n } = this;
    const [given, terms] = [this.#given, this.#terms];
    given.set(f);
    terms.set(sizes);
    for (let i = 0; i < n; i++) {
      let [sum, size] = [0, 0];
      for (let j = 0; j < n; j++) {
        const factor = this.#inverse[i * n + j];
        sum += factor * given[j];
        size += Math.abs(factor) * terms[j];
      }
      out[i] = sum;
      sizes[i] = size;
    }
  }

  /** e′(t), as the flow has it */
  drifts(clock: Float64Array, out: Float64Array): void {
    this.relations.drifts(clock, this.#x, out);
  }
}
