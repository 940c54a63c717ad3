/**
 * The series of a motion on an arc, written out term by term: of ż = A z + b the coefficients are a_k/k!
 * with a_0 = z, a_1 = A z + b, a_k = A a_{k−1}, and those of a gap are sums of them. For systems of a few
 * entries that is several times faster than loops over arrays: terms of one order wait for nothing but those
 * of the order before, and polynomials are evaluated in even and odd powers side by side.
 */
import type { ForcedSystem } from '../../smooth-arcs/analytic-forcing';
import { ROW, nonzeroPattern, type LinearSystem } from '../../smooth-arcs/linear-system';
import type { LinearForm } from '../../smooth/event-functions';
import type { StepWriter, Term } from '../../straight-line/writer';

/** Entries of the matrix times orders beyond which texts would be too long for the compiler of the host. */
const LONGEST = 400;
/** Orders up to which a polynomial is evaluated from its last coefficient to the first. */
const SHORT = 4;

const factorial = (k: number): number => (k < 2 ? 1 : k * factorial(k - 1));

/** The state at the end of an arc of a given length, from that at its start; the matrix is row-major. */
interface Passage {
  readonly matrix: Float64Array;
  readonly constant: Float64Array;
}

export class WrittenSeries {
  readonly #terms: readonly (readonly (readonly [value: number, column: number])[])[];
  readonly #passage: Passage | null;

  /** @returns null where the text would be too long */
  static of(system: LinearSystem, order: number, longest: number): WrittenSeries | null {
    const { values } = nonzeroPattern(system);
    return values.length * order > LONGEST ? null : new WrittenSeries(system, order, longest);
  }

