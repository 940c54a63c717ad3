/**
 * What the time of an impact leaves of a run in steps. A step has its impact somewhere within it, so that no
 * run knows its time to less than a step. That of the finest run is within a quarter of a step h of the run
 * itself: with the grids h, h/2 and h/4, an impact in the last quarter of a step falls on one time in all
 * three, and their differences say nothing of it. Behind an impact that comes δ ≤ h/4 late a signal u is
 * off by |u̇⁺ − u̇⁻| δ, where u̇⁻ and u̇⁺ are its rates before and behind it:
 *
 *     positions   |v⁺ − v⁻| h/4, a quarter of the jump of their change in a step,
 *     velocities  (1 + e) |v̇| h/4 ≤ |v̇| h/2, half of their largest change in a step: the acceleration
 *                 has acted for too long, and what it gave comes back by the restitution e.
 *
 * Changes of velocities are taken without jumps: those that neither neighbour has. In the step of the impact
 * a position moves by both velocities, so that its jump is that between the steps beside it.
 */
import type { SignalInfo } from '../../document/types';
import { type ComparedRecording, RecordedRows, type Span } from '../comparison/recorded-rows';

/** Of the jump of a change in a step, of positions; of the largest change, of velocities. */
const OF_JUMP = 1 / 4;
const OF_CHANGE = 1 / 2;
/** Change of a velocity in a step over the largest one beside it, from which on it is a jump. */
const JUMP_OVER_SMOOTH = 4;

/**
 * @param signals those that are compared
 * @param jumps changes in a step from which on there may be a jump, by signal
 * @returns by signal, in its unit; 0 for those whose velocities do not jump
 */
export function impactResolution(
  run: ComparedRecording,
  signals: readonly SignalInfo[],
  jumps: Float64Array,
  { from, to }: Span,
): Float64Array {
  const count = signals.length;
  const rows = new RecordedRows(run.source, run.signals, from);
  const before = new Float64Array(count).fill(Number.NaN);
  const change = new Float64Array(count).fill(Number.NaN);
  const earlier = new Float64Array(count).fill(Number.NaN);
  const smooth = new Float64Array(count);
  const most = new Float64Array(count);
  const jump = new Float64Array(count);
  /** Not a number where a row has none before it, which is none of them. */
  const raise = (values: Float64Array, k: number, value: number): void => {
    if (value > values[k]) values[k] = value;
  };
  while (rows.nextTime <= to) {
    rows.read();
    for (let k = 0; k < count; k++) {
      const now = rows.values[k] - before[k];
      raise(most, k, Math.abs(now));
      raise(smooth, k, Math.min(Math.abs(now), Math.abs(change[k])));
      raise(jump, k, Math.abs(now - earlier[k]));
      earlier[k] = change[k];
      change[k] = now;
      before[k] = rows.values[k];
    }
  }
  const isStruck = signals.map(
    ({ kind }, k) => kind === 'velocity' && most[k] > jumps[k] && most[k] > JUMP_OVER_SMOOTH * smooth[k],
  );
  return Float64Array.from(signals, ({ kind }, k) => {
    if (!velocitiesOf(signals, k).some((v) => isStruck[v])) return 0;
    return kind === 'velocity' ? OF_CHANGE * smooth[k] : OF_JUMP * jump[k];
  });
}

/**
 * Velocities that belong to a signal: itself; that of its coordinate; all of its element, where positions and
 * velocities are not of the same coordinates, as of bodies that turn.
 */
function velocitiesOf(signals: readonly SignalInfo[], k: number): number[] {
  const { kind, element } = signals[k];
  if (kind === 'velocity') return [k];
  const own = (wanted: SignalInfo['kind']): number[] =>
    signals.flatMap((one, i) => (one.kind === wanted && one.element === element ? [i] : []));
  const [positions, velocities] = [own('position'), own('velocity')];
  return positions.length === velocities.length ? [velocities[positions.indexOf(k)]] : velocities;
}
