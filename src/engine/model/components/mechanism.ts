/**
 * What a component says of itself to the mechanism that it is part of: masses, springs, dampers, forces and
 * laws between flanges. A flange has one coordinate, a displacement along the axis or an angle, and flanges
 * on one wire have the same.
 */
import type { TypedElement } from '../../document/types';
import type { SourceValue, Gate } from './circuit';

/** A flange of a mechanism, by its number. */
export type Flange = number;

/** Σ factor · coordinate + offset: an elongation, a gap, or a slip. */
export interface Combination {
  readonly terms: readonly { readonly flange: Flange; readonly factor: number }[];
  readonly offset: number;
}

/** A law of a mechanism, by its number. */
export type MechanismLaw = number;

/** A part of a quantity that is recorded: what it is, times a factor. */
export type Measure =
  | { readonly of: 'position'; readonly combination: Combination; readonly factor: number }
  | { readonly of: 'velocity'; readonly combination: Combination; readonly factor: number }
  | { readonly of: 'multiplier'; readonly law: MechanismLaw; readonly row: number; readonly factor: number }
  | { readonly of: 'value'; readonly value: SourceValue; readonly factor: number };

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
  force(at: Flange, value: SourceValue): void;
  /** A law on a combination for each row. @param gate when it is there; absent: always */
  law(rows: readonly Combination[], law: TypedElement, gate?: Gate): MechanismLaw;
  /** Records a sum as `id.name`. */
  record(name: string, measures: readonly Measure[]): void;
}
