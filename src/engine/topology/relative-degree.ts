/**
 * Relative degree: how often y must be differentiated until λ appears. The diagonal of
 * the Markov parameters alone (Siconos developer's notes §2.1.3) does not tell it: in a diode bridge
 * D has zeros on its diagonal and ones beside them, so that another multiplier acts on y_j at once, and "the"
 * degree of row j would be counted past it. So:
 *
 * - of a **row**, the smallest r for which any multiplier acts: row j of C A^{r−1} E⁻¹B (of D for r = 0) is
 *   not zero;
 * - **scalar**, (2.28) of the Siconos developer's notes with its sum over all systems: the degree of the row
 *   if λ_j itself is among those that act, and `undefined` if others come first;
 * - of a **block**, the smallest r for which an interaction's own multipliers act on its own y, and whether
 *   they do so independently;
 * - of the **coupled system**, the vector of the degrees of all rows, if the decoupling matrix, whose rows
 *   are the rows first found non-zero, is non-singular (Isidori 1995 §5.1). If it is singular, the vector
 *   degree is undefined for the rows that are dependent, and the structure algorithm tells the zeros at
 *   infinity instead.
 *
 * Where the model is not linear, its Jacobians at the initial state with λ = 0 are used, and the result says
 * so.
 */
import { CANCELLED, eliminate, trackedMatrix } from './elimination';
import type { InteractionGraph } from './interaction-graph';
import { Linearisation, type LinearisationDefect, MarkovRows } from './linearisation';
import { SparseBuilder, factorise } from './mass-inverse';
import { type InfiniteStructure, infiniteStructure, type Part } from './structure-algorithm';
import type { TopologyModel } from './topology-model';

/** `none`: λ never acts on y. `beyond-limit`: not within the orders that were tried. */
export type Degree = number | 'none' | 'beyond-limit';

export interface RowDegree {
  readonly degree: Degree;
  /** `undefined`: other multipliers act on this row before its own does */
  readonly scalar: Degree | 'undefined';
}

export interface BlockDegree {
  readonly degree: Degree;
  /** rank of the Markov parameter at that degree; 0 when there is none */
  readonly rank: number;
  readonly nonSingular: boolean;
}

export interface InteractionDegree {
  readonly rows: readonly RowDegree[];
  readonly block: BlockDegree;
}

/** A row of an interaction. */
interface RowPlace {
  readonly interaction: number;
  readonly row: number;
}

export type VectorDegree =
  /** the degrees of the rows are the vector relative degree */
  | { readonly status: 'exists' }
  | {
      readonly status: 'undefined';
      /** rank of the decoupling matrix */
      readonly rank: number;
      /** rows that take part in a dependence between rows of the decoupling matrix */
      readonly rows: readonly RowPlace[];
      /** null when the component is too large for the structure algorithm */
      readonly structure: InfiniteStructure | null;
    }
  /** too many rows, and not symmetric positive definite: the rank was not determined */
  | { readonly status: 'not-decided' };

/** Why a component has no degrees. */
export interface DegreeDefect {
  readonly defect: LinearisationDefect;
  /** element whose Jacobian or mass matrix is not sound */
  readonly element: string;
}

export interface ComponentDegree {
  /** positions in the model, increasing */
  readonly systems: readonly number[];
  readonly interactions: readonly number[];
  /** number of rows of y */
  readonly rows: number;
  /** whether the degrees hold for the model as such or for its linearisation at the initial state */
  readonly basis: 'constant' | 'initial-state';
  readonly vector: VectorDegree | DegreeDefect;
}

export interface RelativeDegrees {
  readonly components: readonly ComponentDegree[];
  /** by interaction; null in components with a defect */
  readonly interactions: readonly (InteractionDegree | null)[];
}

/** Orders tried where the state is longer than this. A chain of 30 masses between λ and y has 60. */
const ORDER_LIMIT = 64;

/** Complete pivoting of larger matrices would take longer than a user waits for a report. */
const LARGEST_ELIMINATION = 250;

/** Entries of a larger decoupling matrix that are factorised: a body with 500 contacts has 250 000. */
const LARGEST_SPARSE = 250_000;

/**
 * rows × (rows + states) of a component; the structure algorithm eliminates in a matrix of this size a few
 * times
 */
const LARGEST_STRUCTURE = 100_000;

/**
 * @param graph graph of the model, its handles being positions in `systems` and `interactions`
 * @param t0 time of the initial state
 */
