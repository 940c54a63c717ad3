/**
 * The kinds of views of a dashboard. A view says what is shown and how; physics never reads it. Signals stand
 * under the keys `x`, `y`, `z` and `signals` in every kind, so that renaming an element reaches them all.
 */
import { z } from 'zod';
import type { ViewOf } from '../engine/document/views/common';
import { animation } from './animation/document';
import { attractor } from './attractor/document';
import { basins } from './basins/document';
import { bifurcation } from './bifurcation/document';
import { certificate } from './certificate/document';
import { indexSets } from './index-sets/document';
import { energyLedger } from './energy-ledger/document';
import { heatMap } from './heat-map/document';
import { matrix } from './matrix/document';
import { phasePortrait } from './phase-portrait/document';
import { returnMap } from './return-map/document';
import { section } from './section/document';
import { spectrum } from './spectrum/document';
import { table } from './table/document';
import { timeSeries } from './time-series/document';

export const viewSchemas = [
  timeSeries,
  phasePortrait,
  section,
  returnMap,
  spectrum,
  table,
  animation,
  bifurcation,
  basins,
  heatMap,
  indexSets,
  energyLedger,
  certificate,
  attractor,
  matrix,
] as const;

export type ViewDocument = ViewOf<(typeof viewSchemas)[number]>;

export const viewSchema = z.discriminatedUnion('type', [...viewSchemas]);

/** Keys of all kinds in the order in which they are written. */
export const viewKeys: readonly string[] = [
  ...new Set(viewSchemas.flatMap(({ shape }) => Object.keys(shape))),
];
