/** Conditions of time that steps of bodies in space may pass over: those of their loads, their moments of inertia, and of motions that are prescribed. */
import { ConditionedElement } from '../../event-driven/conditions/conditioned-elements';
import { PassedConditions, type PassedSettings } from '../../event-driven/conditions/passed-conditions';
import type { Conditioned } from '../prepare';

/**
 * @param conditioned the model with functions whose conditions can be held; not the one that is simulated
 * @param q, u of all bodies, as the simulation has them
 * @returns null where functions come to no condition that could change
 */
export function passedConditionsInSpace(
  { model: { conditions }, space }: Conditioned,
  q: Float64Array,
  u: Float64Array,
  settings: PassedSettings,
): PassedConditions | null {
  if (conditions === undefined || space === null) return null;
  const { system, motions } = space;
  const size = q.length + u.length;
  const read = (x: Float64Array): void => {
    x.set(q);
    x.set(u, q.length);
  };
  const state = new Float64Array(size);
  const [positions, velocities] = [state.subarray(0, q.length), state.subarray(q.length)];
  const force = new Float64Array(u.length);
  const inertia = new Float64Array(9);
  const pose = new Float64Array(7);
  const calls = [
    (clock: Float64Array): void => system.force(clock, positions, velocities, force),
    ...system.changing.map(
      ({ body }) =>
        (clock: Float64Array) =>
          body.law?.(clock, inertia.fill(0)),
    ),
    ...motions.flatMap((motion) => [
      (clock: Float64Array) => motion.pose(clock, pose, 0),
      (clock: Float64Array) => motion.velocity(clock, pose, 0),
    ]),
  ];
  const { sequences, trace } = conditions;
  const all = Int32Array.from({ length: size }, (_, i) => i);
  const x = new Float64Array(size);
  read(x);
  const clock = Float64Array.of(settings.t0);
  const none = new Float64Array(0);
  const element = new ConditionedElement(
    sequences,
    calls,
    all,
    all,
    state,
    new Float64Array(size),
    false,
    0,
    none,
    clock,
    x,
  );
  const isSampled = element.sequences.length < sequences.length || trace.unfollowed.length > 0;
  if (!element.hasConditions && !isSampled) return null;
  const elements = element.hasConditions ? [element] : [];
  return new PassedConditions(elements, trace.sites, isSampled, size, 0, settings, read);
}
