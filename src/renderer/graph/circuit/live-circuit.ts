/** The state of a circuit at a moment as the drawing shows it. Pure. */
import type { ElementDefinition } from '@engine/model/definition';
import { engineering } from '@figures/circuit/values';

/** What a component does at a moment. */
export interface ComponentLive {
  /** its current or voltage in words, e.g. `1.2 A` */
  readonly figure: string;
  /** current from its first pin on, as a share of the largest one; 0 where it is not recorded */
  readonly flow: number;
  /**
   * how far a mass is to the right or above, as a share of its largest displacement; the angle of an inertia,
   * rad; undefined for what does not move
   */
  readonly motion?: { readonly shift: number } | { readonly angle: number };
  /** whether a valve is on */
  readonly conducts: boolean;
}

/** Components that are on or off. */
const VALVES: ReadonlySet<string> = new Set(['Diode', 'Zener', 'Switch', 'Mosfet']);

/** What is below this share of the largest one is none, as the eye sees it. */
const NONE = 1e-6;

/** Largest values of a run. */
export interface Largest {
  /** V */
  readonly voltage: number;
  /** A */
  readonly current: number;
  /** of the component itself, m */
  readonly position: number;
}

/** Digits of figures in a drawing. */
const shortened = (value: number): number => Number(value.toPrecision(3));

/** @param valueOf values of signals by name @param largest of all components */
export function componentLive(
  id: string,
  { type, quantities = [], symbol }: Pick<ElementDefinition, 'type' | 'quantities' | 'symbol'>,
  valueOf: (signal: string) => number | undefined,
  largest: Largest,
): ComponentLive | null {
  const current = valueOf(`${id}.i`);
  const quantity = quantities.find(({ name }) => name === 'i') ?? quantities[0];
  const value = quantity === undefined ? undefined : valueOf(`${id}.${quantity.name}`);
  if (quantity === undefined || value === undefined) return null;
  const scales: Readonly<Record<string, number>> = {
    V: largest.voltage,
    A: largest.current,
    W: largest.voltage * largest.current,
  };
  const seen = (number: number, scale: number): number => (Math.abs(number) <= NONE * scale ? 0 : number);
  const through = seen(current ?? 0, largest.current);
  const motion =
    symbol?.moves === undefined
      ? undefined
      : quantity.unit === 'rad'
        ? { angle: value }
        : { shift: largest.position === 0 ? 0 : value / largest.position };
  return {
    figure: engineering(shortened(seen(value, scales[quantity.unit] ?? 0)), quantity.unit),
    flow: largest.current === 0 ? 0 : through / largest.current,
    ...(motion !== undefined && { motion }),
    conducts: VALVES.has(type) && through !== 0,
  };
}
