/**
 * What a component says of itself to the network that it is part of: branches between nodes. Whatever is
 * drawn is composed of these few, so that the reduction of a network knows no components.
 *
 * A branch from a to b has the voltage v = v_a − v_b and the current i that flows through it from a to b.
 */
import type { SignalExpression } from '../field-reader';

/** A node of a network. */
export type NetworkNode = number;

/** A branch of a network, by its number. */
export type Branch = number;

/** A part of a linear combination of voltages and currents. */
export interface Term {
  readonly branch: Branch;
  readonly of: 'v' | 'i';
  readonly factor: number;
}

/** What a source gives: a constant, or the name of one of the waveforms of its component. */
export type SourceValue = number | string;

/** When a switch is closed: where an expression is positive, or a comparison holds. */
export type Gate = SignalExpression;

/** A gate that is a signal: on while that is on, and of a number while it is above ½. */
export interface WiredGate {
  readonly node: NetworkNode;
}

/** Parts of the expression of a signal, one behind the other; of a gate what is positive where it is on. */
export type SignalPart =
  | string
  | { readonly sum: readonly Term[] }
  | { readonly gate: WiredGate }
  | { readonly guard: Guard }
  | { readonly written: WrittenGate };

/** A gate that a user has written. @param element id of the component that it is of */
export interface WrittenGate {
  readonly gate: Gate;
  readonly element: string;
}

/** What is positive where a condition holds that a user has written. */
export interface Guard {
  readonly expression: SignalExpression;
  /** id of the component that it is of */
  readonly element: string;
  /** what names in it mean: a signal, or the number that an expression is */
  readonly names: Readonly<Record<string, WiredGate | readonly SignalPart[]>>;
  /** whether sides that are one but for rounding count as compared */
  readonly isTolerant: boolean;
}

/** A gate comes at `width` above its threshold and goes at as much below. */
export interface Hysteresis {
  readonly width: number;
  /** between the two, at the start */
  readonly isOnAtStart: boolean;
}

/** A characteristic of straight pieces between what stands against each other, in the order it is passed. */
export interface Characteristic {
  /** breakpoints (v, i) */
  readonly points: readonly (readonly [number, number])[];
  /** (dv, di) in which it comes to the first of them */
  readonly start: readonly [number, number];
  /** (dv, di) in which it leaves the last */
  readonly end: readonly [number, number];
}

/** Instants first + k period, for all whole k, s. */
export interface Samples {
  readonly period: number;
  readonly first: number;
}

/**
 * What a memory becomes, and when: a number, or an expression of what stands just before; where another rises
 * through zero, or at samples.
 */
export interface Jump {
  readonly when: readonly SignalPart[] | Samples;
  readonly to: number | readonly SignalPart[];
  /** whether what holds at the start acts there, wherever it leads to; else only what leads to a number */
  readonly fromStart?: true;
}

export interface Circuit {
  /** the node that the pin is at */
  pin(name: string): NetworkNode;
  /** a new node inside the component */
  node(): NetworkNode;
  /** Puts a node at zero potential. */
  earth(node: NetworkNode): void;
  /** the node of zero potential */
  readonly ground: NetworkNode;

