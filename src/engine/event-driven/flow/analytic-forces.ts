/**
 * Forces and sources that depend on time and of which the forms say what they are (`AnalyticForcing`),
 * gathered for exact flights: a constant by coordinate, and functions e^(σt) (P(t) cos ωt + Q(t) sin ωt),
 * each with the coordinates that it acts on. Where several forces are multiples of one function, as of one
 * source in a circuit, they are that function.
 *
 * What forms say is compared with the values of their functions over the times of the simulation, and used
 * only if it agrees: a polynomial in t − t₀ loses digits when it is written in powers of t, and a scheduled
 * event may change a force.
 */
import { type AnalyticTerm, termAt } from '../../model/analytic-function';
import type { FirstOrderForm, LagrangianForm } from '../../model/forms';
import type { DynamicalSystem } from '../../model/nsds';
import { type AnalyticSignal, forcingComponentsOf } from '../../smooth-arcs/analytic-forcing';
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
export interface ForceFunction extends Omit<AnalyticSignal, 'direction'> {
  /** coordinates it is a force on */
  readonly coordinates: readonly number[];
  /** force per value of the function, by coordinate in that order */
  readonly factors: readonly number[];
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
  other: Omit<ForceFunction, 'coordinates' | 'factors'>,
): number | null {
  if (known.rate !== other.rate || known.frequency !== other.frequency) return null;
  if (known.cosine.length !== other.cosine.length) return null;
  return ratio(
    Float64Array.of(...known.cosine, ...known.sine),
    Float64Array.of(...other.cosine, ...other.sine),
  );
}

const isAnalytic = ({ form }: DynamicalSystem): boolean => form.analytic !== undefined;

export class AnalyticForces {
  /** constant part by coordinate */
  readonly constant: Float64Array;
  readonly functions: readonly ForceFunction[];
  /** components they add to the state */
  readonly components: number;

  /** @param end of the simulation, s */
  constructor(
    private readonly systems: readonly DynamicalSystem[],
    { offsets, coordinates }: IntegratedPlaces,
    private readonly end: number,
  ) {
    this.constant = new Float64Array(coordinates);
    const functions: ForceFunction[] = [];
    systems.forEach(({ form }, s) => {
      form.analytic?.entries.forEach((terms, i) => {
        this.#gather(terms, offsets[s] + i, functions);
      });
    });
    this.functions = functions;
    this.components = functions.reduce(
      (sum, f) => sum + forcingComponentsOf({ ...f, direction: this.constant }),
      0,
    );
  }

  #gather(terms: readonly AnalyticTerm[], coordinate: number, functions: ForceFunction[]): void {
    let rest = terms;
    while (rest.length > 0) {
      const [{ rate, frequency }] = rest;
      const isOfGroup = (term: AnalyticTerm): boolean => term.rate === rate && term.frequency === frequency;
      const found = { rate, frequency, ...polynomials(rest.filter(isOfGroup)) };
      rest = rest.filter((term) => !isOfGroup(term));
      if (rate === 0 && frequency === 0 && found.cosine.length === 1) {
        this.constant[coordinate] += found.cosine[0];
        continue;
      }
      const at = functions.findIndex((known) => multiple(known, found) !== null);
      if (at < 0) functions.push({ ...found, coordinates: [coordinate], factors: [1] });
      else {
        const { coordinates, factors } = functions[at];
        functions[at] = {
          ...functions[at],
          coordinates: [...coordinates, coordinate],
          factors: [...factors, multiple(functions[at], found) ?? 0],
        };
      }
    }
  }

  /**
   * Number of the first system whose force is not what its form says, from a time on; −1 where all are.
   * @param start s
   */
  firstDeviation(start: number): number {
    return this.systems.findIndex((system) => isAnalytic(system) && !this.#agrees(system.form, start));
  }

  #agrees(form: FirstOrderForm | LagrangianForm, start: number): boolean {
    const n = form.size;
    const entries = form.analytic?.entries ?? [];
    const largest = new Float64Array(n);
    const differences: Float64Array[] = [];
    const phases: Float64Array[] = [];
    const clock = new Float64Array(1);
    const value = new Float64Array(n);
    const steady = new Float64Array(n);
    for (let k = 0; k <= COMPARED + 1; k++) {
      const fraction = k > COMPARED ? 1 : (k * GOLDEN) % 1;
      clock[0] = start + fraction * (this.end - start);
      if (!evaluateForces(form, clock, value, steady)) return false;
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
 * Forces at rest in the origin, with and without those of time.
 * @returns false where the functions fail, which the run will tell
 */
function evaluateForces(
  form: FirstOrderForm | LagrangianForm,
  clock: Float64Array,
  value: Float64Array,
  steady: Float64Array,
): boolean {
  const zero = new Float64Array(form.size);
  try {
    if (form.order === 1) {
      form.rate(clock, zero, value);
      form.analytic?.steady.rate(clock, zero, steady);
    } else {
      form.force(clock, zero, zero, value);
      form.analytic?.steady.force(clock, zero, zero, steady);
    }
    return true;
  } catch {
    return false;
  }
}
