/** The laws of impacts at several contacts at once by the name that settings know them by, one case each. */
import { EnergeticImpacts } from './energetic';
import type { ImpactRows } from './impact-rows';
import { SequentialImpacts } from './sequential';
import { SimultaneousImpacts } from './simultaneous';
import type { ImpactLaw } from './status';

/** A law, with what it needs beside what is said of single contacts. */
export type ImpactChoice =
  | { readonly type: 'Newton' }
  | { readonly type: 'Poisson' }
  /** @see SequentialImpacts */
  | { readonly type: 'Sequential'; readonly maxImpacts: number }
  /** @see EnergeticImpacts */
  | {
      readonly type: 'Energetic';
      readonly exponent: number;
      readonly tolerance: number;
      readonly maxSteps: number;
    };

/** Rounds of all contacts in one impact by Newton's law. */
const MOST_ROUNDS = 1000;

/** @param restitution, stiffness by contact, to be filled before each impact */
export function createImpactLaw(
  choice: ImpactChoice,
  rows: ImpactRows,
  restitution: Float64Array,
  stiffness: Float64Array,
): ImpactLaw {
  switch (choice.type) {
    case 'Newton':
    case 'Poisson':
      return new SimultaneousImpacts(choice.type, rows, restitution, MOST_ROUNDS);
    case 'Sequential':
      return new SequentialImpacts(rows, restitution, choice.maxImpacts);
    case 'Energetic': {
      const { exponent, tolerance, maxSteps } = choice;
      return new EnergeticImpacts(rows, { stiffness, restitution, exponent, tolerance, maxSteps });
    }
  }
}
