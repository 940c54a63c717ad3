/** What steps with contact forces (`D1MinusLinear`) can treat: before a run and at its start. */
import { EngineError } from '../../errors';
import { type Interaction, type NonSmoothDynamicalSystem, isHeld } from '../nsds';
import { d1MinusLinear } from './integrators';

interface Assigned {
  readonly type: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly systems: readonly number[];
}

/** What of a model such steps cannot treat; null where no integrator is one, or they can treat it all. */
export function forceDefect(
  { systems, interactions }: NonSmoothDynamicalSystem,
  assignments: readonly Assigned[],
): EngineError | null {
  const own = assignments.find(({ type, systems: taken }) => type === d1MinusLinear.type && taken.length > 0);
  if (own === undefined) return null;
  const other = systems.findIndex((_, s) => !own.systems.includes(s));
  if (other >= 0) return mixed(systems[other].id, systems[own.systems[0]].id);
  for (const one of interactions) {
    const defect = defectOf(one);
    if (defect !== null) return defect;
  }
  return null;
}

function defectOf(interaction: Interaction): EngineError | null {
  const { id, relation, law } = interaction;
  const rows = law.rows.filter(({ kind }) => kind !== 'friction');
  const isKnown =
    law.restitution === null
      ? isHeld(interaction)
      : rows.every((row) => row.kind === 'box' && row.lower === 0 && row.upper === Infinity);
  if (!isKnown || relation.hasFeedthrough) return unsuitableLaw(id, law.type);
  return null;
}

const unsuitableLaw = (id: string, type: string): EngineError =>
  new EngineError({
    code: 'law-without-forces',
    message: `Half-explicit Galerkin steps know contacts with Newton’s law of impact, their friction, and joints, all without compliance; “${id}” (${type}) is another one.`,
    where: id,
    remedy: 'Choose Moreau–Jean, or the event-driven scheme.',
  });

/** Forces of a step belong to all systems at once. */
const mixed = (id: string, own: string): EngineError =>
  new EngineError({
    code: 'integrators-apart',
    message: `“${own}” is advanced by half-explicit Galerkin steps, and “${id}” is not advanced with it: their forces belong to all systems of a model.`,
    where: id,
    remedy: 'Give all systems to one D1MinusLinear, or choose another integrator.',
  });
