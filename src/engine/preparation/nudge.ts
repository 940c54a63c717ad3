/**
 * A small push on a model that is about to run in steps, at the start and all the time: what becomes of it
 * tells how sensitive the motion is. A change of the initial state alone is forgotten by what rests on a
 * support.
 */
import type { FirstOrderForm, LagrangianForm } from '../model/forms';
import type { SpatialLoad } from '../spatial/bodies/body';
import type { SpatialSystem } from '../spatial/system';
import type { PreparedModel } from './prepare';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Parts of a run in each of which the push does as much as at the start. */
const PARTS = 16;

/** @param changes of velocities, and of states of first order, by the name of the signal */
export function nudgePrepared(
  { layout, model, space, settings: { t0, tEnd } }: PreparedModel,
  changes: Readonly<Record<string, number>>,
): void {
  const bySlot = new Map(layout.signals.map(({ name }, k) => [layout.slots[k], changes[name] ?? 0]));
  const changesAt = (first: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => bySlot.get(first + i) ?? 0);
  const rate = PARTS / (tEnd - t0);
  if (space !== null) {
    const places = [...layout.systemPlaces.values()];
    pushBodies(
      space.system,
      places.map(({ v, vSize }) => changesAt(v, vSize)),
      rate,
    );
    return;
  }
  for (const { id, form } of model.systems) {
    const place = layout.systemPlaces.get(id);
    if (place === undefined) continue;
    const own = changesAt(form.order === 1 ? place.q : place.v, form.size);
    const start = form.order === 1 ? form.x0 : form.v0;
    for (let i = 0; i < own.length; i++) start[i] += own[i];
    const rates = Float64Array.from(own, (change) => rate * change);
    if (form.order === 1) pushState(form, rates);
    else pushSystem(form, rates);
  }
}

function pushState(form: FirstOrderForm, rates: Float64Array): void {
  const rate = form.rate.bind(form);
  const push = rates.slice();
  if (form.mass !== null)
    for (let i = 0; i < form.size; i++)
      push[i] = rates.reduce((sum, x, j) => sum + (form.mass?.[i * form.size + j] ?? 0) * x, 0);
  (form as Writable<FirstOrderForm>).rate = (clock, x, out) => {
    rate(clock, x, out);
    for (let i = 0; i < push.length; i++) out[i] += push[i];
  };
}

function pushSystem(form: LagrangianForm, accelerations: Float64Array): void {
  const push = forceOf(form, accelerations);
  if (form.linear !== null) {
    const { constantForce } = form.linear;
    for (let i = 0; i < push.length; i++) constantForce[i] += push[i];
    return;
  }
  const force = form.force.bind(form);
  (form as Writable<LagrangianForm>).force = (clock, q, v, out) => {
    force(clock, q, v, out);
    for (let i = 0; i < push.length; i++) out[i] += push[i];
  };
}

/** M a at the start. */
function forceOf({ size, q0, constantMass, ...form }: LagrangianForm, a: Float64Array): Float64Array {
  const force = new Float64Array(size);
  if (constantMass !== null) {
    const { rowStart, columns, values } = constantMass;
    for (let i = 0; i < size; i++)
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) force[i] += values[k] * a[columns[k]];
    return force;
  }
  const mass = new Float64Array(size * size);
  form.mass(q0, mass);
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) force[i] += mass[i * size + j] * a[j];
  return force;
}

/** @param changes by body */
function pushBodies(system: SpatialSystem, changes: readonly (readonly number[])[], rate: number): void {
  const own = changes.flat();
  const n = own.length;
  const mass = new Float64Array(n * n);
  system.mass(mass);
  const force = own.map((_, i) => rate * own.reduce((sum, change, j) => sum + mass[i * n + j] * change, 0));
  const push: SpatialLoad = {
    id: 'push',
    addForce: (_, __, ___, out) => {
      for (let i = 0; i < n; i++) out[i] += force[i];
    },
  };
  const pushed = system as Writable<SpatialSystem>;
  pushed.loads = [...system.loads, push];
  pushed.initial = system.initial.map(({ positions, velocities }, body) => ({
    positions,
    velocities: velocities.map((value, i) => value + changes[body][i]),
  }));
}
