/** The states at which given Jacobians are compared with derived ones: the initial state, and a few near it. */
import type { GivenJacobian } from '../document/given-jacobians';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { NOTHING } from '../model/plugin';

/** Arguments of a model function. */
export interface EvaluationPoint {
  readonly clock: Float64Array;
  /** x of first-order systems, q of Lagrangian ones; of a relation those of its systems, one after the other */
  readonly a: Float64Array;
  /** v of a Lagrangian system, λ of a relation */
  readonly b: Float64Array;
  readonly isInitial: boolean;
  /** the point in words, as a sentence goes on after what was found there */
  readonly text: string;
}

/**
 * Distance of a near point in each entry, relative to the entry or, where that is small, to a unit: far enough for terms
 * of second order to show.
 */
const DISTANCE = 0.01;

/** Signs of the offsets of the entries, repeated: a function that needs positive arguments is defined at one of them. */
const SIGNS: readonly (readonly number[])[] = [[1], [-1], [1, -1, -1], [-1, 1]];

/** Digits of a near point, few enough to be printed as they are. */
const DIGITS = 6;

/** Entries up to which a vector is printed. */
const PRINTED = 4;

/** Offsets of neighbouring entries differ by an irrational fraction, so that they do not cancel in differences. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

function nearby(values: Float64Array, signs: readonly number[], shift: number): Float64Array {
  return values.map((value, i) => {
    const weight = 0.5 + (((i + shift + 1) * GOLDEN) % 1) / 2;
    const offset = signs[i % signs.length] * weight * DISTANCE * Math.max(1, Math.abs(value));
    return Number((value + offset).toPrecision(DIGITS));
  });
}

function listed(symbol: string, values: Float64Array): string[] {
  return values.length === 0
    ? []
    : [`${symbol} = ${values.length === 1 ? values[0] : `(${values.join(', ')})`}`];
}

function describe(names: readonly [string, string], t: number, a: Float64Array, b: Float64Array): string {
  if (a.length > PRINTED || b.length > PRINTED) return ' near the initial state';
  return ` at ${[`t = ${t}`, ...listed(names[0], a), ...listed(names[1], b)].join(', ')}`;
}

/**
 * @param pointer says whether the element is a system or an interaction
 * @param t0 initial time, s
 * @param h s, by which the times of the near points differ
 */
export function jacobianPoints(
  { systems, interactions }: NonSmoothDynamicalSystem,
  { element, pointer }: Pick<GivenJacobian, 'element' | 'pointer'>,
  t0: number,
  h: number,
): EvaluationPoint[] {
  const state = stateOf(systems, interactions, element, pointer.startsWith('/systems/'));
  if (state === null) return [];
  const { names, a, b } = state;
  const initial = { clock: Float64Array.of(t0), a, b, isInitial: true, text: ' at the initial state' };
  const others = SIGNS.map((signs, k) => {
    const t = t0 + (k + 1) * h;
    const nearA = nearby(a, signs, k);
    const nearB = nearby(b, signs, k + a.length);
    return {
      clock: Float64Array.of(t),
      a: nearA,
      b: nearB,
      isInitial: false,
      text: describe(names, t, nearA, nearB),
    };
  });
  return [initial, ...others];
}

function stateOf(
  systems: NonSmoothDynamicalSystem['systems'],
  interactions: NonSmoothDynamicalSystem['interactions'],
  element: string,
  isSystem: boolean,
): { names: [string, string]; a: Float64Array; b: Float64Array } | null {
  if (isSystem) {
    const form = systems.find(({ id }) => id === element)?.form;
    if (form === undefined) return null;
    if (form.order === 1) return { names: ['x', ''], a: form.x0, b: NOTHING };
    return { names: ['q', 'v'], a: form.q0, b: form.v0 };
  }
  const interaction = interactions.find(({ id }) => id === element);
  if (interaction === undefined) return null;
  const { relation } = interaction;
  const z = interaction.systems.flatMap((i) => {
    const { form } = systems[i];
    return [...(form.order === 1 ? form.x0 : form.q0)];
  });
  return {
    names: [relation.order === 1 ? 'x' : 'q', 'λ'],
    a: Float64Array.from(z),
    b: new Float64Array(relation.size),
  };
}
