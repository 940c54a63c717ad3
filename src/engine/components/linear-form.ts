/**
 * Linear forms: sums of inputs of a network with their coefficients. The inputs are numbered; input 0 is the
 * constant 1.
 */
export type LinearForm = Map<number, number>;

export const ONE = 0;

export const constantForm = (value: number): LinearForm =>
  value === 0 ? new Map() : new Map([[ONE, value]]);

export const inputForm = (input: number, factor = 1): LinearForm => new Map([[input, factor]]);

/** What is left of terms that cancel to this part is rounding: as a conductance it would be an element. */
const ROUNDING = 2 ** -46;
/** Coefficients below this part of their terms have cancelled, and their terms are remembered. */
const CANCELLED = 0.5;

/** Largest terms of coefficients that have cancelled in part, by form and input. */
const sizes = new WeakMap<LinearForm, Map<number, number>>();

/** target += factor · form; what cancels, to rounding of all that it is made of, is taken out. */
export function addForm(target: LinearForm, form: LinearForm, factor = 1): LinearForm {
  if (factor === 0) return target;
  const known = sizes.get(form);
  let own = sizes.get(target);
  for (const [input, coefficient] of form) {
    const before = target.get(input) ?? 0;
    const sum = before + factor * coefficient;
    const size = Math.max(
      own?.get(input) ?? Math.abs(before),
      Math.abs(factor) * (known?.get(input) ?? Math.abs(coefficient)),
    );
    own?.delete(input);
    if (Math.abs(sum) <= ROUNDING * size) {
      target.delete(input);
      continue;
    }
    target.set(input, sum);
    if (Math.abs(sum) >= CANCELLED * size) continue;
    if (own === undefined) sizes.set(target, (own = new Map<number, number>()));
    own.set(input, size);
  }
  return target;
}

export const combine = (...parts: readonly (readonly [LinearForm, number])[]): LinearForm => {
  const sum: LinearForm = new Map();
  for (const [form, factor] of parts) addForm(sum, form, factor);
  return sum;
};

/** The form with other inputs in place of some of its own. */
export function substitute(form: LinearForm, by: ReadonlyMap<number, LinearForm>): LinearForm {
  let isTouched = false;
  for (const input of form.keys()) if (by.has(input)) isTouched = true;
  if (!isTouched) return form;
  const result: LinearForm = new Map();
  for (const [input, coefficient] of form) {
    const other = by.get(input);
    if (other !== undefined) addForm(result, other, coefficient);
    else addForm(result, inputForm(input, coefficient));
  }
  return result;
}

/** Solves a regular system of which the right sides are forms, by blocks that do not touch each other. */
export interface FormSystem {
  /** unknown inputs */
  readonly unknowns: readonly number[];
  /** each is zero: a form of the unknowns and of other inputs */
  readonly equations: readonly LinearForm[];
}

/** Pivots below this part of the largest entry of their row count as zero: rounding of its elimination. */
const SINGULAR = 1e-12;

/**
 * @returns the unknowns as forms of the other inputs; or those that the equations do not determine
 */
export function solveForms({
  unknowns,
  equations,
}: FormSystem):
  { readonly ok: true; readonly values: Map<number, LinearForm> } | { ok: false; open: number[] } {
  const values = new Map<number, LinearForm>();
  for (const block of blocksOf(unknowns, equations)) {
    const open = solveBlock(block, values);
    if (open !== null) return { ok: false, open };
  }
  return { ok: true, values };
}

/** Unknowns that meet in equations, with these. */
function blocksOf(unknowns: readonly number[], equations: readonly LinearForm[]): FormSystem[] {
  const place = new Map(unknowns.map((unknown, k) => [unknown, k]));
  const parent = unknowns.map((_, k) => k);
  const root = (k: number): number => {
    let at = k;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]];
    return at;
  };
  const members = equations.map((equation) =>
    [...equation.keys()].flatMap((input) => {
      const k = place.get(input);
      return k === undefined ? [] : [k];
    }),
  );
  for (const own of members) for (const k of own) parent[root(k)] = root(own[0]);
  const blocks = new Map<number, { unknowns: number[]; equations: LinearForm[] }>();
  unknowns.forEach((unknown, k) => {
    const block = blocks.get(root(k)) ?? { unknowns: [], equations: [] };
    block.unknowns.push(unknown);
    blocks.set(root(k), block);
  });
  equations.forEach((equation, e) => {
    if (members[e].length > 0) blocks.get(root(members[e][0]))?.equations.push(equation);
  });
  return [...blocks.values()];
}

/** Gaussian elimination with the largest pivot of each column, rows in units of their largest entry. */
function solveBlock({ unknowns, equations }: FormSystem, values: Map<number, LinearForm>): number[] | null {
  const n = unknowns.length;
  const own = new Set(unknowns);
  const rows = equations.map((equation) => {
    const matrix = Float64Array.from(unknowns, (unknown) => equation.get(unknown) ?? 0);
    const scale = matrix.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
    const right: LinearForm = new Map();
    for (const [input, coefficient] of equation) if (!own.has(input)) right.set(input, -coefficient);
    return { matrix, right, scale };
  });
  for (let k = 0; k < n; k++) {
    let best = -1;
    let size = SINGULAR;
    for (let r = k; r < rows.length; r++) {
      const relative = rows[r].scale === 0 ? 0 : Math.abs(rows[r].matrix[k]) / rows[r].scale;
      if (relative > size) [best, size] = [r, relative];
    }
    if (best < 0) return unknowns.slice(k);
    [rows[k], rows[best]] = [rows[best], rows[k]];
    const { matrix, right } = rows[k];
    for (let r = k + 1; r < rows.length; r++) {
      const factor = rows[r].matrix[k] / matrix[k];
      if (factor === 0) continue;
      const other = rows[r].matrix;
      for (let c = k; c < n; c++) {
        const before = other[c];
        other[c] -= factor * matrix[c];
        if (Math.abs(other[c]) <= ROUNDING * Math.abs(before)) other[c] = 0;
      }
      addForm(rows[r].right, right, -factor);
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    const { matrix, right } = rows[k];
    for (let c = k + 1; c < n; c++) addForm(right, values.get(unknowns[c]) ?? new Map(), -matrix[c]);
    const value: LinearForm = new Map();
    addForm(value, right, 1 / matrix[k]);
    values.set(unknowns[k], value);
  }
  return null;
}
