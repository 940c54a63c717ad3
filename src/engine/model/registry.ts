/** What the engine knows, one line for each type. */
import type { Catalogue, ElementDefinition } from './definition';
import type { FieldReader } from './field-reader';
import * as newtonImpact from './laws/newton-impact';
import * as lagrangianLinear from './relations/lagrangian-linear';
import * as lagrangianRheonomous from './relations/lagrangian-rheonomous';
import * as settings from './settings';
import * as lagrangianLinearTI from './systems/lagrangian-linear-ti';

export type DynamicalSystem = lagrangianLinearTI.LagrangianLinearTI;
export type Relation = lagrangianLinear.LagrangianLinear | lagrangianRheonomous.LagrangianRheonomous;
export type NonSmoothLaw = newtonImpact.NewtonImpact;

interface SystemType {
  definition: ElementDefinition;
  build(fields: FieldReader): DynamicalSystem;
}
interface RelationType {
  definition: ElementDefinition;
  build(fields: FieldReader, linkedNdof: number): Relation;
}
interface LawType {
  definition: ElementDefinition;
  build(fields: FieldReader): NonSmoothLaw;
}

const byType = <T extends { definition: ElementDefinition }>(...types: T[]): ReadonlyMap<string, T> =>
  new Map(types.map((type) => [type.definition.type, type]));

export const systemTypes = byType<SystemType>(lagrangianLinearTI);
export const relationTypes = byType<RelationType>(lagrangianLinear, lagrangianRheonomous);
export const lawTypes = byType<LawType>(newtonImpact);
export const integratorDefinitions: readonly ElementDefinition[] = [settings.moreauJean];
export const problemDefinitions: readonly ElementDefinition[] = [settings.lcp];
export const solverDefinitions: readonly ElementDefinition[] = [
  settings.autoSolver,
  settings.principalPivoting,
  settings.lemke,
];

const definitions = (types: ReadonlyMap<string, { definition: ElementDefinition }>): ElementDefinition[] =>
  [...types.values()].map((type) => type.definition);

/** Every definition, serialisable. */
export function catalogue(): Catalogue {
  return {
    systems: definitions(systemTypes),
    relations: definitions(relationTypes),
    laws: definitions(lawTypes),
    integrators: integratorDefinitions,
    problems: problemDefinitions,
    solvers: solverDefinitions,
  };
}

const groups = catalogue();

/** Definitions by the key under which elements of their kind stand in a document. */
export const definitionsByKey: ReadonlyMap<string, readonly ElementDefinition[]> = new Map([
  ['systems', groups.systems],
  ['relation', groups.relations],
  ['law', groups.laws],
  ['integrator', groups.integrators],
  ['problem', groups.problems],
  ['solver', groups.solvers],
]);
