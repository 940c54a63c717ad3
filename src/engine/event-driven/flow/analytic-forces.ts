/**
 * Forces, sources and offsets of outputs that depend on time and of which the forms say what they are
 * (`AnalyticForcing`), gathered for exact flights: a constant by coordinate and by row, and functions
 * e^(σt) (P(t) cos ωt + Q(t) sin ωt), each with the coordinates that it acts on and the rows it is part of.
 * Where several forces are multiples of one function, as of one
 * source in a circuit, they are that function.
 *
 * What forms say is compared with the values of their functions over the times of the simulation, and used
 * only if it agrees: a polynomial in t − t₀ loses digits when it is written in powers of t, and a scheduled
 * event may change a force.
 */
import { type AnalyticFunction, type AnalyticTerm, termAt } from '../../model/analytic-function';
import type { FirstOrderForm, LagrangianForm, RelationForm } from '../../model/forms';
import type { DynamicalSystem, Interaction } from '../../model/nsds';
import { type AnalyticSignal, ForcedSystem } from '../../smooth-arcs/analytic-forcing';
import type { IntegratedPlaces } from './free-motion';

/** Times at which a description is compared, besides the first and the last. */
const COMPARED = 63;
/** Largest difference, relative to the largest value of the entry. */
const AGREEMENT = 1e-12;
/** Rounding of a phase ωt or exponent σt, in units of ε, by which neither value is better known. */
const PHASE = 4 * Number.EPSILON;
/** Fractional parts of multiples of it are spread evenly, and meet no period of a force. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A function of time and what it acts on. */
export interface ForceFunction extends Omit<AnalyticSignal, 'direction' | 'slope'> {
  /** coordinates it is a force on */
  readonly coordinates: readonly number[];
  /** force per value of the function, by coordinate in that order */
  readonly factors: readonly number[];
  /** rows whose output it is part of, and how */
  readonly rows: readonly number[];
  readonly rowFactors: readonly number[];
}

/** P and Q of the terms with one σ and ω. */
function polynomials(terms: readonly AnalyticTerm[]): Pick<ForceFunction, 'cosine' | 'sine'> {
  const length = Math.max(...terms.map(({ power }) => power)) + 1;
  const cosine = new Float64Array(length);
  const sine = new Float64Array(length);
  for (const term of terms) {
    cosine[term.power] = term.cosine;
    sine[term.power] = term.sine;
  }
  return { cosine, sine };
}

/** c with b = c a; null when b is no multiple of a. */
function ratio(a: Float64Array, b: Float64Array): number | null {
  const largest = a.reduce((best, value, k) => (Math.abs(value) > Math.abs(a[best]) ? k : best), 0);
  const factor = b[largest] / a[largest];
  return a.every((value, k) => b[k] === factor * value) ? factor : null;
}

/** Whether two functions are multiples of each other, and by what. */
function multiple(
  known: ForceFunction,
  other: Pick<ForceFunction, 'rate' | 'frequency' | 'cosine' | 'sine'>,
): number | null {
  if (known.rate !== other.rate || known.frequency !== other.frequency) return null;
  if (known.cosine.length !== other.cosine.length) return null;
  return ratio(
    Float64Array.of(...known.cosine, ...known.sine),
    Float64Array.of(...other.cosine, ...other.sine),
  );
}

/** What a function of time acts on. */
interface Target {
  readonly coordinate?: number;
  readonly row?: number;
}

export class AnalyticForces {
  /** constant part by coordinate */
  readonly constant: Float64Array;
  /** constant part of outputs, by row */
  readonly rowConstant: Float64Array;
  readonly functions: readonly ForceFunction[];
  /** components they add to the state */
  readonly components: number;
  /** the functions by themselves, and their components at a time */
  readonly #alone: ForcedSystem;
  readonly #values: Float64Array;
  readonly #next: Float64Array;
  /** magnitudes of these, in which nothing cancels */
  readonly #sizes: Float64Array;
  readonly #nextSizes: Float64Array;

