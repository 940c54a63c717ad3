/** The non-smooth dynamical system: what the user models, before anything is computed. S0 §2. */
import type { DynamicalSystem, NonSmoothLaw, Relation } from './registry';

/** A relation and a law on the coordinates of one or more systems. */
export interface Interaction {
  readonly id: string;
  /** positions of the linked systems in `NonSmoothDynamicalSystem.systems`, in the order of the relation's columns */
  readonly systems: readonly number[];
  readonly relation: Relation;
  readonly law: NonSmoothLaw;
}

export interface NonSmoothDynamicalSystem {
  readonly systems: readonly DynamicalSystem[];
  readonly interactions: readonly Interaction[];
}
