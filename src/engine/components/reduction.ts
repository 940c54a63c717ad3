/**
 * From a network to a system with the least number of states and a relation with its laws:
 *
 *     ẋ = A x + B λ + T u(t) + b,     y = C x + D λ + F u(t) + e,
 *
 * where x are the voltages of capacitors and the currents of inductors, as far as they are independent, and
 * (y, λ) the voltage and current of each non-smooth element, one of either. Whatever else is unknown is
 * solved for: potentials of nodes (`nodal.ts`), values of controlled sources, and currents of capacitors and
 * voltages of inductors that follow from others.
 *
 * A capacitor in a loop of given voltages has the voltage v = Σ α x + …, and its current C v̇ flows in that
 * loop; so E ẋ = … with E = diag(C) + Σ C αᵀα. Inductors in a cut of given currents likewise, and mutual
 * inductance: L di/dt = v with L full.
 */
import {
  addForm,
  combine,
  constantForm,
  inputForm,
  type LinearForm,
  ONE,
  solveForms,
  substitute,
} from './linear-form';
import { type BranchForms, solveNodes } from './nodal';
import type { Network, NetworkBranch, Waveform } from './network';
import { orient, type Orientation, type StructuralDefect } from './orientation';

/** What an input of the forms is. */
export type NetworkInput =
  | { readonly kind: 'one' }
  | { readonly kind: 'state' | 'multiplier' | 'source'; readonly index: number }
  /** to be solved for; `branch` says what it belongs to */
  | { readonly kind: 'controlled' | 'loopCurrent' | 'cutVoltage'; readonly branch: number };

/** A row of the relation. */
export interface NetworkRow {
  /** −1 of a row that balances the currents of a part */
  readonly branch: number;
  /** node by which that is known; −1 of rows of branches */
  readonly part: number;
  /** which of the two is the multiplier */
  readonly isVoltage: boolean;
  /** whether it keeps the current at zero while the row before it, of the same branch, is absent */
  readonly isBlocking: boolean;
  readonly output: LinearForm;
}

export interface ReducedNetwork {
  readonly inputs: readonly NetworkInput[];
  /** branch of each state, and its value at the start */
  readonly states: readonly { readonly branch: number; readonly initial: number }[];
  /** elements that begin with other values than their own, which contradict each other */
  readonly moved: readonly { readonly branch: number; readonly from: number; readonly to: number }[];
  readonly rates: readonly LinearForm[];
  readonly rows: readonly NetworkRow[];
  readonly sources: readonly Waveform[];
  readonly forms: BranchForms;
  readonly orientation: Orientation;
  /** inputs that stand for rates of sources, which nothing gives: forms with them have no value */
  readonly isOpen: (form: LinearForm) => boolean;
}

export type NetworkDefect =
  | StructuralDefect
  /** controlled sources whose values nothing determines */
  | { readonly kind: 'controlled'; readonly branches: readonly number[] }
  /** a negative resistance that cancels */
  | { readonly kind: 'potential'; readonly node: number }
  /** a capacitor or inductor that follows from what jumps or has no rate: it depends on `by` */
  | {
      readonly kind: 'dependent';
      readonly branches: readonly number[];
      readonly by: 'law' | 'source' | 'state';
    }
  /** inductors whose coupling is not that of any windings */
  | { readonly kind: 'coupling'; readonly branches: readonly number[] };

export type Reduction =
  | { readonly ok: true; readonly reduced: ReducedNetwork }
  | { readonly ok: false; readonly defects: readonly NetworkDefect[] };

/** @param inductance mutual inductances, H, by pairs of inductor branches */
export function reduce(
  network: Network,
  mutual: ReadonlyMap<number, ReadonlyMap<number, number>>,
): Reduction {
  const orientation = orient(network);
  if (orientation.defects.length > 0) return { ok: false, defects: orientation.defects };
  return new Reducer(network, orientation, mutual).run();
}

/** Initial values that differ by less, relative to them, are the same. */
const SAME = 1e-12;

const constantOf = (form: LinearForm): number => form.get(ONE) ?? 0;

class Reducer {
  readonly #inputs: NetworkInput[] = [{ kind: 'one' }];
  readonly #states: { branch: number; initial: number }[] = [];
  readonly #sources: Waveform[] = [];
  readonly #rows: { branch: number; isVoltage: boolean; part: number; isBlocking: boolean }[] = [];
  /** input of each branch that has one */
  readonly #inputOf = new Map<number, number>();
  /** loops of capacitors with given voltages, cuts of inductors with given currents */
  readonly #dependent: number[] = [];
  readonly #controlled: number[] = [];

