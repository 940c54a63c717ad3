/**
 * Which branches of a network have a given voltage and which a given current, as seen by the resistors
 * between them: a proper tree (Bryant 1959; Chua, Desoer and Kuh 1987, §12). Voltages are given in sources of
 * voltage, capacitors, and those non-smooth elements and inductors that alone join two parts of the network;
 * currents in all others. So voltages never close a loop, and currents never cut a part off, wherever the
 * network is sound.
 */
import { GROUND, type Network, type NetworkBranch, Unions } from './network';

/** Something that keeps a network from having a solution. */
export interface StructuralDefect {
  readonly kind: 'loop' | 'cut';
  /** branches of the loop, or those that lead to the part that is cut off */
  readonly branches: readonly number[];
}

export interface Orientation {
  /** 1 for branches with a given voltage, 0 for those with a given current and for resistors */
  readonly isVoltage: Uint8Array;
  /** nodes that hang together by anything but open branches */
  readonly islands: Unions;
  /** nodes whose voltages against each other are given */
  readonly supernodes: Unions;
  readonly defects: readonly StructuralDefect[];
}

/** Kinds in the order in which they take part in the tree. */
const VOLTAGES = new Set(['wire', 'voltage', 'controlledVoltage', 'nullor', 'relay']);
const LAWS = ['switch', 'diode', 'characteristic', 'thyristor'] as const;
const CURRENTS = new Set(['current', 'controlledCurrent']);

export function orient(network: Network): Orientation {
  /** by core, the winding whose current is given */
  const chosen = new Array<number>(network.cores).fill(0);
  const count = windingCounts(network);
  let best = attempt(network, chosen);
  let least = costOf(best, network);
  // Another winding of a core may be the one whose current is given, where the first leads to a defect or
  // gives inductors a current that follows from others.
  for (let core = 0; core < count.length && least > 0; core++) {
    const before = chosen[core];
    let own = before;
    for (let winding = 0; winding < count[core] && least > 0; winding++) {
      chosen[core] = winding;
      const next = winding === before ? best : attempt(network, chosen);
      const cost = costOf(next, network);
      if (cost < least) [best, least, own] = [next, cost, winding];
    }
    chosen[core] = own;
  }
  return best;
}

/** Defects, and inductors whose currents follow from others: defects come first. */
const costOf = ({ defects, isVoltage }: Orientation, { branches }: Network): number =>
  defects.length * branches.length +
  branches.filter(({ element }, k) => element.kind === 'inductor' && isVoltage[k] === 1).length;

function windingCounts({ branches, cores }: Network): number[] {
  const count = new Array<number>(cores).fill(0);
  for (const { element } of branches) if (element.kind === 'winding') count[element.core]++;
  return count;
}

function attempt(network: Network, chosen: readonly number[]): Orientation {
  const { branches, earth, nodes } = network;
  const isVoltage = new Uint8Array(branches.length);
  const supernodes = new Unions(nodes);
  const joined = new Unions(nodes);
  const islands = new Unions(nodes);
  const defects: StructuralDefect[] = [];
  for (let node = 0; node < nodes; node++)
    for (const unions of [supernodes, joined, islands]) unions.join(node, earth.find(node));
  branches.forEach(({ a, b, element }) => {
    if (element.kind !== 'open') islands.join(a, b);
  });
  const isKind = (kinds: { has(kind: string): boolean }): number[] =>
    branches.flatMap(({ element }, k) => (kinds.has(element.kind) ? [k] : []));
  const take = (branch: number): boolean => {
    const { a, b } = branches[branch];
    if (!supernodes.join(a, b)) return false;
    isVoltage[branch] = 1;
    joined.join(a, b);
    return true;
  };
  const loopOf = (branch: number): StructuralDefect => ({
    kind: 'loop',
    branches: [branch, ...pathBetween(branches, isVoltage, network, branch)],
  });
  for (const k of isKind(VOLTAGES)) if (!take(k)) defects.push(loopOf(k));
  // A capacitor in a loop of voltages follows from them.
  for (const k of isKind(new Set(['capacitor']))) take(k);
  const windings = new Array<number>(network.cores).fill(0);
  for (const k of isKind(new Set(['winding']))) {
    const { element } = branches[k];
    if (element.kind !== 'winding') continue;
    const isCurrent = windings[element.core]++ === chosen[element.core];
    if (!isCurrent && !take(k)) defects.push(loopOf(k));
  }
  for (const k of isKind(new Set(['resistor']))) joined.join(branches[k].a, branches[k].b);
  const takeWhereApart = (k: number): void => {
    if (joined.find(branches[k].a) !== joined.find(branches[k].b)) take(k);
  };
  for (const kind of LAWS) for (const k of isKind(new Set([kind]))) takeWhereApart(k);
  for (const k of isKind(new Set(['inductor']))) takeWhereApart(k);
  const cut = [...isKind(CURRENTS), ...isKind(new Set(['winding'])).filter((k) => isVoltage[k] === 0)].filter(
    (k) => joined.find(branches[k].a) !== joined.find(branches[k].b),
  );
  const parts = new Map<number, number[]>();
  for (const k of cut) {
    const [first, second] = [joined.find(branches[k].a), joined.find(branches[k].b)];
    // The part without ground is the one that is cut off.
    const part = joined.find(GROUND) === first ? second : first;
    parts.set(part, [...(parts.get(part) ?? []), k]);
  }
  for (const own of parts.values()) defects.push({ kind: 'cut', branches: own });
  return { isVoltage, islands, supernodes, defects };
}

/** Branches of given voltage between the ends of a branch. */
function pathBetween(
  branches: readonly NetworkBranch[],
  isVoltage: Uint8Array,
  { earth }: Network,
  branch: number,
): number[] {
  const neighbours = new Map<number, { readonly to: number; readonly by: number }[]>();
  const link = (from: number, to: number, by: number): void => {
    const list = neighbours.get(from) ?? [];
    list.push({ to, by });
    neighbours.set(from, list);
  };
  branches.forEach(({ a, b }, k) => {
    if (isVoltage[k] === 0) return;
    link(earth.find(a), earth.find(b), k);
    link(earth.find(b), earth.find(a), k);
  });
  const from = earth.find(branches[branch].a);
  const goal = earth.find(branches[branch].b);
  const came = new Map<number, { readonly at: number; readonly by: number }>([[from, { at: from, by: -1 }]]);
  const queue = [from];
  for (const at of queue) {
    if (at === goal) break;
    for (const { to, by } of neighbours.get(at) ?? []) {
      if (came.has(to)) continue;
      came.set(to, { at, by });
      queue.push(to);
    }
  }
  const path: number[] = [];
  for (let step = came.get(goal); step !== undefined && step.by >= 0; step = came.get(step.at))
    path.push(step.by);
  return path;
}
