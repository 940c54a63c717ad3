/**
 * Voltages and currents of a network in which every branch but the resistors has a given voltage or current:
 * nodal analysis of the parts that given voltages hold together. Vlach and Singhal 1994, §1–4.
 *
 * The potential of a node is that of the root of its part and the voltages of the tree of given voltages on
 * the way. With G_kl the conductance between parts k and l, the currents that leave each part add up to
 * nothing,
 *
 *     Σ_l G_kl (E_k − E_l) + (what given voltages drive through resistors) + (given currents) = 0,
 *
 * which is solved for the E_k that are not given by elimination, the part with fewest neighbours first. In
 * large networks a part whose elimination would make long sums is kept: its potential is an unknown of the
 * model, and the equation above one of its rows (docs/adr/0044).
 */
import { addForm, combine, type LinearForm } from './linear-form';
import { GROUND, type Network } from './network';
import type { Orientation } from './orientation';

export interface BranchForms {
  readonly voltages: readonly LinearForm[];
  /** of all branches but `winding`s beside inductors, which have their own */
  readonly currents: readonly LinearForm[];
  /** potential of each node against the reference of its island */
  readonly potentials: readonly LinearForm[];
}

/** Parts up to which all of them are eliminated, and terms of a sum beyond which one of more is kept. */
const MOST_ELIMINATED = 500;
const MOST_TERMS = 24;

/** Conductances that cancel to this part of their largest do not determine a potential. */
const NOTHING = 1e-13;

interface Part {
  /** G_kk where it is eliminated */
  diagonal: number;
  /** what leads to given potentials: G_kk is this and what leads to neighbours */
  given: number;
  largest: number;
  readonly neighbours: Map<number, number>;
  readonly right: LinearForm;
}

/**
 * @param given voltage or current of each branch that is no resistor
 * @param keep the potential of a part, by its node, as an unknown
 * @returns null where negative resistors leave a potential open: its node
 */
export function solveNodes(
  { branches, nodes, earth }: Network,
  { isVoltage, islands, supernodes }: Orientation,
  given: readonly (LinearForm | null)[],
  keep: (part: number) => LinearForm,
): { readonly ok: true; readonly forms: BranchForms } | { readonly ok: false; readonly node: number } {
  // The tree of given voltages: each node after the one it is reached from.
  const order: number[] = [];
  const cameBy = new Int32Array(nodes).fill(-1);
  const isReached = new Uint8Array(nodes);
  const incident: number[][] = Array.from({ length: nodes }, () => []);
  branches.forEach(({ a, b }, k) => {
    if (isVoltage[k] === 0) return;
    incident[earth.find(a)].push(k);
    incident[earth.find(b)].push(k);
  });
  const ends = branches.map(({ a, b }) => [earth.find(a), earth.find(b)] as const);
  const offset: LinearForm[] = Array.from({ length: nodes }, () => new Map());
  for (let root = 0; root < nodes; root++) {
    if (earth.find(root) !== root || supernodes.find(root) !== root) continue;
    isReached[root] = 1;
    order.push(root);
    for (let at = order.length - 1; at < order.length; at++) {
      const node = order[at];
      for (const k of incident[node]) {
        const [a, b] = ends[k];
        const to = a === node ? b : a;
        if (isReached[to] === 1) continue;
        isReached[to] = 1;
        cameBy[to] = k;
        offset[to] = combine([offset[node], 1], [given[k] ?? new Map(), to === b ? -1 : 1]);
        order.push(to);
      }
    }
  }

  // Parts whose potential is not given: all but the one with the reference of the island.
  const parts = new Map<number, Part>();
  const reference = new Set<number>([supernodes.find(GROUND)]);
  for (let node = 0; node < nodes; node++) {
    const root = supernodes.find(node);
    if (islands.find(node) !== islands.find(GROUND)) reference.add(supernodes.find(islands.find(node)));
    if (!reference.has(root) && !parts.has(root))
      parts.set(root, { diagonal: 0, given: 0, largest: 0, neighbours: new Map(), right: new Map() });
  }
  branches.forEach(({ element }, k) => {
    const [a, b] = ends[k];
    const [first, second] = [supernodes.find(a), supernodes.find(b)];
    if (first === second || isVoltage[k] === 1) return;
    const [p, q] = [parts.get(first), parts.get(second)];
    if (element.kind === 'resistor') {
      const g = 1 / element.R;
      for (const [own, other, sign] of [
        [p, second, 1],
        [q, first, -1],
      ] as const) {
        if (own === undefined) continue;
        own.largest = Math.max(own.largest, Math.abs(g));
        if (parts.has(other)) own.neighbours.set(other, (own.neighbours.get(other) ?? 0) - g);
        else own.given += g;
        addForm(own.right, offset[a], -sign * g);
        addForm(own.right, offset[b], sign * g);
      }
      return;
    }
    const current = given[k] ?? new Map<number, number>();
    if (p !== undefined) addForm(p.right, current, -1);
    if (q !== undefined) addForm(q.right, current, 1);
  });
  const roots = eliminate(parts, keep);
  if (!roots.ok) return roots;

  const none: LinearForm = new Map();
  const potentials = Array.from({ length: nodes }, (_, node) => {
    const own = earth.find(node);
    return combine([roots.values.get(supernodes.find(own)) ?? none, 1], [offset[own], 1]);
  });
  const voltages = branches.map((_, k) =>
    isVoltage[k] === 1 && given[k] !== null
      ? given[k]
      : combine([potentials[ends[k][0]], 1], [potentials[ends[k][1]], -1]),
  );
  const currents: LinearForm[] = branches.map(({ element }, k) => {
    if (element.kind === 'resistor') return combine([voltages[k], 1 / element.R]);
    return isVoltage[k] === 1 ? new Map() : (given[k] ?? new Map());
  });
  // Kirchhoff's law gives the currents of the tree, from its leaves to its roots.
  const leaving: LinearForm[] = Array.from({ length: nodes }, () => new Map());
  branches.forEach((_, k) => {
    if (isVoltage[k] === 1) return;
    addForm(leaving[ends[k][0]], currents[k], 1);
    addForm(leaving[ends[k][1]], currents[k], -1);
  });
  for (let at = order.length - 1; at >= 0; at--) {
    const node = order[at];
    const k = cameBy[node];
    if (k < 0) continue;
    const [a, b] = ends[k];
    // What leaves the node otherwise comes through the branch it is reached by.
    currents[k] = combine([leaving[node], node === b ? 1 : -1]);
    addForm(leaving[node === b ? a : b], leaving[node], 1);
  }
  return { ok: true, forms: { voltages, currents, potentials } };
}

