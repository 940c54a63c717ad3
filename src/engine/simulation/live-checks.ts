/** Whether an element may be inserted into a running simulation. A document's elements have been checked by its schema. */
import { EngineError } from '../errors';
import type { IntegratorAssignment } from '../integrators/registry';
import { advances, integratorDefinitions } from '../model/registry';
import type { DynamicalSystem, NonSmoothLaw, Relation } from '../model/nsds';
import { plural } from '../plural';

type Kind = 'dynamical system' | 'interaction';

export const duplicateId = (id: string, kind: Kind): EngineError =>
  new EngineError({
    code: 'duplicate-id',
    message: `There already is a ${kind} “${id}”.`,
    where: id,
    remedy: 'Give it another id, or remove the other one first.',
  });

export const unknownElement = (id: string, kind: Kind): EngineError =>
  new EngineError({
    code: 'unknown-element',
    message: `There is no ${kind} “${id}”.`,
    where: id,
    remedy: 'Name one that has been inserted and not removed.',
  });

/** @throws {EngineError} when the integrator does not exist or is made for systems of the other order */
export function checkSystem(
  { id, form }: DynamicalSystem,
  { type }: Omit<IntegratorAssignment, 'systems'>,
): void {
  const definition = integratorDefinitions.find((candidate) => candidate.type === type);
  if (
    definition !== undefined &&
    advances(definition, form.order) &&
    (type !== 'SchatzmanPaoli' || (form.order === 2 && form.linear !== null))
  )
    return;
  throw new EngineError({
    code: 'integrator-unsuitable',
    message:
      definition === undefined
        ? `There is no integrator ${type} for “${id}”.`
        : `${type} cannot advance “${id}”.`,
    where: id,
    remedy: `Choose one of ${integratorDefinitions.map((other) => other.type).join(', ')} that suits the system.`,
  });
}

/** @throws {EngineError} when the relation does not fit the systems, or the law the relation */
export function checkInteraction(
  { id, relation, law }: { readonly id: string; readonly relation: Relation; readonly law: NonSmoothLaw },
  systems: readonly DynamicalSystem[],
): void {
  const refuse = (message: string, remedy: string): EngineError =>
    new EngineError({ code: 'interaction-unsuitable', message: `“${id}” ${message}`, where: id, remedy });
  if (systems.length === 0 || new Set(systems).size !== systems.length)
    throw refuse('must link one or more systems, each once.', 'List each linked system once.');
  const other = systems.find(({ form }) => form.order !== relation.order);
  if (other !== undefined)
    throw refuse(
      `has a relation for systems of order ${relation.order}, which “${other.id}” is not.`,
      'Link systems of one order with a relation of that order.',
    );
  const columns = systems.reduce((sum, { form }) => sum + form.size, 0);
  if (columns !== relation.columns)
    throw refuse(
      `has a relation of ${plural(relation.columns, 'column')}, but its systems have ${plural(columns, 'coordinate')}.`,
      'Give the relation one column for each coordinate.',
    );
  if (relation.size % law.size !== 0)
    throw refuse(
      `has ${plural(relation.size, 'row')}, which its law of size ${law.size} does not divide.`,
      'Make the number of rows a multiple of the size of the law.',
    );
}
