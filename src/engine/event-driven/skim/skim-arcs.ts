/**
 * Exact arcs of a motion that is not recorded, with open contacts: what `ExactArcs` and its search do for any
 * system and any function, for gaps that are linear in the state but for a wall that moves by a known
 * function of time. Wherever that is not plain, as at a touch or at two contacts at once, it refuses, and
 * the general search does the arc once more.
 *
 * On an arc a gap is a polynomial in τ plus one in time (`time-table.ts`), of which value g, rate ġ and a
 * lower bound a of the second derivative are known. From a place with g > 0,
 *
 *     g(τ + s) ≥ g + ġ s + a s²/2,
 *
 * so that no root is passed before the first positive zero s of the right side. Far from contact a step or
 * two lead across the arc; towards a root they converge as Newton's method does, from before it.
 *
 * The flight is written out for its system (ADR 0015): rows of the matrix, gaps and what they consist of are
 * text, so that nothing is looked up on the way. Orders are run through in loops.
 */
import type { LinearFlight } from '../../smooth-arcs/linear-flight';
import { ROW, nonzeroPattern } from '../../smooth-arcs/linear-system';
import type { ForcedSystem } from '../../smooth-arcs/analytic-forcing';
import type { LinearForm } from '../../smooth/event-functions';
import { type StepFunction, StepWriter, type Term } from '../../straight-line/writer';
import { DEGREE, type TimeTable } from './time-table';
import { writePolynomial, writeSignals, WrittenSeries } from './written-series';

/** The gap of a contact: a linear form of the state, and what a wall that moves by itself adds. */
export interface SkimGap {
  readonly form: LinearForm;
  /** null where the gap does not depend on time */
  readonly table: TimeTable | null;
}

/** What a flight has come to. */
export const REACHED = 0;
export const ROOT = 1;
export const REFUSED = 2;
/** An impact is done, and nothing more is wanted. */
export const STOPPED = 3;

/** Values up to this part of what cancels in a gap are its root. */
const AT_ROOT = 4 * Number.EPSILON;
/** Speeds below this part of the fastest ones are those of a touch, which the general search decides. */
const TOUCHING = 1e-7;
/** Gaps below this part of their lengths are not plainly open. */
const NEAR = 1e-12;
/** Speeds at a table up to this part of the fastest ones are none. */
const OF_TABLE = 1e-10;
/** Steps of one search beyond which it is not plain. */
const MOST_STEPS = 2000;
/** Arcs in a row over which forces of time are carried along before they are evaluated again. */
const CARRIED = 7;
/** Arcs shorter than this many units of rounding of the time do not advance it reliably. */
const SHORTEST = 8 * Number.EPSILON;

/** Order k, and k (k − 1), of a coefficient. */
const INVERSE = Float64Array.from({ length: ROW + 1 }, (_, k) => (k === 0 ? 0 : 1 / k));
const FACTOR = Float64Array.from({ length: ROW + 1 }, (_, k) => k * (k - 1));

/** Who the motion is shown to on its way. */
interface ArcVisitor {
  /**
   * The arc up to the present is known.
   * @param isHit whether it ends with an impact that is plain
   */
  passed(isHit: boolean): void;
  eventBegins(): void;
  eventEnded(): void;
  /** asked after each impact: whether the motion is to go on */
  isWanted(): boolean;
}

/** An impact whose code is to be written. */
interface ImpactAhead {
  readonly row: number;
  /** names of the components of the state, and of the second derivative of the gap, or less */
  readonly x: string[];
  readonly curvature: string;
  /** statement for an impact that is not plain, before anything has been done */
  readonly otherwise: string;
  /** name of the visitor of the arcs */
  readonly visitor: string;
}

/** Writes what an impact does, up to the state behind it. */
export type ImpactText = (w: StepWriter, arcs: SkimArcs, impact: ImpactAhead) => void;

const NO_VISITOR: ArcVisitor = {
  passed: () => undefined,
  eventBegins: () => undefined,
  eventEnded: () => undefined,
  isWanted: () => true,
};

/** In place of what could not be written. */
const unwritten: StepFunction = () => REFUSED;

