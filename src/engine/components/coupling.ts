/**
 * Mutual inductance. Inductors that are coupled without leakage, k = ±1, are windings of one core: one of
 * them keeps its inductance, which carries the magnetising current, and the others are ideal windings.
 */
import type { ComponentDocument } from '../document/types';
import { type Coupled, listed, type Network } from './network';
import type { Report } from './result';

/** Reads the couplings of a network: fills `mutual`, and turns cores without leakage into windings. */
export function couple(network: Network, components: readonly ComponentDocument[], report: Report): void {
  const place = new Map(components.map(({ id }, k) => [id, k]));
  const branchOf = new Map<number, number>();
  network.branches.forEach(({ component, element }, k) => {
    if (element.kind === 'inductor') branchOf.set(component, k);
  });
  const inCore = new Map<number, string>();
  const isCoupled = new Set<number>();
  const couplings: { readonly coupled: Coupled; readonly own: readonly number[] }[] = [];
  for (const coupled of network.couplings) {
    const own = branches(coupled, components, { place, branchOf }, report);
    if (own === null) continue;
    const { id } = components[coupled.component];
    const clash = own.find((k) => inCore.has(k) || (Math.abs(coupled.coupling) === 1 && isCoupled.has(k)));
    if (clash !== undefined) {
      report(
        'error',
        `/components/${coupled.component}/coupling`,
        id,
        'core-twice',
        `“${components[network.branches[clash].component].id}” is coupled without leakage and by another coupling, too.`,
        'Couple all windings of a core by one component, or choose a coupling below 1.',
      );
      continue;
    }
    for (const k of own) isCoupled.add(k);
    if (Math.abs(coupled.coupling) === 1) {
      toCore(network, own, coupled.coupling);
      for (const k of own) inCore.set(k, id);
      continue;
    }
    for (const j of own) for (const k of own) if (j !== k) addMutual(network, j, k, coupled.coupling);
    couplings.push({ coupled, own });
  }
  // All couplings of some windings count together.
  for (const { coupled, own } of couplings) {
    if (storesEnergy(network, own[0])) continue;
    const names = own.map((k) => components[network.branches[k].component].id);
    const { id } = components[coupled.component];
    report(
      'error',
      `/components/${coupled.component}/coupling`,
      id,
      'impossible-coupling',
      `With “${id}” some currents of ${listed(names)} would have an energy below zero: no windings are so coupled.`,
      'Choose smaller couplings.',
    );
  }
}

/** Pivots above this part of the inductance count as rounding where they are below zero. */
const ROUNDING = 1e-12;

/** Whether the inductances that hang together with a branch make a positive matrix, by its factorisation. */
function storesEnergy(network: Network, branch: number): boolean {
  const group = [branch];
  for (const j of group)
    for (const k of network.mutual.get(j)?.keys() ?? []) if (!group.includes(k)) group.push(k);
  const L = group.map((j) =>
    group.map((k) => (j === k ? inductanceOf(network, j) : (network.mutual.get(j)?.get(k) ?? 0))),
  );
  for (let p = 0; p < group.length; p++) {
    if (L[p][p] < -ROUNDING * inductanceOf(network, group[p])) return false;
    if (L[p][p] <= ROUNDING * inductanceOf(network, group[p])) continue;
    for (let r = p + 1; r < group.length; r++) {
      const factor = L[r][p] / L[p][p];
      for (let c = p; c < group.length; c++) L[r][c] -= factor * L[p][c];
    }
  }
  return true;
}

const inductanceOf = (network: Network, k: number): number => {
  const { element } = network.branches[k];
  return element.kind === 'inductor' ? element.L : Number.NaN;
};

function addMutual(network: Network, j: number, k: number, coupling: number): void {
  const row = network.mutual.get(j) ?? new Map<number, number>();
  const M = coupling * Math.sqrt(inductanceOf(network, j) * inductanceOf(network, k));
  row.set(k, (row.get(k) ?? 0) + M);
  network.mutual.set(j, row);
}

/** All windings have k = 1 to the first; with k = −1 there are two, against each other. */
function toCore(network: Network, own: readonly number[], coupling: number): void {
  const core = network.cores++;
  const [first, ...others] = own;
  const { a, b, component, element } = network.branches[first];
  if (element.kind !== 'inductor') return;
  let magnetising = element.i0;
  network.branches[first].winding = network.add(component, a, b, { kind: 'winding', core, ratio: 1 });
  for (const k of others) {
    const branch = network.branches[k];
    if (branch.element.kind !== 'inductor') continue;
    const ratio = coupling * Math.sqrt(branch.element.L / element.L);
    magnetising += ratio * branch.element.i0;
    branch.element = { kind: 'winding', core, ratio };
  }
  network.branches[first].element = { ...element, i0: magnetising };
}

/** Branches of the inductors that a coupling names; null after a reported defect. */
function branches(
  { component, inductors, coupling }: Coupled,
  components: readonly ComponentDocument[],
  {
    place,
    branchOf,
  }: { readonly place: ReadonlyMap<string, number>; readonly branchOf: ReadonlyMap<number, number> },
  report: Report,
): number[] | null {
  const { id } = components[component];
  const reject = (code: string, message: string, remedy: string, key = 'inductors'): null => {
    report('error', `/components/${component}/${key}`, id, code, message, remedy);
    return null;
  };
  const known = components.filter((_, k) => branchOf.has(k)).map((one) => one.id);
  const list =
    known.length === 0 ? 'The circuit has none.' : `Inductors are ${known.slice(0, 8).join(', ')}.`;
  if (new Set(inductors).size < 2)
    return reject('too-few', `“${id}” couples fewer than two inductors.`, `Name two or more. ${list}`);
  if (new Set(inductors).size < inductors.length)
    return reject('named-twice', `“${id}” names an inductor twice.`, 'Remove one.');
  if (coupling === -1 && inductors.length > 2)
    return reject(
      'no-core',
      'Three windings cannot all be against each other.',
      'Exchange the ends of inductors, and give 1.',
      'coupling',
    );
  const found = inductors.map((name) => branchOf.get(place.get(name) ?? -1));
  const missing = inductors.find((_, k) => found[k] === undefined);
  if (missing !== undefined)
    return reject(
      'unknown-inductor',
      `There is no inductor “${missing}” to couple.`,
      `Name another. ${list}`,
    );
  return found.flatMap((branch) => (branch === undefined ? [] : [branch]));
}
