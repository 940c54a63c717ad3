/**
 * Options beside the title, one line for each kind of view. Time series have a form of their own: a list of
 * fields does not do for their curves.
 */
import type { ViewDocument } from '@engine/document/types';
import { animation } from './kinds/animation';
import { attractor } from './kinds/attractor';
import { basins } from './kinds/basins';
import { bifurcation } from './kinds/bifurcation';
import { certificate } from './kinds/certificate';
import { energyLedger, indexSets } from './kinds/constraints';
import { heatMap } from './kinds/heat-map';
import { matrix } from './kinds/matrix';
import { phasePortrait, section } from './kinds/plane';
import { spectrum } from './kinds/spectrum';
import { table } from './kinds/table';
import type { FieldsOf, OptionField } from './option-fields';

const FIELDS: { readonly [K in Exclude<ViewDocument['type'], 'time-series'>]: FieldsOf<K> } = {
  'phase-portrait': phasePortrait,
  section,
  spectrum,
  table,
  animation,
  bifurcation,
  basins,
  'heat-map': heatMap,
  'index-sets': indexSets,
  'energy-ledger': energyLedger,
  certificate,
  attractor,
  matrix,
};

/** Fields of a view, of one that a later version knows none. */
export function optionFields(view: ViewDocument): readonly OptionField[] {
  const fields = (FIELDS as Partial<Record<string, (one: ViewDocument) => readonly OptionField[]>>)[
    view.type
  ];
  return fields?.(view) ?? [];
}
