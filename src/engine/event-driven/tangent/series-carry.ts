/**
 * Φ̇ = A(t) Φ over a part of a stretch by power series, for small systems that are not stiff, written out
 * for their size (ADR 0015). On the part, A is replaced by the polynomial through its values at Gauss' four
 * nodes,
 *
 *     h A(θ) = M₀ + M₁ θ + M₂ θ² + M₃ θ³,     (k + 1) Φ_{k+1} = Σ_j M_j Φ_{k−j},
 *
 * whose errors Φ sees in order 8, as it does those of collocation there (`gauss-carry.ts`): they are
 * orthogonal to polynomials of degree three. Of a constant A the series leaves out nothing above rounding, so
 * that parts may be as long as 1/|A|, where collocation needs a third of that, and there is nothing to solve.
 *
 * Entries of A that have never changed are part of M₀ alone, and those that have always been zero of none.
 */
import { type StepFunction, StepWriter, type Term } from '../../straight-line/writer';
import { GAUSS_NODES, GaussCarry, lagrange, type MatrixAt, STAGES } from './gauss-carry';

/** Entries of all disturbances beyond which collocation does as well. */
const MOST_ENTRIES = 36;
/** Longest part in units of 1/|A|, and most of them: beyond that, what is fast dies out (collocation). */
const REACH = 1;
const MOST_PARTS = 16;
/**
 * Terms beyond which a series does not converge, and what the last two of them come to at its end, relative
 * to the sum: those that follow fall by a factor of ten or more.
 */
const MOST_TERMS = 60;
const SMALL = 2 ** -50;

/** M_j of values at the nodes, at [STAGES j + i]. */
const POWERS = new Float64Array(STAGES * STAGES);
for (let i = 0; i < STAGES; i++) lagrange(i).forEach((value, j) => (POWERS[STAGES * j + i] = value));

/** 1/k */
const INVERSE = Float64Array.from({ length: MOST_TERMS + 1 + STAGES }, (_, k) => (k === 0 ? 0 : 1 / k));

/** What an entry of A has been so far. */
const [ZERO, CONSTANT, CHANGING] = [0, 1, 2];

export class SeriesCarry {
  readonly #matrices: readonly Float64Array[];
  readonly #kinds: Uint8Array;
  /** values of constant entries */
  readonly #known: Float64Array;
  #isKnown = false;
  readonly #place = new Float64Array(1);
  /** undefined until it is written; null where the host makes no code from text */
  #step: StepFunction | null | undefined;

  readonly #gauss: GaussCarry;
  readonly #rest = new Float64Array(2);

  /** @param frame columns one after the other, n entries each; replaced */
  constructor(
    private readonly n: number,
    private readonly frame: Float64Array,
  ) {
    this.#matrices = Array.from({ length: STAGES }, () => new Float64Array(n * n));
    this.#gauss = new GaussCarry(n);
    this.#kinds = new Uint8Array(n * n);
    this.#known = new Float64Array(n * n);
  }