  constructor(
    private readonly network: Network,
    private readonly orientation: Orientation,
    private readonly mutual: ReadonlyMap<number, ReadonlyMap<number, number>>,
  ) {}

  run(): Reduction {
    const given = this.network.branches.map((branch, k) => this.#givenOf(branch, k));
    const solved = solveNodes(this.network, this.orientation, given, (part) => this.#keep(part));
    if (!solved.ok) return { ok: false, defects: [{ kind: 'potential', node: solved.node }] };
    const controlled = solveForms({
      unknowns: this.#controlled.map((branch) => this.#input(branch)),
      equations: this.#controlled.map((branch) => this.#equation(branch, solved.forms)),
    });
    if (!controlled.ok)
      return { ok: false, defects: [{ kind: 'controlled', branches: this.#branchesOf(controlled.open) }] };
    const forms = replaced(solved.forms, controlled.values);
    const currents = [...forms.currents];
    for (const k of this.#dependent) {
      const own = this.orientation.isVoltage[k] === 1 ? this.#cutCurrent(k, given) : null;
      if (own !== null) currents[k] = substitute(own, controlled.values);
    }
    return this.#withRates({ ...forms, currents });
  }

  /**
   * The current of an inductor that alone joins two parts of the network: the given currents between these,
   * by the graph. From the potentials it would follow with rounding, which looks like a dependence.
   * @returns null where resistors join the parts, too
   */
  #cutCurrent(own: number, given: readonly (LinearForm | null)[]): LinearForm | null {
    const { branches, earth } = this.network;
    const ends = branches.map(({ a, b }) => [earth.find(a), earth.find(b)] as const);
    const neighbours = new Map<number, number[]>();
    const crossing: number[] = [];
    branches.forEach(({ element }, k) => {
      if (k === own) return;
      if (this.orientation.isVoltage[k] === 0 && element.kind !== 'resistor') {
        crossing.push(k);
        return;
      }
      const [a, b] = ends[k];
      neighbours.set(a, [...(neighbours.get(a) ?? []), b]);
      neighbours.set(b, [...(neighbours.get(b) ?? []), a]);
    });
    const [start, other] = ends[own];
    const side = new Set([start]);
    for (const node of side) for (const next of neighbours.get(node) ?? []) side.add(next);
    if (side.has(other)) return null;
    const sum: LinearForm = new Map();
    for (const k of crossing) {
      const [isFrom, isTo] = [side.has(ends[k][0]), side.has(ends[k][1])];
      if (isFrom !== isTo) addForm(sum, given[k] ?? new Map<number, number>(), isFrom ? -1 : 1);
    }
    return sum;
  }

  #newInput(branch: number, input: NetworkInput): LinearForm {
    this.#inputOf.set(branch, this.#inputs.length);
    return inputForm(this.#inputs.push(input) - 1);
  }

  #input(branch: number): number {
    const input = this.#inputOf.get(branch);
    if (input === undefined) throw new Error(`branch ${branch} has no input`);
    return input;
  }

  #branchOf(input: number): number[] {
    const own = this.#inputs[input];
    if (own.kind !== 'multiplier') return this.#branchesOf([input]);
    const { branch } = this.#rows[own.index];
    return branch < 0 ? [] : [branch];
  }

  #branchesOf(inputs: readonly number[]): number[] {
    return inputs.flatMap((k) => {
      const input = this.#inputs[k];
      return 'branch' in input ? [input.branch] : [];
    });
  }

  /** Voltage or current that is given; null for resistors. */
  #givenOf({ element }: NetworkBranch, k: number): LinearForm | null {
    const isVoltage = this.orientation.isVoltage[k] === 1;
    switch (element.kind) {
      case 'resistor':
        return null;
      case 'wire':
      case 'open':
        return new Map();
      case 'voltage':
      case 'current': {
        const { value } = element;
        if (typeof value === 'number') return constantForm(value);
        this.#sources.push(value);
        return this.#newInput(k, { kind: 'source', index: this.#sources.length - 1 });
      }
      case 'capacitor':
        if (isVoltage) return this.#state(k, element.v0);
        this.#dependent.push(k);
        return this.#newInput(k, { kind: 'loopCurrent', branch: k });
      case 'inductor':
        if (!isVoltage) return this.#state(k, element.i0);
        this.#dependent.push(k);
        return this.#newInput(k, { kind: 'cutVoltage', branch: k });
      case 'controlledVoltage':
      case 'controlledCurrent':
      case 'nullor':
      case 'winding':
        this.#controlled.push(k);
        return this.#newInput(k, { kind: 'controlled', branch: k });
      case 'diode':
      case 'switch':
      case 'thyristor':
      case 'characteristic':
      case 'relay':
        return this.#multiplier(k, element.kind, isVoltage);
    }
  }

