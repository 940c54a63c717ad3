/** The rows of a model's laws that have states, with the signals that tell them. */
import {
  type RecordedConstraint,
  type ConstraintState,
  MOST_STATES,
  type RunConstraints,
  type StateRule,
  type WorkTerm,
} from '../recording/constraints/constraint';
import type { LawRow } from '../model/forms';
import { type Interaction, nameInPart, partAt } from '../model/nsds';
import type { StateLayout } from './layout';
import type { PreparedModel } from './prepare';
import { contactsOf, generalOf } from './spatial/layout';

/** Infinite bounds are null. */
const bound = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Signals of a row; null where the scheme has none of them. */
interface RowSignals {
  readonly y: string | null;
  readonly velocity: string | null;
  readonly lambda: string;
  readonly impulse: string | null;
}

type RowLookup = (row: number) => RowSignals;

/** Names of what stands at the places of a row. */
function rowLookup({ signals, slots, y, yDot, lambda, impulse }: StateLayout): RowLookup {
  const names = new Map(signals.map(({ name }, k) => [slots[k], name]));
  const at = (slot: number): string | null => names.get(slot) ?? null;
  return (row) => ({
    y: at(y + row),
    velocity: at(yDot + row),
    lambda: at(lambda + row) ?? '',
    impulse: impulse < 0 ? null : at(impulse + row),
  });
}

/** What a row of a law does, by its multipliers. */
function workOf(
  { velocity, lambda, impulse }: RowSignals,
  part: WorkTerm<string>['part'],
  isImpulse: boolean,
): WorkTerm<string>[] {
  if (velocity === null) return [];
  const own: WorkTerm<string> = { part, multiplier: lambda, velocity, isImpulse };
  return impulse === null ? [own] : [own, { part, multiplier: impulse, velocity, isImpulse: true }];
}

/** Of a velocity a box with two bounds is friction: at its lower bound it holds back what slides forwards. */
function boxStates(
  { lower, upper }: Extract<LawRow, { kind: 'box' }>,
  isContact: boolean,
  isFriction: boolean,
): ConstraintState[] {
  if (Number.isFinite(lower) && Number.isFinite(upper))
    return isFriction ? ['slideForward', 'stick', 'slideBackward'] : ['lower', 'between', 'upper'];
  return isContact || lower === 0 || upper === 0
    ? ['open', 'closed']
    : [Number.isFinite(lower) ? 'lower' : 'upper', 'between'];
}

interface StatesOfRow {
  readonly rule: StateRule<string>;
  readonly states: readonly ConstraintState[];
}

/** null of an equation, which has no states. */
function rowStates(
  row: LawRow,
  signals: RowSignals,
  isContact: boolean,
  isFriction: boolean,
): StatesOfRow | null {
  if (row.kind === 'box') {
    if (bound(row.lower) === null && bound(row.upper) === null) return null;
    const rule = {
      kind: 'box',
      lambda: signals.lambda,
      lower: bound(row.lower),
      upper: bound(row.upper),
    } as const;
    return { rule, states: boxStates(row, isContact, isFriction) };
  }
  if (row.kind === 'percussion') {
    const own = { kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY } as const;
    return {
      rule: { kind: 'box', lambda: signals.lambda, lower: 0, upper: null },
      states: boxStates(own, isContact, isFriction),
    };
  }
  // Where a vector is in a polytope or a cone is for several rows to tell.
  if (row.kind !== 'graph' || signals.y === null) return null;
  const { y, lambda, startDirection: start, endDirection: end } = row.graph;
  const points = Array.from(y, (value, k): [number, number] => [value, lambda[k]]);
  const count = Math.min(points.length + 1, MOST_STATES);
  return {
    rule: { kind: 'graph', y: signals.y, lambda: signals.lambda, points, start, end },
    states: Array.from({ length: count }, (_, k): ConstraintState => `piece${k + 1}`),
  };
}

