/**
 * The certificate of control blocks. It has its own schedule, offset + k T from the start of the run on, and
 * reads rows of the result alone: at each time of a sample there is a row, the output of a block in it is
 * what the law of the block (`block-laws.ts`) gives of its inputs, and from there on it stays as it is until
 * the next sample. What fields are driven by is the same as what rows show.
 *
 * Inputs are read from the row before the sample, but for outputs of blocks, which are those behind it: a
 * block comes after those whose outputs it needs, and memories are stepped last. Order is therefore none.
 */
import { relative, type BlocksCertificate, SATISFIED } from '../../certificate/residual-maxima';
import { compileExpression, type ExpressionProgram, runExpression } from '../../document/expressions';
import { outputNames } from '../../document/held-signals';
import { larger } from '../../linalg/nan-safe';
import type { ControlPlan } from '../control-plan';
import { type BlockLaw, type BlockSample, blockLaws } from './block-laws';

/** Times that differ by less than this many of their roundings are one. */
const ROUNDINGS = 8 * Number.EPSILON;
/** Place of the time among the values that expressions read. */
const CLOCK = 0;

/** What a check remembers. */
export interface SavedSampling {
  readonly numbers: Float64Array;
  readonly worst: number;
  readonly time: number;
  readonly samples: number;
  readonly defect: BlocksCertificate['defect'];
  readonly element: string | null;
}

/** Where its numbers of a block begin; behind them what a law remembers. */
const NEXT = 0;
const COUNT = 1;
/** largest magnitude of its output so far */
const SIZE = 2;
const HEAD = 3;

interface CheckedBlock {
  readonly id: string;
  readonly period: number;
  readonly offset: number;
  readonly law: BlockLaw;
  readonly sample: BlockSample;
  /** next k, samples so far, largest output */
  readonly head: Float64Array;
  readonly names: readonly string[];
  /** place of its first output among all */
  readonly first: number;
  readonly programs: readonly ExpressionProgram[];
  /** what they read, three numbers each: place among the values, place in a row, 1 behind the sample */
  readonly reads: Int32Array;
  readonly values: Float64Array;
}

interface Rows {
  readonly slotOf: ReadonlyMap<string, number>;
}

export class SamplingCheck {
  readonly #blocks: readonly CheckedBlock[];
  /** outputs of all blocks: in a row, and among what drives fields */
  readonly #slots: Int32Array;
  readonly #places: Int32Array;
  /** as they are held; part of the numbers below */
  readonly #held: Float64Array;
  /** [0] time before which no block is due, s; −∞ where that is not known */
  readonly #soonest = Float64Array.of(-Infinity);
  /** all that is remembered of blocks, one after the other */
  readonly #numbers: Float64Array;
  #worst = 0;
  #recent = 0;
  #time = 0;
  #samples = 0;
  #element: string | null = null;
  #defect: BlocksCertificate['defect'] = null;

