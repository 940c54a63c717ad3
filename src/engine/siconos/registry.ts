/** Elements that Siconos has, too: a new one is a writer and one line here. */
import type { LawWriter, RelationWriter, SystemWriter } from './writer';
import {
  complementarity,
  equality,
  mixedComplementarity,
  newtonImpact,
  newtonImpactFriction,
  relay,
} from './laws';
import {
  firstOrderLinearTI,
  firstOrderType2,
  lagrangianLinear,
  lagrangianRheonomous,
  lagrangianScleronomous,
} from './relations';
import { firstOrderLinear, firstOrderNonLinear, lagrangianLinearTI, lagrangianNonLinear } from './systems';

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
