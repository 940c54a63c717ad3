/**
 * Disturbances along motion that is skimmed (`skim/skimming.ts`), written out for its system (ADR 0015): what
 * `TangentMotion`, `Saltation` and `GrazeWatch` do for any motion.
 *
 * On an arc δ⁺ = e^{Aτ} δ, by the series that the arc has. A contact without friction that bounces plainly,
 * v⁺ = v⁻ − r β ẏ⁻ with r = M⁻¹Cᵗ and β = (1 + e)/(C r), leaves of a disturbance
 *
 *     δq⁺ = δq − r β C δq,     δv⁺ = δv − r β C δv + β (r (C v̇⁻ + γ)/ẏ⁻ − A_vv r) C δq.
 *
 * That is the saltation matrix of `saltation.ts` with f⁺ − f⁻ = A (x⁺ − x⁻), because velocities alone jump.
 *
 * Whether a gap turns round at zero is asked of its values and rates at a few places of each arc: between two
 * of them where it falls at first and rises then, the turn is looked for.
 */
import { nonzeroPattern, type NonzeroPattern, ROW } from '../../smooth-arcs/linear-system';
import type { LinearFlight } from '../../smooth-arcs/linear-flight';
import { type StepFunction, StepWriter, type Term } from '../../straight-line/writer';
import type { ObservedParts } from '../flow/flight-observer';
import { FUNCTIONS } from '../rows/row-events';
import type { SkimArcs } from '../skim/skim-arcs';
import { DEGREE } from '../skim/time-table';
import type { StateSizes } from './flow-jacobian';
import type { GrazeWatch } from './graze-watch';
import type { Saltation } from './saltation';

/** Entries of all disturbances beyond which loops do as well. */
const MOST_ENTRIES = 64;
/** Parts of an arc at whose ends gaps are looked at. */
const PARTS = 4;
/** Halvings of one of them in which a turn is looked for, and those behind which its tangents tell of it. */
const MOST_HALVINGS = 60;
const SURE = 3;

/** 1/k */
const INVERSE = Float64Array.from({ length: ROW + 1 }, (_, k) => (k === 0 ? 0 : 1 / k));

/** What belongs to the disturbances, however they are carried. */
interface Carried {
  /** [0] where on the arc, [1] up to where, s: what is to be carried */
  readonly span: Float64Array;
  /** n entries of each disturbance */
  readonly frame: Float64Array;
  readonly sizes: StateSizes;
  readonly grazes: GrazeWatch;
  readonly saltation: Saltation;
}

export class SkimTangent {
  /** along an arc */
  readonly #carry: StepFunction | null;
  /** C v̇ of a contact, and what its bounce leaves of disturbances */
  readonly #approach: StepFunction | null;
  readonly #bounce: StepFunction | null;
  /** value and rate of a gap at a place of the arc, by gap */
  readonly #measures: readonly (StepFunction | null)[];
  /** [0] value and [1] rate of the gap that was measured last */
  readonly #measured = new Float64Array(2);
  /** [0] C v̇⁻ of the contact that is hit, [1] ẏ⁻, [2] γ */
  readonly #hit = new Float64Array(3);
  /** value and rate of each gap where it was looked at last; NaN behind an impact */
  readonly #last: Float64Array;
  readonly #drifts: Float64Array;

  /** @returns null where there is too much of it, or the host makes no code from text */
  static of(parts: ObservedParts, arcs: SkimArcs, flight: LinearFlight, own: Carried): SkimTangent | null {
    if (own.frame.length > MOST_ENTRIES) return null;
    const tangent = new SkimTangent(parts, arcs, flight, own);
    const written = [tangent.#carry, tangent.#approach, tangent.#bounce, ...tangent.#measures];
    return written.includes(null) ? null : tangent;
  }

  private constructor(
    private readonly parts: ObservedParts,
    private readonly arcs: SkimArcs,
    flight: LinearFlight,
    private readonly own: Carried,
  ) {
    const { gaps } = arcs;
    this.#last = new Float64Array(2 * gaps.length).fill(NaN);
    this.#drifts = new Float64Array(gaps.length);
    const matrix = ownPart(flight, parts.flow.size);
    this.#carry = this.#writeCarry(nonzeroPattern({ size: parts.flow.size, matrix }));
    this.#measures = gaps.map((_, row) => {
      const w = new StepWriter();
      this.#writeGap(w, row, 'value');
      const out = w.bind(this.#measured);
      w.line(`${out}[0] = y; ${out}[1] = rate; return 0;`);
      return w.compile('value');
    });
    this.#approach = this.#writeApproach(flight);
    this.#bounce = this.#writeBounce(matrix);
  }

  /** The motion comes from elsewhere. */
  begin(): void {
    this.#last.fill(NaN);
    this.own.grazes.interrupt();
  }

  /** Along the part of the arc that `span` says. */
  passed(): void {
    this.#carry?.(0);
  }