export class SkimArcs {
  /** [0] present time, s */
  readonly clock = new Float64Array(1);
  /** state, with forces of time behind it */
  readonly x: Float64Array;
  /** state at the start of the present arc */
  readonly start: Float64Array;
  /** [0] start of the present arc, s, [1] what of it lies behind the present, s */
  readonly stretch = new Float64Array(2);
  /** coefficients of the motion on the arc, c_k,i at [ROW i + k] */
  readonly coefficients: Float64Array;
  /** last order of these */
  readonly order: number;
  visitor = NO_VISITOR;
  /** [0] impacts since `begin` that are written out */
  readonly impacts = new Int32Array(1);
  /** [0] what the clock is too coarse to show of the present, [1] of the start of the arc */
  readonly #rest = new Float64Array(2);
  /** [0] row of the root, [1] second derivative of its gap there or less, [2] place of a refusal, s */
  readonly #found = Float64Array.of(-1, 0, 0);
  /** [0] gap that the motion has just left by an impact; −1 */
  readonly #leaving = Float64Array.of(-1);
  /** coefficients of the forms of the gaps */
  readonly #gaps: Float64Array[] = [];
  /** by gap: largest sum of what cancels in it, and in its rate */
  readonly #lengths: Float64Array;
  readonly #speeds: Float64Array;
  readonly #fly: StepFunction;
  /** null of systems with too many entries, for which loops are as good */
  readonly #series: WrittenSeries | null;
  /** [0] whether coefficients are read by others than the search */
  readonly keeps = Uint8Array.of(1);
  /** whether flights go on behind impacts that are plain */
  readonly hasImpacts: boolean;