  /** @param end of the simulation, s */
  constructor(
    private readonly systems: readonly DynamicalSystem[],
    { offsets, coordinates }: IntegratedPlaces,
    private readonly end: number,
    private readonly interactions: readonly Interaction[] = [],
  ) {
    this.constant = new Float64Array(coordinates);
    this.rowConstant = new Float64Array(interactions.reduce((sum, { relation }) => sum + relation.size, 0));
    const functions: ForceFunction[] = [];
    systems.forEach(({ form }, s) => {
      form.analytic?.entries.forEach((terms, i) => {
        this.#gather(terms, { coordinate: offsets[s] + i }, functions);
      });
    });
    let first = 0;
    for (const { relation } of interactions) {
      relation.offsets?.forEach((terms, r) => {
        this.#gather(terms, { row: first + r }, functions);
      });
      first += relation.size;
    }
    this.functions = functions;
    const direction = new Float64Array(0);
    this.#alone = new ForcedSystem(
      { size: 0, matrix: direction, constant: direction },
      functions.map((f) => ({ ...f, direction })),
    );
    this.components = this.#alone.system.size;
    this.#values = new Float64Array(this.components);
    this.#next = new Float64Array(this.components);
    this.#sizes = new Float64Array(this.components);
    this.#nextSizes = new Float64Array(this.components);
  }

  #gather(terms: readonly AnalyticTerm[], target: Target, functions: ForceFunction[]): void {
    let rest = terms;
    while (rest.length > 0) {
      const [{ rate, frequency }] = rest;
      const isOfGroup = (term: AnalyticTerm): boolean => term.rate === rate && term.frequency === frequency;
      const found = { rate, frequency, ...polynomials(rest.filter(isOfGroup)) };
      rest = rest.filter((term) => !isOfGroup(term));
      if (rate === 0 && frequency === 0 && found.cosine.length === 1) {
        if (target.coordinate !== undefined) this.constant[target.coordinate] += found.cosine[0];
        if (target.row !== undefined) this.rowConstant[target.row] += found.cosine[0];
        continue;
      }
      let at = functions.findIndex((known) => multiple(known, found) !== null);
      if (at < 0)
        at = functions.push({ ...found, coordinates: [], factors: [], rows: [], rowFactors: [] }) - 1;
      const known = functions[at];
      const factor = multiple(known, found) ?? 0;
      functions[at] =
        target.row === undefined
          ? {
              ...known,
              coordinates: [...known.coordinates, target.coordinate ?? 0],
              factors: [...known.factors, factor],
            }
          : { ...known, rows: [...known.rows, target.row], rowFactors: [...known.rowFactors, factor] };
    }
  }

  /** All functions, of which `derive` makes their next derivatives, at a time. */
  read(clock: Float64Array): void {
    this.#alone.writeSignals(clock, this.#values);
    for (let k = 0; k < this.#values.length; k++) this.#sizes[k] = Math.abs(this.#values[k]);
  }

  derive(): void {
    const n = this.components;
    const { matrix } = this.#alone.system;
    for (let i = 0; i < n; i++) {
      let [sum, size] = [0, 0];
      for (let j = 0; j < n; j++) {
        sum += matrix[i * n + j] * this.#values[j];
        size += Math.abs(matrix[i * n + j]) * this.#sizes[j];
      }
      this.#next[i] = sum;
      this.#nextSizes[i] = size;
    }
    this.#values.set(this.#next);
    this.#sizes.set(this.#nextSizes);
  }

  /** Adds what functions, or their derivatives, are in outputs. @param out by row */
  addOutputs(out: Float64Array): void {
    for (let s = 0; s < this.functions.length; s++) {
      const { rows, rowFactors } = this.functions[s];
      const value = this.#values[this.#alone.places[s]];
      for (let k = 0; k < rows.length; k++) out[rows[k]] += rowFactors[k] * value;
    }
  }

  /**
   * Adds them, and what cancels in them.
   * @param forces by coordinate
   * @param outputs by row
   */
  addAll(
    forces: Float64Array,
    forceSizes: Float64Array,
    outputs: Float64Array,
    outputSizes: Float64Array,
  ): void {
    for (let s = 0; s < this.functions.length; s++) {
      const { coordinates, factors, rows, rowFactors, frequency } = this.functions[s];
      const at = this.#alone.places[s];
      const value = this.#values[at];
      const size = this.#sizes[at] + (frequency === 0 ? 0 : this.#sizes[at + 1]);
      for (let k = 0; k < rows.length; k++) {
        outputs[rows[k]] += rowFactors[k] * value;
        outputSizes[rows[k]] += Math.abs(rowFactors[k]) * size;
      }
      for (let k = 0; k < coordinates.length; k++) {
        forces[coordinates[k]] += factors[k] * value;
        forceSizes[coordinates[k]] += Math.abs(factors[k]) * size;
      }
    }
  }

  /**
   * Id of the first system or interaction whose force or offset is not what its form says, from a time on;
   * null where all are.
   * @param start s
   */
  firstDeviation(start: number): string | null {
    const deviates = (entries: AnalyticFunction | undefined, values: TimedValues): boolean =>
      entries !== undefined && !this.#agrees(entries, values, start);
    const system = this.systems.find(({ form }) => deviates(form.analytic?.entries, forcesOf(form)));
    if (system !== undefined) return system.id;
    return (
      this.interactions.find(({ relation }) => deviates(relation.offsets, offsetsOf(relation)))?.id ?? null
    );
  }

  #agrees(entries: AnalyticFunction, values: TimedValues, start: number): boolean {
    const n = entries.length;
    const largest = new Float64Array(n);
    const differences: Float64Array[] = [];
    const phases: Float64Array[] = [];
    const clock = new Float64Array(1);
    const value = new Float64Array(n);
    const steady = new Float64Array(n);
    for (let k = 0; k <= COMPARED + 1; k++) {
      const fraction = k > COMPARED ? 1 : (k * GOLDEN) % 1;
      clock[0] = start + fraction * (this.end - start);
      if (!values(clock, value, steady)) return false;
      const phase = new Float64Array(n);
      const difference = value.map((total, i) => {
        const terms = entries[i].map((term) => termAt(term, clock[0]));
        entries[i].forEach(({ rate, frequency, ...term }, j) => {
          const amplitude =
            frequency === 0 ? Math.abs(terms[j]) : termSize({ rate, frequency, ...term }, clock[0]);
          phase[i] += PHASE * amplitude * (Math.abs(rate) + frequency) * Math.abs(clock[0]);
        });
        largest[i] = Math.max(largest[i], Math.abs(total), Math.abs(steady[i]));
        return terms.reduce((rest, term) => rest - term, total - steady[i]);
      });
      differences.push(difference);
      phases.push(phase);
    }
    return differences.every((difference, k) =>
      difference.every((d, i) => Math.abs(d) <= AGREEMENT * largest[i] + phases[k][i]),
    );
  }
}