export function relativeDegrees(model: TopologyModel, graph: InteractionGraph, t0: number): RelativeDegrees {
  const linear = new Linearisation(model, Float64Array.of(t0));
  const analysis = new Analysis(model, linear);
  const interactions = new Array<InteractionDegree | null>(model.interactions.length).fill(null);
  const components = graph.components().flatMap((systems) => {
    const linked = new Set(systems.flatMap((system) => [...graph.interactionsOf(system)]));
    if (linked.size === 0) return [];
    const result = analysis.component(
      systems,
      [...linked].sort((a, b) => a - b),
    );
    result.degrees.forEach((degree, k) => (interactions[result.component.interactions[k]] = degree));
    return [result.component];
  });
  return { components, interactions };
}

/** Row of the decoupling matrix as it was found: global columns, values and magnitudes. */
interface FoundRow {
  readonly degree: Degree;
  readonly scalar: Degree | 'undefined';
  readonly columns: readonly number[];
  readonly values: readonly number[];
  readonly magnitudes: readonly number[];
}

class Analysis {
  readonly #markov: MarkovRows;

  constructor(
    private readonly model: TopologyModel,
    private readonly linear: Linearisation,
  ) {
    this.#markov = new MarkovRows(model, linear);
  }

  component(
    systems: readonly number[],
    interactions: readonly number[],
  ): { component: ComponentDegree; degrees: InteractionDegree[] } {
    const { stateOffsets, rowOffsets } = this.linear;
    const part: Part = {
      rows: ranges(interactions, rowOffsets),
      states: ranges(systems, stateOffsets),
    };
    const base = { systems, interactions, rows: part.rows.length, basis: this.#basis(systems, interactions) };
    const defect = this.#defect(systems, interactions);
    if (defect !== null) return { component: { ...base, vector: defect }, degrees: [] };
    const found = [...part.rows].map((row) => this.#findRow(row, part));
    const degrees = interactions.map((alpha) => this.#interaction(alpha, part, found));
    const vector = this.#vector(part, found);
    // Orders from 3 on need the Jacobians of forces, which need not be sound.
    const { defect: late } = this.#markov;
    this.#markov.defect = null;
    if (late !== null) {
      const element = this.model.systems[late.system].id;
      return { component: { ...base, vector: { defect: late.defect, element } }, degrees: [] };
    }
    return { component: { ...base, vector }, degrees };
  }

  #basis(systems: readonly number[], interactions: readonly number[]): 'constant' | 'initial-state' {
    const constant =
      systems.every((i) => {
        const { form } = this.model.systems[i];
        return form.order === 1
          ? form.rateKind === 'constant'
          : form.linear !== null && form.constantMass !== null;
      }) && interactions.every((alpha) => this.model.interactions[alpha].relation.isAffine);
    return constant ? 'constant' : 'initial-state';
  }

  #defect(systems: readonly number[], interactions: readonly number[]): DegreeDefect | null {
    for (const i of systems) {
      const defect = this.linear.massDefects[i];
      if (defect !== null) return { defect, element: this.model.systems[i].id };
    }
    for (const alpha of interactions) {
      const defect = this.linear.interactionDefects[alpha];
      if (defect !== null) return { defect, element: this.model.interactions[alpha].id };
    }
    return null;
  }

  /**
   * By the theorem of Cayley and Hamilton, a row that is zero up to r = number of states is zero for ever.
   */
  #orderLimit(part: Part): number {
    return Math.min(part.states.length, ORDER_LIMIT);
  }

  /** Advances to the first order at which a multiplier in [from, to) acts on row j. */
  #seek(j: number, part: Part, from: number, to: number): Degree {
    const markov = this.#markov;
    markov.start(j);
    while (!markov.markov.hasNonZero(from, to)) {
      if (markov.order >= this.#orderLimit(part))
        return part.states.length > ORDER_LIMIT ? 'beyond-limit' : 'none';
      if (!markov.advance()) return 'none';
    }
    return markov.order;
  }