  /** v = R i; R = 0 is a wire. @param R Ω, not infinite */
  resistor(a: NetworkNode, b: NetworkNode, R: number): Branch;
  /** C v̇ = i. @param C F, positive @param v0 V, or null where the network decides */
  capacitor(a: NetworkNode, b: NetworkNode, C: number, v0: number): Branch;
  /** L di/dt = v. @param L H, positive */
  inductor(a: NetworkNode, b: NetworkNode, L: number, i0: number): Branch;
  /** v is given */
  voltage(a: NetworkNode, b: NetworkNode, value: SourceValue): Branch;
  /** i is given */
  current(a: NetworkNode, b: NetworkNode, value: SourceValue): Branch;
  /** v = 0, through which a current is measured */
  wire(a: NetworkNode, b: NetworkNode): Branch;
  /** i = 0, between whose ends a voltage is measured */
  open(a: NetworkNode, b: NetworkNode): Branch;
  /** v is a sum of terms */
  controlledVoltage(a: NetworkNode, b: NetworkNode, terms: readonly Term[]): Branch;
  /** i is a sum of terms */
  controlledCurrent(a: NetworkNode, b: NetworkNode, terms: readonly Term[]): Branch;
  /** v has whatever value makes a sum of terms zero */
  nullor(a: NetworkNode, b: NetworkNode, zero: readonly Term[]): Branch;
  /** v_1 = n v_2 and i_2 = −n i_1, for any number of further windings of one core */
  transformer(primary: readonly [NetworkNode, NetworkNode], others: readonly Winding[]): readonly Branch[];

  /** Mutual inductance of inductors that other components have. @param inductors ids of them */
  couple(inductors: readonly string[], coupling: number): void;

  /** 0 ≤ −v ⊥ i ≥ 0. @param gate absent: always; else it blocks both ways where the gate does not hold */
  diode(
    anode: NetworkNode,
    cathode: NetworkNode,
    gate?: { gate: Gate | WiredGate; isInverse: boolean },
  ): Branch;
  /** A diode that begins to conduct with its gate, and conducts until its current ends. */
  thyristor(anode: NetworkNode, cathode: NetworkNode, gate: Gate | WiredGate, isOnAtStart: boolean): Branch;
  /** v = 0 while the gate holds, else i = 0. @param hysteresis of a gate that is an expression */
  switch(a: NetworkNode, b: NetworkNode, gate: Gate | WiredGate, hysteresis?: Hysteresis): Branch;
  /** (v, i) on a chain of straight pieces */
  characteristic(a: NetworkNode, b: NetworkNode, curve: Characteristic): Branch;
  /** v = upper where the sum of terms is positive, lower where it is negative, between where it is zero */
  relay(a: NetworkNode, b: NetworkNode, input: readonly Term[], lower: number, upper: number): Branch;

  /** Whether a wire is at a pin. */
  isWired(pin: string): boolean;
  /** The signal at a pin, as a number. */
  input(pin: string): Term;
  /** The signal at a pin, as on or off. */
  gate(pin: string): WiredGate;
  /** A number, or a waveform of the component. */
  given(value: SourceValue): Term;
  /** ẋ is a sum of terms; at a limit only what leads away from it counts. */
  integral(rate: readonly Term[], start: number, limits?: readonly [number, number] | null): Term;
  /**
   * A number that stays until an expression rises through zero: it then becomes what stands beside that. What
   * is above zero at the start and leads to a number has done so before, the last of several. Memories that
   * wait for the same jump together, each from what stood before.
   */
  memory(start: number | readonly SignalPart[], jumps: readonly Jump[]): Term;
  /** The product of the signals at two pins, of which one follows the time alone, or is on or off. */
  product(a: string, b: string): Term;
  /**
   * Gives a signal.
   * @param parts what it is where conditions ask for it: without multipliers of what the terms lead to
   */
  output(pin: string, terms: readonly Term[], parts?: readonly SignalPart[]): Term;
  /**
   * Gives a signal that is on where an expression is positive, and 1 or 0 where a number is read; recorded by
   * the name of its pin.
   */
  logic(pin: string, parts: readonly SignalPart[]): void;

  /** Records a sum of terms as `id.name`. */
  record(name: string, terms: readonly Term[]): void;
  /** Records the product of the voltage of one branch and the current of another. */
  recordPower(name: string, voltage: readonly Term[], current: readonly Term[]): void;
}

/** A winding that is not the first: its ends and its turns for one of the first. */
export interface Winding {
  readonly a: NetworkNode;
  readonly b: NetworkNode;
  readonly ratio: number;
}
