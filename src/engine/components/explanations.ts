/** Structural defects of a network in the words of its drawing, at the components that they are about. */
import type { ComponentDocument, Mend, WireDocument } from '../document/types';
import type { Term } from '../model/components/circuit';
import type { MechanicalDomain } from '../model/components/mechanical/domains';
import { GROUND, listed, type Network } from './network';
import type { Mender } from './mends';
import type { Orientation } from './orientation';
import type { NetworkDefect } from './reduction';
import type { Report } from './result';
import { signalLoop } from './signal-wires';

/** What is recorded of a wire between flanges. */
export interface WireMotion {
  readonly domain: MechanicalDomain;
  readonly velocity: readonly Term[];
  /** null where nothing says where it begins */
  readonly position: readonly Term[] | null;
}

export interface Named {
  readonly network: Network;
  readonly components: readonly ComponentDocument[];
  readonly wires: readonly WireDocument[];
  /** ids by which each wire is known */
  readonly wireIds: readonly (readonly string[])[];
  /** null of wires of mechanisms */
  readonly nodeOfWire: readonly (number | null)[];
  readonly mender: Mender;
  /** of wires between flanges that the network moves */
  readonly motionOf?: (wire: number) => WireMotion | null;
  /** whether a wire carries a signal */
  readonly isSignal: (wire: number) => boolean;
}