  #state(branch: number, initial: number): LinearForm {
    this.#states.push({ branch, initial });
    return this.#newInput(branch, { kind: 'state', index: this.#states.length - 1 });
  }

  /**
   * λ is the current of a branch with given current, and minus the voltage of one with given voltage; of
   * characteristics with given current, which take power, minus the current. The voltage of a thyristor is
   * minus the multiplier of its diode, and while it blocks minus that of an equation for its current.
   */
  #multiplier(branch: number, kind: string, isVoltage: boolean): LinearForm {
    const add = (isBlocking: boolean): LinearForm => {
      this.#rows.push({ branch, isVoltage, part: -1, isBlocking });
      return this.#newInput(branch, { kind: 'multiplier', index: this.#rows.length - 1 });
    };
    const form = add(false);
    if (kind === 'thyristor' && isVoltage) addForm(form, add(true));
    const isNegative = kind === 'relay' ? false : kind === 'characteristic' ? true : isVoltage;
    return isNegative ? combine([form, -1]) : form;
  }

  /** The potential of a part as a multiplier, of the row in which its currents add up to nothing. */
  #keep(part: number): LinearForm {
    const index = this.#rows.push({ branch: -1, isVoltage: false, part, isBlocking: false }) - 1;
    return inputForm(this.#inputs.push({ kind: 'multiplier', index }) - 1);
  }

  /** What leaves each part that is kept, by part. */
  #leaving({ currents }: BranchForms): Map<number, LinearForm> {
    const { supernodes, isVoltage } = this.orientation;
    const { branches, earth } = this.network;
    const sums = new Map<number, LinearForm>();
    for (const { part } of this.#rows) if (part >= 0) sums.set(part, new Map());
    if (sums.size === 0) return sums;
    branches.forEach(({ a, b }, k) => {
      const [from, to] = [a, b].map((node) => supernodes.find(earth.find(node)));
      if (isVoltage[k] === 1 || from === to) return;
      const [out, into] = [sums.get(from), sums.get(to)];
      if (out !== undefined) addForm(out, currents[k], 1);
      if (into !== undefined) addForm(into, currents[k], -1);
    });
    return sums;
  }

  /** What is zero for a source that depends on others. */
  #equation(branch: number, forms: BranchForms): LinearForm {
    const { element } = this.network.branches[branch];
    const isVoltage = this.orientation.isVoltage[branch] === 1;
    if (element.kind === 'nullor') return this.#sum(element.terms, forms);
    const own = inputForm(this.#input(branch));
    if (element.kind === 'controlledVoltage' || element.kind === 'controlledCurrent')
      return combine([this.#sum(element.terms, forms), 1], [own, -1]);
    if (element.kind !== 'winding') throw new Error('only controlled sources have an equation');
    const windings = this.network.branches.flatMap((other, k) =>
      other.element.kind === 'winding' && other.element.core === element.core
        ? [{ k, ratio: other.element.ratio }]
        : [],
    );
    // Voltages of windings go with their turns, and their ampere turns add up to nothing.
    if (!isVoltage) return combine(...windings.map(({ k, ratio }) => [forms.currents[k], ratio] as const));
    const leading = windings.find(({ k }) => this.orientation.isVoltage[k] === 0) ?? windings[0];
    return combine([own, leading.ratio], [forms.voltages[leading.k], -element.ratio]);
  }

  #sum(terms: readonly { branch: number; of: 'v' | 'i'; factor: number }[], forms: BranchForms): LinearForm {
    return sumOf(this.network, forms, terms);
  }

  /** Solves E ẋ = … for ẋ, and puts rates where currents and voltages follow from them. */
  #withRates(forms: BranchForms): Reduction {
    const { branches } = this.network;
    // The rate of input k is input first + k: unknown of states, and open of sources, whose rates nothing
    // gives.
    const first = this.#inputs.length;
    const defects: NetworkDefect[] = [];
    const rateOfForm = (form: LinearForm, branch: number): LinearForm => {
      const rate: LinearForm = new Map();
      for (const [input, factor] of form) {
        const { kind } = this.#inputs[input];
        if (kind === 'one') continue;
        if (kind !== 'state' && kind !== 'source')
          defects.push({
            kind: 'dependent',
            branches: [branch, ...this.#branchOf(input)],
            by: kind === 'multiplier' ? 'law' : 'state',
          });
        else addForm(rate, inputForm(first + input, factor));
      }
      return rate;
    };
    const isVoltage = (k: number): boolean => this.orientation.isVoltage[k] === 1;
    /** rate of the voltage of a capacitor or of the current of an inductor */
    const rates = new Map<number, LinearForm>();
    for (const { branch } of this.#states) rates.set(branch, inputForm(first + this.#input(branch)));
    for (const k of this.#dependent)
      rates.set(k, rateOfForm(isVoltage(k) ? forms.currents[k] : forms.voltages[k], k));
    if (defects.length > 0) return { ok: false, defects };

    const zero: LinearForm = new Map();
    /** voltage of an inductor, or current of a capacitor, by rates */
    const byRates = (k: number): LinearForm => {
      const { element } = branches[k];
      if (element.kind === 'capacitor') return combine([rates.get(k) ?? zero, element.C]);
      if (element.kind !== 'inductor') throw new Error('only capacitors and inductors have rates');
      const sum = combine([rates.get(k) ?? zero, element.L]);
      for (const [other, M] of this.mutual.get(k) ?? []) addForm(sum, rates.get(other) ?? zero, M);
      return sum;
    };
    const dependent = new Map(this.#dependent.map((k) => [this.#input(k), byRates(k)]));
    const equations = this.#states.map(({ branch }) => {
      const { element } = branches[branch];
      const port = element.kind === 'capacitor' ? forms.currents[branch] : forms.voltages[branch];
      return combine([byRates(branch), 1], [substitute(port, dependent), -1]);
    });
    const moved = this.#startTogether(forms);
    const solved = solveForms({
      unknowns: this.#states.map(({ branch }) => first + this.#input(branch)),
      equations,
    });
    if (!solved.ok) {
      const open = solved.open.map((input) => {
        const own = this.#inputs[input - first];
        return own.kind === 'state' ? this.#states[own.index].branch : -1;
      });
      return { ok: false, defects: [{ kind: 'coupling', branches: open }] };
    }
    const isOpen = (form: LinearForm): boolean => [...form.keys()].some((input) => input >= first);
    const values = new Map<number, LinearForm>();
    for (const [input, form] of dependent) values.set(input, substitute(form, solved.values));
    const all = replaced(forms, values);
    const stateRates = this.#states.map(
      ({ branch }) => solved.values.get(first + this.#input(branch)) ?? zero,
    );
    stateRates.forEach((rate, j) => {
      if (isOpen(rate))
        defects.push({ kind: 'dependent', branches: this.#openLoops(rate, first, j), by: 'source' });
    });
    const leaving = this.#leaving(all);
    const rows = this.#rows.map(({ branch, isVoltage: has, part, isBlocking }) => {
      const output = leaving.get(part) ?? this.#outputOf(branch, has, all);
      if (isOpen(output)) defects.push({ kind: 'dependent', branches: this.#dependent, by: 'source' });
      return { branch, isVoltage: has, part, isBlocking, output };
    });
    if (defects.length > 0) return { ok: false, defects };
    return {
      ok: true,
      reduced: {
        inputs: this.#inputs,
        states: this.#states,
        moved,
        rates: stateRates,
        rows,
        sources: this.#sources,
        forms: all,
        orientation: this.orientation,
        isOpen,
      },
    };
  }

  /**
   * Initial values that contradict each other, of capacitors side by side and inductors in a row: they share
   * charge and flux at once, C_j (x_j − v_j) = Σ_k a_jk C_k (v_k(x) − v_k), with a_jk the part of the current
   * of k that flows through j.
   */
  #startTogether(forms: BranchForms): ReducedNetwork['moved'] {
    const { branches } = this.network;
    const ownValue = (k: number): number => {
      const { element } = branches[k];
      if (element.kind === 'capacitor') return element.v0;
      return element.kind === 'inductor' ? element.i0 : 0;
    };
    const valueOf = (k: number): LinearForm =>
      branches[k].element.kind === 'capacitor' ? forms.voltages[k] : forms.currents[k];
    // What a source in time holds has no value here, and is not one of the states.
    const shared = this.#dependent.filter((k) =>
      [...valueOf(k).keys()].every((input) => ['one', 'state'].includes(this.#inputs[input].kind)),
    );
    if (shared.length === 0) return [];
    /** C (v − v₀), or Σ L (i − i₀) */
    const stored = (k: number): LinearForm => {
      const { element } = branches[k];
      const change = (one: number): LinearForm =>
        combine([valueOf(one), 1], [constantForm(ownValue(one)), -1]);
      if (element.kind === 'capacitor') return combine([change(k), element.C]);
      if (element.kind !== 'inductor') throw new Error('only capacitors and inductors store');
      const sum = combine([change(k), element.L]);
      for (const [other, M] of this.mutual.get(k) ?? []) addForm(sum, change(other), M);
      return sum;
    };
    const by = new Map(shared.map((k) => [this.#input(k), stored(k)]));
    const solved = solveForms({
      unknowns: this.#states.map(({ branch }) => this.#input(branch)),
      equations: this.#states.map(({ branch }) => {
        const port =
          branches[branch].element.kind === 'capacitor' ? forms.currents[branch] : forms.voltages[branch];
        const sum = stored(branch);
        for (const [input, form] of by) addForm(sum, form, -(port.get(input) ?? 0));
        return sum;
      }),
    });
    if (!solved.ok) return [];
    const moved: { branch: number; from: number; to: number }[] = [];
    const note = (branch: number, from: number, to: number): number => {
      if (Math.abs(to - from) <= SAME * Math.max(Math.abs(to), Math.abs(from))) return from;
      moved.push({ branch, from, to });
      return to;
    };
    const start = new Map<number, number>();
    this.#states.forEach((state) => {
      const value = constantOf(solved.values.get(this.#input(state.branch)) ?? new Map());
      state.initial = note(state.branch, state.initial, value);
      start.set(this.#input(state.branch), state.initial);
    });
    for (const k of shared) {
      const value = [...valueOf(k)].reduce(
        (sum, [input, factor]) => sum + factor * (start.get(input) ?? 1),
        0,
      );
      note(k, ownValue(k), value);
    }
    return moved;
  }

  /** The dependent elements that hand the rate of a source on to a state. */
  #openLoops(rate: LinearForm, first: number, state: number): number[] {
    const open = [...rate.keys()].filter((input) => input >= first);
    const by = open.flatMap((input) => {
      const own = this.#inputs[input - first];
      return own.kind === 'source' ? [own.index] : [];
    });
    const sources = this.network.branches.flatMap((_, k) => {
      const input = this.#inputOf.get(k);
      const own = input === undefined ? undefined : this.#inputs[input];
      return own?.kind === 'source' && by.includes(own.index) ? [k] : [];
    });
    return [this.#states[state].branch, ...this.#dependent, ...sources];
  }

  #outputOf(branch: number, isVoltage: boolean, forms: BranchForms): LinearForm {
    const { element } = this.network.branches[branch];
    const voltage = forms.voltages[branch];
    const current = forms.currents[branch];
    if (element.kind === 'relay') return combine([this.#sum(element.input, forms), -1]);
    if (element.kind === 'characteristic') return isVoltage ? current : voltage;
    return isVoltage ? current : combine([voltage, -1]);
  }
}

/** A sum of terms as a form; a winding beside an inductor adds its current. */
export function sumOf(
  { branches }: Network,
  { voltages, currents }: BranchForms,
  terms: readonly { branch: number; of: 'v' | 'i'; factor: number }[],
): LinearForm {
  const sum: LinearForm = new Map();
  for (const { branch, of, factor } of terms) {
    addForm(sum, of === 'v' ? voltages[branch] : currents[branch], factor);
    const { winding } = branches[branch];
    if (of === 'i' && winding !== undefined) addForm(sum, currents[winding], factor);
  }
  return sum;
}

const replaced = (forms: BranchForms, by: ReadonlyMap<number, LinearForm>): BranchForms =>
  by.size === 0
    ? forms
    : {
        voltages: forms.voltages.map((form) => substitute(form, by)),
        currents: forms.currents.map((form) => substitute(form, by)),
        potentials: forms.potentials.map((form) => substitute(form, by)),
      };
