/**
 * From a mechanism to equations of motion: coordinates that move freely, what the others are by them, and
 *
 *     M q̈ + C q̇ + K q = f(t),
 *
 * by the principle of virtual work: a part with the elongation s(q, t) pulls each coordinate with
 * −(k s + preload) ∂s/∂q. Flanges that gears join are multiples of one. Those without mass on which nothing
 * but springs and forces acts are where these balance, and follow from the others; their virtual work is
 * zero, so that the same formula holds with what they follow from put in.
 */
import { rateText } from '../../document/rates';
import type { Combination, Flange } from '../../model/components/mechanism';
import {
  addForm,
  combine,
  constantForm,
  inputForm,
  type LinearForm,
  ONE,
  solveForms,
  substitute,
} from '../linear-form';
import type { Waveform } from '../network';
import type { Assembly, DrivenValue, Motion } from './assembly';

/** What an input of the forms is. */
type MechanismInput =
  | { readonly kind: 'one' }
  | { readonly kind: 'position' | 'velocity'; readonly coordinate: number }
  /** an expression of time */
  | { readonly kind: 'source'; readonly waveform: Waveform }
  | { readonly kind: 'multiplier'; readonly law: number; readonly row: number }
  /** of a flange without mass */
  | { readonly kind: 'unknown'; readonly root: Flange };

/** Coordinates of flanges that ties join are factors of that of a root. */
export class Ties {
  readonly #parent: number[];
  readonly #factor: number[];
  /** roots that a loop of ties holds at zero, with the tie that closes it */
  readonly locked = new Map<Flange, number>();

  constructor(count: number) {
    this.#parent = Array.from({ length: count }, (_, k) => k);
    this.#factor = new Array<number>(count).fill(1);
  }

  /** x = factor · x_root */
  find(flange: Flange): { readonly root: Flange; readonly factor: number } {
    let root = flange;
    let factor = 1;
    while (this.#parent[root] !== root) {
      factor *= this.#factor[root];
      root = this.#parent[root];
    }
    return { root, factor };
  }

  /** x_a = ratio x_b */
  join(a: Flange, b: Flange, ratio: number, tie: number): void {
    const [first, second] = [this.find(a), this.find(b)];
    if (first.root === second.root) {
      const off = first.factor - ratio * second.factor;
      if (Math.abs(off) > 1e-12 * Math.abs(first.factor)) this.locked.set(first.root, tie);
      return;
    }
    // The lower one stays, so that numbering does not depend on gears.
    const isFirst = first.root < second.root;
    const [kept, gone] = isFirst ? [first, second] : [second, first];
    this.#parent[gone.root] = kept.root;
    this.#factor[gone.root] = isFirst
      ? first.factor / (ratio * second.factor)
      : (ratio * second.factor) / first.factor;
  }
}

/** What is wrong, at components by their places. */
export type MechanismDefect =
  | { readonly kind: 'locked'; readonly component: number }
  | { readonly kind: 'motions'; readonly components: readonly [number, number] }
  | { readonly kind: 'start'; readonly of: 'position' | 'velocity'; readonly components: readonly number[] }
  /** something acts on a flange that has no mass */
  | { readonly kind: 'massless'; readonly flange: Flange; readonly components: readonly number[] }
  /** a law that a mechanism does not have where a network moves it */
  | { readonly kind: 'undriven'; readonly component: number }
  /** a gap that is below zero at the start, by its size */
  | { readonly kind: 'overlap'; readonly component: number; readonly size: number }
  /** a stop with a restitution, and what may hold the same mass at the instant of an impact */
  | { readonly kind: 'impacts'; readonly components: readonly [number, number] }
  /** all that a law is between is given */
  | { readonly kind: 'idle'; readonly component: number };

export interface Coordinate {
  readonly mass: number;
  readonly position: number;
  readonly velocity: number;
}

export interface ReducedMechanism {
  readonly inputs: readonly MechanismInput[];
  readonly coordinates: readonly Coordinate[];
  /** of v and of q in the equations of motion, by pairs of coordinates */
  readonly damping: readonly LinearForm[];
  readonly stiffness: readonly LinearForm[];
  /** f(t): of constants and sources */
  readonly force: readonly LinearForm[];
  position(of: Combination): LinearForm;
  /** null where a flange without mass follows from sources or others whose rate nothing gives */
  velocity(of: Combination): LinearForm | null;
  /** of a source */
  source(value: DrivenValue): LinearForm;
  multiplier(law: number, row: number): LinearForm;
}

