/** German texts of the window. */
import { deAnimation } from './de/animation';
import { deCertificate } from './de/certificate';
import { deVerdict } from './de/verdict';
import { deAnalysis } from './de/analysis';
import { deComparison } from './de/comparison';
import { deDashboard } from './de/dashboard';
import { deEvents } from './de/events';
import { deExchange } from './de/exchange';
import { deFigure } from './de/figure';
import { deFind } from './de/find';
import { deGallery } from './de/gallery';
import { deForms } from './de/forms';
import { deInitialValues } from './de/initial-values';
import { deKeptRuns } from './de/kept-runs';
import { deMain } from './de/main';
import { deModelDifference } from './de/model-difference';
import { dePlot } from './de/plot';
import { dePlotOptions } from './de/plot-options';
import { deRecovery } from './de/recovery';
import { deHelp } from './de/help';
import { deSettings, deSettingWords } from './de/settings';
import { deStart } from './de/start';
import { deTour } from './de/tour';
import { deShell } from './de/shell';
import { deRunControl } from './de/run-control';
import { deRunDetails } from './de/run-details';
import { deScripting } from './de/scripting';
import { deCircuit } from './de/circuit';
import { deSubmodels } from './de/submodels';
import { deEquations } from './de/equations';
import { deGraph } from './de/graph';
import { deGraphFrames } from './de/graph-frames';
import { deSpaceTopology } from './de/space-topology';
import { deText } from './de/text';
import { deTree } from './de/tree';
import { deUnits } from './de/units';
import { deViews } from './de/views';
import type { Texts } from './texts';

export const german: Texts = {
  texts: {
    views: deViews,
    ...deMain,
    ...deAnimation,
    ...deCertificate,
    ...deVerdict,
    ...deAnalysis,
    ...deComparison,
    ...deDashboard,
    ...deEvents,
    ...deExchange,
    ...deFigure,
    ...deFind,
    ...deGallery,
    ...deForms,
    ...deInitialValues,
    ...deKeptRuns,
    ...deModelDifference,
    ...dePlot,
    ...dePlotOptions,
    ...deRecovery,
    ...deHelp,
    ...deSettings,
    ...deShell,
    ...deStart,
    ...deTour,
    ...deRunControl,
    ...deRunDetails,
    ...deScripting,
    ...deCircuit,
    ...deSubmodels,
    ...deEquations,
    ...deGraph,
    ...deGraphFrames,
    ...deSpaceTopology,
    ...deText,
    ...deTree,
    ...deUnits,
  },
  settings: deSettingWords,
};
