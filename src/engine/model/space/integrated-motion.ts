/**
 * Position and orientation of a body whose velocities are functions of time,
 *
 *     x(t) = ∫₀ᵗ V ds,     Q̇ = ½ (0, ω) ∘ Q  in the world's frame,   Q̇ = ½ Q ∘ (0, Ω)  in the body's,
 *     Q(0) = 1.
 *
 * One step has the three nodes of Gauss: the displacement is their quadrature, of order 6, and the turn the
 * exponential of the series of Magnus with these nodes, of order 6 too. With c the width, ω₁, ω₂, ω₃ the
 * nodes and × the bracket,
 *
 *     α₁ = c ω₂,  α₂ = √15 c (ω₃ − ω₁)/3,  α₃ = 10 c (ω₃ − 2 ω₂ + ω₁)/3,
 *     C₁ = α₁×α₂,  C₂ = −α₁×(2 α₃ + C₁)/60,
 *     ϑ = α₁ + α₃/12 + (−20 α₁ − α₃ + C₁)×(α₂ + C₂)/240
 *
 * (Blanes et al. 2009, section 5.4). In the body's frame ᵗR obeys the equation with −Ω.
 *
 * The answer depends on t alone and not on the order of questions, and no function is asked for times beyond
 * t. Time is divided into cells of fixed width. A cell, or what of it is before t, is halved until one step
 * and two of half its width agree, and until the values at both ends are on the polynomial through the six
 * nodes of the halves: jumps are found so. The states at every `BLOCK` cells are kept, and those at the cells
 * of the block that was asked for last.
 */
import { cross } from '../../spatial/matrix3';
import { exponential, multiplyQuaternions, normaliseQuaternion } from '../../spatial/quaternion';
import { type ModelFunction, NOTHING } from '../plugin';

/** Width of a cell, s. Eleven values in it see whatever lasts longer than a millisecond. */
const CELL = 2 ** -7;
const BLOCK = 128;
/**
 * Difference of one step from two halves, in parts of the largest increment of a cell; theirs is 1/63 of it.
 */
const TOLERANCE = 1e-13;
/** Halvings after which a jump has been found: its place is known to 1e-14 s. */
const HALVINGS = 40;

/** x and Q */
const STATE = 7;
/** V and ω at three nodes */
const VALUES = 18;
const NODE = Math.sqrt(15) / 10;
const NODES = [0.5 - NODE, 0.5, 0.5 + NODE] as const;
const OUTER = 5 / 18;
const MIDDLE = 8 / 18;
/**
 * Part of a step between its end and the next node of the halves, where a jump would be seen by none of them.
 */
const UNSEEN = 0.5 * NODES[0];
/**
 * Weights with which the six nodes of the halves say the value at the start; at the end they are reversed.
 */
const TO_START = lagrange([...NODES.map((c) => 0.5 * c), ...NODES.map((c) => 0.5 + 0.5 * c)]);

/** Values at 0 of the polynomials of Lagrange. */
function lagrange(nodes: readonly number[]): readonly number[] {
  return nodes.map((own) =>
    nodes.reduce((product, c) => (c === own ? product : (product * c) / (c - own)), 1),
  );
}

/** The motion towards one side of t = 0. */
class OneSide {
  /** states at the beginning of blocks */
  #checkpoints = new Float64Array(16 * STATE);
  #known = 1;
  /** number of the block whose cells are held, and how many of them are complete */
  #block = 0;
  #complete = 0;
  /** states at the beginning of its cells, and at its end */
  readonly #cells = new Float64Array((BLOCK + 1) * STATE);
  readonly #state = new Float64Array(STATE);
  readonly #whole = new Float64Array(STATE);
  readonly #half = new Float64Array(STATE);
  readonly #other = new Float64Array(STATE);
  readonly #clock = new Float64Array(1);
  readonly #nodes = new Float64Array(VALUES);
  readonly #firstNodes = new Float64Array(VALUES);
  readonly #ends = new Float64Array(12);
  readonly #brackets = new Float64Array(21);
  readonly #turned = new Float64Array(4);
  readonly #value = new Float64Array(3);

  /** @param sign of t */
  constructor(
    private readonly sign: 1 | -1,
    private readonly velocity: ModelFunction | null,
    private readonly spin: ModelFunction | null,
    private readonly isInBodyFrame: boolean,
  ) {
    this.#checkpoints[3] = 1;
    this.#cells[3] = 1;
  }

