/**
 * Relations as the certificate sees them: evaluated again from the model at the recorded states. It shares
 * nothing with the rows of the time loop but the model itself.
 *
 * Each interaction leaves, by row, the value y its law speaks of (y or ẏ at the end of the step) and the
 * scale d that turns its multiplier into a y of its own size, and by coordinate the inputs: r of first order,
 * and for Lagrangian systems the impulse ᵗC p or h ᵗC λ. Rows of impact laws also leave gap and gap velocity
 * at the end of the step, from which `contacts.ts` begins the next one.
 */
import { type SparseRows, sparseFromPattern } from '../../linalg/sparse';
import type { AffineEntries, RelationForm } from '../../model/forms';
import type { Interaction, NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StepWriter, Term } from '../../straight-line/writer';
import type { ContactCheck } from './contacts';

/** What the checks of a step share. All arrays are by coordinate unless they say otherwise. */
export interface CheckContext {
  readonly clock: Float64Array;
  /** [0] step length, s */
  readonly h: Float64Array;
  /** state at the end of the step, and at its start */
  readonly state: Float64Array;
  readonly before: Float64Array;
  /**
   * the state at the end of the step with the positions that velocities lead to; `state` itself where no
   * positions are projected
   */
  readonly reached: Float64Array;
  /** first slots of positions and velocities */
  readonly q: number;
  readonly v: number;
  readonly offsets: Int32Array;
  readonly size: number;
  /** generalised inputs of the step, and the sums of the magnitudes of their terms */
  readonly input: Float64Array;
  readonly inputMagnitude: Float64Array;
  /** diagonal of the mass matrices, of those that change the initial one; 1 where it is not positive */
  readonly inertia: Float64Array;
}

interface Evaluated {
  readonly relation: RelationForm;
  readonly row: number;
  readonly dofs: Int32Array;
  readonly z: Float64Array;
  readonly lambda: Float64Array;
  readonly y: Float64Array;
  readonly r: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
  readonly K: Float64Array;
  readonly B: Float64Array;
  readonly isContact: boolean;
  /** γ where it holds at γ x⁺ + (1−γ) x⁻; 1 at the end of the step */
  readonly share: number;
  /** whether C or D change from step to step */
  readonly isLinearised: boolean;
}

/** A large relation, of which e is read at z = 0 and λ = 0. */
interface LargeOffset {
  readonly relation: RelationForm;
  readonly row: number;
  readonly z: Float64Array;
  readonly lambda: Float64Array;
  readonly y: Float64Array;
}

export class RelationCheck {
  /** value of the law's y by row */
  readonly y: Float64Array;
  /** d by row */
  readonly scale: Float64Array;

  /** contacts one after the other, with what of their rows one or two coordinates make */
  readonly #pairs: ContactPairs | null;
  // Rows of relations with constant matrices, over coordinates.
  readonly #C: SparseRows;
  readonly #B: SparseRows;
  readonly #D: SparseRows;
  readonly #constant: Float64Array;
  readonly #isVelocity: Uint8Array;
  readonly #isImpulse: Uint8Array;
  readonly #isLagrangian: Uint8Array;
  readonly #isEvaluated: Uint8Array;
  readonly #evaluated: Evaluated[] = [];
  /** large relations whose e depends on time */
  readonly #varying: LargeOffset[] = [];
  /** [0] time at the start of the step, and where a relation holds, s */
  readonly #clock0 = new Float64Array(1);
  readonly #time = new Float64Array(1);

