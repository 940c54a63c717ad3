/** Texts of kinds of views that are looked up by key, as all texts of the window are. */
import { attractorWords } from './attractor/words';
import { basinsTexts } from './basins/words';
import { bifurcationTexts } from './bifurcation/words';
import { certificateWords } from './certificate/words';
import { energyLedgerTexts } from './energy-ledger/words';
import { heatMapWords } from './heat-map/words';
import { indexSetsTexts } from './index-sets/words';
import { matrixWords } from './matrix/words';
import { phasePortraitWords } from './phase-portrait/words';
import { returnMapWords } from './return-map/words';
import { sectionWords } from './section/words';
import { spectrumWords } from './spectrum/words';
import { tableWords } from './table/words';
import { timeSeriesWords } from './time-series/words';

export const viewWords = {
  attractor: attractorWords,
  basins: basinsTexts,
  bifurcation: bifurcationTexts,
  certificate: certificateWords,
  energyLedger: energyLedgerTexts,
  heatMap: heatMapWords,
  indexSets: indexSetsTexts,
  matrix: matrixWords,
  phasePortrait: phasePortraitWords,
  returnMap: returnMapWords,
  section: sectionWords,
  spectrum: spectrumWords,
  table: tableWords,
  timeSeries: timeSeriesWords,
};