  /** State at sign · s, s ≥ 0. */
  at(s: number, out: Float64Array, outAt: number): void {
    const cell = Math.floor(s / CELL);
    const block = Math.floor(cell / BLOCK);
    if (block !== this.#block) this.#enter(block);
    this.#completeCells(cell - block * BLOCK);
    const start = cell * CELL;
    this.#take(this.#cells, STATE * (cell - block * BLOCK));
    if (s > start) this.#cover(start, s - start, 0);
    for (let i = 0; i < STATE; i++) out[outAt + i] = this.#state[i];
  }

  /** Begins a block; those before it that have not been asked for are integrated. */
  #enter(block: number): void {
    while (this.#known <= block) {
      this.#begin(this.#known - 1);
      this.#completeCells(BLOCK);
      if (this.#checkpoints.length <= STATE * this.#known) this.#checkpoints = doubled(this.#checkpoints);
      for (let i = 0; i < STATE; i++)
        this.#checkpoints[STATE * this.#known + i] = this.#cells[STATE * BLOCK + i];
      this.#known++;
    }
    this.#begin(block);
  }

  #begin(block: number): void {
    if (block === this.#block) return;
    this.#block = block;
    this.#complete = 0;
    for (let i = 0; i < STATE; i++) this.#cells[i] = this.#checkpoints[STATE * block + i];
  }

  /** Integrates the first cells of the block. @param count of them */
  #completeCells(count: number): void {
    while (this.#complete < count) {
      this.#take(this.#cells, STATE * this.#complete);
      this.#cover((this.#block * BLOCK + this.#complete) * CELL, CELL, 0);
      this.#complete++;
      for (let i = 0; i < STATE; i++) this.#cells[STATE * this.#complete + i] = this.#state[i];
    }
  }