export function explain(
  defect: NetworkDefect,
  { network, components, wires, nodeOfWire, mender }: Named,
  report: Report,
): void {
  const owner = (branch: number): number => network.branches[branch].component;
  const kindOf = (branch: number): string => network.branches[branch].element.kind;
  const name = (branch: number): string => components[owner(branch)].id;
  const at = (branch: number, code: string, message: string, remedy: string, mends: Mend[]): void => {
    report('error', `/components/${owner(branch)}`, name(branch), code, message, remedy, mends);
  };
  /** the node that a pin of a component is at; undefined where it is at no wire */
  const nodeOf = (end: string): number | undefined => {
    const wire = wires.findIndex(({ ends }) => ends.includes(end));
    return wire < 0 ? undefined : (nodeOfWire[wire] ?? undefined);
  };
  const series = (branch: number): Mend[] => {
    const { a, b } = network.branches[branch];
    const ends = mender.ends(name(branch));
    const at = [a, b].flatMap((node) => ends.find((end) => nodeOf(end) === node) ?? []);
    return mender.series(at[0] ?? ends.find((end) => nodeOf(end) !== undefined));
  };
  /** grounds by which branches are a loop: those at nodes where it would end otherwise */
  const groundsIn = (branches: readonly number[]): string[] => {
    const often = new Map<number, number>();
    for (const k of branches) {
      const { a, b } = network.branches[k];
      for (const node of [a, b]) often.set(node, (often.get(node) ?? 0) + 1);
    }
    return [...often].flatMap(([node, count]) =>
      count % 2 === 0
        ? []
        : components.flatMap(({ id, type }) => (type === 'Ground' && nodeOf(`${id}.p`) === node ? id : [])),
    );
  };
  /** the first two of those that differ */
  const some = (branches: readonly number[], mend: (branch: number) => Mend[]): Mend[] => {
    const seen = new Set<number>();
    const first = branches.filter((k) => seen.size < seen.add(owner(k)).size);
    return first.slice(0, 2).flatMap(mend);
  };
  switch (defect.kind) {
    case 'loop': {
      const [first] = defect.branches;
      const names = defect.branches.map(name);
      const hasSource = defect.branches.some((k) => kindOf(k) !== 'wire');
      const isAlone = new Set(defect.branches.map(owner)).size === 1;
      const grounds = groundsIn(defect.branches);
      if (isAlone && hasSource && grounds.length > 1) {
        const last = grounds[grounds.length - 1];
        at(
          first,
          'short-circuit',
          `“${name(first)}” is short-circuited by the grounds ${listed(grounds)}: all grounds are one node.`,
          `Remove “${last}”, or one of the others.`,
          [...grounds].reverse().flatMap((id) => mender.remove(id)),
        );
        return;
      }
      if (isAlone && hasSource)
        at(
          first,
          'short-circuit',
          `“${name(first)}” is short-circuited: a wire joins its ends.`,
          'Take the wire away, or put a resistor in it.',
          [...series(first), ...mender.remove(name(first))],
        );
      else if (hasSource)
        at(
          first,
          'voltage-loop',
          `${listed(names)} close a loop of given voltages: nothing limits the current in it.`,
          `Put a resistor in series with “${name(first)}”.`,
          [...some(defect.branches, series), ...mender.remove(name(first))],
        );
      else
        at(
          first,
          'wire-loop',
          `${listed(names)} close a loop of wires: nothing says how the current is shared.`,
          `Remove “${name(first)}”, or give it a resistance.`,
          [...series(first), ...mender.remove(name(first))],
        );
      return;
    }
    case 'cut': {
      const [first] = defect.branches;
      at(
        first,
        'current-cut',
        `${listed(defect.branches.map(name))} alone lead${defect.branches.length === 1 ? 's' : ''} to a part of the circuit: its current has no way back.`,
        `Draw a way back for the current, or put a resistor beside “${name(first)}”.`,
        [...mender.beside(name(first)), ...mender.remove(name(first))],
      );
      return;
    }
    case 'controlled': {
      const [first] = defect.branches;
      const loop = defect.branches.map((k) => signalLoop(network, k)).find(({ length }) => length > 0);
      if (loop !== undefined) {
        at(
          loop[0],
          'algebraic-loop',
          `${listed(loop.map(name))} make a loop of signals that nothing gives a value: each asks for the others at the same instant.`,
          'Put an integrator or a transfer function into the loop, or change a gain of it.',
          mender.remove(name(loop[0])),
        );
        return;
      }
      at(
        first,
        'no-unique-solution',
        `Nothing determines ${kindOf(first) === 'nullor' ? 'the output' : 'the value'} of ${listed(defect.branches.map(name))}.`,
        kindOf(first) === 'nullor'
          ? 'Give it a feedback to its minus input, or limits of its output.'
          : 'Look at what controls it: the sources control each other in a circle.',
        kindOf(first) === 'nullor'
          ? mender.set(name(first), { lower: -15, upper: 15 }, 'Limit its output to ±15 V')
          : some(defect.branches, (k) => mender.remove(name(k))),
      );
      return;
    }
    case 'potential': {
      const wire = nodeOfWire.findIndex((node) => node !== null && network.earth.find(node) === defect.node);
      const id = wire < 0 ? '' : wires[wire].id;
      const place = wire < 0 ? '/components' : `/wires/${wire}`;
      report(
        'error',
        place,
        id,
        'open-potential',
        `Resistances cancel at ${id === '' ? 'a node' : `“${id}”`}: its voltage has no value.`,
        'Change one of the resistors there.',
        wire < 0 ? [] : mender.leak(wires[wire].ends[0]),
      );
      return;
    }
    case 'dependent': {
      const [first] = defect.branches;
      const isLoop = kindOf(first) !== 'inductor';
      const stores = defect.branches.filter((k) => kindOf(k) === kindOf(first));
      const others = defect.branches.filter((k) => kindOf(k) !== kindOf(first)).map(name);
      const [own, by] = [listed(stores.map(name)), others.length === 0 ? 'a source' : listed(others)];
      const are = new Set(stores.map(name)).size === 1 ? 'is' : 'are';
      const when = {
        source: 'and infinite wherever that jumps',
        law: 'and infinite when it switches',
        state: 'which the circuit does not give',
      }[defect.by];
      at(
        first,
        isLoop ? 'capacitor-loop' : 'inductor-cut',
        isLoop
          ? `${own} ${are} in a loop with ${by} without a resistance: the current is the capacitance times the slope of a given voltage, ${when}.`
          : `${own} ${are} in series with ${by} alone: the voltage is the inductance times the slope of a given current, ${when}.`,
        isLoop
          ? `Put a small resistor in series with “${name(first)}”.`
          : `Put a large resistor beside “${name(first)}”.`,
        some(stores, isLoop ? series : (k) => mender.beside(name(k))),
      );
      return;
    }
    case 'coupling': {
      const branches = defect.branches.filter((k) => k >= 0);
      const [first] = branches;
      at(
        first,
        'singular-coupling',
        `${listed(branches.map(name))} store no energy in some of their currents: no windings have such couplings.`,
        'Choose smaller couplings, or couple all of them by one component with 1.',
        components
          .filter(
            ({ type, inductors }) =>
              type === 'Coupling' &&
              Array.isArray(inductors) &&
              branches.some((k) => (inductors as string[]).includes(name(k))),
          )
          .flatMap(({ id }) => mender.remove(id)),
      );
    }
  }
}

