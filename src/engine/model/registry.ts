/** What the engine knows, one line for each type. */
import { componentTypes } from './components/registry';
import { blockTypes } from './control/registry';
import type { Catalogue, ElementDefinition, Order } from './definition';
import type { FieldReader } from './field-reader';
import * as complementarity from './laws/complementarity';
import * as equality from './laws/equality';
import type { LawTarget } from './laws/common';
import * as mixedComplementarity from './laws/mixed-complementarity';
import * as fremondImpact from './laws/fremond-impact';
import * as mohrCoulomb from './laws/mohr-coulomb';
import * as newtonImpact from './laws/newton-impact';
import * as newtonImpactFriction from './laws/newton-impact-friction';
import * as normalConeBox from './laws/normal-cone-box';
import * as normalConePolytope from './laws/normal-cone-polytope';
import * as perRow from './laws/per-row';
import * as piecewiseLinear from './laws/piecewise-linear';
import * as relay from './laws/relay';
import type { DynamicalSystem, NonSmoothLaw, Relation } from './nsds';
import { PLUGIN_SIGNATURES } from './plugin-signatures';
import * as distance from './relations/distance';
import * as driver from './relations/driver';
import * as firstOrderLinearTI from './relations/first-order-linear-ti';
import * as firstOrderNonLinearR from './relations/first-order-nonlinear';
import * as firstOrderType1 from './relations/first-order-type1';
import * as firstOrderType2 from './relations/first-order-type2';
import * as gear from './relations/gear';
import * as lagrangianCompliant from './relations/lagrangian-compliant';
import * as lagrangianCompliantLinear from './relations/lagrangian-compliant-linear';
import * as lagrangianLinear from './relations/lagrangian-linear';
import * as lagrangianRheonomous from './relations/lagrangian-rheonomous';
import * as lagrangianScleronomous from './relations/lagrangian-scleronomous';
import * as pinInHole from './relations/pin-in-hole';
import * as pinInSlot from './relations/pin-in-slot';
import * as pointOnPlane from './relations/point-on-plane';
import * as prismatic from './relations/prismatic';
import * as revolute from './relations/revolute';
import * as rigid from './relations/rigid';
import * as spring from './relations/spring';
import { definition as reset } from './resets/reset';
import { frictionSolverDefinitions } from './settings/friction-solvers';
import { flightDefinitions } from './settings/flights';
import { formulationDefinitions } from './settings/formulations';
import { impactDefinitions } from './settings/impacts';
import {
  d1MinusLinear,
  eulerMoreau,
  moreauHalfStep,
  moreauJean,
  schatzmanPaoli,
  zeroOrderHold,
} from './settings/integrators';
import { presenceDefinitions } from './settings/presences';
import { problemDefinitions } from './settings/problems';
import { schemeDefinitions } from './settings/schemes';
import { axisDefinitions } from './analyses/sweep';
import { analysisDefinitions } from './analyses/registry';
import { sectionDefinitions } from './settings/sections';
import { solverDefinitions } from './settings/solvers';
import {
  bodyTypes,
  contactTypes,
  generalTypes,
  shapeTypes,
  spatialJointTypes,
  spatialLawTypes,
} from './space/registry';
import * as firstOrderLinear from './systems/first-order-linear';
import * as firstOrderNonLinear from './systems/first-order-nonlinear';
import * as lagrangianLinearTI from './systems/lagrangian-linear-ti';
import * as lagrangianNonLinear from './systems/lagrangian-nonlinear';
import * as planarBody from './systems/planar-body';

interface SystemType {
  definition: ElementDefinition;
  build(fields: FieldReader): DynamicalSystem;
}
interface RelationType {
  definition: ElementDefinition;
  /** @param columns coordinates of the linked systems together */
  build(fields: FieldReader, columns: number): Relation;
}
interface LawType {
  definition: ElementDefinition;
  build(fields: FieldReader, target: LawTarget): NonSmoothLaw;
}