  /** @param t0 start of the run, s */
  constructor(
    private readonly plan: Pick<ControlPlan, 'blocks' | 'held'>,
    { slotOf }: Rows,
    private readonly t0: number,
  ) {
    const { places, values: known } = plan.held;
    const laws = plan.blocks.map(({ block }) => blockLaws[block.type](block.fields, block.period));
    const sizes = plan.blocks.map(({ block }, b) => {
      const { inputs, memory } = laws[b];
      const count = inputs.flatMap((key) => block.fields.signals(key)).length;
      return { count, memory, outputs: block.outputSize };
    });
    this.#numbers = new Float64Array(
      sizes.reduce((sum, one) => sum + HEAD + one.outputs + one.count + one.memory, 0),
    );
    const all = plan.blocks.flatMap(({ block }) => outputNames(block));
    const outputs = new Set(all);
    this.#slots = Int32Array.from(all, (name) => placeIn(slotOf, name));
    this.#places = Int32Array.from(all, (name) => placeIn(places, name));
    this.#held = this.#numbers.subarray(0, all.length);
    let first = 0;
    let from = all.length;
    const take = (size: number): Float64Array => this.#numbers.subarray(from, (from += size));
    this.#blocks = plan.blocks.map(({ block }, b): CheckedBlock => {
      const { id, period, offset, fields } = block;
      const names = outputNames(block);
      const values = [0];
      const reads: number[] = [];
      const found = new Map<string, number>([['t', CLOCK]]);
      const resolve = (name: string): number => {
        const at = found.get(name) ?? values.length;
        if (found.has(name)) return at;
        found.set(name, at);
        const isBehind = outputs.has(name);
        const parameter = isBehind ? undefined : places.get(name);
        values.push(parameter === undefined ? 0 : known[parameter]);
        if (parameter === undefined) reads.push(at, placeIn(slotOf, name), isBehind ? 1 : 0);
        return at;
      };
      const programs = laws[b].inputs
        .flatMap((key) => fields.signals(key))
        .map(({ text }) => compileExpression(text, resolve, { tables: plan.held.tables }));
      const { count, memory } = sizes[b];
      const head = take(HEAD);
      const held = this.#held.subarray(first, first + names.length);
      first += names.length;
      head[NEXT] = firstOf(offset, period, t0);
      return {
        id,
        period,
        offset,
        law: laws[b],
        head,
        names,
        first: first - names.length,
        programs,
        reads: Int32Array.from(reads),
        values: Float64Array.from(values),
        sample: {
          count: 0,
          inputs: new Float64Array(count),
          held,
          last: take(count),
          memory: take(memory),
          found: new Float64Array(names.length),
          lower: new Float64Array(names.length),
          upper: new Float64Array(names.length),
          slack: new Float64Array(names.length),
        },
      };
    });
  }

  /**
   * Judges a row of the result.
   * @param before the row before what has been sampled at its time; the same row, where nothing else of it
   *   has changed
   */
  judge(before: Float64Array, row: Float64Array): void {
    const slots = this.#slots;
    const places = this.#places;
    const driving = this.plan.held.values;
    const held = this.#held;
    const time = row[0];
    const isDue = !(time < this.#soonest[0]);
    let isSame = true;
    for (let i = 0; i < slots.length; i++) {
      const found = row[slots[i]];
      // What is no number is the same as nothing.
      if (found !== held[i] || found !== driving[places[i]]) isSame = false;
    }
    if (isSame && !isDue) return;
    this.#soonest[0] = Infinity;
    for (let b = 0; b < this.#blocks.length; b++) this.#judgeBlock(this.#blocks[b], before, row);
    for (let i = 0; i < slots.length; i++) held[i] = row[slots[i]];
  }

  #judgeBlock(one: CheckedBlock, before: Float64Array, row: Float64Array): void {
    const { sample, first } = one;
    const { held, found } = sample;
    const driving = this.plan.held.values;
    const time = row[0];
    const isDue = this.#isDue(one, time);
    for (let i = 0; i < found.length; i++) {
      found[i] = row[this.#slots[first + i]];
      const drives = driving[this.#places[first + i]];
      if (drives !== found[i]) this.#raise('driving', one, i, time, found[i], drives);
      if (!isDue && held[i] !== found[i]) this.#raise('held', one, i, time, held[i], found[i]);
    }
    if (isDue) this.#sample(one, before, row);
    const at = one.offset + one.head[NEXT] * one.period;
    // Before this not even rounding makes it due.
    const soon = at - 2 * ROUNDINGS * Math.max(Math.abs(at), Math.abs(this.t0));
    if (soon < this.#soonest[0]) this.#soonest[0] = soon;
  }

  /** Whether a block has a sample at a time. Those that had no row are raised. */
  #isDue(one: CheckedBlock, time: number): boolean {
    const { offset, period, head } = one;
    for (;;) {
      const at = offset + head[NEXT] * period;
      const rounding = ROUNDINGS * Math.max(Math.abs(at), Math.abs(time), Math.abs(this.t0));
      if (time < at - rounding) return false;
      head[NEXT]++;
      if (time <= at + rounding) return true;
      this.#raise('missing', one, 0, at, Number.NaN, Number.NaN);
      // One is enough to say so.
      const passed = Math.floor((time - offset) / period) - 1;
      head[NEXT] = Math.max(head[NEXT], passed);
    }
  }

  #sample(one: CheckedBlock, before: Float64Array, row: Float64Array): void {
    const { head, reads, programs, values, sample, law } = one;
    const { inputs, last, lower, upper, slack, found } = sample;
    values[CLOCK] = before[0];
    for (let k = 0; k < reads.length; k += 3)
      values[reads[k]] = reads[k + 2] === 1 ? row[reads[k + 1]] : before[reads[k + 1]];
    for (let i = 0; i < programs.length; i++) {
      runExpression(programs[i], values);
      inputs[i] = programs[i].stack[0];
    }
    sample.count = head[COUNT];
    law.judge(sample);
    for (let i = 0; i < found.length; i++) {
      const x = found[i];
      if (Math.abs(x) > head[SIZE]) head[SIZE] = Math.abs(x);
      const isAllowed = x >= lower[i] - slack[i] && x <= upper[i] + slack[i];
      if (isAllowed) continue;
      const expected = x > upper[i] ? upper[i] : lower[i];
      this.#raise('value', one, i, row[0], expected, x);
    }
    for (let i = 0; i < inputs.length; i++) last[i] = inputs[i];
    head[COUNT]++;
    this.#samples++;
  }

  #raise(
    kind: NonNullable<BlocksCertificate['defect']>['kind'],
    { id, names, head }: CheckedBlock,
    i: number,
    time: number,
    expected: number,
    found: number,
  ): void {
    const size = Math.max(head[SIZE], Math.abs(expected));
    const residual = kind === 'missing' ? 1 : relative(Math.abs(found - expected), size);
    this.#recent = larger(this.#recent, residual);
    if (this.#defect === null && !(residual <= SATISFIED)) {
      const isKnown = kind !== 'missing';
      this.#defect = {
        kind,
        block: id,
        signal: names[i],
        time,
        expected: isKnown ? expected : null,
        found: isKnown ? found : null,
      };
    }
    if (residual <= this.#worst || Number.isNaN(this.#worst)) return;
    this.#worst = residual;
    this.#time = time;
    this.#element = id;
  }

  /** What has been found so far; a new object. */
  get report(): BlocksCertificate {
    return { worst: this.#worst, samples: this.#samples, defect: this.#defect };
  }

  /** Block and time of the worst; null where all is as it should be. */
  get place(): { readonly time: number; readonly element: string } | null {
    return this.#element === null ? null : { time: this.#time, element: this.#element };
  }

  /** The worst since this was called last. */
  takeRecent(): number {
    const recent = this.#recent;
    this.#recent = 0;
    return recent;
  }

  save(): SavedSampling {
    return {
      numbers: this.#numbers.slice(),
      worst: this.#worst,
      time: this.#time,
      samples: this.#samples,
      defect: this.#defect,
      element: this.#element,
    };
  }

  /** Goes on from what another check of the same blocks has seen. */
  load({ numbers, worst, time, samples, defect, element }: SavedSampling): void {
    this.#numbers.set(numbers);
    this.#soonest[0] = -Infinity;
    this.#worst = worst;
    this.#time = time;
    this.#samples = samples;
    this.#defect = defect;
    this.#element = element;
  }
}

function placeIn(places: ReadonlyMap<string, number>, name: string): number {
  const place = places.get(name);
  if (place === undefined) throw new Error(`no place for ${name}`);
  return place;
}

/** k of the first sample from the start of a run on. */
function firstOf(offset: number, period: number, t0: number): number {
  const exact = (t0 - offset) / period;
  const near = Math.round(exact);
  const off = Math.abs(offset + near * period - t0);
  return off <= ROUNDINGS * Math.max(Math.abs(t0), Math.abs(offset)) ? near : Math.ceil(exact);
}
