/**
 * The state that runs of a sweep start in, and end in: values of single components, and whole states of
 * neighbours.
 */
import { EngineError } from '../../errors';
import type { ModelDocument } from '../../document/types';
import type { DynamicalSystem, NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StateLayout } from '../../preparation/layout';
import type { PreparedModel } from '../../preparation/prepare';

/** One component of the initial state. */
export interface InitialComponent {
  readonly unit: string;
  /** initial values of a system's coordinates, velocities or first-order states */
  readonly values: Float64Array;
  readonly at: number;
}

/**
 * Columns of initial values stand beside columns of the same states in a section: they are distinguished by a
 * word.
 */
export const initialName = (state: string): string => `initial ${state}`;

/** Names in a remedy. */
const NAMED = 12;

/** The only component may be numbered too. */
const ONLY = /\[0\]$/;

/**
 * A component by the name of its signal, such as `ball.q` or `beam.v[2]`.
 * @throws {EngineError} `unknown-state`, also for 3D bodies, whose orientations are no single numbers
 */
export function initialComponent(
  state: string,
  { systems }: NonSmoothDynamicalSystem,
  layout: StateLayout,
): InitialComponent {
  const states = layout.signals.flatMap(({ name, unit, kind, element }, k) =>
    kind === 'position' || kind === 'velocity' || kind === 'state'
      ? [{ name, unit, element, slot: layout.slots[k] }]
      : [],
  );
  const found =
    states.find(({ name }) => name === state) ??
    states.find(({ name }) => ONLY.test(state) && name === state.replace(ONLY, ''));
  if (found === undefined)
    throw unknownState(
      state,
      state === '' ? 'No state is named.' : `The model has no state “${state}”.`,
      states.length === 0
        ? 'Vary a parameter.'
        : `States of this model start with ${states
            .slice(0, NAMED)
            .map(({ name }) => name)
            .join(', ')}.`,
    );
  const system = systems.find(({ id }) => id === found.element);
  const places = layout.systemPlaces.get(found.element ?? '');
  if (system === undefined || places === undefined)
    throw unknownState(
      state,
      `Initial values of “${found.element ?? state}” are not varied one by one: it is a 3D body.`,
      'Write a parameter into its initial position or velocity, and vary that.',
    );
  const { slot, unit } = found;
  const isRate = slot >= places.v && slot < places.v + places.vSize;
  return { unit, values: startOf(system, isRate), at: slot - (isRate ? places.v : places.q) };
}

function startOf({ form }: DynamicalSystem, isRate: boolean): Float64Array {
  if (form.order === 1) return form.x0;
  return isRate ? form.v0 : form.q0;
}

const unknownState = (where: string, message: string, remedy: string): EngineError =>
  new EngineError({ code: 'unknown-state', message, where, remedy });

/** Puts a state in the place of the initial one. @param state as `stateIn` gives it */
export function replaceInitialState({ systems }: NonSmoothDynamicalSystem, state: Float64Array): void {
  let at = 0;
  for (const { form } of systems) {
    for (const part of form.order === 1 ? [form.x0] : [form.q0, form.v0]) {
      part.set(state.subarray(at, at + part.length));
      at += part.length;
    }
  }
}

/** The coordinates and velocities in a row, in the order of `replaceInitialState`. */
export function stateIn(
  row: Float64Array,
  { systems }: NonSmoothDynamicalSystem,
  layout: StateLayout,
): Float64Array {
  const parts: number[] = [];
  let at = 0;
  for (const { form } of systems) {
    for (let k = 0; k < form.size; k++) parts.push(row[layout.q + at + k]);
    if (form.order === 2) for (let k = 0; k < form.size; k++) parts.push(row[layout.v + at + k]);
    at += form.size;
  }
  return Float64Array.from(parts);
}

/**
 * The document with the initial values that its model has now; null where its systems have no fields for
 * them.
 */
export function startingHere(document: ModelDocument, { model, space }: PreparedModel): ModelDocument | null {
  // 3D bodies are not started elsewhere, and other systems beside them neither.
  if (space !== null) return document;
  const forms = new Map(model.systems.map(({ id, form }) => [id, form]));
  const systems = document.systems.map((system) => {
    const form = forms.get(system.id);
    forms.delete(system.id);
    if (form === undefined) return system;
    return form.order === 1
      ? { ...system, x0: [...form.x0] }
      : { ...system, q0: [...form.q0], v0: [...form.v0] };
  });
  // What is left was added by a builder script, which adds it as it was.
  return forms.size === 0 ? { ...document, systems } : null;
}
