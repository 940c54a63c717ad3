/** Elements that Siconos has, too: a new one is a writer and one line here. */
import type { LawWriter, RelationWriter, SystemWriter } from './element';
import { complementarity, equality, mixedComplementarity, relay } from './laws/complementarity';
import { newtonImpact, newtonImpactFriction } from './laws/impacts';
import { firstOrderLinearTI } from './relations/first-order-linear-ti';
import { firstOrderType2, lagrangianRheonomous, lagrangianScleronomous } from './relations/general';
import { lagrangianLinear } from './relations/lagrangian-linear';
import { firstOrderLinear } from './systems/first-order-linear';
import { firstOrderNonLinear } from './systems/first-order-nonlinear';
import { lagrangianLinearTI } from './systems/lagrangian-linear-ti';
import { lagrangianNonLinear } from './systems/lagrangian-nonlinear';

const byType = <W extends { readonly type: string }>(...writers: readonly W[]): ReadonlyMap<string, W> =>
  new Map(writers.map((writer) => [writer.type, writer]));

export const systemWriters = byType<SystemWriter>(
  lagrangianLinearTI,
  lagrangianNonLinear,
  firstOrderLinear,
  firstOrderNonLinear,
);
export const relationWriters = byType<RelationWriter>(
  lagrangianLinear,
  lagrangianScleronomous,
  lagrangianRheonomous,
  firstOrderLinearTI,
  firstOrderType2,
);
export const lawWriters = byType<LawWriter>(
  complementarity,
  mixedComplementarity,
  equality,
  relay,
  newtonImpact,
  newtonImpactFriction,
);