  private constructor(
    private readonly system: LinearSystem,
    private readonly order: number,
    longest: number,
  ) {
    const { starts, columns, values } = nonzeroPattern(system);
    this.#terms = Array.from({ length: system.size }, (_, i) => {
      const own = Array.from(
        { length: starts[i + 1] - starts[i] },
        (__, k) => [values[starts[i] + k], columns[starts[i] + k]] as const,
      );
      // The term that each order waits for longest comes last.
      return [...own.filter(([, j]) => j !== i), ...own.filter(([, j]) => j === i)];
    });
    this.#passage = longest < Infinity ? this.#passageOf(longest) : null;
  }

  /** Σ A^k L^k/k!, and what b adds, from the smallest terms on. */
  #passageOf(length: number): Passage {
    const { size, constant } = this.system;
    const matrix = new Float64Array(size * size);
    const own = new Float64Array(size);
    for (let column = 0; column <= size; column++) {
      let z = Float64Array.from({ length: size }, (_, i) => (i === column ? 1 : 0));
      const series = [z];
      for (let k = 1; k <= this.order; k++) {
        const before = z;
        z = Float64Array.from(this.#terms, (terms, i) => {
          let sum = column === size && k === 1 ? constant[i] : 0;
          for (const [value, j] of terms) sum += value * before[j];
          return (sum * length) / k;
        });
        series.push(z);
      }
      for (const term of series.reverse())
        for (let i = 0; i < size; i++)
          if (column === size) own[i] += term[i];
          else matrix[i * size + column] += term[i];
    }
    return { matrix, constant: own };
  }

  /** Σ value · a_k of the state, or of a gap. */
  #sum(w: StepWriter, entries: readonly (readonly [number, number])[], k: number, first = ''): string {
    const terms: Term[] = entries.map(([value, j]) => [value, `a${j}_${k}`]);
    return w.add(first, terms);
  }

  /**
   * Writes the coefficients of the motion that starts at the state, and of the gaps.
   * @param state, start, coefficients names of arrays
   * @param isKept condition under which coefficients are stored
   */
  write(
    w: StepWriter,
    [state, start, coefficients]: readonly [string, string, string],
    gaps: readonly LinearForm[],
    isKept: string,
  ): void {
    const { order, system } = this;
    const all = Array.from(this.#terms, (_, i) => i);
    w.line(all.map((i) => `const a${i}_0 = ${state}[${i}]; ${start}[${i}] = a${i}_0;`).join(' '));
    for (let k = 1; k <= order; k++)
      w.line(
        all
          .map((i) => {
            const own = k === 1 && system.constant[i] !== 0 ? w.literal(system.constant[i]) : '';
            return `const a${i}_${k} = ${this.#sum(w, this.#terms[i], k - 1, own)};`;
          })
          .join(' '),
      );
    gaps.forEach(({ offset, indices, values }, r) => {
      const entries = Array.from(indices, (at, k) => [values[k], at] as const);
      for (let k = 0; k <= order; k++) {
        const own = k === 0 && offset[0] !== 0 ? w.literal(offset[0]) : '';
        const sum = this.#sum(w, entries, k, own);
        w.line(`const h${r}_${k} = ${k < 2 ? sum : `(${sum}) * ${1 / factorial(k)}`};`);
      }
    });
    w.line(`if (${isKept}) {`);
    for (const i of all)
      w.line(
        Array.from({ length: order + 1 }, (_, k) => {
          const value = k < 2 ? `a${i}_${k}` : `a${i}_${k} * ${1 / factorial(k)}`;
          return `${coefficients}[${ROW * i + k}] = ${value};`;
        }).join(' '),
      );
    w.line('}');
  }

  /**
   * Writes a lower bound of the second derivative of a gap on the arc into `least`.
   * @param power names of ℓ^k
   */
  writeLeast(w: StepWriter, r: number, power: readonly string[]): void {
    const terms = [`2 * h${r}_2`];
    for (let k = 3; k <= this.order; k++) terms.push(`${k * (k - 1)} * ${power[k - 2]} * abs(h${r}_${k})`);
    w.line(`const least${r} = ${this.order < 2 ? '0' : terms.join(' - ')};`);
  }

  /** Writes half of the second derivative at the start into `bend`, and what follows, by ℓ², into `rest`. */
  writeRest(w: StepWriter, r: number, power: readonly string[]): void {
    const terms: string[] = [];
    for (let k = 3; k <= this.order; k++) terms.push(`${power[k - 2]} * abs(h${r}_${k})`);
    w.line(`const bend${r} = ${this.order < 2 ? '0' : `h${r}_2`}, rest${r} = ${terms.join(' + ') || '0'};`);
  }

  /** Writes powers of the length of the arc. @returns their names */
  writePowers(w: StepWriter): string[] {
    const names = ['1', 'length'];
    for (let k = 2; k <= this.order - 2; k++) names.push(w.constant(`${names[k - 1]} * length`));
    return names;
  }

  /** Writes value and rate of a gap at a place into `y` and `rate`. */
  writeMeasure(w: StepWriter, r: number, place: string): void {
    writePolynomial(
      w,
      Array.from({ length: this.order + 1 }, (_, k) => `h${r}_${k}`),
      place,
    );
  }

  /** Second derivative of a gap at a place. */
  bend(r: number, place: string): string {
    return horner(
      Array.from({ length: Math.max(0, this.order - 1) }, (_, k) => `${(k + 2) * (k + 1)} * h${r}_${k + 2}`),
      place,
    );
  }

  /**
   * Writes the state at the end of the arc, e0, e1, …
   * @param isWhole condition under which that is the longest one
   */
  writeEnd(w: StepWriter, isWhole: string): void {
    const all = Array.from(this.#terms, (_, i) => i);
    w.line(`let ${all.map((i) => `e${i} = 0`).join(', ')};`);
    const { size } = this.system;
    if (this.#passage !== null) {
      const { matrix, constant } = this.#passage;
      w.line(`if (${isWhole}) {`);
      for (const i of all) {
        const terms: Term[] = all.map((j) => [matrix[i * size + j], `a${j}_0`]);
        w.line(`e${i} = ${w.add(constant[i] === 0 ? '' : w.literal(constant[i]), terms)};`);
      }
      w.line('} else {');
    } else w.line('{');
    if (this.order > SHORT) w.line('const square = end * end;');
    for (const i of all) {
      const names = Array.from({ length: this.order + 1 }, (_, k) =>
        k < 2 ? `a${i}_${k}` : `a${i}_${k} * ${1 / factorial(k)}`,
      );
      w.line(`e${i} = ${this.order > SHORT ? split(names, 'end', 'square') : horner(names, 'end')};`);
    }
    w.line('}');
  }
}

/** Σ c_k x^k from the last to the first. */
function horner(c: readonly string[], x: string): string {
  if (c.length === 0) return '0';
  let text = c[c.length - 1];
  for (let k = c.length - 2; k >= 0; k--) text = `(${c[k]} + ${x} * (${text}))`;
  return text;
}

/** The same by even and odd powers. @param square name of x² */
const split = (c: readonly string[], x: string, square: string): string =>
  `${horner(
    c.filter((_, k) => k % 2 === 0),
    square,
  )} + ${x} * ${horner(
    c.filter((_, k) => k % 2 === 1),
    square,
  )}`;

/** Writes a polynomial and its derivative at a place into `y` and `rate`. */
export function writePolynomial(w: StepWriter, c: readonly string[], x: string): void {
  if (c.length - 1 <= SHORT) {
    w.line(`y = ${c[c.length - 1]}; rate = 0;`);
    for (let k = c.length - 2; k >= 0; k--) w.line(`rate = y + ${x} * rate; y = ${c[k]} + ${x} * y;`);
    return;
  }
  // E(x²) + x O(x²), with derivatives by x².
  w.line('{');
  w.line(`const square = ${x} * ${x};`);
  for (const [name, first] of [
    ['even', 0],
    ['odd', 1],
  ] as const) {
    const own = c.filter((_, k) => k % 2 === first);
    w.line(`let ${name} = ${own[own.length - 1]}, ${name}Slope = 0;`);
    for (let k = own.length - 2; k >= 0; k--)
      w.line(`${name}Slope = ${name} + square * ${name}Slope; ${name} = ${own[k]} + square * ${name};`);
  }
  w.line(`y = even + ${x} * odd; rate = odd + 2 * ${x} * (evenSlope + ${x} * oddSlope);`);
  w.line('}');
}

/** Writes `ForcedSystem.writeSignals`, with sines and cosines in place. */
export function writeSignals(
  w: StepWriter,
  forced: ForcedSystem,
  clock: Float64Array,
  state: Float64Array,
): void {
  const [time, out] = [w.bind(clock), w.bind(state)];
  if (forced.signals.some(({ rate, cosine }) => rate !== 0 || cosine.length > 1)) {
    w.line(`${w.bind(forced)}.writeSignals(${time}, ${out});`);
    return;
  }
  forced.signals.forEach(({ frequency, cosine, sine }, s) => {
    const at = forced.places[s];
    const [p, q] = [w.literal(cosine[0]), w.literal(sine[0])];
    if (frequency === 0) {
      w.line(`${out}[${at}] = ${p};`);
      return;
    }
    const angle = w.constant(`${w.literal(frequency)} * ${time}[0]`);
    const [c, sn] = [w.constant(`cos(${angle})`), w.constant(`sin(${angle})`)];
    w.line(`${out}[${at}] = ${p} * ${c} + ${q} * ${sn};`);
    w.line(`${out}[${at + 1}] = ${q} * ${c} - ${p} * ${sn};`);
  });
}