  #take(from: Float64Array, at: number): void {
    for (let i = 0; i < STATE; i++) this.#state[i] = from[at + i];
  }

  /**
   * Carries the state from `start` over `width`, by as many steps as are needed. @param depth halvings so far
   */
  #cover(start: number, width: number, depth: number): void {
    const middle = start + 0.5 * width;
    const end = start + width;
    this.#step(start, width, this.#whole);
    const largest = this.#largest();
    this.#step(start, middle - start, this.#half);
    this.#firstNodes.set(this.#nodes);
    this.#step(middle, end - middle, this.#other);
    this.#readEnds(start, end);
    if (
      depth < HALVINGS &&
      middle > start &&
      middle < end &&
      this.#differs(width, Math.max(largest, this.#largest()))
    ) {
      this.#cover(start, middle - start, depth + 1);
      this.#cover(middle, end - middle, depth + 1);
      return;
    }
    this.#add(this.#half);
    this.#add(this.#other);
  }

  #readEnds(start: number, end: number): void {
    this.#ends.fill(0);
    this.#clock[0] = this.sign * start;
    this.#read(this.velocity, this.#ends, 0);
    this.#read(this.spin, this.#ends, 3);
    this.#clock[0] = this.sign * end;
    this.#read(this.velocity, this.#ends, 6);
    this.#read(this.spin, this.#ends, 9);
  }

  /**
   * Whether one step and two halves disagree, or the ends with them. @param largest of V and ω in magnitude
   */
  #differs(width: number, largest: number): boolean {
    const limit = TOLERANCE * CELL * largest;
    for (let i = 0; i < 6; i++) {
      // Entry i of the nodes: three of V come before three of ω.
      const at = i < 3 ? i : 6 + i;
      let start = this.#ends[i];
      let end = this.#ends[6 + i];
      for (let k = 0; k < 3; k++) {
        const [first, second] = [this.#firstNodes[at + 3 * k], this.#nodes[at + 3 * k]];
        start -= TO_START[k] * first + TO_START[3 + k] * second;
        end -= TO_START[5 - k] * first + TO_START[2 - k] * second;
      }
      if (UNSEEN * width * Math.max(Math.abs(start), Math.abs(end)) > limit) return true;
    }
    const whole = this.#whole;
    for (let i = 0; i < 3; i++) if (Math.abs(this.#half[i] + this.#other[i] - whole[i]) > limit) return true;
    const turned = this.#turned;
    if (this.isInBodyFrame) multiplyQuaternions(this.#half, 3, this.#other, 3, turned, 0);
    else multiplyQuaternions(this.#other, 3, this.#half, 3, turned, 0);
    for (let i = 1; i < 4; i++) if (Math.abs(turned[i] - whole[3 + i]) > limit) return true;
    return false;
  }

  /** Largest entry of the nodes of the last step, in magnitude. */
  #largest(): number {
    let most = 0;
    for (let i = 0; i < VALUES; i++) most = Math.max(most, Math.abs(this.#nodes[i]));
    return most;
  }

  /** state ← state with an increment behind it */
  #add(increment: Float64Array): void {
    const state = this.#state;
    for (let i = 0; i < 3; i++) state[i] += increment[i];
    if (this.spin === null) return;
    if (this.isInBodyFrame) multiplyQuaternions(state, 3, increment, 3, state, 3);
    else multiplyQuaternions(increment, 3, state, 3, state, 3);
    normaliseQuaternion(state, 3);
  }

  /** Displacement and turn from `start` over `width`. */
  #step(start: number, width: number, out: Float64Array): void {
    const nodes = this.#nodes;
    nodes.fill(0);
    for (let k = 0; k < 3; k++) {
      this.#clock[0] = this.sign * (start + NODES[k] * width);
      this.#read(this.velocity, nodes, 3 * k);
      this.#read(this.spin, nodes, 9 + 3 * k);
    }
    const signed = this.sign * width;
    for (let i = 0; i < 3; i++) out[i] = signed * (OUTER * (nodes[i] + nodes[6 + i]) + MIDDLE * nodes[3 + i]);
    const b = this.#brackets;
    // α₁, α₂, α₃ at 0, 3, 6; C₁ at 9, C₂ at 12; what is bracketed at 15; its bracket at 18
    const c = this.isInBodyFrame ? -signed : signed;
    for (let i = 0; i < 3; i++) {
      b[i] = c * nodes[12 + i];
      b[3 + i] = (Math.sqrt(15) / 3) * c * (nodes[15 + i] - nodes[9 + i]);
      b[6 + i] = (10 / 3) * c * (nodes[15 + i] - 2 * nodes[12 + i] + nodes[9 + i]);
    }
    cross(b, 0, b, 3, b, 9);
    for (let i = 0; i < 3; i++) b[15 + i] = 2 * b[6 + i] + b[9 + i];
    cross(b, 0, b, 15, b, 12);
    for (let i = 0; i < 3; i++) {
      b[12 + i] = b[3 + i] - b[12 + i] / 60;
      b[15 + i] = -20 * b[i] - b[6 + i] + b[9 + i];
    }
    cross(b, 15, b, 12, b, 18);
    for (let i = 0; i < 3; i++) b[i] += b[6 + i] / 12 + b[18 + i] / 240;
    exponential(b, 0, this.isInBodyFrame ? -1 : 1, out, 3);
  }

  #read(rate: ModelFunction | null, out: Float64Array, at: number): void {
    if (rate === null) return;
    const value = this.#value.fill(0);
    rate(this.#clock, NOTHING, NOTHING, value);
    for (let i = 0; i < 3; i++) out[at + i] = value[i];
  }
}

const doubled = (from: Float64Array): Float64Array<ArrayBuffer> => {
  const to = new Float64Array(2 * from.length);
  to.set(from);
  return to;
};

export class IntegratedMotion {
  readonly #later: OneSide;
  readonly #earlier: OneSide;

  /**
   * @param velocity V(t), m/s, null where it is none
   * @param spin angular velocity, rad/s, null where it is none
   * @param isInBodyFrame whether that is Ω and not ω
   */
  constructor(velocity: ModelFunction | null, spin: ModelFunction | null, isInBodyFrame: boolean) {
    this.#later = new OneSide(1, velocity, spin, isInBodyFrame);
    this.#earlier = new OneSide(-1, velocity, spin, isInBodyFrame);
  }

  /**
   * Displacement and turn since t = 0, 7 numbers.
   * @param t s
   * @throws {EngineError} when a function fails
   */
  at(t: number, out: Float64Array, at = 0): void {
    if (t >= 0) this.#later.at(t, out, at);
    else this.#earlier.at(-t, out, at);
  }
}