  /**
   * @param impacts what impacts do; flights end with them where that is not written
   * @returns null where the host makes no code from text
   */
  static of(
    flight: LinearFlight,
    gaps: readonly SkimGap[],
    forced: ForcedSystem | null,
    departing: Uint8Array | null = null,
    impacts: ImpactText | null = null,
  ): SkimArcs | null {
    for (const text of [impacts, null]) {
      const arcs = new SkimArcs(flight, gaps, forced, departing, text);
      if (arcs.#fly !== unwritten) return arcs;
    }
    return null;
  }

  private constructor(
    flight: LinearFlight,
    readonly gaps: readonly SkimGap[],
    forced: ForcedSystem | null,
    /**
     * by gap: 1 where it is zero as the motion begins, and opens; a gap below zero that is none of these is
     * refused then. Null where the one of an impact, or a contact that has opened, is all that may be
     */
    private readonly departing: Uint8Array | null,
    impacts: ImpactText | null,
  ) {
    this.hasImpacts = impacts !== null;
    const { flow, system } = flight;
    const n = system.size;
    this.x = new Float64Array(n);
    this.start = new Float64Array(n);
    this.coefficients = new Float64Array(ROW * n);
    this.#lengths = new Float64Array(gaps.length);
    this.#speeds = new Float64Array(gaps.length);
    const longest = flow.limits[1];
    this.order = Math.max(1, flow.orderFor(Float64Array.of(longest)));
    this.#series = WrittenSeries.of(system, this.order, longest);
    this.#fly = this.#write(flight, gaps, forced, impacts) ?? unwritten;
  }

  /** Called when an arc has been passed, where no impact is written out. */
  set whenPassed(action: () => void) {
    this.visitor = { ...NO_VISITOR, passed: action };
  }

  /** Row of the root that has been found. */
  get row(): number {
    return this.#found[0];
  }

  /** Second derivative of its gap there, or a bound below it where a wall moves. */
  get curvature(): number {
    return this.#found[1];
  }

  /** Place on the arc at which it was refused, s. */
  get refusedAt(): number {
    return this.#found[2];
  }

  /** State at a place of the arc, without what stands behind it. */
  sample(place: Float64Array, out: Float64Array): void {
    const c = this.coefficients;
    const tau = place[0];
    for (let i = 0; i < out.length; i++) {
      const first = ROW * i;
      let sum = c[first + this.order];
      for (let k = first + this.order - 1; k >= first; k--) sum = c[k] + tau * sum;
      out[i] = sum;
    }
  }

  /**
   * Begins at the state that stands in x.
   * @param leaving gap that is zero and opens; −1 where all are open
   */
  begin(time: number, leaving: number): void {
    this.clock[0] = time;
    this.#rest[0] = 0;
    this.impacts[0] = 0;
    this.go(leaving);
  }

  /** Another motion begins, of which nothing is known yet. */
  rewind(): void {
    this.#lengths.fill(0);
    this.#speeds.fill(0);
  }

  /** Goes on from the present with the state that now stands in x. */
  go(leaving: number): void {
    this.#leaving[0] = leaving;
    this.stretch[1] = 0;
  }

  /**
   * Advances to a time, or to the first root before it. Where it is refused, time and state are those at the
   * start of the arc, which has not been passed.
   * @returns `REACHED`, `ROOT`, `REFUSED` or `STOPPED`
   */
  fly(until: number): number {
    return this.#fly(until);
  }

  /** Back to the start of the present arc. */
  back(): void {
    const { x, clock, stretch, start } = this;
    this.#found[2] = stretch[1];
    for (let i = 0; i < x.length; i++) x[i] = start[i];
    clock[0] = stretch[0];
    this.#rest[0] = this.#rest[1];
    stretch[1] = 0;
  }

  #write(
    flight: LinearFlight,
    gaps: readonly SkimGap[],
    forced: ForcedSystem | null,
    impacts: ImpactText | null,
  ): StepFunction | null {
    const w = new StepWriter();
    const { clock, x, stretch } = this;
    const [time, arc] = [w.bind(clock), w.bind(stretch)];
    const [rest, found, leaving] = [w.bind(this.#rest), w.bind(this.#found), w.bind(this.#leaving)];
    const longest = w.literal(flight.flow.limits[1]);
    const visitor = `${w.bind(this)}.visitor`;
    w.line('let carried = 0;');
    w.line('for (;;) {');
    w.line(`const t = ${time}[0];`);
    w.line(`if (!(value > t)) return ${REACHED};`);
    w.line(`if (${arc}[1] > 0) ${visitor}.passed(false);`);
    w.line(`${arc}[0] = t; ${arc}[1] = 0;`);
    w.line(`const shift = ${rest}[0]; ${rest}[1] = shift;`);
    w.line('const whole = value - t - shift;');
    w.line(`const isLast = whole <= ${longest};`);
    w.line(`const length = isLast ? whole : ${longest};`);
    w.line(`if (!(length > ${w.literal(SHORTEST)} * abs(t))) {`);
    w.line(`if (!isLast) return ${REFUSED};`);
    w.line(`${time}[0] = value; ${rest}[0] = 0; return ${REACHED};`);
    w.line('}');
    if (forced !== null) {
      w.line('if (carried === 0) {');
      writeSignals(w, forced, clock, x);
      w.line('}');
    }
    this.#writeExpansion(w, flight, gaps);
    w.line(`let end = length, row = -1;`);
    w.line(`const leaving = ${leaving}[0];`);
    gaps.forEach((gap, r) => {
      this.#writeSearch(w, gap, r);
    });
    if (gaps.length > 1)
      gaps.forEach((gap, r) => {
        this.#writeOpen(w, gap, r);
      });
    this.#writeEnd(w, gaps);
    w.line(`${leaving}[0] = -1;`);
    if (this.departing !== null) w.line(`${w.bind(this.departing)}.fill(0);`);
    w.line(`${arc}[1] = end;`);
    w.line('if (row < 0) {');
    w.line(`if (isLast) { ${time}[0] = value; ${rest}[0] = 0; return ${REACHED}; }`);
    w.line(`const next = t + (end + shift); ${time}[0] = next; ${rest}[0] = end + shift - (next - t);`);
    w.line(`carried = carried < ${CARRIED} ? carried + 1 : 0;`);
    w.line('continue; }');
    w.line('carried = 0;');
    w.line(`const behind = end + shift, next = t + behind;`);
    w.line(`${time}[0] = next; ${rest}[0] = behind - (next - t);`);
    w.line(`${found}[0] = row;`);
    if (impacts === null) w.line(`return ${ROOT};`);
    else {
      const names = { curvature: `${found}[1]`, otherwise: `return ${ROOT};`, visitor };
      gaps.forEach((_, row) => {
        w.line(`${row > 0 ? 'else ' : ''}if (row === ${row}) {`);
        impacts(w, this, { ...names, row, x: Array.from(x, (__, i) => `e${i}`) });
        w.line('}');
      });
      w.line(`${w.bind(this.impacts)}[0]++; ${leaving}[0] = row; ${arc}[1] = 0;`);
      w.line(`if (!${visitor}.isWanted()) return ${STOPPED};`);
    }
    w.line('}');
    return w.compile('value');
  }

  /** Series of the motion and of the gaps from the present on, up to the order of the longest arc. */
  #writeExpansion(w: StepWriter, { system }: LinearFlight, gaps: readonly SkimGap[]): void {
    const { x, start, coefficients, order } = this;
    const [state, first, c] = [w.bind(x), w.bind(start), w.bind(coefficients)];
    if (this.#series !== null) {
      this.#writeSeries(w, this.#series, gaps);
      return;
    }
    const { starts, columns, values } = nonzeroPattern(system);
    const n = x.length;
    const all = Array.from({ length: n }, (_, i) => i);
    const terms = (i: number, of: string): Term[] =>
      Array.from({ length: starts[i + 1] - starts[i] }, (_, k) => [
        values[starts[i] + k],
        `${of}${columns[starts[i] + k]}`,
      ]);
    const formOf = ({ form }: SkimGap, of: string): Term[] =>
      Array.from(form.indices, (at, k) => [form.values[k], `${of}${at}`]);
    for (const i of all)
      w.line(`let p${i} = ${state}[${i}]; ${first}[${i}] = p${i}; ${c}[${ROW * i}] = p${i};`);
    gaps.forEach((gap, r) => {
      const g = this.#gapName(w, r);
      const { offset, indices, values: factors } = gap.form;
      const cancels = (of: string): string =>
        Array.from(indices, (at, k) => `abs(${w.literal(factors[k])} * ${of}${at})`).join(' + ');
      const own = offset[0] === 0 ? '' : w.literal(offset[0]);
      w.line(`const y${r} = ${w.add(own, formOf(gap, 'p'))}; ${g}[0] = y${r};`);
      const size = [...(own === '' ? [] : [`abs(${own})`]), ...(indices.length > 0 ? [cancels('p')] : [])];
      w.line(`const size${r} = ${size.join(' + ') || '0'};`);
    });
    for (const i of all) {
      const constant = system.constant[i];
      w.line(`let n${i} = ${w.add(constant === 0 ? '' : w.literal(constant), terms(i, 'p'))};`);
    }
    for (const i of all) w.line(`p${i} = n${i}; ${c}[${ROW * i + 1}] = p${i};`);
    gaps.forEach((gap, r) => {
      const { indices, values: factors } = gap.form;
      const speed = Array.from(indices, (at, k) => `abs(${w.literal(factors[k])} * p${at})`).join(' + ');
      w.line(`const rate${r} = ${w.sum(formOf(gap, 'p'))}; ${this.#gapName(w, r)}[1] = rate${r};`);
      w.line(`const speed${r} = ${speed || '0'}; let least${r} = 0;`);
      w.line(`let bend${r} = 0, rest${r} = 0;`);
    });
    if (order < 2) return;
    w.line('let power = 1;');
    w.line(`for (let k = 2; k <= ${order}; k++) {`);
    w.line(`const factor = ${w.bind(INVERSE)}[k], second = ${w.bind(FACTOR)}[k];`);
    for (const i of all) w.line(`n${i} = (${w.sum(terms(i, 'p'))}) * factor;`);
    for (const i of all) w.line(`p${i} = n${i}; ${c}[${ROW * i} + k] = p${i};`);
    gaps.forEach((gap, r) => {
      w.line(`const h${r} = ${w.sum(formOf(gap, 'p'))}; ${this.#gapName(w, r)}[k] = h${r};`);
      w.line(`least${r} += k === 2 ? 2 * h${r} : -(second * power * abs(h${r}));`);
      w.line(`if (k === 2) bend${r} = h${r}; else rest${r} += power * abs(h${r});`);
    });
    w.line('power *= length;');
    w.line('}');
  }

  /** The same term by term. */
  #writeSeries(w: StepWriter, series: WrittenSeries, gaps: readonly SkimGap[]): void {
    const { x, start, coefficients } = this;
    const names = [w.bind(x), w.bind(start), w.bind(coefficients)] as const;
    const forms = gaps.map(({ form }) => form);
    series.write(w, names, forms, `${w.bind(this.keeps)}[0] === 1`);
    const powers = series.writePowers(w);
    forms.forEach(({ offset, indices, values }, r) => {
      const cancels = (k: number): string[] =>
        Array.from(indices, (at, j) => `abs(${w.literal(values[j])} * a${at}_${k})`);
      const own = offset[0] === 0 ? [] : [`abs(${w.literal(offset[0])})`];
      w.line(`const size${r} = ${[...own, ...cancels(0)].join(' + ') || '0'};`);
      w.line(`const speed${r} = ${cancels(1).join(' + ') || '0'}, y${r} = h${r}_0, rate${r} = h${r}_1;`);
      series.writeLeast(w, r, powers);
      series.writeRest(w, r, powers);
    });
  }

