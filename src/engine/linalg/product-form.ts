/**
 * Product form of the inverse, B⁻¹ = E_k … E_1: each exchange of a basic variable adds one elementary matrix,
 * and B⁻¹ a costs one pass over those whose pivot entry is met. Of a method that looks at one column at a
 * time, such as Lemke's, this touches a fraction of what updating a whole tableau does, and sparse columns
 * stay cheap. Dantzig and Orchard-Hays 1954.
 *
 * Up to four elementary matrices are applied in one pass over the vector: most of the time goes into moving
 * it.
 */

const GROUP = 4;
/** Up to this many rows the grouping costs more than it saves. */
const MOST_ROWS_UNGROUPED = 24;

export class ProductForm {
  /** number of elementary matrices */
  count = 0;
  #n = 0;
  /** column of each elementary matrix without its pivot entry, one after the other */
  #columns = new Float64Array(0);
  /** reciprocal of each pivot entry */
  #inverses = new Float64Array(0);
  #pivotRows = new Int32Array(0);
  /** rows [from, to) outside which a column is zero */
  #from = new Int32Array(0);
  #to = new Int32Array(0);
  /** elementary matrices that wait to be applied together, and the entries of x they have produced */
  readonly #waiting = new Int32Array(GROUP);
  readonly #factors = new Float64Array(GROUP);
  #waitingCount = 0;
  readonly #final = new Float64Array(GROUP);
  readonly #entry = new Float64Array(1);

  /** Begins with the identity of n rows. */
  reset(n: number): void {
    this.#n = n;
    this.count = 0;
  }

  /** x ← B⁻¹ x */
  apply(x: Float64Array): void {
    if (this.#n <= MOST_ROWS_UNGROUPED) this.#applySingly(x);
    else this.#applyInGroups(x);
  }

  #applySingly(x: Float64Array): void {
    const columns = this.#columns;
    const n = this.#n;
    for (let k = 0; k < this.count; k++) {
      const row = this.#pivotRows[k];
      if (x[row] === 0) continue;
      const value = x[row] * this.#inverses[k];
      const offset = k * n;
      for (let i = 0; i < n; i++) x[i] -= columns[offset + i] * value;
      x[row] = value;
    }
  }

  #applyInGroups(x: Float64Array): void {
    const pivotRows = this.#pivotRows;
    const entry = this.#entry;
    this.#waitingCount = 0;
    for (let k = 0; k < this.count; k++) {
      if (this.#waitingCount === 0) {
        if (x[pivotRows[k]] === 0) continue;
        entry[0] = x[pivotRows[k]];
      } else {
        this.#currentEntry(x, pivotRows[k]);
        if (entry[0] === 0) continue;
      }
      this.#factors[this.#waitingCount] = entry[0] * this.#inverses[k];
      this.#waiting[this.#waitingCount++] = k;
      if (this.#waitingCount === GROUP) this.#flush(x);
    }
    if (this.#waitingCount > 0) this.#flush(x);
  }

  /** The entry that x would have after the waiting matrices. */
  #currentEntry(x: Float64Array, row: number): void {
    let value = x[row];
    for (let j = 0; j < this.#waitingCount; j++) {
      const k = this.#waiting[j];
      if (this.#pivotRows[k] === row) value = this.#factors[j];
      else value -= this.#columns[k * this.#n + row] * this.#factors[j];
    }
    this.#entry[0] = value;
  }

  /** Applies the waiting matrices. */
  #flush(x: Float64Array): void {
    const n = this.#n;
    const waiting = this.#waiting;
    let from = n;
    let to = 0;
    for (let j = 0; j < this.#waitingCount; j++) {
      const k = waiting[j];
      from = Math.min(from, this.#from[k]);
      to = Math.max(to, this.#to[k]);
      this.#currentEntry(x, this.#pivotRows[k]);
      this.#final[j] = this.#entry[0];
    }
    if (this.#waitingCount === GROUP) this.#subtractFour(x, from, to);
    else for (let j = 0; j < this.#waitingCount; j++) this.#subtract(x, j, from, to);
    // The pivot entries do not follow the formula of the others.
    for (let j = 0; j < this.#waitingCount; j++) x[this.#pivotRows[waiting[j]]] = this.#final[j];
    this.#waitingCount = 0;
  }

  #subtract(x: Float64Array, j: number, from: number, to: number): void {
    const columns = this.#columns;
    const offset = this.#waiting[j] * this.#n;
    const factor = this.#factors[j];
    for (let i = from; i < to; i++) x[i] -= columns[offset + i] * factor;
  }

  #subtractFour(x: Float64Array, from: number, to: number): void {
    const columns = this.#columns;
    const waiting = this.#waiting;
    const n = this.#n;
    const a = this.#factors[0];
    const b = this.#factors[1];
    const c = this.#factors[2];
    const d = this.#factors[3];
    let p = waiting[0] * n + from;
    let q = waiting[1] * n + from;
    let r = waiting[2] * n + from;
    let s = waiting[3] * n + from;
    for (let i = from; i < to; i++)
      x[i] -= columns[p++] * a + columns[q++] * b + columns[r++] * c + columns[s++] * d;
  }

  /**
   * The variable whose column in the present basis is `column` = B⁻¹ a takes the place of the one in `row`.
   * @param column n entries, that of `row` not zero
   */
  append(column: Float64Array, row: number): void {
    const n = this.#n;
    const k = this.count;
    if (k >= this.#pivotRows.length || (k + 1) * n > this.#columns.length) this.#grow();
    const offset = k * n;
    const columns = this.#columns;
    let from = n;
    let to = 0;
    for (let i = 0; i < n; i++) {
      const value = column[i];
      columns[offset + i] = value;
      if (value === 0) continue;
      if (from > i) from = i;
      to = i + 1;
    }
    columns[offset + row] = 0;
    this.#inverses[k] = 1 / column[row];
    this.#pivotRows[k] = row;
    this.#from[k] = from;
    this.#to[k] = to;
    this.count = k + 1;
  }

  #grow(): void {
    const capacity = Math.max(16, 2 * this.count);
    const columns = new Float64Array(capacity * this.#n);
    columns.set(this.#columns.subarray(0, this.count * this.#n));
    this.#columns = columns;
    const inverses = new Float64Array(capacity);
    inverses.set(this.#inverses.subarray(0, this.count));
    this.#inverses = inverses;
    this.#pivotRows = grown(this.#pivotRows, capacity);
    this.#from = grown(this.#from, capacity);
    this.#to = grown(this.#to, capacity);
  }
}

function grown(values: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(capacity);
  larger.set(values.subarray(0, Math.min(values.length, capacity)));
  return larger;
}
