/**
 * What a component says of itself to the mechanism that it is part of: masses, springs, dampers, forces and
 * laws between flanges. A flange has one coordinate, a displacement along the axis or an angle, and flanges
 * on one wire have the same.
 */
import type { TypedElement } from '../../document/types';
import type { Gate, Hysteresis, SourceValue, WiredGate } from './circuit';

/** A flange of a mechanism, by its number. */
export type Flange = number;

/** Σ factor · coordinate + offset: an elongation, a gap, or a slip. */
export interface Combination {
  readonly terms: readonly { readonly flange: Flange; readonly factor: number }[];
  readonly offset: number;
}

/** A law of a mechanism, by its number. */
export type MechanismLaw = number;

/** When a law is there, and how far its condition goes beyond its threshold before it comes or goes. */
export interface LawGate {
  readonly gate: Gate | WiredGate;
  readonly hysteresis: Hysteresis | null;
}

/** A part of a quantity that is recorded: what it is, times a factor. */
export type Measure =
  | { readonly of: 'position'; readonly combination: Combination; readonly factor: number }
  | { readonly of: 'velocity'; readonly combination: Combination; readonly factor: number }
  | { readonly of: 'multiplier'; readonly law: MechanismLaw; readonly row: number; readonly factor: number }
  | { readonly of: 'value'; readonly value: SourceValue | WiredGate; readonly factor: number };

export interface Mechanism {
  /** the flange of a pin */
  flange(pin: string): Flange;
  /** a new flange inside the component */
  inner(): Flange;
  /** @param start null where others decide */
  mass(at: Flange, mass: number, start: { position: number | null; velocity: number | null }): void;
  /** The coordinate is given, also by an expression of time. */
  motion(at: Flange, value: SourceValue): void;
  /** x_a = ratio · x_b */
  tie(a: Flange, b: Flange, ratio: number): void;
  /** Pulls with k s + preload against s. @param stiffness N/m or N m/rad, of any sign */
  spring(of: Combination, stiffness: number, preload: number): void;
  /** Pulls with c ṡ against s. */
  damper(of: Combination, damping: number): void;
  /** @param value of time, or a signal */
  force(at: Flange, value: SourceValue | WiredGate): void;
  /** A law on a combination for each row. @param gate when it is there; absent: always */
  law(rows: readonly Combination[], law: TypedElement, gate?: LawGate | null): MechanismLaw;
  /** whether a wire is at a pin */
  isWired(pin: string): boolean;
  /** the signal at a pin */
  signal(pin: string): WiredGate;
  /** Gives a sum as the signal of a pin, if a wire is there. */
  sense(pin: string, measures: readonly Measure[]): void;
  /** Records a sum as `id.name`. */
  record(name: string, measures: readonly Measure[]): void;
}