  /** @param span [0] where on the stretch, [1] up to where, s */
  carry(matrixAt: MatrixAt, span: Float64Array): void {
    const length = span[1] - span[0];
    let done = 0;
    let parts = 1;
    if (this.frame.length <= MOST_ENTRIES) {
      this.#read(matrixAt, span[0], length);
      parts = this.#partsOf(length);
      if (parts === 1) done = this.#advance(length) ? 1 : 0;
      else if (parts <= MOST_PARTS)
        for (; done < parts; done++) {
          this.#read(matrixAt, span[0] + done * (length / parts), length / parts);
          if (!this.#advance(length / parts)) break;
        }
      if (done === parts) return;
    }
    this.#rest[0] = span[0] + done * (length / parts);
    this.#rest[1] = span[1];
    this.#gauss.carry(matrixAt, this.#rest, this.frame);
  }

  #partsOf(length: number): number {
    const middle = this.#matrices[STAGES / 2];
    // Sums of rows are a bound that depends on units, and costs little.
    if (rowSum(middle, this.n) * length <= REACH) return 1;
    return Math.max(1, Math.ceil((this.#gauss.norm(middle) * length) / REACH));
  }

  /** A at the nodes of a part of length h, s. */
  #read(matrixAt: MatrixAt, start: number, h: number): void {
    for (let i = 0; i < STAGES; i++) {
      this.#place[0] = start + GAUSS_NODES[i] * h;
      matrixAt(this.#place, this.#matrices[i]);
    }
  }

  /** Over the part that has been read. @returns false where there is no series: nothing is done then */
  #advance(h: number): boolean {
    if (this.#looksOther()) this.#step = undefined;
    if (this.#step === undefined) this.#step = this.#write();
    return this.#step !== null && this.#step(h) === 1;
  }

  /** Whether an entry is not what it has been so far. */
  #looksOther(): boolean {
    const kinds = this.#kinds;
    const known = this.#known;
    if (!this.#isKnown) {
      known.set(this.#matrices[0]);
      for (let k = 0; k < known.length; k++) kinds[k] = known[k] === 0 ? ZERO : CONSTANT;
      this.#isKnown = true;
    }
    let isOther = false;
    for (let k = 0; k < known.length; k++) {
      if (kinds[k] === CHANGING) continue;
      const value = known[k];
      for (let i = 0; i < STAGES; i++) {
        if (this.#matrices[i][k] === value) continue;
        kinds[k] = CHANGING;
        isOther = true;
      }
    }
    return isOther;
  }

  /** The series of all disturbances. It returns 1 where it converges. */
  #write(): StepFunction | null {
    const { n, frame } = this;
    const kinds = this.#kinds;
    const w = new StepWriter();
    const nodes = this.#matrices.map((matrix) => w.bind(matrix));
    const columns = w.bind(frame);
    for (let k = 0; k < n * n; k++) {
      if (kinds[k] === CONSTANT) w.line(`const m0_${k} = value * ${nodes[0]}[${k}];`);
      if (kinds[k] !== CHANGING) continue;
      for (let j = 0; j < STAGES; j++) {
        const terms = nodes.map((node, i): Term => [POWERS[STAGES * j + i], `${node}[${k}]`]);
        w.line(`const m${j}_${k} = value * (${w.sum(terms)});`);
      }
    }
    const entries = Array.from({ length: frame.length }, (_, at) => at);
    for (const at of entries) {
      w.line(`let s${at} = ${columns}[${at}], p0_${at} = s${at};`);
      w.line(`let ${Array.from({ length: STAGES - 1 }, (_, j) => `p${j + 1}_${at} = 0`).join(', ')};`);
    }
    const sum = (name: string): string => entries.map((at) => `abs(${name}${at})`).join(' + ');
    w.line('let k = 1;');
    w.line('for (;;) {');
    // As many terms as one depends on: the new one takes the place of the oldest.
    for (let turn = 0; turn < STAGES; turn++) {
      const nameOf = (back: number): string => `p${(back - turn - 1 + 2 * STAGES) % STAGES}_`;
      w.line(`const i${turn} = ${w.bind(INVERSE)}[k + ${turn}];`);
      for (const at of entries) {
        const products = this.#products(at, nameOf);
        w.line(`const n${turn}_${at} = (${products.join(' + ') || '0'}) * i${turn};`);
      }
      for (const at of entries) w.line(`${nameOf(STAGES)}${at} = n${turn}_${at}; s${at} += n${turn}_${at};`);
    }
    const last = [STAGES - 2, STAGES - 1].map((turn) => sum(`n${turn}_`)).join(' + ');
    w.line(`if (${last} <= ${w.literal(SMALL)} * (${sum('s')})) break;`);
    w.line(`k += ${STAGES}; if (k > ${MOST_TERMS}) return 0;`);
    w.line('}');
    for (const at of entries) w.line(`${columns}[${at}] = s${at};`);
    w.line('return 1;');
    return w.compile('value');
  }

  /** What entry `at` of the next term is made of. @param nameOf terms by orders back, from 1 */
  #products(at: number, nameOf: (back: number) => string): string[] {
    const { n } = this;
    const row = at % n;
    const products: string[] = [];
    for (let j = 0; j < STAGES; j++)
      for (let s = 0; s < n; s++) {
        const kind = this.#kinds[row + n * s];
        if (kind === CHANGING || (kind === CONSTANT && j === 0))
          products.push(`m${j}_${row + n * s} * ${nameOf(j + 1)}${at - row + s}`);
      }
    return products;
  }
}

/** Largest sum of the entries of a row. @param a entry [i, j] at [i + n j] */
function rowSum(a: Float64Array, n: number): number {
  let largest = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += Math.abs(a[i + n * j]);
    largest = Math.max(largest, sum);
  }
  return largest;
}
