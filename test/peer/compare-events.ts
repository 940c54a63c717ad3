/** Differences of two event-driven runs. */
import { compare, type Comparison } from './compare';
import type { MechanismRun } from './run-mechanisms';

export interface EventComparison extends Comparison {
  /** compared events with impulses and without */
  impacts: number;
  takeOffs: number;
  /** largest differences of their times, s, and of impulses, N s or N m s */
  impactTime: number;
  takeOffTime: number;
  impulse: number;
}

/**
 * Compares the first events, and all rows that both have. Forces are among them, under `p`.
 * @param count events to be compared
 * @throws when one of the two has fewer events
 */
export function compareEvents(
  model: string,
  ours: MechanismRun,
  theirs: MechanismRun,
  count: number,
): EventComparison {
  if (ours.events.length < count || theirs.events.length < count)
    throw new Error(`${ours.events.length} events here, ${theirs.events.length} there, not ${count}`);
  const result = { impacts: 0, takeOffs: 0, impactTime: 0, takeOffTime: 0, impulse: 0 };
  for (let k = 0; k < count; k++) {
    const [a, b] = [ours.events[k], theirs.events[k]];
    const difference = Math.abs(a.time - b.time);
    a.impulses.forEach(
      (impulse, i) => (result.impulse = Math.max(result.impulse, Math.abs(impulse - b.impulses[i]))),
    );
    if (b.impulses.some((impulse) => impulse !== 0)) {
      result.impacts++;
      result.impactTime = Math.max(result.impactTime, difference);
    } else {
      result.takeOffs++;
      result.takeOffTime = Math.max(result.takeOffTime, difference);
    }
  }
  const rows = Math.min(ours.t.length, theirs.t.length);
  const trajectory = ({ t, q, v, forces }: MechanismRun): Parameters<typeof compare>[1] => ({
    t: t.slice(0, rows),
    q: q.slice(0, rows),
    v: v.slice(0, rows),
    p: forces.slice(0, rows),
  });
  const times: string[] = [];
  if (result.impacts > 0)
    times.push(`|Δt| of ${result.impacts} impacts ${result.impactTime.toExponential(1)} s`);
  if (result.takeOffs > 0) times.push(`of a take-off ${result.takeOffTime.toExponential(1)} s`);
  const label = [model, ...times].join(', ');
  return { ...compare(label, trajectory(ours), trajectory(theirs)), ...result };
}