/**
 * Parts of the drawing that no branch joins with ground, and voltages between such parts, which have no
 * value.
 * @returns whether there are such voltages
 */
export function reportIslands(
  { islands }: Orientation,
  { network, components, wires, nodeOfWire, mender }: Named,
  report: Report,
): boolean {
  let isFloating = false;
  const ground = islands.find(GROUND);
  const members = new Map<number, number[]>();
  network.branches.forEach(({ a, b, element, component }) => {
    const island = islands.find(a);
    if (element.kind === 'open') {
      if (island === islands.find(b)) return;
      isFloating = true;
      const { id } = components[component];
      report(
        'error',
        `/components/${component}`,
        id,
        'floating',
        `“${id}” is between parts of the circuit that nothing joins: the voltage there has no value.`,
        'Draw a wire between them, or give each part a ground.',
        mender.ground(
          mender.ends(id).find((end) => {
            const wire = wires.findIndex(({ ends }) => ends.includes(end));
            const node = wire < 0 ? null : nodeOfWire[wire];
            return node !== null && islands.find(node) !== ground;
          }),
        ),
      );
      return;
    }
    if (island !== ground) members.set(island, [...(members.get(island) ?? []), component]);
  });
  for (const own of members.values()) {
    const ids = own.map((component) => components[component].id);
    report(
      'warning',
      `/components/${own[0]}`,
      ids[0],
      'no-ground',
      `${listed(ids)} ${new Set(ids).size === 1 ? 'has' : 'have'} no ground: node voltages there are measured from one of their nodes.`,
      'Add a ground where they are to be measured from.',
      mender.groundOf(ids),
    );
  }
  return isFloating;
}

/** Initial values that contradict each other, with those that the circuit begins with. */
export function reportStart(
  moved: readonly { readonly branch: number; readonly from: number; readonly to: number }[],
  { network, components, mender }: Named,
  report: Report,
): void {
  const FIGURES = 6;
  const idOf = (branch: number): string => components[network.branches[branch].component].id;
  for (const { branch, from, to } of moved) {
    const { component, element } = network.branches[branch];
    const isVoltage = element.kind === 'capacitor';
    const unit = isVoltage ? 'V' : 'A';
    const others = listed(moved.map((one) => idOf(one.branch)));
    const why = moved.length === 1 ? 'a source holds it' : `the values of ${others} contradict each other`;
    report(
      'warning',
      `/components/${component}/${isVoltage ? 'v0' : 'i0'}`,
      idOf(branch),
      'start-shared',
      `“${idOf(branch)}” begins at ${Number(to.toPrecision(FIGURES))} ${unit} and not at ${Number(from.toPrecision(FIGURES))} ${unit}: ${why}, and ${isVoltage ? 'charge' : 'flux'} is shared at once.`,
      'Give initial values that agree, if that is not meant.',
      mender.set(
        idOf(branch),
        { [isVoltage ? 'v0' : 'i0']: to },
        `Begin at ${Number(to.toPrecision(FIGURES))} ${unit}`,
      ),
    );
  }
}
