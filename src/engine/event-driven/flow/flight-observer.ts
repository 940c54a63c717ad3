/**
 * Who looks on while a simulation goes from event to event: sections, variational equations. Looking on
 * changes no bit of the result.
 */
import type { CompiledModel } from '../compiled-model';
import type { HeldConditions } from '../conditions/held-conditions';
import type { EventState } from '../event-state';
import type { EventPresence } from '../impact/event-presence';
import type { EventResets } from '../impact/event-resets';
import type { Flights } from './flights';
import type { JointFormulation } from '../joints/formulation';
import type { RowEvents } from '../rows/row-events';

/**
 * What an observer may read, and evaluate wherever it likes: the simulation evaluates again what it needs.
 */
export interface ObservedParts extends CompiledModel {
  readonly flight: Flights;
  /** what ends flights: functions of rows and guards */
  readonly functions: RowEvents;
  readonly joints: Pick<JointFormulation, 'complete'>;
  /** the last event */
  readonly event: Pick<
    EventState,
    'impulse' | 'speedBefore' | 'isPlastic' | 'impactCount' | 'isTimed' | 'isFlagged' | 'isJump'
  >;
  /** null where no function comes to a condition that can change */
  readonly conditions: HeldConditions | null;
  /** null where no state jumps by a reset */
  readonly resets: EventResets | null;
  /** null where nothing comes and goes */
  readonly presence: EventPresence | null;
}

/**
 *     passed()        the stretch of motion up to the present is known; modes, forces and state are still
 *                     those of it. A stretch may be reported several times as it grows
 *     eventBegins()   a non-smooth event is about to change state and modes
 *     eventEnded()    it has
 *     awaited         time up to which it need not be shown anything, s; absent where it sees all
 */
export interface FlightObserver {
  passed(): void;
  eventBegins(): void;
  eventEnded(): void;
  readonly awaited?: number;
}

/** Time up to which none of several observers need be shown anything, s. */
export function firstAwaited(observers: readonly FlightObserver[]): number {
  let first = Infinity;
  for (let k = 0; k < observers.length; k++) first = Math.min(first, observers[k].awaited ?? -Infinity);
  return first;
}

/** The part of a stretch that has not been seen yet. */
export class UnseenPart {
  /** [0] its start behind that of the stretch, [1] its end, s */
  readonly span = new Float64Array(2);
  /** [0] start of the stretch seen last, s, [1] place up to which it has been seen, s */
  readonly #seen = Float64Array.of(NaN, 0);

  /** @param stretch that of the flight @returns whether there is something new on it */
  look(stretch: Float64Array): boolean {
    const seen = this.#seen;
    if (!(stretch[1] > 0)) return false;
    if (stretch[0] !== seen[0] || stretch[1] < seen[1]) {
      seen[0] = stretch[0];
      seen[1] = 0;
    }
    this.span[0] = seen[1];
    this.span[1] = stretch[1];
    seen[1] = stretch[1];
    return this.span[1] > this.span[0];
  }

  /** The next stretch is another one, even where it starts at the same time. */
  leave(): void {
    this.#seen[0] = NaN;
  }
}