type MechanismReduction =
  | { readonly ok: true; readonly reduced: ReducedMechanism }
  | { readonly ok: false; readonly defects: readonly MechanismDefect[] };

/** Inputs of forms, each once. */
class Inputs {
  readonly list: MechanismInput[] = [{ kind: 'one' }];
  readonly #known = new Map<string, number>();

  of(key: string, input: MechanismInput): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.list.length);
    return this.list.push(input) - 1;
  }

  source(value: DrivenValue): LinearForm {
    if (typeof value === 'number') return constantForm(value);
    if ('node' in value) throw new Error('what a signal drives is part of the network');
    return inputForm(this.of(`source ${value.text}`, { kind: 'source', waveform: value }));
  }
}

const rateOf = ({ text, pointer }: Waveform): number | Waveform => {
  const rate = rateText(text);
  return rate === '0' ? 0 : { text: rate, pointer };
};

export function reduceMechanism(assembly: Assembly): MechanismReduction {
  const defects: MechanismDefect[] = [];
  const { motions, springs, dampers, forces, laws } = assembly;
  const ties = new Ties(assembly.flanges);
  assembly.ties.forEach(({ a, b, ratio }, tie) => ties.join(a, b, ratio, tie));
  for (const tie of ties.locked.values())
    defects.push({ kind: 'locked', component: assembly.ties[tie].component });

  const inputs = new Inputs();
  const given = new Map<Flange, LinearForm>();
  const giver = new Map<Flange, Motion>();
  for (const motion of motions) {
    const { root, factor } = ties.find(motion.at);
    const form = combine([inputs.source(motion.value), 1 / factor]);
    const other = giver.get(root);
    if (other !== undefined && !isSame(given.get(root), form))
      defects.push({ kind: 'motions', components: [other.component, motion.component] });
    giver.set(root, motion);
    given.set(root, form);
  }

  const { coordinates, placeOf } = readCoordinates(assembly, ties, given, defects);
  const unknowns = new Map<number, Flange>();
  const rootPosition = (root: Flange): LinearForm => {
    const own = given.get(root);
    if (own !== undefined) return own;
    const coordinate = placeOf.get(root);
    if (coordinate !== undefined)
      return inputForm(inputs.of(`q ${coordinate}`, { kind: 'position', coordinate }));
    const unknown = inputs.of(`x ${root}`, { kind: 'unknown', root });
    unknowns.set(unknown, root);
    return inputForm(unknown);
  };
  const raw = ({ terms, offset }: Combination): LinearForm => {
    const form = constantForm(offset);
    for (const { flange, factor } of terms) {
      const tie = ties.find(flange);
      addForm(form, rootPosition(tie.root), factor * tie.factor);
    }
    return form;
  };

  // What balances at flanges without mass.
  const balance = new Map<number, LinearForm>();
  const acting = new Map<number, Set<number>>();
  const act = (form: LinearForm, component: number): number[] => {
    const touched = [...form.keys()].filter((input) => unknowns.has(input));
    for (const input of touched) acting.set(input, (acting.get(input) ?? new Set()).add(component));
    return touched;
  };
  for (const { of, stiffness, preload, component } of springs) {
    const s = raw(of);
    for (const input of act(s, component)) {
      const pull = balance.get(input) ?? new Map<number, number>();
      addForm(pull, combine([s, stiffness], [constantForm(preload), 1]), s.get(input) ?? 0);
      balance.set(input, pull);
    }
  }
  for (const { at, value, component } of forces) {
    const x = raw({ terms: [{ flange: at, factor: 1 }], offset: 0 });
    for (const input of act(x, component)) {
      const pull = balance.get(input) ?? new Map<number, number>();
      addForm(pull, inputs.source(value), -(x.get(input) ?? 0));
      balance.set(input, pull);
    }
  }
  const massless = (form: LinearForm, component: number): void => {
    const [input] = act(form, component);
    const root = unknowns.get(input);
    if (root !== undefined) defects.push({ kind: 'massless', flange: root, components: [component] });
  };
  for (const { of, damping, component } of dampers) if (damping !== 0) massless(raw(of), component);
  for (const { rows, component } of laws) for (const row of rows) massless(raw(row), component);
  if (defects.length > 0) return { ok: false, defects };
  const loose = [...acting.keys()];
  const solution = solveForms({
    unknowns: loose,
    equations: loose.map((input) => balance.get(input) ?? new Map<number, number>()),
  });
  if (!solution.ok) {
    const [input] = solution.open;
    const components = [...(acting.get(input) ?? [])];
    return { ok: false, defects: [{ kind: 'massless', flange: unknowns.get(input) ?? 0, components }] };
  }
  const position = (of: Combination): LinearForm => substitute(raw(of), solution.values);
  const velocity = (of: Combination): LinearForm | null => {
    const form: LinearForm = new Map();
    for (const [input, factor] of position(of)) {
      const own = inputs.list[input];
      if (own.kind === 'position') {
        const { coordinate } = own;
        addForm(form, inputForm(inputs.of(`v ${coordinate}`, { kind: 'velocity', coordinate })), factor);
      } else if (own.kind === 'source') addForm(form, inputs.source(rateOf(own.waveform)), factor);
      else if (own.kind === 'unknown') return null;
    }
    return form;
  };

  const n = coordinates.length;
  const empty = (): LinearForm[] => Array.from({ length: n }, () => new Map<number, number>());
  const stiffness = empty();
  const damping = empty();
  const force = empty();
  /** What pulls the coordinates that a form contains. */
  const pull = (of: Combination, tension: LinearForm, matrices: LinearForm[]): void => {
    for (const [input, factor] of position(of)) {
      const own = inputs.list[input];
      if (own.kind !== 'position') continue;
      for (const [other, value] of tension) {
        const part = inputs.list[other];
        const isState = part.kind === 'position' || part.kind === 'velocity';
        if (isState) addForm(matrices[own.coordinate], inputForm(part.coordinate), factor * value);
        else addForm(force[own.coordinate], inputForm(other), -factor * value);
      }
    }
  };
  for (const { of, stiffness: k, preload } of springs)
    pull(of, combine([position(of), k], [constantForm(preload), 1]), stiffness);
  for (const { of, damping: c } of dampers) pull(of, combine([velocity(of) ?? new Map(), c]), damping);
  for (const { at, value } of forces)
    pull({ terms: [{ flange: at, factor: 1 }], offset: 0 }, combine([inputs.source(value), -1]), []);
  for (const { rows, component } of laws)
    for (const row of rows)
      if (![...position(row).keys()].some((input) => inputs.list[input].kind === 'position'))
        defects.push({ kind: 'idle', component });
  if (defects.length > 0) return { ok: false, defects };
  const multiplier = (law: number, row: number): LinearForm =>
    inputForm(inputs.of(`law ${law} ${row}`, { kind: 'multiplier', law, row }));
  return {
    ok: true,
    reduced: {
      inputs: inputs.list,
      coordinates,
      ...{ damping, stiffness, force },
      ...{ position, velocity, multiplier },
      source: (value) => inputs.source(value),
    },
  };
}