const byType = <T extends { definition: ElementDefinition }>(...types: T[]): ReadonlyMap<string, T> =>
  new Map(types.map((type) => [type.definition.type, type]));

export const systemTypes = byType<SystemType>(
  lagrangianLinearTI,
  lagrangianNonLinear,
  planarBody,
  firstOrderLinear,
  firstOrderNonLinear,
);
export const relationTypes = byType<RelationType>(
  lagrangianLinear,
  lagrangianScleronomous,
  lagrangianRheonomous,
  lagrangianCompliantLinear,
  lagrangianCompliant,
  revolute,
  prismatic,
  pinInSlot,
  distance,
  rigid,
  gear,
  driver,
  pointOnPlane,
  pinInHole,
  spring,
  firstOrderLinearTI,
  firstOrderType1,
  firstOrderType2,
  firstOrderNonLinearR,
);
export const lawTypes = byType<LawType>(
  newtonImpact,
  newtonImpactFriction,
  complementarity,
  mixedComplementarity,
  equality,
  relay,
  normalConeBox,
  normalConePolytope,
  piecewiseLinear,
  fremondImpact,
  mohrCoulomb,
  perRow,
);
export const integratorDefinitions: readonly ElementDefinition[] = [
  moreauJean,
  schatzmanPaoli,
  eulerMoreau,
  zeroOrderHold,
  moreauHalfStep,
  d1MinusLinear,
];
/** Whether an integrator advances systems of an order. */
export const advances = ({ order, advances: orders }: ElementDefinition, of: Order): boolean =>
  orders === undefined ? order === of : orders.includes(of);

export {
  analysisDefinitions,
  flightDefinitions,
  frictionSolverDefinitions,
  formulationDefinitions,
  impactDefinitions,
  problemDefinitions,
  schemeDefinitions,
  sectionDefinitions,
  solverDefinitions,
};

const definitions = (types: ReadonlyMap<string, { definition: ElementDefinition }>): ElementDefinition[] =>
  [...types.values()].map((type) => type.definition);

/** Every definition, serialisable. */
export function catalogue(): Catalogue {
  return {
    systems: [...definitions(systemTypes), ...definitions(bodyTypes), ...definitions(blockTypes), reset],
    relations: [
      ...definitions(relationTypes),
      ...definitions(contactTypes),
      ...definitions(spatialJointTypes),
      ...definitions(generalTypes),
    ],
    laws: [...definitions(lawTypes), ...definitions(spatialLawTypes)],
    rowLaws: perRow.rowLawDefinitions,
    shapes: definitions(shapeTypes),
    schemes: schemeDefinitions,
    integrators: integratorDefinitions,
    problems: problemDefinitions,
    solvers: [...solverDefinitions, ...frictionSolverDefinitions],
    impacts: impactDefinitions,
    flights: flightDefinitions,
    formulations: formulationDefinitions,
    sections: sectionDefinitions,
    analyses: analysisDefinitions,
    axes: axisDefinitions,
    components: definitions(componentTypes),
    presences: presenceDefinitions,
    plugins: PLUGIN_SIGNATURES,
  };
}

const groups = catalogue();

/** Definitions by the key under which elements of their kind stand in a document. */
export const definitionsByKey: ReadonlyMap<string, readonly ElementDefinition[]> = new Map([
  ['systems', groups.systems],
  ['relation', groups.relations],
  ['law', groups.laws],
  ['laws', groups.rowLaws],
  ['shapes', groups.shapes],
  ['integrators', groups.integrators],
  ['problem', groups.problems],
  ['solver', groups.solvers],
  ['impacts', groups.impacts],
  ['flight', groups.flights],
  ['constraints', groups.formulations],
  ['sections', groups.sections],
  ['analyses', groups.analyses],
  ['axes', groups.axes],
  ['while', groups.presences],
  ['components', groups.components],
]);
