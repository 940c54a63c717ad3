/** The state of a circuit at a moment as the drawing shows it. Pure. */
import type { ElementDefinition } from '@engine/model/definition';
import { engineering } from '@figures/circuit/values';

/** What a component does at a moment. */
export interface ComponentLive {
  /** its current or voltage in words, e.g. `1.2 A` */
  readonly figure: string;
  /** current from its first pin on, as a share of the largest one; 0 where it is not recorded */
  readonly flow: number;
  /** whether a valve is on */
  readonly conducts: boolean;
}

/** Components that are on or off. */
const VALVES: ReadonlySet<string> = new Set(['Diode', 'Zener', 'Switch', 'Mosfet']);

/** A current below this share of the largest one is none, as the eye sees it. */
const NONE = 1e-6;

/** Digits of figures in a drawing. */
const shortened = (value: number): number => Number(value.toPrecision(3));

/** @param valueOf values of signals by name @param largest current of all, A */
export function componentLive(
  id: string,
  { type, quantities = [] }: Pick<ElementDefinition, 'type' | 'quantities'>,
  valueOf: (signal: string) => number | undefined,
  largest: number,
): ComponentLive | null {
  const current = valueOf(`${id}.i`);
  const quantity = quantities.find(({ name }) => name === 'i') ?? quantities[0];
  const value = quantity === undefined ? undefined : valueOf(`${id}.${quantity.name}`);
  if (quantity === undefined || value === undefined) return null;
  return {
    figure: engineering(shortened(value), quantity.unit),
    flow: current === undefined || largest === 0 ? 0 : current / largest,
    conducts:
      VALVES.has(type) && current !== undefined && Math.abs(current) > NONE * Math.max(largest, 1e-12),
  };
}