/** Constraints of an interaction. @param first its first row */
function interactionConstraints(
  interaction: Interaction,
  first: number,
  signalsOf: RowLookup,
): RecordedConstraint[] {
  const { id, relation, law } = interaction;
  const isImpulse = law.multiplier === 'impulse' && signalsOf(first).impulse === null;
  const isContact = law.restitution !== null;
  const count = relation.size / law.size;
  const found: RecordedConstraint[] = [];
  for (let k = 0; k < relation.size; k++) {
    const row = law.rows[k % law.size];
    if (row.kind === 'friction') continue;
    const own = signalsOf(first + k);
    const next = k % law.size < law.size - 1 ? law.rows[(k % law.size) + 1] : undefined;
    const number = Math.floor(k / law.size);
    const several = law.rows.some(({ kind }) => kind === 'friction') ? count > 1 : relation.size > 1;
    const place = several ? `${id}[${law.size > 1 && next?.kind === 'friction' ? number : k}]` : id;
    const part = partAt(law, k);
    const name = nameInPart(interaction, k) ?? place;
    const head = { name, element: id, impact: own.impulse };
    if (next?.kind === 'friction') {
      const tangent = signalsOf(first + k + 1);
      const second = law.size > 2 ? signalsOf(first + k + 2) : null;
      found.push({
        ...head,
        states: ['open', 'stick', 'slideForward', ...(second === null ? (['slideBackward'] as const) : [])],
        rule: {
          kind: 'friction',
          normal: own.lambda,
          tangential: tangent.lambda,
          ...(second === null ? {} : { second: second.lambda }),
          coefficient: next.coefficient,
        },
        work: [
          ...workOf(own, 'normal', isImpulse),
          ...workOf(tangent, 'tangential', isImpulse),
          ...(second === null ? [] : workOf(second, 'tangential', isImpulse)),
        ],
      });
      continue;
    }
    const states = rowStates(row, own, isContact, relation.order === 2 && law.level === 'velocity');
    if (states === null) {
      if (part?.presence !== undefined && part.first === k) found.push(presenceOf(id, `${id}.${part.name}`));
      continue;
    }
    // Bounded from both sides, it resists a velocity.
    const acts = states.states.length === 3 && row.kind === 'box' ? 'tangential' : 'normal';
    const work = relation.order === 1 ? [] : workOf(own, acts, isImpulse);
    found.push(withPresence({ ...head, ...states, work }, part?.presence && `${id}.${part.name}`));
  }
  return found;
}

/** The same of what comes and goes. @param by what it is called; undefined where it does not */
const withPresence = (one: RecordedConstraint, by: string | undefined): RecordedConstraint =>
  by === undefined ||
  one.present !== undefined ||
  one.rule.kind === 'presence' ||
  one.states.length >= MOST_STATES
    ? one
    : { ...one, states: [...one.states, 'absent'], present: `${by}.present` };

/** Of what has no states but those of being there or not. */
const presenceOf = (element: string, name: string): RecordedConstraint => ({
  name,
  element,
  states: ['present', 'absent'],
  rule: { kind: 'presence', present: `${name}.present` },
  impact: null,
  work: [],
});

/** What 3D bodies touch with; their losses are signals of the run. */
function spaceConstraints({ space }: PreparedModel): RecordedConstraint[] {
  if (space === null) return [];
  const { model } = space;
  const none = { impact: null, work: [] };
  const surfaces = contactsOf(model).map(({ id }): RecordedConstraint => ({
    ...none,
    name: id,
    element: id,
    states: ['open', 'stick', 'slideForward'],
    rule: { kind: 'surface', count: `${id}.contacts`, slip: `${id}.slip` },
  }));
  const stops = generalOf(model).flatMap(({ id, relation, law }) =>
    law === null
      ? []
      : Array.from({ length: relation.size }, (_, k): RecordedConstraint => {
          const place = relation.size === 1 ? '' : `[${k}]`;
          return {
            ...none,
            name: `${id}${place}`,
            element: id,
            states: ['open', 'closed'],
            rule: { kind: 'box', lambda: `${id}.lambda${place}`, lower: 0, upper: null },
          };
        }),
  );
  return [...surfaces, ...stops];
}

/** What can be told of the laws of a run from its recording. */
export function constraintsOf(prepared: PreparedModel): RunConstraints {
  const { model, layout, settings } = prepared;
  const holds = settings.scheme === 'event-driven' ? 'after' : 'before';
  if (prepared.space !== null) return { holds, all: spaceConstraints(prepared) };
  const signalsOf = rowLookup(layout);
  let row = 0;
  const all = model.interactions.flatMap((interaction) => {
    const { id, presence, relation } = interaction;
    const found = interactionConstraints(interaction, row, signalsOf);
    row += relation.size;
    if (presence === undefined) return found;
    return found.length === 0 ? [presenceOf(id, id)] : found.map((one) => withPresence(one, id));
  });
  return { holds, all };
}