  /** The contact that the arc has come to is about to bounce. */
  eventBegins(): void {
    this.#hit[0] = this.#approach?.(this.arcs.row) ?? NaN;
  }

  /** It has. @returns whether motions nearby do so, too */
  eventEnded(): boolean {
    const { parts, arcs, own } = this;
    const { row } = arcs;
    const { rows, flight, event } = parts;
    const speed = event.speedBefore[row];
    rows.drifts(flight.clock, flight.x, this.#drifts);
    this.#hit[1] = speed;
    this.#hit[2] = this.#drifts[row];
    own.grazes.impact(FUNCTIONS * row, speed, this.#hit[0] + this.#hit[2]);
    this.#last.fill(NaN);
    if (own.saltation.isGrazedBy(row, speed)) return false;
    this.#bounce?.(row);
    return true;
  }

  /**
   * A gap that falls at one place of the arc and rises at another one: whether it turns round at zero in
   * between.
   */
  turn(row: number, from: number, to: number): void {
    const { grazes } = this.own;
    const index = FUNCTIONS * row;
    const measured = this.#measured;
    const measure = this.#measures[row];
    const near = grazes.near(index);
    if (near === 0 || measure === null) return;
    let [a, b] = [from, to];
    measure(a);
    let [left, leftRate] = measured;
    measure(b);
    let [right, rightRate] = measured;
    for (let k = 0; k < MOST_HALVINGS; k++) {
      const least = Math.min(left, right);
      // Above both its tangents, where it bends up.
      const crossing =
        (left * rightRate - right * leftRate + leftRate * rightRate * (b - a)) / (rightRate - leftRate);
      if (k >= SURE && crossing > 0.5 * least) return;
      if (least <= near) {
        grazes.found(index, left < right ? a : b);
        return;
      }
      const middle = 0.5 * (a + b);
      if (!(middle > a && middle < b)) return;
      measure(middle);
      const [value, rate] = measured;
      if (rate < 0) [a, left, leftRate] = [middle, value, rate];
      else [b, right, rightRate] = [middle, value, rate];
    }
  }

  /** Value and rate of a gap at a place of the arc, into `y` and `rate`. */
  #writeGap(w: StepWriter, row: number, place: string): void {
    const { coefficients, order, stretch, gaps } = this.arcs;
    const { form, table } = gaps[row];
    const c = w.bind(coefficients);
    const at = Array.from(form.indices);
    w.line('let y = 0, rate = 0;');
    if (at.length > 0)
      w.line(`let ${at.map((i) => `z${i} = ${c}[${ROW * i + order}], d${i} = 0`).join(', ')};`);
    w.line(`for (let k = ${order - 1}; k >= 0; k--) {`);
    for (const i of at)
      w.line(`d${i} = z${i} + ${place} * d${i}; z${i} = ${c}[${ROW * i} + k] + ${place} * z${i};`);
    w.line('}');
    const sum = (name: string): Term[] => at.map((i, k) => [form.values[k], `${name}${i}`]);
    const offset = form.offset[0];
    w.line(`y = ${w.add(offset === 0 ? '' : w.literal(offset), sum('z'))}; rate = ${w.sum(sum('d'))};`);
    if (table === null) return;
    const name = w.bind(table);
    w.line(`{ const time = ${w.bind(stretch)}[0] + ${place};`);
    w.line(`if (${name}.seek(time)) {`);
    w.line(`const piece = ${name}.piece, own = ${name}.coefficients, u = (time - piece[2]) * piece[3];`);
    w.line(`let wall = own[${DEGREE}], slope = 0;`);
    w.line(
      `for (let k = ${DEGREE - 1}; k >= 0; k--) { slope = wall + u * slope; wall = own[k] + u * wall; }`,
    );
    w.line('y += wall; rate += slope * piece[3];');
    w.line('} else y = rate = 0 / 0; }');
  }

  #writeCarry({ starts, columns, values }: NonzeroPattern): StepFunction | null {
    const { parts, arcs, own } = this;
    const { size: n } = parts.flow;
    const w = new StepWriter();
    const [span, frame, sizes, x] = [own.span, own.frame, own.sizes.values, arcs.x].map((one) => w.bind(one));
    w.line(`const from = ${span}[0], tau = ${span}[1] - from;`);
    w.line(`for (let part = 1, before = from; part <= ${PARTS}; part++) {`);
    w.line(`const place = part === ${PARTS} ? ${span}[1] : from + part * (tau / ${PARTS});`);
    arcs.gaps.forEach((_, row) => {
      const last = w.bind(this.#last);
      const [largest, departed] = [w.bind(own.grazes.largest), w.bind(own.grazes.departed)];
      const index = FUNCTIONS * row;
      w.line('{');
      this.#writeGap(w, row, 'place');
      w.line(`if (${last}[${2 * row + 1}] < 0 && rate > 0) ${w.bind(this)}.turn(${row}, before, place);`);
      w.line(`${last}[${2 * row}] = y; ${last}[${2 * row + 1}] = rate;`);
      w.line(`const size = abs(y); if (size > ${largest}[${index}]) ${largest}[${index}] = size;`);
      w.line(`if (size > ${departed}[${index}]) ${departed}[${index}] = size;`);
      w.line('}');
    });
    w.line('before = place; }');
    for (let i = 0; i < n; i++)
      w.line(`{ const size = abs(${x}[${i}]); if (size > ${sizes}[${i}]) ${sizes}[${i}] = size; }`);
    const entries = Array.from({ length: own.frame.length }, (_, at) => at);
    for (const at of entries) w.line(`let p${at} = ${frame}[${at}], s${at} = p${at};`);
    w.line(`for (let k = 1; k <= ${arcs.order}; k++) {`);
    w.line(`const factor = tau * ${w.bind(INVERSE)}[k];`);
    for (const at of entries) {
      const i = at % n;
      const terms = Array.from(values.subarray(starts[i], starts[i + 1]), (value, k): Term => {
        return [value, `p${at - i + columns[starts[i] + k]}`];
      });
      w.line(`const n${at} = (${w.sum(terms)}) * factor;`);
    }
    for (const at of entries) w.line(`p${at} = n${at}; s${at} += p${at};`);
    w.line('}');
    for (const at of entries) w.line(`${frame}[${at}] = s${at};`);
    w.line('return 0;');
    return w.compile('value');
  }

  /** C v̇ of each row, with v̇ of the linear system. */
  #writeApproach({ system: { size, matrix, constant } }: LinearFlight): StepFunction | null {
    const w = new StepWriter();
    const x = w.bind(this.arcs.x);
    this.arcs.gaps.forEach((_, row) => {
      let own = 0;
      const factors = new Float64Array(size);
      for (const { velocity, C } of this.#entries(row)) {
        own += C * constant[velocity];
        for (let j = 0; j < size; j++) factors[j] += C * matrix[velocity * size + j];
      }
      const terms = Array.from(factors, (factor, j): Term => [factor, `${x}[${j}]`]);
      w.line(`if (value === ${row}) return ${w.add(own === 0 ? '' : w.literal(own), terms)};`);
    });
    w.line('return 0;');
    return w.compile('value');
  }

