/** The branches and nodes that components add to a network, as they say them. */
import { plural } from '../plural';
import type {
  Branch,
  Characteristic,
  Circuit,
  Gate,
  Hysteresis,
  Jump,
  NetworkNode,
  SignalPart,
  SourceValue,
  Term,
  WiredGate,
  Winding,
} from '../model/components/circuit';

/** What makes up a branch. */
export type BranchElement =
  | { readonly kind: 'resistor'; readonly R: number }
  | { readonly kind: 'capacitor'; readonly C: number; readonly v0: number }
  | { readonly kind: 'inductor'; readonly L: number; readonly i0: number }
  | { readonly kind: 'voltage' | 'current'; readonly value: number | Waveform }
  | { readonly kind: 'wire' | 'open' }
  | { readonly kind: 'controlledVoltage' | 'controlledCurrent' | 'nullor'; readonly terms: readonly Term[] }
  | { readonly kind: 'winding'; readonly core: number; readonly ratio: number }
  | {
      readonly kind: 'diode';
      readonly gate: { readonly gate: Gate | WiredGate; readonly isInverse: boolean } | null;
    }
  | { readonly kind: 'switch'; readonly gate: Gate | WiredGate; readonly hysteresis: Hysteresis | null }
  | { readonly kind: 'thyristor'; readonly gate: Gate | WiredGate; readonly isOnAtStart: boolean }
  | { readonly kind: 'characteristic'; readonly curve: Characteristic }
  | {
      readonly kind: 'relay';
      readonly input: readonly Term[];
      readonly lower: number;
      readonly upper: number;
    };

/** An expression of time that a source follows. */
export interface Waveform {
  readonly text: string;
  /** JSON pointer to where it stands */
  readonly pointer: string;
}

export interface NetworkBranch {
  readonly a: NetworkNode;
  readonly b: NetworkNode;
  element: BranchElement;
  /** the component that it belongs to, by its place in the document */
  readonly component: number;
  /** a winding beside it, whose current is part of that of the component */
  winding?: Branch;
}

/** What is recorded of a component. */
export interface Recorded {
  readonly component: number;
  readonly name: string;
  readonly terms: readonly Term[];
  /** the other factor of a product */
  readonly times?: readonly Term[];
}

/** What a signal is beside the voltage of its node. */
export interface NetworkSignal {
  readonly component: number;
  readonly pin: string;
  readonly parts: readonly SignalPart[];
  /** whether it is on or off, and its node has no voltage before somebody reads it as a number */
  readonly isLogic: boolean;
}

/** A number that stays until it jumps. */
export interface Memory {
  readonly start: number | readonly SignalPart[];
  readonly jumps: readonly Jump[];
}

/** Mutual inductance of inductors, by the ids of their components. */
export interface Coupled {
  readonly component: number;
  readonly inductors: readonly string[];
  readonly coupling: number;
}

export const GROUND: NetworkNode = 0;

/** Joins nodes and gives each set the least of its numbers. */
export class Unions {
  readonly #parent: number[] = [];

  constructor(count = 0) {
    this.grow(count);
  }

  grow(count: number): void {
    while (this.#parent.length < count) this.#parent.push(this.#parent.length);
  }

  find(node: number): number {
    const parent = this.#parent;
    let at = node;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]];
    return at;
  }

  /** @returns whether they were apart */
  join(a: number, b: number): boolean {
    const [first, second] = [this.find(a), this.find(b)];
    if (first === second) return false;
    this.#parent[Math.max(first, second)] = Math.min(first, second);
    return true;
  }
}

