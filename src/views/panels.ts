/**
 * The kinds of views in the window: the panel of each, and its options beside the title. One line for each
 * kind.
 */
import type { ViewDocument } from '@engine/document/types';
import type { FieldsOf, OptionField } from '@renderer/dashboard/options/option-fields';
import { type Component, defineAsyncComponent } from 'vue';
import { animation } from './animation/options';
import { attractor } from './attractor/options';
import AttractorPanel from './attractor/Panel.vue';
import { basins } from './basins/options';
import BasinsPanel from './basins/Panel.vue';
import { bifurcation } from './bifurcation/options';
import BifurcationPanel from './bifurcation/Panel.vue';
import { certificate } from './certificate/options';
import CertificatePanel from './certificate/Panel.vue';
import { energyLedger } from './energy-ledger/options';
import EnergyLedgerPanel from './energy-ledger/Panel.vue';
import { heatMap } from './heat-map/options';
import HeatMapPanel from './heat-map/Panel.vue';
import { indexSets } from './index-sets/options';
import IndexSetsPanel from './index-sets/Panel.vue';
import { matrix } from './matrix/options';
import MatrixPanel from './matrix/Panel.vue';
import { phasePortrait } from './phase-portrait/options';
import PhasePortraitPanel from './phase-portrait/Panel.vue';
import { returnMap } from './return-map/options';
import ReturnMapPanel from './return-map/Panel.vue';
import { section } from './section/options';
import SectionPanel from './section/Panel.vue';
import { spectrum } from './spectrum/options';
import SpectrumPanel from './spectrum/Panel.vue';
import { table } from './table/options';
import TablePanel from './table/Panel.vue';
import TimeSeriesPanel from './time-series/Panel.vue';

interface WindowKind<K extends ViewDocument['type']> {
  /** takes the view as its property `view` */
  readonly panel: Component;
  readonly options: FieldsOf<K>;
}

const KINDS: { readonly [K in ViewDocument['type']]: WindowKind<K> } = {
  // A list of fields does not do for curves: they have a form of their own.
  'time-series': { panel: TimeSeriesPanel, options: () => [] },
  'phase-portrait': { panel: PhasePortraitPanel, options: phasePortrait },
  section: { panel: SectionPanel, options: section },
  'return-map': { panel: ReturnMapPanel, options: returnMap },
  spectrum: { panel: SpectrumPanel, options: spectrum },
  table: { panel: TablePanel, options: table },
  // Loaded with the first of them, as most models have none.
  animation: {
    panel: defineAsyncComponent(() => import('@renderer/animation/AnimationPanel.vue')),
    options: animation,
  },
  bifurcation: { panel: BifurcationPanel, options: bifurcation },
  basins: { panel: BasinsPanel, options: basins },
  'heat-map': { panel: HeatMapPanel, options: heatMap },
  'index-sets': { panel: IndexSetsPanel, options: indexSets },
  'energy-ledger': { panel: EnergyLedgerPanel, options: energyLedger },
  certificate: { panel: CertificatePanel, options: certificate },
  attractor: { panel: AttractorPanel, options: attractor },
  matrix: { panel: MatrixPanel, options: matrix },
};

const isKind = (type: string): type is ViewDocument['type'] => Object.hasOwn(KINDS, type);

/** The panel of a kind; null for one that only a later version knows. */
export const panelOf = (type: string): Component | null => (isKind(type) ? KINDS[type].panel : null);

/** Fields of a view, of one that a later version knows none. */
export function optionFields(view: ViewDocument): readonly OptionField[] {
  if (!isKind(view.type)) return [];
  return (KINDS[view.type].options as (one: ViewDocument) => readonly OptionField[])(view);
}