/**
 * Solves for the potentials of parts; the matrix is symmetric and sparse. Its diagonal is summed up from what
 * leads away, so that nothing cancels where resistances differ by orders (Grassmann, Taksar and Heyman 1985).
 */
function eliminate(
  parts: Map<number, Part>,
  keep: (part: number) => LinearForm,
): { readonly ok: true; readonly values: Map<number, LinearForm> } | { readonly ok: false; node: number } {
  const degrees = new DegreeQueue(parts);
  const isLarge = parts.size > MOST_ELIMINATED;
  const values = new Map<number, LinearForm>();
  const done: { readonly key: number; readonly part: Part }[] = [];
  for (let key = degrees.next(); key !== null; key = degrees.next()) {
    const part = parts.get(key);
    if (part === undefined) continue;
    for (const g of part.neighbours.values()) part.diagonal -= g;
    part.diagonal += part.given;
    if (!(Math.abs(part.diagonal) > NOTHING * part.largest)) return { ok: false, node: key };
    const others = [...part.neighbours];
    parts.delete(key);
    const longest = others.reduce((most, [i]) => Math.max(most, parts.get(i)?.right.size ?? 0), 0);
    if (isLarge && others.length > 0 && part.right.size + longest > MOST_TERMS) {
      const potential = keep(key);
      values.set(key, potential);
      for (const [i, gi] of others) {
        const own = parts.get(i);
        if (own === undefined) continue;
        own.neighbours.delete(key);
        own.given -= gi;
        addForm(own.right, potential, -gi);
        degrees.note(i, own.neighbours.size);
      }
      continue;
    }
    done.push({ key, part });
    for (const [i, gi] of others) {
      const own = parts.get(i);
      if (own === undefined) continue;
      own.neighbours.delete(key);
      const factor = gi / part.diagonal;
      own.given -= factor * part.given;
      addForm(own.right, part.right, -factor);
      for (const [j, gj] of others)
        if (j !== i) own.neighbours.set(j, (own.neighbours.get(j) ?? 0) - factor * gj);
      degrees.note(i, own.neighbours.size);
    }
  }
  for (const { key, part } of done.reverse()) {
    const sum: LinearForm = new Map();
    addForm(sum, part.right, 1 / part.diagonal);
    for (const [j, g] of part.neighbours) addForm(sum, values.get(j) ?? new Map(), -g / part.diagonal);
    values.set(key, sum);
  }
  return { ok: true, values };
}

/** Parts by their number of neighbours. Entries that are no longer right are passed over. */
class DegreeQueue {
  readonly #buckets: number[][] = [];
  readonly #degree = new Map<number, number>();
  #least = 0;

  constructor(parts: ReadonlyMap<number, Part>) {
    for (const [key, { neighbours }] of parts) this.note(key, neighbours.size);
  }

  note(key: number, degree: number): void {
    this.#degree.set(key, degree);
    while (this.#buckets.length <= degree) this.#buckets.push([]);
    this.#buckets[degree].push(key);
    this.#least = Math.min(this.#least, degree);
  }

  next(): number | null {
    for (; this.#least < this.#buckets.length; this.#least++) {
      const bucket = this.#buckets[this.#least];
      for (let key = bucket.pop(); key !== undefined; key = bucket.pop()) {
        if (this.#degree.get(key) !== this.#least) continue;
        this.#degree.delete(key);
        return key;
      }
    }
    return null;
  }
}