/** Whether two forms are one constant. */
const isSame = (a: LinearForm | undefined, b: LinearForm): boolean =>
  a !== undefined &&
  [...a.keys(), ...b.keys()].every((input) => input === ONE) &&
  (a.get(ONE) ?? 0) === (b.get(ONE) ?? 0);

/** Coordinates of what has mass and moves freely, with where they start. */
export function readCoordinates(
  { masses }: Assembly,
  ties: Ties,
  given: ReadonlyMap<Flange, unknown>,
  defects: MechanismDefect[],
): { coordinates: Coordinate[]; placeOf: Map<Flange, number> } {
  const byRoot = new Map<Flange, { mass: number; start: Record<'position' | 'velocity', number | null> }>();
  const owners = new Map<Flange, number[]>();
  for (const { at, mass, start, component } of masses) {
    const { root, factor } = ties.find(at);
    if (given.has(root)) continue;
    const own = byRoot.get(root) ?? { mass: 0, start: { position: null, velocity: null } };
    owners.set(root, [...(owners.get(root) ?? []), component]);
    own.mass += factor * factor * mass;
    for (const of of ['position', 'velocity'] as const) {
      const value = start[of];
      if (value === null) continue;
      const there = value / factor;
      const known = own.start[of];
      if (known !== null && Math.abs(known - there) > 1e-12 * (Math.abs(known) + Math.abs(there)))
        defects.push({ kind: 'start', of, components: owners.get(root) ?? [] });
      own.start[of] ??= there;
    }
    byRoot.set(root, own);
  }
  const roots = [...byRoot.keys()].sort((a, b) => a - b);
  return {
    placeOf: new Map(roots.map((root, k) => [root, k])),
    coordinates: roots.map((root) => {
      const { mass, start } = byRoot.get(root) ?? { mass: 0, start: { position: 0, velocity: 0 } };
      return { mass, position: start.position ?? 0, velocity: start.velocity ?? 0 };
    }),
  };
}