  #gapName(w: StepWriter, r: number): string {
    while (this.#gaps.length <= r) this.#gaps.push(new Float64Array(ROW));
    return w.bind(this.#gaps[r]);
  }

  /** Value and rate of a gap at a place, whose table is on the right piece, into `y` and `rate`. */
  #writeMeasure(w: StepWriter, { table }: SkimGap, r: number, place: string): void {
    if (this.#series !== null) this.#series.writeMeasure(w, r, place);
    else {
      const g = this.#gapName(w, r);
      w.line(`y = ${g}[${this.order}]; rate = 0;`);
      w.line(`for (let k = ${this.order - 1}; k >= 0; k--) {`);
      w.line(`rate = y + ${place} * rate; y = ${g}[k] + ${place} * y;`);
      w.line('}');
    }
    if (table === null) return;
    w.line('{');
    w.line(`const free = y, freeRate = rate;`);
    w.line(`const table = ${w.bind(table)}, piece = table.piece, own = table.coefficients;`);
    w.line(`const u = (t - piece[2] + (${place} + shift)) * piece[3];`);
    writePolynomial(
      w,
      Array.from({ length: DEGREE + 1 }, (_, k) => `own[${k}]`),
      'u',
    );
    w.line('y += free; rate = freeRate + rate * piece[3];');
    w.line('}');
  }

  /** Place of the first root of a gap before `end`, which becomes the end. */
  #writeSearch(w: StepWriter, gap: SkimGap, r: number): void {
    const { table } = gap;
    const found = w.bind(this.#found);
    const refuse = (place: string): string => `{ ${found}[2] = ${place}; return ${REFUSED}; }`;
    const [lengths, speeds] = [w.bind(this.#lengths), w.bind(this.#speeds)];
    w.line('{');
    w.line(`if (size${r} > ${lengths}[${r}]) ${lengths}[${r}] = size${r};`);
    w.line(`if (speed${r} > ${speeds}[${r}]) ${speeds}[${r}] = speed${r};`);
    w.line(
      `const size = ${lengths}[${r}], zero = ${w.literal(AT_ROOT)} * size, near = ${w.literal(NEAR)} * size;`,
    );
    w.line(`const touching = ${w.literal(TOUCHING)} * ${speeds}[${r}];`);
    const { departing } = this;
    const departs = departing === null ? '' : `${w.bind(departing)}[${r}] !== 0`;
    w.line(`let isLeaving = leaving === ${r}${departs && ` || ${departs}`};`);
    w.line(`let tau = 0, steps = 0, last = end, least = least${r};`);
    w.line(`let y = y${r}, rate = rate${r};`);
    w.line('search: for (;;) {');
    if (table !== null) {
      const name = w.bind(table);
      w.line(`if (!${name}.seek(t + (tau + shift))) ${refuse('tau')}`);
      w.line(
        `{ const piece = ${name}.piece; last = min(end, piece[1] - t - shift); least = least${r} + piece[4]; }`,
      );
      // Rounding of the border: the next piece begins here.
      w.line(`if (!(last > tau)) last = min(end, tau + ${w.literal(4 * Number.EPSILON)} * abs(t));`);
      this.#writeMeasure(w, gap, r, 'tau');
    }
    w.line('if (isLeaving) {');
    // With ÿ/2 = b, and what follows not more than r s²/l of it: g ≥ s (ġ + b s/2) up to s = b l/(2 r).
    w.line('if (!(rate > touching)) {');
    w.line(`const bend = bend${r}${table === null ? '' : ` + 0.5 * ${w.bind(table)}.piece[4]`};`);
    w.line(`const step = min(last, rest${r} > 0 ? (0.5 * bend * length) / rest${r} : last);`);
    const rest = w.literal(-(table === null ? NEAR : OF_TABLE));
    w.line(`if (!(tau === 0 && step > 0 && rate >= ${rest} * ${speeds}[${r}])) ${refuse('tau')}`);
    w.line('tau = step; isLeaving = false;');
    this.#writeMeasure(w, gap, r, 'tau');
    w.line(`if (!(y > zero)) ${refuse('tau')}`);
    w.line('if (tau >= last) {');
    w.line(table === null ? 'break search;' : 'if (tau >= end) break search; continue;');
    w.line('}');
    w.line('} else {');
    // At least g = ġ s + a s²/2, which is above zero up to s = −2ġ/a.
    w.line('const step = least < 0 ? -rate / least : 1 / 0;');
    w.line('isLeaving = false;');
    w.line('if (step < last) {');
    w.line('tau = step;');
    this.#writeMeasure(w, gap, r, 'tau');
    w.line(`if (!(y > zero)) ${refuse('tau')}`);
    w.line(
      table === null
        ? '} else break search;'
        : '} else { tau = last; if (tau >= end) break search; continue; }',
    );
    w.line('} }');
    if (departing !== null) w.line(`if (tau === 0 && !(y > zero)) ${refuse('tau')}`);
    w.line('for (;;) {');
    w.line(`if (++steps > ${MOST_STEPS}) ${refuse('tau')}`);
    w.line(
      `if (y <= zero) { if (!(rate < -touching)) ${refuse('tau')} end = tau; row = ${r}; break search; }`,
    );
    w.line(`if (!(y > 0) || (y < near && abs(rate) <= touching)) ${refuse('tau')}`);
    w.line('let step = 1 / 0;');
    w.line('const square = rate * rate - 2 * least * y;');
    w.line('if (rate < 0) { if (square >= 0) step = (2 * y) / (sqrt(square) - rate); }');
    w.line('else if (least < 0) step = (rate + sqrt(square)) / -least;');
    w.line('const next = tau + step;');
    w.line('if (next >= last) { tau = last; break; }');
    w.line(
      `if (next === tau) { if (!(rate < -touching)) ${refuse('tau')} end = tau; row = ${r}; break search; }`,
    );
    w.line('tau = next;');
    this.#writeMeasure(w, gap, r, 'tau');
    w.line('}');
    w.line(table === null ? 'break;' : 'if (tau >= end) break;');
    w.line('}');
    w.line('}');
  }

  /** A gap has to be plainly open where another one has its root. */
  #writeOpen(w: StepWriter, gap: SkimGap, r: number): void {
    const found = w.bind(this.#found);
    const refuse = `{ ${found}[2] = end; return ${REFUSED}; }`;
    w.line(`if (row >= 0 && row !== ${r}) {`);
    if (gap.table !== null) w.line(`if (!${w.bind(gap.table)}.seek(t + (end + shift))) ${refuse}`);
    w.line('let y, rate;');
    this.#writeMeasure(w, gap, r, 'end');
    w.line(`if (!(y > ${w.literal(NEAR)} * ${w.bind(this.#lengths)}[${r}])) ${refuse}`);
    w.line('}');
  }

  /** State at the end of the arc, and the curvature of the gap that has its root there. */
  #writeEnd(w: StepWriter, gaps: readonly SkimGap[]): void {
    const { x, coefficients, order } = this;
    const [state, c, found] = [w.bind(x), w.bind(coefficients), w.bind(this.#found)];
    const all = Array.from(x, (_, i) => i);
    const series = this.#series;
    if (series !== null) series.writeEnd(w, 'row < 0 && !isLast');
    else {
      w.line(all.map((i) => `let e${i} = ${c}[${ROW * i + order}];`).join(' '));
      w.line(`for (let k = ${order - 1}; k >= 0; k--) {`);
      for (const i of all) w.line(`e${i} = ${c}[${ROW * i} + k] + end * e${i};`);
      w.line('}');
    }
    const check = all.map((i) => `e${i}`).join(' + ');
    w.line(`{ const check = ${check}; if (!(check - check === 0)) { ${found}[2] = 0; return ${REFUSED}; } }`);
    for (const i of all) w.line(`${state}[${i}] = e${i};`);
    gaps.forEach(({ table }, r) => {
      w.line(`if (row === ${r}) {`);
      w.line(`let bend = ${series === null ? '0' : series.bend(r, 'end')};`);
      if (series === null) {
        const g = this.#gapName(w, r);
        w.line(`for (let k = ${order}; k >= 2; k--) bend = ${w.bind(FACTOR)}[k] * ${g}[k] + end * bend;`);
      }
      w.line(`${found}[1] = ${table === null ? 'bend' : `bend + ${w.bind(table)}.piece[4]`};`);
      w.line('}');
    });
  }
}