  /**
   * @param point where velocity-level relations are linearised: at q⁻, q⁻ + h v⁻ or q⁺
   * @param isVelocity by row, whether the law holds on ẏ
   * @param isTaken whether another check looks at an interaction: that of half steps
   * @param shareOf γ at which relations of first order of a system hold
   */
  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly context: CheckContext,
    private readonly point: 'start' | 'predicted' | 'end',
    isVelocity: Uint8Array,
    private readonly contacts: ContactCheck,
    isTaken: (interaction: Interaction) => boolean,
    private readonly shareOf: (system: number) => number,
    /** whether rows at the end of the step are those of its projected positions */
    private readonly isCombined: boolean,
  ) {
    const { interactions } = model;
    const count = interactions.reduce((sum, { relation }) => sum + relation.size, 0);
    this.y = new Float64Array(count);
    this.scale = new Float64Array(count);
    this.#constant = new Float64Array(count);
    this.#isVelocity = isVelocity;
    this.#isImpulse = new Uint8Array(count);
    this.#isLagrangian = new Uint8Array(count);
    this.#isEvaluated = new Uint8Array(count);
    const rows = { C: newRows(), B: newRows(), D: newRows() };
    let row = 0;
    for (const interaction of interactions) {
      if (isTaken(interaction)) this.#leave(interaction, row, rows);
      else this.#add(interaction, row, rows);
      row += interaction.relation.size;
    }
    this.#C = finish(rows.C);
    this.#B = finish(rows.B);
    this.#D = finish(rows.D);
    this.#pairs = this.#pair();
    this.changeStep();
  }

  /** Where all rows are contacts of one or two coordinates with constant directions; null elsewhere. */
  #pair(): ContactPairs | null {
    const C = this.#C;
    const B = this.#B;
    const count = this.y.length;
    const pairs = {
      first: new Int32Array(count),
      second: new Int32Array(count),
      one: new Float64Array(count),
      two: new Float64Array(count),
    };
    for (let row = 0; row < count; row++) {
      const from = C.rowStart[row];
      const size = C.rowStart[row + 1] - from;
      if (this.contacts.isContact[row] === 0 || this.#isImpulse[row] === 0 || size < 1 || size > 2)
        return null;
      if (this.#isEvaluated[row] === 1 || B.rowStart[row] !== from) return null;
      for (let k = from; k < from + size; k++)
        if (B.columns[k] !== C.columns[k] || B.values[k] !== C.values[k]) return null;
      pairs.first[row] = C.columns[from];
      pairs.second[row] = C.columns[from + size - 1];
      pairs.one[row] = C.values[from];
      pairs.two[row] = size === 2 ? C.values[from + 1] : 0;
    }
    return count === 0 ? null : pairs;
  }

  #leave({ relation }: Interaction, row: number, rows: Record<'C' | 'B' | 'D', RowLists>): void {
    this.#isEvaluated.fill(1, row, row + relation.size);
    for (const list of [rows.C, rows.B, rows.D])
      for (let i = 0; i < relation.size; i++) push(list, [], () => 0);
  }

  #add({ relation, systems, law }: Interaction, row: number, rows: Record<'C' | 'B' | 'D', RowLists>): void {
    const { offsets } = this.context;
    const { size, columns, order } = relation;
    const dofs: number[] = [];
    for (const s of systems) for (let dof = offsets[s]; dof < offsets[s + 1]; dof++) dofs.push(dof);
    const share = order === 1 ? this.shareOf(systems[0]) : 1;
    if (relation.entries !== undefined && share === 1) {
      this.#addLarge(relation, relation.entries, dofs, row, rows);
      return;
    }
    const { C, B, D } = relation;
    const isConstant = relation.isAffine && !relation.isTimeDependent && C !== null && share === 1;
    this.#isEvaluated.fill(isConstant ? 0 : 1, row, row + size);
    this.#isImpulse.fill(order === 2 && law.multiplier === 'impulse' ? 1 : 0, row, row + size);
    this.#isLagrangian.fill(order === 2 ? 1 : 0, row, row + size);
    for (let i = 0; i < size; i++) {
      push(rows.C, isConstant ? dofs : [], (k) => C?.[i * columns + k] ?? 0);
      const entering =
        order === 2 ? (k: number) => C?.[i * columns + k] ?? 0 : (k: number) => B?.[k * size + i] ?? 0;
      push(rows.B, isConstant ? dofs : [], entering);
      const others = isConstant && D !== null ? Array.from({ length: size }, (_, k) => row + k) : [];
      push(rows.D, others, (k) => D?.[i * size + k] ?? 0);
    }
    if (isConstant) {
      const y = new Float64Array(size);
      relation.output(this.context.clock, new Float64Array(columns), new Float64Array(size), y);
      this.#constant.set(y, row);
      return;
    }
    this.#evaluated.push({
      relation,
      row,
      dofs: Int32Array.from(dofs),
      z: new Float64Array(columns),
      lambda: new Float64Array(size),
      y: new Float64Array(size),
      r: new Float64Array(columns),
      C: C?.slice() ?? new Float64Array(size * columns),
      D: D?.slice() ?? new Float64Array(size * size),
      K: new Float64Array(relation.hasStateInput ? columns * columns : 0),
      B: new Float64Array(order === 1 ? columns * size : 0),
      isContact: this.contacts.isContact[row] === 1,
      share,
      isLinearised: C === null || (relation.hasFeedthrough && D === null),
    });
  }

  /** @param dofs coordinate of each column */
  #addLarge(
    relation: RelationForm,
    { C, D, B }: AffineEntries,
    dofs: readonly number[],
    row: number,
    rows: Record<'C' | 'B' | 'D', RowLists>,
  ): void {
    const entering: number[][] = Array.from({ length: relation.size }, () => []);
    const factors: number[][] = Array.from({ length: relation.size }, () => []);
    for (let i = 0; i < B.rows; i++)
      for (let k = B.rowStart[i]; k < B.rowStart[i + 1]; k++) {
        entering[B.columns[k]].push(dofs[i]);
        factors[B.columns[k]].push(B.values[k]);
      }
    const pushRow = (
      list: RowLists,
      matrix: SparseRows | null,
      i: number,
      placeOf: (column: number) => number,
    ): void => {
      const [from, to] = matrix === null ? [0, 0] : [matrix.rowStart[i], matrix.rowStart[i + 1]];
      const places = Array.from({ length: to - from }, (_, k) => placeOf(matrix?.columns[from + k] ?? 0));
      push(list, places, (k) => matrix?.values[from + k] ?? 0);
    };
    for (let i = 0; i < relation.size; i++) {
      pushRow(rows.C, C, i, (column) => dofs[column]);
      push(rows.B, entering[i], (k) => factors[i][k]);
      pushRow(rows.D, D, i, (column) => row + column);
    }
    const own: LargeOffset = {
      relation,
      row,
      z: new Float64Array(relation.columns),
      lambda: new Float64Array(relation.size),
      y: new Float64Array(relation.size),
    };
    this.#readOffset(own);
    if (relation.isTimeDependent) this.#varying.push(own);
  }

  /** e(t) of a large relation. */
  #readOffset({ relation, row, z, lambda, y }: LargeOffset): void {
    relation.output(this.context.clock, z, lambda, y);
    this.#constant.set(y, row);
  }

  /** Scales of constant rows for the present step length. */
  changeStep(): void {
    const { inertia, h } = this.context;
    const C = this.#C;
    const B = this.#B;
    const D = this.#D;
    for (let row = 0; row < this.y.length; row++) {
      if (this.#isEvaluated[row] === 1) continue;
      let sum = 0;
      // A row of C and a column of B meet where they stand on the same coordinate.
      for (let k = C.rowStart[row]; k < C.rowStart[row + 1]; k++)
        for (let j = B.rowStart[row]; j < B.rowStart[row + 1]; j++)
          if (B.columns[j] === C.columns[k])
            sum += Math.abs(C.values[k] * B.values[j]) / inertia[C.columns[k]];
      if (this.#isImpulse[row] === 0) sum *= h[0];
      for (let k = D.rowStart[row]; k < D.rowStart[row + 1]; k++)
        if (D.columns[k] === row) sum += Math.abs(D.values[k]);
      this.scale[row] = sum > 0 ? sum : 1;
    }
  }

  /** Evaluates all relations at the end of the step and gathers their inputs. */
  evaluate(lambda: Float64Array): void {
    const { input, inputMagnitude } = this.context;
    const { isContact } = this.contacts;
    const count = this.y.length;
    input.fill(0);
    inputMagnitude.fill(0);
    for (let v = 0; v < this.#varying.length; v++) this.#readOffset(this.#varying[v]);
    if (this.#pairs !== null) this.#evaluatePairs(this.#pairs, lambda);
    else
      for (let row = 0; row < count; row++) {
        if (this.#isEvaluated[row] === 1) continue;
        if (isContact[row] === 1) this.#readContact(row);
        else this.#read(row, lambda);
        if (lambda[row] !== 0) this.#addInput(row, lambda);
      }
    for (let e = 0; e < this.#evaluated.length; e++) this.#evaluate(this.#evaluated[e], lambda);
    this.#clock0[0] = this.context.clock[0];
  }

  /** Whether all relations have constant matrices, so that their evaluation can be written out. */
  get isWritable(): boolean {
    return this.#evaluated.length === 0 && this.#varying.length === 0;
  }

  /** Writes `evaluate`; λ of row i stands in the state at `lambda + i`. */
  write(w: StepWriter, lambda: number): void {
    const { state, input, inputMagnitude, size } = this.context;
    const { isContact } = this.contacts;
    for (let row = 0; row < this.y.length; row++) {
      if (isContact[row] === 1) this.#writeContact(w, row);
      else this.#writeRow(w, row, lambda);
    }
    const inputs = new Array<string>(size).fill('');
    const magnitudes = new Array<string>(size).fill('');
    for (let row = 0; row < this.y.length; row++)
      this.#writeInput(w, row, w.get(state, lambda + row), inputs, magnitudes);
    for (let i = 0; i < size; i++) {
      w.set(input, i, inputs[i] === '' ? '0' : inputs[i]);
      w.set(inputMagnitude, i, magnitudes[i] === '' ? '0' : magnitudes[i]);
    }
  }

  #terms(w: StepWriter, row: number, first: number): Term[] {
    const { rowStart, columns, values } = this.#C;
    return Array.from({ length: rowStart[row + 1] - rowStart[row] }, (_, k): Term => {
      const entry = rowStart[row] + k;
      return [values[entry], w.get(this.context.state, first + columns[entry])];
    });
  }

  #writeRow(w: StepWriter, row: number, lambda: number): void {
    const { state, q, v } = this.context;
    const isVelocity = this.#isVelocity[row] === 1;
    const terms = this.#terms(w, row, isVelocity ? v : q);
    const D = this.#D;
    for (let k = D.rowStart[row]; k < D.rowStart[row + 1]; k++)
      terms.push([D.values[k], w.get(state, lambda + D.columns[k])]);
    const constant = isVelocity ? 0 : this.#constant[row];
    w.set(this.y, row, w.add(constant === 0 ? '' : w.literal(constant), terms));
  }

  #writeContact(w: StepWriter, row: number): void {
    const { q, v, h } = this.context;
    const { gap, gapVelocity, magnitude } = this.contacts;
    const constant = this.#constant[row];
    const xs = this.#terms(w, row, q).map((term) => w.constant(w.add('', [term])));
    const us = this.#terms(w, row, v).map((term) => w.constant(w.add('', [term])));
    const unit = (names: string[]): Term[] => names.map((name) => [1, name]);
    const position = w.set(gap, row, w.add(constant === 0 ? '' : w.literal(constant), unit(xs)));
    const velocity = w.set(gapVelocity, row, w.add('', unit(us)));
    const parts = xs.map((x, k) => `(abs(${x}) + ${w.literal(h[0])} * abs(${us[k]}))`);
    const terms = [
      ...(constant === 0 ? [] : [w.literal(Math.abs(constant))]),
      ...parts,
      `abs(${position})`,
    ].join(' + ');
    w.set(magnitude, row, `max(${terms}, ${w.get(magnitude, row)})`);
    w.set(this.y, row, this.#isVelocity[row] === 1 ? velocity : position);
  }

  /** Appends what a row adds to the inputs and their magnitudes. */
  #writeInput(w: StepWriter, row: number, lambda: string, inputs: string[], magnitudes: string[]): void {
    const { rowStart, columns, values } = this.#B;
    const isForce = this.#isLagrangian[row] === 1 && this.#isImpulse[row] === 0;
    const value = isForce ? w.constant(`${w.literal(this.context.h[0])} * ${lambda}`) : lambda;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      const i = columns[k];
      const term = w.constant(w.add('', [[values[k], value]]));
      inputs[i] = w.add(inputs[i], [[1, term]]);
      magnitudes[i] = w.add(magnitudes[i], [[1, `abs(${term})`]]);
    }
  }

  /** y of a constant row that is no contact. */
  #read(row: number, lambda: Float64Array): void {
    const { reached: state, q, v } = this.context;
    const C = this.#C;
    const D = this.#D;
    const isVelocity = this.#isVelocity[row] === 1;
    const first = isVelocity ? v : q;
    let sum = isVelocity ? 0 : this.#constant[row];
    for (let k = C.rowStart[row]; k < C.rowStart[row + 1]; k++)
      sum += C.values[k] * state[first + C.columns[k]];
    for (let k = D.rowStart[row]; k < D.rowStart[row + 1]; k++) sum += D.values[k] * lambda[D.columns[k]];
    this.y[row] = sum;
  }

  /** Gap, gap velocity and the magnitudes in them of a constant row, in one pass. */
  #readContact(row: number): void {
    const { state, q, v, h } = this.context;
    const { rowStart, columns, values } = this.#C;
    const { gap, gapVelocity, magnitude } = this.contacts;
    const step = h[0];
    const end = rowStart[row + 1];
    let position = this.#constant[row];
    let velocity = 0;
    let terms = Math.abs(position);
    for (let k = rowStart[row]; k < end; k++) {
      const value = values[k];
      const x = value * state[q + columns[k]];
      const u = value * state[v + columns[k]];
      position += x;
      velocity += u;
      terms += Math.abs(x) + step * Math.abs(u);
    }
    terms += Math.abs(position);
    gap[row] = position;
    gapVelocity[row] = velocity;
    if (terms > magnitude[row]) magnitude[row] = terms;
    this.y[row] = this.#isVelocity[row] === 1 ? velocity : position;
  }

  /** `#readContact` and `#addInput` of all rows. */
  #evaluatePairs({ first, second, one, two }: ContactPairs, lambda: Float64Array): void {
    const { state, q, v, h, input, inputMagnitude } = this.context;
    const { gap, gapVelocity, magnitude } = this.contacts;
    const { y } = this;
    const constants = this.#constant;
    const isVelocity = this.#isVelocity;
    const step = h[0];
    for (let row = 0; row < y.length; row++) {
      const a = first[row];
      const b = second[row];
      const c = one[row];
      const d = two[row];
      let position = constants[row];
      let terms = Math.abs(position);
      const x = c * state[q + a];
      let velocity = c * state[v + a];
      position += x;
      terms += Math.abs(x) + step * Math.abs(velocity);
      if (d !== 0) {
        const other = d * state[q + b];
        const speed = d * state[v + b];
        position += other;
        terms += Math.abs(other) + step * Math.abs(speed);
        velocity += speed;
      }
      terms += Math.abs(position);
      gap[row] = position;
      gapVelocity[row] = velocity;
      if (terms > magnitude[row]) magnitude[row] = terms;
      y[row] = isVelocity[row] === 1 ? velocity : position;
      const impulse = lambda[row];
      if (impulse === 0) continue;
      input[a] += c * impulse;
      inputMagnitude[a] += Math.abs(c * impulse);
      if (d === 0) continue;
      input[b] += d * impulse;
      inputMagnitude[b] += Math.abs(d * impulse);
    }
  }

  /** Adds B λ of a constant row. */
  #addInput(row: number, lambda: Float64Array): void {
    const { input, inputMagnitude, h } = this.context;
    const { rowStart, columns, values } = this.#B;
    const end = rowStart[row + 1];
    const isForce = this.#isLagrangian[row] === 1 && this.#isImpulse[row] === 0;
    const value = isForce ? h[0] * lambda[row] : lambda[row];
    for (let k = rowStart[row]; k < end; k++) {
      const term = values[k] * value;
      input[columns[k]] += term;
      inputMagnitude[columns[k]] += Math.abs(term);
    }
  }

  #evaluate(evaluated: Evaluated, allLambda: Float64Array): void {
    const { state, before, reached, clock, q, v, h } = this.context;
    const { relation, row, dofs, z, lambda, y, C, D, isContact, isLinearised, share } = evaluated;
    const isVelocity = this.#isVelocity[row] === 1;
    const end = isVelocity && this.isCombined ? state : reached;
    for (let k = 0; k < relation.size; k++) lambda[k] = allLambda[row + k];
    if (isContact) {
      this.#evaluateContact(evaluated);
      // ẏ of an affine relation is the same wherever its positions are taken.
      const isAnywhere = relation.isAffine && (this.point !== 'start' || !relation.isTimeDependent);
      if (isVelocity && ((this.point === 'end' && end === state) || isAnywhere)) {
        for (let i = 0; i < relation.size; i++) this.y[row + i] = this.contacts.gapVelocity[row + i];
        this.#gatherInput(evaluated, clock);
        return;
      }
    }
    const isBefore = isVelocity && this.point !== 'end';
    const ahead = this.point === 'start' ? 0 : h[0];
    for (let k = 0; k < dofs.length; k++) {
      const dof = dofs[k];
      z[k] = isBefore ? before[q + dof] + ahead * before[v + dof] : end[q + dof];
      if (share !== 1) z[k] = share * z[k] + (1 - share) * before[q + dof];
    }
    const time = this.#time;
    if (isVelocity && this.point === 'start') time[0] = this.#clock0[0];
    else time[0] = share === 1 ? clock[0] : share * clock[0] + (1 - share) * this.#clock0[0];
    if (isLinearised) relation.outputJacobians(time, z, lambda, C, D);
    if (isVelocity) {
      relation.timeDerivative(time, z, y);
      for (let i = 0; i < relation.size; i++) {
        let sum = y[i];
        for (let k = 0; k < dofs.length; k++) sum += C[i * dofs.length + k] * state[v + dofs[k]];
        y[i] = sum;
      }
    } else {
      relation.output(time, z, lambda, y);
    }
    this.y.set(y, row);
    this.#gatherInput(evaluated, time);
  }

  /** Gap, gap velocity and the magnitudes in them at the end of the step. */
  #evaluateContact({ relation, row, dofs, z, lambda, y, C, D, isLinearised }: Evaluated): void {
    const { state, clock, q, v, h } = this.context;
    const { gap, gapVelocity, magnitude } = this.contacts;
    const columns = dofs.length;
    for (let k = 0; k < columns; k++) z[k] = state[q + dofs[k]];
    relation.output(clock, z, lambda, y);
    gap.set(y, row);
    if (isLinearised) relation.outputJacobians(clock, z, lambda, C, D);
    relation.timeDerivative(clock, z, y);
    for (let i = 0; i < relation.size; i++) {
      let velocity = y[i];
      let terms = Math.abs(gap[row + i]) + h[0] * Math.abs(velocity);
      for (let k = 0; k < columns; k++) {
        const u = C[i * columns + k] * state[v + dofs[k]];
        velocity += u;
        terms += Math.abs(C[i * columns + k] * state[q + dofs[k]]) + h[0] * Math.abs(u);
      }
      gapVelocity[row + i] = velocity;
      if (terms > magnitude[row + i]) magnitude[row + i] = terms;
    }
  }

  #gatherInput(
    { relation, row, dofs, z, lambda, r, C, D, K, B, share }: Evaluated,
    time: Float64Array,
  ): void {
    const { input, inputMagnitude, inertia, h } = this.context;
    const { size, columns, order } = relation;
    const factor = order === 2 && this.#isImpulse[row] === 0 ? h[0] : 1;
    if (order === 1) {
      relation.input(time, z, lambda, r);
      relation.inputJacobians(time, z, lambda, K, B);
      for (let k = 0; k < columns; k++) input[dofs[k]] += r[k];
    }
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let k = 0; k < columns; k++) {
        const enters = order === 2 ? C[i * columns + k] : B[k * size + i];
        sum += Math.abs(C[i * columns + k] * enters) / inertia[dofs[k]];
        const term = factor * enters * lambda[i];
        if (order === 2) input[dofs[k]] += term;
        inputMagnitude[dofs[k]] += Math.abs(term);
      }
      if (this.#isImpulse[row] === 0) sum *= h[0];
      sum *= share;
      if (relation.hasFeedthrough) sum += Math.abs(D[i * size + i]);
      this.scale[row + i] = sum > 0 ? sum : 1;
    }
  }
}

/** Rows c x_first + d x_second; d = 0 where there is one coordinate. */
interface ContactPairs {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly one: Float64Array;
  readonly two: Float64Array;
}

interface RowLists {
  readonly columns: number[][];
  readonly values: number[];
}

const newRows = (): RowLists => ({ columns: [], values: [] });

function push(rows: RowLists, columns: readonly number[], valueAt: (k: number) => number): void {
  const used: number[] = [];
  columns.forEach((column, k) => {
    const value = valueAt(k);
    if (value === 0) return;
    used.push(column);
    rows.values.push(value);
  });
  rows.columns.push(used);
}

function finish({ columns, values }: RowLists): SparseRows {
  const rows = sparseFromPattern(columns);
  rows.values.set(values);
  return rows;
}