  /** @param matrix A of the state alone */
  #writeBounce(matrix: Float64Array): StepFunction | null {
    const { parts, arcs, own } = this;
    const { laws, flow } = parts;
    const n = flow.size;
    const w = new StepWriter();
    const [frame, hit] = [w.bind(own.frame), w.bind(this.#hit)];
    const positions = new Set(
      flow.places.position.filter((place, dof) => flow.places.velocity[dof] !== place),
    );
    arcs.gaps.forEach((_, row) => {
      const entries = this.#entries(row);
      const push = new Float64Array(n);
      let W = 0;
      for (const { velocity, C, response } of entries) {
        W += C * response;
        push[velocity] += response;
      }
      const beta = (1 + laws.restitution[row]) / W;
      const at = (place: number): string => `${frame}[at + ${place}]`;
      w.line(`if (value === ${row}) {`);
      w.line(`const turned = ${w.literal(beta)} * (${hit}[0] + ${hit}[2]) / ${hit}[1];`);
      w.line(`for (let at = 0; at < ${own.frame.length}; at += ${n}) {`);
      w.line(`const gap = ${w.sum(entries.map(({ position, C }): Term => [C, at(position)]))};`);
      w.line(`const speed = ${w.sum(entries.map(({ velocity, C }): Term => [C, at(velocity)]))};`);
      w.line(`const lost = ${w.literal(beta)} * gap, late = turned * gap - ${w.literal(beta)} * speed;`);
      for (const { position, response } of entries)
        if (response !== 0) w.line(`${at(position)} -= ${w.literal(response)} * lost;`);
      for (let i = 0; i < n; i++) {
        if (positions.has(i)) continue;
        let turn = 0;
        for (let j = 0; j < n; j++) turn += matrix[i * n + j] * push[j];
        const terms: Term[] = [
          [push[i], 'late'],
          [-turn, 'lost'],
        ];
        if (push[i] !== 0 || turn !== 0) w.line(`${at(i)} += ${w.sum(terms)};`);
      }
      w.line('} }');
    });
    w.line('return 0;');
    return w.compile('value');
  }

  #entries(row: number): { position: number; velocity: number; C: number; response: number }[] {
    const { rows, flow } = this.parts;
    const { position, velocity } = flow.places;
    return Array.from({ length: rows.rowStart[row + 1] - rows.rowStart[row] }, (_, k) => {
      const at = rows.rowStart[row] + k;
      const dof = rows.dofs[at];
      return { position: position[dof], velocity: velocity[dof], C: rows.C[at], response: rows.response[at] };
    });
  }
}

/** A without what forces of time do: these are the same for all motions. */
function ownPart({ system }: LinearFlight, n: number): Float64Array {
  return Float64Array.from(
    { length: n * n },
    (_, at) => system.matrix[Math.floor(at / n) * system.size + (at % n)],
  );
}