export class Network {
  readonly branches: NetworkBranch[] = [];
  readonly recorded: Recorded[] = [];
  readonly couplings: Coupled[] = [];
  /** mutual inductances by pairs of branches, H */
  readonly mutual = new Map<number, Map<number, number>>();
  /** signals by their nodes */
  readonly signals = new Map<NetworkNode, NetworkSignal>();
  /** what jumps, by the capacitors that remember it */
  readonly memories = new Map<Branch, Memory>();
  /** factors of products, by the sources that have their values */
  readonly products = new Map<Branch, readonly [NetworkNode, NetworkNode]>();
  /** what states are called behind their components, where that does not follow from their kind */
  readonly labels = new Map<Branch, string>();
  /** nodes that are read as numbers */
  readonly numbers = new Set<NetworkNode>();
  /** nodes, ground among them */
  nodes = 1;
  /** windings by core */
  cores = 0;
  readonly earth = new Unions(1);

  newNode(): NetworkNode {
    this.nodes++;
    this.earth.grow(this.nodes);
    return this.nodes - 1;
  }

  add(component: number, a: NetworkNode, b: NetworkNode, element: BranchElement): Branch {
    return this.branches.push({ a, b, element, component }) - 1;
  }
}

/** What one component sees of the network while it adds itself. */
export class ComponentCircuit implements Circuit {
  readonly ground = GROUND;

  /** @param component place of it in the document @param pinNode node of each of its pins */
  constructor(
    private readonly network: Network,
    private readonly component: number,
    private readonly pinNode: (pin: string) => NetworkNode,
    private readonly waveform: (name: string) => number | Waveform,
    readonly isWired: (pin: string) => boolean,
  ) {}

  pin(name: string): NetworkNode {
    return this.pinNode(name);
  }

  node(): NetworkNode {
    return this.network.newNode();
  }

  earth(node: NetworkNode): void {
    this.network.earth.join(GROUND, node);
  }

