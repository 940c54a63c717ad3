/** The events of a simulation, as they stand in its result. */
import type { NamedSwitch } from './joints/formulation';

export type EventKind =
  /** a contact pushes with an impulse; for a joint, a velocity that it cannot have is taken away */
  | 'impact'
  /**
   * a contact, or the output of a complementarity law, closes without impulse or stays closed after an impact
   */
  | 'closing'
  /** the force of a contact becomes zero and the bodies part */
  | 'takeOff'
  /** the multiplier of a complementarity law becomes zero and its output opens */
  | 'release'
  /** the output of a relay stays at zero from here on: sliding mode, or sticking of a velocity */
  | 'slidingOn'
  /** the multiplier of a relay reaches a bound and its output leaves zero */
  | 'slidingOff'
  /** the output of a relay changes its sign, and the multiplier jumps from bound to bound */
  | 'switch'
  /** the output of a law given by a graph comes to another of its sloped pieces, or leaves one */
  | 'piece'
  /** a contact with friction ceases to slide and sticks */
  | 'stick'
  /** a contact with friction that sticks begins to slide */
  | 'slip'
  /** a contact with friction slides the other way from here on */
  | 'reversal'
  /** a gap touches zero and opens again, without impact */
  | 'graze'
  /** impacts of a contact accumulate; the contact is at rest from here on */
  | 'zeno'
  /** other coordinates are the dependent ones from here on: coordinate partitioning */
  | 'partition'
  /** the guard of a reset passes zero and its system jumps */
  | 'reset';

export interface EventRecord {
  /** s */
  readonly time: number;
  readonly kind: EventKind;
  /** id of the interaction or reset; of a partition empty, because it is of all joints */
  readonly element: string;
  /** row among those of all interactions of the model; −1 where the event is of none */
  readonly row: number;
  /** output velocity ẏ before and after; 0 for first-order rows */
  readonly before: number;
  readonly after: number;
  /** of impacts, N s (N m s); 0 otherwise */
  readonly impulse: number;
  /**
   * of `zeno`: the time at which the impacts accumulate, s, and its error bar; null where the flights showed
   * no limit
   */
  readonly accumulation: { readonly time: number; readonly error: number } | null;
  /** of `partition`: the dependent coordinates before and after, with the condition numbers of their block */
  readonly partition?: NamedSwitch;
}