/** |t^k e^(σt)| (|p| + |q|) */
const termSize = ({ power, rate, cosine, sine }: AnalyticTerm, t: number): number =>
  Math.abs(t) ** power * Math.exp(rate * t) * (Math.abs(cosine) + Math.abs(sine));

/**
 * Forces or offsets at rest in the origin, and of these what does not depend on time.
 * @returns false where functions fail, which the run will tell
 */
type TimedValues = (clock: Float64Array, value: Float64Array, steady: Float64Array) => boolean;

function succeeds(evaluate: () => void): boolean {
  try {
    evaluate();
    return true;
  } catch {
    return false;
  }
}

const forcesOf =
  (form: FirstOrderForm | LagrangianForm): TimedValues =>
  (clock, value, steady) =>
    succeeds(() => {
      const zero = new Float64Array(form.size);
      if (form.order === 1) {
        form.rate(clock, zero, value);
        form.analytic?.steady.rate(clock, zero, steady);
      } else {
        form.force(clock, zero, zero, value);
        form.analytic?.steady.force(clock, zero, zero, steady);
      }
    });

const offsetsOf =
  (relation: RelationForm): TimedValues =>
  (clock, value) =>
    succeeds(() => {
      relation.output(clock, new Float64Array(relation.columns), new Float64Array(relation.size), value);
    });