  #add(a: NetworkNode, b: NetworkNode, element: BranchElement): Branch {
    return this.network.add(this.component, a, b, element);
  }

  #value(value: SourceValue): number | Waveform {
    return typeof value === 'number' ? value : this.waveform(value);
  }

  resistor(a: NetworkNode, b: NetworkNode, R: number): Branch {
    return this.#add(a, b, R === 0 ? { kind: 'wire' } : { kind: 'resistor', R });
  }

  capacitor(a: NetworkNode, b: NetworkNode, C: number, v0: number): Branch {
    return this.#add(a, b, { kind: 'capacitor', C, v0 });
  }

  inductor(a: NetworkNode, b: NetworkNode, L: number, i0: number): Branch {
    return this.#add(a, b, { kind: 'inductor', L, i0 });
  }

  voltage(a: NetworkNode, b: NetworkNode, value: SourceValue): Branch {
    return this.#add(a, b, { kind: 'voltage', value: this.#value(value) });
  }

  current(a: NetworkNode, b: NetworkNode, value: SourceValue): Branch {
    return this.#add(a, b, { kind: 'current', value: this.#value(value) });
  }

  wire(a: NetworkNode, b: NetworkNode): Branch {
    return this.#add(a, b, { kind: 'wire' });
  }

  open(a: NetworkNode, b: NetworkNode): Branch {
    return this.#add(a, b, { kind: 'open' });
  }

  controlledVoltage(a: NetworkNode, b: NetworkNode, terms: readonly Term[]): Branch {
    return this.#add(a, b, { kind: 'controlledVoltage', terms });
  }

  controlledCurrent(a: NetworkNode, b: NetworkNode, terms: readonly Term[]): Branch {
    return this.#add(a, b, { kind: 'controlledCurrent', terms });
  }

  nullor(a: NetworkNode, b: NetworkNode, terms: readonly Term[]): Branch {
    return this.#add(a, b, { kind: 'nullor', terms });
  }

  transformer(primary: readonly [NetworkNode, NetworkNode], others: readonly Winding[]): readonly Branch[] {
    const core = this.network.cores++;
    return [{ a: primary[0], b: primary[1], ratio: 1 }, ...others].map(({ a, b, ratio }) =>
      this.#add(a, b, { kind: 'winding', core, ratio }),
    );
  }

  couple(inductors: readonly string[], coupling: number): void {
    this.network.couplings.push({ component: this.component, inductors, coupling });
  }

  diode(
    anode: NetworkNode,
    cathode: NetworkNode,
    gate?: { readonly gate: Gate | WiredGate; readonly isInverse: boolean },
  ): Branch {
    return this.#add(anode, cathode, { kind: 'diode', gate: gate ?? null });
  }

  switch(a: NetworkNode, b: NetworkNode, gate: Gate | WiredGate, hysteresis?: Hysteresis): Branch {
    return this.#add(a, b, { kind: 'switch', gate, hysteresis: hysteresis ?? null });
  }

  thyristor(anode: NetworkNode, cathode: NetworkNode, gate: Gate | WiredGate, isOnAtStart: boolean): Branch {
    return this.#add(anode, cathode, { kind: 'thyristor', gate, isOnAtStart });
  }

  characteristic(a: NetworkNode, b: NetworkNode, curve: Characteristic): Branch {
    return this.#add(a, b, { kind: 'characteristic', curve });
  }

  relay(a: NetworkNode, b: NetworkNode, input: readonly Term[], lower: number, upper: number): Branch {
    return this.#add(a, b, { kind: 'relay', input, lower, upper });
  }

  input(pin: string): Term {
    const node = this.pin(pin);
    this.network.numbers.add(node);
    return { branch: this.open(node, GROUND), of: 'v', factor: 1 };
  }

  gate(pin: string): WiredGate {
    return { node: this.pin(pin) };
  }

  given(value: SourceValue): Term {
    return { branch: this.voltage(this.node(), GROUND, value), of: 'v', factor: 1 };
  }

  integral(rate: readonly Term[], start: number, limits?: readonly [number, number] | null): Term {
    const node = this.node();
    if (limits)
      this.characteristic(node, GROUND, {
        points: limits.map((limit) => [limit, 0] as const),
        start: [0, 1],
        end: [0, 1],
      });
    this.controlledCurrent(GROUND, node, rate);
    return { branch: this.capacitor(node, GROUND, 1, start), of: 'v', factor: 1 };
  }

  memory(start: number | readonly SignalPart[], jumps: readonly Jump[]): Term {
    const branch = this.capacitor(this.node(), GROUND, 1, typeof start === 'number' ? start : 0);
    this.network.memories.set(branch, { start, jumps });
    return { branch, of: 'v', factor: 1 };
  }

  product(a: string, b: string): Term {
    const branch = this.voltage(this.node(), GROUND, 0);
    this.network.products.set(branch, [this.pin(a), this.pin(b)]);
    return { branch, of: 'v', factor: 1 };
  }

  output(pin: string, terms: readonly Term[], parts: readonly SignalPart[] = [{ sum: terms }]): Term {
    this.#signal(pin, parts, false);
    return { branch: this.controlledVoltage(this.pin(pin), GROUND, terms), of: 'v', factor: 1 };
  }

  logic(pin: string, parts: readonly SignalPart[]): void {
    this.#signal(pin, parts, true);
  }

  #signal(pin: string, parts: readonly SignalPart[], isLogic: boolean): void {
    this.network.signals.set(this.pin(pin), { component: this.component, pin, parts, isLogic });
  }

  record(name: string, terms: readonly Term[]): void {
    this.network.recorded.push({ component: this.component, name, terms });
  }

  recordPower(name: string, voltage: readonly Term[], current: readonly Term[]): void {
    this.network.recorded.push({ component: this.component, name, terms: voltage, times: current });
  }
}

/** “R1, C2 and 3 others”. */
export function listed(names: readonly string[], most = 6): string {
  const unique = [...new Set(names)];
  if (unique.length === 1) return unique[0];
  if (unique.length <= most) return `${unique.slice(0, -1).join(', ')} and ${unique[unique.length - 1]}`;
  return `${unique.slice(0, most).join(', ')} and ${plural(unique.length - most, 'other', 'others')}`;
}
