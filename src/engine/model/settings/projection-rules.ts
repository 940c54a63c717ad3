/** What a projection of positions keeps, and what cannot stand beside it: before a run and at its start. */
import { EngineError } from '../../errors';
import type { Interaction, NonSmoothDynamicalSystem } from '../nsds';
import { type PositionProjectionSettings, positionProjectionOf } from './integrators';

type Assigned = Parameters<typeof positionProjectionOf>[0] & { readonly systems: readonly number[] };

/** Settings by system; null where its positions are left as they are. */
export function projectionBySystem(
  { systems }: NonSmoothDynamicalSystem,
  assignments: readonly Assigned[],
): (PositionProjectionSettings | null)[] {
  const settings = new Array<PositionProjectionSettings | null>(systems.length).fill(null);
  for (const assignment of assignments) {
    const own = positionProjectionOf(assignment);
    // Beside 3D bodies integrators name systems that are none of this model.
    for (const s of assignment.systems)
      if (s < systems.length && systems[s].form.order === 2) settings[s] = own;
  }
  return settings;
}

/** Whether positions of its contact or joint are kept. */
export const isProjected = ({ relation, law }: Interaction): boolean =>
  relation.order === 2 &&
  (law.restitution !== null ||
    (law.level === 'velocity' &&
      law.multiplier === 'impulse' &&
      law.rows.every((row) => row.kind === 'box' && row.lower === -Infinity && row.upper === Infinity)));

/** In what the settings of two systems differ, in words; null where they are the same. */
function differenceOf(
  one: PositionProjectionSettings | null,
  other: PositionProjectionSettings | null,
): string | null {
  if (one === null || other === null) return one === other ? null : 'one is projected and the other is not';
  if (one.kind !== other.kind) return 'one is projected directly and the other combined';
  if (one.metric !== other.metric) return 'their metrics are not the same';
  if (one.tolerance !== other.tolerance) return 'their tolerances are not the same';
  return one.maxIterations === other.maxIterations ? null : 'their numbers of iterations are not the same';
}

const differing = (id: string, a: string, b: string, difference: string): EngineError =>
  new EngineError({
    code: 'projections-differ',
    message: `“${a}” and “${b}” hang together by “${id}”, but ${difference}.`,
    where: b,
    remedy: 'Let one integrator with one projection advance both: name no systems, or name both.',
  });

/** A law that holds on positions is opened again by what others are moved. */
const lawOnPositions = ({ id, law }: Interaction): EngineError =>
  new EngineError({
    code: 'projection-of-positions',
    message: `The law of “${id}” (${law.type}) holds on positions, which the projection moves afterwards.`,
    where: id,
    remedy:
      'Make it a joint on velocities or an impact law, whose positions are kept, or switch the projection off.',
  });

const OTHERS = 'all others';

/** The first thing that a projection cannot be beside; null where there is none. */
export function projectionDefect(
  { systems, interactions }: NonSmoothDynamicalSystem,
  settings: readonly (PositionProjectionSettings | null)[],
): EngineError | null {
  const first = settings.findIndex((one) => one !== null);
  if (first < 0) return null;
  for (const interaction of interactions) {
    const { id, relation, law, systems: linked } = interaction;
    if (relation.order !== 2 || linked.every((s) => settings[s] === null)) continue;
    for (const s of linked) {
      const difference = differenceOf(settings[linked[0]], settings[s]);
      if (difference !== null) return differing(id, systems[linked[0]].id, systems[s].id, difference);
    }
    if (law.level === 'position' && law.restitution === null && !relation.hasFeedthrough)
      return lawOnPositions(interaction);
  }
  const other = settings.findIndex((one) => one !== null && differenceOf(settings[first], one) !== null);
  if (other < 0) return null;
  const difference = differenceOf(settings[first], settings[other]) ?? '';
  return differing(OTHERS, systems[first].id, systems[other].id, difference);
}
