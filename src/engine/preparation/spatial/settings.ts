/** Which settings of a simulation go with 3D bodies, and which without them. */
import type { SimulationSettings } from '../../document/settings';
import type { DocumentIssue, SimulationDocument } from '../../document/types';
import { EngineError } from '../../errors';
import type { ElementDefinition } from '../../model/definition';
import {
  advances,
  frictionSolverDefinitions,
  integratorDefinitions,
  problemDefinitions,
} from '../../model/registry';
import { SYMMETRIC_ONLY } from '../../model/settings/friction-solvers';
import type { SpaceModel } from '../../model/space/space';
import { requireStableStep } from '../../spatial/bodies/critical-step';
import type { CompiledSpace } from './compile';

/** Suits every model. */
const AUTOMATIC = 'auto';

const ofSpace = (definitions: readonly ElementDefinition[], type: string): boolean =>
  definitions.some((definition) => definition.type === type && definition.order === 'body');

/**
 * Reports settings that the model cannot be simulated with.
 * @param space null where it has no 3D bodies
 */
export function checkSpaceSettings(
  document: SimulationDocument,
  settings: SimulationSettings,
  space: SpaceModel | null,
  issues: DocumentIssue[],
): void {
  const report = (key: string, code: string, message: string, remedy: string): void => {
    issues.push({ severity: 'error', code, pointer: `/simulation/${key}`, message, remedy });
  };
  const hasSpace = space !== null;
  const kinds = [
    ['problem', 'one-step problem', settings.problem.type, problemDefinitions],
    ['solver', 'solver', settings.solver.type, frictionSolverDefinitions],
  ] as const;
  for (const [key, what, type, definitions] of kinds) {
    if (type === AUTOMATIC || ofSpace(definitions, type) === hasSpace) continue;
    const known = definitions.filter(({ order }) => order === 'body').map((definition) => definition.type);
    if (hasSpace)
      report(
        `${key}/type`,
        `${key}-without-space`,
        `The ${what} ${type} is not for 3D bodies.`,
        `Choose ${AUTOMATIC}, or one of ${known.join(', ')}.`,
      );
    else
      report(
        `${key}/type`,
        `${key}-of-space`,
        `The ${what} ${type} is for 3D bodies, and the model has none.`,
        `Choose ${AUTOMATIC}.`,
      );
  }
  if (!hasSpace) return;
  const rolls = space.interactions.find(
    ({ law }) => law?.rolling !== undefined || law?.spinning !== undefined,
  );
  if (rolls !== undefined && SYMMETRIC_ONLY.has(settings.solver.type)) {
    const others = frictionSolverDefinitions
      .map(({ type }) => type)
      .filter((type) => !SYMMETRIC_ONLY.has(type));
    report(
      'solver/type',
      'solver-of-moments',
      `The solver ${settings.solver.type} needs a symmetric W, which contacts with rolling or spinning friction, as of “${rolls.id}”, do not have.`,
      `Choose ${AUTOMATIC}, or one of ${others.join(', ')}.`,
    );
  }
  const several = document.integrators.filter(({ type }) =>
    integratorDefinitions.some((definition) => definition.type === type && advances(definition, 'body')),
  );
  const types = new Set(settings.integrators.map(({ type }) => type));
  if (several.length > 1 || (several.length === 1 && types.size > 1))
    report(
      `integrators/${document.integrators.indexOf(several[several.length - 1])}`,
      'integrators-of-space',
      'All 3D bodies are advanced together, by one integrator.',
      'Let one integrator take them all: name no systems, and remove the others.',
    );
}

/* Whether the step is short enough for the vibrations of pseudo-rigid bodies, said before a run. */

export function checkCriticalStep(
  { system }: CompiledSpace,
  { h, stepControl }: SimulationSettings,
  issues: DocumentIssue[],
): void {
  const longest = Math.max(h, stepControl?.hMax ?? h);
  try {
    requireStableStep(system, longest);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { where, code, message, remedy = '' } = error.details;
    issues.push({
      severity: 'error',
      code,
      pointer: longest > h ? '/simulation/stepControl/hMax' : '/simulation/h',
      message,
      remedy,
      ...(where === undefined ? {} : { element: where }),
    });
  }
}