  #findRow(j: number, part: Part): FoundRow {
    const degree = this.#seek(j, part, 0, this.linear.rows);
    if (typeof degree !== 'number')
      return { degree, scalar: degree, columns: [], values: [], magnitudes: [] };
    const { markov } = this.#markov;
    const columns = [...markov.support.subarray(0, markov.count)].sort((a, b) => a - b);
    return {
      degree,
      scalar: markov.isNonZero(j) ? degree : 'undefined',
      columns,
      values: columns.map((k) => markov.value[k]),
      magnitudes: columns.map((k) => markov.magnitude[k]),
    };
  }

  #interaction(alpha: number, part: Part, found: readonly FoundRow[]): InteractionDegree {
    const first = part.rows.indexOf(this.linear.rowOffsets[alpha]);
    const { size } = this.model.interactions[alpha].relation;
    const rows = found
      .slice(first, first + size)
      .map(({ degree, scalar }): RowDegree => ({ degree, scalar }));
    return { rows, block: this.#block(alpha, part) };
  }

  #block(alpha: number, part: Part): BlockDegree {
    const [from, to] = [this.linear.rowOffsets[alpha], this.linear.rowOffsets[alpha + 1]];
    const size = to - from;
    const own = Array.from({ length: size }, (_, k) => this.#seek(from + k, part, from, to));
    const finite = own.filter((degree) => typeof degree === 'number');
    if (finite.length === 0) return { degree: own[0], rank: 0, nonSingular: false };
    const degree = Math.min(...finite);
    const block = trackedMatrix(size, size);
    for (let k = 0; k < size; k++) {
      // Rows with a larger degree are zero at this one.
      if (own[k] !== degree) continue;
      this.#seek(from + k, part, from, to);
      const { value, magnitude } = this.#markov.markov;
      block.values.set(value.subarray(from, to), k * size);
      block.magnitudes.set(magnitude.subarray(from, to), k * size);
    }
    const { rank } = eliminate(block);
    return { degree, rank, nonSingular: rank === size };
  }

  #vector(part: Part, found: readonly FoundRow[]): VectorDegree {
    const m = part.rows.length;
    if (m > LARGEST_ELIMINATION)
      return isPositiveDefinite(part, found) ? { status: 'exists' } : { status: 'not-decided' };
    const { rank, dependent } = decoupling(part, found);
    if (rank === m) return { status: 'exists' };
    const rows = dependent.map((k) => this.#place(part.rows[k]));
    if (m * (m + part.states.length) > LARGEST_STRUCTURE)
      return { status: 'undefined', rank, rows, structure: null };
    const structure = infiniteStructure(part, this.#markov, this.#orderLimit(part));
    return { status: 'undefined', rank, rows, structure };
  }

  #place(row: number): RowPlace {
    const { rowOffsets } = this.linear;
    let interaction = 0;
    while (rowOffsets[interaction + 1] <= row) interaction++;
    return { interaction, row: row - rowOffsets[interaction] };
  }
}

/** All numbers from offsets[i] to offsets[i + 1] of the given i. */
function ranges(indices: readonly number[], offsets: Int32Array): Int32Array {
  return Int32Array.from(
    indices.flatMap((i) => Array.from({ length: offsets[i + 1] - offsets[i] }, (_, k) => offsets[i] + k)),
  );
}

/**
 * Rank of the decoupling matrix and the rows that take part in its dependences. An identity is carried along:
 * its rows become the combinations that vanish.
 */
function decoupling(part: Part, found: readonly FoundRow[]): { rank: number; dependent: number[] } {
  const m = found.length;
  const local = localNumbers(part.rows);
  const matrix = trackedMatrix(m, 2 * m);
  found.forEach(({ columns, values, magnitudes }, i) => {
    columns.forEach((column, k) => {
      const at = i * 2 * m + (local.get(column) ?? 0);
      matrix.values[at] = values[k];
      matrix.magnitudes[at] = magnitudes[k];
    });
    matrix.values[i * 2 * m + m + i] = 1;
    matrix.magnitudes[i * 2 * m + m + i] = 1;
  });
  const { rank, isPivot } = eliminate(matrix, m);
  const dependent = new Set<number>();
  for (let i = 0; i < m; i++) {
    if (isPivot[i] === 1) continue;
    for (let k = 0; k < m; k++) {
      const at = i * 2 * m + m + k;
      if (Math.abs(matrix.values[at]) > CANCELLED * matrix.magnitudes[at]) dependent.add(k);
    }
  }
  return { rank, dependent: [...dependent].sort((a, b) => a - b) };
}

/** Sparse test for the large ones: contacts between bodies have the decoupling matrix ∇h M⁻¹ ᵗ∇h. */
function isPositiveDefinite(part: Part, found: readonly FoundRow[]): boolean {
  if (found.reduce((sum, { columns }) => sum + columns.length, 0) > LARGEST_SPARSE) return false;
  const local = localNumbers(part.rows);
  const matrix = new SparseBuilder(found.length);
  found.forEach(({ columns, values }, i) =>
    columns.forEach((column, k) => matrix.add(i, local.get(column) ?? 0, values[k])),
  );
  return factorise(matrix.build()) !== null;
}

function localNumbers(rows: Int32Array): Map<number, number> {
  const local = new Map<number, number>();
  rows.forEach((row, k) => local.set(row, k));
  return local;
}
