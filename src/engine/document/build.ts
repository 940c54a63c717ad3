/** From a structurally valid document to the non-smooth dynamical system and its simulation settings. */
import type { ElementDefinition } from '../model/definition';
import type { Interaction, NonSmoothDynamicalSystem } from '../model/nsds';
import {
  type DynamicalSystem,
  integratorDefinitions,
  lawTypes,
  relationTypes,
  solverDefinitions,
  systemTypes,
} from '../model/registry';
import { type EvaluationContext, FieldValues } from './field-values';
import { ExpressionError } from './expressions';
import { BrokenParameterError, evaluateWith } from './parameters';
import type {
  Expression,
  InteractionDocument,
  SimulationDocument,
  SystemDocument,
  TypedElement,
} from './types';

export interface SimulationSettings {
  readonly t0: number;
  readonly tEnd: number;
  /** s */
  readonly h: number;
  readonly theta: number;
  /** γ of the activation rule y + γ h ẏ ≤ 0 */
  readonly forecast: number;
  readonly solver: string;
  readonly tolerance: number;
  readonly recordEvery: number;
}

function requireDefinition(definitions: readonly ElementDefinition[], type: string): ElementDefinition {
  const definition = definitions.find((d) => d.type === type);
  if (definition === undefined) throw new Error(`type ${type} passed the schema without a definition`);
  return definition;
}

function buildSystems(systems: readonly SystemDocument[], context: EvaluationContext): DynamicalSystem[] {
  return systems.map((system, i) => {
    const type = systemTypes.get(system.type);
    if (type === undefined) throw new Error(`type ${system.type} passed the schema without a definition`);
    return type.build(new FieldValues(system.id, type.definition, system, `/systems/${i}`, context));
  });
}

function buildInteraction(
  interaction: InteractionDocument,
  i: number,
  systems: readonly DynamicalSystem[],
  index: ReadonlyMap<string, number>,
  context: EvaluationContext,
): Interaction | null {
  const linked: number[] = [];
  let broken = false;
  interaction.systems.forEach((id, k) => {
    const position = index.get(id);
    const reject = (code: string, message: string, remedy: string): void => {
      broken = true;
      context.issues.push({
        severity: 'error',
        code,
        pointer: `/interactions/${i}/systems/${k}`,
        element: interaction.id,
        message,
        remedy,
      });
    };
    if (position === undefined) {
      const known = [...index.keys()].slice(0, 12).join(', ');
      reject(
        'unknown-system',
        `Interaction “${interaction.id}” links the system “${id}”, which does not exist.`,
        known === '' ? 'Add the system first.' : `Systems of this model: ${known}.`,
      );
    } else if (linked.includes(position)) {
      reject(
        'system-twice',
        `Interaction “${interaction.id}” links “${id}” twice.`,
        'Name each system once.',
      );
    } else {
      linked.push(position);
    }
  });
  const relationType = relationTypes.get(interaction.relation.type);
  const lawType = lawTypes.get(interaction.law.type);
  if (relationType === undefined || lawType === undefined)
    throw new Error('type passed the schema without a definition');
  const fields = (definition: ElementDefinition, element: TypedElement, part: string): FieldValues =>
    new FieldValues(interaction.id, definition, element, `/interactions/${i}/${part}`, context);
  const law = lawType.build(fields(lawType.definition, interaction.law, 'law'));
  if (broken) return null;
  const linkedNdof = linked.reduce((sum, position) => sum + systems[position].ndof, 0);
  const relation = relationType.build(
    fields(relationType.definition, interaction.relation, 'relation'),
    linkedNdof,
  );
  return { id: interaction.id, systems: linked, relation, law };
}

function reportDuplicates(ids: readonly { id: string; pointer: string }[], context: EvaluationContext): void {
  const seen = new Set<string>();
  for (const { id, pointer } of ids) {
    if (seen.has(id)) {
      context.issues.push({
        severity: 'error',
        code: 'duplicate-id',
        pointer: `${pointer}/id`,
        element: id,
        message: `The id “${id}” is used twice.`,
        remedy: 'Rename one of the two: signals and links go by id.',
      });
    }
    seen.add(id);
  }
}

/** Builds the system. Defects go to `context.issues`; the result is usable only when none is an error. */
export function buildModel(
  document: { systems: readonly SystemDocument[]; interactions: readonly InteractionDocument[] },
  context: EvaluationContext,
): NonSmoothDynamicalSystem {
  reportDuplicates(
    [
      ...document.systems.map(({ id }, i) => ({ id, pointer: `/systems/${i}` })),
      ...document.interactions.map(({ id }, i) => ({ id, pointer: `/interactions/${i}` })),
    ],
    context,
  );
  const systems = buildSystems(document.systems, context);
  const index = new Map(document.systems.map(({ id }, i) => [id, i]));
  const interactions = document.interactions
    .map((interaction, i) => buildInteraction(interaction, i, systems, index, context))
    .filter((interaction) => interaction !== null);
  return { systems, interactions };
}

/** Overrides that the command line and the run dialog may give. */
export interface SettingsOverrides {
  h?: number | undefined;
  tEnd?: number | undefined;
}

/** Evaluates the simulation section. Defects go to `context.issues`. */
export function buildSettings(
  simulation: SimulationDocument,
  overrides: SettingsOverrides,
  context: EvaluationContext,
): SimulationSettings {
  const report = (key: string, code: string, message: string, remedy: string): void => {
    context.issues.push({ severity: 'error', code, pointer: `/simulation/${key}`, message, remedy });
  };
  const evaluate = (key: string, expression: Expression): number => {
    try {
      const value = evaluateWith(expression, context.parameters, context.brokenParameters);
      if (typeof expression === 'string') context.values[`/simulation/${key}`] = value;
      return value;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      if (error instanceof BrokenParameterError) return Number.NaN;
      report(key, 'expression', `“${String(expression)}”: ${error.message}.`, 'Correct the expression.');
      return Number.NaN;
    }
  };
  const reader = (
    definitions: readonly ElementDefinition[],
    element: TypedElement,
    key: string,
  ): FieldValues =>
    new FieldValues(
      'simulation',
      requireDefinition(definitions, element.type),
      element,
      `/simulation/${key}`,
      context,
    );

  const t0 = evaluate('t0', simulation.t0);
  const tEnd = overrides.tEnd ?? evaluate('tEnd', simulation.tEnd);
  const h = overrides.h ?? evaluate('h', simulation.h);
  // What could not be evaluated has been reported there.
  if (h <= 0)
    report(
      'h',
      'out-of-range',
      `The time step is ${h} s; it must be positive.`,
      'Give a positive step, e.g. 1e-3.',
    );
  if (tEnd <= t0) {
    report(
      'tEnd',
      'out-of-range',
      `The end time ${tEnd} s is not after the start time ${t0} s.`,
      'Give a later end time.',
    );
  }
  const integrator = reader(integratorDefinitions, simulation.integrator, 'integrator');
  const solver = reader(solverDefinitions, simulation.solver, 'solver');
  return {
    t0,
    tEnd,
    h,
    theta: integrator.number('theta'),
    forecast: integrator.number('forecast'),
    solver: simulation.solver.type,
    tolerance: solver.number('tolerance'),
    recordEvery: simulation.recording?.every ?? 1,
  };
}
